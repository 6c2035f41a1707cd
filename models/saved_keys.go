package models

import "time"

// SavedKeys is a file with the wrapped keys of an installation, apart from the backups of what they seal.
type SavedKeys struct {
	ID    string // stands in the audit trail before the keys are read
	Place string // the file, on the machine that wrote it
	Keys  int64
}

// KeysSaved is what is known of the last file with the wrapped keys.
type KeysSaved struct {
	Last *SavedKeys    // nil: none was ever written
	Age  time.Duration // by the clock of the database
	// ErasedSince is how many people, customers and organizations were erased since, whose keys are in that file.
	ErasedSince int64
}

// RestoredKeys is what the keys of a file have changed in a database that was restored.
type RestoredKeys struct {
	Replaced int64 // keys, by those of the file
	Newer    int64 // keys that were made after the file, and stay
	// Documents were deleted after the backup, and are again: organization and document.
	Documents []string
	// Factors are people who have another second factor since, Removed those who have none.
	Factors, Removed []string
	// Destroyed are organizations whose data key was destroyed after the backup, and is again.
	Destroyed []string
	// Erased were erased after the backup, and are to be again: clients before their partners.
	Erased []string
}
