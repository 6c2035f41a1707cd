package rules

import (
	"slices"
	"strconv"
	"strings"

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
	c := &comparison{columns: columns}
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
	c.same("customer_external_id", credit || sameIdentifier(d.Customer.ExternalID, first.CustomerExternalID))
	c.same("marketplace", credit || d.Marketplace == first.Marketplace)
	if slices.Contains(columns, "prices_include_tax") {
		c.same("prices_include_tax", credit || d.PricesIncludeTax() == first.PricesIncludeTax)
	}
	inherits := credit && d.ShopDateTZ == nil // from its sale
	if slices.Contains(columns, "shop_date_tz") && !inherits {
		c.same("shop_date_tz", text(d.ShopDateTZ) == text(first.ShopDateTZ))
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
	if !c.sameLines(d.Items, stored.Lines) {
		c.lines(d.Items, stored.Lines)
	}
	return c.differing
}

// sameLines reports whether lines are those of a stored transaction, in any order.
func (c *comparison) sameLines(items []models.TransactionItem, lines []models.ExportLine) bool {
	// guard: files: an order with a line more or less than the recorded one is another order
	if len(items) != len(lines) {
		return false
	}
	count := make(map[string]int, len(items))
	for i := range items {
		item := lineOf(&items[i])
		count[c.lineText(&item)]++
	}
	for i := range lines {
		text := c.lineText(&lines[i])
		if count[text]--; count[text] < 0 {
			return false
		}
	}
	return true
}

// lineOf returns a line as an export has it.
func lineOf(item *models.TransactionItem) models.ExportLine {
	terms := valueOf(item.Terms())
	return models.ExportLine{
		ItemExternalID: item.ExternalID, ExternalProductID: item.ExternalProductID, Quantity: item.Quantity,
		Amount: item.Amount, Discount: item.TotalDiscount, TaxAmountImported: item.TaxAmountImported,
		ReimbursedBy: terms.ReimbursedBy, TradeIn: terms.TradeIn, ExemptionCategory: item.ExemptionCategorySent(),
	}
}

// lineText returns the content of a line as a text. Equal numbers have equal texts.
func (c *comparison) lineText(line *models.ExportLine) string {
	b := strconv.AppendQuote(nil, strings.TrimSpace(text(line.ItemExternalID)))
	b = strconv.AppendQuote(b, strings.TrimSpace(line.ExternalProductID))
	for _, n := range []decimal.Decimal{line.Quantity, line.Amount, line.Discount, line.TaxAmountImported} {
		b = append(append(b, ' '), n.Trim(0).String()...)
	}
	if slices.Contains(c.columns, "reimbursed_by") {
		b = strconv.AppendQuote(b, string(line.ReimbursedBy))
	}
	if slices.Contains(c.columns, "trade_in") {
		b = strconv.AppendBool(b, line.TradeIn)
	}
	if slices.Contains(c.columns, "exemption_category") {
		b = strconv.AppendQuote(b, line.ExemptionCategory)
	}
	return string(b)
}

// lines adds the columns in which lines differ, one after the other.
func (c *comparison) lines(items []models.TransactionItem, lines []models.ExportLine) {
	c.same("item_id", len(items) == len(lines))
	for i := range min(len(items), len(lines)) {
		item, line := lineOf(&items[i]), &lines[i]
		c.same("item_external_id", sameIdentifier(text(item.ItemExternalID), text(line.ItemExternalID)))
		c.same("external_product_id", sameIdentifier(item.ExternalProductID, line.ExternalProductID))
		c.money("quantity", item.Quantity, line.Quantity, false)
		c.money("amount", item.Amount, line.Amount, false)
		c.money("discount", item.Discount, line.Discount, false)
		c.money("tax_amount_imported", item.TaxAmountImported, line.TaxAmountImported, false)
		if slices.Contains(c.columns, "reimbursed_by") {
			c.same("reimbursed_by", item.ReimbursedBy == line.ReimbursedBy)
		}
		if slices.Contains(c.columns, "trade_in") {
			c.same("trade_in", item.TradeIn == line.TradeIn)
		}
		if slices.Contains(c.columns, "exemption_category") {
			c.same("exemption_category", item.ExemptionCategory == line.ExemptionCategory)
		}
	}
}

// sameIdentifier compares identifiers without the white space around them, which older records may have.
func sameIdentifier(a, b string) bool { return strings.TrimSpace(a) == strings.TrimSpace(b) }

// comparison collects the columns that differ, each once.
type comparison struct {
	columns   []string // of the file
	differing []string
}

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
			said, same := text(part.says), text(part.sent)
			if part.column == "postal_code" {
				same = RestorePostalCode(text(sent.Country), text(sent.State), same)
			}
			c.same(part.column, said == "" || said == text(part.sent) || said == same || said == text(part.is))
		}
	}
}
