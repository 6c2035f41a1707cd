package models

import "time"

// SavedKeys is a file with the wrapped keys of an installation, apart from the backups of the sealed data.
type SavedKeys struct {
	ID    string `json:"id"`    // in the audit trail before the keys are read
	Place string `json:"place"` // the file, on the machine that wrote it
	Keys  int64  `json:"keys"`
}

// KeysSaved is the state of the last file with the wrapped keys.
type KeysSaved struct {
	Last *SavedKeys // nil without any file
	At   time.Time  // by the clock of the database, like Age
	Age  time.Duration
	// ErasedSince is how many people, customers and organizations with keys in that file were erased since.
	ErasedSince int64
}

// RestoredKeys are the changes by the keys of a file in a restored database.
type RestoredKeys struct {
	Replaced int64 // keys, by those of the file
	Newer    int64 // keys that are newer than the file, and remain
	// Documents were deleted after the backup, and are deleted again: organization and document.
	Documents []string
	// Factors are people with another second factor since, Removed those without one.
	Factors, Removed []string
	// Destroyed are organizations whose data key was destroyed after the backup, and is destroyed again.
	Destroyed []string
	// Erased were erased after the backup, and are to be erased again: clients before their partners.
	Erased []string
}
