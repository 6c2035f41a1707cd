package returns

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"levy/models"
	"levy/tax/money"
)

// entry is an entry of the authority itself.
func entry(t *testing.T, kind models.FilingEntryKind, amount, taxable string) models.FilingEntry {
	t.Helper()
	return models.FilingEntry{Kind: kind, Amount: total(t, amount), Taxable: total(t, taxable)}
}

// ofAustin is an entry of a city in which the examples sell.
func ofAustin(e models.FilingEntry) models.FilingEntry {
	e.JurisdictionID, e.JurisdictionType, e.JurisdictionName = "US-TX-P05000", "CITY", "Austin"
	return e
}

// Worked out by hand: of 1,000.40 bought in Austin, 1,000 dollars are subject to the state and the city. The city has
// 21,237.48 of sales and 1,000.40 of purchases, which are 22,238 dollars.
func TestPurchasesAreLinesOfTexas(t *testing.T) {
	t.Parallel()
	in := inTexas(t, austinAndDallas...)
	in.Entries = []models.FilingEntry{
		entry(t, models.EntryPurchase, "50.02", "800.40"), entry(t, models.EntryWithdrawal, "12.50", "200.00"),
		ofAustin(entry(t, models.EntryPurchase, "10.00", "1000.40")),
	}
	amounts, w := made(t, in)
	require.Equal(t, "1000.00 42237.00 2639.81", amounts["3"]+" "+amounts["4"]+" "+amounts["8a"], "42,237 x 6.25 %")
	require.Equal(t, "22238.00 222.38", amounts["S1"]+" "+amounts["S1t"])
	require.Equal(t, "834.75", amounts["8b"])
	require.Equal(t, "3474.60 -0.04", amounts["X"]+" "+amounts["XD"], "3,402.08 accrued and 72.52 entered")
	at := slices.IndexFunc(w.Findings, func(f Finding) bool { return f.Line == "3" })
	require.Negative(t, at, "what is entered is not missing")
}

// A place where nothing was sold has no rate in the figures.
func TestPurchasesWhereNothingWasSoldHaveARow(t *testing.T) {
	t.Parallel()
	in := inTexas(t, austinAndDallas...)
	waco := entry(t, models.EntryPurchase, "15.01", "1000.60")
	waco.JurisdictionID, waco.JurisdictionType, waco.JurisdictionName = "US-TX-P76000", "CITY", "Waco"
	in.Entries = []models.FilingEntry{waco, waco}
	amounts, w := made(t, in)
	require.Equal(t, "2001.00 30.02", amounts["S5"]+" "+amounts["S5t"])
	require.Equal(t, "0.00", amounts["3"], "the state has an entry of its own")
	require.Equal(t, "List supplement: amount subject to local tax: Waco", w.Lines[slices.IndexFunc(w.Lines,
		func(l Line) bool { return l.Line == "S5" })].Name)
}

