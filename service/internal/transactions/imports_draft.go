package transactions

import (
	"cmp"
	"context"
	"fmt"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/govalues/decimal"

	"levy/contract"
	"levy/contract/problem"
	"levy/internal/csvfile"
	"levy/models"
	"levy/rules"
	"levy/service/internal/convert"
	"levy/tax"
)

// draft sets the transaction of an entry, or all its faults.
func (s *ImportSheet) draft(ctx context.Context, e *models.ImportEntry, group []csvfile.Row, now time.Time) {
	now = convert.Instant(now)
	run := s.rows.Checker.Begin(now)
	defer s.rows.Checker.End(run)
	if refusal := run.Check(ctx, s.rows.Request, s.body(group), "", false); refusal != nil {
		e.Faults = s.faults(e, group, refusal)
		return
	}
	var body contract.TransactionCreate
	err := contract.Decode(run.Body(), &body)
	unsaid := s.cell(&group[0], totalOfTransaction) == ""
	lines := amountsOfLines(&body)
	if unsaid && !e.Type.IsCredit() && !body.PricesIncludeTax { // such lines are their total
		body.TotalAmount = rules.PaidByLines(lines, body.TotalTaxAmountImported)
	}
	if rules.IsImportedTaxOf(body.TotalTaxAmountImported, lines) {
		body.TotalTaxAmountImported = decimal.Decimal{} // Levy sums the lines, also after a change
	}
	if err == nil && e.Type.IsCredit() {
		if e.Refund, err = refundDraft(s.im.Scope(), s.im.Actor(), now, &body); err == nil {
			e.Refund.OwnAddresses = len(body.Addresses) > 0
			if s.archivedRefund(&group[0]) {
				e.Refund.Status = models.StatusArchived
			}
			e.Refund.Ended = !e.Refund.Status.Reserves()
		}
	} else if err == nil {
		e.Sale, err = transactionDraft(s.im.Scope(), s.im.Actor(), now, &body)
	}
	if err != nil {
		e.Sale, e.Refund = nil, nil
		refusal := problem.Of(err)
		if refusal == nil { // a body that passes validation but cannot be read is refused
			refusal = problem.New(problem.CodeInternalError, "The row cannot be read. Please report it.")
		}
		e.Faults = s.faults(e, group, refusal)
		return
	}
	e.PostalCodeRestored = s.postalCode(&group[0]) != s.cell(&group[0], "postal_code")
	d := e.Draft()
	d.BatchID, d.TotalMissing = &s.im.ID, unsaid
	d.Customer.AddressStatus = tax.StatusBlank // a file has no customer address
}

// amountsOfLines returns the lines of a body with the amounts that determine its total.
func amountsOfLines(body *contract.TransactionCreate) []models.TransactionItem {
	return convert.ConvertAll(body.TransactionItems, func(b contract.TransactionItemCreate) models.TransactionItem {
		item := models.TransactionItem{Amount: b.Amount, TaxAmountImported: convert.ValueOf(b.TaxAmountImported)}
		if b.DiscountBuilder != nil {
			item.TotalDiscount = b.DiscountBuilder.DiscountAmount
		}
		return item
	})
}

// body returns the request that would record the transaction.
func (s *ImportSheet) body(group []csvfile.Row) []byte {
	w := &bodyWriter{}
	s.write(w, group)
	return w.b
}

