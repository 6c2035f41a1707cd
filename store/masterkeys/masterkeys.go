// Package masterkeys knows which master keys an installation has had, and what needs each of them. It lets the newest one
// take over what older ones have wrapped and sealed.
//
// Hashes of API keys, operator keys and recovery codes are made of texts that the database does not have. A key gets its
// new hash when it is used; a code when it is replaced.
package masterkeys

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"levy/internal/secret"
	"levy/models"
	"levy/store/audit"
	"levy/store/pg"
)

// Store knows the master keys of an installation. None of its methods has a scope: the keys belong to the installation.
type Store struct {
	db    *pg.DB
	audit *audit.Store
	kinds []pg.WrappedKeys
}

// New returns the store on a database. kinds are the tables of wrapped keys.
func New(db *pg.DB, audit *audit.Store, kinds ...pg.WrappedKeys) *Store {
	return &Store{db, audit, kinds}
}

// Errors of starting with master keys.
var (
	// ErrMissing means that stored values need a master key that is not there.
	ErrMissing = errors.New("LEVY_MASTER_KEYS and LEVY_WRAPPING_KEYS lack keys that stored values need")
	// ErrRetired means that the current master key was retired.
	ErrRetired = errors.New("the first key of LEVY_MASTER_KEYS was retired: put another one in front")
	// ErrOther means that a key is not the one that had its id before.
	ErrOther = errors.New("it is not the key that this database knows by that id")
)

// Check refuses master keys with which the installation cannot work. Errors: ErrMissing with the keys and what needs them,
// ErrRetired, ErrOther.
func (s *Store) Check(ctx context.Context, ring *secret.Ring) error {
	known, err := s.fingerprints(ctx)
	if err != nil {
		return err
	}
	for _, key := range ring.Fingerprints() {
		was := known[key.ID]
		// guard: master keys: a key with the id of another one is refused
		if was != nil && !bytes.Equal(was, key.Bytes) {
			return fmt.Errorf("master key %s: %w", key.ID, ErrOther)
		}
	}
	var retired bool
	err = s.db.QueryRow(ctx, "SELECT EXISTS (SELECT FROM master_keys WHERE id = $1 AND retired_at IS NOT NULL)",
		ring.Current()).Scan(&retired)
	if err != nil {
		return pg.Translate(err)
	}
	// guard: master keys: a retired one makes nothing new
	if retired {
		return fmt.Errorf("%w: %s", ErrRetired, ring.Current())
	}
	return s.checkNeeded(ctx, ring)
}

func (s *Store) fingerprints(ctx context.Context) (map[string][]byte, error) {
	rows, err := s.db.Query(ctx, "SELECT id::text, fingerprint FROM master_keys")
	known := map[string][]byte{}
	var id string
	var fingerprint []byte
	err = pg.ForEach(rows, err, []any{&id, &fingerprint}, func() error {
		known[id], fingerprint = fingerprint, nil
		return nil
	})
	return known, err
}

