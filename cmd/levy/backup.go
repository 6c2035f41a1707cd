package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"time"

	"levy/internal/backup"
	"levy/internal/local/postgres"
	"levy/internal/progress"
	"levy/models"
	"levy/store"
	"levy/store/integrity"
	"levy/store/pg"
)

// backupCmd takes a backup if no other of its commands is named.
type backupCmd struct {
	Take takeBackupCmd `cmd:"" default:"withargs" help:"Take a base backup of PostgreSQL and verify it by restoring it, or keep its WAL. The word take may be left out."`
	WAL  walBackupCmd  `cmd:"" name:"wal" help:"Keep one file of WAL, compressed: for archive_command of PostgreSQL, as in archive_command = 'levy backup wal /backups %p'."`
	Note noteBackupCmd `cmd:"" help:"Record a backup that another program took, such as a snapshot or one of pgBackRest or WAL-G: the alarm of missing backups, levy status and levy check count it."`
}

type takeBackupCmd struct {
	keysFolder
	objectStore
	jsonFlag

	Folder         string        `arg:"" help:"Where backups are kept, each under the name of its time: a folder, or s3://bucket/prefix of an object store, to which they are sent compressed, without a copy on a disk here."`
	Keep           int           `name:"keep" placeholder:"COUNT" help:"Remove older backups there once this one is whole, so that so many remain with it."`
	Every          time.Duration `placeholder:"TIME" help:"Take a backup again and again, so far apart, such as 24h, until the process is told to end. The first one is due when the last one there is as old; one that fails is tried again after an hour."`
	Incremental    bool          `help:"Take what has changed since the last backup there, on which this one then rests. PostgreSQL 17 can, with summarize_wal on. Where it cannot, and where there is none yet, a full backup is taken, and the command says why."`
	FullEvery      time.Duration `placeholder:"TIME" default:"168h" help:"With --incremental: how old the last full backup may be, until a full one is taken again. A restore needs it and all that were taken since."`
	WAL            bool          `name:"wal" help:"Take no backup, but keep what PostgreSQL writes into its WAL under wal there until the command is stopped: what is accepted after a backup can be restored, too. A folder has it as it is written, an object store within a minute."`
	NoVerify       bool          `name:"no-verify" help:"Do not start a server on a copy of the backup, such as when there is no space for one; its manifest says so. Its files are compared with their checksums all the same."`
	Scratch        string        `name:"scratch" type:"existingdir" placeholder:"FOLDER" help:"Where the copy is made; the user of PostgreSQL must be able to enter it. Default: the folder for temporary files."`
	ReplicationURL Secret        `name:"replication-url" var:"LEVY_REPLICATION_URL" placeholder:"postgres://..." help:"PostgreSQL as a user who may replicate, if that of LEVY_DATABASE_URL may not."`
}

// errDefects makes a command end with exit code 1 after it printed what is wrong.
var errDefects = errors.New("the records are not whole")

// backedUp is a backup that was taken, for programs.
type backedUp struct {
	Place string `json:"place"`
	*backup.Manifest

	// Keys are null where the wrapped keys are saved nowhere apart from backups.
	Keys *models.SavedKeys `json:"wrapped_keys"`
}

// Run takes a backup, once or again and again, or keeps the WAL.
func (c takeBackupCmd) Run(p *program) error {
	if err := c.check(); err != nil {
		return err
	}
	place, err := c.place(p, c.Folder)
	if err != nil {
		return err
	}
	if c.Keys != "" && !backup.InBucket(c.Folder) {
		if err := backup.Apart(c.Keys, c.Folder); err != nil {
			return err
		}
	}
	if c.Every == 0 {
		return c.once(p, place)
	}
	for p.waited(c.dueIn(p.ctx, place, time.Now())) {
		err := c.once(p, place)
		if err == nil || p.ctx.Err() != nil {
			continue
		}
		fmt.Fprintf(p.stderr, "%v\nThe next try is in %s.\n", err, inWords(retryBackup))
		p.waited(retryBackup)
	}
	return nil // it was told to end
}

// retryBackup is how long after a failed backup the next one is tried, where they are taken again and again.
const retryBackup = time.Hour

// check returns what is wrong with the command line.
func (c takeBackupCmd) check() error {
	switch {
	case c.JSON && c.WAL:
		return errors.New("--json has nothing to print with --wal")
	case c.Keep < 0:
		return errors.New("--keep must be one or more")
	case c.Every < 0 || c.Every > 0 && c.Every < time.Hour:
		return errors.New("--every must be one hour or more")
	case c.Incremental && c.FullEvery < 2*fullSlack:
		return errors.New("--full-every must be two hours or more")
	case c.Incremental && c.WAL:
		return errors.New("--wal takes no backup: --incremental is for backups")
	case c.Every > 0 && c.WAL:
		return errors.New("--wal never ends by itself: --every is for backups")
	}
	return nil
}

