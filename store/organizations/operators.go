package organizations

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"

	"levy/models"
	"levy/store/pg"
)

// Operator keys belong to the installation, so no method here has a scope.

// NewOperator is the record of a new operator key, with the hash of the key.
type NewOperator struct {
	Name      string
	Hash      []byte
	PublicKey []byte     // verifies signatures of the key
	ExpiresAt *time.Time // nil means never
}

// CreateOperator writes the record of a new operator key and returns its id.
func (s *Store) CreateOperator(ctx context.Context, staff models.Actor, o NewOperator) (string, error) {
	id := models.NewID(models.PrefixOperatorKey)
	err := s.db.InTx(ctx, func(ctx context.Context) error {
		tx := s.db.GORM(ctx)
		err := tx.Exec(`INSERT INTO operator_keys (id, hash, name, public_key, expires_at, created_at, master_key_id)
			VALUES (?, ?, ?, ?, ?, now(), ?)`,
			id, o.Hash, o.Name, o.PublicKey, o.ExpiresAt, s.db.MasterKeyID()).Error
		if err != nil {
			return err
		}
		return pg.Audit(tx, staff.Entry(installation, models.AuditCreate, "operator_key", id).
			With(map[string]any{"name": o.Name}))
	})
	return id, pg.Translate(err)
}

// installation is the scope of entries in the audit trail that belong to no organization.
var installation = models.Scope{OrganizationID: models.InstallationAudit}

// AuditOperator writes an action of the holder of an operator key that belongs to no organization.
func (s *Store) AuditOperator(ctx context.Context, staff models.Actor, action, entityType, entityID string) error {
	return pg.Translate(pg.Audit(s.db.GORM(ctx), staff.Entry(installation, action, entityType, entityID)))
}

// NameOperator sets the name and the public key of an operator key of an old version. It does not change a key with a
// name.
func (s *Store) NameOperator(ctx context.Context, id string, o NewOperator) error {
	_, err := s.db.Exec(ctx, `UPDATE operator_keys SET name = $2, public_key = $3 WHERE id = $1 AND name IS NULL`, id,
		o.Name, o.PublicKey)
	return pg.Translate(err)
}

// ListOperators returns all operator keys, ended ones included, the newest first.
func (s *Store) ListOperators(ctx context.Context) ([]models.Operator, error) {
	rows, err := s.db.Query(ctx, `
		SELECT id::text, coalesce(name, ''), expires_at, revoked_at, created_at
		  FROM operator_keys
		 ORDER BY created_at DESC, id DESC`)
	return pg.Collect(rows, err, pgx.RowToStructByPos[models.Operator])
}

// RevokeOperator revokes a key at once. Errors: models.ErrNotFound.
func (s *Store) RevokeOperator(ctx context.Context, staff models.Actor, id string) error {
	err := s.db.InTx(ctx, func(ctx context.Context) error {
		tx := s.db.GORM(ctx)
		done := tx.Exec(`UPDATE operator_keys SET revoked_at = coalesce(revoked_at, now()) WHERE id = ?`, id)
		if done.Error == nil && done.RowsAffected == 0 {
			return models.ErrNotFound
		}
		if done.Error != nil {
			return done.Error
		}
		return pg.Audit(tx, staff.Entry(installation, models.AuditDelete, "operator_key", id))
	})
	return pg.Translate(err)
}

// activeOperator is the condition on keys that are neither revoked nor expired.
const activeOperator = "revoked_at IS NULL AND (expires_at IS NULL OR expires_at > now())"

// findOperator finds an active operator key. Like findPrincipal it replaces a hash under an older master key.
const findOperator = `
	WITH found AS (
	  SELECT id, name, master_key_id FROM operator_keys WHERE hash = ANY($1) AND ` + activeOperator + `
	), again AS (
	  UPDATE operator_keys o SET hash = ($1::bytea[])[1], master_key_id = $2
	    FROM found f WHERE o.id = f.id AND f.master_key_id IS DISTINCT FROM coalesce($2::text, f.master_key_id))
	SELECT id::text, coalesce(name, '') FROM found`

// FindOperator returns an active operator key with the name of its holder. hashes are those of the key under every
// master key, that of the current one first. Errors: models.ErrNotFound.
func (s *Store) FindOperator(ctx context.Context, hashes [][]byte) (o models.Operator, err error) {
	err = s.db.QueryRow(ctx, findOperator, hashes, s.db.NewestMasterKeyID()).Scan(&o.ID, &o.Name)
	return o, pg.Translate(err)
}

// FindOperatorKey returns the id of an active operator key. hashes are those of the key under every master key. Errors:
// models.ErrNotFound.
func (s *Store) FindOperatorKey(ctx context.Context, hashes [][]byte) (string, error) {
	o, err := s.FindOperator(ctx, hashes)
	return o.ID, err
}
