package tax

import (
	"testing"

	"github.com/govalues/decimal"
	"github.com/stretchr/testify/require"

	"levy/tax/calendar"
	"levy/tax/content"
)

// clothingBy returns the sample content in which California, 6 %, treats clothing by these rows. Its local taxes, 1.25
// % statewide and 1 % in Bay, follow these rules.
func clothingBy(t *testing.T, rows []content.TaxabilityRow, rules ...content.LocalRuleRow) *Content {
	t.Helper()
	d := sample()
	for _, row := range rows {
		row.At, row.State, row.Confidence = content.RowRef{File: "sample", Line: 1}, "CA", "HIGH"
		row.Class = string(ClassClothing)
		d.Taxability = append(d.Taxability, row)
	}
	for _, rule := range rules {
		rule.At, rule.State, rule.Confidence = content.RowRef{File: "sample", Line: 1}, "CA", "HIGH"
		d.LocalRules = append(d.LocalRules, rule)
	}
	c, err := newContent(d)
	require.NoError(t, err)
	return c
}

// soldInBay is a line of clothing; without a quantity it is one item.
type soldInBay struct{ amount, quantity, discount string }

func (s soldInBay) calculate(t *testing.T, c *Content, day string) Result {
	t.Helper()
	line := Line{Class: ClassClothing, Amount: decimal.MustParse(s.amount), Quantity: decimal.One}
	if s.quantity != "" {
		line.Quantity = decimal.MustParse(s.quantity)
	}
	if s.discount != "" {
		line.Discount = decimal.MustParse(s.discount)
	}
	r, err := c.Calculate(Request{TaxDate: calendar.MustDate(day), Destination: zip(c, "94001"), Lines: []Line{line}})
	require.NoError(t, err)
	return r
}

func fraction(rate string) *decimal.Decimal {
	d := decimal.MustParse(rate)
	return &d
}

