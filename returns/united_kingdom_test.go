package returns

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"levy/models"
	"levy/returns/vat"
	"levy/tax"
	"levy/tax/calendar"
)

// inBritain is a return of the second quarter of 2026 with sales of 300.49 and their VAT of 105.50, which nobody would have.
func inBritain(t *testing.T, entries ...models.FilingEntry) Input {
	t.Helper()
	in := ofPeriod(t, "GB", "GB", calendar.FilingQuarterly, 20260401, 20260630, 20260807,
		"COUNTRY United_Kingdom 0.2 OWN /PHYSICAL 400.99 400.99 120.50 120.50",
		"COUNTRY United_Kingdom 0.2 OWN /PHYSICAL -100.50 -100.50 -15.00 -15.00",
		"COUNTRY United_Kingdom 0.2 MARKETPLACE /PHYSICAL 50.00 50.00 10.00 0.00")
	in.Filing.Currency, in.Fields = "GBP", map[string]string{tax.FieldStagger: "1"}
	in.Entries = entries
	for i := range entries {
		to := &in.Filing.AmountAdjusted
		if entries[i].Kind.Penal() {
			to = &in.Filing.AmountPenalties
		}
		*to = mustPlus(t, *to, entries[i].Effect())
	}
	return in
}

// The first example of the description of the API: boxes 3 and 5 follow from the others, and box 5 has no sign.
func TestTheNineBoxesOfAnExample(t *testing.T) {
	t.Parallel()
	amounts, w := made(t, inBritain(t, entry(t, models.EntryAcquisition, "-100.45", "-3000.00"),
		entry(t, models.EntryInputTax, "105.15", "3300.00")))
	require.Equal(t, "GB-VAT-100/2021-01", w.Layout.ID)
	require.Equal(t, tax.ConfidenceMedium, w.Sure)
	for box, want := range map[string]string{
		"1": "105.50", "2": "-100.45", "3": "5.05", "4": "105.15", "5": "100.10", "5.1": "0.00", "5.2": "100.10",
		"6": "300.00", "7": "300.00", "8": "0.00", "9": "-3000.00", "DUE": "-100.10", "X": "105.50", "XD": "0.00",
	} {
		require.Equal(t, want, amounts[box], "box %s", box)
	}
	for _, code := range []string{"ENTRY_MISSING", "ENTRY_WITHOUT_LINE", "FREE_ADJUSTMENT", "FIELD_MISSING", "SUMS_DIFFER"} {
		require.NotContains(t, w.codes(), code)
	}
}

// Boxes 6 to 9 are the sum without its pence: 400.50 and 0.99 of values are 401 pounds, not 400.
func TestBoxesOfValuesAreWholePounds(t *testing.T) {
	t.Parallel()
	stated := entry(t, models.EntryPurchase, "0.00", "700.50")
	stated.Line = "8"
	amounts, w := made(t, inBritain(t, entry(t, models.EntryAcquisition, "1.00", "400.50"), entry(t, models.EntryAcquisition, "1.00", "0.99"),
		entry(t, models.EntryInputTax, "0.01", "0.50"), entry(t, models.EntryBadDebt, "0.02", "0.00"),
		entry(t, models.EntryExcessTax, "3.00", "0.00"),
		entry(t, models.EntryPriorPayment, "7.00", "0.00"), entry(t, models.EntryInterest, "2.00", "0.00"), stated))
	require.Equal(t, "401.00 401.00 700.00", amounts["9"]+" "+amounts["7"]+" "+amounts["8"])
	require.Equal(t, "3.00 108.50 2.00 0.03 110.47 103.47",
		amounts["1.2"]+" "+amounts["1"]+" "+amounts["2"]+" "+amounts["4"]+" "+amounts["5"]+" "+amounts["DUE"])
	at := slices.IndexFunc(w.Findings, func(f Finding) bool { return f.Code == "ENTRY_WITHOUT_LINE" })
	require.GreaterOrEqual(t, at, 0)
	require.Equal(t, "2.00", w.Findings[at].Amount.String(), "the authority charges interest itself")
}