// dueIn returns how long it is until the last backup of the place is as old as --every says. A process that is started anew takes no
// backup earlier for that. One whose verification was killed failed, and is tried again after an hour. A place that
// cannot be read is due: the backup says what is wrong with it.
func (c takeBackupCmd) dueIn(ctx context.Context, place backup.Place, now time.Time) time.Duration {
	names, _, err := place.Names(ctx)
	if err != nil {
		return 0
	}
	for _, name := range slices.Backward(names) {
		last, err := backup.BeganAt(name)
		if err != nil {
			continue // it was given another name, which says nothing
		}
		every := c.Every
		if m, err := place.Read(ctx, name); err == nil && !m.Ended() {
			every = min(every, retryBackup)
		}
		return max(0, last.Add(every).Sub(now))
	}
	return 0
}

// once takes a backup, or keeps the WAL until the command is stopped.
func (c takeBackupCmd) once(p *program, place backup.Place) error {
	s, err := p.openMigrated(needDatabase)
	if err != nil {
		return err
	}
	defer s.Close()
	facts, err := s.Server(p.ctx)
	if err != nil {
		return err
	}
	if err := canBeTaken(facts); err != nil {
		return err
	}
	tools, err := postgres.FindTools(facts.Major, "")
	if err != nil {
		return err
	}
	server := backup.Server{URL: cmp.Or(c.ReplicationURL, p.config.DatabaseURL).Reveal(), Tools: tools}
	if c.WAL {
		return keepWAL(p, server, place, facts.WALSegment)
	}
	return tell(p, c.jsonFlag, func(p *program) (*backedUp, error) {
		taken, err := c.take(p, s, place, server, facts)
		if err != nil {
			return taken, err // a backup that was taken is told, also where something failed after it
		}
		if c.Keys != "" {
			taken.Keys, err = saveKeys(p, s, c.Keys)
			return taken, err
		}
		saved, err := s.Integrity.KeysSaved(p.ctx) // such as by levy keys save --every
		if err == nil && saved.Last == nil {
			fmt.Fprintf(p.stderr, "WARNING: %v.\n", errNoKeysFolder)
		}
		return taken, err
	})
}

// keepWAL keeps the WAL beside the backups of a place until the command is stopped.
func keepWAL(p *program, server backup.Server, place backup.Place, segment int64) error {
	archive := backup.WAL(place)
	fmt.Fprintf(p.stdout, "Keeping the WAL in %s until this is stopped.\n", archive.Address())
	if folder, is := archive.(backup.WALFolder); is {
		return server.KeepWAL(p.ctx, string(folder), func(err error) {
			fmt.Fprintf(p.stderr, "WARNING: a segment of WAL is not compressed yet: %v.\n", err)
		})
	}
	return server.SendWAL(p.ctx, archive, segment, func(err error) {
		fmt.Fprintf(p.stderr, "WARNING: the WAL is not kept at the moment, and is tried again: %v.\n", err)
	})
}

// canBeTaken says why no backup is taken of a server; nil where it can be.
func canBeTaken(of pg.Server) error {
	switch {
	case of.Recovering:
		return errors.New("LEVY_DATABASE_URL leads to a standby: take the backup of the primary")
	case of.Tablespaces > 0:
		return errors.New("the server has tablespaces of its own, with which levy backup cannot deal: use pg_basebackup")
	}
	return nil
}

// take takes a backup, a full one where an incremental one fails for what it rests on. It is nil if there is none.
func (c takeBackupCmd) take(
	p *program, s *store.Store, place backup.Place, server backup.Server, facts pg.Server,
) (*backedUp, error) {
	base, err := c.base(p, place, s.Integrity.HasBackup, server.Tools, facts, time.Now())
	if err != nil {
		return nil, err
	}
	taken, err := c.takeOnto(p, s, place, server, facts, base)
	if base == nil || p.ctx.Err() != nil || !errors.Is(err, backup.ErrNoIncrement) && !errors.Is(err, errNotABackup) {
		return taken, err
	}
	fmt.Fprintf(p.stderr, "WARNING: %v. A full backup is taken.\n", err)
	return c.takeOnto(p, s, place, server, facts, nil)
}