// Every treatment of a class is tested a cent below its limit, at it and a cent above it. The cases have several items,
// parts of an item, discounts and refunds. The laws have these kinds of rules; the numbers are invented where no law is
// cited.
func TestTreatmentsAtTheirLimits(t *testing.T) {
	t.Parallel()
	below := content.TaxabilityRow{ // New York Tax Law, § 1115(a)(30)
		Treatment: "THRESHOLD", ThresholdMode: "BELOW_EXEMPT_ELSE_FULL", Threshold: decimal.MustParse("110"), LocalRule: "FULL",
	}
	excess := content.TaxabilityRow{ // Massachusetts, G.L. c. 64H, § 6(k)
		Treatment: "THRESHOLD", ThresholdMode: "EXCESS_ONLY", Threshold: decimal.MustParse("175"), LocalRule: "FULL",
	}
	above := content.TaxabilityRow{ // Connecticut, C.G.S. § 12-408(1)(H)
		Treatment: "THRESHOLD", ThresholdMode: "ABOVE_FULL_AT:7.75", Threshold: decimal.MustParse("1000"), LocalRule: "FULL",
	}
	part := content.TaxabilityRow{Treatment: "TAXABLE_BASE_PCT:80", LocalRule: "FULL"} // Texas Tax Code, § 151.351
	// Food in Virginia, Code § 58.1-611.1: the state's rate is another, and the local one is fixed by the state.
	reduced := func(rate, local string) content.TaxabilityRow {
		return content.TaxabilityRow{Treatment: "REDUCED", StateRate: fraction(rate), LocalRule: local}
	}
	for _, test := range []struct {
		rule      string
		row       content.TaxabilityRow
		sold      soldInBay
		tax, base string
	}{
		{"below", below, soldInBay{amount: "109.99"}, "0.00", "0.00"},
		{"at the limit all is taxed", below, soldInBay{amount: "110.00"}, "9.08", "110.00"},
		{"taken back below", below, soldInBay{amount: "-109.99"}, "0.00", "0.00"},
		{"taken back at the limit", below, soldInBay{amount: "-110.00"}, "-9.08", "-110.00"},
		{"two items below, by half a cent each", below, soldInBay{"219.99", "2", ""}, "0.00", "0.00"},
		{"two items at the limit", below, soldInBay{"220.00", "2", ""}, "18.15", "220.00"},
		{"three items of which each is a third of a cent below", below, soldInBay{"329.99", "3", ""}, "0.00", "0.00"},
		{"half an item at the limit", below, soldInBay{"55.00", "0.5", ""}, "4.54", "55.00"},
		{"half an item below", below, soldInBay{"54.99", "0.5", ""}, "0.00", "0.00"},
		{"no quantity is one item", below, soldInBay{"110.00", "0", ""}, "9.08", "110.00"},
		{"a discount leads below", below, soldInBay{"120.00", "1", "10.01"}, "0.00", "0.00"},
		{"a discount leads to the limit", below, soldInBay{"120.00", "1", "10.00"}, "9.08", "110.00"},
		{"nothing", below, soldInBay{amount: "0.00"}, "0.00", "0.00"},

		{"no excess", excess, soldInBay{amount: "175.00"}, "0.00", "0.00"},
		{"a cent of excess", excess, soldInBay{amount: "175.01"}, "0.00", "0.01"},
		{"an excess whose tax is half a cent or more", excess, soldInBay{amount: "175.07"}, "0.01", "0.07"},
		{"excess", excess, soldInBay{amount: "275.00"}, "8.25", "100.00"},
		{"excess taken back", excess, soldInBay{amount: "-275.00"}, "-8.25", "-100.00"},
		{"two items without excess", excess, soldInBay{"350.00", "2", ""}, "0.00", "0.00"},
		{"the excess of three items", excess, soldInBay{"825.00", "3", ""}, "24.75", "300.00"},
		{"the excess of half an item", excess, soldInBay{"137.50", "0.5", ""}, "4.13", "50.00"},
		{"a discount takes the excess", excess, soldInBay{"275.00", "1", "100.00"}, "0.00", "0.00"},

		{"the usual rate at the limit", above, soldInBay{amount: "1000.00"}, "82.50", "1000.00"},
		{"the higher rate a cent above, on all", above, soldInBay{amount: "1000.01"}, "100.00", "1000.01"},
		{"two items at the limit of the higher rate", above, soldInBay{"2000.00", "2", ""}, "165.00", "2000.00"},
		{"two items above it by half a cent each", above, soldInBay{"2000.01", "2", ""}, "200.00", "2000.01"},
		{"taken back above", above, soldInBay{amount: "-1000.01"}, "-100.00", "-1000.01"},

		{"a part of the price", part, soldInBay{amount: "100.00"}, "6.60", "80.00"},
		{"a part of a cent", part, soldInBay{amount: "0.01"}, "0.00", "0.01"},
		{"a part taken back", part, soldInBay{amount: "-100.00"}, "-6.60", "-80.00"},

		{"a reduced rate beside full local taxes", reduced("0.02", "FULL"), soldInBay{amount: "100.00"}, "4.25", "100.00"},
		{"a reduced rate without local taxes", reduced("0.02", "NONE"), soldInBay{amount: "100.00"}, "2.00", "100.00"},
		{"a reduced rate with a fixed local one", reduced("0.02", "FIXED:1"), soldInBay{amount: "100.00"}, "3.00", "100.00"},
		{"no tax of the state beside local taxes", reduced("0", "FULL"), soldInBay{amount: "100.00"}, "2.25", "100.00"},
		{"no tax of the state beside a fixed local one", reduced("0", "FIXED:1"), soldInBay{amount: "100.00"},
			"1.00", "100.00"},
		{"a zero rate", reduced("0", "NONE"), soldInBay{amount: "100.00"}, "0.00", "100.00"},
	} {
		t.Run(test.rule, func(t *testing.T) {
			t.Parallel()
			r := test.sold.calculate(t, clothingBy(t, []content.TaxabilityRow{test.row}), "2026-05-01")
			require.Equal(t, test.tax, r.Tax.String())
			require.Equal(t, test.base, r.TaxableAmount.String())
		})
	}
}

