package rules

import (
	"fmt"
	"slices"

	"levy/models"
	"levy/tax/calendar"
)

// FilingOfEntry returns the id of the filing to which an entry of a file is added: the one of the period that is not
// approved. list has all filings of the period. Errors: *models.InvalidError if there is none or several, or
// *models.FilingImmutableError if all are approved or over.
func FilingOfEntry(d *models.FilingEntryDraft, list []models.Filing) (id string, err error) {
	for i := range list {
		if !list[i].Status.Live() {
			continue
		}
		if id != "" {
			return "", invalidEntry(models.FieldMismatch, "start_date",
				"Several returns have this period, such as a return and its amendment. Name one of them by filing_id.")
		}
		id = list[i].ID
	}
	switch {
	case id != "":
		return id, nil
	// guard: files: a return that is claimed refuses entries of files
	case len(list) > 0:
		return "", &models.FilingImmutableError{Fields: []string{"entries"}}
	}
	return "", NoFilingOfEntry(d)
}

// NoFilingOfEntry returns the error for an entry of a file whose filing does not exist.
func NoFilingOfEntry(d *models.FilingEntryDraft) error {
	if d.FilingID != "" {
		return invalidEntry(models.FieldNotFound, "filing_id", "There is no such return.")
	}
	return invalidEntry(models.FieldNotFound, "start_date",
		fmt.Sprintf("There is no return of this authority from %s to %s.", d.StartDate, d.EndDate))
}

func invalidEntry(code, path, message string) error {
	return &models.InvalidError{Faults: []models.Fault{{Code: code, Path: path, Message: message}}}
}

// DifferingEntryColumns lists the columns of a file in which an entry differs from the stored one of a filing. columns are the
// columns of the file. Errors: those of d.Of.
func DifferingEntryColumns(
	d *models.FilingEntryDraft, stored *models.FilingEntry, f *models.Filing, columns []string,
) ([]string, error) {
	if !d.Names(f) {
		return differingFiling(d, f), nil
	}
	e, err := d.Of(f)
	if err != nil {
		return nil, err
	}
	place := "jurisdiction_id"
	if !slices.Contains(columns, place) {
		place = "jurisdiction_name"
	}
	c := &comparison{}
	c.same("kind", e.Kind == stored.Kind)
	c.same("amount", e.Amount == stored.Amount)
	c.same("taxable", e.Taxable == stored.Taxable)
	c.same(place, e.JurisdictionID == stored.JurisdictionID)
	c.same("line", e.Line == stored.Line)
	c.same("note", e.Note == stored.Note)
	return c.differing, nil
}

// differingFiling lists the columns that name another filing than f.
func differingFiling(d *models.FilingEntryDraft, f *models.Filing) []string {
	if d.FilingID != "" {
		return []string{"filing_id"}
	}
	c := &comparison{}
	c.same("country", d.CountryCode == f.CountryCode)
	c.same("state", d.StateCode == f.StateCode)
	c.same("start_date", d.StartDate == calendar.DateOf(f.StartDate))
	c.same("end_date", d.EndDate == calendar.DateOf(f.EndDate))
	return c.differing
}
