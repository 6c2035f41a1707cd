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

// Tax ids are encrypted under one key of the installation, which is wrapped by a master key. It outlives the data keys
// of organizations, since tax law keeps certificates of exemption and registrations.

// taxIDKey names it.
const taxIDKey = "tax ids"

// ErrNoMasterKeys says that a database was opened without master keys: tax ids are neither sealed nor opened.
var ErrNoMasterKeys = errors.New("tax ids are encrypted, and no master keys are given")

// taxIDs keeps the key once it was read: it never changes.
type taxIDs struct {
	vault     *secret.Vault // nil without master keys
	mu        sync.Mutex
	key       *secret.TextKey
	used      bool      // tax ids are sealed
	checkedAt time.Time // when that was last read; that they are, is never asked again
}

// LoadTaxIDKey reads the key of tax ids, and makes it when there is none. Who accepts requests calls it before: the
// key is read on a connection of its own, so that it stays when a database transaction does not. Errors:
// ErrNoMasterKeys, secret.ErrUnreadable.
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
			err = read() // it may be another's
		}
	}
	if err != nil {
		return nil, Translate(err)
	}
	t.key, err = t.vault.TextKey(stored)
	return t.key, err
}

// CheckKeys makes sure that the keys which db was opened with are those of the installation, as far as it has any yet.
// Errors: secret.ErrUnreadable.
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

// inUseCheckInterval is how often a process asks whether the key of tax ids is in use by now. TaxIDSealingDelay is after which
// time every process has asked, and requests have ended that began before.
const (
	inUseCheckInterval = 5 * time.Second
	TaxIDSealingDelay  = 30 * time.Second
)

// taxIDsInUse reports whether tax ids are to be sealed.
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

// UseTaxIDKey has tax ids sealed from now on, and returns how long it takes until every process does so.
func (db *DB) UseTaxIDKey(ctx context.Context) (wait time.Duration, err error) {
	var since int64
	err = db.QueryRow(ctx, `UPDATE installation_keys SET in_use_at = coalesce(in_use_at, now()) WHERE id = $1
		RETURNING (extract(epoch FROM now() - in_use_at) * 1000)::bigint`, taxIDKey).Scan(&since)
	return max(0, TaxIDSealingDelay-time.Duration(since)*time.Millisecond), Translate(err)
}

// RecordTaxIDsSealed notes that all tax ids were sealed that a version from before stored in clear text.
func (db *DB) RecordTaxIDsSealed(ctx context.Context) error {
	_, err := db.Exec(ctx, "UPDATE installation_keys SET sealed_at = now() WHERE id = $1 AND sealed_at IS NULL", taxIDKey)
	return Translate(err)
}

// TaxIDsInClear reports whether tax ids of a version from before may stand in clear text.
func (db *DB) TaxIDsInClear(ctx context.Context) (clear bool, err error) {
	err = db.QueryRow(ctx, "SELECT EXISTS (SELECT FROM installation_keys WHERE id = $1 AND sealed_at IS NULL)",
		taxIDKey).Scan(&clear)
	return clear, Translate(err)
}

// SealTaxIDs encrypts the tax ids of records of an organization; those that are sealed already stay as they are, and
// so do all while processes may run that cannot read sealed ones. Errors: *models.InvalidError.
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
		if secret.MarkedAsSealed(text) && !key.Sealed(organizationID, text) { // it could not be told from a sealed one
			return "", &models.InvalidError{Faults: []models.Fault{{
				Code: models.FieldInvalidFormat, Message: "A tax number must not begin like an encrypted one.",
			}}}
		}
		// guard: sealing: tax ids are encrypted before they are stored
		return key.Seal(organizationID, text), nil
	})
}

// OpenTaxIDs decrypts the tax ids of records of an organization; those that a version from before stored in clear text
// stay as they are. Errors: secret.ErrUnreadable, ErrNoMasterKeys.
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

func eachTaxID(records []models.TaxIDs, change func(string) (string, error)) error {
	for _, record := range records {
		if err := record.EachTaxID(change); err != nil {
			return err
		}
	}
	return nil
}

// DBOf is the database of GORM's handle, in whose context it works.
func DBOf(tx *gorm.DB) (context.Context, *DB) {
	return tx.Statement.Context, tx.Statement.ConnPool.(connections).db
}

// InstallationKeys are the keys of the installation.
func (db *DB) InstallationKeys() WrappedKeys {
	return WrappedKeys{
		DB: db, Table: "installation_keys", Organization: "'" + models.InstallationAudit + "'", Record: "id",
	}
}