// needed selects the keys that stored values need in order to be read or compared, with the kinds of values. $1 are the
// keys that unwrap, and $2 those that hash. Documents are counted up to a limit, and only for keys that are missing. Seals of
// the audit trail are not among them: an installation works without the key of a seal, and levy audit verify names it.
const (
	needed = `
	SELECT n.id, string_agg(n.number || ' ' || n.what, ', ' ORDER BY n.what) FROM (
	  SELECT master_key_id::text AS id, count(*) AS number, 'API keys' AS what FROM api_keys
	   WHERE master_key_id <> ALL ($2::text[]) AND ` + active + ` GROUP BY 1
	   UNION ALL SELECT master_key_id, count(*), 'data keys' FROM data_keys WHERE master_key_id <> ALL ($1::text[]) GROUP BY 1
	   UNION ALL SELECT d.id, (SELECT count(*) FROM (
	     SELECT FROM exemption_attachments a WHERE a.master_key_id = d.id LIMIT 10000) a), 'keys of documents'
	      FROM ` + pg.MasterKeysOfDocuments + ` d WHERE d.id <> ALL ($1::text[])
	   UNION ALL SELECT master_key_id, count(*), 'keys of the installation' FROM installation_keys
	   WHERE master_key_id <> ALL ($1::text[]) GROUP BY 1` + noneLost

	// neededToSignIn selects the keys of those values that workers do not read.
	neededToSignIn = `
	SELECT n.id, string_agg(n.number || ' ' || n.what, ', ' ORDER BY n.what) FROM (
	  SELECT master_key_id::text AS id, count(*) AS number, 'keys of second factors' AS what FROM second_factors
	   WHERE master_key_id <> ALL ($1::text[]) GROUP BY 1
	   UNION ALL SELECT master_key_id, count(*), 'operator keys' FROM operator_keys
	   WHERE master_key_id <> ALL ($2::text[]) AND ` + active + ` GROUP BY 1
	   UNION ALL SELECT master_key_id, count(*), 'recovery codes' FROM recovery_codes
	   WHERE master_key_id <> ALL ($2::text[]) AND used_at IS NULL GROUP BY 1` + noneLost

	noneLost = `) n WHERE n.id NOT IN (SELECT id FROM master_keys WHERE lost) GROUP BY 1 ORDER BY 1`
)

func (s *Store) checkNeeded(ctx context.Context, ring *secret.Ring) error {
	var hashing []string
	missing := map[string][]string{} // kinds of values that need them, by their ids
	for _, key := range ring.Fingerprints() {
		hashing = append(hashing, key.ID)
	}
	queries := []string{needed}
	if !s.db.IsWorker() {
		queries = append(queries, neededToSignIn)
	}
	err := s.db.InSnapshot(models.AcrossOrganizations(ctx), func(ctx context.Context, tx pg.Querier) error {
		for _, query := range queries {
			rows, err := tx.Query(ctx, query, ring.WrappingIDs(), hashing)
			var id, what string
			err = pg.ForEach(rows, err, []any{&id, &what}, func() error {
				missing[id] = append(missing[id], what)
				return nil
			})
			if err != nil {
				return err
			}
		}
		return nil
	})
	// guard: master keys: a process does not start without a key that stored values need
	if err == nil && len(missing) > 0 {
		var said []string
		for _, id := range slices.Sorted(maps.Keys(missing)) {
			said = append(said, id+" ("+strings.Join(missing[id], ", ")+")")
		}
		return fmt.Errorf("%w: %s. Add each behind the others. For one that is lost, levy keys retire KEY --lost says what "+
			"cannot be read any more", ErrMissing, strings.Join(said, ", "))
	}
	return pg.Translate(err)
}

// Register records the keys of a process, of which the first is in front. A key that was lost is found thereby; what it
// wraps is taken over then. While PostgreSQL is read-only, known keys suffice: nothing can be written by another. TakeOver
// records the current one later. Errors: models.ErrUnavailable.
func (s *Store) Register(ctx context.Context, ring *secret.Ring) error {
	ctx = models.AcrossOrganizations(ctx)
	onlyReads, known, err := s.onlyReads(ctx, ring)
	switch {
	case err != nil:
		return pg.Translate(err)
	case onlyReads && !known:
		return fmt.Errorf("%w: PostgreSQL is read-only, and a master key of this process is not known yet", models.ErrUnavailable)
	case onlyReads:
		return nil
	}
	for _, key := range ring.Fingerprints() {
		err := s.db.InTx(ctx, func(ctx context.Context) error {
			seen, err := s.db.Exec(ctx, `INSERT INTO master_keys (id, fingerprint) VALUES ($1, $2)
				ON CONFLICT (id) DO UPDATE SET fingerprint = excluded.fingerprint, lost = false
				WHERE master_keys.fingerprint IS NULL OR master_keys.lost`, key.ID, key.Bytes)
			if err != nil || seen.RowsAffected() == 0 {
				return err
			}
			return s.LookAgain(ctx)
		})
		if err != nil {
			return pg.Translate(err)
		}
	}
	return s.touch(ctx, ring)
}

