package returns

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"levy/models"
	"levy/returns/ser"
	"levy/returns/vat"
	"levy/tax"
	"levy/tax/calendar"
)

// filed is a monthly return of July 2026 in a state, with the file of its authority. A figure has its place before it.
func filed(t *testing.T, state string, figures ...string) Input {
	t.Helper()
	content, err := tax.LoadContent()
	require.NoError(t, err)
	due := time.Date(2026, 8, 25, 0, 0, 0, 0, time.UTC)
	in := Input{
		Filing: models.Filing{
			CountryCode: "US", StateCode: state, Currency: "USD", StartDate: time.Date(2026, 7, 1, 0, 0, 0, 0, time.UTC),
			EndDate: time.Date(2026, 7, 31, 0, 0, 0, 0, time.UTC), DueDate: &due, FilingCategory: calendar.FilingRegular,
		},
		Day: calendar.DateOf(due), Figures: models.FilingFigures{Registered: true, Frozen: true},
		Filer: models.ReturnFiler{
			Name: "Chairs Ltd", Account: "601-222-333", Contact: "Ann Lee", Email: "ann@chairs.example", Phone: "(360) 555-0142",
		},
	}
	var ok bool
	in.File, ok = content.ReturnFile("US", state, "MONTHLY", calendar.DateOf(in.Filing.EndDate))
	require.True(t, ok)
	for _, text := range figures {
		place, rest, _ := strings.Cut(text, ": ")
		x := figure(t, rest)
		x.Place = place
		in.Figures.Figures = append(in.Figures.Figures, x)
		in.Filing.TotalTaxLiability, err = in.Filing.TotalTaxLiability.Plus(x.Owed)
		require.NoError(t, err)
	}
	return in
}

func errorsOf(findings []Finding) (codes []string) {
	for _, f := range findings {
		if f.Severity == models.SeverityError {
			codes = append(codes, strings.TrimSuffix(f.Code+" "+f.Line, " "))
		}
	}
	return codes
}

const inSeattle, inBellevue = "King County, Seattle: ", "King County, Bellevue: "

// kingCounty are sales of July 2026 in Washington: some for resale, some food.
var kingCounty = []string{
	inBellevue + "STATE Washington 0.065 OWN /PHYSICAL 10000.00 10000.00 650.00 650.00",
	inSeattle + "STATE Washington 0.065 OWN /PHYSICAL 18300.40 18300.40 1189.53 1189.53",
	inSeattle + "STATE Washington 0 OWN NOT_TAXABLE/FOOD 2200.00 0.00 0.00 0.00",
	inSeattle + "STATE Washington 0 OWN RESALE/PHYSICAL 5000.00 0.00 0.00 0.00",
	inSeattle + "STATE Washington 0.065 MARKETPLACE /PHYSICAL 700.00 700.00 45.50 0.00",
	inBellevue + "CITY Bellevue 0.038 OWN /PHYSICAL 0.00 10000.00 380.00 380.00",
	inSeattle + "CITY Seattle 0.0405 OWN /PHYSICAL 0.00 18300.40 741.17 741.17",
}

// The file has the records of the official example, in its order.
func TestTheFileOfWashington(t *testing.T) {
	t.Parallel()
	d, findings := MakeDocument(filed(t, "WA", kingCounty...))
	require.Empty(t, errorsOf(findings))
	require.Equal(t, "E-file, 1.0\nACCOUNT, 601222333, 072026, Ann Lee, ann@chairs.example, 360-555-0142\n"+
		"TAX, 2, 0, 30500.40\nTAX, 3, 0, 5000.00\nTAX, 1, 0, 30500.40\n"+
		"TAX, 45, 1704, 10000.00\nTAX, 45, 1726, 18300.40\nDED, 01, 22, 2200.00\n", string(d.Bytes))
	require.Equal(t, "US-WA-E-FILE/1.0 text/plain US-WA-2026-07-01-2026-07-31.txt", d.Layout+" "+d.MediaType+" "+d.FileName)
	require.Equal(t, strings.Repeat("0", 20), d.TransmissionID, "a preview has no ids")
	again, _ := MakeDocument(filed(t, "WA", kingCounty...))
	require.Equal(t, d, again)
}

