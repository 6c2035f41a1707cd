package transactions

import (
	"github.com/jackc/pgx/v5"

	"levy/store/content"
	"levy/tax"
)

// loadOverrides reads which rates the organizations of a batch set themselves, once for each.
func loadOverrides(b *stageBatch, batch *pgx.Batch, organizationIDs, _ []string) {
	batch.Queue(`
		SELECT o.organization_id, `+content.OverridesOf("o.organization_id")+`
		  FROM (SELECT DISTINCT unnest($1::text[]) AS organization_id) o`, organizationIDs).Query(func(rows pgx.Rows) error {
		found := map[string][]tax.Override{}
		for rows.Next() {
			var organizationID string
			var overrides []tax.Override
			if err := rows.Scan(&organizationID, &overrides); err != nil {
				return err
			}
			found[organizationID] = overrides
		}
		for i := range b.transactions {
			t := &b.transactions[i]
			t.Overrides = found[t.OrganizationID]
		}
		return rows.Err()
	})
}
