package models

import "time"

// Backup is a base backup of the database.
type Backup struct {
	BeganAt, EndedAt time.Time // everything committed before BeganAt is in it
	Place            string    // its folder on the machine that took it, or its address in an object store
	EndLSN           string
	Bytes            int64
	SchemaVersion    int64
	ContentVersion   string
	Verified         bool // a server was started on a copy, and its records were checked
}

// Backups is the state of the backups of a database.
type Backups struct {
	Last *Backup       // nil without any backup
	Age  time.Duration // the age of the data in the last backup, by the clock of the database
	// KeepsWAL means that a replication slot for the WAL exists, Takes that a receiver uses it. Behind is how many bytes
	// PostgreSQL keeps for it.
	KeepsWAL, Takes bool
	Behind          int64
}