// takeOnto takes a backup that rests on another one, or on none. It is nil if there is none.
func (c takeBackupCmd) takeOnto(
	p *program, s *store.Store, place backup.Place, server backup.Server, facts pg.Server, base *backup.Base,
) (*backedUp, error) {
	m := &backup.Manifest{
		MadeBy: "levy " + version, BeganAt: time.Now().UTC(), PostgreSQL: facts.Version, Major: facts.Major,
		Database: facts.Database, Login: facts.Login, Contents: backup.Contents{SchemaVersion: facts.SchemaVersion},
		NotVerified: "skipped by --no-verify", Base: base,
	}
	var err error
	if m.Contents.ContentVersion, err = s.Content.ActiveContent(p.ctx); err != nil {
		return nil, err
	}
	if m.MasterKeys, err = s.MasterKeys.Used(p.ctx); err != nil {
		return nil, err
	}
	estimate := facts.Bytes
	if base != nil {
		estimate = 0 // how much has changed is not known
	}
	chosen, err := c.receive(p, place, server, m, estimate)
	if err != nil {
		return nil, err
	}
	address := chosen.address()
	fmt.Fprintf(p.stdout, "%s has everything that was committed before %s (%s, up to %s of the WAL).\n",
		address, m.BeganAt.Format(time.RFC3339), inBytes(m.Bytes), m.EndLSN)
	if base != nil {
		fmt.Fprintf(p.stdout, "It is incremental, and rests on %s.\n", place.Address(base.Name))
	}
	var found []integrity.Violation
	if c.NoVerify {
		err = chosen.compareLast(p, server.Tools)
	} else {
		found, err = c.verify(p, server.Tools, chosen)
	}
	if err != nil && p.ctx.Err() != nil {
		return nil, fmt.Errorf("%s is there, and not verified: %w", address, err)
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("%w: %w", errNotABackup, err),
			place.Remove(context.WithoutCancel(p.ctx), chosen.name))
	}
	if err := place.Write(p.ctx, chosen.name, m); err != nil {
		return nil, err
	}
	taken := &backedUp{Place: address, Manifest: m}
	if err := s.Integrity.NoteBackup(p.ctx, staff(), models.Backup{
		Kind: models.BackupOfLevy, Compared: true,
		BeganAt: m.BeganAt, EndedAt: m.EndedAt, Place: address, EndLSN: m.EndLSN, Bytes: m.Bytes,
		SchemaVersion: m.Contents.SchemaVersion, ContentVersion: m.Contents.ContentVersion, Verified: m.VerifiedAt != nil,
	}); err != nil {
		return taken, fmt.Errorf("the backup was taken, but not written down in the database: %w", err)
	}
	if len(found) > 0 {
		return taken, fmt.Errorf("%w, and neither are they in the backup: levy check says more", errDefects)
	}
	if c.Keep > 0 {
		return taken, prune(p, place, c.Keep, facts.WALSegment)
	}
	return taken, nil
}

// receive takes the base backup, and names the unfinished ones that were removed.
func (c takeBackupCmd) receive(
	p *program, place backup.Place, server backup.Server, m *backup.Manifest, estimate int64,
) (*chosenBackup, error) {
	shown := progress.Begin(p.progressTo, "Taking the backup", progress.Bytes, estimate)
	defer shown.End()
	server.Sent = func(n int) { shown.Add(int64(n)) }
	name, removed, err := place.Take(p.ctx, server, m)
	for _, half := range removed {
		fmt.Fprintf(p.stdout, "Removed the unfinished backup %s of an earlier run.\n", place.Address(half))
	}
	if err != nil {
		return nil, err
	}
	return &chosenBackup{place, name, m}, nil
}

// verify restores a backup elsewhere, starts a server on it and checks its records.
func (c takeBackupCmd) verify(
	p *program, tools *postgres.Tools, of *chosenBackup,
) (found []integrity.Violation, err error) {
	dir, err := os.MkdirTemp(c.Scratch, "levy-verify-*")
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	if err := os.Chmod(dir, 0o711); err != nil { // the user of PostgreSQL passes through
		return nil, err
	}
	m := of.manifest
	restored, err := backup.Restore(p.ctx, backup.Restoring{
		Tools: tools, Unpack: of.unpack(p, tools), Manifest: m, Target: filepath.Join(dir, "data"), Fleeting: true,
	})
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, restored.Discard(context.WithoutCancel(p.ctx))) }()
	s, err := openRestored(p.ctx, restored, m)
	if err != nil {
		return nil, err
	}
	defer s.Close()
	if m.Contents, err = contentsOf(p.ctx, s); err != nil {
		return nil, err
	}
	rules, found, err := checkRules(p, s, "")
	if err != nil {
		return nil, err
	}
	if len(found) > 0 {
		m.NotVerified = "its records are not whole, as they were not in the database"
		return found, printViolations(p.stdout, found)
	}
	now := time.Now().UTC()
	m.VerifiedAt, m.NotVerified = &now, ""
	fmt.Fprintf(p.stdout, "Verified: a server was started on a copy, and all %d rules hold of its records.\n", rules)
	return nil, nil
}

func openRestored(ctx context.Context, restored *backup.Restored, m *backup.Manifest) (*store.Store, error) {
	return store.Open(ctx, store.Options{URL: restored.URL(m.Login, m.Database), MaxConnections: 2})
}

// contentsOf says what a cluster holds.
func contentsOf(ctx context.Context, s *store.Store) (backup.Contents, error) {
	facts, err := s.Server(ctx)
	if err != nil {
		return backup.Contents{}, err
	}
	active, err := s.Content.ActiveContent(ctx)
	return backup.Contents{SchemaVersion: facts.SchemaVersion, ContentVersion: active}, err
}
