package store

import "levy/models"

// The columns that an insert writes, with how each value is written as text.

var customerColumns = []column[models.Customer]{
	{"organization_id", "text", func(c *models.Customer) *string { return text(c.OrganizationID) }},
	{"id", "text", func(c *models.Customer) *string { return text(c.ID) }},
	{"external_id", "text", func(c *models.Customer) *string { return text(c.ExternalID) }},
	{"name", "text", func(c *models.Customer) *string { return c.Name }},
	{"status", "text", func(c *models.Customer) *string { return text(c.Status) }},
	{"email", "text", func(c *models.Customer) *string { return c.Email }},
	{"phone", "text", func(c *models.Customer) *string { return c.Phone }},
	{"street_1", "text", func(c *models.Customer) *string { return c.Street1 }},
	{"street_2", "text", func(c *models.Customer) *string { return c.Street2 }},
	{"city", "text", func(c *models.Customer) *string { return c.City }},
	{"county", "text", func(c *models.Customer) *string { return c.County }},
	{"state", "text", func(c *models.Customer) *string { return c.State }},
	{"postal_code", "text", func(c *models.Customer) *string { return c.PostalCode }},
	{"country", "text", func(c *models.Customer) *string { return c.Country }},
	{"full_address", "text", func(c *models.Customer) *string { return c.FullAddress }},
	{"address_status", "text", func(c *models.Customer) *string { return text(c.AddressStatus) }},
	{"source", "text", func(c *models.Customer) *string { return text(c.Source) }},
	{"connection_id", "text", func(c *models.Customer) *string { return c.ConnectionID }},
	{"registration_number", "text", func(c *models.Customer) *string { return c.RegistrationNumber }},
	{"external_friendly_id", "text", func(c *models.Customer) *string { return c.ExternalFriendlyID }},
	{"tax_registrations", "jsonb", func(c *models.Customer) *string { return jsonText(c.TaxRegistrations) }},
	{"created_at", "timestamptz", func(c *models.Customer) *string { return instant(c.CreatedAt) }},
	{"updated_at", "timestamptz", func(c *models.Customer) *string { return instant(c.UpdatedAt) }},
}