// Refunds are a deduction of their own, and what they refund is taken off the other ones.
func TestRefundsInTheFileOfWashington(t *testing.T) {
	t.Parallel()
	d, findings := MakeDocument(filed(t, "WA", append([]string{
		inSeattle + "STATE Washington 0.065 OWN /PHYSICAL -100.00 -100.00 -6.50 -6.50",
		inSeattle + "STATE Washington 0 OWN NOT_TAXABLE/FOOD -200.00 0.00 0.00 0.00",
		inSeattle + "CITY Seattle 0.0405 OWN /PHYSICAL 0.00 -100.00 -4.05 -4.05",
		inSeattle + "STATE Washington 0 OWN EXPORT/PHYSICAL 40.00 0.00 0.00 0.00",
		inSeattle + "STATE Washington 0 OWN CUSTOMER/FOOD 60.00 0.00 0.00 0.00",
		inSeattle + "STATE Washington 0 OWN NOT_TAXABLE/CANDY 5.00 0.00 0.00 0.00",
	}, kingCounty...)...))
	require.Empty(t, errorsOf(findings))
	require.Contains(t, string(d.Bytes), "TAX, 1, 0, 30605.40\nTAX, 45, 1704, 10000.00\nTAX, 45, 1726, 18200.40\n"+
		"DED, 01, 04, 40.00\nDED, 01, 22, 2005.00\nDED, 01, 31, 300.00\nDED, 01, 99, 60.00, Exempt sales\n")
}

// All that keeps a return from its file is told at once, and there is no file.
func TestReturnsWithoutAFile(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		change func(*Input)
		want   []string
	}{
		"no account": {func(in *Input) { in.Filer.Account = "" }, []string{"ID_MISSING ACCOUNT"}},
		"another account, and a name with a comma": {
			func(in *Input) { in.Filer.Account, in.Filer.Contact = "12", "Lee, Ann" }, []string{"ID_FORMAT ACCOUNT", "TEXT_REFUSED ACCOUNT"},
		},
		"a formula as a name": {func(in *Input) { in.Filer.Contact = "=1+1" }, []string{"TEXT_REFUSED ACCOUNT"}},
		"a name of two lines": {func(in *Input) { in.Filer.Contact = "Ann\nTAX" }, []string{"TEXT_REFUSED ACCOUNT"}},
		"no contact": {
			func(in *Input) { in.Filer.Contact, in.Filer.Email, in.Filer.Phone = "", " ", "" },
			[]string{"CONTACT_MISSING ACCOUNT", "CONTACT_MISSING ACCOUNT", "CONTACT_MISSING ACCOUNT"},
		},
		"an address that is none":  {func(in *Input) { in.Filer.Email = "ann" }, []string{"TEXT_REFUSED ACCOUNT"}},
		"a short number":           {func(in *Input) { in.Filer.Phone = "555-0142" }, []string{"TEXT_REFUSED ACCOUNT"}},
		"a place without a code":   {func(in *Input) { in.Figures.Figures[0].Place = "King County, Kent" }, []string{"CODE_MISSING 45"}},
		"a place that is unknown":  {func(in *Input) { in.Figures.Figures[0].Place = "" }, []string{"CODE_MISSING 45"}},
		"a code of three digits":   {func(in *Input) { in.File.Codes[1].Code = "170" }, []string{"CODE_MISSING 45"}},
		"a code that was not read": {func(in *Input) { in.File.Codes[1].Confidence = "LOW" }, []string{"CODE_MISSING 45"}},
		"a rate that changed":      {func(in *Input) { in.Figures.Figures[1].Rate = "0.066" }, []string{"RATE_CHANGED 45"}},
		"an adjustment":            {func(in *Input) { in.Filing.AmountAdjusted = total(t, "5.00") }, []string{"FREE_ADJUSTMENT"}},
		"an entry": {
			func(in *Input) {
				in.Filing.AmountAdjusted = total(t, "-5.00")
				in.Entries = []models.FilingEntry{entry(t, models.EntryBadDebt, "5.00", "0.00"), entry(t, models.EntryInterest, "1.00", "0.00")}
			}, []string{"ENTRY_WITHOUT_LINE"},
		},
		"missing figures":     {func(in *Input) { in.Figures.Missing = 3 }, []string{"FIGURES_MISSING"}},
		"figures that differ": {func(in *Input) { in.Filing.TotalTaxLiability = total(t, "1.00") }, []string{"SUMS_DIFFER"}},
		"refunds above sales": {
			func(in *Input) { in.Figures.Figures[0].Taxable = total(t, "-1.00") }, []string{"NEGATIVE_NOT_ALLOWED 45-1704"},
		},
		"an amendment":              {func(in *Input) { in.Filing.FilingCategory = models.FilingAmendment }, []string{"AMENDMENT_DIFFERENCE"}},
		"a prepayment":              {func(in *Input) { in.Filing.FilingCategory = calendar.FilingPrepayment }, []string{"PERIOD_KIND"}},
		"half a month":              {func(in *Input) { in.Filing.StartDate = in.Filing.StartDate.AddDate(0, 0, 14) }, []string{"PERIOD_PART"}},
		"a layout not read":         {func(in *Input) { in.File.Confidence = "LOW" }, []string{"LAYOUT_LOW"}},
		"a form of a newer release": {func(in *Input) { in.File.Form = "WA-E-FILE-2" }, []string{"LAYOUT_MISSING"}},
	} {
		in := filed(t, "WA", kingCounty...)
		c.change(&in)
		d, findings := MakeDocument(in)
		require.Equal(t, c.want, errorsOf(findings), name)
		require.Empty(t, d, name)
		for _, f := range findings {
			require.NotRegexp(t, `601|Ann|ann@|0142`, f.Message, "no number or name is told")
		}
	}
}

