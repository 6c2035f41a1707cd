package store

import (
	"context"

	"github.com/jackc/pgx/v5"

	"levy/models"
)

const (
	selectSaleProducts = `
		SELECT p.external_id, p.tax_class, p.classification, p.tax_exempt
		  FROM (SELECT $1::text AS organization_id, external_id FROM unnest($2::text[]) AS n(external_id) OFFSET 0) u -- no constant, as in selectPage
		 CROSS JOIN LATERAL (
		   SELECT * FROM products x WHERE x.organization_id = u.organization_id AND x.external_id = u.external_id OFFSET 0) p`
	// saleCustomer finds the customer by id ($2), without one by external id ($3).
	saleCustomer = `
		  SELECT * FROM customers x WHERE x.organization_id = $1 AND x.id = $2
		  UNION ALL
		  SELECT * FROM customers x WHERE x.organization_id = $1 AND x.external_id = $3 AND $2 = ''`
	selectSaleCustomer   = `SELECT c.id, c.external_id, c.tax_registrations FROM (` + saleCustomer + `) c`
	selectSaleExemptions = `
		SELECT e.id, e.exemption_type, e.start_date, e.end_date, e.customer_id, e.country_code, e.jurisdiction, e.reseller, e.status
		  FROM (` + saleCustomer + `) c
		 CROSS JOIN LATERAL (
		   SELECT * FROM exemptions x
		    WHERE x.organization_id = $1 AND x.customer_id = c.id AND x.transaction_id IS NULL OFFSET 0) e
		 ORDER BY e.id`
)

// SaleRecords reads what decides the tax of a sale that names these records, in one
// round trip.
func (s *Store) SaleRecords(ctx context.Context, scope models.Scope, names models.SaleNames) (models.SaleRecords, error) {
	found := models.SaleRecords{Products: make(map[string]models.Product, len(names.ProductExternalIDs))}
	batch := &pgx.Batch{}
	if len(names.ProductExternalIDs) > 0 {
		batch.Queue(selectSaleProducts, scope.OrganizationID, names.ProductExternalIDs).Query(func(rows pgx.Rows) error {
			var p models.Product
			_, err := pgx.ForEachRow(rows, []any{&p.ExternalID, &p.TaxClass, &p.Classification, &p.TaxExempt}, func() error {
				found.Products[p.ExternalID] = p
				return nil
			})
			return err
		})
	}
	if names.CustomerID != "" || names.CustomerExternalID != "" {
		by := []any{scope.OrganizationID, names.CustomerID, names.CustomerExternalID}
		batch.Queue(selectSaleCustomer, by...).Query(func(rows pgx.Rows) error {
			var c models.Customer
			_, err := pgx.ForEachRow(rows, []any{&c.ID, &c.ExternalID, &c.TaxRegistrations}, func() error {
				found.Customer = &c
				return nil
			})
			return err
		})
		batch.Queue(selectSaleExemptions, by...).Query(func(rows pgx.Rows) error {
			for rows.Next() {
				e := models.Exemption{OrganizationID: scope.OrganizationID}
				if err := rows.Scan(&e.ID, &e.ExemptionType, &e.StartDate, &e.EndDate, &e.CustomerID, &e.CountryCode,
					&e.Jurisdiction, &e.Reseller, &e.Status); err != nil {
					return err
				}
				found.Exemptions = append(found.Exemptions, e)
			}
			return rows.Err()
		})
	}
	if err := s.pool.SendBatch(ctx, batch).Close(); err != nil {
		return models.SaleRecords{}, translate(err)
	}
	return found, nil
}