// Worked out by hand: item 10 is item 8 less item 9. Item 11 is half a percent of it, and item 13 has item 12 off.
func TestPaymentsThatWereEnteredAreLinesOfTexas(t *testing.T) {
	t.Parallel()
	in := inTexas(t, austinAndDallas...)
	prepaid := entry(t, models.EntryCredit, "577.31", "0.00")
	prepaid.Line = "9a"
	in.Entries = []models.FilingEntry{
		entry(t, models.EntryPriorPayment, "100.00", "0.00"), ofAustin(entry(t, models.EntryPriorPayment, "20.00", "0.00")), prepaid,
		entry(t, models.EntryInterest, "1.00", "0.00"), entry(t, models.EntryPenalty, "2.00", "0.00"),
	}
	in.Filing.AmountAdjusted, in.Filing.AmountPenalties = total(t, "-697.31"), total(t, "3.00")
	amounts, w := made(t, in)
	require.Equal(t, "577.31 2000.00 10.00 100.00 1890.00",
		amounts["9a"]+" "+amounts["10a"]+" "+amounts["11a"]+" "+amounts["12a"]+" "+amounts["13a"])
	require.Equal(t, "0.00 824.74 4.12 20.00 800.62",
		amounts["9b"]+" "+amounts["10b"]+" "+amounts["11b"]+" "+amounts["12b"]+" "+amounts["13b"])
	require.Equal(t, "3.00 2693.62", amounts["14a"]+" "+amounts["15"])
	for _, code := range []string{"FREE_ADJUSTMENT", "ENTRY_WITHOUT_LINE", "ENTRY_LINE_UNKNOWN"} {
		require.NotContains(t, w.codes(), code)
	}
	in.Filing.AmountAdjusted = total(t, "-697.30")
	_, w = made(t, in)
	at := slices.IndexFunc(w.Findings, func(f Finding) bool { return f.Code == "FREE_ADJUSTMENT" })
	require.GreaterOrEqual(t, at, 0)
	require.Equal(t, "0.01", w.Findings[at].Amount.String(), "what no entry explains")
}

// An amount that the form cannot show is said, with its kind.
func TestEntriesWithoutALine(t *testing.T) {
	t.Parallel()
	in := inTexas(t, austinAndDallas...)
	unknown := entry(t, models.EntryPurchase, "6.25", "100.00")
	unknown.Line = "77"
	in.Entries = []models.FilingEntry{entry(t, models.EntryInputTax, "5.00", "0.00"), unknown}
	amounts, w := made(t, in)
	require.Contains(t, w.codes(), "ENTRY_WITHOUT_LINE")
	require.Contains(t, w.codes(), "ENTRY_LINE_UNKNOWN")
	require.Equal(t, "100.00", amounts["3"], "it is where its kind belongs")
}

// The general worksheet has each entry with what it adds to line 7.
func TestEntriesInTheGeneralWorksheet(t *testing.T) {
	t.Parallel()
	in := generally(t, austinAndDallas...)
	in.Entries = []models.FilingEntry{
		ofAustin(entry(t, models.EntryPurchase, "10.00", "1000.00")), entry(t, models.EntryPriorPayment, "30.00", "0.00"),
		entry(t, models.EntryInterest, "1.00", "0.00"),
	}
	in.Filing.AmountAdjusted, in.Filing.AmountPenalties = total(t, "-20.00"), total(t, "1.00")
	amounts, w := made(t, in)
	require.Equal(t, "10.00 1000.00 -30.00 1.00 -19.00",
		amounts["7.1"]+" "+amounts["7.1b"]+" "+amounts["7.2"]+" "+amounts["7.3"]+" "+amounts["7"])
	require.NotContains(t, amounts, "7.2b", "a payment has no base")
	require.Equal(t, "Entry in line 7: purchase, Austin", w.Lines[slices.IndexFunc(w.Lines,
		func(l Line) bool { return l.Line == "7.1" })].Name)
}

// Entries that are too large together are an error, and no wrong line.
func TestEntriesOverflow(t *testing.T) {
	t.Parallel()
	in := inTexas(t)
	huge := entry(t, models.EntryPurchase, "0.00", "999999999999999999.99")
	in.Entries = []models.FilingEntry{huge, huge}
	_, err := Make(in)
	require.ErrorIs(t, err, money.ErrOverflow)
}

// A purchase that names a line of other entries is on that line alone.
func TestAPurchaseIsOnTheLineThatItNames(t *testing.T) {
	t.Parallel()
	in := monthly(t, "US", "FL")
	rent := entry(t, models.EntryPurchase, "7.00", "100.00")
	rent.Line = "C4"
	in.Entries = []models.FilingEntry{rent}
	amounts, w := made(t, in)
	require.Equal(t, "0.00 0.00 7.00 7.00", amounts["B3"]+" "+amounts["B4"]+" "+amounts["C4"]+" "+amounts["5"])
	require.NotContains(t, w.codes(), "ENTRY_WITHOUT_LINE")
	in.Entries[0].Line = "B4"
	amounts, _ = made(t, in)
	require.Equal(t, "100.00 7.00 0.00 7.00", amounts["B3"]+" "+amounts["B4"]+" "+amounts["C4"]+" "+amounts["5"])
}

