package web

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"
	"time"

	"levy/contract"
	"levy/models"
)

// creditForm is the form of a credit note.
type creditForm struct {
	Form   htmlForm
	Faults []fault
	More   int  // the number of lines for which the form has no room
	Whole  bool // nothing was refunded yet: one button refunds the whole sale
}

// creditedLines is the number of lines of a sale for which the form has fields.
const creditedLines = 20

// Creditable reports whether the transaction is a committed sale that is not fully refunded.
func (t transaction) Creditable() bool {
	return !t.IsCredit() && models.TransactionStatus(t.Status) == models.StatusCommitted &&
		models.TransactionStatus(t.RefundStatus) != models.StatusFullyRefunded
}

// creditForm returns the form of a credit note for a sale that has a number of notes already.
func (t transaction) creditForm(notes int) creditForm {
	form := htmlForm{Groups: []fieldGroup{{Title: "Credit note", Fields: []field{
		required(text("external_id", "Number of the credit note", 255, "off")),
		{Name: "date", Label: "Date", Kind: "date", Required: true, Auto: "off", Hint: "Decides which return it is in"},
		required(field{Name: "total_amount", Label: "Amount with tax", Kind: "number", Max: 20, Auto: "off",
			Hint: "In " + t.Currency + "; sold for " + grouped(t.Document())}),
		text("description", "Reason", 1000, "off"),
	}}}}
	for i, line := range t.TransactionItems[:min(len(t.TransactionItems), creditedLines)] {
		n := strconv.Itoa(i)
		form.Groups = append(form.Groups, fieldGroup{
			Title: fmt.Sprintf("Line %d: %s", i+1, isolated(cmp.Or(line.ProductName, line.ExternalProductID))), Fields: []field{
				{Name: "amount_" + n, Label: "Amount before tax", Kind: "number", Max: 20, Auto: "off", Hint: "Of " +
					grouped(line.Amount) + "; leave empty for none"},
				{Name: "quantity_" + n, Label: "Quantity", Kind: "number", Decimals: true, Max: 20, Auto: "off", Hint: "Of " +
					grouped(line.Quantity) + "; leave empty for an amount only"},
			},
		})
	}
	return creditForm{Form: form, More: max(len(t.TransactionItems)-creditedLines, 0), Whole: notes == 0}
}

// suggested returns the initial values of the form: the number of the next note, and today.
func (t transaction) suggested(notes int, now time.Time) map[string]any {
	return map[string]any{"external_id": fmt.Sprintf("%s-CN%d", t.ExternalID, notes+1),
		"date": now.UTC().Format(time.DateOnly)}
}

// creditNote creates a credit note for the typed amounts, or for the whole sale, and redirects to it.
func (c *Console) creditNote(v *pageRequest) error {
	id := v.PathValue("id")
	sale, err := v.session.GetTransaction(v.Context(), contract.GetTransactionRequest{TransactionID: id})
	if err != nil {
		return err
	}
	sent, from := v.credited(&sale)
	session, err := v.sending(sent)
	if err != nil {
		return err
	}
	created, err := session.CreateCreditNote(v.Context(), contract.CreateCreditNoteRequest{TransactionID: id})
	if refused, ok := correctable(err); ok {
		if refused.Remaining != "" {
			refused.Detail += " " + grouped(refused.Remaining) + " " + sale.Currency + " is left."
		}
		for i, e := range refused.Errors {
			if e.Location == "body.transaction_items" { // the note has no lines
				refused.Errors[i].Message = "Say of at least one line how much of it is given back."
			}
		}
		return c.showTransaction(v, refused.fromForm(from))
	}
	if err != nil {
		return err
	}
	return v.goToOwn("transactions", created.ID)
}

// credited returns the body of a credit note, and the fields from which its lines come. The fault of a missing line
// belongs to the field of the first one.
func (v *pageRequest) credited(sale *contract.Transaction) (sent map[string]any, from contract.Origins) {
	from = contract.Origins{"transaction_items": "amount_0"}
	typed := func(name string) string { return strings.TrimSpace(v.PostFormValue(name)) }
	all := typed("action") == "all"
	sent = map[string]any{
		"external_id": typed("external_id"), "status": models.StatusCommitted, "currency": sale.Currency,
		"total_amount": typed("total_amount"),
		"date":         typed("date"),
	}
	// The time of day is fixed, so that a form that is sent twice has one body. On the day of the sale it is that of
	// the sale: a note must not precede it.
	switch day := typed("date"); day {
	case sale.Date.UTC().Format(time.DateOnly):
		sent["date"] = sale.Date
	case "":
	default:
		sent["date"] = day + "T00:00:00Z"
	}
	if all {
		sent["total_amount"] = transaction{*sale}.Document()
	}
	if typed("description") != "" {
		sent["description"] = typed("description")
	}
	lines := []any{}
	for i, line := range sale.TransactionItems {
		n := strconv.Itoa(i)
		amount, quantity := typed("amount_"+n), cmp.Or(typed("quantity_"+n), "0")
		if all {
			amount, quantity = line.Amount, line.Quantity
		}
		if amount == "" && quantity == "0" {
			continue
		}
		at := fmt.Sprintf("transaction_items[%d]", len(lines))
		from[at] = "amount_" + n
		from[at+".quantity"] = "quantity_" + n
		lines = append(lines, map[string]any{
			"external_id":         cmp.Or(line.ExternalID, line.ExternalProductID),
			"external_product_id": line.ExternalProductID, "amount": amount, "quantity": quantity,
		})
	}
	sent["transaction_items"] = lines
	return sent, from
}
