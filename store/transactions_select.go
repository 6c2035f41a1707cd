package store

import "levy/models"

// The statements that read transactions, each with the places its columns go to.

const selectTransactions = transactionColumnsRead + `
	  FROM transactions t` + withCustomer

const transactionColumnsRead = `
	SELECT t.organization_id, t.id, t.external_id, t.type, t.status, t.processing_status, t.processing_reason, t.epoch, t.revision,
	       t.date, t.tax_date, t.shop_date, t.shop_date_tz, t.description, t.refund_status, t.currency, t.total_amount, t.subtotal,
	       t.total_discount, t.customer_id, t.marketplace, t.exempt_sent, t.exempt, t.related_to, t.secondary_external_id,
	       t.secondary_source, t.external_friendly_id, t.source, t.connection_id, t.filing_id, t.batch_id, t.tax_id, t.requires_exemption,
	       t.total_tax_amount_imported, t.tax_rate_imported, t.total_tax_amount_calculated, t.tax_rate_calculated,
	       t.total_tax_liability_amount, t.tax_liability_source, t.taxable_amount, t.destination_currency, t.conversion_rate,
	       t.city, t.county, t.state, t.postal_code, t.country, t.address_status, t.ambiguous, t.content_version, t.created_at, t.updated_at,
	       c.external_id, c.name, c.status, c.email, c.phone, c.street_1, c.street_2, c.city, c.county, c.state, c.postal_code, c.country,
	       c.full_address, c.address_status, c.source, c.connection_id, c.registration_number, c.external_friendly_id, c.tax_registrations,
	       c.created_at, c.updated_at`

// selectPage reads the transactions whose keys "page" found. The organization is no
// constant to the planner: of one that has grown since the table was analyzed it
// believes that it has a row or none, and that any index finds that as fast as the
// primary key.
func selectPage(ids *statement, keys sortKeysOfTransactions) string {
	return "WITH page AS MATERIALIZED (SELECT $1::text AS organization_id, p.key FROM (" + ids.sql + ") p)" + transactionColumnsRead + `
	  FROM page
	 CROSS JOIN LATERAL (
	   SELECT * FROM transactions x WHERE x.organization_id = page.organization_id AND x.` + keys.name() + ` = page.key OFFSET 0) t
	 CROSS JOIN LATERAL (
	   SELECT * FROM customers x WHERE x.organization_id = t.organization_id AND x.id = t.customer_id OFFSET 0) c` + keys.orderBy(false)
}

const withCustomer = " JOIN customers c ON c.organization_id = t.organization_id AND c.id = t.customer_id"

func transactionTargets(t *models.Transaction) []any {
	c := &t.Customer
	return []any{
		&t.OrganizationID, &t.ID, &t.ExternalID, &t.Type, &t.Status, &t.ProcessingStatus, &t.ProcessingReason, &t.Epoch, &t.Revision,
		&t.Date, &t.TaxDate, &t.ShopDate, &t.ShopDateTZ, &t.Description, &t.RefundStatus, &t.Currency, &t.TotalAmount, &t.Subtotal,
		&t.TotalDiscount, &t.CustomerID, &t.Marketplace, &t.ExemptSent, &t.Exempt, &t.RelatedTo, &t.SecondaryExternalID,
		&t.SecondarySource, &t.ExternalFriendlyID, &t.Source, &t.ConnectionID, &t.FilingID, &t.BatchID, &t.TaxID, &t.RequiresExemption,
		&t.TotalTaxAmountImported, &t.TaxRateImported, &t.TotalTaxAmountCalculated, &t.TaxRateCalculated,
		&t.TotalTaxLiabilityAmount, &t.TaxLiabilitySource, &t.TaxableAmount, &t.DestinationCurrency, &t.ConversionRate,
		&t.City, &t.County, &t.State, &t.PostalCode, &t.Country, &t.AddressStatus, &t.Ambiguous, &t.ContentVersion, &t.CreatedAt, &t.UpdatedAt,
		&c.ExternalID, &c.Name, &c.Status, &c.Email, &c.Phone, &c.Street1, &c.Street2, &c.City, &c.County, &c.State, &c.PostalCode, &c.Country,
		&c.FullAddress, &c.AddressStatus, &c.Source, &c.ConnectionID, &c.RegistrationNumber, &c.ExternalFriendlyID, &c.TaxRegistrations,
		&c.CreatedAt, &c.UpdatedAt,
	}
}

