package pg

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"
	"gorm.io/gorm"

	"levy/internal/secret"
	"levy/models"
)

// One key of the installation encrypts tax ids. A master key wraps it. It outlives the data keys of organizations,
// because tax law requires certificates of exemption and registrations to be kept.

// taxIDKey is the id of that key.
const taxIDKey = "tax ids"

// ErrNoMasterKeys means that the database was opened without master keys, so tax ids can neither be sealed nor opened.
var ErrNoMasterKeys = errors.New("tax ids are encrypted, and no master keys are given")

// taxIDs caches the key once it was read. The key never changes.
type taxIDs struct {
	vault     *secret.Vault // nil without master keys
	mu        sync.Mutex
	key       *secret.TextKey
	used      bool      // new tax ids are to be sealed
	checkedAt time.Time // when used was last read; a true value is final
}

// LoadTaxIDKey returns the key of tax ids and creates it if there is none. A process calls it before it accepts
// requests. It uses a connection of its own, so that the key remains when the database transaction of the context rolls
// back. Errors: ErrNoMasterKeys, secret.ErrUnreadable.
func (db *DB) LoadTaxIDKey(ctx context.Context) (*secret.TextKey, error) {
	t := &db.taxIDs
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.key != nil {
		return t.key, nil
	}
	if t.vault == nil {
		return nil, ErrNoMasterKeys
	}
	ctx = WithoutTransaction(ctx)
	stored := secret.RecordKey{OrganizationID: models.InstallationAudit, RecordID: taxIDKey}
	read := func() error {
		t.checkedAt = time.Now()
		return db.QueryRow(ctx, `SELECT master_key_id, wrapped, in_use_at IS NOT NULL
			FROM installation_keys
			WHERE id = $1`, taxIDKey).
			Scan(&stored.MasterKeyID, &stored.Wrapped, &t.used)
	}
	err := read()
	if errors.Is(err, pgx.ErrNoRows) {
		_, wrapped := t.vault.NewTextKey(stored.OrganizationID, stored.RecordID)
		_, err = db.Exec(ctx, `
			INSERT INTO installation_keys (id, master_key_id, wrapped, in_use_at, sealed_at)
			SELECT $1, $2, $3, n.since, n.since
			  FROM installation i, LATERAL (SELECT CASE WHEN NOT i.tax_ids_from_before THEN now() END AS since) n
			    ON CONFLICT DO NOTHING`, taxIDKey, wrapped.MasterKeyID, wrapped.Wrapped)
		if err == nil {
			err = read() // another process may have created it
		}
	}
	if err != nil {
		return nil, Translate(err)
	}
	t.key, err = t.vault.TextKey(stored)
	return t.key, err
}

// CheckKeys checks that the master keys of db are those of the installation. It accepts any if the installation has no
// key yet. Errors: secret.ErrUnreadable.
func (db *DB) CheckKeys(ctx context.Context) error {
	stored := secret.RecordKey{OrganizationID: models.InstallationAudit, RecordID: taxIDKey}
	err := db.QueryRow(ctx, "SELECT master_key_id, wrapped FROM installation_keys WHERE id = $1", taxIDKey).
		Scan(&stored.MasterKeyID, &stored.Wrapped)
	if errors.Is(err, pgx.ErrNoRows) {
		return nil
	}
	if err != nil {
		return Translate(err)
	}
	_, err = db.taxIDs.vault.TextKey(stored)
	return err
}

// inUseCheckInterval is how often a process reads whether the key of tax ids is in use. After TaxIDSealingDelay every
// process has read it, and requests that began before have ended.
const (
	inUseCheckInterval = 5 * time.Second
	TaxIDSealingDelay  = 30 * time.Second
)

// taxIDsInUse reports whether new tax ids are to be sealed.
func (db *DB) taxIDsInUse(ctx context.Context) (bool, error) {
	t := &db.taxIDs
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.used || time.Since(t.checkedAt) < inUseCheckInterval {
		return t.used, nil
	}
	err := db.QueryRow(WithoutTransaction(ctx), "SELECT in_use_at IS NOT NULL FROM installation_keys WHERE id = $1",
		taxIDKey).Scan(&t.used)
	if err == nil {
		t.checkedAt = time.Now()
	}
	return t.used, Translate(err)
}

