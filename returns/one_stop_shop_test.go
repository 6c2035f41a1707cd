package returns

import (
	"encoding/xml"
	"errors"
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"levy/models"
	"levy/tax"
	"levy/tax/calendar"
)

// inShop is a return of the third quarter of 2026 of a seller that a member identifies.
func inShop(t *testing.T, identified string, figures ...string) Input {
	t.Helper()
	content, err := tax.LoadContent()
	require.NoError(t, err)
	in := Input{
		Filing: models.Filing{
			CountryCode: models.EuropeanUnion, StateCode: models.EuropeanUnion, Currency: "EUR",
			StartDate: calendar.Date(20260701).Time(), EndDate: calendar.Date(20260930).Time(), FilingCategory: calendar.FilingRegular,
			Around: models.FilingAround{IdentifiedBy: identified},
		},
		Figures: models.FilingFigures{Registered: true, Frozen: true}, Filer: models.ReturnFiler{Account: "BE 0123.456.749"},
		Members: content.ShopMembers(20260701, 20260930),
	}
	var ok bool
	in.File, ok = content.ReturnFile(identified, tax.ShopState, "QUARTERLY", 20260930)
	require.True(t, ok)
	require.Len(t, in.Members, 27)
	for _, text := range figures {
		x := figure(t, text)
		in.Figures.Figures = append(in.Figures.Figures, x)
		in.Filing.TotalTaxLiability = mustPlus(t, in.Filing.TotalTaxLiability, x.Owed)
	}
	return in
}

var inAustriaAndGreece = []string{
	"COUNTRY Austria 0.2 OWN /PHYSICAL 200.00 200.00 40.00 40.00",
	"COUNTRY Austria 0.1 OWN /BOOK 100.00 100.00 10.00 10.00",
	"COUNTRY Austria 0.2 OWN /SHIPPING 5.00 5.00 1.00 1.00",
	"COUNTRY Greece 0.24 OWN /CLOTHING 50.00 50.00 12.00 12.00",
	"COUNTRY Greece 0.24 MARKETPLACE /CLOTHING 70.00 70.00 16.80 0.00",
	"COUNTRY France 0 OWN REVERSE_CHARGE/PHYSICAL 30.00 0.00 0.00 0.00",
}

func TestTheFileOfTheShopInGermany(t *testing.T) {
	t.Parallel()
	in := inShop(t, "DE", inAustriaAndGreece...)
	d, findings := MakeDocument(in)
	require.Empty(t, errorsOf(findings))
	require.Equal(t, "#v2.0\n3,AT,STANDARD,20.00,205.00,41.00\n3,AT,REDUCED,10.00,100.00,10.00\n3,EL,STANDARD,24.00,50.00,12.00\n",
		string(d.Bytes))
	require.Equal(t, "DE-OSS-2026-07-01-2026-09-30.csv", d.FileName)
	again, _ := MakeDocument(in)
	require.Equal(t, d, again)
}

// Both standard rates of a quarter in which it changes are standard: Romania had 19 % until the end of July 2025.
func TestAStandardRateThatChangesInTheQuarter(t *testing.T) {
	t.Parallel()
	content, err := tax.LoadContent()
	require.NoError(t, err)
	in := inShop(t, "DE", "COUNTRY Romania 0.19 OWN /PHYSICAL 100.00 100.00 19.00 19.00",
		"COUNTRY Romania 0.21 OWN /PHYSICAL 100.00 100.00 21.00 21.00", "COUNTRY Romania 0.09 OWN /FOOD 100.00 100.00 9.00 9.00")
	often := string(calendar.FilingQuarterly)
	in.Filing.FilingFrequency, in.Filer.Member = &often, "DE"
	in.Filing.StartDate, in.Filing.EndDate = calendar.Date(20250701).Time(), calendar.Date(20250930).Time()
	d, findings := Preview(content, models.ReturnFacts{Filing: in.Filing, Figures: in.Figures, Filer: in.Filer}, 20251001)
	require.Empty(t, errorsOf(findings))
	require.Equal(t, "#v2.0\n3,RO,STANDARD,21.00,100.00,21.00\n3,RO,STANDARD,19.00,100.00,19.00\n3,RO,REDUCED,9.00,100.00,9.00\n",
		string(d.Bytes))
}

