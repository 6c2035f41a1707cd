package transactions

import (
	"github.com/jackc/pgx/v5"

	"levy/models"
	"levy/store/pg"
	"levy/tax"
)

// The parts of the transactions of a batch that its stage requests.

var selectStageAddresses = pg.Prepare(`
	SELECT a.organization_id, a.transaction_id, a.type, a.street_1, a.street_2, a.city, a.county, a.state,
	       a.postal_code, a.country,
	       a.full_address, a.is_unincorporated
	  FROM {key}
	 CROSS JOIN LATERAL (
	   SELECT x.* FROM transaction_addresses x
	    WHERE x.organization_id = key.organization_id AND x.transaction_id = key.id OFFSET 0) a`, nil, keyRows)

func loadAddresses(b *stageBatch, batch *pgx.Batch) {
	selectStageAddresses.Queue(batch, nil, b.keys).Query(func(rows pgx.Rows) error {
		var a models.TransactionAddress
		_, err := pgx.ForEachRow(rows,
			[]any{&a.OrganizationID, &a.TransactionID, &a.Type, &a.Street1, &a.Street2, &a.City, &a.County, &a.State,
				&a.PostalCode, &a.Country, &a.FullAddress, &a.IsUnincorporated}, func() error {
				if t := b.of(a.OrganizationID, a.TransactionID); t != nil {
					t.Addresses = append(t.Addresses, a)
				}
				return nil
			})
		return err
	})
}

var selectTaxRegistrations = pg.Prepare(`
	SELECT t.organization_id, t.id, c.tax_registrations
	  FROM {key}
	 CROSS JOIN LATERAL (
	   SELECT x.* FROM transactions x WHERE x.organization_id = key.organization_id AND x.id = key.id OFFSET 0) t
	 CROSS JOIN LATERAL (
	   SELECT x.* FROM customers x WHERE x.organization_id = t.organization_id AND x.id = t.customer_id OFFSET 0) c
	 WHERE c.tax_registrations <> '[]' AND (
	   SELECT count(*) > 0 FROM (SELECT DISTINCT key.organization_id FROM {key}) o
	    CROSS JOIN LATERAL (
	      SELECT 1 FROM customers x
	       WHERE x.organization_id = o.organization_id AND x.tax_registrations <> '[]' LIMIT 1) y)`, nil, keyRows)

// loadTaxRegistrations reads the tax registrations of the customers. If no organization of the batch has any,
// which is usual, an index of customers with registrations tells that, and no customer is read.
func loadTaxRegistrations(b *stageBatch, batch *pgx.Batch) {
	selectTaxRegistrations.Queue(batch, nil, b.keys).Query(func(rows pgx.Rows) error {
		for rows.Next() {
			var organizationID, id string
			var registrations []models.CustomerTaxRegistration
			if err := rows.Scan(&organizationID, &id, &registrations); err != nil {
				return err
			}
			if t := b.of(organizationID, id); t != nil {
				t.Customer.TaxRegistrations = registrations
			}
		}
		return rows.Err()
	})
}

var selectStageItems = pg.Prepare(`
	SELECT i.organization_id, i.transaction_id, i.line_no, i.id, i.external_id, i.external_product_id, i.quantity,
	       i.amount, i.total_discount,
	       i.tax_amount_imported, i.exempt_sent, i.tax_exemption_sent, i.exempt, i.tax_exemption, i.exemption_id,
	       i.tax_items,
	       i.original_line_no, i.sent -> 'terms', i.sent -> 'gross', i.sent ->> 'exemption_category',
	       p.tax_class, p.classification, p.tax_exempt
	  FROM {key}
	 CROSS JOIN LATERAL (
	   SELECT x.* FROM transaction_items x WHERE x.organization_id = key.organization_id
	     AND x.transaction_id = key.id OFFSET 0) i
	 CROSS JOIN LATERAL (
	   SELECT x.* FROM products x WHERE x.organization_id = i.organization_id AND x.id = i.product_id OFFSET 0) p
	 ORDER BY i.organization_id, i.transaction_id, i.line_no`, nil, keyRows)

func loadItems(b *stageBatch, batch *pgx.Batch) {
	selectStageItems.Queue(batch, nil, b.keys).Query(func(rows pgx.Rows) error {
		for rows.Next() {
			var i models.TransactionItem
			var terms *tax.DiscountTerms
			var gross *models.GrossPrice
			var category *string
			if err := rows.Scan(&i.OrganizationID, &i.TransactionID, &i.LineNo, &i.ID, &i.ExternalID, &i.ExternalProductID,
				&i.Quantity, &i.Amount, &i.TotalDiscount, &i.TaxAmountImported, &i.ExemptSent, &i.TaxExemptionSent, &i.Exempt,
				&i.TaxExemption, &i.ExemptionID, &i.TaxItems, &i.OriginalLine, &terms, &gross, &category,
				&i.TaxClass, &i.Classification, &i.ProductTaxExempt); err != nil {
				return err
			}
			if terms != nil {
				i.SetTerms(*terms)
			}
			if gross != nil {
				i.SetGross(*gross)
			}
			if category != nil {
				i.SetExemptionCategory(*category)
			}
			if t := b.of(i.OrganizationID, i.TransactionID); t != nil {
				t.Items = append(t.Items, i)
			}
		}
		return rows.Err()
	})
}

