package organizations

import (
	"context"

	"levy/internal/secret"
	"levy/models"
	"levy/store/pg"
)

var (
	_ secret.DataKeys   = (*Store)(nil)
	_ secret.RecordKeys = (*Store)(nil)
)

// DataKey reads the data key of an organization; ok is false when it has none.
func (s *Store) DataKey(ctx context.Context, organizationID string) (key secret.WrappedKey, ok bool, err error) {
	rows, err := s.db.Query(pg.ByKey(ctx), "SELECT master_key_id, wrapped FROM data_keys WHERE organization_id = $1",
		organizationID)
	err = pg.ForEach(rows, err, []any{&key.MasterKeyID, &key.Wrapped}, func() error { ok = true; return nil })
	return key, ok, err
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

// WrappedBefore returns up to limit data keys that are not wrapped by the master key named. It serves the rotation,
// which crosses organizations.
func (s *Store) WrappedBefore(ctx context.Context, masterKeyID string, limit int) ([]secret.RecordKey, error) {
	rows, err := s.db.Query(ctx, `
		SELECT organization_id, '', master_key_id, wrapped
		  FROM data_keys
		 WHERE master_key_id <> $1
		 ORDER BY organization_id LIMIT $2`, masterKeyID, limit)
	return pg.Collect(rows, err, pg.ScanRecordKey)
}

// Rewrap replaces the wrapping of data keys. A key that was wrapped anew or destroyed meanwhile stays as it is.
func (s *Store) Rewrap(ctx context.Context, from, to []secret.RecordKey) error {
	k := pg.RewrappingOf(from, to)
	_, err := s.db.Exec(ctx, `
		UPDATE data_keys d SET master_key_id = k.master_key_id, wrapped = k.after, wrapped_at = now()
		  FROM unnest($1::text[], $2::text[], $3::bytea[], $4::bytea[]) AS k (organization_id, master_key_id, before, after)
		 WHERE d.organization_id = k.organization_id
		   AND d.wrapped = k.before`, k.OrganizationIDs, k.MasterKeyIDs, k.Before, k.After)
	return pg.Translate(err)
}

// SealedPersonal returns the sealed personal values of an organization whose
// fields begin with prefix.
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
