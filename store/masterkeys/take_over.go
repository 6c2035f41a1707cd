package masterkeys

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/jackc/pgx/v5"

	"levy/internal/failpoint"
	"levy/internal/secret"
	"levy/models"
	"levy/store/pg"
)

const (
	// rewrapSome is how many keys one step wraps again. Other processes wait for their rows for one step at most.
	rewrapSome = 100
	// resealSome is about how many seals one step seals again. They are read some at a time, and none is changed.
	resealSome = 500
	// lookEvery is how often a process looks whether something is left.
	lookEvery = 30 * time.Second
	// countEvery is the pause between two counts of the remaining records while there is work.
	countEvery = time.Minute
)

// TakeOver lets the newest master key take over what older ones wrapped and sealed. A process has one.
type TakeOver struct {
	store  *Store
	ring   *secret.Ring
	vault  *secret.Vault
	sealer *secret.Sealer

	after     string // the organization whose chain was sealed again last
	inPass    int64  // links that this pass over all chains has sealed again
	countedAt time.Time
	broken    map[string]string // chains that cannot be sealed again, and why
}

// NewTakeOver returns the work of a process with the keys of a ring.
func (s *Store) NewTakeOver(ring *secret.Ring) *TakeOver {
	return &TakeOver{store: s, ring: ring, vault: secret.NewVault(ring, nil), sealer: secret.NewSealer(ring),
		broken: map[string]string{}}
}

// Say records which key the process has in front, until ctx ends or the key is retired. That happens to a process that did
// not reach the database for InFront. It must end then, because what it seals could not be opened any more. Hence after a
// failure it tries again every second. Errors: ErrRetired.
func (t *TakeOver) Say(ctx context.Context) error {
	for failing := false; ; {
		err := t.touch(ctx)
		// guard: master keys: a process whose key was retired ends
		if errors.Is(err, ErrRetired) {
			return err
		}
		wait := touchEvery
		if err != nil {
			wait = touchAgain
			if !failing && ctx.Err() == nil {
				slog.WarnContext(ctx, "the current master key could not be recorded; it is tried again every second", "error", err.Error())
			}
		}
		failing = err != nil
		select {
		case <-ctx.Done():
			return nil
		case <-time.After(wait):
		}
	}
}

func (t *TakeOver) touch(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, touchWithin)
	defer cancel()
	return t.store.touch(ctx, t.ring)
}

// Keep makes steps until ctx ends. It rests after a step for as long as the step took. So it takes half of the time of one
// connection at most, and makes fewer steps while the database is busy.
func (t *TakeOver) Keep(ctx context.Context) {
	pg.Repeat(ctx, "taking over by the newest master key", lookEvery, func(ctx context.Context) (bool, error) {
		began := time.Now()
		more, err := t.Step(ctx)
		if more {
			select {
			case <-ctx.Done():
			case <-time.After(time.Since(began)):
			}
		}
		return more, err
	})
}

// Step wraps some keys of each kind again, and seals a part of one chain again; so a large organization delays others by
// one step. more reports that something was done. It may be interrupted and repeated at any point, while processes of this
// release or the one before write with the older key. A kind that fails does not keep the others.
func (t *TakeOver) Step(ctx context.Context) (more bool, err error) {
	ctx = models.AcrossOrganizations(ctx)
	if named, err := t.nameHashes(ctx); err != nil || named > 0 {
		return named > 0, err
	}
	work, err := t.due(ctx)
	if err != nil || !work {
		return false, err
	}
	var done int64
	var failed []error
	// With wrapping keys, levy keys rotate wraps: an operator says when, because backups depend on it.
	if t.ring.Wraps() {
		for _, kind := range t.store.kinds {
			n, err := t.rewrap(ctx, kind)
			done += int64(n)
			failed = append(failed, err)
		}
	}
	links, progress, err := t.reseal(ctx)
	done += links
	failed = append(failed, err)
	if done > 0 {
		_, err := t.store.db.Exec(ctx, "UPDATE master_keys SET sealed_again = sealed_again + $2 WHERE id = $1", t.ring.Current(), done)
		failed = append(failed, err)
	}
	more = done > 0 || progress
	if !more || time.Since(t.countedAt) > countEvery {
		failed = append(failed, t.count(ctx))
	}
	return more, errors.Join(failed...)
}