// transactionColumns leaves out what processing writes later.
var transactionColumns = []column[models.TransactionDraft]{
	{"organization_id", "text", func(t *models.TransactionDraft) *string { return text(t.OrganizationID) }},
	{"id", "text", func(t *models.TransactionDraft) *string { return text(t.ID) }},
	{"external_id", "text", func(t *models.TransactionDraft) *string { return text(t.ExternalID) }},
	{"type", "text", func(t *models.TransactionDraft) *string { return text(t.Type) }},
	{"status", "text", func(t *models.TransactionDraft) *string { return text(t.Status) }},
	{"processing_status", "text", func(t *models.TransactionDraft) *string { return text(t.ProcessingStatus) }},
	{"epoch", "integer", func(t *models.TransactionDraft) *string { return integer(t.Epoch) }},
	{"revision", "integer", func(t *models.TransactionDraft) *string { return integer(t.Revision) }},
	{"date", "timestamptz", func(t *models.TransactionDraft) *string { return instant(t.Date) }},
	{"tax_date", "date", func(t *models.TransactionDraft) *string { return day(t.TaxDate) }},
	{"shop_date", "text", func(t *models.TransactionDraft) *string { return t.ShopDate }},
	{"shop_date_tz", "text", func(t *models.TransactionDraft) *string { return t.ShopDateTZ }},
	{"description", "text", func(t *models.TransactionDraft) *string { return t.Description }},
	{"refund_status", "text", func(t *models.TransactionDraft) *string { return t.RefundStatus }},
	{"currency", "text", func(t *models.TransactionDraft) *string { return text(t.Currency) }},
	{"total_amount", "numeric", func(t *models.TransactionDraft) *string { return number(t.TotalAmount) }},
	{"subtotal", "numeric", func(t *models.TransactionDraft) *string { return number(t.Subtotal) }},
	{"total_discount", "numeric", func(t *models.TransactionDraft) *string { return number(t.TotalDiscount) }},
	{"customer_id", "text", func(t *models.TransactionDraft) *string { return text(t.CustomerID) }},
	{"marketplace", "boolean", func(t *models.TransactionDraft) *string { return boolean(t.Marketplace) }},
	{"exempt_sent", "text", func(t *models.TransactionDraft) *string { return text(t.ExemptSent) }},
	{"exempt", "text", func(t *models.TransactionDraft) *string { return text(t.Exempt) }},
	{"related_to", "text", func(t *models.TransactionDraft) *string { return t.RelatedTo }},
	{"secondary_external_id", "text", func(t *models.TransactionDraft) *string { return t.SecondaryExternalID }},
	{"secondary_source", "text", func(t *models.TransactionDraft) *string { return t.SecondarySource }},
	{"external_friendly_id", "text", func(t *models.TransactionDraft) *string { return t.ExternalFriendlyID }},
	{"source", "text", func(t *models.TransactionDraft) *string { return text(t.Source) }},
	{"connection_id", "text", func(t *models.TransactionDraft) *string { return t.ConnectionID }},
	{"batch_id", "text", func(t *models.TransactionDraft) *string { return t.BatchID }},
	{"tax_id", "text", func(t *models.TransactionDraft) *string { return t.TaxID }},
	{"requires_exemption", "jsonb", func(t *models.TransactionDraft) *string { return optional(string(t.RequiresExemption)) }},
	{"sent", "jsonb", func(t *models.TransactionDraft) *string {
		if t.Sent.IsZero() {
			return nil
		}
		return jsonText(t.Sent)
	}},
	{"total_tax_amount_imported", "numeric", func(t *models.TransactionDraft) *string { return number(t.TotalTaxAmountImported) }},
	{"tax_rate_imported", "numeric", func(t *models.TransactionDraft) *string { return number(t.TaxRateImported) }},
	{"total_tax_amount_calculated", "numeric", func(t *models.TransactionDraft) *string { return number(t.TotalTaxAmountCalculated) }},
	{"tax_rate_calculated", "numeric", func(t *models.TransactionDraft) *string { return number(t.TaxRateCalculated) }},
	{"total_tax_liability_amount", "numeric", func(t *models.TransactionDraft) *string { return number(t.TotalTaxLiabilityAmount) }},
	{"tax_liability_source", "text", func(t *models.TransactionDraft) *string { return (*string)(t.TaxLiabilitySource) }},
	{"taxable_amount", "numeric", func(t *models.TransactionDraft) *string { return number(t.TaxableAmount) }},
	{"city", "text", func(t *models.TransactionDraft) *string { return t.City }},
	{"county", "text", func(t *models.TransactionDraft) *string { return t.County }},
	{"state", "text", func(t *models.TransactionDraft) *string { return t.State }},
	{"postal_code", "text", func(t *models.TransactionDraft) *string { return t.PostalCode }},
	{"country", "text", func(t *models.TransactionDraft) *string { return t.Country }},
	{"address_status", "text", func(t *models.TransactionDraft) *string { return text(t.AddressStatus) }},
	{"ambiguous", "boolean", func(t *models.TransactionDraft) *string { return boolean(t.Ambiguous) }},
	{"created_at", "timestamptz", func(t *models.TransactionDraft) *string { return instant(t.CreatedAt) }},
	{"updated_at", "timestamptz", func(t *models.TransactionDraft) *string { return instant(t.UpdatedAt) }},
}