func TestFindingsOfTheUnitedKingdom(t *testing.T) {
	t.Parallel()
	in := inBritain(t)
	_, w := made(t, in)
	at := slices.IndexFunc(w.Findings, func(f Finding) bool { return f.Code == "ENTRY_MISSING" })
	require.GreaterOrEqual(t, at, 0)
	require.Equal(t, "4 WARNING", w.Findings[at].Line+" "+w.Findings[at].Severity)
	require.NotContains(t, w.codes(), "PAYMENT_DAY")
	require.NotContains(t, w.codes(), "AMENDMENT_CARRIED")

	in.Fields = nil
	_, w = made(t, in)
	require.Contains(t, w.codes(), "FIELD_MISSING", "which quarters it has")

	annually := string(calendar.FilingAnnually)
	in.Filing.FilingFrequency, in.Fields = &annually, map[string]string{tax.FieldStagger: "1"}
	_, w = made(t, in)
	require.Contains(t, w.codes(), "FIELD_MISSING", "which year it has")

	monthly, sunday := string(calendar.FilingMonthly), calendar.Date(20260607).Time()
	in.Filing.FilingFrequency, in.Filing.DueDate, in.Fields = &monthly, &sunday, nil
	in.Filing.FilingCategory = models.FilingAmendment
	_, w = made(t, in)
	require.NotContains(t, w.codes(), "FIELD_MISSING", "months need no field")
	require.Contains(t, w.codes(), "AMENDMENT_CARRIED")
	at = slices.IndexFunc(w.Findings, func(f Finding) bool { return f.Code == "PAYMENT_DAY" })
	require.GreaterOrEqual(t, at, 0)
	require.Contains(t, w.Findings[at].Message, "2026-06-05")
}

// factsOfBritain are those of inBritain for an adapter that sends the return.
func factsOfBritain(in Input) models.ReturnFacts {
	return AdapterAuthorities{Tests: []string{"GB"}}.Of(models.ReturnFacts{
		Filing: func() models.Filing { f := in.Filing; f.Entries = in.Entries; return f }(), Figures: in.Figures, Test: true,
		Fields: in.Fields, Filer: models.ReturnFiler{TaxID: "GB 123 4567 89"},
	})
}

// documentOf makes the document of a return, and returns the codes of its errors.
func documentOf(t *testing.T, facts models.ReturnFacts) (*models.FilingDocument, []string) {
	t.Helper()
	content, err := tax.LoadContent()
	require.NoError(t, err)
	key := models.AuthorityKey{OrganizationID: "org_1", Kind: models.AuthorityReturn, RecordID: "fili_1", Attempt: 1}
	d, findings := OfAttempt(content, facts, key, 20260807, 0)
	again, _ := OfAttempt(content, facts, key, 20260807, 0)
	require.Equal(t, d, again, "the same return has the same bytes")
	for _, f := range findings {
		require.NotContains(t, f.Message, "123")
	}
	return d, Refusals(findings)
}

// The document has the nine boxes of the worksheet, and the authority would take them.
func TestTheDocumentOfTheUnitedKingdom(t *testing.T) {
	t.Parallel()
	in := inBritain(t, entry(t, models.EntryAcquisition, "-100.45", "-3000.00"), entry(t, models.EntryInputTax, "105.15", "3300.00"),
		entry(t, models.EntryPriorPayment, "7.00", "0.00"))
	d, errors := documentOf(t, factsOfBritain(in))
	require.Empty(t, errors)
	require.Equal(t, "GB-VAT-MTD/1.0 application/json GB-2026-04-01-2026-06-30.json", d.Layout+" "+d.MediaType+" "+d.FileName)
	r, err := vat.ReadDocument(d.Content)
	require.NoError(t, err)
	require.Equal(t, "123456789", r.VRN)
	require.Equal(t, calendar.Period{Start: 20260401, End: 20260630}, calendar.Period{Start: r.Start, End: r.End})
	var amounts []string
	for _, amount := range r.Boxes {
		amounts = append(amounts, amount.String())
	}
	require.Equal(t, []string{"105.50", "-100.45", "5.05", "105.15", "100.10", "300.00", "300.00", "0.00", "-3000.00"}, amounts)
	_, code := vat.ReadRequest(r.Boxes.Request("#001"))
	require.Empty(t, code)
}