// due reports whether the process has the newest key in front, there are older ones, and something may be left. When all
// was taken over, only a process that has another key in front leaves something again.
func (t *TakeOver) due(ctx context.Context) (due bool, err error) {
	err = t.store.db.QueryRow(ctx, `
		SELECT n.id = $1 AND EXISTS (SELECT FROM master_keys o WHERE `+older+` AND NOT o.lost
		         AND (n.finished_at IS NULL OR o.in_front_at > n.counted_at - $2::interval))
		  FROM (SELECT * FROM master_keys WHERE `+newestKey+`) n`, t.ring.Current(), InFront).Scan(&due)
	if errors.Is(err, pgx.ErrNoRows) {
		return false, nil
	}
	return due, pg.Translate(err)
}

// rewrap wraps some keys of a kind again, unless another process does.
func (t *TakeOver) rewrap(ctx context.Context, kind pg.WrappedKeys) (n int, err error) {
	err = t.store.db.InTx(ctx, func(ctx context.Context) error {
		var mine bool
		if err := t.store.db.QueryRow(ctx, "SELECT "+pg.LockReseals.Try()).Scan(&mine); err != nil || !mine {
			return err
		}
		if n, err = t.vault.RotateSome(ctx, kind, rewrapSome); err != nil || n == 0 {
			return err
		}
		if err := t.store.NoteRewrapped(ctx, t.ring.Current()); err != nil {
			return err
		}
		return failpoint.Hit("before_rewrap_commit")
	})
	if err != nil {
		return 0, err
	}
	if n > 0 {
		err = failpoint.Hit("after_rewrap_commit")
	}
	return n, err
}

// NoteRewrapped records that a key has wrapped keys of others again: a file of saved keys from before has their old form.
func (s *Store) NoteRewrapped(ctx context.Context, id string) error {
	_, err := s.db.Exec(ctx, "UPDATE master_keys SET rewrapped_at = now() WHERE id = $1", id)
	return pg.Translate(err)
}

// reseal seals a part of the next chain again. progress reports that there may be more to seal: chains, or links of chains
// of which this pass has sealed a part. Chains that are broken begin no pass.
func (t *TakeOver) reseal(ctx context.Context) (links int64, progress bool, err error) {
	done, err := t.store.audit.Reseal(ctx, t.sealer, t.after, resealSome)
	if err != nil {
		return 0, false, err
	}
	t.after = done.OrganizationID
	if done.OrganizationID == "" { // the end of a pass
		progress, t.inPass = t.inPass > 0, 0
		return 0, progress, nil
	}
	t.inPass += done.Links
	if done.Broken != "" && t.broken[done.OrganizationID] != done.Broken {
		t.broken[done.OrganizationID] = done.Broken
		slog.ErrorContext(ctx, "an audit trail cannot be sealed again by the newest master key, see levy audit verify",
			"organization_id", done.OrganizationID, "broken", done.Broken)
	}
	return done.Links, true, nil
}

// count counts the remaining records.
func (t *TakeOver) count(ctx context.Context) error {
	t.countedAt = time.Now()
	return t.store.Count(ctx, t.ring.Current(), t.ring.Wraps())
}

// hashTables have hashes whose master key a release before has not written.
var hashTables = []string{"api_keys", "operator_keys", "recovery_codes"}

// nameHashes writes the master key of some hashes of which it is not known. That is possible only while the installation
// has a single key: what no key of the process opens works nowhere, and needs none.
func (t *TakeOver) nameHashes(ctx context.Context) (named int64, err error) {
	var single bool
	err = t.store.db.QueryRow(ctx, "SELECT count(*) = 1 AND min(id) = $1 FROM master_keys", t.ring.Current()).Scan(&single)
	// guard: master keys: a hash is named only where there was never another key
	if err != nil || !single {
		return 0, pg.Translate(err)
	}
	for _, table := range hashTables {
		done, err := t.store.db.Exec(ctx, fmt.Sprintf(`UPDATE %[1]s SET master_key_id = $1 WHERE ctid = ANY (ARRAY(
			SELECT ctid FROM %[1]s WHERE master_key_id IS NULL LIMIT $2 FOR NO KEY UPDATE SKIP LOCKED))`, table), t.ring.Current(),
			rewrapSome)
		if err != nil {
			return named, pg.Translate(err)
		}
		named += done.RowsAffected()
	}
	return named, nil
}

