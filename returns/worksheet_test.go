package returns

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"levy/models"
	"levy/tax"
	"levy/tax/calendar"
	"levy/tax/money"
)

func total(t *testing.T, text string) money.Total {
	t.Helper()
	sum, err := money.ParseTotal(text)
	require.NoError(t, err)
	return sum
}

// figure reads a figure from "level name rate channel category/class gross taxable tax owed place"; "_" in names is a
// space. The place may be left out.
func figure(t *testing.T, text string) models.FilingFigure {
	t.Helper()
	f := strings.Fields(text)
	require.GreaterOrEqual(t, len(f), 9, text)
	category, class, _ := strings.Cut(f[4], "/")
	x := models.FilingFigure{
		FigureKey: models.FigureKey{
			Level: f[0], Name: strings.ReplaceAll(f[1], "_", " "), Rate: f[2], Sign: models.FigureSale, Channel: f[3],
			Origin: models.OriginOutOfState, Category: category, Class: class,
		},
		Transactions: 1, Gross: total(t, f[5]), Taxable: total(t, f[6]), Tax: total(t, f[7]), Owed: total(t, f[8]),
	}
	if x.Gross.IsNeg() {
		x.Sign = models.FigureRefund
	}
	if len(f) > 9 {
		x.Place = strings.ReplaceAll(f[9], "_", " ")
	}
	return x
}

// purchase reads an entry from "type name taxable amount"; type "-" is the authority.
func purchase(t *testing.T, text string) models.FilingEntry {
	t.Helper()
	f := strings.Fields(text)
	require.Len(t, f, 4, text)
	e := models.FilingEntry{Kind: models.EntryPurchase, Taxable: total(t, f[2]), Amount: total(t, f[3])}
	if f[0] != "-" {
		e.JurisdictionType, e.JurisdictionName = f[0], strings.ReplaceAll(f[1], "_", " ")
	}
	return e
}

// inTexas is a monthly return of Texas, due on 20 August 2026.
func inTexas(t *testing.T, figures ...string) Input {
	t.Helper()
	return monthly(t, "US", "TX", figures...)
}

// monthly is a return of July 2026, due on 20 August.
func monthly(t *testing.T, country, state string, figures ...string) Input {
	t.Helper()
	return ofPeriod(t, country, state, calendar.FilingMonthly, 20260701, 20260731, 20260820, figures...)
}

func ofPeriod(
	t *testing.T, country, state string, frequency calendar.FilingFrequency, from, to, dueDay calendar.Date, figures ...string,
) Input {
	t.Helper()
	content, err := tax.LoadContent()
	require.NoError(t, err)
	due, often := dueDay.Time(), string(frequency)
	in := Input{
		Filing: models.Filing{
			CountryCode: country, StateCode: state, Currency: "USD", StartDate: from.Time(), EndDate: to.Time(), DueDate: &due,
			FilingCategory: calendar.FilingRegular, FilingFrequency: &often,
		},
		Day: dueDay, Figures: models.FilingFigures{Registered: true},
	}
	var layout bool
	in.Layout, layout = content.ReturnLayout(country, state, to)
	require.True(t, layout)
	if allowance, ok := content.VendorAllowance(state, frequency, to, dueDay, in.Day); ok && country == "US" {
		in.Allowance = &allowance
	}
	for _, text := range figures {
		x := figure(t, text)
		in.Figures.Figures = append(in.Figures.Figures, x)
		var err error
		in.Filing.TotalTaxLiability, err = in.Filing.TotalTaxLiability.Plus(x.Owed)
		require.NoError(t, err)
	}
	return in
}

// generally is the same return with the general layout.
func generally(t *testing.T, figures ...string) Input {
	t.Helper()
	in := inTexas(t, figures...)
	content, err := tax.LoadContent()
	require.NoError(t, err)
	var ok bool
	in.Layout, ok = content.GeneralLayout(calendar.DateOf(in.Filing.EndDate))
	require.True(t, ok)
	require.Equal(t, "GENERAL/1", in.Layout.ID)
	return in
}

