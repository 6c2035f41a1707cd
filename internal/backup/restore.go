package backup

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"time"

	"levy/internal/local/postgres"
)

// Restoring names the backup to restore, and the folder for it.
type Restoring struct {
	Tools    *postgres.Tools
	Unpack   func(ctx context.Context, to string) error // makes a folder with the cluster of the backup
	Manifest *Manifest
	Target   string     // the data folder to be made; its parent exists
	WAL      WALArchive // nil: no more than the backup
	Until    time.Time  // how far the WAL is followed; zero: to its end
	// Fleeting ones need not survive a power cut: they are to be discarded.
	Fleeting bool
}

// Restore makes the data folder and starts a private server on it, which has recovered when Restore
// returns. Commit or Discard ends it.
func Restore(ctx context.Context, r Restoring) (_ *Restored, err error) {
	half := r.Target + unfinished
	if _, err := os.Lstat(r.Target); err == nil {
		return nil, fmt.Errorf("%s exists: move it away first, what it holds would be gone", r.Target)
	}
	if err := errors.Join(os.RemoveAll(half), os.RemoveAll(half+partsEnd)); err != nil {
		return nil, err
	}
	done := &Restored{target: r.Target, half: half}
	defer func() {
		if err != nil {
			_ = done.Discard(context.WithoutCancel(ctx))
		}
	}()
	if err := r.Unpack(ctx, half); err != nil {
		return nil, err
	}
	if r.WAL != nil {
		if err := addWAL(ctx, r.WAL, half, r.Manifest); err != nil {
			return nil, err
		}
	}
	// All WAL there is lies in pg_wal; what is missing there is nowhere. Recovery ends with a timeline
	// of its own: what the cluster writes from then on is never taken for what the lost one wrote.
	settings := []string{"restore_command=false", "recovery_target_timeline=latest"}
	if r.Fleeting {
		settings = append(settings, "fsync=off", "full_page_writes=off")
	}
	if !r.Until.IsZero() {
		settings = append(settings, "recovery_target_action=promote",
			"recovery_target_time="+r.Until.UTC().Format("2006-01-02 15:04:05.999999+00"))
	}
	if err := os.WriteFile(filepath.Join(half, "recovery.signal"), nil, 0o600); err != nil {
		return nil, err
	}
	if err := r.Tools.Own(half); err != nil {
		return nil, err
	}
	done.server, err = r.Tools.ServePrivately(ctx, half, r.Manifest.Login, r.Manifest.Database, settings...)
	if err != nil {
		return nil, fmt.Errorf("the backup was copied, and does not start: %w", err)
	}
	return done, nil
}

// Restored is a cluster that was restored, with a private server on it.
type Restored struct {
	target, half string
	server       *postgres.PrivateServer
}

// URL is the address of a database of it.
func (r *Restored) URL(login, database string) string { return r.server.URL(login, database) }

var lastTransaction = regexp.MustCompile(`last completed transaction was at log time ([-0-9]+ [:0-9.]+)`)

// LastTransaction is when the last transaction was committed that came from the WAL; the zero time for
// none.
func (r *Restored) LastTransaction() (time.Time, error) {
	log, err := r.server.Log()
	if err != nil {
		return time.Time{}, err
	}
	found := lastTransaction.FindStringSubmatch(log)
	if found == nil {
		return time.Time{}, nil
	}
	return time.Parse("2006-01-02 15:04:05.999999", found[1]) // the server's clock says UTC
}

// Commit stops the server and gives the data folder its name.
func (r *Restored) Commit(ctx context.Context) error {
	if err := r.server.Stop(ctx); err != nil {
		return err
	}
	r.server = nil
	if err := os.Rename(r.half, r.target); err != nil {
		return err
	}
	return syncFolder(filepath.Dir(r.target))
}

// Discard stops the server and removes the restored folder, unless that was committed.
func (r *Restored) Discard(ctx context.Context) error {
	var err error
	if r.server != nil {
		err = r.server.Stop(ctx)
	}
	return errors.Join(err, os.RemoveAll(r.half))
}