// Count counts what a key has not taken over. wraps says that it wraps data keys.
func (s *Store) Count(ctx context.Context, id string, wraps bool) error {
	ctx = models.AcrossOrganizations(ctx)
	left, err := s.audit.LeftToReseal(ctx, id)
	if err != nil {
		return err
	}
	if wraps {
		for _, kind := range s.kinds {
			n, err := kind.CountBefore(ctx, id)
			if err != nil {
				return err
			}
			left += n
		}
	}
	_, err = s.db.Exec(ctx, `UPDATE master_keys SET left_over = $2::bigint, counted_at = now(),
		  finished_at = CASE WHEN $2::bigint = 0 THEN coalesce(finished_at, now()) END WHERE id = $1`, id, left)
	return pg.Translate(err)
}

// Run returns how far the newest key is.
func (s *Store) Run(ctx context.Context) (run models.MasterKeyRun, err error) {
	err = s.db.QueryRow(ctx, `
		SELECT n.id::text, (SELECT count(*) FROM master_keys o WHERE `+older+` AND o.retired_at IS NULL), n.sealed_again,
		       coalesce(n.left_over, 0), n.finished_at
		  FROM (SELECT * FROM master_keys WHERE `+newestKey+`) n`).
		Scan(&run.Newest, &run.Older, &run.SealedAgain, &run.Left, &run.FinishedAt)
	if errors.Is(err, pgx.ErrNoRows) {
		return run, nil
	}
	return run, pg.Translate(err)
}

// ErrInFront means that a process still has the key in front.
var ErrInFront = errors.New("a process has it in front")

// Retire records that a key is not needed any more, or that it is lost with what needs it. No process starts with it in
// front from then on. Errors: models.ErrNotFound, ErrInFront.
func (s *Store) Retire(ctx context.Context, staff models.Actor, id string, lost bool) error {
	err := s.db.InTx(ctx, func(ctx context.Context) error {
		if lost { // perhaps no process of this release ever had it
			if _, err := s.db.Exec(ctx, "INSERT INTO master_keys (id) VALUES ($1) ON CONFLICT DO NOTHING", id); err != nil {
				return err
			}
		} else if _, err := s.Key(ctx, id); err != nil {
			return err
		}
		retired, err := s.db.Exec(ctx, `UPDATE master_keys SET retired_at = coalesce(retired_at, now()), lost = lost OR $2
			WHERE id = $1
			  /* guard: master keys: one in front is not retired */ AND (in_front_at IS NULL OR in_front_at <= now() - $3::interval)`,
			id, lost, InFront)
		if err != nil {
			return err
		}
		if retired.RowsAffected() == 0 {
			return ErrInFront
		}
		return pg.Audit(s.db.GORM(ctx), staff.Entry(models.Scope{OrganizationID: models.InstallationAudit}, models.AuditRetire,
			"master_key", id).With(map[string]any{"lost": lost}))
	})
	return pg.Translate(err)
}

// LookAgain makes the background look for remaining records, also if it has found none before.
func (s *Store) LookAgain(ctx context.Context) error {
	_, err := s.db.Exec(ctx, "UPDATE master_keys SET finished_at = NULL WHERE finished_at IS NOT NULL")
	return pg.Translate(err)
}

// RewrappedAt returns when keys were last wrapped again; nil for never.
func (s *Store) RewrappedAt(ctx context.Context) (at *time.Time, err error) {
	err = s.db.QueryRow(ctx, "SELECT max(rewrapped_at) FROM master_keys").Scan(&at)
	return at, pg.Translate(err)
}