const selectItems = `
	SELECT i.organization_id, i.transaction_id, i.line_no, i.id, i.date, i.external_product_id, i.product_id, i.external_id, i.description,
	       i.product, i.product_name, i.product_description, i.quantity, i.amount, i.total_discount, i.tax_amount_imported,
	       i.tax_rate_imported, i.tax_amount_calculated, i.tax_rate_calculated, i.taxable_amount, i.exempt_sent, i.tax_exemption_sent,
	       i.exempt, i.tax_exemption, i.exemption_id, i.tax_items
	  FROM transaction_items i
	 WHERE i.organization_id = $1 AND i.transaction_id `

func itemTargets(i *models.TransactionItem) []any {
	return []any{
		&i.OrganizationID, &i.TransactionID, &i.LineNo, &i.ID, &i.Date, &i.ExternalProductID, &i.ProductID, &i.ExternalID, &i.Description,
		&i.Product, &i.ProductName, &i.ProductDescription, &i.Quantity, &i.Amount, &i.TotalDiscount, &i.TaxAmountImported,
		&i.TaxRateImported, &i.TaxAmountCalculated, &i.TaxRateCalculated, &i.TaxableAmount, &i.ExemptSent, &i.TaxExemptionSent,
		&i.Exempt, &i.TaxExemption, &i.ExemptionID, &i.TaxItems,
	}
}

const selectAddresses = `
	SELECT a.organization_id, a.transaction_id, a.type, a.id, a.street_1, a.street_2, a.city, a.county, a.state, a.postal_code, a.country,
	       a.full_address, a.phone, a.is_unincorporated, a.status, a.connection_id
	  FROM transaction_addresses a
	 WHERE a.organization_id = $1 AND a.transaction_id `

func addressTargets(a *models.TransactionAddress) []any {
	return []any{
		&a.OrganizationID, &a.TransactionID, &a.Type, &a.ID, &a.Street1, &a.Street2, &a.City, &a.County, &a.State, &a.PostalCode, &a.Country,
		&a.FullAddress, &a.Phone, &a.IsUnincorporated, &a.Status, &a.ConnectionID,
	}
}

const selectAppliedExemptions = `
	SELECT l.transaction_id, e.organization_id, e.id, e.exemption_type, e.start_date, e.end_date, e.customer_id, e.transaction_id,
	       e.country_code, e.jurisdiction, e.reseller, e.fein, e.sales_tax_id, e.status, e.created_at, e.updated_at,
	       (SELECT json_agg(json_build_object('ID', a.id, 'ExemptionID', a.exemption_id, 'Filename', a.filename, 'ContentType', a.content_type,
	                        'Size', a.size, 'SHA256', encode(a.sha256, 'base64'), 'CreatedAt', a.created_at) ORDER BY a.created_at, a.id)
	          FROM exemption_attachments a WHERE a.organization_id = e.organization_id AND a.exemption_id = e.id)
	  FROM transaction_exemptions l JOIN exemptions e ON e.organization_id = l.organization_id AND e.id = l.exemption_id
	 WHERE l.organization_id = $1 AND l.applied AND l.transaction_id `

func exemptionTargets(e *models.Exemption) []any {
	return []any{
		&e.OrganizationID, &e.ID, &e.ExemptionType, &e.StartDate, &e.EndDate, &e.CustomerID, &e.TransactionID,
		&e.CountryCode, &e.Jurisdiction, &e.Reseller, &e.FEIN, &e.SalesTaxID, &e.Status, &e.CreatedAt, &e.UpdatedAt,
	}
}
