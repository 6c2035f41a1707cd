package returns

import (
	"maps"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"levy/models"
	"levy/tax"
	"levy/tax/calendar"
	"levy/tax/money"
)

// One cent of a sale that is not taxed moves the lines of gross and of its reason alone.
func TestACentMovesItsLines(t *testing.T) {
	t.Parallel()
	for n, want := range map[int][]string{2: {"A1", "A2"}, 5: {"15a", "15d", "5", "7", "10", "14", "A4", "X"}} {
		in := examples[2].of(t)
		before, _ := made(t, in)
		x := &in.Figures.Figures[n]
		cent := total(t, "0.01")
		if x.Taxable.IsZero() {
			x.Gross = mustPlus(t, x.Gross, cent)
		} else {
			x.Taxable, x.Tax, x.Owed = mustPlus(t, x.Taxable, cent), mustPlus(t, x.Tax, cent), mustPlus(t, x.Owed, cent)
			in.Filing.TotalTaxLiability = mustPlus(t, in.Filing.TotalTaxLiability, cent)
		}
		after, w := made(t, in)
		slices.Sort(want)
		require.Equal(t, want, changedLines(before, after))
		require.NotContains(t, w.codes(), "SUMS_DIFFER")
	}
}

// Another place of a sale moves the lines of both places, and the sum of none.
func TestAnotherPlaceMovesItsLines(t *testing.T) {
	t.Parallel()
	in := examples[1].of(t)
	before, _ := made(t, in)
	hundred := total(t, "100.00")
	for n, amount := range map[int]money.Total{3: hundred.Neg(), 4: hundred} {
		x := &in.Figures.Figures[n]
		x.Taxable = mustPlus(t, x.Taxable, amount)
	}
	after, _ := made(t, in)
	require.Equal(t, []string{"45-1", "45-1x", "45-2", "45-2x", "45x", "DUE", "T", "XD"}, changedLines(before, after))
}

// A sale that becomes one of a marketplace leaves all lines but that of the gross sales of Texas.
func TestMarketplaceMovesItsLines(t *testing.T) {
	t.Parallel()
	in := examples[0].of(t)
	before, _ := made(t, in)
	in.Figures.Figures[2].Channel = models.ChannelMarketplace
	after, _ := made(t, in)
	require.Empty(t, changedLines(before, after), "food that is not taxed stays in item 1")
	in = examples[2].of(t)
	before, _ = made(t, in)
	in.Figures.Figures[3].Channel = models.ChannelMarketplace
	after, _ = made(t, in)
	require.Equal(t, []string{"A1", "A2"}, changedLines(before, after))
	in.Figures.Figures[6].Channel, in.Figures.Figures[6].Owed = models.ChannelMarketplace, money.Total{}
	after, w := made(t, in)
	require.Equal(t, []string{"10", "14", "15b", "15c", "15d", "5", "7", "A1", "A2", "A4", "X"}, changedLines(before, after))
	require.Contains(t, w.codes(), "SUMS_DIFFER", "the filing still owes the tax of that sale")
}

func mustPlus(t *testing.T, a, b money.Total) money.Total {
	t.Helper()
	sum, err := a.Plus(b)
	require.NoError(t, err)
	return sum
}

// A worksheet is as sure as the least of what it rests on: where a form rounds counts as well.
func TestHowSureLayoutsAre(t *testing.T) {
	t.Parallel()
	law, err := tax.LoadContent()
	require.NoError(t, err)
	medium := []string{"TX", "WA", "FL", "NY", "PA", "IL", "NE"}
	for _, l := range law.ReturnLayouts() {
		want := tax.ConfidenceLow
		if l.Country != "US" && l.Country != tax.AnyCountry || slices.Contains(medium, l.State) {
			want = tax.ConfidenceMedium
		}
		require.Equal(t, want, l.Sure(), l.ID)
	}
}

// A form that is for quarters of its own refuses other periods.
func TestAPeriodThatTheAuthorityDoesNotHave(t *testing.T) {
	t.Parallel()
	in := ofPeriod(t, "US", "NY", calendar.FilingQuarterly, 20260701, 20260930, 20261020)
	_, w := made(t, in)
	require.Contains(t, w.codes(), "PERIOD_KIND")
	in = ofPeriod(t, "US", "NY", calendar.FilingMonthly, 20260801, 20260831, 20260920)
	_, w = made(t, in)
	require.Contains(t, w.codes(), "PERIOD_KIND")
	require.Equal(t, models.SeverityError, w.Findings[slices.Index(w.codes(), "PERIOD_KIND")].Severity)
}

