package rules

import (
	"fmt"
	"slices"

	"levy/models"
	"levy/tax/calendar"
)

// FilingOfEntry returns the id of the filing to which an entry of a file is added: the one of the period that is not
// approved. If all are approved or over, it is one of them, which refuses the entry. list has all filings of the period. It
// returns faults if there is none, or if several are open.
func FilingOfEntry(d *models.FilingEntryDraft, list []models.Filing) (id string, faults []models.Fault) {
	if len(list) == 0 {
		return "", NoFilingOfEntry(d)
	}
	open := slices.DeleteFunc(slices.Clone(list), func(f models.Filing) bool { return !f.Status.Live() })
	switch len(open) {
	case 0:
		return list[0].ID, nil
	case 1:
		return open[0].ID, nil
	}
	return "", []models.Fault{{
		Code: models.FieldMismatch, Path: "start_date",
		Message: "Several returns have this period, such as a return and its amendment. Name one of them by filing_id.",
	}}
}

// NoFilingOfEntry returns the fault of an entry of a file whose filing does not exist.
func NoFilingOfEntry(d *models.FilingEntryDraft) []models.Fault {
	if d.FilingID != "" {
		return []models.Fault{{Code: models.FieldNotFound, Path: "filing_id", Message: "There is no such return."}}
	}
	return []models.Fault{{
		Code: models.FieldNotFound, Path: "start_date",
		Message: fmt.Sprintf("There is no return of this authority from %s to %s.", d.StartDate, d.EndDate),
	}}
}

// DifferingEntryColumns lists the columns of a file in which an entry differs from the stored one of a filing. columns are the
// columns of the file. Errors: *models.InvalidError with the faults of the row.
func DifferingEntryColumns(
	d *models.FilingEntryDraft, stored *models.FilingEntry, f *models.Filing, columns []string,
) ([]string, error) {
	if !d.Names(f) {
		return differingFiling(d, f), nil
	}
	e, faults := d.Of(f)
	if faults != nil {
		return nil, &models.InvalidError{Faults: faults}
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
