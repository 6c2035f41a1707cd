package pg

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"

	"levy/internal/secret"
	"levy/models"
)

// WrappedKeys are the keys of one table, each with the columns master_key_id and wrapped. They serve the rotation,
// which crosses organizations.
type WrappedKeys struct {
	DB    *DB
	Table string
	// Organization and Record are the columns, or constants, by which a key is known: those of secret.RecordKey.
	Organization, Record string
	// At is the column with the time of the wrapping; empty where there is none.
	At string
}

var _ secret.RecordKeys = WrappedKeys{}

// WrappedBefore returns up to limit keys that are not wrapped by the master key named.
func (k WrappedKeys) WrappedBefore(ctx context.Context, masterKeyID string, limit int) ([]secret.RecordKey, error) {
	rows, err := k.DB.Query(models.AcrossOrganizations(ctx), fmt.Sprintf(`
		SELECT %s, %s, master_key_id, wrapped FROM %s
		 WHERE master_key_id <> $1 ORDER BY 1, 2 LIMIT $2`, k.Organization, k.Record, k.Table), masterKeyID, limit)
	return Collect(rows, err, func(row pgx.CollectableRow) (key secret.RecordKey, err error) {
		return key, row.Scan(&key.OrganizationID, &key.RecordID, &key.MasterKeyID, &key.Wrapped)
	})
}

// Rewrap replaces the wrapping of keys. A key that was wrapped anew or destroyed meanwhile stays as it is.
func (k WrappedKeys) Rewrap(ctx context.Context, from, to []secret.RecordKey) error {
	var organizationIDs, recordIDs, masterKeyIDs []string
	var before, after [][]byte
	for i, key := range to {
		organizationIDs, recordIDs = append(organizationIDs, key.OrganizationID), append(recordIDs, key.RecordID)
		masterKeyIDs = append(masterKeyIDs, key.MasterKeyID)
		before, after = append(before, from[i].Wrapped), append(after, key.Wrapped)
	}
	noting := ""
	if k.At != "" {
		noting = ", " + k.At + " = now()"
	}
	_, err := k.DB.Exec(models.AcrossOrganizations(ctx), fmt.Sprintf(`
		UPDATE %s t SET master_key_id = k.new_master_key_id, wrapped = k.after%s
		  FROM unnest($1::text[], $2::text[], $3::text[], $4::bytea[], $5::bytea[])
		       AS k (of_organization, of_record, new_master_key_id, before, after)
		 WHERE %s = k.of_organization AND %s = k.of_record AND t.wrapped = k.before`,
		k.Table, noting, k.Organization, k.Record), organizationIDs, recordIDs, masterKeyIDs, before, after)
	return Translate(err)
}