// write writes the request, and notes which columns its fields come from.
func (s *ImportSheet) write(w *bodyWriter, group []csvfile.Row) {
	first := &group[0]
	w.raw("{")
	for _, name := range []string{"external_id", "type", "currency", "related_to"} {
		s.text(w, first, name, name)
	}
	at, _ := s.moment(first)
	s.note(w, "date", "date")
	w.text("date", at)
	s.note(w, "status", "status")
	if s.archivedRefund(first) {
		w.text("status", string(models.StatusCancelled))
	} else {
		w.text("status", s.cell(first, "status"))
	}
	s.note(w, "shop_date", "tax_date")
	w.text("shop_date", s.shopDate(first))
	s.text(w, first, "shop_date_tz", zoneColumn)
	s.text(w, first, "total_amount", totalOfTransaction)
	s.note(w, "total_tax_amount_imported", "tax_amount_imported") // the sum of the lines
	s.text(w, first, "total_tax_amount_imported", taxOfTransaction)
	s.note(w, "marketplace", "marketplace")
	w.truth("marketplace", s.cell(first, "marketplace"))
	s.note(w, "prices_include_tax", grossColumn)
	w.truth("prices_include_tax", s.cell(first, grossColumn))
	s.note(w, "exempt", "exempt")
	if exempt := s.cell(first, "exempt"); exempt != "FULLY_EXEMPT" || !s.reasoned(group) {
		w.text("exempt", exempt)
	}
	w.text("source", "IMPORT")
	s.note(w, "customer_id", "customer_external_id")
	w.begin(`,"customer":{`, "customer.")
	s.text(w, first, "external_id", "customer_external_id")
	s.text(w, first, "name", "customer_name")
	w.begin(`},"addresses":[`, "addresses[0].")
	s.address(w, first)
	w.raw(`],"transaction_items":[`)
	for i := range group {
		s.line(w, &group[i], i)
	}
	w.raw("]}")
}

// text writes a field with the text of a column.
func (s *ImportSheet) text(w *bodyWriter, row *csvfile.Row, name, column string) {
	s.note(w, name, column)
	w.text(name, s.cell(row, column))
}

// note notes the column of a field, also of one without a value: it may be missing. A later note counts.
func (s *ImportSheet) note(w *bodyWriter, name, column string) {
	if _, known := s.at[column]; known && w.origins != nil {
		w.origins[w.prefix+name] = column
	}
}

// archivedRefund reports whether a row is an archived refund. No request can create one, so Levy creates a cancelled
// refund and archives it.
func (s *ImportSheet) archivedRefund(row *csvfile.Row) bool {
	return models.TransactionType(s.cell(row, "type")).IsCredit() &&
		s.cell(row, "status") == string(models.StatusArchived)
}

// address writes the addresses.
func (s *ImportSheet) address(w *bodyWriter, row *csvfile.Row) {
	begun := false
	for _, name := range []string{"street_1", "city", "county", "state", "postal_code", "country"} {
		s.note(w, name, name)
		value := s.cell(row, name)
		if value == "" {
			continue
		}
		if name == "postal_code" {
			value = s.postalCode(row)
		}
		if !begun {
			begun = true
			w.raw(`{"type":"SHIP_TO"`)
		}
		w.text(name, value)
	}
	if begun {
		w.raw("}")
	}
}

// postalCode returns the postal code of a row with the leading zeros that a spreadsheet has removed.
func (s *ImportSheet) postalCode(row *csvfile.Row) string {
	return rules.RestorePostalCode(s.cell(row, "country"), s.cell(row, "state"), s.cell(row, "postal_code"))
}

// line writes the line with index i.
func (s *ImportSheet) line(w *bodyWriter, row *csvfile.Row, i int) {
	w.separate()
	prefix := ""
	if w.origins != nil {
		prefix = fmt.Sprintf("transaction_items[%d].", i)
	}
	w.begin("{", prefix)
	at, _ := s.moment(row)
	s.note(w, "date", "date")
	w.text("date", at)
	s.text(w, row, "external_id", "item_external_id")
	for _, name := range []string{"external_product_id", "quantity", "amount", "tax_amount_imported"} {
		s.text(w, row, name, name)
	}
	s.note(w, "discount_builder.discount_amount", "discount")
	s.note(w, "discount_builder.reimbursed_by", discountReimbursedByColumn)
	s.note(w, "tax_exemption", "tax_exemption")
	credit := models.TransactionType(s.cell(row, "type")).IsCredit() // its discount follows from the sale
	if discount := s.cell(row, "discount"); strings.Trim(discount, "0.") != "" && !credit {
		w.separate()
		w.raw(`"discount_builder":{"applied_to":"TRANSACTION_ITEM"`)
		w.text("discount_amount", discount)
		w.text("reimbursed_by", s.cell(row, discountReimbursedByColumn))
		w.raw("}")
	}
	if !credit {
		s.text(w, row, "reimbursed_by", reimbursedByColumn)
		s.note(w, "trade_in", tradeInColumn)
		w.truth("trade_in", s.cell(row, tradeInColumn))
	}
	s.note(w, "exemption_category", exemptionCategoryColumn)
	switch reason := s.cell(row, "tax_exemption"); reason {
	case "PRODUCT", "REGION", "REVERSE_CHARGE", "EXPORT", "ZERO_RATE_TAX", "HIGH_VALUE_PHYSICAL_GOODS",
		"ZERO_VALUE_ITEM", "NO_RULE_FOUND":
		// Levy finds these exemptions automatically.
	case "TRANSACTION", "CUSTOMER", "WHOLESALE":
		w.separate()
		w.raw(`"exempt":true`)
		w.text("tax_exemption", reason)
		w.text("exemption_category", s.cell(row, exemptionCategoryColumn))
	default:
		w.text("tax_exemption", reason)
		w.text("exemption_category", s.cell(row, exemptionCategoryColumn))
	}
	w.raw("}")
}