// How services, corrections and a return of zero are written was not read: they get no file, and the findings say so.
func TestTheShopInGermanyRefusesWhatWasNotRead(t *testing.T) {
	t.Parallel()
	d, findings := MakeDocument(inShop(t, "DE", "COUNTRY Austria 0.2 OWN /SAAS 200.00 200.00 40.00 40.00"))
	require.Equal(t, []string{"LAYOUT_LOW AT"}, errorsOf(findings))
	require.Nil(t, d.Bytes)
	in := inShop(t, "DE", inAustriaAndGreece...)
	in.Corrections = []Correction{{"GR", 2026, 1, total(t, "-3.00")}}
	d, findings = MakeDocument(in)
	require.Equal(t, []string{"LAYOUT_LOW EL"}, errorsOf(findings))
	require.Nil(t, d.Bytes)
	d, findings = MakeDocument(inShop(t, "DE"))
	require.Nil(t, d.Bytes)
	require.Empty(t, errorsOf(findings))
	require.Equal(t, "NOTHING_TO_FILE", findings[len(findings)-1].Code)
}

func TestTheFileOfTheShopInBelgium(t *testing.T) {
	t.Parallel()
	in := inShop(t, "BE", append(inAustriaAndGreece, "COUNTRY Austria 0.2 OWN /SAAS 10.00 10.00 2.00 2.00")...)
	in.Corrections = []Correction{{"GR", 2026, 1, total(t, "-3.00")}, {"CZ", 2025, 4, total(t, "7.50")}}
	d, findings := MakeDocument(in)
	require.Empty(t, errorsOf(findings))
	row := func(n, kind, rate, percent, vat, base string) string {
		return `<c:OSSDeclarationRows SequenceNumber="` + n + `"><c:SupplyType>` + kind + `</c:SupplyType><c:VatRateType type="` + rate + `">` +
			percent + `</c:VatRateType><c:VatAmount currency="EUR">` + vat + `</c:VatAmount><c:TaxableAmount currency="EUR">` + base +
			`</c:TaxableAmount></c:OSSDeclarationRows>`
	}
	correction := func(year, quarter, vat string) string {
		return `<c:CorrectionsInfo><c:Period><c:Year>` + year + `</c:Year><c:Quarter>` + quarter + `</c:Quarter></c:Period>` +
			`<c:TotalVATAmountCorrection currency="EUR">` + vat + `</c:TotalVATAmountCorrection></c:CorrectionsInfo>`
	}
	require.Equal(t, strings.Join([]string{
		`<?xml version="1.0" encoding="UTF-8"?>`,
		`<OSSConsignment xmlns="http://www.minfin.fgov.be/OSSDeclaration" xmlns:c="urn:minfin.fgov.be:oss:common" OSSDeclarationNbr="1">`,
		`<OSSDeclaration SequenceNumber="1">`,
		`<Trader_ID><c:VATNumber issuedBy="BE">0123456749</c:VATNumber></Trader_ID>`,
		`<Period><c:Year>2026</c:Year><c:Quarter>3</c:Quarter></Period>`,
		`<OSSDeclarationInfo SequenceNumber="1">`,
		`<c:MemberStateOfConsumption>AT</c:MemberStateOfConsumption>`,
		row("1", "GOODS", "STANDARD", "20.00", "41.00", "205.00"), row("2", "GOODS", "REDUCED", "10.00", "10.00", "100.00"),
		row("3", "SERVICES", "STANDARD", "20.00", "2.00", "10.00"),
		`</OSSDeclarationInfo>`, `<OSSDeclarationInfo SequenceNumber="2">`,
		`<c:MemberStateOfConsumption>CZ</c:MemberStateOfConsumption>`, correction("2025", "4", "7.50"),
		`</OSSDeclarationInfo>`, `<OSSDeclarationInfo SequenceNumber="3">`,
		`<c:MemberStateOfConsumption>EL</c:MemberStateOfConsumption>`, row("1", "GOODS", "STANDARD", "24.00", "12.00", "50.00"),
		correction("2026", "1", "-3.00"),
		`</OSSDeclarationInfo>`, `</OSSDeclaration>`, `</OSSConsignment>`, ``,
	}, "\n"), string(d.Bytes))
	read := xml.NewDecoder(strings.NewReader(string(d.Bytes)))
	for {
		if _, err := read.Token(); errors.Is(err, io.EOF) {
			break
		} else {
			require.NoError(t, err)
		}
	}
}

// correct adds a correction to a return.
func correct(in *Input, country string, year, quarter int) {
	in.Corrections = []Correction{{country, year, quarter, in.Figures.Figures[0].Owed}}
}