var itemColumns = []column[models.TransactionItem]{
	{"organization_id", "text", func(i *models.TransactionItem) *string { return text(i.OrganizationID) }},
	{"transaction_id", "text", func(i *models.TransactionItem) *string { return text(i.TransactionID) }},
	{"line_no", "integer", func(i *models.TransactionItem) *string { return integer(i.LineNo) }},
	{"id", "text", func(i *models.TransactionItem) *string { return text(i.ID) }},
	{"date", "timestamptz", func(i *models.TransactionItem) *string { return instant(i.Date) }},
	{"external_product_id", "text", func(i *models.TransactionItem) *string { return text(i.ExternalProductID) }},
	{"product_id", "text", func(i *models.TransactionItem) *string { return text(i.ProductID) }},
	{"external_id", "text", func(i *models.TransactionItem) *string { return i.ExternalID }},
	{"description", "text", func(i *models.TransactionItem) *string { return i.Description }},
	{"product", "text", func(i *models.TransactionItem) *string { return i.Product }},
	{"product_name", "text", func(i *models.TransactionItem) *string { return i.ProductName }},
	{"product_description", "text", func(i *models.TransactionItem) *string { return i.ProductDescription }},
	{"quantity", "numeric", func(i *models.TransactionItem) *string { return number(i.Quantity) }},
	{"amount", "numeric", func(i *models.TransactionItem) *string { return number(i.Amount) }},
	{"total_discount", "numeric", func(i *models.TransactionItem) *string { return number(i.TotalDiscount) }},
	{"tax_amount_imported", "numeric", func(i *models.TransactionItem) *string { return number(i.TaxAmountImported) }},
	{"tax_rate_imported", "numeric", func(i *models.TransactionItem) *string { return number(i.TaxRateImported) }},
	{"tax_amount_calculated", "numeric", func(i *models.TransactionItem) *string { return number(i.TaxAmountCalculated) }},
	{"tax_rate_calculated", "numeric", func(i *models.TransactionItem) *string { return number(i.TaxRateCalculated) }},
	{"taxable_amount", "numeric", func(i *models.TransactionItem) *string { return number(i.TaxableAmount) }},
	{"exempt_sent", "boolean", func(i *models.TransactionItem) *string { return boolean(i.ExemptSent) }},
	{"tax_exemption_sent", "text", func(i *models.TransactionItem) *string { return i.TaxExemptionSent }},
	{"exempt", "boolean", func(i *models.TransactionItem) *string { return boolean(i.Exempt) }},
	{"tax_exemption", "text", func(i *models.TransactionItem) *string { return i.TaxExemption }},
	{"tax_items", "jsonb", func(i *models.TransactionItem) *string { return jsonText(i.TaxItems) }},
	{"original_line_no", "integer", func(i *models.TransactionItem) *string {
		if i.OriginalLine == nil {
			return nil
		}
		return integer(*i.OriginalLine)
	}},
}

var addressColumns = []column[models.TransactionAddress]{
	{"organization_id", "text", func(a *models.TransactionAddress) *string { return text(a.OrganizationID) }},
	{"transaction_id", "text", func(a *models.TransactionAddress) *string { return text(a.TransactionID) }},
	{"type", "text", func(a *models.TransactionAddress) *string { return text(a.Type) }},
	{"id", "text", func(a *models.TransactionAddress) *string { return text(a.ID) }},
	{"street_1", "text", func(a *models.TransactionAddress) *string { return a.Street1 }},
	{"street_2", "text", func(a *models.TransactionAddress) *string { return a.Street2 }},
	{"city", "text", func(a *models.TransactionAddress) *string { return a.City }},
	{"county", "text", func(a *models.TransactionAddress) *string { return a.County }},
	{"state", "text", func(a *models.TransactionAddress) *string { return a.State }},
	{"postal_code", "text", func(a *models.TransactionAddress) *string { return a.PostalCode }},
	{"country", "text", func(a *models.TransactionAddress) *string { return a.Country }},
	{"full_address", "text", func(a *models.TransactionAddress) *string { return a.FullAddress }},
	{"phone", "text", func(a *models.TransactionAddress) *string { return a.Phone }},
	{"is_unincorporated", "boolean", func(a *models.TransactionAddress) *string { return boolean(a.IsUnincorporated) }},
	{"status", "text", func(a *models.TransactionAddress) *string { return text(a.Status) }},
	{"connection_id", "text", func(a *models.TransactionAddress) *string { return a.ConnectionID }},
}