// A line without tax gives its reason: below a limit, at a zero rate, or of no value.
func TestWhyATreatmentGivesNoTax(t *testing.T) {
	t.Parallel()
	limit := content.TaxabilityRow{
		Treatment: "THRESHOLD", ThresholdMode: "BELOW_EXEMPT_ELSE_FULL", Threshold: decimal.MustParse("110"), LocalRule: "FULL",
	}
	for _, test := range []struct {
		rule      string
		row       content.TaxabilityRow
		amount    string
		exempt    bool
		exemption TaxExemption
		reason    TaxReason
	}{
		{"below a limit", limit, "109.99", true, ExemptionProduct, ReasonBelowThreshold},
		{"at a zero rate", content.TaxabilityRow{Treatment: "REDUCED", StateRate: fraction("0"), LocalRule: "NONE"}, "100.00",
			false, ExemptionZeroRate, ReasonZeroRate},
		{"free by law", content.TaxabilityRow{Treatment: "EXEMPT", LocalRule: "NONE"}, "100.00", true, ExemptionProduct,
			ReasonNotTaxable},
		{"free where it is stated separately",
			content.TaxabilityRow{Treatment: "EXEMPT_IF_SEPARATELY_STATED", LocalRule: "FULL"},
			"100.00", true, ExemptionProduct, ReasonNotTaxable},
		{"of no value", content.TaxabilityRow{Treatment: "TAXABLE", LocalRule: "FULL"}, "0.00", false,
			ExemptionZeroValue, ReasonTaxable},
	} {
		t.Run(test.rule, func(t *testing.T) {
			t.Parallel()
			r := soldInBay{amount: test.amount}.calculate(t, clothingBy(t, []content.TaxabilityRow{test.row}), "2026-05-01")
			require.True(t, r.Tax.IsZero())
			line := r.Lines[0]
			require.Equal(t, test.exempt, line.Exempt)
			require.Equal(t, test.exemption, line.TaxExemption)
			require.Equal(t, test.reason, line.TaxItems[0].Reason)
		})
	}
}

// A treatment counts on its first and on its last day, also on a leap day, and on no day outside. Of two successive
// treatments exactly one counts on each day.
func TestTreatmentsCountOnTheirDays(t *testing.T) {
	t.Parallel()
	on := func(from, to string, row content.TaxabilityRow) content.TaxabilityRow {
		row.From = calendar.MustDate(from)
		if to != "" {
			row.To = calendar.MustDate(to)
		}
		return row
	}
	free := content.TaxabilityRow{Treatment: "EXEMPT", LocalRule: "NONE"}
	c := clothingBy(t, []content.TaxabilityRow{
		on("2023-07-01", "2024-02-28",
			content.TaxabilityRow{Treatment: "REDUCED", StateRate: fraction("0.02"), LocalRule: "NONE"}),
		on("2024-02-29", "2024-02-29", free),
		on("2024-03-01", "2025-12-31",
			content.TaxabilityRow{Treatment: "REDUCED", StateRate: fraction("0.03"), LocalRule: "NONE"}),
		on("2026-01-01", "", free),
	})
	for day, tax := range map[string]string{
		"2023-06-30": "0.00", // no rule: clothing is a class of its own
		"2023-07-01": "2.00", "2024-02-28": "2.00", "2024-02-29": "0.00", "2024-03-01": "3.00", "2025-02-28": "3.00",
		"2025-12-31": "3.00", "2026-01-01": "0.00", "2099-12-31": "0.00",
	} {
		require.Equal(t, tax, soldInBay{amount: "100.00"}.calculate(t, c, day).Tax.String(), day)
	}
}

