package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"levy/internal/backup"
	"levy/internal/local/postgres"
	"levy/store"
)

type restoreCmd struct {
	objectStore
	jsonFlag

	Backup string    `arg:"" optional:"" help:"Folder or s3://bucket/prefix of a backup, or of all: then it is the last one. Without it --keys changes the database of LEVY_DATABASE_URL, which another program restored."`
	Target string    `arg:"" optional:"" help:"The data folder of PostgreSQL that is to be made. It must not exist, the folder that it is in must."`
	WAL    string    `name:"wal" placeholder:"PLACE" help:"Folder or s3://bucket/prefix/wal that levy backup --wal or levy backup wal has filled: what was written after the backup is restored, too."`
	Keys   string    `name:"keys" type:"existingfile" placeholder:"FILE" help:"The wrapped keys that levy backup --keys or levy keys save wrote last: they replace those of the backup, and who was erased since is erased again."`
	Until  time.Time `name:"until" placeholder:"TIME" help:"With --wal: nothing is restored that was committed later, such as 2026-11-23T08:30:00Z."`
}

// Run makes a data folder and says what is in it. Without a backup it only brings the keys of a database up to date.
func (c restoreCmd) Run(p *program) error {
	if c.Backup == "" && c.Keys != "" && c.WAL == "" && c.Until.IsZero() {
		return tell(p, c.jsonFlag, c.keysOnly)
	}
	if c.Backup == "" || c.Target == "" {
		return errors.New("name a backup and the data folder that is to be made, or --keys alone for a database " +
			"that another program restored")
	}
	if !c.Until.IsZero() && c.WAL == "" {
		return errors.New("--until needs --wal: a backup alone is restored as it is")
	}
	chosen, err := c.chosen(p)
	if err != nil {
		return err
	}
	return tell(p, c.jsonFlag, func(p *program) (did *restoredTo, err error) {
		if c.Keys == "" {
			return c.restore(p, chosen, nil)
		}
		err = c.withKeys(p, func(keys *backup.Keys) error {
			did, err = c.restore(p, chosen, keys)
			return err
		})
		return did, err
	})
}

// withKeys reads the file of --keys, whose keys can be opened, while work runs.
func (c restoreCmd) withKeys(p *program, work func(*backup.Keys) error) (err error) {
	keys, err := backup.ReadKeys(c.Keys)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, keys.Close()) }()
	if err := tryKeys(p, keys); err != nil {
		return err
	}
	return work(keys)
}

// keysOnly brings the keys of a database up to date that another program restored, such as from a snapshot. No process may
// use it meanwhile: one that has read a key would go on with it.
func (c restoreCmd) keysOnly(p *program) (*restoredTo, error) {
	s, err := p.openStore(needDatabase)
	if err != nil {
		return nil, err
	}
	defer s.Close()
	if err := waitUnused(p, s); err != nil {
		return nil, err
	}
	if may, err := s.Integrity.MayRestoreKeys(p.ctx); err != nil || !may {
		return nil, cmp.Or(err, errMayNotRestoreKeys)
	}
	did := &restoredTo{KeysReplaced: true}
	contents, err := contentsOf(p.ctx, s)
	if err != nil {
		return nil, err
	}
	did.SchemaVersion, did.ContentVersion = contents.SchemaVersion, contents.ContentVersion
	if err := c.withKeys(p, func(keys *backup.Keys) error { return restoreKeys(p, s, keys, c.Keys) }); err != nil {
		return nil, err
	}
	needed, err := keysNeeded(p.ctx, s, nil)
	if err != nil {
		return nil, err
	}
	did.MasterKeys = listed(needed)
	sayKeysNeeded(p, needed)
	fmt.Fprintln(p.stdout, "The wrapped keys are up to date. Start the processes, and run levy check.")
	return did, nil
}

// waitUnused returns when no process of Levy is connected, or errStillInUse. Sessions of processes that were stopped end a
// moment later.
func waitUnused(p *program, s *store.Store) error {
	for range 10 {
		// guard: saved keys: a database that processes use is not changed under them
		if others, err := s.Integrity.InUse(p.ctx); err != nil || !others {
			return err
		}
		if err := p.wait(p.ctx, 300*time.Millisecond); err != nil {
			return err
		}
	}
	return errStillInUse
}

var (
	errStillInUse = errors.New("processes of Levy use the database: stop api and worker first, because a key that is destroyed " +
		"would stay in their memory, and what they write meanwhile might need it")
	errMayNotRestoreKeys = errors.New("the login of LEVY_DATABASE_URL may make no table for the keys: name the owner of the " +
		"tables, levy_owner, or a superuser")
)

// restoredTo is what was restored, for programs. Without a backup only the wrapped keys of a database were.
type restoredTo struct {
	Target         string     `json:"target,omitempty"`
	Backup         string     `json:"backup,omitempty"`
	Until          *time.Time `json:"restored_until"` // later commits are not there; null: not known
	SchemaVersion  int64      `json:"schema_version"`
	ContentVersion string     `json:"content_version"` // "": that of the program
	MasterKeys     []string   `json:"master_keys"`     // that it needs
	KeysReplaced   bool       `json:"wrapped_keys_replaced"`
}