func made(t *testing.T, in Input) (amounts map[string]string, w Worksheet) {
	t.Helper()
	w, err := Make(in)
	require.NoError(t, err)
	amounts = map[string]string{}
	for _, l := range w.Lines {
		require.NotContains(t, amounts, l.Line, "a line is there once")
		amounts[l.Line] = l.Amount.String()
	}
	return amounts, w
}

// codes are the codes of findings.
func (w Worksheet) codes() (codes []string) {
	for _, f := range w.Findings {
		codes = append(codes, f.Code)
	}
	return codes
}

// austinAndDallas are sales of July 2026 in Texas: 1 for resale, food, some through a marketplace.
var austinAndDallas = []string{
	"STATE Texas 0.0625 OWN /PHYSICAL 41237.48 41237.48 2577.34 2577.34",
	"STATE Texas 0 OWN RESALE/PHYSICAL 6410.00 0.00 0.00 0.00",
	"STATE Texas 0 OWN NOT_TAXABLE/FOOD 1152.50 0.00 0.00 0.00",
	"STATE Texas 0.0625 MARKETPLACE /PHYSICAL 3000.00 3000.00 187.50 0.00",
	"CITY Austin 0.01 OWN /PHYSICAL 0.00 21237.48 212.37 212.37",
	"SPECIAL Austin_MTA 0.01 OWN /PHYSICAL 0.00 21237.48 212.37 212.37",
	"CITY Dallas 0.01 OWN /PHYSICAL 0.00 20000.00 200.00 200.00",
	"SPECIAL Dallas_MTA 0.01 OWN /PHYSICAL 0.00 20000.00 200.00 200.00",
}

// Worked out by hand: 41,237.48 are 41,237 dollars, and 6.25 % of them 2,577.31. 21,237 x 1 % twice and 20,000 x 1 % twice
// are 824.74. Half a percent of each are 12.89 and 4.12.
func TestTheWorksheetOfTexas(t *testing.T) {
	t.Parallel()
	in := inTexas(t, austinAndDallas...)
	amounts, w := made(t, in)
	require.Equal(t, map[string]string{
		"1": "51800.00", "2": "41237.00", "3": "0.00", "4": "41237.00", "l": "93037.00",
		"S1": "21237.00", "S1t": "212.37", "S2": "21237.00", "S2t": "212.37",
		"S3": "20000.00", "S3t": "200.00", "S4": "20000.00", "S4t": "200.00",
		"8a": "2577.31", "8b": "824.74", "9a": "0.00", "9b": "0.00", "10a": "2577.31", "10b": "824.74",
		"11a": "12.89", "11b": "4.12", "12a": "0.00", "12b": "0.00", "13a": "2564.42", "13b": "820.62",
		"14a": "0.00", "14b": "0.00", "15a": "2564.42", "15b": "820.62", "15": "3385.04", "X": "3402.08", "XD": "-0.03",
	}, amounts)
	require.Equal(t, []string{"LAYOUT_MED", "DISCOUNT_PROPOSED", "FORM_DIFFERS", "ENTRY_MISSING", "CODE_MISSING", "BOXES"}, w.codes())
	require.Equal(t, tax.ConfidenceMedium, w.Sure)
	require.Equal(t, []int{0, 1, 2, 3}, w.Lines[0].Figures, "each line names its figures")
	again, err := Make(in)
	require.NoError(t, err)
	require.Equal(t, w, again)
}

func TestADiscountIsProposedUntilTheDueDay(t *testing.T) {
	t.Parallel()
	in := inTexas(t, austinAndDallas...)
	in.Day++
	amounts, _ := made(t, in)
	require.Equal(t, "0.00 0.00 3402.05", amounts["11a"]+" "+amounts["11b"]+" "+amounts["15"])
	in.Day--
	in.Filing.DueDate = nil
	amounts, _ = made(t, in)
	require.Equal(t, "0.00", amounts["11a"], "it is not known whether it is in time")
}

func TestADiscountThatAPersonEnteredWins(t *testing.T) {
	t.Parallel()
	in := inTexas(t, austinAndDallas...)
	in.Filing.AmountDiscounts = total(t, "10.00")
	amounts, w := made(t, in)
	require.Equal(t, "7.58 2.42", amounts["11a"]+" "+amounts["11b"], "10.00 x 824.74 / 3,402.05 are 2.42")
	require.Contains(t, w.codes(), "DISCOUNT_ENTERED")
	in.Filing.AmountDiscounts = total(t, "17.01")
	_, w = made(t, in)
	require.NotContains(t, w.codes(), "DISCOUNT_ENTERED")
	require.NotContains(t, w.codes(), "DISCOUNT_PROPOSED")
}