// A deduction that an earlier form took as an entry is no purchase of this one.
func TestAPurchaseWithoutTaxIsOnNoLineButThatItNames(t *testing.T) {
	t.Parallel()
	in := monthly(t, "US", "CA")
	deduction := entry(t, models.EntryPurchase, "0.00", "5000.00")
	deduction.Line = "A7"
	in.Entries = []models.FilingEntry{deduction}
	amounts, w := made(t, in)
	require.Equal(t, "0.00 0.00", amounts["2"]+" "+amounts["A7"])
	require.Contains(t, w.codes(), "ENTRY_WITHOUT_LINE")
	require.Contains(t, w.codes(), "ENTRY_LINE_UNKNOWN")
	in.Entries[0].Line = ""
	amounts, _ = made(t, in)
	require.Equal(t, "5000.00", amounts["2"])
}

// Interest is no purchase: the line of purchases that it names does not take it.
func TestALineOfPurchasesTakesNoOtherEntries(t *testing.T) {
	t.Parallel()
	in := monthly(t, "US", "FL")
	interest := entry(t, models.EntryInterest, "5.00", "0.00")
	interest.Line = "B4"
	in.Entries, in.Filing.AmountPenalties = []models.FilingEntry{interest}, total(t, "5.00")
	amounts, w := made(t, in)
	require.Equal(t, "0.00 0.00 5.00 5.00", amounts["B4"]+" "+amounts["12"]+" "+amounts["13"]+" "+amounts["14"])
	require.Contains(t, w.codes(), "ENTRY_LINE_UNKNOWN")
}

// A line before the tax has the base of an entry. An entry without one is where its kind belongs.
func TestLinesBeforeTheTaxHaveBasesOfEntries(t *testing.T) {
	t.Parallel()
	for _, c := range [][3]string{
		{"WA", "1d01", "1t -100.00"}, {"CA", "A6", "12 -100.00"}, {"CA", "A9", "12 -100.00"},
		{"CA", "B6", "12 -100.00"}, {"WI", "4", "7 -100.00"}, {"WI", "5", "7 -100.00"}, {"OH", "4", "5 -100.00"},
		{"UT", "6", "7 100.00"}, {"MI", "1b", "1b 100.00"}, {"FL", "D1", "D3 100.00"}, {"FL", "E2", "E3 -100.00"},
		{"IL", "8a", "8a 100.00"}, {"IL", "13a", "15 1.00"}, {"PA", "2-PH", "DUE 0.99"},
	} {
		in := monthly(t, "US", c[0])
		named := entry(t, models.EntryBadDebt, "7.25", "100.00")
		named.Line = c[1]
		in.Entries = []models.FilingEntry{named}
		amounts, w := made(t, in)
		result := strings.Fields(c[2])
		require.Equal(t, "100.00 "+result[1], amounts[c[1]]+" "+amounts[result[0]], c)
		require.NotContains(t, w.codes(), "ENTRY_WITHOUT_LINE", c)
		in.Entries[0].Taxable = total(t, "0.00")
		amounts, w = made(t, in)
		require.Equal(t, "0.00", amounts[c[1]], c)
		require.Contains(t, w.codes(), "ENTRY_LINE_UNKNOWN", c)
	}
	in := monthly(t, "US", "CA")
	in.Entries = []models.FilingEntry{entry(t, models.EntryBadDebt, "7.25", "100.00")}
	amounts, _ := made(t, in)
	require.Equal(t, "0.00 7.00 -7.00", amounts["B6"]+" "+amounts["20"]+" "+amounts["21"], "the tax is given back once")
}