// reasoned reports whether a line states why it is not taxed. Then the lines decide instead of the exemption
// of the whole transaction.
func (s *ImportSheet) reasoned(group []csvfile.Row) bool {
	for i := range group {
		if s.cell(&group[i], "tax_exemption") != "" {
			return true
		}
	}
	return false
}

// shopDate returns the tax date if date and time zone would give another one. Without a zone, a refund may have that of
// its original. A date without a time of day is the tax date, unless the row has another one.
func (s *ImportSheet) shopDate(row *csvfile.Row) string {
	moment, written := s.moment(row)
	day, zone := cmp.Or(s.dayOf(row, "tax_date"), written), s.cell(row, zoneColumn)
	at, err := time.Parse(time.RFC3339Nano, moment)
	if err != nil || zone == "" && models.TransactionType(s.cell(row, "type")).IsCredit() {
		return day
	}
	if given := (rules.SaleTime{Date: at, Zone: zone}).TaxDate(); given.Format(time.DateOnly) == day {
		return ""
	}
	return day
}

// textOnly returns a text, or an empty text for invalid UTF-8.
func textOnly(s string) string {
	if !utf8.ValidString(s) || strings.IndexByte(s, 0) >= 0 || utf8.RuneCountInString(s) > 255 {
		return ""
	}
	return s
}

// storable returns cells in a form that a database can store.
func storable(cells []string) []string {
	kept := make([]string, len(cells))
	for i, cell := range cells {
		kept[i] = strings.ReplaceAll(strings.ToValidUTF8(cell, "\uFFFD"), "\x00", "\uFFFD")
	}
	return kept
}

// bodyWriter writes JSON without empty values.
type bodyWriter struct {
	b       []byte
	prefix  string           // of the paths of the object that is written
	origins contract.Origins // columns of the fields; nil for none to be noted
}

// raw writes JSON.
func (w *bodyWriter) raw(s string) { w.b = append(w.b, s...) }

// begin writes the beginning of an object whose fields have paths with a prefix.
func (w *bodyWriter) begin(s, prefix string) {
	w.raw(s)
	w.prefix = prefix
}

// separate writes a comma unless an object or a list begins here.
func (w *bodyWriter) separate() {
	if last := w.b[len(w.b)-1]; last != '{' && last != '[' {
		w.b = append(w.b, ',')
	}
}

// text writes a member with a text.
func (w *bodyWriter) text(name, value string) {
	if value == "" {
		return
	}
	w.separate()
	w.b = append(append(append(w.b, '"'), name...), '"', ':')
	quoted, err := jsontext.AppendQuote(w.b, value)
	if err != nil { // bytes that are no text: the rows were checked before
		quoted = append(w.b, `""`...)
	}
	w.b = quoted
}

// truth writes a boolean member. It also reads the forms of spreadsheets.
func (w *bodyWriter) truth(name, value string) {
	switch lower := strings.ToLower(value); lower {
	case "true", "false":
		w.separate()
		w.raw(`"` + name + `":` + lower)
	default:
		w.text(name, value)
	}
}