// The form divides prepayments and credit into state and local tax, which Levy does not know.
func TestPaymentsOnAccountAreNoLinesOfTexas(t *testing.T) {
	t.Parallel()
	in := inTexas(t, austinAndDallas...)
	in.Filing.AmountPrepaid, in.Filing.AmountCreditApplied = total(t, "100.00"), total(t, "20.00")
	amounts, w := made(t, in)
	require.Equal(t, "0.00 0.00 0.00 0.00", amounts["9a"]+" "+amounts["9b"]+" "+amounts["12a"]+" "+amounts["12b"])
	at := slices.IndexFunc(w.Findings, func(f Finding) bool { return f.Line == "12a" })
	require.GreaterOrEqual(t, at, 0)
	require.Equal(t, []any{models.SeverityWarning, "ENTRY_MISSING", total(t, "120.00")},
		[]any{w.Findings[at].Severity, w.Findings[at].Code, w.Findings[at].Amount})
}

// Refunds that exceed the sales of a line cannot be typed in.
func TestAFormThatTakesNothingBelowZero(t *testing.T) {
	t.Parallel()
	_, w := made(t, inTexas(t, "STATE Texas 0.0625 OWN /PHYSICAL -100.00 -100.00 -6.25 -6.25"))
	require.Equal(t, []string{"NEGATIVE_NOT_ALLOWED", "NEGATIVE_NOT_ALLOWED"}, w.codes()[1:3])
}

func TestTheGeneralWorksheet(t *testing.T) {
	t.Parallel()
	in := generally(t, append(austinAndDallas,
		"STATE Texas 0.0625 OWN /PHYSICAL -50.00 -50.00 -3.13 -3.13",
		"STATE Texas 0.0625 NO_OBLIGATION /PHYSICAL 70.00 70.00 4.38 0.00")...)
	in.Filing.AmountPenalties, in.Filing.AmountPrepaid = total(t, "5.00"), total(t, "100.00")
	amounts, w := made(t, in)
	require.Equal(t, map[string]string{
		"1": "51749.98", "1m": "3000.00", "1r": "50.00", "2": "7562.50", "2.NOT_TAXABLE": "1152.50", "2.RESALE": "6410.00",
		"3": "41187.48", "4.1": "41187.48", "4.1t": "2574.21",
		"4.2": "21237.48", "4.2t": "212.37", "4.3": "21237.48", "4.3t": "212.37", "4.4": "20000.00", "4.4t": "200.00",
		"4.5": "20000.00", "4.5t": "200.00", "5": "3398.95", "6": "0.00", "6p": "16.99", "7": "5.00", "8": "100.00", "9": "3303.95", "X": "70.00",
	}, amounts)
	require.Equal(t, "LAYOUT_LOW", w.codes()[0])
	require.NotEmpty(t, w.Notice)
	require.NotContains(t, w.codes(), "SUMS_DIFFER")
}

// A further tax of the authority has a line of its own, and its base is no sale of its own.
func TestAFurtherTaxInTheGeneralWorksheet(t *testing.T) {
	t.Parallel()
	amounts, _ := made(t, generally(t,
		"STATE Tennessee 0.07 OWN /PHYSICAL 2000.00 2000.00 140.00 140.00",
		"STATE Tennessee 0.0275 OWN ADDITIONAL/PHYSICAL 0.00 400.00 11.00 11.00",
		"STATE Tennessee 0 OWN RESALE/PHYSICAL 100.00 0.00 0.00 0.00"))
	require.Equal(t, "2100.00 100.00 2000.00 400.00 11.00 151.00", strings.Join([]string{
		amounts["1"], amounts["2"], amounts["3"], amounts["4.2"], amounts["4.2t"], amounts["5"],
	}, " "))
	require.NotContains(t, amounts, "2.ADDITIONAL")
	require.NotContains(t, amounts, "2.OTHER")
}

