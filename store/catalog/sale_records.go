package catalog

import (
	"context"
	"slices"
	"time"
	"unsafe"

	"levy/models"
	"levy/store/pg"
)

// selectSaleCustomer reads, in one snapshot, the version of an organization ($1), its customer by id ($2) or external
// id ($3), and the customer's exemptions. It returns a row for each exemption, and one without any.
var selectSaleCustomer = `
	SELECT ` + versionOf + `, c.id, c.external_id, c.tax_registrations,
	       e.id, e.exemption_type, e.start_date, e.end_date, e.country_code, e.jurisdiction, e.reseller, e.status,
	       e.exemption_category
	  FROM (VALUES ($1::text)) o (organization_id)
	  LEFT JOIN LATERAL (
	    SELECT * FROM customers x WHERE x.organization_id = o.organization_id AND x.id = $2
	    UNION ALL
	    SELECT * FROM customers x WHERE x.organization_id = o.organization_id AND x.external_id = $3 AND $2 = ''
	    UNION ALL
	    SELECT * FROM (` + pg.PaddedRecord("customers", "o.organization_id", "$3") + `) p WHERE $2 = '') c ON true
	  LEFT JOIN LATERAL (
	    SELECT * FROM exemptions x
	     WHERE x.organization_id = o.organization_id AND x.customer_id = c.id
	       AND x.transaction_id IS NULL OFFSET 0) e ON true
	 ORDER BY e.id`

// saleCustomer is the customer of an estimate, with tax ids as stored, and its exemptions except those for one
// transaction. It is shared and never modified.
type saleCustomer struct {
	customer   models.Customer
	exemptions []models.Exemption
}

// size returns about how many bytes it takes in memory.
func (c *saleCustomer) size() int {
	const parts = 128 // the texts of an exemption, which are short
	n := int(unsafe.Sizeof(*c)) + len(c.customer.ID) + len(c.customer.ExternalID) +
		len(c.exemptions)*(int(unsafe.Sizeof(models.Exemption{}))+parts)
	for _, r := range c.customer.TaxRegistrations {
		n += int(unsafe.Sizeof(r)) + len(r.ID) + len(r.CountryCode) + len(r.TaxType) + len(r.TaxID)
	}
	return n
}

// SaleRecords returns the records that decide the tax of a sale that names them. It reads its products together with
// those of other sales, and its customer at the same time. It uses cached records if nothing of the organization has
// changed, which it reads each time.
func (s *Store) SaleRecords(
	ctx context.Context, scope models.Scope, names models.SaleNames,
) (found models.SaleRecords, err error) {
	key := recordKey{customerByID, names.CustomerID}
	if names.CustomerID == "" {
		key = recordKey{customerByExternalID, names.CustomerExternalID}
	}
	var customer *saleCustomer
	var version int64
	if key.name != "" {
		customer, version = s.cache.customer(scope.OrganizationID, key)
	}
	var products *productGroup
	if len(names.ProductExternalIDs) > 0 || customer != nil {
		products = s.saleProducts.add(ctx, scope, names.ProductExternalIDs)
	}
	unknown := key.name != "" && customer == nil
	if unknown { // while the products are read
		if customer, err = s.readSaleCustomer(ctx, scope, names, key); err != nil {
			return models.SaleRecords{}, err
		}
	}
	if products != nil {
		if err := products.wait(ctx); err != nil {
			return models.SaleRecords{}, err
		}
		found.Products = products.of(scope, names.ProductExternalIDs)
		// guard: estimates: a customer in memory counts for the version with which it was read
		if !unknown && customer != nil && products.versions[scope.OrganizationID] != version {
			if customer, err = s.readSaleCustomer(ctx, scope, names, key); err != nil {
				return models.SaleRecords{}, err
			}
		}
	}
	if customer == nil {
		return found, nil
	}
	opened := customer.customer
	if err := s.db.OpenTaxIDs(ctx, scope.OrganizationID, &opened); err != nil {
		return models.SaleRecords{}, err
	}
	found.Customer, found.Exemptions = &opened, slices.Clone(customer.exemptions)
	return found, nil
}

// readSaleCustomer reads and caches a customer; nil if there is none. Errors: those of pg.Translate.
func (s *Store) readSaleCustomer(
	ctx context.Context, scope models.Scope, names models.SaleNames, key recordKey,
) (*saleCustomer, error) {
	rows, err := s.db.OpenTables().Query(ctx, selectSaleCustomer,
		scope.OrganizationID, names.CustomerID, names.CustomerExternalID)
	var found saleCustomer
	var version int64
	var e models.Exemption
	var id, externalID, exemptionID, kind, country, status *string
	var from *time.Time
	var reseller *bool
	err = pg.ForEach(rows, err, []any{
		&version, &id, &externalID, &found.customer.TaxRegistrations,
		&exemptionID, &kind, &from, &e.EndDate, &country, &e.Jurisdiction, &reseller, &status,
		&e.ExemptionCategory,
	}, func() error {
		if exemptionID == nil {
			return nil
		}
		e := e // a copy, because the scan writes to the outer variable
		e.OrganizationID, e.ID = scope.OrganizationID, *exemptionID
		e.ExemptionType, e.StartDate = models.ExemptionType(*kind), *from
		e.CountryCode, e.Reseller, e.Status, e.CustomerID = *country, *reseller, models.ExemptionStatus(*status), id
		found.exemptions = append(found.exemptions, e)
		return nil
	})
	if err != nil || id == nil {
		return nil, pg.Translate(err)
	}
	found.customer.ID, found.customer.ExternalID = *id, *externalID
	s.cache.addCustomer(scope.OrganizationID, version, key, &found)
	return &found, nil
}
