package main

import (
	"levy/internal/backup"
)

// walBackupCmd keeps a file of WAL. PostgreSQL calls it once for each, waits for it, and calls it again where it fails.
type walBackupCmd struct {
	objectStore

	Place string `arg:"" help:"Where the backups are: a folder or s3://bucket/prefix. The WAL goes into wal there."`
	File  string `arg:"" help:"The file of pg_wal, %p in archive_command."`
}

// Run compresses the file into the archive. It needs no database.
func (c walBackupCmd) Run(p *program) error {
	place, err := c.place(p, c.Place)
	if err != nil {
		return err
	}
	return backup.ArchiveWAL(p.ctx, backup.WAL(place), c.File)
}