// Clothing that only a locality taxes has a rate of its own there.
func TestPlacesWithSeveralRates(t *testing.T) {
	t.Parallel()
	in := ofPeriod(t, "US", "NY", calendar.FilingQuarterly, 20260601, 20260831, 20260921,
		"STATE New_York 0.04 OWN /PHYSICAL 100.00 100.00 4.00 4.00 Albany_County",
		"COUNTY Albany_County 0.04 OWN /PHYSICAL 0.00 100.00 4.00 4.00 Albany_County",
		"STATE New_York 0 OWN THRESHOLD/CLOTHING 50.00 0.00 0.00 0.00 Albany_County",
		"COUNTY Albany_County 0.04 OWN /CLOTHING 0.00 50.00 2.00 2.00 Albany_County")
	amounts, w := made(t, in)
	require.Equal(t, "100.00 8.00 50.00 2.00", amounts["1-C"]+" "+amounts["1-F"]+" "+amounts["2-C"]+" "+amounts["2-F"])
	require.NotContains(t, w.codes(), "RATE_UNCLEAR")
}

// A coat for 200 and a shirt for 80 are sold in Albany, where the state taxes clothing from 110 on. 200 x 8 % and 80 x 4 % are
// 19.20, of 280 dollars of taxable sales. A return of a shirt for 30 leaves 50 at 4 %.
func TestNoSaleIsTwiceAmongTaxableSales(t *testing.T) {
	t.Parallel()
	in := ofPeriod(t, "US", "NY", calendar.FilingQuarterly, 20260601, 20260831, 20260921,
		"STATE New_York 0.04 OWN /CLOTHING 200.00 200.00 8.00 8.00 Albany_County",
		"STATE New_York 0 OWN THRESHOLD/CLOTHING 80.00 0.00 0.00 0.00 Albany_County",
		"STATE New_York 0 OWN RESALE/CLOTHING 500.00 0.00 0.00 0.00 Albany_County",
		"COUNTY Albany_County 0.04 OWN /CLOTHING 0.00 280.00 11.20 11.20 Albany_County")
	amounts, w := made(t, in)
	require.NotContains(t, w.codes(), "RATE_UNCLEAR")
	lines := func() string {
		return strings.Join([]string{amounts["1-C"], amounts["1-F"], amounts["2-C"], amounts["2-F"], amounts["12"], amounts["14"]}, " ")
	}
	require.Equal(t, "200.00 16.00 80.00 3.20 280.00 19.20", lines())
	require.Equal(t, []int{0}, w.Lines[lineAt(t, w, "1-C")].Figures)
	require.Equal(t, []int{3, 0}, w.Lines[lineAt(t, w, "2-C")].Figures, "the county less what the state taxes, too")
	for _, text := range []string{
		"STATE New_York 0 OWN THRESHOLD/CLOTHING -30.00 0.00 0.00 0.00 Albany_County",
		"COUNTY Albany_County 0.04 OWN /CLOTHING 0.00 -30.00 -1.20 -1.20 Albany_County",
	} {
		in.Figures.Figures = append(in.Figures.Figures, figure(t, text))
	}
	amounts, _ = made(t, in)
	require.Equal(t, "200.00 16.00 50.00 2.00 250.00 18.00", lines())
}

func lineAt(t *testing.T, w Worksheet, number string) int {
	t.Helper()
	n := slices.IndexFunc(w.Lines, func(l Line) bool { return l.Line == number })
	require.GreaterOrEqual(t, n, 0)
	return n
}

// Of sales that are taxed in part nobody knows whether two bases are of the same ones.
func TestPlacesWithoutACombinedRate(t *testing.T) {
	t.Parallel()
	in := ofPeriod(t, "US", "NY", calendar.FilingQuarterly, 20260601, 20260831, 20260921,
		"STATE New_York 0.04 OWN PARTIAL/CLOTHING 100.00 80.00 3.20 3.20 Albany_County",
		"COUNTY Albany_County 0.04 OWN /CLOTHING 0.00 90.00 3.60 3.60 Albany_County")
	amounts, w := made(t, in)
	require.Contains(t, w.codes(), "RATE_UNCLEAR")
	require.Equal(t, "80.00 3.20 90.00 3.60", amounts["1-C"]+" "+amounts["1-F"]+" "+amounts["2-C"]+" "+amounts["2-F"])

	in.Figures.Figures = []models.FilingFigure{
		figure(t, "STATE New_York 0.04 OWN /CLOTHING 100.00 100.00 4.00 4.00 Albany_County,_Albany"),
		figure(t, "COUNTY Albany_County 0.04 OWN /CLOTHING 0.00 80.00 3.20 3.20 Albany_County,_Albany"),
		figure(t, "CITY Albany 0.01 OWN /CLOTHING 0.00 70.00 0.70 0.70 Albany_County,_Albany"),
	}
	_, w = made(t, in)
	require.Contains(t, w.codes(), "RATE_UNCLEAR", "two parts of the same sales")
}

