package rules_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"levy/models"
	"levy/rules"
	"levy/tax/calendar"
	"levy/tax/money"
)

// A row that names the period means the return that is not approved, else one that refuses it.
func TestARowOfAPeriodMeansTheReturnThatIsOpen(t *testing.T) {
	t.Parallel()
	d := &models.FilingEntryDraft{CountryCode: "US", StateCode: "TX"}
	open := func(id string) models.Filing { return models.Filing{ID: id, Status: models.FilingUnfiled} }
	filed := models.Filing{ID: "f", Status: models.FilingFiled}
	for _, c := range []struct {
		list     []models.Filing
		id, code string
	}{
		{[]models.Filing{filed, open("a")}, "a", ""},
		{[]models.Filing{open("a"), filed}, "a", ""},
		{[]models.Filing{filed}, "f", ""},
		{[]models.Filing{open("a"), open("b")}, "", models.FieldMismatch},
		{nil, "", models.FieldNotFound},
	} {
		id, faults := rules.FilingOfEntry(d, c.list)
		require.Equal(t, c.id, id)
		require.Equal(t, c.code == "", len(faults) == 0)
		for _, f := range faults {
			require.Equal(t, c.code, f.Code)
		}
	}
}

// Each column of a row is compared with the recorded entry.
func TestARowThatDiffersFromTheRecordedEntryNamesItsColumns(t *testing.T) {
	t.Parallel()
	day := time.Date(2026, 4, 1, 0, 0, 0, 0, time.UTC)
	f := models.Filing{ID: "f", CountryCode: "US", StateCode: "TX", StartDate: day, EndDate: day}
	amount := func(text string) money.Total {
		parsed, err := money.ParseTotal(text)
		require.NoError(t, err)
		return parsed
	}
	stored := models.FilingEntry{Kind: models.EntryPurchase, Amount: amount("1.00"), Taxable: amount("2.00"), Note: "n",
		ImportID: "batc_1"}
	differing := func(change func(*models.FilingEntry), name func(*models.FilingEntryDraft)) []string {
		e := stored
		e.ImportID = ""
		change(&e)
		d := &models.FilingEntryDraft{CountryCode: "US", StateCode: "TX", StartDate: calendar.DateOf(day),
			EndDate: calendar.DateOf(day), Of: func(*models.Filing) (models.FilingEntry, []models.Fault) { return e, nil }}
		name(d)
		columns, err := rules.DifferingEntryColumns(d, &stored, &f, []string{"jurisdiction_id"})
		require.NoError(t, err)
		return columns
	}
	sameFiling := func(*models.FilingEntryDraft) {}
	sameEntry := func(*models.FilingEntry) {}
	require.Empty(t, differing(sameEntry, sameFiling))
	for column, change := range map[string]func(*models.FilingEntry){
		"kind":            func(e *models.FilingEntry) { e.Kind = models.EntryWithdrawal },
		"amount":          func(e *models.FilingEntry) { e.Amount = amount("1.01") },
		"taxable":         func(e *models.FilingEntry) { e.Taxable = amount("2.01") },
		"jurisdiction_id": func(e *models.FilingEntry) { e.JurisdictionID = "US-TX" },
		"line":            func(e *models.FilingEntry) { e.Line = "3" },
		"note":            func(e *models.FilingEntry) { e.Note = "m" },
	} {
		require.Equal(t, []string{column}, differing(change, sameFiling))
	}
	for column, name := range map[string]func(*models.FilingEntryDraft){
		"filing_id":  func(d *models.FilingEntryDraft) { d.FilingID = "g" },
		"country":    func(d *models.FilingEntryDraft) { d.CountryCode = "CA" },
		"state":      func(d *models.FilingEntryDraft) { d.StateCode = "NY" },
		"start_date": func(d *models.FilingEntryDraft) { d.StartDate-- },
		"end_date":   func(d *models.FilingEntryDraft) { d.EndDate++ },
	} {
		require.Equal(t, []string{column}, differing(sameEntry, name))
	}
	require.Empty(t, differing(sameEntry, func(d *models.FilingEntryDraft) { *d = models.FilingEntryDraft{FilingID: "f", Of: d.Of} }))
}
