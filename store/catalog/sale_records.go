package catalog

import (
	"context"

	"github.com/jackc/pgx/v5"

	"levy/models"
	"levy/store/pg"
)

const (
	// saleCustomer finds the customer by id ($2), without one by external id ($3).
	saleCustomer = `
		  SELECT * FROM customers x WHERE x.organization_id = $1 AND x.id = $2
		  UNION ALL
		  SELECT * FROM customers x WHERE x.organization_id = $1 AND x.external_id = $3 AND $2 = ''`
	selectSaleCustomer   = `SELECT c.id, c.external_id, c.tax_registrations FROM (` + saleCustomer + `) c`
	selectSaleExemptions = `
		SELECT e.id, e.exemption_type, e.start_date, e.end_date, e.customer_id, e.country_code, e.jurisdiction,
		       e.reseller, e.status
		  FROM (` + saleCustomer + `) c
		 CROSS JOIN LATERAL (
		   SELECT * FROM exemptions x
		    WHERE x.organization_id = $1 AND x.customer_id = c.id AND x.transaction_id IS NULL OFFSET 0) e
		 ORDER BY e.id`
)

// SaleRecords reads what decides the tax of a sale that names these records: its products
// together with those of other sales, and its customer at the same time.
func (s *Store) SaleRecords(
	ctx context.Context, scope models.Scope, names models.SaleNames,
) (found models.SaleRecords, err error) {
	var products *productGroup
	if len(names.ProductExternalIDs) > 0 {
		products = s.saleProducts.add(ctx, scope, names.ProductExternalIDs)
	}
	if names.CustomerID != "" || names.CustomerExternalID != "" {
		if err := s.saleCustomer(ctx, scope, names, &found); err != nil {
			return models.SaleRecords{}, pg.Translate(err)
		}
		if found.Customer != nil {
			if err := s.db.OpenTaxIDs(ctx, scope.OrganizationID, found.Customer); err != nil {
				return models.SaleRecords{}, err
			}
		}
	}
	if products != nil {
		found.Products, err = products.of(ctx, scope, names.ProductExternalIDs)
	}
	return found, err
}

// saleCustomer reads the customer and the exemptions.
func (s *Store) saleCustomer(
	ctx context.Context, scope models.Scope, names models.SaleNames, found *models.SaleRecords,
) error {
	by := []any{scope.OrganizationID, names.CustomerID, names.CustomerExternalID}
	batch := &pgx.Batch{}
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
	return s.db.SendBatch(ctx, batch).Close()
}