var selectExemptionCandidates = pg.Prepare(`
	SELECT t.organization_id, t.id, e.id, e.exemption_type, e.start_date, e.end_date, e.customer_id,
	       e.transaction_id, e.country_code,
	       e.jurisdiction, e.reseller, e.status, e.exemption_category
	  FROM {key}
	 CROSS JOIN LATERAL (
	    SELECT x.organization_id, x.id, x.customer_id FROM transactions x
	     WHERE x.organization_id = key.organization_id AND x.id = key.id OFFSET 0) t
	 CROSS JOIN LATERAL (
	    SELECT * FROM exemptions c WHERE c.organization_id = t.organization_id AND c.customer_id = t.customer_id
	      AND c.transaction_id IS NULL
	    UNION
	    SELECT * FROM exemptions x WHERE x.organization_id = t.organization_id AND x.transaction_id = t.id
	    UNION
	    SELECT n.* FROM transaction_exemptions l JOIN exemptions n ON n.organization_id = l.organization_id
	      AND n.id = l.exemption_id
	     WHERE l.organization_id = t.organization_id AND l.transaction_id = t.id AND l.linked
	  ) e
	 ORDER BY t.organization_id, t.id, e.id`, nil, keyRows)

// loadExemptionCandidates reads the exemptions of the customer, those created for the transaction, and those it names.
// An exemption of one transaction never applies to another of the same customer.
func loadExemptionCandidates(b *stageBatch, batch *pgx.Batch) {
	selectExemptionCandidates.Queue(batch, nil, b.keys).Query(func(rows pgx.Rows) error {
		for rows.Next() {
			var organizationID, transactionID string
			var e models.Exemption
			if err := rows.Scan(&organizationID, &transactionID, &e.ID, &e.ExemptionType, &e.StartDate, &e.EndDate,
				&e.CustomerID, &e.TransactionID, &e.CountryCode, &e.Jurisdiction, &e.Reseller, &e.Status,
				&e.ExemptionCategory); err != nil {
				return err
			}
			if t := b.of(organizationID, transactionID); t != nil {
				e.OrganizationID = organizationID
				t.Exemptions = append(t.Exemptions, e)
			}
		}
		return rows.Err()
	})
}

var selectResellers = pg.Prepare(`
	SELECT DISTINCT i.organization_id, i.transaction_id, e.id
	  FROM {key}
	 CROSS JOIN LATERAL (
	   SELECT x.organization_id, x.transaction_id, x.exemption_id FROM transaction_items x
	    WHERE x.organization_id = key.organization_id AND x.transaction_id = key.id
	      AND x.exemption_id IS NOT NULL OFFSET 0) i
	 CROSS JOIN LATERAL (
	   SELECT x.id FROM exemptions x
	    WHERE x.organization_id = i.organization_id AND x.id = i.exemption_id AND x.reseller OFFSET 0) e`, nil, keyRows)

// loadResellers reads the resale exemptions of lines.
func loadResellers(b *stageBatch, batch *pgx.Batch) {
	selectResellers.Queue(batch, nil, b.keys).Query(func(rows pgx.Rows) error {
		var organizationID, transactionID, id string
		_, err := pgx.ForEachRow(rows, []any{&organizationID, &transactionID, &id}, func() error {
			if t := b.of(organizationID, transactionID); t != nil {
				t.Resellers = append(t.Resellers, id)
			}
			return nil
		})
		return err
	})
}

var selectExemptionCategories = pg.Prepare(`
	SELECT DISTINCT i.organization_id, i.transaction_id, e.id, e.category
	  FROM {key}
	 CROSS JOIN LATERAL (
	   SELECT x.organization_id, x.transaction_id, x.exemption_id FROM transaction_items x
	    WHERE x.organization_id = key.organization_id AND x.transaction_id = key.id
	      AND x.exemption_id IS NOT NULL OFFSET 0) i
	 CROSS JOIN LATERAL (
	   SELECT x.id, coalesce(x.exemption_category, 'RESALE') AS category FROM exemptions x
	    WHERE x.organization_id = i.organization_id AND x.id = i.exemption_id
	      AND (x.exemption_category IS NOT NULL OR x.reseller OR x.exemption_type = 'wholesale') OFFSET 0) e`, nil, keyRows)

// loadExemptionCategories reads the categories of the exemptions of lines, as models.Exemption.Category decides them.
func loadExemptionCategories(b *stageBatch, batch *pgx.Batch) {
	selectExemptionCategories.Queue(batch, nil, b.keys).Query(func(rows pgx.Rows) error {
		var organizationID, transactionID, id, category string
		_, err := pgx.ForEachRow(rows, []any{&organizationID, &transactionID, &id, &category}, func() error {
			if t := b.of(organizationID, transactionID); t != nil {
				if t.ExemptionCategories == nil {
					t.ExemptionCategories = map[string]string{}
				}
				t.ExemptionCategories[id] = category
			}
			return nil
		})
		return err
	})
}
