package organizations

import (
	"context"

	"levy/internal/secret"
	"levy/models"
	"levy/store/pg"
)

var _ secret.DataKeys = (*Store)(nil)

// DataKey returns the data key of an organization. ok is false if it has none.
func (s *Store) DataKey(ctx context.Context, organizationID string) (key secret.WrappedKey, ok bool, err error) {
	rows, err := s.db.Query(pg.ByKey(ctx), "SELECT master_key_id, wrapped FROM data_keys WHERE organization_id = $1",
		organizationID)
	err = pg.ForEach(rows, err, []any{&key.MasterKeyID, &key.Wrapped}, func() error { ok = true; return nil })
	return key, ok, err
}

// AddDataKey stores the first data key of an active organization and returns the stored one. Errors:
// models.ErrNotFound if the organization is not active.
func (s *Store) AddDataKey(
	ctx context.Context, organizationID string, key secret.WrappedKey,
) (secret.WrappedKey, error) {
	err := s.db.QueryRow(ctx, `
		INSERT INTO data_keys (organization_id, master_key_id, wrapped)
		SELECT id, $2, $3 FROM organizations WHERE id = $1 AND status = 'ACTIVE'
		    ON CONFLICT (organization_id) DO UPDATE SET organization_id = excluded.organization_id
		RETURNING master_key_id, wrapped`, organizationID, key.MasterKeyID, key.Wrapped).Scan(
		&key.MasterKeyID, &key.Wrapped,
	)
	return key, pg.Translate(err)
}

// DataKeys returns the data keys of organizations, for their rotation.
func (s *Store) DataKeys() pg.WrappedKeys {
	return pg.WrappedKeys{
		DB: s.db, Table: "data_keys", Organization: "organization_id", Record: "''", At: "wrapped_at",
	}
}

// SealedPersonal returns the sealed personal values of an organization whose fields begin with prefix.
func (s *Store) SealedPersonal(ctx context.Context, scope models.Scope, prefix string) (map[string][]byte, error) {
	rows, err := s.db.Query(pg.ByKey(ctx),
		"SELECT field, value FROM personal_data WHERE organization_id = $1 AND starts_with(field, $2)",
		scope.OrganizationID, prefix)
	values := map[string][]byte{}
	var field string
	var value []byte
	err = pg.ForEach(rows, err, []any{&field, &value}, func() error {
		values[field] = value
		value = nil
		return nil
	})
	return values, err
}
