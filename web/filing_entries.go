package web

import (
	"net/http"

	"levy/contract"
	"levy/models"
)

// entriesPage is a return with the amounts that people have added to it.
type entriesPage struct {
	filing
	Items  []contract.FilingEntry
	Form   htmlForm
	Faults []fault
}

// Changeable reports whether the entries can change: the claim freezes them.
func (p entriesPage) Changeable() bool { return p.status().Live() }

// entryForm returns the form of a new entry.
func entryForm(currency string) htmlForm {
	amount := func(name, label string) field {
		return field{Name: name, Label: label + ", in " + currency, Kind: "number", Auto: "off", Max: 22}
	}
	return htmlForm{Groups: []fieldGroup{{Title: "Add an entry", Fields: []field{
		required(choice("kind", "Kind", "off", options(models.EntryPurchase, models.EntryWithdrawal, models.EntryAcquisition,
			models.EntryExcessTax, models.EntryNewPrepayment, models.EntryPriorPayment, models.EntryCredit, models.EntryBadDebt,
			models.EntryInputTax, models.EntryInterest, models.EntryPenalty))),
		required(hinted(amount("amount", "Tax or payment"), "For payments, credit, bad debts and input tax: what is taken off")),
		hinted(amount("taxable", "Base"), "The price, of what was bought or taken from stock"),
		hinted(choice("jurisdiction_type", "Level of the place", "off", options("STATE", "COUNTY", "CITY", "SPECIAL", "COUNTRY",
			"FEDERAL")), "Leave both empty for the authority of the return"),
		hinted(text("jurisdiction_name", "Name of the place", 100, "off"), "As transactions there spell it"),
		hinted(text("line", "Line of the form", 20, "off"), "Leave empty for the line of the kind"),
		required(text("note", "What it is", 500, "off")),
		hinted(text("external_id", "Your ID", 255, "off"), "Such as the number of the document; no other entry may have it"),
	}}}}
}

func (c *Console) entries(v *pageRequest) error { return c.showEntries(v, nil) }

// showEntries shows the entries of a return. refused is why the form was refused; nil if it was not.
func (c *Console) showEntries(v *pageRequest, refused *problem) error {
	v.backToParent = true
	read, err := v.readFiling()
	if err != nil {
		return err
	}
	page := entriesPage{filing: filing{Filing: read}}
	page.Items, err = v.session.ListFilingEntries(v.Context(), contract.ListFilingEntriesRequest{FilingID: v.PathValue("id")})
	if err != nil {
		return err
	}
	status, form := http.StatusOK, entryForm(page.Currency)
	page.Form = form.filled(nil, nil)
	if refused != nil {
		status, page.Form = refused.Status, form.filled(nil, v.PostForm)
		page.Faults = page.Form.mark(refused)
	}
	title := "Entries: " + page.Jurisdiction() + ", " + day(page.StartDate.String()) + " – " + day(page.EndDate.String())
	v.render(status, titled(title, page.Faults), page)
	return nil
}

// changeEntries adds or deletes an entry of a return.
func (c *Console) changeEntries(v *pageRequest) error {
	id := v.PathValue("id")
	switch v.PostFormValue("action") {
	case "add":
		session, err := v.sending(entryForm("").body(nil, v.PostForm))
		if err == nil {
			_, err = session.CreateFilingEntry(v.Context(), contract.CreateFilingEntryRequest{FilingID: id})
		}
		if refused, ok := correctable(err); ok {
			return c.showEntries(v, refused)
		}
		return v.goBack(err)
	case "delete":
		_, err := v.session.DeleteFilingEntry(v.Context(),
			contract.DeleteFilingEntryRequest{FilingID: id, EntryID: v.PostFormValue("id")})
		return v.goBack(err)
	}
	return unknownAction()
}