// Rules beside the rates, at their limits, for each item, on their first and last days, and for their classes alone.
func TestRulesOfLocalTaxesAtTheirLimits(t *testing.T) {
	t.Parallel()
	taxable := []content.TaxabilityRow{{Treatment: "TAXABLE", LocalRule: "FULL"}}
	limit := []content.TaxabilityRow{{
		Treatment: "THRESHOLD", ThresholdMode: "BELOW_EXEMPT_ELSE_FULL", Threshold: decimal.MustParse("110"), LocalRule: "VARIES",
	}}
	sum := func(rate string) content.LocalRuleRow { // Texas Tax Code, § 321.101(f): 2 % for all local taxes
		return content.LocalRuleRow{ID: "CAP", Kind: "LOCAL_SUM_CAP", Rate: decimal.MustParse(rate), Source: "Code"}
	}
	first := content.LocalRuleRow{ // Florida Statutes, § 212.054(2)(b)1: the first 5,000 dollars of an item
		ID: "FIRST", Kind: "LOCAL_BASE_CAP_PER_ITEM", Amount: decimal.MustParse("5000"), Levels: []string{"CITY"}, Source: "Code",
	}
	band := content.LocalRuleRow{ // Tennessee Code, § 67-6-202(a): 2.75 % from 1,600 to 3,200 dollars of an item
		ID: "BAND", Kind: "EXTRA_STATE_RATE_BAND", Rate: decimal.MustParse("0.0275"), Amount: decimal.MustParse("1600"),
		AmountTo: decimal.MustParse("3200"), TaxName: "Single article", Source: "Code",
	}
	exempt := content.LocalRuleRow{ // New York Tax Law, § 1210(k): localities may free clothing that the state frees
		ID: "FREED", Kind: "LOCAL_EXEMPT_IN", Jurisdictions: []string{"US-CA-M-bay"}, Source: "Code",
	}
	butBay := exempt
	butBay.ExceptCities = []string{"BAY"}
	elsewhere := exempt
	elsewhere.Jurisdictions = []string{"US-CA-M-hill"}
	dated := func(from, to string) content.LocalRuleRow {
		rule := sum("0.01")
		rule.From, rule.To = calendar.MustDate(from), calendar.MustDate(to)
		return rule
	}
	other := sum("0.01")
	other.Classes = []string{"FOOD"}
	for _, test := range []struct {
		rule string
		rows []content.TaxabilityRow
		of   content.LocalRuleRow
		sold soldInBay
		tax  string
	}{
		{"local taxes at the cap of their sum", taxable, sum("0.0225"), soldInBay{amount: "100.00"}, "8.25"},
		{"above it by a hundredth", taxable, sum("0.0224"), soldInBay{amount: "100.00"}, "8.24"},
		{"a cap that leaves one tax", taxable, sum("0.0125"), soldInBay{amount: "100.00"}, "7.25"},
		{"a cap that leaves a part of one", taxable, sum("0.005"), soldInBay{amount: "100.00"}, "6.50"},
		{"a cap of nothing", taxable, sum("0"), soldInBay{amount: "100.00"}, "6.00"},
		{"a cap of what is taken back", taxable, sum("0.0125"), soldInBay{amount: "-100.00"}, "-7.25"},

		{"a price at the cap of the base", taxable, first, soldInBay{amount: "5000.00"}, "412.50"},
		{"above the cap of the base", taxable, first, soldInBay{amount: "6000.00"}, "485.00"},
		{"two items at the cap of the base", taxable, first, soldInBay{"10000.00", "2", ""}, "825.00"},
		{"two items above the cap of the base", taxable, first, soldInBay{"12000.00", "2", ""}, "970.00"},
		{"a discount to the cap of the base", taxable, first, soldInBay{"6000.00", "1", "1000.00"}, "412.50"},
		{"above the cap, taken back", taxable, first, soldInBay{amount: "-6000.00"}, "-485.00"},

		{"below the band", taxable, band, soldInBay{amount: "1600.00"}, "132.00"},
		{"in the band", taxable, band, soldInBay{amount: "2600.00"}, "242.00"},
		{"at the end of the band", taxable, band, soldInBay{amount: "3200.00"}, "308.00"},
		{"above the band", taxable, band, soldInBay{amount: "4200.00"}, "390.50"},
		{"two items, each below the band", taxable, band, soldInBay{"3200.00", "2", ""}, "264.00"},
		{"two items, each in the band", taxable, band, soldInBay{"5200.00", "2", ""}, "484.00"},

		{"local taxes on what the state frees", limit, elsewhere, soldInBay{amount: "100.00"}, "2.25"},
		{"a city that frees it too", limit, exempt, soldInBay{amount: "100.00"}, "0.00"},
		{"a city that is excepted from that", limit, butBay, soldInBay{amount: "100.00"}, "2.25"},
		{"a city that frees it, at the limit", limit, exempt, soldInBay{amount: "110.00"}, "9.08"},

		{"a rule whose first day it is", taxable, dated("2026-05-01", "2026-12-31"), soldInBay{amount: "100.00"}, "7.00"},
		{"a rule whose last day it is", taxable, dated("2026-01-01", "2026-05-01"), soldInBay{amount: "100.00"}, "7.00"},
		{"a rule that ended the day before", taxable, dated("2026-01-01", "2026-04-30"), soldInBay{amount: "100.00"}, "8.25"},
		{"a rule that begins the day after", taxable, dated("2026-05-02", "2026-12-31"), soldInBay{amount: "100.00"}, "8.25"},
		{"a rule of another class", taxable, other, soldInBay{amount: "100.00"}, "8.25"},
	} {
		t.Run(test.rule, func(t *testing.T) {
			t.Parallel()
			r := test.sold.calculate(t, clothingBy(t, test.rows, test.of), "2026-05-01")
			require.Equal(t, test.tax, r.Tax.String())
		})
	}
}