// The bases of places are compared with what deductions leave of the gross.
func TestLocalBasesAddUp(t *testing.T) {
	t.Parallel()
	m := &maker{Input: filed(t, "WA", kingCounty...)}
	m.checkLocal(total(t, "3.00"), []coded{{"1704", total(t, "1.00")}, {"1726", total(t, "2.00")}})
	require.Empty(t, m.sheet.Findings)
	m.checkLocal(total(t, "3.01"), []coded{{"1704", total(t, "1.00")}, {"1726", total(t, "2.00")}})
	require.Equal(t, []string{"SUMS_DIFFER 45"}, errorsOf(m.sheet.Findings))
}

// A return without sales is no upload, and a state without a file has nothing to say.
func TestReturnsThatHaveNoFile(t *testing.T) {
	t.Parallel()
	d, findings := MakeDocument(filed(t, "WA"))
	require.Empty(t, d)
	require.Empty(t, errorsOf(findings))
	d, findings = MakeDocument(Input{})
	require.Empty(t, d)
	require.Empty(t, findings)
}

func TestTheFileOfNebraska(t *testing.T) {
	t.Parallel()
	in := filed(t, "NE",
		"Douglas County, Omaha: STATE Nebraska 0.055 OWN /PHYSICAL 1000.00 1000.00 55.00 55.00",
		"Lancaster County, Lincoln: STATE Nebraska 0.055 OWN /PHYSICAL 200.00 200.00 11.00 11.00",
		"Douglas County, Omaha: CITY Omaha 0.015 OWN /PHYSICAL 0.00 1000.00 15.00 15.00",
		"Lancaster County, Lincoln: CITY Lincoln 0.0175 OWN /PHYSICAL 0.00 200.00 3.50 3.50",
		"Lancaster County, Lincoln: CITY Lincoln 0.0175 OWN /FOOD 0.00 100.00 1.75 1.75",
	)
	d, findings := MakeDocument(in)
	require.Equal(t, []string{"CODE_MISSING I", "CODE_MISSING I"}, errorsOf(findings), "the content has no codes of Nebraska")
	require.Empty(t, d)
	lincoln := findings[slices.IndexFunc(findings, func(f Finding) bool { return strings.Contains(f.Message, "Lincoln") })]
	require.EqualValues(t, 2, lincoln.Count)
	require.Equal(t, "5.25", lincoln.Amount.String(), "of all that it owes")
	require.Empty(t, codesOf(findings, "NOTHING_TO_FILE"))
	in.File.Codes = []tax.ReturnCode{{Place: "Omaha", Code: "901", Confidence: "MED"}, {Place: "Lincoln", Code: "72", Confidence: "HIGH"}}
	d, findings = MakeDocument(in)
	require.Empty(t, errorsOf(findings))
	require.Equal(t, "72,0,5.25\r\n901,0,15.00\r\n", string(d.Bytes))
	require.Equal(t, "text/csv US-NE-2026-07-01-2026-07-31.csv", d.MediaType+" "+d.FileName)
	in.Figures.Figures[2].Owed, in.Filing.TotalTaxLiability = total(t, "16.00"), total(t, "87.25")
	d, findings = MakeDocument(in)
	require.Equal(t, "72,0,5.25\r\n901,0,15.00\r\n", string(d.Bytes), "what was collected above the tax is told")
	require.Equal(t, []string{"COLLECTED_DIFFERS"}, codesOf(findings, "COLLECTED_DIFFERS"))
	in.File.Codes[0].Code = "9011"
	_, findings = MakeDocument(in)
	require.Equal(t, []string{"CODE_MISSING I"}, errorsOf(findings))
	d, findings = MakeDocument(filed(t, "NE", "Boyd County: STATE Nebraska 0.055 OWN /PHYSICAL 10.00 10.00 0.55 0.55"))
	require.Empty(t, d, "without local tax there is no Schedule I")
	require.Equal(t, []string{"NOTHING_TO_FILE"}, codesOf(findings, "NOTHING_TO_FILE"))
	require.Empty(t, errorsOf(findings))
}