// Utah has two taxes on food where only the state of the address is known: the sale is not exempt because of the second.
func TestAFurtherTaxInTheFormOfUtah(t *testing.T) {
	t.Parallel()
	amounts, _ := made(t, monthly(t, "US", "UT", "STATE Utah 0.0175 OWN /FOOD 100.00 100.00 1.75 1.75",
		"STATE Utah 0.0125 OWN ADDITIONAL/FOOD 0.00 100.00 1.25 1.25", "STATE Utah 0 OWN RESALE/PHYSICAL 20.00 0.00 0.00 0.00"))
	require.Equal(t, "120.00 20.00 100.00 100.00 100.00", strings.Join([]string{
		amounts["1"], amounts["2"], amounts["3"], amounts["5"], amounts["7"],
	}, " "))
}

// The schedule of grocery food in Utah has the base once, at the sum of both taxes. A tax whose rate changes has a line at each rate.
func TestAFurtherTaxInTheScheduleOfUtah(t *testing.T) {
	t.Parallel()
	both := []string{"STATE Utah 0.0175 OWN /FOOD 100.00 100.00 1.75 1.75", "STATE Utah 0.0125 OWN ADDITIONAL/FOOD 0.00 100.00 1.25 1.25"}
	amounts, w := made(t, monthly(t, "US", "UT", both...))
	require.Equal(t, "100.00 3.00 3.00 0.00", strings.Join([]string{amounts["G1"], amounts["G1t"], amounts["8b"], amounts["XD"]}, " "))
	require.NotContains(t, amounts, "G2")
	require.NotContains(t, w.codes(), "RATE_UNCLEAR")
	amounts, w = made(t, monthly(t, "US", "UT", append(both, "STATE Utah 0.02 OWN /FOOD 50.00 50.00 1.00 1.00")...))
	require.Equal(t, "100.00 100.00 50.00", amounts["G1"]+" "+amounts["G2"]+" "+amounts["G3"])
	require.Contains(t, w.codes(), "RATE_UNCLEAR")
}

// Tax given back without the goods makes a sale exempt: nothing off gross, the base off what is taxed.
func TestATaxRefundMakesASaleExempt(t *testing.T) {
	t.Parallel()
	amounts, _ := made(t, generally(t, "STATE Texas 0.0625 OWN /PHYSICAL 100.00 100.00 6.25 6.25",
		"STATE Texas 0.0625 OWN /PHYSICAL 0.00 -100.00 -6.25 -6.25"))
	require.Equal(t, "100.00 100.00 0.00 0.00", amounts["1"]+" "+amounts["2.OTHER"]+" "+amounts["3"]+" "+amounts["5"])
}

func TestFindingsNameWhatToFill(t *testing.T) {
	t.Parallel()
	in := generally(t, austinAndDallas...)
	in.Figures.Registered, in.Figures.Missing = false, 3
	in.Filing.FilingCategory, in.Filing.AmountAdjusted = models.FilingAmendment, total(t, "1.00")
	in.Figures.Figures[0].Origin, in.Figures.Figures[0].Class = models.OriginUnknown, ""
	_, w := made(t, in)
	require.Equal(t, []string{"FIGURES_MISSING", "LAYOUT_LOW", "ID_MISSING", "ORIGIN_UNKNOWN", "CLASS_MISSING"}, w.codes())
	require.Equal(t, models.SeverityError, w.Findings[0].Severity)
	require.Equal(t, int64(3), w.Findings[0].Count)
	in.Filing.FilingCategory, in.Filing.ClaimedAt = calendar.FilingPrepayment, new(time.Time)
	_, w = made(t, in)
	require.Contains(t, w.Findings[0].Message, "did not keep the figures of this prepayment")
	amended := inTexas(t)
	amended.Filing.FilingCategory = models.FilingAmendment
	_, w = made(t, amended)
	require.Contains(t, w.codes(), "AMENDMENT_DIFFERENCE")
	require.NotContains(t, w.codes(), "FREE_ADJUSTMENT")
	amended.Filing.AmountAdjusted = total(t, "1.00")
	_, w = made(t, amended)
	require.Contains(t, w.codes(), "FREE_ADJUSTMENT", "only the general layout has a line for it")
}