// By way of cents 0.495 would be 0.50, and then a dollar. The county tax of California is 0.25 % of 198, the discount of
// Illinois 1.75 % of 314: 5.495.
func TestATaxInWholeDollarsIsRoundedOnce(t *testing.T) {
	t.Parallel()
	amounts, _ := made(t, monthly(t, "US", "CA", "STATE California 0.06 OWN /PHYSICAL 198.00 198.00 11.88 11.88"))
	require.Equal(t, "12.00 0.00 2.00", amounts["13"]+" "+amounts["14"]+" "+amounts["15"])
	amounts, w := made(t, monthly(t, "US", "IL", "STATE Illinois 0.0625 OWN /PHYSICAL 5024.00 5024.00 314.00 314.00"))
	require.Equal(t, "314.00 5.00 309.00", amounts["9"]+" "+amounts["10"]+" "+amounts["11"])
	proposed := w.Findings[slices.Index(w.codes(), "DISCOUNT_PROPOSED")]
	require.Equal(t, "5.00", proposed.Amount.String(), "what the line has")
}

// Where the rates of a place cannot be added up, a purchase is on the line of its jurisdiction.
func TestAPurchaseInAPlaceWithoutACombinedRate(t *testing.T) {
	t.Parallel()
	in := ofPeriod(t, "US", "NY", calendar.FilingQuarterly, 20260601, 20260831, 20260921,
		"STATE New_York 0.04 OWN /PHYSICAL 100.00 100.00 4.00 4.00 Albany_County,_Albany",
		"COUNTY Albany_County 0.04 OWN /PHYSICAL 0.00 90.00 3.60 3.60 Albany_County,_Albany",
		"CITY Albany 0.01 OWN /PHYSICAL 0.00 80.00 0.80 0.80 Albany_County,_Albany")
	in.Entries = []models.FilingEntry{purchase(t, "COUNTY Albany_County 50.00 2.00"), purchase(t, "CITY Albany 30.00 0.30")}
	in.Filing.AmountAdjusted = total(t, "2.30")
	amounts, w := made(t, in)
	require.Contains(t, w.codes(), "RATE_UNCLEAR")
	require.Equal(t, "0.00 50.00 30.00", amounts["1-D"]+" "+amounts["2-D"]+" "+amounts["3-D"])
	require.Equal(t, "4.00 5.60 1.10", amounts["1-F"]+" "+amounts["2-F"]+" "+amounts["3-F"])
}

// A place where people only bought has no rate: its tax is as they entered it.
func TestAPurchaseWhereNothingWasSold(t *testing.T) {
	t.Parallel()
	in := inTexas(t, austinAndDallas...)
	in.Entries = []models.FilingEntry{purchase(t, "CITY Waco 10.00 0.15"), purchase(t, "CITY Waco 20.00 0.30")}
	in.Filing.AmountAdjusted = total(t, "0.45")
	amounts, w := made(t, in)
	require.Equal(t, "30.00 0.45", amounts["S5"]+" "+amounts["S5t"])
	require.NotContains(t, w.codes(), "FREE_ADJUSTMENT")
	at := slices.IndexFunc(w.Lines, func(l Line) bool { return l.Line == "S5" })
	require.Equal(t, []int{0, 1}, w.Lines[at].Entries)
	require.NotContains(t, w.codes(), "ENTRY_MISSING")
}

// Entries go into the line of their kind or into the one that they name; the rest is told.
func TestEntriesHaveTheirLines(t *testing.T) {
	t.Parallel()
	in := examples[2].of(t)
	for _, e := range []models.FilingEntry{
		{Kind: models.EntryBadDebt, Amount: total(t, "5000.00")}, {Kind: models.EntryInterest, Amount: total(t, "3.00")},
		{Kind: models.EntryPenalty, Amount: total(t, "50.00")}, {Kind: models.EntryExcessTax, Amount: total(t, "7.00"), Line: "C4"},
		{Kind: models.EntryInputTax, Amount: total(t, "9.00")},
	} {
		in.Entries = append(in.Entries, e)
		if e.Kind.Penal() {
			in.Filing.AmountPenalties = mustPlus(t, in.Filing.AmountPenalties, e.Effect())
		} else {
			in.Filing.AmountAdjusted = mustPlus(t, in.Filing.AmountAdjusted, e.Effect())
		}
	}
	amounts, w := made(t, in)
	require.Equal(t, "7.00 2894.00 2894.00 0.00 50.00 3.00",
		amounts["C4"]+" "+amounts["5"]+" "+amounts["6"]+" "+amounts["7"]+" "+amounts["12"]+" "+amounts["13"])
	var unplaced []string
	for _, f := range w.Findings {
		if f.Code == "ENTRY_WITHOUT_LINE" {
			unplaced = append(unplaced, f.Line+" "+f.Amount.String())
		}
	}
	require.Equal(t, []string{"6 2106.00", " 9.00"}, unplaced)
	require.NotContains(t, w.codes(), "FREE_ADJUSTMENT")
}

