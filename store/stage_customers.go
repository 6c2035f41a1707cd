package store

import (
	"github.com/jackc/pgx/v5"

	"levy/models"
)

// loadTaxNumbers gives the transactions the tax numbers of their customers; most
// have none.
func loadTaxNumbers(b *stageBatch, batch *pgx.Batch, organizationIDs, ids []string) {
	batch.Queue(`
		SELECT t.organization_id, t.id, c.tax_registrations
		  FROM unnest($1::text[], $2::text[]) AS r(organization_id, id)
		 CROSS JOIN LATERAL (
		   SELECT x.organization_id, x.id, x.customer_id FROM transactions x
		    WHERE x.organization_id = r.organization_id AND x.id = r.id OFFSET 0) t
		 CROSS JOIN LATERAL (
		   SELECT x.tax_registrations FROM customers x
		    WHERE x.organization_id = t.organization_id AND x.id = t.customer_id OFFSET 0) c
		 WHERE c.tax_registrations <> '[]'`, organizationIDs, ids).Query(func(rows pgx.Rows) error {
		for rows.Next() {
			var organizationID, id string
			var numbers []models.CustomerTaxRegistration
			if err := rows.Scan(&organizationID, &id, &numbers); err != nil {
				return err
			}
			if t := b.of(organizationID, id); t != nil {
				t.Customer.TaxRegistrations = numbers
			}
		}
		return rows.Err()
	})
}