// A worksheet whose lines are not what the filing owes is an error of its own.
func TestLinesThatDoNotAddUpAreAnError(t *testing.T) {
	t.Parallel()
	in := generally(t, austinAndDallas...)
	in.Filing.TotalTaxLiability = total(t, "0.01")
	_, w := made(t, in)
	require.Contains(t, w.codes(), "SUMS_DIFFER")
	in.Figures.Missing = 1
	_, w = made(t, in)
	require.NotContains(t, w.codes(), "SUMS_DIFFER", "what is missing explains it")
}

// A return without sales has all lines, with zeros.
func TestZeroReturnsHaveTheirLines(t *testing.T) {
	t.Parallel()
	for _, in := range []Input{inTexas(t), generally(t)} {
		amounts, _ := made(t, in)
		for line, amount := range amounts {
			require.Equal(t, "0.00", amount, line)
		}
		require.Contains(t, amounts, "1")
	}
}

func TestALayoutThatTheProgramDoesNotKnow(t *testing.T) {
	t.Parallel()
	in := inTexas(t)
	in.Layout.Lines = slices.Clone(in.Layout.Lines)
	for _, formula := range []tax.Formula{
		{Function: "root", Args: []string{"#1"}}, {Function: "sum", Args: []string{"weight", "own"}},
		{Function: "sum", Args: []string{"gross", "blue"}}, {Function: "share", Args: []string{"#2"}},
		{Function: "share", Args: []string{"#2", "2"}}, {Function: "sum", Args: []string{"gross", "at"}},
	} {
		in.Layout.Lines[3].Formula = formula
		_, err := Make(in)
		require.ErrorIs(t, err, ErrLayout, formula)
	}
}

// Every layout of the content is one that the program knows, has a source for each line, and shows each of its lines.
func TestEveryLayoutIsComputedLineByLine(t *testing.T) {
	t.Parallel()
	content, err := tax.LoadContent()
	require.NoError(t, err)
	layouts := content.ReturnLayouts()
	require.NotEmpty(t, layouts)
	for _, layout := range layouts {
		require.NotEmpty(t, layout.Source, layout.ID)
		require.NotEmpty(t, layout.Edition, layout.ID)
		require.NotEmpty(t, layout.Confidence, layout.ID)
		state := layout.State
		if layout.Country == tax.AnyCountry {
			state = "TX"
		}
		in := inTexas(t, "STATE Home 0.05 OWN /PHYSICAL 100.00 100.00 5.00 5.00 Here", "STATE Home 0 OWN RESALE/FOOD 10.00 0.00 0.00 0.00 Here",
			"CITY Here 0.01 OWN /PHYSICAL 0.00 100.00 1.00 1.00 Here", "CITY Here 0.01 OWN /FOOD 0.00 10.00 0.10 0.10 Here",
			"COUNTY Home_County 0.005 OWN /PHYSICAL 0.00 100.00 0.50 0.50 Here",
			"COUNTY Milwaukee_County 0.009 OWN /PHYSICAL 0.00 100.00 0.90 0.90 Here",
			"STATE Home 0.05 NO_OBLIGATION /PHYSICAL 70.00 70.00 3.50 0.00")
		in.Filing.StateCode, in.Layout = state, layout
		in.Entries = []models.FilingEntry{{Kind: models.EntryPurchase, Taxable: total(t, "1.00")}}
		in.Entries = []models.FilingEntry{{Kind: models.EntryPurchase, Amount: total(t, "6.25"), Taxable: total(t, "100.00")}}
		amounts, _ := made(t, in)
		for _, line := range layout.Lines {
			require.NotEmpty(t, line.Source, layout.ID+" "+line.Line)
			require.NotEmpty(t, line.Confidence, layout.ID+" "+line.Line)
			if strings.Contains(line.Line, "*") {
				before, after, _ := strings.Cut(line.Line, "*")
				found := false
				for number := range amounts {
					found = found || strings.HasPrefix(number, before) && strings.HasSuffix(number, after)
				}
				require.True(t, found, layout.ID+" "+line.Line)
				continue
			}
			require.Contains(t, amounts, line.Line, layout.ID)
		}
	}
}
