package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"levy/internal/backup"
	"levy/internal/local/postgres"
	"levy/store/pg"
)

// fullSlack is how much earlier a full backup is taken than --full-every says, so that one of a timer is taken on the day itself.
const fullSlack = time.Hour

// errNotABackup says that what was taken cannot be restored, or is not what was read.
var errNotABackup = errors.New("the backup is not one")

// knownBackup reports whether the database knows a backup by the time at which it began and its end in the WAL.
type knownBackup func(ctx context.Context, beganAt time.Time, endLSN string) (bool, error)

// base returns the backup on which the next one is to rest. It is nil for a full one, and says why.
func (c takeBackupCmd) base(
	p *program, place backup.Place, knows knownBackup, tools *postgres.Tools, facts pg.Server, now time.Time,
) (*backup.Base, error) {
	if !c.Incremental {
		return nil, nil
	}
	if why := c.mustBeFull(tools, facts); why != "" {
		fmt.Fprintf(p.stderr, "WARNING: %s. A full backup is taken.\n", why)
		return nil, nil
	}
	names, _, err := place.Names(p.ctx)
	if err != nil {
		return nil, err
	}
	for _, name := range slices.Backward(names) {
		if _, err := backup.BeganAt(name); err != nil {
			continue // it was given another name, under which no backup rests on it
		}
		m, err := place.Read(p.ctx, name)
		if err != nil {
			return nil, fullInstead(p, fmt.Errorf("%s cannot be read: %w", place.Address(name), err))
		}
		if !m.Ended() { // it may be removed as one that was never verified
			continue
		}
		if m.Archive == nil || m.Major != facts.Major {
			fmt.Fprintf(p.stdout, "%s is of another release. A full backup is taken.\n", place.Address(name))
			return nil, nil
		}
		// A server that was put back to an earlier copy of its disk writes other changes at the same places of its WAL.
		known, err := knows(p.ctx, m.BeganAt, m.EndLSN)
		if err != nil {
			return nil, err
		}
		if !known {
			fmt.Fprintf(p.stdout, "The database does not know %s, as after a restore. A full backup is taken.\n", place.Address(name))
			return nil, nil
		}
		return c.onto(p, place, backup.Link{Name: name, Manifest: m}, now)
	}
	fmt.Fprintln(p.stdout, "There is no backup yet to rest on. A full one is taken.")
	return nil, nil
}

// fullInstead warns of an error of what is there, in place of which a full backup is taken. It returns the error of a command that ends.
func fullInstead(p *program, err error) error {
	if p.ctx.Err() != nil {
		return err
	}
	fmt.Fprintf(p.stderr, "WARNING: %v. A full backup is taken.\n", err)
	return nil
}

// mustBeFull says why no incremental backup can be taken; "" where it can.
func (c takeBackupCmd) mustBeFull(tools *postgres.Tools, facts pg.Server) string {
	switch {
	case facts.Major < 17:
		return fmt.Sprintf("PostgreSQL %d takes no incremental backups, as 17 does: keep its WAL between full ones, with levy backup --wal",
			facts.Major)
	case !facts.SummarizesWAL:
		return "PostgreSQL takes incremental backups only while its setting summarize_wal is on"
	case !c.NoVerify && !tools.Has(backup.CombineProgram):
		return "an incremental backup could not be verified, because " + backup.CombineProgram +
			" is not beside the other programs of PostgreSQL"
	}
	return ""
}

// onto returns the newest backup of a place as a base, unless a full one is due.
func (c takeBackupCmd) onto(p *program, place backup.Place, newest backup.Link, now time.Time) (*backup.Base, error) {
	chain, err := backup.Chain(p.ctx, place, newest.Name, newest.Manifest)
	if err != nil {
		return nil, fullInstead(p, err)
	}
	if began := chain[0].Manifest.BeganAt; now.Sub(began) >= c.FullEvery-fullSlack {
		fmt.Fprintf(p.stdout, "The last full backup is of %s. A full one is taken.\n", began.Format(time.RFC3339))
		return nil, nil
	}
	// A backup has the name of the second in which it began, so the next one begins in a later one.
	if rest := newest.Manifest.BeganAt.Add(time.Second).Sub(now); rest > 0 && rest <= time.Second {
		if err := p.wait(p.ctx, rest); err != nil {
			return nil, err
		}
	}
	return &backup.Base{Name: newest.Name, SHA256: newest.Manifest.Archive.SHA256}, nil
}
