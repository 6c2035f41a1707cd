package web

import (
	"maps"
	"net/http"
)

// filingChange is an action on a return that is an update: the values that it sets, and the fields of its form.
type filingChange struct {
	sets   map[string]any
	fields func(filing) []field
}

// filingChanges are the actions by the value of their button.
var filingChanges = map[string]filingChange{
	"block": {map[string]any{"block_approval": true}, func(f filing) []field {
		return []field{{Name: "internal_notes", Label: "Why, in the internal notes", Kind: "lines", Required: true, Max: 2000,
			Value: f.Notes, id: "notes"}}
	}},
	"unblock": {map[string]any{"block_approval": false}, noFields},
	"pause": {map[string]any{"status": "PAUSED"}, func(filing) []field {
		return []field{as("until", date("paused_until_date", "Until (optional)"))}
	}},
	"resume": {map[string]any{"status": "UNFILED"}, noFields},
	"skip": {map[string]any{"status": "SKIPPED"}, func(filing) []field {
		return []field{as("why", required(text("skip_reason", "Why no return is due", 50, "")))}
	}},
	"cancel": {map[string]any{"status": "CANCELLED"}, func(filing) []field {
		return []field{as("cause", required(text("cancelled_reason", "Why it is cancelled", 50, "")))}
	}},
	"refuse": {map[string]any{"status": "ISSUE"}, func(filing) []field {
		return []field{as("said", required(text("issue_reason", "Reason the authority gave", 50, "")))}
	}},
	"confirm": {map[string]any{"status": "FILED"}, confirmationOfReturn},
}

func noFields(filing) []field { return nil }

// confirmationOfReturn returns the fields for the confirmation of a filed return. A field whose value is known is
// required.
func confirmationOfReturn(f filing) []field {
	day, paid := date("date_filed", "Day of filing"), "Amount paid, in "+f.Currency
	if day.Value, day.Required = f.Filed, f.Filed != ""; !day.Required {
		day.Label += " (today if empty)"
	}
	if f.Paid() == "" {
		paid += " (" + grouped(f.Amount) + " if empty)"
	}
	payment := text("payment_confirmation_id", "Confirmation number of the payment (optional)", 100, "")
	payment.Value = f.Payment
	return []field{
		as("number", required(text("return_confirmation_id", "Confirmation number from the authority", 100, ""))),
		as("payment", payment), as("filed", day),
		{Name: "tax_remitted", Label: paid, Kind: "number", Max: 22, Required: f.Paid() != "", Value: f.Paid(), id: "remitted"},
	}
}

// changeFiling carries out the action of a button.
func (c *Console) changeFiling(v *pageRequest) error {
	base, action := "/v1/filings/"+v.id(), v.PostFormValue("action")
	var err error
	switch change, known := filingChanges[action]; {
	case action == "verify":
		return c.verifyFiling(v)
	case action == "change":
		return c.saveFiling(v)
	case action == "approve":
		sent := v.nonEmpty("expected_amount")
		sent["exclude_unresolved"] = v.PostFormValue("exclude_unresolved") != ""
		err = v.call(http.MethodPut, base+"/approve", v.org, sent, nil)
	case action == "retry":
		err = v.call(http.MethodPost, base+"/retry", v.org, nil, nil)
	case known:
		sent := v.nonEmpty(namesOf(change.fields(filing{}))...)
		maps.Copy(sent, change.sets)
		err = v.call(http.MethodPut, base, v.org, sent, nil)
	default:
		err = unknownAction()
	}
	if err != nil {
		return err
	}
	return v.goToOwn("filings", v.PathValue("id"))
}

// returnForm returns the form of what can be changed in a return's status: all amounts before its approval, later the
// notes, nothing once it is filed.
func returnForm(f filing) htmlForm {
	switch {
	case f.Status == "FILED":
		return htmlForm{}
	case !f.unsettled():
		return htmlForm{Groups: []fieldGroup{{Title: "Notes", Fields: notesOfReturn()}}}
	}
	return unsettledForm()
}

func notesOfReturn() []field {
	return []field{
		hinted(text("jira_issue_key", "Ticket", 50, "off"), "Its key in your own system"),
		{Name: "internal_notes", Label: "Internal notes", Kind: "lines", Auto: "off", Max: 2000},
	}
}

// unsettledForm returns the form of a return that may still be approved.
func unsettledForm() htmlForm {
	amount := func(name, label string) field {
		return field{Name: name, Label: label, Kind: "number", Auto: "off", Max: 22}
	}
	return htmlForm{Groups: []fieldGroup{{Title: "Amounts and notes", Fields: append([]field{
		hinted(amount("amount_adjusted", "Adjusted"), "Below zero lowers what is to be paid"),
		hinted(amount("amount_discounts", "Discounts"), "Taken off"),
		amount("amount_fees", "Fees"), amount("amount_penalties", "Penalties"),
		{Name: "due_date", Label: "Due", Kind: "date", Auto: "off", Hint: "Leave empty for the day that the authority sets"},
	}, notesOfReturn()...)}}}
}

// stored returns the values of the return's form.
func (f filing) stored() map[string]any {
	return map[string]any{
		"amount_adjusted": f.Adjusted, "amount_discounts": f.Discounts, "amount_fees": f.Fees,
		"amount_penalties": f.Penalties, "due_date": f.Due, "internal_notes": f.Notes, "jira_issue_key": f.Ticket,
	}
}

// saveFiling saves the changed fields of a return. The API refuses fields that became immutable because the return was
// submitted meanwhile.
func (c *Console) saveFiling(v *pageRequest) error {
	base := "/v1/filings/" + v.id()
	var now filing
	if err := v.get(base, v.org, &now); err != nil {
		return err
	}
	form := htmlForm{Groups: []fieldGroup{{Fields: notesOfReturn()}}}
	if v.PostForm.Has("amount_adjusted") {
		form = unsettledForm()
	}
	if len(form.changing().body(now.stored(), v.PostForm)) == 0 && v.PostForm.Has(was+"internal_notes") {
		return v.goTo(v.URL.Path) // an update would make this person the last one who changed it
	}
	err := v.save(base, form, now.stored())
	if refused, ok := correctable(err); ok {
		return c.showFiling(v, filingPage{}, refused)
	}
	return v.goBack(err)
}

// verification is the result of comparing a return with what was filed.
type verification struct {
	Verdict      string `json:"verdict"`
	Transactions int    `json:"transactions"`
	Differences  []struct {
		Where  string `json:"where"`
		Stated any    `json:"stated"`
		Found  any    `json:"found"`
	} `json:"differences"`
	More bool `json:"differences_truncated"`
}

// verifyFiling recomputes the report of a return and shows the differences from what was filed.
func (c *Console) verifyFiling(v *pageRequest) error {
	found := &verification{}
	err := v.call(http.MethodPost, "/v1/filings/"+v.id()+"/verify", v.org, nil, found)
	if err != nil {
		return err
	}
	return c.showFiling(v, filingPage{Verification: found}, nil)
}
