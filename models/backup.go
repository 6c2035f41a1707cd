package models

import "time"

// BackupKind is the program that took a backup.
type BackupKind string

// Kinds of backups. Only those of BackupOfLevy are restored by levy restore.
const (
	BackupOfLevy       BackupKind = "LEVY"
	BackupOfSnapshot   BackupKind = "SNAPSHOT" // of a disk or a virtual machine, or by the provider of the database
	BackupOfPGBackRest BackupKind = "PGBACKREST"
	BackupOfWALG       BackupKind = "WALG"
	BackupOfBarman     BackupKind = "BARMAN"
	BackupOfOther      BackupKind = "OTHER"
)

// Backup is a base backup of the database, or one of another program that was noted.
type Backup struct {
	Kind             BackupKind
	BeganAt, EndedAt time.Time // everything committed before BeganAt is in it
	Place            string    // its folder on the machine that took it, its address, or what another program calls it
	EndLSN           string
	Bytes            int64
	SchemaVersion    int64
	ContentVersion   string
	Compared         bool // its files were compared with checksums
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
	// Archives means that archive_command of PostgreSQL has kept WAL, ArchiveFails that its last call failed.
	Archives, ArchiveFails bool
}