// A cap is cited where it cuts a base: not at the cap itself.
func TestACapIsCitedWhereItCuts(t *testing.T) {
	t.Parallel()
	c := clothingBy(t, []content.TaxabilityRow{{Treatment: "TAXABLE", LocalRule: "FULL"}}, content.LocalRuleRow{
		ID: "FIRST", Kind: "LOCAL_BASE_CAP_PER_ITEM", Amount: decimal.MustParse("5000"), Levels: []string{"CITY"},
		Source: "Code",
	})
	for amount, rule := range map[string]string{"5000.00": "FULL_AMOUNT", "5000.01": "FIRST_5000.00_PER_ITEM"} {
		r := soldInBay{amount: amount}.calculate(t, c, "2026-05-01")
		for _, l := range r.Explanation.Items[0].Lines {
			if l.JurisdictionName == "Bay" {
				require.Equal(t, rule, l.BaseRule, amount)
			} else {
				require.Equal(t, "FULL_AMOUNT", l.BaseRule, amount)
			}
		}
	}
}

// Half a cent is rounded away from zero, once: on the combined rate of a line, on each jurisdiction of it, or on the
// document.
// Source: Streamlined Sales and Use Tax Agreement, § 324: to the third decimal, up when that is above four, on the
// aggregated state and local taxes, by item or by invoice.
func TestHalvesOfACent(t *testing.T) {
	t.Parallel()
	c := sampleContent(t)
	for _, test := range []struct {
		rule                             string
		amounts                          []string // at 6 + 1.25 + 1 %
		line, jurisdiction, wholeInvoice string
	}{
		{"16.5 cents", []string{"2.00"}, "0.17", "0.17", "0.17"},
		{"16.5 cents taken back", []string{"-2.00"}, "-0.17", "-0.17", "-0.17"},
		{"slightly less", []string{"1.99"}, "0.16", "0.16", "0.16"},
		{"two halves of three parts", []string{"6.00"}, "0.50", "0.50", "0.50"},
		{"parts that are rounded up each", []string{"0.50"}, "0.04", "0.05", "0.04"},
		{"parts that are rounded down each", []string{"0.24"}, "0.02", "0.01", "0.02"},
		{"three lines of 16.5 cents", []string{"2.00", "2.00", "2.00"}, "0.51", "0.51", "0.50"},
		{"a line and what is taken back of it", []string{"2.00", "-2.00"}, "0.00", "0.00", "0.00"},
		{"half a cent that is left of two lines", []string{"4.00", "-2.00"}, "0.17", "0.17", "0.17"},
		{"less than half a cent a line, more together", []string{"0.06", "0.06"}, "0.00", "0.00", "0.01"},
		{"ten lines of 0.825 cents", []string{"0.10", "0.10", "0.10", "0.10", "0.10", "0.10", "0.10", "0.10", "0.10", "0.10"},
			"0.10", "0.10", "0.08"},
		{"nothing", []string{"0.00"}, "0.00", "0.00", "0.00"},
	} {
		for unit, want := range map[RoundingUnit]string{
			TaxPerLine: test.line, JurisdictionPerLine: test.jurisdiction, TaxPerDocument: test.wholeInvoice,
		} {
			req := Request{TaxDate: calendar.MustDate("2026-05-01"), Destination: zip(c, "94001"), Rounding: unit}
			for _, amount := range test.amounts {
				req.Lines = append(req.Lines, oneLine(amount)...)
			}
			r, err := c.Calculate(req)
			require.NoError(t, err)
			require.Equal(t, want, r.Tax.String(), "%s, %s", test.rule, unit)
		}
	}
}
