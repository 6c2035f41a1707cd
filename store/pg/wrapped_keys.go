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

// WrappedBefore returns up to limit keys that another master key wraps. It leaves out those of keys that are lost.
func (k WrappedKeys) WrappedBefore(ctx context.Context, masterKeyID string, limit int) ([]secret.RecordKey, error) {
	rows, err := k.DB.Query(models.AcrossOrganizations(ctx), fmt.Sprintf(`
		SELECT %s, %s, master_key_id, wrapped FROM %s
		 WHERE %s ORDER BY 1, 2 LIMIT $2`, k.Organization, k.Record, k.Table, wrappedBefore), masterKeyID, limit)
	return Collect(rows, err, func(row pgx.CollectableRow) (key secret.RecordKey, err error) {
		return key, row.Scan(&key.OrganizationID, &key.RecordID, &key.MasterKeyID, &key.Wrapped)
	})
}

// wrappedBefore is the condition on keys that another master key than $1 wraps, and not one that is lost.
const wrappedBefore = "master_key_id <> $1 AND master_key_id NOT IN (SELECT id FROM master_keys WHERE lost)"

// CountBefore counts the keys that another master key wraps.
func (k WrappedKeys) CountBefore(ctx context.Context, masterKeyID string) (n int64, err error) {
	err = k.DB.QueryRow(models.AcrossOrganizations(ctx), fmt.Sprintf("SELECT count(*) FROM %s WHERE %s", k.Table, wrappedBefore),
		masterKeyID).Scan(&n)
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

// Rewrap replaces the wrapping of keys. It skips keys that were wrapped again or destroyed meanwhile.
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