var exemptionColumns = []column[models.Exemption]{
	{"organization_id", "text", func(e *models.Exemption) *string { return text(e.OrganizationID) }},
	{"id", "text", func(e *models.Exemption) *string { return text(e.ID) }},
	{"exemption_type", "text", func(e *models.Exemption) *string { return text(e.ExemptionType) }},
	{"start_date", "date", func(e *models.Exemption) *string { return day(e.StartDate) }},
	{"end_date", "date", func(e *models.Exemption) *string { return optionalDay(e.EndDate) }},
	{"customer_id", "text", func(e *models.Exemption) *string { return e.CustomerID }},
	{"transaction_id", "text", func(e *models.Exemption) *string { return e.TransactionID }},
	{"country_code", "text", func(e *models.Exemption) *string { return text(e.CountryCode) }},
	{"jurisdiction", "text", func(e *models.Exemption) *string { return e.Jurisdiction }},
	{"reseller", "boolean", func(e *models.Exemption) *string { return boolean(e.Reseller) }},
	{"fein", "text", func(e *models.Exemption) *string { return e.FEIN }},
	{"sales_tax_id", "text", func(e *models.Exemption) *string { return e.SalesTaxID }},
	{"status", "text", func(e *models.Exemption) *string { return text(e.Status) }},
	{"created_at", "timestamptz", func(e *models.Exemption) *string { return instant(e.CreatedAt) }},
}

var linkColumns = []column[transactionLink]{
	{"organization_id", "text", func(l *transactionLink) *string { return text(l.organizationID) }},
	{"transaction_id", "text", func(l *transactionLink) *string { return text(l.transactionID) }},
	{"exemption_id", "text", func(l *transactionLink) *string { return text(l.exemptionID) }},
	{"linked", "boolean", func(*transactionLink) *string { return boolean(true) }},
	{"applied", "boolean", func(*transactionLink) *string { return boolean(false) }},
}

// transactionLink ties a transaction to a stored exemption it names.
type transactionLink struct{ organizationID, transactionID, exemptionID string }

var auditColumns = []column[models.AuditEntry]{
	{"organization_id", "text", func(a *models.AuditEntry) *string { return text(a.OrganizationID) }},
	{"id", "text", func(a *models.AuditEntry) *string { return text(a.ID) }},
	{"api_key_id", "text", func(a *models.AuditEntry) *string { return a.APIKeyID }},
	{"request_id", "text", func(a *models.AuditEntry) *string { return a.RequestID }},
	{"action", "text", func(a *models.AuditEntry) *string { return text(a.Action) }},
	{"entity_type", "text", func(a *models.AuditEntry) *string { return text(a.EntityType) }},
	{"entity_id", "text", func(a *models.AuditEntry) *string { return text(a.EntityID) }},
	{"revision", "integer", func(a *models.AuditEntry) *string {
		if a.Revision == nil {
			return nil
		}
		return integer(*a.Revision)
	}},
	{"detail", "jsonb", func(a *models.AuditEntry) *string {
		if a.Detail == nil {
			return nil
		}
		return jsonText(a.Detail)
	}},
}

var outboxColumns = []column[models.OutboxRow]{
	{"organization_id", "text", func(o *models.OutboxRow) *string { return text(o.OrganizationID) }},
	{"kind", "smallint", func(*models.OutboxRow) *string { return integer(int(models.OutboxTransaction)) }},
	{"aggregate_id", "text", func(o *models.OutboxRow) *string { return text(o.ID) }},
	{"epoch", "integer", func(o *models.OutboxRow) *string { return integer(o.Epoch) }},
}