// Each fault of a return of the shop has its finding, and leaves it without a file.
func TestReturnsOfTheShopWithoutAFile(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		change func(in *Input)
		want   []string
	}{
		"no number":     {func(in *Input) { in.Filer.Account = "" }, []string{"ID_MISSING"}},
		"its number":    {func(in *Input) { in.Filer.Account = "BE123" }, []string{"ID_FORMAT"}},
		"an amendment":  {func(in *Input) { in.Filing.FilingCategory = models.FilingAmendment }, []string{"AMENDMENT_CORRECTS"}},
		"a part":        {func(in *Input) { in.Filing.StartDate = in.Filing.StartDate.AddDate(0, 0, 3) }, []string{"PERIOD_PART"}},
		"no quarter":    {func(in *Input) { in.Filing.EndDate = in.Filing.EndDate.AddDate(0, 1, 1) }, []string{"PERIOD_PART"}},
		"no member":     {func(in *Input) { in.Figures.Figures[0].Name = "Norway" }, []string{"CODE_MISSING"}},
		"no class":      {func(in *Input) { in.Figures.Figures[0].Class = "" }, []string{"CLASS_MISSING"}},
		"too old":       {func(in *Input) { correct(in, "AT", 2023, 2) }, []string{"CORRECTION_PERIOD AT"}},
		"its own":       {func(in *Input) { correct(in, "AT", 2026, 3) }, []string{"CORRECTION_PERIOD AT"}},
		"corrects none": {func(in *Input) { correct(in, "NO", 2026, 1) }, []string{"CODE_MISSING"}},
		"below zero": {func(in *Input) {
			x := &in.Figures.Figures[3]
			x.Taxable, x.Sign = x.Taxable.Neg(), models.FigureRefund
		}, []string{"NEGATIVE_NOT_ALLOWED EL"}},
		"other sums": {func(in *Input) { in.Filing.TotalTaxLiability = in.Figures.Figures[0].Owed }, []string{"SUMS_DIFFER"}},
	} {
		in := inShop(t, "BE", inAustriaAndGreece...)
		c.change(&in)
		d, findings := MakeDocument(in)
		require.Equal(t, c.want, errorsOf(findings), name)
		require.Nil(t, d.Bytes, name)
		for _, f := range findings {
			require.NotContains(t, f.Message, "0123", name)
		}
	}
	in := inShop(t, "BE", inAustriaAndGreece...)
	in.Corrections = []Correction{{"AT", 2023, 3, in.Figures.Figures[0].Owed}}
	d, _ := MakeDocument(in)
	require.NotNil(t, d.Bytes, "twelve quarters before")
}

// The file of a return is that of the member that identifies the seller. Most have none.
func TestTheFileOfTheMemberThatIdentifies(t *testing.T) {
	t.Parallel()
	content, err := tax.LoadContent()
	require.NoError(t, err)
	often := string(calendar.FilingQuarterly)
	for member, want := range map[string]string{"DE": "DE-OSS/2.0", "BE": "BE-OSS/1", "IE": "", "": ""} {
		in := inShop(t, "DE", inAustriaAndGreece...)
		in.Filing.FilingFrequency, in.Filer.Member = &often, member
		d, findings := Preview(content, models.ReturnFacts{Filing: in.Filing, Figures: in.Figures, Filer: in.Filer}, 20261001)
		require.Equal(t, want, d.Layout, member)
		require.Empty(t, errorsOf(findings), member)
		for _, f := range findings {
			require.NotEqual(t, "CORRECTIONS_MISSING", f.Code, "nothing was amended")
		}
	}
	require.True(t, content.HasReturnFile(models.EuropeanUnion, models.EuropeanUnion, 20260930))
	require.False(t, content.HasReturnFile(models.EuropeanUnion, models.EuropeanUnion, 20280930))
	require.False(t, content.HasReturnFile("DE", "DE", 20260930))
}