// chosen is the backup that is restored.
func (c restoreCmd) chosen(p *program) (*chosenBackup, error) {
	chosen, err := c.choose(p, c.Backup)
	if err != nil {
		return nil, err
	}
	if began := chosen.manifest.BeganAt; !c.Until.IsZero() && c.Until.Before(began) {
		return nil, fmt.Errorf("the backup began at %s: take an earlier one to restore what was there before",
			began.Format(time.RFC3339))
	}
	return chosen, nil
}

// restore makes the data folder. keys replace those of the backup; nil where they stay.
func (c restoreCmd) restore(p *program, from *chosenBackup, keys *backup.Keys) (*restoredTo, error) {
	m := from.manifest
	target, err := filepath.Abs(c.Target)
	if err != nil {
		return nil, err
	}
	tools, err := postgres.FindTools(m.Major, filepath.Dir(target))
	if err != nil {
		return nil, err
	}
	of := backup.Restoring{Tools: tools, Unpack: from.unpack(p, tools), Manifest: m, Target: target, Until: c.Until}
	if c.WAL != "" {
		if of.WAL, err = c.wal(p, c.WAL); err != nil {
			return nil, err
		}
	}
	restored, err := backup.Restore(p.ctx, of)
	if err != nil {
		return nil, err
	}
	did := &restoredTo{Target: target, Backup: from.address(), KeysReplaced: keys != nil}
	if err := c.conclude(p, restored, m, keys, did); err != nil {
		return nil, errors.Join(err, restored.Discard(context.WithoutCancel(p.ctx)))
	}
	if keys == nil {
		fmt.Fprintln(p.stderr, "WARNING: without --keys the wrapped keys are those of the backup, "+
			"and who was erased since is back: levy erase says how to erase.")
	}
	fmt.Fprintf(p.stdout, "%s is ready. Start PostgreSQL on it, then the processes, and run levy check.\n", target)
	return did, nil
}

// conclude says what was restored, and in did, and gives it its place.
func (c restoreCmd) conclude(
	p *program, restored *backup.Restored, m *backup.Manifest, keys *backup.Keys, did *restoredTo,
) error {
	contents, needed, err := c.inspect(p, restored, m, keys)
	if err != nil {
		return err
	}
	last, err := restored.LastTransaction()
	if err != nil {
		return err
	}
	if err := restored.Commit(p.ctx); err != nil {
		return err
	}
	until := m.BeganAt // transactions committed during the backup may be there, too
	if last.After(until) {
		until = last
	}
	did.Until, did.SchemaVersion, did.ContentVersion = &until, contents.SchemaVersion, contents.ContentVersion
	fmt.Fprintf(p.stdout, "Restored what was committed until %s (schema %d, tax content %s).\n",
		until.Format(time.RFC3339Nano), contents.SchemaVersion, cmp.Or(contents.ContentVersion, "of the program"))
	did.MasterKeys = listed(needed)
	sayKeysNeeded(p, needed)
	fmt.Fprintln(p.stdout, "What was accepted later is gone: clients that send it again with the same keys lose nothing "+
		"and sell nothing twice.")
	return nil
}

// sayKeysNeeded says which master and wrapping keys the processes on a restored database must have.
func sayKeysNeeded(p *program, ids []string) {
	if len(ids) > 0 {
		fmt.Fprintf(p.stdout, "It needs the master and wrapping keys with these ids: %s.\n", strings.Join(ids, ", "))
	}
}

// keysNeeded returns the ids of the keys that a restored database needs. noted are those that its backup needed: other keys
// may wrap what a file of saved keys has replaced. In the schema of a release before, which has no list of keys, they are added.
func keysNeeded(ctx context.Context, s *store.Store, noted []string) ([]string, error) {
	if s.CheckMigrated(ctx) == nil {
		return s.MasterKeys.Used(ctx)
	}
	wrapping, err := s.Integrity.MasterKeys(ctx)
	return slices.Compact(slices.Sorted(slices.Values(append(wrapping, noted...)))), err
}

// inspect says what was restored, brings its keys up to date, and returns the ids of those that it needs.
func (c restoreCmd) inspect(
	p *program, restored *backup.Restored, m *backup.Manifest, keys *backup.Keys,
) (backup.Contents, []string, error) {
	s, err := openRestored(p.ctx, restored, m)
	if err != nil {
		return backup.Contents{}, nil, err
	}
	defer s.Close()
	contents, err := contentsOf(p.ctx, s)
	if err != nil || keys == nil {
		return contents, m.MasterKeys, err
	}
	// The login of the service may make no table, not even a temporary one.
	as := *m
	if as.Login, err = s.Superuser(p.ctx); err != nil {
		return contents, nil, err
	}
	whole, err := openRestored(p.ctx, restored, &as)
	if err != nil {
		return contents, nil, err
	}
	defer whole.Close()
	if err := restoreKeys(p, whole, keys, c.Keys); err != nil {
		return contents, nil, err
	}
	needed, err := keysNeeded(p.ctx, whole, m.MasterKeys)
	return contents, needed, err
}