// UseTaxIDKey marks the key as in use. It returns how long it takes until every process seals tax ids.
func (db *DB) UseTaxIDKey(ctx context.Context) (wait time.Duration, err error) {
	var since int64
	err = db.QueryRow(ctx, `UPDATE installation_keys SET in_use_at = coalesce(in_use_at, now()) WHERE id = $1
		RETURNING (extract(epoch FROM now() - in_use_at) * 1000)::bigint`, taxIDKey).Scan(&since)
	return max(0, TaxIDSealingDelay-time.Duration(since)*time.Millisecond), Translate(err)
}

// RecordTaxIDsSealed records that all tax ids are sealed that an older version stored in clear text.
func (db *DB) RecordTaxIDsSealed(ctx context.Context) error {
	_, err := db.Exec(ctx, "UPDATE installation_keys SET sealed_at = now() WHERE id = $1 AND sealed_at IS NULL", taxIDKey)
	return Translate(err)
}

// TaxIDsInClear reports whether tax ids of an older version may be in clear text.
func (db *DB) TaxIDsInClear(ctx context.Context) (clear bool, err error) {
	err = db.QueryRow(ctx, "SELECT EXISTS (SELECT FROM installation_keys WHERE id = $1 AND sealed_at IS NULL)",
		taxIDKey).Scan(&clear)
	return clear, Translate(err)
}

// SealTaxIDs encrypts the tax ids of records of an organization. It skips sealed ones. It seals none while processes of
// an older version may run, which cannot read sealed ones. Errors: *models.InvalidError.
func (db *DB) SealTaxIDs(ctx context.Context, organizationID string, records ...models.TaxIDs) error {
	return eachTaxID(records, func(text string) (string, error) {
		if text == "" {
			return text, nil
		}
		key, err := db.LoadTaxIDKey(ctx)
		if err != nil {
			return "", err
		}
		if used, err := db.taxIDsInUse(ctx); err != nil || !used {
			return text, err
		}
		if secret.MarkedAsSealed(text) && !key.Sealed(organizationID, text) { // it would look like a sealed one
			return "", &models.InvalidError{Faults: []models.Fault{{
				Code: models.FieldInvalidFormat, Message: "A tax number must not begin like an encrypted one.",
			}}}
		}
		// guard: sealing: tax ids are encrypted before they are stored
		return key.Seal(organizationID, text), nil
	})
}

// OpenTaxIDs decrypts the tax ids of records of an organization. It leaves those that an older version stored in clear
// text. Errors: secret.ErrUnreadable, ErrNoMasterKeys.
func (db *DB) OpenTaxIDs(ctx context.Context, organizationID string, records ...models.TaxIDs) error {
	return eachTaxID(records, func(text string) (string, error) {
		if !secret.MarkedAsSealed(text) {
			return text, nil
		}
		key, err := db.LoadTaxIDKey(ctx)
		if err != nil {
			return "", err
		}
		return key.Open(organizationID, text)
	})
}

// OpenMoments decrypts the tax ids of records, which may contain the same record at several moments: each moment has tax ids
// of its own. It returns the first moment of each record by its id, and these in their order. Errors: those of OpenTaxIDs.
func OpenMoments[T any, P interface {
	*T
	models.TaxIDs
}](ctx context.Context, db *DB, scope models.Scope, records []T, id func(P) string) (map[string]P, []P, error) {
	first := map[string]P{}
	var distinct []P
	for i := range records {
		record := P(&records[i])
		if err := db.OpenTaxIDs(ctx, scope.OrganizationID, record); err != nil {
			return nil, nil, err
		}
		if first[id(record)] == nil {
			first[id(record)] = record
			distinct = append(distinct, record)
		}
	}
	return first, distinct, nil
}

func eachTaxID(records []models.TaxIDs, change func(string) (string, error)) error {
	for _, record := range records {
		if err := record.EachTaxID(change); err != nil {
			return err
		}
	}
	return nil
}

// DBOf returns the context and the database of a GORM handle.
func DBOf(tx *gorm.DB) (context.Context, *DB) {
	return tx.Statement.Context, tx.Statement.ConnPool.(connections).db
}

// InstallationKeys returns the keys of the installation, for their rotation.
func (db *DB) InstallationKeys() WrappedKeys {
	return WrappedKeys{
		DB: db, Table: "installation_keys", Organization: "'" + models.InstallationAudit + "'", Record: "id",
	}
}
