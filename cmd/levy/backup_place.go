package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"levy/internal/backup"
	"levy/internal/local/postgres"
)

// objectStore are the settings of commands that use an object store.
type objectStore struct {
	S3Endpoint   string `name:"s3-endpoint" var:"LEVY_S3_ENDPOINT" placeholder:"URL" help:"Object store of backups, such as https://minio.example.com:9000. Default: that of Amazon."`
	S3Region     string `name:"s3-region" var:"LEVY_S3_REGION" help:"Region of the bucket. Default: AWS_REGION, else what the object store says."`
	S3Addressing string `name:"s3-addressing" var:"LEVY_S3_ADDRESSING" default:"auto" enum:"auto,path,host" help:"Where the address of an object names its bucket: path, host, or auto: host at the large providers, path elsewhere."`
	S3AccessKey  Secret `name:"s3-access-key" var:"LEVY_S3_ACCESS_KEY" help:"Id of the key for the object store. Default: AWS_ACCESS_KEY_ID, with AWS_SECRET_ACCESS_KEY and AWS_SESSION_TOKEN."`
	S3SecretKey  Secret `name:"s3-secret-key" var:"LEVY_S3_SECRET_KEY" help:"Secret of that key."`
}

// errHalfKey says that only one of two settings is there.
var errHalfKey = errors.New("LEVY_S3_ACCESS_KEY and LEVY_S3_SECRET_KEY go together")

// place opens the place of backups that an address names.
func (o objectStore) place(p *program, address string) (backup.Place, error) {
	if !backup.InBucket(address) {
		return backup.Folder(address), nil
	}
	if (o.S3AccessKey == "") != (o.S3SecretKey == "") {
		return nil, errHalfKey
	}
	others := newEnvironment(p.env).values
	at := backup.S3{
		Endpoint: o.S3Endpoint, Region: cmp.Or(o.S3Region, others["AWS_REGION"], others["AWS_DEFAULT_REGION"]),
		Addressing: o.S3Addressing, AccessKey: o.S3AccessKey.Reveal(), SecretKey: o.S3SecretKey.Reveal(),
	}
	if at.AccessKey == "" {
		at.AccessKey, at.SecretKey, at.SessionToken = others["AWS_ACCESS_KEY_ID"], others["AWS_SECRET_ACCESS_KEY"],
			others["AWS_SESSION_TOKEN"]
	}
	return backup.OpenBucket(address, at)
}

// chosenBackup is a backup that is read.
type chosenBackup struct {
	place    backup.Place
	name     string
	manifest *backup.Manifest
}

func (b *chosenBackup) address() string { return b.place.Address(b.name) }

// choose opens a backup, or the last one of a place.
func (o objectStore) choose(p *program, address string) (*chosenBackup, error) {
	place, err := o.place(p, address)
	if err != nil {
		return nil, err
	}
	if !backup.InBucket(address) {
		if _, err := os.Stat(address); err != nil {
			return nil, err
		}
	}
	m, err := place.Read(p.ctx, "")
	if err == nil {
		return &chosenBackup{place, "", m}, nil
	}
	if !errors.Is(err, backup.ErrNotWhole) {
		return nil, err
	}
	names, _, err := place.Names(p.ctx)
	if err != nil {
		return nil, err
	}
	if len(names) == 0 {
		return nil, fmt.Errorf("there is no whole backup in %s", address)
	}
	name := names[len(names)-1]
	m, err = place.Read(p.ctx, name)
	return &chosenBackup{place, name, m}, err
}

// unpack returns what puts the cluster of the backup into a folder.
func (b *chosenBackup) unpack(tools *postgres.Tools) func(ctx context.Context, to string) error {
	return func(ctx context.Context, to string) error { return b.place.Unpack(ctx, tools, b.name, b.manifest, to) }
}

// prune removes all whole backups but the newest ones, and says so.
func prune(p *program, place backup.Place, keep int) error {
	names, _, err := place.Names(p.ctx)
	if err != nil {
		return err
	}
	for _, name := range names[:max(0, len(names)-keep)] {
		if err := place.Remove(p.ctx, name); err != nil {
			return fmt.Errorf("the old backup %s was not removed: %w", place.Address(name), err)
		}
		fmt.Fprintf(p.stdout, "Removed the old backup %s.\n", place.Address(name))
	}
	return nil
}

type backupsCmd struct {
	List   listBackupsCmd   `cmd:"" help:"List the backups of a folder or an object store, the oldest first, and the unfinished ones."`
	Verify verifyBackupsCmd `cmd:"" help:"Compare every file of a backup with its checksum. That needs no space: one in an object store is read once, and nothing of it is kept."`
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
			fmt.Fprintf(p.stdout, "%s: until %s, %s, %s\n", place.Address(name), m.BeganAt.Format(time.RFC3339),
				inBytes(m.Bytes), verifiedAt(m))
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
		if !backup.InBucket(c.Backup) {
			if tools, err = postgres.FindTools(chosen.manifest.Major, ""); err != nil {
				return nil, err
			}
		}
		if err := chosen.place.Compare(p.ctx, tools, chosen.name, chosen.manifest); err != nil {
			return nil, err
		}
		fmt.Fprintf(p.stdout, "Every file of %s is what it was when the backup was taken.\n", chosen.address())
		return &comparedBackup{chosen.address(), chosen.manifest.Bytes}, nil
	})
}