// Without the county of the certificate nothing is of another county.
func TestALineThatNeedsAFieldOfTheRegistration(t *testing.T) {
	t.Parallel()
	in := examples[2].of(t)
	_, w := made(t, in)
	require.NotContains(t, w.codes(), "FIELD_MISSING")
	require.NotContains(t, w.codes(), "RATE_UNCLEAR")
	sold := in.Figures.Figures
	in.Figures.Figures = slices.Delete(slices.Clone(sold), 5, 6)[1:]
	_, w = made(t, in)
	require.Contains(t, w.codes(), "RATE_UNCLEAR", "nothing was sold in the own county")
	in.Figures.Figures = append(in.Figures.Figures, figure(t, "STATE Florida 0.06 OWN /PHYSICAL 10.00 10.00 0.60 0.60 "+
		strings.ReplaceAll(in.Fields[tax.FieldCounty], " ", "_")))
	_, w = made(t, in)
	require.NotContains(t, w.codes(), "RATE_UNCLEAR", "the own county has no tax")
	in.Figures.Figures = sold
	in.Fields = nil
	amounts, w := made(t, in)
	require.NotContains(t, w.codes(), "RATE_UNCLEAR")
	require.Equal(t, "0.00", amounts["15c"])
	require.Contains(t, w.codes(), "FIELD_MISSING")
}

// The rounding of a cent at the half is away from zero, once, where the form says.
func TestRoundingAtTheHalf(t *testing.T) {
	t.Parallel()
	amounts, _ := made(t, monthly(t, "US", "NE", "STATE Nebraska 0.055 OWN /PHYSICAL 100.50 100.50 5.53 5.53"))
	require.Equal(t, "101.00 101.00 5.56", amounts["1"]+" "+amounts["2"]+" "+amounts["3"])
	amounts, _ = made(t, monthly(t, "US", "NE", "STATE Nebraska 0.055 OWN /PHYSICAL 100.49 100.49 5.53 5.53"))
	require.Equal(t, "100.00 100.00 5.50 0.14", amounts["1"]+" "+amounts["2"]+" "+amounts["3"]+" "+amounts["8"])
}

// All lines of a form that adds them up do add up: the sums of lines with parts are those of their parts.
func TestSumsAreThoseOfTheirParts(t *testing.T) {
	t.Parallel()
	for _, x := range examples {
		amounts, w := made(t, x.of(t))
		for i := range w.Layout.Lines {
			l := &w.Layout.Lines[i]
			if l.Formula.Function != "add" || len(l.Formula.Args) != 1 || !strings.Contains(l.Formula.Args[0], "*") {
				continue
			}
			before, after, _ := strings.Cut(strings.TrimPrefix(l.Formula.Args[0], "#"), "*")
			var sum money.Total
			for _, number := range slices.Sorted(maps.Keys(amounts)) {
				part, ok := strings.CutPrefix(number, before)
				part, is := strings.CutSuffix(part, after)
				if ok && is && part != "" && strings.Trim(part, "0123456789") == "" {
					sum = mustPlus(t, sum, total(t, amounts[number]))
				}
			}
			require.Equal(t, amounts[l.Line], sum.String(), x.name+" "+l.Line)
		}
	}
}

// BenchmarkWorksheet makes worksheets of returns with 200 jurisdictions, five classes each: one of jurisdictions, one of
// places.
func BenchmarkWorksheet(b *testing.B) {
	for _, state := range []string{"TX", "MO"} {
		b.Run(state, func(b *testing.B) {
			content, err := tax.LoadContent()
			if err != nil {
				b.Fatal(err)
			}
			in := Input{Filing: models.Filing{CountryCode: "US", StateCode: state, EndDate: calendar.Date(20260731).Time()}}
			in.Layout, _ = content.ReturnLayout("US", state, 20260731)
			amount, _ := money.ParseTotal("100.00")
			for n := range 200 {
				city := "City " + strconv.Itoa(n)
				for _, class := range []string{"PHYSICAL", "FOOD", "BOOK", "SOFTWARE", "CLOTHING"} {
					for _, key := range []models.FigureKey{{Level: "STATE", Name: "State", Rate: "0.05"}, {Level: "CITY", Name: city, Rate: "0.01"}} {
						key.Channel, key.Class = models.ChannelOwn, class
						in.Figures.Figures = append(in.Figures.Figures,
							models.FilingFigure{FigureKey: key, Place: city, Taxable: amount, Gross: amount, Tax: amount, Owed: amount})
					}
				}
			}
			b.ReportAllocs()
			for b.Loop() {
				if _, err := Make(in); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
