package web

import (
	"cmp"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// line is one of a transaction.
type line struct {
	ExternalID string `json:"external_id"`
	Product    string `json:"external_product_id"`
	Name       string `json:"product_name"`
	Quantity   string `json:"quantity"`
	Amount     string `json:"amount"`
}

// creditForm asks what of a sale is given back.
type creditForm struct {
	Form   htmlForm
	Faults []fault
	More   int  // lines that the form has no room for
	Whole  bool // nothing of the sale was given back yet: one button gives back all of it
}

// creditedLines is of how many lines of a sale a page asks what is given back.
const creditedLines = 20

// Creditable reports whether something of it can be given back: it is a sale that counts, and not all of it is given
// back.
func (t transaction) Creditable() bool {
	return !t.IsCredit() && t.Status == "COMMITTED" && t.RefundStatus != "FULLY_REFUNDED"
}

// creditForm is the form for a sale of which notes were created already.
func (t transaction) creditForm(notes int) creditForm {
	form := htmlForm{Groups: []fieldGroup{{Title: "Credit note", Fields: []field{
		required(text("external_id", "Number of the credit note", 255, "off")),
		{Name: "date", Label: "Date", Kind: "date", Required: true, Auto: "off", Hint: "Decides which return it is in"},
		required(field{Name: "total_amount", Label: "Amount with tax", Kind: "number", Max: 20, Auto: "off",
			Hint: "In " + t.Currency + "; sold for " + grouped(t.Total)}),
		text("description", "Reason", 1000, "off"),
	}}}}
	for i, line := range t.Lines[:min(len(t.Lines), creditedLines)] {
		n := strconv.Itoa(i)
		form.Groups = append(form.Groups, fieldGroup{
			Title: fmt.Sprintf("Line %d: %s", i+1, cmp.Or(line.Name, line.Product)), Fields: []field{
				{Name: "amount_" + n, Label: "Amount before tax", Kind: "number", Max: 20, Auto: "off", Hint: "Of " +
					grouped(line.Amount) + "; leave empty for none"},
				{Name: "quantity_" + n, Label: "Quantity", Kind: "number", Max: 20, Auto: "off", Hint: "Of " +
					line.Quantity + "; leave empty for an amount only"},
			},
		})
	}
	return creditForm{Form: form, More: max(len(t.Lines)-creditedLines, 0), Whole: notes == 0}
}

// suggested are the number of the next note, and today.
func (t transaction) suggested(notes int, now time.Time) map[string]any {
	return map[string]any{"external_id": fmt.Sprintf("%s-CN%d", t.ExternalID, notes+1),
		"date": now.UTC().Format(time.DateOnly)}
}

// creditNote gives back what was typed, or all of a sale, and shows the note.
func (c *Console) creditNote(v *pageRequest) error {
	path := "/v1/transactions/" + v.id()
	var sale transaction
	if err := v.get(path, v.org, &sale); err != nil {
		return err
	}
	var created transaction
	sent, from := v.credited(sale)
	err := v.call(http.MethodPost, path+"/credit_notes", v.org, sent, &created)
	if refused, ok := correctable(err); ok {
		if refused.Remaining != "" {
			refused.Detail += " " + grouped(refused.Remaining) + " " + sale.Currency + " is left."
		}
		for i, e := range refused.Errors {
			if e.Location == "body.transaction_items" { // of a note without lines
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

// credited is the body of a credit note by what was typed, and from which fields its lines come: where there is none, the
// first line of the sale is the place to begin.
func (v *pageRequest) credited(sale transaction) (sent map[string]any, from origins) {
	from = origins{"transaction_items": "amount_0"}
	typed := func(name string) string { return strings.TrimSpace(v.PostFormValue(name)) }
	all := typed("action") == "all"
	sent = map[string]any{
		"external_id": typed("external_id"), "status": "COMMITTED", "currency": sale.Currency,
		"total_amount": typed("total_amount"),
		"date":         typed("date"),
	}
	// A form that is sent twice says the same moment twice. On the day of the sale it is not before it.
	switch day := typed("date"); day {
	case sale.Date.UTC().Format(time.DateOnly):
		sent["date"] = sale.Date
	case "":
	default:
		sent["date"] = day + "T00:00:00Z"
	}
	if all {
		sent["total_amount"] = sale.Total
	}
	if typed("description") != "" {
		sent["description"] = typed("description")
	}
	lines := []any{}
	for i, line := range sale.Lines {
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
			"external_id": cmp.Or(line.ExternalID, line.Product), "external_product_id": line.Product, "amount": amount,
			"quantity": quantity,
		})
	}
	sent["transaction_items"] = lines
	return sent, from
}
