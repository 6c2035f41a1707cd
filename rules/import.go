package rules

import (
	"slices"

	"github.com/govalues/decimal"

	"levy/models"
)

// DifferingColumns lists the columns of a file in which a transaction differs from the stored one. columns are the
// columns of the file. An address is equal if it is as submitted, or as processing corrected it. Computed columns and
// empty parts of an address are not compared. Neither are a total that the row lacks, and the tax of the transaction if
// the file has no such column.
func DifferingColumns(d *models.TransactionDraft, stored *models.StoredSale, columns []string) []string {
	if len(stored.Lines) == 0 {
		return []string{"external_id"}
	}
	c := &comparison{}
	first := &stored.Lines[0]
	credit := first.Type.IsCredit()
	c.same(
		"type",
		d.Type == first.Type || d.Type.IsCredit() && credit &&
			(d.Type == models.TypeTaxRefund) == (first.Type == models.TypeTaxRefund),
	)
	c.same("status", d.Status == first.Status)
	c.same("date", d.Date.Equal(first.Date))
	c.same("tax_date", d.TaxDate.Equal(first.TaxDate))
	c.same("currency", d.Currency == first.Currency)
	c.same("customer_external_id", credit || d.Customer.ExternalID == first.CustomerExternalID)
	c.same("marketplace", credit || d.Marketplace == first.Marketplace)
	if slices.Contains(columns, "prices_include_tax") {
		c.same("prices_include_tax", credit || d.PricesIncludeTax() == first.PricesIncludeTax)
	}
	c.same("related_to", text(d.RelatedTo) == text(first.RelatedTo))
	if credit || !d.TotalMissing {
		c.money("transaction_total_amount", d.TotalAmount, first.TransactionTotal, credit)
	}
	follows := d.Sent.TaxFromOriginal && d.TotalTaxAmountImported.IsZero() // the file does not say it
	if slices.Contains(columns, "transaction_tax_amount_imported") && !follows {
		c.money("transaction_tax_amount_imported", d.TotalTaxAmountImported, first.TransactionTaxImported, credit)
	}
	c.address(d, first, &stored.Sent)
	if credit { // its lines may have been written from those of the sale
		return c.differing
	}
	c.same("item_id", len(d.Items) == len(stored.Lines))
	for i := range min(len(d.Items), len(stored.Lines)) {
		item, line := &d.Items[i], &stored.Lines[i]
		c.same("item_external_id", text(item.ExternalID) == text(line.ItemExternalID))
		c.same("external_product_id", item.ExternalProductID == line.ExternalProductID)
		c.money("quantity", item.Quantity, line.Quantity, false)
		c.money("amount", item.Amount, line.Amount, false)
		c.money("discount", item.TotalDiscount, line.Discount, false)
		c.money("tax_amount_imported", item.TaxAmountImported, line.TaxAmountImported, false)
		terms := valueOf(item.Terms())
		if slices.Contains(columns, "reimbursed_by") {
			c.same("reimbursed_by", terms.ReimbursedBy == line.ReimbursedBy)
		}
		if slices.Contains(columns, "trade_in") {
			c.same("trade_in", terms.TradeIn == line.TradeIn)
		}
	}
	return c.differing
}

// comparison collects the columns that differ, each once.
type comparison struct{ differing []string }

func (c *comparison) same(column string, same bool) {
	if !same && !slices.Contains(c.differing, column) {
		c.differing = append(c.differing, column)
	}
}

func (c *comparison) money(column string, a, b decimal.Decimal, anySign bool) {
	c.same(column, a.Cmp(b) == 0 || anySign && a.CmpAbs(b) == 0)
}

func (c *comparison) address(d *models.TransactionDraft, now *models.ExportLine, sent *models.TransactionAddress) {
	for i := range d.Addresses {
		a := &d.Addresses[i]
		if a.Type != models.ShipTo {
			continue
		}
		for _, part := range []struct {
			column         string
			says, sent, is *string
		}{
			{"street_1", a.Street1, sent.Street1, now.Street},
			{"country", a.Country, sent.Country, now.Country},
			{"state", a.State, sent.State, now.State},
			{"county", a.County, sent.County, now.County},
			{"city", a.City, sent.City, now.City},
			{"postal_code", a.PostalCode, sent.PostalCode, now.PostalCode},
		} {
			said := text(part.says)
			c.same(part.column, said == "" || said == text(part.sent) || said == text(part.is))
		}
	}
}
