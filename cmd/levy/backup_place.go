package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"

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