// A return of Nebraska is of a whole month, quarter or year, as its seller files.
func TestTheFileOfNebraskaIsOfAWholePeriod(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		frequency, start string
		want             []string
	}{
		{"MONTHLY", "2026-07-01", nil}, {"MONTHLY", "2026-07-15", []string{"PERIOD_PART"}},
		{"QUARTERLY", "2026-05-01", nil}, {"QUARTERLY", "2026-07-01", []string{"PERIOD_PART"}},
		{"ANNUALLY", "2025-08-01", nil}, {"ANNUALLY", "2026-07-01", []string{"PERIOD_PART"}},
	} {
		in := filed(t, "NE")
		in.Filing.FilingFrequency, in.Filing.StartDate = &c.frequency, calendar.MustDate(c.start).Time()
		_, findings := MakeDocument(in)
		require.Equal(t, c.want, errorsOf(findings), c)
	}
}

// The document of a filing sees its entries.
func TestThePreviewSeesTheEntries(t *testing.T) {
	t.Parallel()
	content, err := tax.LoadContent()
	require.NoError(t, err)
	in := filed(t, "WA", kingCounty...)
	in.Filing.FilingFrequency = new("MONTHLY")
	in.Filing.Entries = []models.FilingEntry{entry(t, models.EntryPurchase, "0.00", "100.00")}
	d, findings := Preview(content, models.ReturnFacts{Filing: in.Filing, Figures: in.Figures, Filer: in.Filer}, in.Day)
	require.Equal(t, []string{"ENTRY_WITHOUT_LINE"}, errorsOf(findings))
	require.Empty(t, d)
}

// No layout that was not read makes a file, and every file has a format.
func TestEveryFileHasAFormat(t *testing.T) {
	t.Parallel()
	content, err := tax.LoadContent()
	require.NoError(t, err)
	low := 0
	for _, f := range content.ReturnFiles() {
		if f.Given() {
			require.Contains(t, formats, f.Form)
			continue
		}
		low++
		d, findings := MakeDocument(Input{File: f})
		require.Empty(t, d)
		require.Equal(t, []string{"LAYOUT_LOW"}, errorsOf(findings), f.ID)
	}
	require.NotZero(t, low)
}

func TestIDsOfAnAttempt(t *testing.T) {
	t.Parallel()
	key := models.AuthorityKey{OrganizationID: "org_1", Kind: models.AuthorityReturn, RecordID: "file_1", Attempt: 1}
	first := NewIDs("S00004711", 20261119, key, 0)
	require.Regexp(t, `^S0000471126323[0-9A-Z]{6}$`, first.Transmission)
	require.Regexp(t, `^S0000471126323[0-9A-Z]{6}$`, first.Document)
	require.NotEqual(t, first.Transmission, first.Document)
	require.Equal(t, first, NewIDs("S00004711", 20261119, key, 0))
	seen := map[string]bool{first.Transmission: true, first.Document: true}
	for n := 1; n < 50; n++ {
		ids := NewIDs("S00004711", 20261119, key, n)
		key2 := key
		key2.Attempt += n
		other := NewIDs("S00004711", 20261119, key2, 0)
		for _, id := range []string{ids.Transmission, ids.Document, other.Transmission, other.Document} {
			require.Len(t, id, 20)
			require.False(t, seen[id], id)
			seen[id] = true
		}
	}
}

// Every file that the code makes is in the list of files. It makes every file of the list that is not LOW.
func TestTheListOfFilesHasEveryFile(t *testing.T) {
	t.Parallel()
	content, err := tax.LoadContent()
	require.NoError(t, err)
	sent := map[string]string{tax.SimplifiedForm: ser.MediaType, "VAT-100": vat.MediaType}
	listed, states := map[string]bool{}, []string{}
	for _, f := range Files(content) {
		require.NotEmpty(t, f.Source, f.ID)
		require.NotZero(t, f.From, f.ID)
		_, made := formats[f.Form]
		require.True(t, !f.Given() || made || sent[f.Form] != "", "nobody makes %s", f.ID)
		require.Equal(t, sent[f.Form] != "", OnlySent(&f), f.ID)
		if OnlySent(&f) {
			require.Equal(t, sent[f.Form], f.MediaType, f.ID)
		}
		listed[f.Form] = true
		if f.Form == tax.SimplifiedForm {
			states = append(states, f.State)
			of := filed(t, "WA").Filing
			of.StateCode = f.State
			require.Equal(t, f, FileOf(content, models.ReturnFacts{Simplified: true, Filing: of}))
		}
	}
	for form := range formats {
		require.True(t, listed[form], "no file has the form %s", form)
	}
	for form := range sent {
		require.True(t, listed[form], "no file has the form %s", form)
	}
	require.Equal(t, content.SimplifiedStates(20260731), states)
	british := filed(t, "WA").Filing
	british.CountryCode, british.StateCode = models.UnitedKingdom, models.UnitedKingdom
	require.Contains(t, Files(content), FileOf(content, models.ReturnFacts{British: true, Filing: british}))
}