func TestWhatKeepsABritishReturnFromItsDocument(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		entries []models.FilingEntry
		change  func(*models.ReturnFacts)
		want    []string
	}{
		"no number": {nil, func(f *models.ReturnFacts) { f.Filer.TaxID = "" }, []string{"ID_MISSING"}},
		"the number of the authority": {nil, func(f *models.ReturnFacts) {
			f.Filer.TaxID, f.Filer.Account = "", "123456789"
		}, nil},
		"a wrong number": {nil, func(f *models.ReturnFacts) { f.Filer.TaxID = "12345678" }, []string{"ID_FORMAT"}},
		"by hand": {nil, func(f *models.ReturnFacts) {
			f.Filing.AmountAdjusted = mustPlus(t, f.Filing.AmountAdjusted, total(t, "1.00"))
		}, []string{"FREE_ADJUSTMENT"}},
		"a purchase whose box was not read": {
			[]models.FilingEntry{entry(t, models.EntryPurchase, "20.00", "100.00")}, nil, []string{"ENTRY_WITHOUT_LINE"},
		},
		"tax at a box of values": {
			[]models.FilingEntry{func() models.FilingEntry {
				e := entry(t, models.EntryInputTax, "20.00", "100.00")
				e.Line = "7"
				return e
			}()}, nil, []string{"SUMS_DIFFER"},
		},
		"too large": {
			[]models.FilingEntry{entry(t, models.EntryInputTax, "1000000000000.00", "1.00")}, nil, []string{"DOCUMENT_WRONG"},
		},
		"figures that are missing": {nil, func(f *models.ReturnFacts) { f.Figures.Missing = 1 }, []string{"FIGURES_MISSING"}},
		"a prepayment": {nil, func(f *models.ReturnFacts) {
			f.Filing.FilingCategory = calendar.FilingPrepayment
		}, []string{"PERIOD_KIND"}},
	} {
		facts := factsOfBritain(inBritain(t, test.entries...))
		if test.change != nil {
			test.change(&facts)
		}
		d, errors := documentOf(t, facts)
		require.Equal(t, test.want, errors, name)
		require.Equal(t, len(test.want) == 0, d != nil, name)
	}
}

// A layout that was not read in full, or that is of another country, gives nobody a document.
func TestABritishReturnOfALayoutThatWasNotRead(t *testing.T) {
	t.Parallel()
	in := inBritain(t)
	in.Filer.TaxID, in.File = "123456789", britishFile(&in.Layout)
	d, findings := britishReturn(in)
	require.NotNil(t, d.Bytes)
	require.Empty(t, Refusals(findings))
	in.File.Confidence = tax.ConfidenceLow
	d, findings = britishReturn(in)
	require.Nil(t, d.Bytes)
	require.Equal(t, []string{"LAYOUT_LOW"}, Refusals(findings))
	in.Layout = generally(t).Layout
	_, findings = britishReturn(in)
	require.Equal(t, []string{"LAYOUT_MISSING"}, Refusals(findings))
}

// Only returns of a period, of test organizations, where an adapter sends them, have the document.
func TestWhichReturnsAreSentToTheUnitedKingdom(t *testing.T) {
	t.Parallel()
	facts := factsOfBritain(inBritain(t))
	require.True(t, facts.British)
	require.False(t, facts.Simplified)
	amendment := facts
	amendment.Filing.FilingCategory = models.FilingAmendment
	require.False(t, AdapterAuthorities{Tests: []string{"GB"}}.Of(amendment).British)
	live := facts
	live.Test = false
	require.False(t, AdapterAuthorities{Tests: []string{"GB"}}.Of(live).British)
	require.False(t, AdapterAuthorities{Tests: []string{"MI"}}.Of(facts).British)
	content, err := tax.LoadContent()
	require.NoError(t, err)
	facts.Filer.TaxID = ""
	require.Equal(t, []string{"ID_MISSING"}, AdapterAuthorities{Tests: []string{"GB"}}.Refuses(content, facts, 20260807))
	require.Empty(t, AdapterAuthorities{Tests: []string{"GB"}}.Refuses(content, amendment, 20260807))
}