// The worksheet has a balance of each member. One below zero lowers no other.
func TestTheWorksheetOfTheShop(t *testing.T) {
	t.Parallel()
	in := inShop(t, "DE", append(inAustriaAndGreece, "COUNTRY Austria 0.2 OWN /SAAS 10.00 10.00 2.00 2.00")...)
	amendment := in.Filing
	amendment.FilingCategory = models.FilingAmendment
	amendment.StartDate, amendment.EndDate = calendar.Date(20260101).Time(), calendar.Date(20260331).Time()
	corrections, err := CorrectionsOf(in.Members, amendment, models.FilingFigures{Figures: []models.FilingFigure{
		figure(t, "COUNTRY Greece 0.24 OWN /CLOTHING -100.00 -100.00 -24.00 -24.00"),
		figure(t, "COUNTRY Greece 0.24 OWN /CLOTHING 25.00 25.00 6.00 6.00"),
		figure(t, "COUNTRY Austria 0.2 OWN /PHYSICAL 5.00 5.00 1.00 1.00"),
		figure(t, "COUNTRY France 0.2 MARKETPLACE /PHYSICAL 5.00 5.00 1.00 0.00"),
	}})
	require.NoError(t, err)
	require.Equal(t, []Correction{{"AT", 2026, 1, total(t, "1.00")}, {"GR", 2026, 1, total(t, "-18.00")}}, corrections)
	in.Corrections = corrections
	w, err := ShopWorksheet(in)
	require.NoError(t, err)
	require.Equal(t, []int{0, 2}, w.Lines[0].Figures, "goods, and what was charged for their delivery")
	require.Empty(t, w.Lines[6].Figures)
	require.Equal(t, []string{
		"AT-1 205.00", "AT-1t 41.00", "AT-2 100.00", "AT-2t 10.00", "AT-3 10.00", "AT-3t 2.00", "AT-2026Q1 1.00", "AT 54.00",
		"EL-1 50.00", "EL-1t 12.00", "EL-2026Q1 -18.00", "EL -6.00", "TOTAL 54.00",
	}, linesOf(w))
	require.Empty(t, errorsOf(w.Findings))
	require.Equal(t, []string{"CORRECTIONS"}, codesOf(w.Findings, "CORRECTIONS"))
	below := w.Findings[slices.IndexFunc(w.Findings, func(f Finding) bool { return f.Code == "BALANCE_BELOW_ZERO" })]
	require.Equal(t, "WARNING EL -6.00", below.Severity+" "+below.Line+" "+below.Amount.String())
	require.Equal(t, []string{"BALANCE_BELOW_ZERO"}, codesOf(w.Findings, "BALANCE_BELOW_ZERO"), "not of Austria")
	require.NotEmpty(t, w.Notice)
	require.Equal(t, "EU-OSS/2021-07", w.Layout.ID)
	in.Filing.TotalTaxLiability = total(t, "1.00")
	w, err = ShopWorksheet(in)
	require.NoError(t, err)
	require.Equal(t, []string{"SUMS_DIFFER"}, errorsOf(w.Findings))
}

// A business from outside the Union uses the non-Union scheme. Its worksheet says that there is no file, why, and what to do.
func TestTheWorksheetSaysWhyTheNonUnionSchemeHasNoFile(t *testing.T) {
	t.Parallel()
	in := inShop(t, "DE", inAustriaAndGreece...)
	w, err := ShopWorksheet(in)
	require.NoError(t, err)
	require.Empty(t, codesOf(w.Findings, "SCHEME_WITHOUT_FILE"), "Germany identifies it in the scheme of the Union")
	in.Filing.Around.IdentifiedBy = ""
	w, err = ShopWorksheet(in)
	require.NoError(t, err)
	require.Equal(t, []string{"SCHEME_WITHOUT_FILE"}, codesOf(w.Findings, "SCHEME_WITHOUT_FILE"))
	require.Empty(t, errorsOf(w.Findings), "its lines are typed in")
	require.Equal(t, "TOTAL", w.Lines[len(w.Lines)-1].Line)
}

func linesOf(w Worksheet) (lines []string) {
	for _, l := range w.Lines {
		lines = append(lines, l.Line+" "+l.Amount.String())
	}
	return lines
}

// codesOf returns those of the findings that have a code.
func codesOf(findings []Finding, code string) (found []string) {
	for _, f := range findings {
		if f.Code == code {
			found = append(found, f.Code)
		}
	}
	return found
}

// anAmendment is an amendment of the first quarter of 2026 that owes a sum.
func anAmendment(t *testing.T, owes string, figures ...string) (b models.FiledBefore) {
	t.Helper()
	b.Filing = models.Filing{
		FilingCategory: models.FilingAmendment, StartDate: calendar.Date(20260101).Time(), EndDate: calendar.Date(20260331).Time(),
	}
	b.Filing.TotalTaxLiability = total(t, owes)
	for _, text := range figures {
		b.Figures.Figures = append(b.Figures.Figures, figure(t, text))
	}
	return b
}

