package transactions

import (
	"github.com/jackc/pgx/v5"

	"levy/models"
)

// loadBusinesses finds the business addresses of the organizations of a batch:
// those that have said where they are.
func loadBusinesses(b *stageBatch, batch *pgx.Batch, organizationIDs, _ []string) {
	batch.Queue(`
		SELECT d.organization_id, d.business_address, coalesce(s.enable_business_address_fallback, false)
		  FROM (SELECT DISTINCT unnest($1::text[]) AS organization_id) o
		 CROSS JOIN LATERAL (
		   SELECT x.* FROM organization_details x WHERE x.organization_id = o.organization_id
		     AND x.place IS NOT NULL OFFSET 0) d
		  JOIN organization_settings s ON s.organization_id = d.organization_id`,
		organizationIDs).Query(func(rows pgx.Rows) error {
		businesses := map[string]*models.Business{}
		var organizationID string
		var document []byte
		var fallback bool
		_, err := pgx.ForEachRow(rows, []any{&organizationID, &document, &fallback}, func() error {
			found, err := models.BusinessOf(document, fallback)
			businesses[organizationID] = found
			return err
		})
		for i := range b.transactions {
			b.transactions[i].Business = businesses[b.transactions[i].OrganizationID]
		}
		return err
	})
}
