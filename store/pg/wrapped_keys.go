package pg

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"

	"levy/internal/secret"
	"levy/models"
)

// WrappedKeys are the keys of one table, with the columns master_key_id and wrapped. The rotation uses them for all
// organizations.
type WrappedKeys struct {
	DB    *DB
	Table string
	// Organization and Record are columns or constants: the identity of a key in secret.RecordKey.
	Organization, Record string
	// At is the column with the time of the wrapping; "" if the table has none.
	At string
}

var _ secret.RecordKeys = WrappedKeys{}

// MasterKeysOfDocuments selects the ids of the master keys that wrap keys of documents. It reads the index once for each
// id, not each document.
const MasterKeysOfDocuments = `
	(WITH RECURSIVE used (id) AS (
	   SELECT min(master_key_id::text) FROM (
	     SELECT master_key_id FROM exemption_attachments WHERE master_key_id IS NOT NULL ORDER BY master_key_id LIMIT 1) f
	    UNION ALL
	   SELECT (SELECT a.master_key_id::text FROM exemption_attachments a WHERE a.master_key_id > used.id
	            ORDER BY a.master_key_id LIMIT 1)
	     FROM used WHERE used.id IS NOT NULL)
	 SELECT id FROM used WHERE id IS NOT NULL)`

// idsOf returns the statement that selects the ids of the master keys that wrap keys of the table.
func (k WrappedKeys) idsOf() string {
	if k.Table == "exemption_attachments" {
		return MasterKeysOfDocuments
	}
	return "(SELECT DISTINCT master_key_id::text AS id FROM " + k.Table + ")"
}

// WrappedBefore returns up to limit keys that another master key wraps. It leaves out keys that a lost master key
// wraps.
func (k WrappedKeys) WrappedBefore(ctx context.Context, masterKeyID string, limit int) ([]secret.RecordKey, error) {
	older, err := k.older(ctx, masterKeyID)
	var found []secret.RecordKey
	for _, id := range older {
		rows, err := k.DB.Query(models.AcrossOrganizations(ctx), fmt.Sprintf(
			"SELECT %s, %s, master_key_id, wrapped FROM %s WHERE master_key_id = $1 LIMIT $2", k.Organization, k.Record, k.Table),
			id, limit-len(found))
		some, err := Collect(rows, err, func(row pgx.CollectableRow) (key secret.RecordKey, err error) {
			return key, row.Scan(&key.OrganizationID, &key.RecordID, &key.MasterKeyID, &key.Wrapped)
		})
		if found = append(found, some...); err != nil || len(found) == limit {
			return found, err
		}
	}
	return found, err
}

// older returns the ids of the other master keys that wrap keys, without those that are lost.
func (k WrappedKeys) older(ctx context.Context, masterKeyID string) ([]string, error) {
	rows, err := k.DB.Query(models.AcrossOrganizations(ctx), fmt.Sprintf(`
		SELECT id FROM %s k WHERE id <> $1 AND id NOT IN (SELECT id FROM master_keys WHERE lost) ORDER BY 1`, k.idsOf()), masterKeyID)
	return Collect(rows, err, pgx.RowTo[string])
}

// CountBefore counts the keys that another master key wraps.
func (k WrappedKeys) CountBefore(ctx context.Context, masterKeyID string) (n int64, err error) {
	older, err := k.older(ctx, masterKeyID)
	if err != nil || len(older) == 0 {
		return 0, err
	}
	err = k.DB.QueryRow(models.AcrossOrganizations(ctx), fmt.Sprintf("SELECT count(*) FROM %s WHERE master_key_id = ANY ($1)", k.Table),
		older).Scan(&n)
	return n, Translate(err)
}

// rewrapped is a key with its new and its previous wrapping.
type rewrapped struct {
	secret.RecordKey
	before []byte
}

var rewrappedRows = RowsOf("key",
	Col("of_organization", "text", func(k *rewrapped) *string { return &k.OrganizationID }),
	Col("of_record", "text", func(k *rewrapped) *string { return &k.RecordID }),
	Col("new_master_key_id", "text", func(k *rewrapped) *string { return &k.MasterKeyID }),
	BytesCol("before", func(k *rewrapped) []byte { return k.before }),
	BytesCol("after", func(k *rewrapped) []byte { return k.Wrapped }),
)

// Rewrap replaces the wrapping of keys. It skips keys that were wrapped again or destroyed since they were read.
func (k WrappedKeys) Rewrap(ctx context.Context, from, to []secret.RecordKey) error {
	keys := make([]rewrapped, len(to))
	for i, key := range to {
		keys[i] = rewrapped{key, from[i].Wrapped}
	}
	noting := ""
	if k.At != "" {
		noting = ", " + k.At + " = now()"
	}
	rewrap := Prepare(fmt.Sprintf(`
		UPDATE %s t SET master_key_id = k.new_master_key_id, wrapped = k.after%s
		  FROM (SELECT * FROM {key}) k
		 WHERE %s = k.of_organization AND %s = k.of_record AND t.wrapped = k.before`,
		k.Table, noting, k.Organization, k.Record), nil, rewrappedRows)
	_, err := k.DB.Exec(models.AcrossOrganizations(ctx), rewrap.SQL, rewrap.Values(nil, rewrappedRows.Of(keys))...)
	return Translate(err)
}