// onlyReads reports whether PostgreSQL is read-only, and whether it knows all keys of a ring.
func (s *Store) onlyReads(ctx context.Context, ring *secret.Ring) (onlyReads, known bool, err error) {
	keys := ring.Fingerprints()
	ids := make([]string, len(keys))
	for i, key := range keys {
		ids[i] = key.ID
	}
	err = s.db.QueryRow(ctx, `SELECT current_setting('transaction_read_only')::boolean, (SELECT count(*) FROM master_keys
		WHERE id::text = ANY ($1) AND fingerprint IS NOT NULL AND retired_at IS NULL AND NOT lost) = $2`,
		ids, len(ids)).Scan(&onlyReads, &known)
	return onlyReads, known, err
}

const (
	// touchEvery is how often a process says which key it has in front. A key counts as in front for InFront after that.
	touchEvery = 20 * time.Second
	// touchAgain is how soon it tries again after a failure.
	touchAgain = time.Second
	// touchWithin bounds one attempt: a connection that a firewall has dropped would hang for minutes.
	touchWithin = 5 * time.Second
	// InFront is how long a key counts as in front of a process that last said so. A process that could not say so for this
	// long has no database, and writes nothing.
	InFront = 2 * time.Minute
)

// touch records that the current key is in front, and learns whether it is the newest one. After an error it is not: it may
// be retired.
func (s *Store) touch(ctx context.Context, ring *secret.Ring) (err error) {
	defer func() {
		if err != nil {
			s.db.HashesAgain(false)
		}
	}()
	said, err := s.db.Exec(ctx, `UPDATE master_keys SET in_front_at = now(), current_since = coalesce(current_since, now())
		WHERE id = $1 AND retired_at IS NULL`, ring.Current())
	if err != nil {
		return pg.Translate(err)
	}
	if said.RowsAffected() == 0 {
		return fmt.Errorf("%w: %s", ErrRetired, ring.Current())
	}
	newest, err := s.Newest(ctx)
	// guard: master keys: a process whose key is not the newest one hashes nothing again
	s.db.HashesAgain(err == nil && newest == ring.Current())
	return err
}

// newestKey is the condition and order of the newest key.
const newestKey = "current_since IS NOT NULL AND retired_at IS NULL ORDER BY current_since DESC, id DESC LIMIT 1"

// older is the condition on keys o that preceded the newest key n: they were in front before, or were there when it came.
// A key that was put behind since is not one of them.
const older = "o.id <> n.id AND (o.current_since IS NOT NULL OR o.first_seen_at <= n.current_since)"

// Newest returns the id of the newest master key: the one that came in front last and is not retired. It is empty before
// any process has started.
func (s *Store) Newest(ctx context.Context) (id string, err error) {
	err = s.db.QueryRow(ctx, "SELECT id::text FROM master_keys WHERE "+newestKey).Scan(&id)
	if errors.Is(err, pgx.ErrNoRows) {
		return "", nil
	}
	return id, pg.Translate(err)
}

// List returns all keys that processes have had, the newest first.
func (s *Store) List(ctx context.Context) ([]models.MasterKey, error) {
	rows, err := s.db.Query(ctx, `SELECT id::text, first_seen_at, current_since, in_front_at, retired_at, lost,
		  coalesce(id = (SELECT id FROM master_keys WHERE `+newestKey+`), false)
		FROM master_keys ORDER BY current_since DESC NULLS LAST, id DESC`)
	return pg.Collect(rows, err, pgx.RowToStructByPos[models.MasterKey])
}

// Key returns a key. Errors: models.ErrNotFound.
func (s *Store) Key(ctx context.Context, id string) (models.MasterKey, error) {
	all, err := s.List(ctx)
	if err != nil {
		return models.MasterKey{}, err
	}
	if i := slices.IndexFunc(all, func(k models.MasterKey) bool { return k.ID == id }); i >= 0 {
		return all[i], nil
	}
	return models.MasterKey{}, models.ErrNotFound
}
