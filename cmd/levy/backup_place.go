package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"levy/internal/backup"
	"levy/internal/local/postgres"
	"levy/internal/progress"
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
	if err == nil && m.Base != nil {
		return o.beside(p, address, m)
	}
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

// beside opens a backup that an address names itself in the place that has those on which it rests, too.
func (o objectStore) beside(p *program, address string, m *backup.Manifest) (*chosenBackup, error) {
	if !backup.InBucket(address) {
		whole, err := filepath.Abs(address)
		if err != nil {
			return nil, err
		}
		address = whole
	}
	address = strings.TrimRight(address, "/")
	last := strings.LastIndex(address, "/")
	place, err := o.place(p, address[:last])
	return &chosenBackup{place, address[last+1:], m}, err
}

// unpack returns what puts the cluster of the backup, with what it rests on, into a folder, and shows how far it is.
func (b *chosenBackup) unpack(p *program, tools *postgres.Tools) func(ctx context.Context, to string) error {
	return func(ctx context.Context, to string) error {
		chain, err := backup.Chain(ctx, b.place, b.name, b.manifest)
		if err != nil {
			return err
		}
		return backup.Combine(ctx, tools, chain, to, func(ctx context.Context, of backup.Link, to string) error {
			return b.named(of, reading(p, "Unpacking", of.Manifest, func(m *backup.Manifest) error {
				return b.place.Unpack(ctx, tools, of.Name, m, to)
			}))
		})
	}
}

// compare compares every file of the backup, and of those on which it rests, with its checksum. It shows how far it is.
func (b *chosenBackup) compare(p *program, tools *postgres.Tools) error {
	chain, err := backup.Chain(p.ctx, b.place, b.name, b.manifest)
	if err != nil {
		return err
	}
	for _, link := range chain {
		if err := b.compareOne(p, tools, link); err != nil {
			return err
		}
	}
	return nil
}

// compareLast compares only the files of the backup itself, and looks whether what it rests on is there.
func (b *chosenBackup) compareLast(p *program, tools *postgres.Tools) error {
	chain, err := backup.Chain(p.ctx, b.place, b.name, b.manifest)
	if err != nil {
		return err
	}
	return b.compareOne(p, tools, chain[len(chain)-1])
}

func (b *chosenBackup) compareOne(p *program, tools *postgres.Tools, of backup.Link) error {
	return b.named(of, reading(p, "Comparing", of.Manifest, func(m *backup.Manifest) error {
		return b.place.Compare(p.ctx, tools, of.Name, m)
	}))
}

// named names the backup of an error where it is not the one that the command is about.
func (b *chosenBackup) named(of backup.Link, err error) error {
	if err != nil && of.Name != b.name {
		return fmt.Errorf("%s, on which %s rests: %w", b.place.Address(of.Name), b.address(), err)
	}
	return err
}

// reading reads the archive of a backup, and shows how far it is.
func reading(p *program, what string, of *backup.Manifest, read func(*backup.Manifest) error) error {
	watched := *of
	total := int64(0)
	if watched.Archive != nil {
		total = watched.Archive.Bytes
	}
	shown := progress.Begin(p.progressTo, what, progress.Bytes, total)
	defer shown.End()
	watched.Read = func(n int) { shown.Add(int64(n)) }
	return read(&watched)
}

// wal opens an archive of WAL: a folder, or s3://bucket/prefix/wal.
func (o objectStore) wal(p *program, address string) (backup.WALArchive, error) {
	if !backup.InBucket(address) {
		info, err := os.Stat(address)
		if err == nil && !info.IsDir() {
			err = fmt.Errorf("%s is no folder", address)
		}
		return backup.WALFolder(address), err
	}
	above, is := strings.CutSuffix(strings.TrimSuffix(address, "/"), "/wal")
	if !is {
		return nil, fmt.Errorf("%s does not have the form s3://bucket/prefix/wal", address)
	}
	place, err := o.place(p, above)
	if err != nil {
		return nil, err
	}
	return backup.WAL(place), nil
}

// prune removes all whole backups but the newest ones and those on which they rest, with the WAL that only they need, and says
// so. One that cannot be restored does not count among the newest, and stays where it is newer than they are. A backup goes before
// the one on which it rests. segment is the size of a segment of the WAL in bytes.
func prune(p *program, place backup.Place, keep int, segment int64) error {
	names, _, err := place.Names(p.ctx)
	if err != nil {
		return err
	}
	kept := map[string]*backup.Manifest{}
	left := keep
	for _, name := range slices.Backward(names) {
		if left == 0 {
			break
		}
		whole, err := keepChain(p, place, name, kept)
		if err != nil {
			return fmt.Errorf("no old backup was removed: %w", err)
		}
		if whole {
			left--
		}
	}
	for _, name := range slices.Backward(names) {
		// guard: backups: one on which a kept one rests is not removed
		if kept[name] != nil {
			continue
		}
		if err := place.Remove(p.ctx, name); err != nil {
			return fmt.Errorf("the old backup %s was not removed: %w", place.Address(name), err)
		}
		fmt.Fprintf(p.stdout, "Removed the old backup %s.\n", place.Address(name))
	}
	removed, err := backup.PruneWAL(p.ctx, backup.WAL(place), slices.Collect(maps.Values(kept)), segment)
	if removed > 0 {
		fmt.Fprintf(p.stdout, "Removed %d segments of WAL that no backup needs.\n", removed)
	}
	if err != nil {
		return fmt.Errorf("WAL that no backup needs was not removed: %w", err)
	}
	return nil
}

// keepChain adds a backup of a place and those on which it rests to the kept ones. One that cannot be restored any more is told, is
// not whole, and keeps no other one.
func keepChain(p *program, place backup.Place, name string, kept map[string]*backup.Manifest) (whole bool, err error) {
	m, err := place.Read(p.ctx, name)
	if err != nil {
		return false, err
	}
	kept[name] = m
	chain, err := backup.Chain(p.ctx, place, name, m)
	if errors.Is(err, backup.ErrBrokenChain) {
		fmt.Fprintf(p.stderr, "WARNING: %v.\n", err)
		return false, nil
	}
	for _, link := range chain {
		kept[link.Name] = link.Manifest
	}
	return err == nil, err
}
