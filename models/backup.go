package models

import "time"

// Backup is a base backup that was taken of the database.
type Backup struct {
	BeganAt, EndedAt time.Time // what was committed before BeganAt is in it
	Place            string    // its folder, on the machine that took it
	EndLSN           string
	Bytes            int64
	SchemaVersion    int64
	ContentVersion   string
	Verified         bool // a server was started on a copy, and its records were checked
}

// Backups is what is known of the backups of a database.
type Backups struct {
	Last *Backup       // nil: none was ever taken
	Age  time.Duration // of what is in the last one, by the clock of the database
	// KeepsWAL says that somebody is to take the WAL as it is written; Takes, that he does. Behind is
	// how many bytes PostgreSQL keeps for him.
	KeepsWAL, Takes bool
	Behind          int64
}
