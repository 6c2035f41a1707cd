package web

import (
	"maps"

	"levy/contract"
	"levy/models"
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
			Value: valueOf(f.InternalNotes), id: "notes"}}
	}},
	"unblock": {map[string]any{"block_approval": false}, noFields},
	"pause": {map[string]any{"status": models.FilingPaused}, func(filing) []field {
		return []field{as("until", date("paused_until_date", "Until (optional)"))}
	}},
	"resume": {map[string]any{"status": models.FilingUnfiled}, noFields},
	"skip": {map[string]any{"status": models.FilingSkipped}, func(filing) []field {
		return []field{as("why", required(text("skip_reason", "Why no return is due", 50, "")))}
	}},
	"cancel": {map[string]any{"status": models.FilingCancelled}, func(filing) []field {
		return []field{as("cause", required(text("cancelled_reason", "Why it is cancelled", 50, "")))}
	}},
	"refuse": {map[string]any{"status": models.FilingIssue}, func(filing) []field {
		return []field{as("said", required(text("issue_reason", "Reason the authority gave", 50, "")))}
	}},
	"confirm": {map[string]any{"status": models.FilingFiled}, confirmationOfReturn},
}

func noFields(filing) []field { return nil }

// confirmationOfReturn returns the fields for the confirmation of a filed return. A field whose value is known is
// required.
func confirmationOfReturn(f filing) []field {
	day, paid := date("date_filed", "Day of filing"), "Amount paid, in "+f.Currency
	day.Value = plain(f.DateFiled)
	if day.Required = day.Value != ""; !day.Required {
		day.Label += " (today if empty)"
	}
	if f.Paid() == "" {
		paid += " (" + grouped(f.Amount) + " if empty)"
	}
	payment := text("payment_confirmation_id", "Confirmation number of the payment (optional)", 100, "")
	payment.Value = valueOf(f.PaymentConfirmationID)
	return []field{
		as("number", required(text("return_confirmation_id", "Confirmation number from the authority", 100, ""))),
		as("payment", payment), as("filed", day),
		{Name: "tax_remitted", Label: paid, Kind: "number", Max: 22, Required: f.Paid() != "", Value: f.Paid(), id: "remitted"},
	}
}

// changeFiling carries out the action of a button.
func (c *Console) changeFiling(v *pageRequest) (err error) {
	id, action := v.PathValue("id"), v.PostFormValue("action")
	switch change, known := filingChanges[action]; {
	case action == "verify":
		return c.verifyFiling(v)
	case action == "change":
		return c.saveFiling(v)
	case action == "approve":
		_, err = v.session.ApproveFiling(v.Context(), contract.ApproveFilingRequest{FilingID: id, Body: contract.FilingApproval{
			ExpectedAmount: v.PostFormValue("expected_amount"), ExcludeUnresolved: v.PostFormValue("exclude_unresolved") != "",
			Attestation: v.PostFormValue("attestation"),
		}})
	case action == "amend":
		return c.amendFiling(v, id)
	case action == "retry":
		_, err = v.session.RetryFiling(v.Context(), contract.RetryFilingRequest{FilingID: id})
	case known:
		body := v.nonEmpty(namesOf(change.fields(filing{}))...)
		maps.Copy(body, change.sets)
		err = v.updateFiling(v.sending(body))
	default:
		err = unknownAction()
	}
	if err != nil {
		return err
	}
	return v.goToOwn("filings", id)
}

// amendForm returns the fields of the form that amends a filed return.
func amendForm(f filing) []field {
	amount := func(name, label, hint string) field {
		return field{Name: name, Label: label + ", in " + f.Currency, Kind: "number", Auto: "off", Max: 22, Hint: hint,
			id: "amend-" + name}
	}
	return []field{
		as("amend-reason", hinted(required(text("reason", "Why", 500, "off")), "The history keeps it, with your name")),
		amount("amount_adjusted", "Adjustment (optional)", "A negative amount lowers what is to be paid"),
		amount("amount_penalties", "Penalties (optional)", ""), amount("amount_fees", "Fees (optional)", ""),
	}
}

// amendFiling opens an amendment of a filed return, and redirects to it.
func (c *Console) amendFiling(v *pageRequest, id string) error {
	session, err := v.sending(v.nonEmpty(namesOf(amendForm(filing{}))...))
	if err != nil {
		return err
	}
	opened, err := session.AmendFiling(v.Context(), contract.AmendFilingRequest{FilingID: id})
	if err != nil {
		return err
	}
	return v.goToOwn("filings", opened.ID)
}

// updateFiling changes the return of the page by the body of a session.
func (v *pageRequest) updateFiling(session contract.CallerSession, err error) error {
	if err == nil {
		_, err = session.UpdateFiling(v.Context(), contract.UpdateFilingRequest{FilingID: v.PathValue("id")})
	}
	return err
}

// returnForm returns the form of the fields that can be changed: amounts and notes before the approval, later the notes.
// It has no fields once the return is filed.
func returnForm(f filing) htmlForm {
	switch {
	case f.status() == models.FilingFiled:
		return htmlForm{}
	case !f.Unsettled():
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
		hinted(amount("amount_adjusted", "Adjusted"), "A negative amount lowers what is to be paid"),
		hinted(amount("amount_discounts", "Discounts"), "Taken off"),
		amount("amount_fees", "Fees"), amount("amount_penalties", "Penalties"),
		{Name: "due_date", Label: "Due", Kind: "date", Auto: "off", Hint: "Leave empty for the day that the authority sets"},
	}, notesOfReturn()...)}}}
}

// saveFiling saves the changed fields of a return. The API refuses fields that became immutable because the return was
// submitted meanwhile.
func (c *Console) saveFiling(v *pageRequest) error {
	_, stored, err := withFields(v.readFiling())
	if err != nil {
		return err
	}
	form := htmlForm{Groups: []fieldGroup{{Fields: notesOfReturn()}}}
	if v.PostForm.Has("amount_adjusted") {
		form = unsettledForm()
	}
	if len(form.changing().body(stored, v.PostForm)) == 0 && v.PostForm.Has(was+"internal_notes") {
		return v.goBack(nil) // an update would make this person the last one who changed it
	}
	err = v.updateFiling(v.changing(form, stored))
	if refused, ok := correctable(err); ok {
		return c.showFiling(v, filingPage{}, refused)
	}
	return v.goBack(err)
}

// verifyFiling recomputes the report of a return and shows the differences from what was filed.
func (c *Console) verifyFiling(v *pageRequest) error {
	found, err := v.session.VerifyFiling(v.Context(), contract.VerifyFilingRequest{FilingID: v.PathValue("id")})
	if err != nil {
		return err
	}
	return c.showFiling(v, filingPage{Verification: &found}, nil)
}
