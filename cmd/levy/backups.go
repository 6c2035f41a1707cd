package main

import (
	"fmt"
	"time"

	"levy/internal/backup"
	"levy/internal/local/postgres"
)

type backupsCmd struct {
	List   listBackupsCmd   `cmd:"" help:"List the backups of a folder or an object store, the oldest first, and the unfinished ones."`
	Verify verifyBackupsCmd `cmd:"" help:"Compare every file of a backup, and of those on which it rests, with its checksum. That needs no space: one in an object store is read once, and nothing of it is kept."`
}

type listBackupsCmd struct {
	objectStore
	jsonFlag

	Place string `arg:"" help:"Folder or s3://bucket/prefix where the backups are."`
}

// listedBackup is a whole backup, for programs.
type listedBackup struct {
	Place string `json:"place"`
	*backup.Manifest
}

// listedBackups are the backups of a place, for programs. The unfinished ones are none.
type listedBackups struct {
	Backups    []listedBackup `json:"backups"`
	Unfinished []string       `json:"unfinished"`
}

// Run lists the backups.
func (c listBackupsCmd) Run(p *program) error {
	return tell(p, c.jsonFlag, func(p *program) (*listedBackups, error) {
		place, err := c.place(p, c.Place)
		if err != nil {
			return nil, err
		}
		names, unfinished, err := place.Names(p.ctx)
		if err != nil {
			return nil, err
		}
		all := &listedBackups{Backups: []listedBackup{}, Unfinished: []string{}}
		for _, name := range names {
			m, err := place.Read(p.ctx, name)
			if err != nil {
				return nil, err
			}
			all.Backups = append(all.Backups, listedBackup{place.Address(name), m})
			fmt.Fprintf(p.stdout, "%s: until %s, %s%s, %s\n", place.Address(name), m.BeganAt.Format(time.RFC3339),
				inBytes(m.Bytes), restsOn(m), verifiedAt(m))
		}
		for _, name := range unfinished {
			all.Unfinished = append(all.Unfinished, place.Address(name))
			fmt.Fprintf(p.stdout, "%s: unfinished, the next levy backup removes it\n", place.Address(name))
		}
		if len(names)+len(unfinished) == 0 {
			fmt.Fprintf(p.stdout, "There are no backups in %s.\n", c.Place)
		}
		return all, nil
	})
}

// restsOn names the backup on which an incremental one rests.
func restsOn(m *backup.Manifest) string {
	if m.Base == nil {
		return ""
	}
	return ", rests on " + m.Base.Name
}

// verifiedAt says whether a server was started on a copy of a backup.
func verifiedAt(m *backup.Manifest) string {
	if m.VerifiedAt == nil {
		return "not verified: " + m.NotVerified
	}
	return "verified at " + m.VerifiedAt.Format(time.RFC3339)
}

type verifyBackupsCmd struct {
	objectStore
	jsonFlag

	Backup string `arg:"" help:"Folder or s3://bucket/prefix of a backup, or of all: then it is the last one."`
}

// comparedBackup is a backup whose files are what they were, for programs.
type comparedBackup struct {
	Place string `json:"place"`
	Bytes int64  `json:"bytes"` // of the cluster
}

// Run reads a backup.
func (c verifyBackupsCmd) Run(p *program) error {
	return tell(p, c.jsonFlag, func(p *program) (*comparedBackup, error) {
		chosen, err := c.choose(p, c.Backup)
		if err != nil {
			return nil, err
		}
		var tools *postgres.Tools
		if chosen.manifest.Archive == nil { // PostgreSQL compares the files of an earlier release
			if tools, err = postgres.FindTools(chosen.manifest.Major, ""); err != nil {
				return nil, err
			}
		}
		if err := chosen.compare(p, tools); err != nil {
			return nil, err
		}
		fmt.Fprintf(p.stdout, "Every file of %s is what it was when the backup was taken.\n", chosen.address())
		if chosen.manifest.Base != nil {
			fmt.Fprintln(p.stdout, "So is every file of the backups on which it rests.")
		}
		return &comparedBackup{chosen.address(), chosen.manifest.Bytes}, nil
	})
}
