package ledger

import (
	"slices"
	"strings"

	"levy/models"
)

// Version encodes a version of a transaction as it was accepted: all that was submitted and that processing and erasure
// leave. t must have the submitted prices, see rules.AsSubmitted. Tax ids and phone numbers are no part of it, because
// they are personal, nor is the record of the customer.
func Version(t *models.Transaction) []byte {
	c := make(content, 0, 640)
	c = append(c, KindVersion, 1)
	c.text(t.OrganizationID)
	c.text(t.ID)
	c.integer(t.Revision)
	c.text(t.ExternalID)
	c.text(string(t.Type))
	c.text(string(t.Status))
	c.instant(t.Date)
	c.day(t.TaxDate)
	if t.Revision == 1 { // a later version keeps it
		c.instant(t.CreatedAt)
	}
	c.text(t.Currency)
	c.number(t.TotalAmount)
	c.number(t.Subtotal)
	c.number(t.TotalDiscount)
	c.optionalNumber(t.GrossAmount)
	c.number(t.TotalTaxAmountImported)
	c.number(t.TaxRateImported)
	c.boolean(t.Marketplace)
	c.text(string(t.ExemptSent))
	c.text(t.CustomerID)
	c.text(t.Source)
	for _, text := range []*string{
		t.ShopDate, t.ShopDateTZ, t.TaxRounding, t.Description, t.RelatedTo, t.SecondaryExternalID, t.SecondarySource,
		t.ExternalFriendlyID, t.ConnectionID,
	} {
		c.optional(text)
	}
	c.integer(len(t.Items))
	for i := range t.Items {
		c.line(&t.Items[i])
	}
	c.addresses(t.Addresses)
	return c
}

func (c *content) line(i *models.TransactionItem) {
	c.integer(i.LineNo)
	c.text(i.ID)
	c.instant(i.Date)
	c.text(i.ExternalProductID)
	c.text(i.ProductID)
	c.number(i.Quantity)
	c.number(i.Amount)
	c.number(i.TotalDiscount)
	c.number(i.TaxAmountImported)
	c.number(i.TaxRateImported)
	c.boolean(i.ExemptSent)
	c.boolean(i.OriginalLine != nil)
	if i.OriginalLine != nil {
		c.integer(*i.OriginalLine)
	}
	for _, text := range []*string{
		i.ExternalID, i.Description, i.Product, i.ProductName, i.ProductDescription, i.TaxExemptionSent,
	} {
		c.optional(text)
	}
}

// addresses encodes one address after the other by their types, of which each occurs once.
func (c *content) addresses(all []models.TransactionAddress) {
	byType := func(a, b models.TransactionAddress) int { return strings.Compare(string(a.Type), string(b.Type)) }
	if !slices.IsSortedFunc(all, byType) {
		all = slices.SortedFunc(slices.Values(all), byType)
	}
	c.integer(len(all))
	for i := range all {
		a := &all[i]
		c.text(string(a.Type))
		c.text(a.ID)
		c.boolean(a.IsUnincorporated)
		for _, text := range []*string{
			a.Street1, a.Street2, a.City, a.County, a.State, a.PostalCode, a.Country, a.FullAddress, a.ConnectionID,
		} {
			c.optional(text)
		}
	}
}