// A return corrects the amendments that it has: one amount for each member and period. A finding says which amendments
// lack a part, or wait, and nothing else.
func TestTheCorrectionsOfAReturnOfTheShop(t *testing.T) {
	t.Parallel()
	content, err := tax.LoadContent()
	require.NoError(t, err)
	greek, austrian := "COUNTRY Greece 0.24 OWN /CLOTHING 25.00 25.00 6.00 6.00", "COUNTRY Austria 0.2 OWN /BOOK 5.00 5.00 1.00 1.00"
	lost := anAmendment(t, "1.00", austrian)
	lost.Figures.Missing = 1
	for name, c := range map[string]struct {
		amended  models.ShopCorrections
		want     []Correction
		missing  int
		errors   []string
		document bool
		credit   string
	}{
		"none": {models.ShopCorrections{}, nil, 0, nil, true, "0.00"},
		"two of a quarter": {models.ShopCorrections{Amendments: []models.FiledBefore{
			anAmendment(t, "6.00", greek), anAmendment(t, "7.00", greek, austrian),
		}}, []Correction{{"AT", 2026, 1, total(t, "1.00")}, {"GR", 2026, 1, total(t, "12.00")}}, 0, nil, true, "0.00"},
		"two that cancel each other out": {models.ShopCorrections{Amendments: []models.FiledBefore{
			anAmendment(t, "6.00", greek), anAmendment(t, "-6.00", "COUNTRY Greece 0.24 OWN /CLOTHING -25.00 -25.00 -6.00 -6.00"),
		}}, nil, 0, nil, true, "6.00"},
		"one that waits": {models.ShopCorrections{Waiting: 1}, nil, 1, nil, true, "0.00"},
		"of no member": {models.ShopCorrections{Amendments: []models.FiledBefore{
			anAmendment(t, "1.00", "COUNTRY Norway 0.25 OWN /BOOK 4.00 4.00 1.00 1.00"),
		}}, nil, 1, []string{"CORRECTIONS_MISSING"}, false, "0.00"},
		"without figures": {models.ShopCorrections{Amendments: []models.FiledBefore{lost}},
			[]Correction{{"AT", 2026, 1, total(t, "1.00")}}, 1, []string{"CORRECTIONS_MISSING"}, false, "0.00"},
	} {
		in := inShop(t, "BE", inAustriaAndGreece...)
		in = in.WithShop(content, c.amended)
		require.ElementsMatch(t, c.want, in.Corrections, name)
		require.Equal(t, c.credit, in.CorrectionCredit.String(), name)
		d, findings := MakeDocument(in)
		require.Equal(t, c.errors, errorsOf(findings), name)
		require.Equal(t, c.document, d.Bytes != nil, name)
		require.Len(t, codesOf(findings, "CORRECTIONS_MISSING"), c.missing, name)
		w, err := ShopWorksheet(in)
		require.NoError(t, err)
		require.Len(t, codesOf(w.Findings, "CORRECTIONS_MISSING"), c.missing, name)
	}
}

// The import scheme has months, and corrects three years of them.
func TestTheWorksheetOfTheImportScheme(t *testing.T) {
	t.Parallel()
	in := inShop(t, "BE", inAustriaAndGreece[0])
	often := string(calendar.FilingMonthly)
	in.Filing.FilingFrequency = &often
	in.Filing.StartDate = calendar.Date(20260901).Time()
	in.Corrections = []Correction{{"AT", 2023, 9, total(t, "2.00")}}
	w, err := ShopWorksheet(in)
	require.NoError(t, err)
	require.Empty(t, errorsOf(w.Findings))
	require.Equal(t, []string{"AT-1 200.00", "AT-1t 40.00", "AT-2023-09 2.00", "AT 42.00", "TOTAL 42.00"}, linesOf(w))
	in.Corrections[0].Part = 8
	w, err = ShopWorksheet(in)
	require.NoError(t, err)
	require.Equal(t, []string{"CORRECTION_PERIOD AT"}, errorsOf(w.Findings))
}

// Amendments, and returns by the rules of July 2028, have the general worksheet.
func TestTheReturnsWithTheWorksheetOfTheShop(t *testing.T) {
	t.Parallel()
	f := inShop(t, "BE").Filing
	require.True(t, HasShopWorksheet(&f))
	f.FilingCategory = models.FilingAmendment
	require.False(t, HasShopWorksheet(&f))
	f.FilingCategory, f.EndDate = calendar.FilingRegular, calendar.Date(20280930).Time()
	require.False(t, HasShopWorksheet(&f))
	f.CountryCode, f.EndDate = "DE", calendar.Date(20260930).Time()
	require.False(t, HasShopWorksheet(&f))
}

// Files of the shop end before the rules of July 2028, whose returns were not read.
func TestNoFileOfTheShopFrom2028(t *testing.T) {
	t.Parallel()
	content, err := tax.LoadContent()
	require.NoError(t, err)
	for _, country := range []string{"DE", "BE"} {
		_, ok := content.ReturnFile(country, tax.ShopState, "QUARTERLY", 20280630)
		require.True(t, ok)
		_, ok = content.ReturnFile(country, tax.ShopState, "QUARTERLY", 20280930)
		require.False(t, ok)
	}
}
