package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"levy/internal/backup"
	"levy/internal/local/postgres"
)

type restoreCmd struct {
	objectStore
	jsonFlag

	Backup string    `arg:"" help:"Folder or s3://bucket/prefix of a backup, or of all: then it is the last one."`
	Target string    `arg:"" help:"The data folder of PostgreSQL that is to be made. It must not exist, the folder that it is in must."`
	WAL    string    `name:"wal" type:"existingdir" placeholder:"FOLDER" help:"Folder that levy backup --wal has filled: what was written after the backup is restored, too."`
	Keys   string    `name:"keys" type:"existingfile" placeholder:"FILE" help:"The wrapped keys that levy backup --keys or levy keys save wrote last: they replace those of the backup, and who was erased since is erased again."`
	Until  time.Time `name:"until" placeholder:"TIME" help:"With --wal: nothing is restored that was committed later, such as 2026-11-23T08:30:00Z."`
}

// Run makes a data folder and says what is in it.
func (c restoreCmd) Run(p *program) error {
	if !c.Until.IsZero() && c.WAL == "" {
		return errors.New("--until needs --wal: a backup alone is restored as it is")
	}
	chosen, err := c.chosen(p)
	if err != nil {
		return err
	}
	return tell(p, c.jsonFlag, func(p *program) (*restoredTo, error) {
		if c.Keys == "" {
			return c.restore(p, chosen, nil)
		}
		keys, err := backup.ReadKeys(c.Keys)
		if err != nil {
			return nil, err
		}
		defer keys.Close()
		if err := tryKeys(p, keys); err != nil {
			return nil, err
		}
		return c.restore(p, chosen, keys)
	})
}

// restoredTo is what was restored, for programs.
type restoredTo struct {
	Target         string    `json:"target"`
	Backup         string    `json:"backup"`
	Until          time.Time `json:"restored_until"` // later commits are not there
	SchemaVersion  int64     `json:"schema_version"`
	ContentVersion string    `json:"content_version"` // "": that of the program
	MasterKeys     []string  `json:"master_keys"`     // that it needs
	KeysReplaced   bool      `json:"wrapped_keys_replaced"`
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
	restored, err := backup.Restore(p.ctx, backup.Restoring{
		Tools: tools, Unpack: from.unpack(tools), Manifest: m, Target: target, WAL: c.WAL, Until: c.Until,
	})
	if err != nil {
		return nil, err
	}
	did := &restoredTo{Target: target, Backup: from.address(), MasterKeys: listed(m.MasterKeys), KeysReplaced: keys != nil}
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
	contents, err := c.inspect(p, restored, m, keys)
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
	did.Until, did.SchemaVersion, did.ContentVersion = until, contents.SchemaVersion, contents.ContentVersion
	fmt.Fprintf(p.stdout, "Restored what was committed until %s (schema %d, tax content %s).\n",
		until.Format(time.RFC3339Nano), contents.SchemaVersion, cmp.Or(contents.ContentVersion, "of the program"))
	if len(m.MasterKeys) > 0 {
		fmt.Fprintf(p.stdout, "It needs the master and wrapping keys with these ids: %s.\n", strings.Join(m.MasterKeys, ", "))
	}
	fmt.Fprintln(p.stdout, "What was accepted later is gone: clients that send it again with the same keys lose nothing "+
		"and sell nothing twice.")
	return nil
}

// inspect says what was restored, and brings its keys up to date.
func (c restoreCmd) inspect(
	p *program, restored *backup.Restored, m *backup.Manifest, keys *backup.Keys,
) (backup.Contents, error) {
	s, err := openRestored(p.ctx, restored, m)
	if err != nil {
		return backup.Contents{}, err
	}
	defer s.Close()
	contents, err := contentsOf(p.ctx, s)
	if err != nil || keys == nil {
		return contents, err
	}
	// The login of the service may make no table, not even a temporary one.
	as := *m
	if as.Login, err = s.Superuser(p.ctx); err != nil {
		return contents, err
	}
	whole, err := openRestored(p.ctx, restored, &as)
	if err != nil {
		return contents, err
	}
	defer whole.Close()
	return contents, restoreKeys(p, whole, keys, c.Keys)
}
