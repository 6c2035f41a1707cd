package organizations

import (
	"context"

	"github.com/jackc/pgx/v5"

	"levy/internal/failpoint"
	"levy/internal/secret"
	"levy/models"
	"levy/store/pg"
)

var _ secret.DataKeys = (*Store)(nil)

// DataKey reads the data key of an organization; ok is false when it has none.
func (s *Store) DataKey(ctx context.Context, organizationID string) (key secret.WrappedKey, ok bool, err error) {
	rows, err := s.db.Query(pg.ByKey(ctx), "SELECT master_key_id, wrapped FROM data_keys WHERE organization_id = $1", organizationID)
	if err != nil {
		return key, false, pg.Translate(err)
	}
	_, err = pgx.ForEachRow(rows, []any{&key.MasterKeyID, &key.Wrapped}, func() error { ok = true; return nil })
	return key, ok, pg.Translate(err)
}

// AddDataKey stores the first data key of an active organization and returns the
// one that is stored then. Errors: models.ErrNotFound when the organization is not
// active.
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

// WrappedBefore returns up to limit data keys that are not wrapped by the master
// key named, by organization. It serves the rotation, which crosses organizations.
func (s *Store) WrappedBefore(
	ctx context.Context, masterKeyID string, limit int,
) (map[string]secret.WrappedKey, error) {
	rows, err := s.db.Query(ctx, `
		SELECT organization_id, master_key_id, wrapped FROM data_keys WHERE master_key_id <> $1 ORDER BY organization_id LIMIT $2`, masterKeyID, limit)
	if err != nil {
		return nil, pg.Translate(err)
	}
	keys := map[string]secret.WrappedKey{}
	var organizationID string
	var key secret.WrappedKey
	_, err = pgx.ForEachRow(rows, []any{&organizationID, &key.MasterKeyID, &key.Wrapped}, func() error {
		keys[organizationID] = key
		key.Wrapped = nil // the next row must not write into it
		return nil
	})
	return keys, pg.Translate(err)
}

// Rewrap replaces the wrapping of a data key. A key that was wrapped anew or
// destroyed meanwhile stays as it is.
func (s *Store) Rewrap(ctx context.Context, organizationID string, from, to secret.WrappedKey) error {
	if err := failpoint.Hit("before_rewrap"); err != nil {
		return err
	}
	_, err := s.db.Exec(ctx, `
		UPDATE data_keys SET master_key_id = $3, wrapped = $4, wrapped_at = now()
		 WHERE organization_id = $1 AND wrapped = $2`, organizationID, from.Wrapped, to.MasterKeyID, to.Wrapped)
	return pg.Translate(err)
}

// SealedPersonal returns the sealed personal values of an organization whose
// fields begin with prefix.
func (s *Store) SealedPersonal(ctx context.Context, scope models.Scope, prefix string) (map[string][]byte, error) {
	rows, err := s.db.Query(pg.ByKey(ctx), "SELECT field, value FROM personal_data WHERE organization_id = $1 AND starts_with(field, $2)", scope.OrganizationID, prefix)
	if err != nil {
		return nil, pg.Translate(err)
	}
	values := map[string][]byte{}
	var field string
	var value []byte
	_, err = pgx.ForEachRow(rows, []any{&field, &value}, func() error {
		values[field] = value
		value = nil
		return nil
	})
	return values, pg.Translate(err)
}
