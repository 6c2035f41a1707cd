package tax

import (
	"encoding/json"
	"fmt"
	"testing"

	"github.com/govalues/decimal"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"levy/tax/calendar"
	"levy/tax/money"
)

// soldAt calculates a sale and reads its explanation back as it is stored.
func soldAt(t require.TestingT, place Place, unit RoundingUnit, lines ...Line) Explanation {
	c, err := newContent(sample())
	require.NoError(t, err)
	r, err := c.Calculate(Request{
		TaxDate: calendar.MustDate("2026-05-01"), Destination: place, Rounding: unit, Lines: lines,
	})
	require.NoError(t, err)
	stored, err := json.Marshal(r.Explanation)
	require.NoError(t, err)
	var e Explanation
	require.NoError(t, json.Unmarshal(stored, &e))
	return e
}

func physical(amount string) Line {
	return Line{Class: ClassPhysical, Amount: decimal.MustParse(amount), Quantity: decimal.One}
}

// earlier is what a refund took, for those after it.
func earlier(lines []RefundLine, r Result) []RefundedLine {
	out := make([]RefundedLine, len(lines))
	for i, l := range lines {
		out[i] = RefundedLine{Line: l.Line, Amount: l.Amount, Quantity: decimal.One}
		for _, item := range r.Lines[i].TaxItems {
			out[i].Taxes = append(out[i].Taxes, RefundedTax{RuleID: item.RuleID, JurisdictionType: item.JurisdictionType,
				JurisdictionName: item.JurisdictionName, TaxableAmount: item.TaxableAmount, Amount: item.Amount})
		}
	}
	return out
}

func TestRefund(t *testing.T) {
	t.Parallel()
	c := sampleContent(t)
	town := zip(c, "75001") // 8.25 %
	back := func(line int, amount, tax string) RefundLine {
		return RefundLine{Line: line, Amount: decimal.MustParse(amount), Tax: decimal.MustParse(tax)}
	}
	for name, tc := range map[string]struct {
		sold    []Line
		refunds [][]RefundLine
		want    []string // tax of each refund
	}{
		"of everything is the whole tax": {
			[]Line{physical("19.99")}, [][]RefundLine{{back(0, "19.99", "0")}}, []string{"-1.65"},
		},
		"counts by absolute value": {
			[]Line{physical("19.99")}, [][]RefundLine{{back(0, "-19.99", "0")}}, []string{"-1.65"},
		},
		"of a part is taxed like a sale of it": {
			[]Line{physical("100.00")}, [][]RefundLine{{back(0, "10.10", "0")}}, []string{"-0.83"},
		},
		"that uses the line up takes the rest": {
			[]Line{physical("0.30")},
			[][]RefundLine{{back(0, "0.10", "0")}, {back(0, "0.10", "0")}, {back(0, "0.10", "0")}},
			[]string{"-0.01", "-0.01", "0.00"},
		},
		"above the line takes no more than its tax": {
			[]Line{physical("100.00"), physical("50.00")}, [][]RefundLine{{back(0, "140.00", "0")}},
			[]string{"-8.25"},
		},
		"after all is gone takes nothing": {
			[]Line{physical("100.00")}, [][]RefundLine{{back(0, "100.00", "0")}, {back(0, "5.00", "0")}},
			[]string{"-8.25", "0.00"},
		},
		"of tax alone takes that tax": {
			[]Line{physical("100.00")}, [][]RefundLine{{back(0, "0", "-5.00")}, {back(0, "0", "5.00")}},
			[]string{"-5.00", "-3.25"},
		},
		"leaves for amounts what tax alone left": {
			[]Line{physical("100.00")}, [][]RefundLine{{back(0, "0", "8.00")}, {back(0, "50.00", "0")}},
			[]string{"-8.00", "-0.13"},
		},
		"of a coupon line is nothing by itself": {[]Line{physical("100.00"), physical("-10.00")},
			[][]RefundLine{{back(1, "-10.00", "0")}, {back(0, "90.00", "0")}}, []string{"0.00", "-7.43"}},
		"of one line twice shares what is left": {
			[]Line{physical("1.00")}, [][]RefundLine{{back(0, "0.50", "0"), back(0, "0.50", "0")}},
			[]string{"-0.08"},
		},
		"without amount and tax is nothing": {
			[]Line{physical("1.00")}, [][]RefundLine{{back(0, "0", "0")}}, []string{"0.00"},
		},
		"of a line that bore no tax has none either": {
			[]Line{{Class: ClassNotTaxable, Amount: decimal.MustParse("9.00")}},
			[][]RefundLine{{back(0, "9.00", "0")}}, []string{"0.00"},
		},
		"of tax alone of a line that bore none has none": {
			[]Line{{Class: ClassNotTaxable, Amount: decimal.MustParse("9.00")}},
			[][]RefundLine{{back(0, "0", "1.00")}}, []string{"0.00"},
		},
		"of a line of no value is nothing": {
			[]Line{physical("0.00")}, [][]RefundLine{{back(0, "5.00", "0")}}, []string{"0.00"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			req := RefundRequest{
				TransactionID: "txn_1", TaxDate: calendar.MustDate("2026-09-09"),
				Original: soldAt(t, town, "", tc.sold...),
			}
			var got []string
			for _, lines := range tc.refunds {
				req.Lines = lines
				r, err := Refund(req)
				require.NoError(t, err)
				got = append(got, r.Tax.String())
				req.Earlier = append(req.Earlier, earlier(lines, r)...)
			}
			require.Equal(t, tc.want, got)
		})
	}
}

func TestARefundOfUnknownLinesIsRefused(t *testing.T) {
	t.Parallel()
	original := soldAt(t, zip(sampleContent(t), "75001"), "", physical("1.00"))
	for name, tc := range map[string]struct {
		req  RefundRequest
		want error
	}{
		"an unknown line":         {RefundRequest{Lines: []RefundLine{{Line: 1}}}, ErrRefundedLine},
		"an unknown earlier line": {RefundRequest{Earlier: []RefundedLine{{Line: -1}}}, ErrRefundedLine},
		"one behind the last":     {RefundRequest{Earlier: []RefundedLine{{Line: 1}}}, ErrRefundedLine},
		"fractions of a cent": {
			RefundRequest{Lines: []RefundLine{{Amount: decimal.MustParse("0.001")}}}, money.ErrPrecision,
		},
	} {
		tc.req.Original = original
		_, err := Refund(tc.req)
		require.ErrorIs(t, err, tc.want, name)
	}
}

// A refund has the warnings of its original: a warning about a line follows that line, wherever it is in the refund.
func TestARefundRepeatsTheWarningsOfItsOriginal(t *testing.T) {
	t.Parallel()
	original := soldAt(t, zip(sampleContent(t), "75001"), "", physical("1.00"), physical("2.00"), physical("3.00"))
	ambiguous := Warning{Code: WarningAmbiguousPlace, Message: "Two sets fit."}
	ofLine := func(line int) Warning {
		return Warning{Code: WarningClassTooCoarse, Message: "Only some.", Line: &line}
	}
	certain := func(warnings ...Warning) *Certainty {
		return &Certainty{Confidence: "LOW", Completeness: "ZIP5", Warnings: warnings}
	}
	for name, tc := range map[string]struct {
		original *Certainty
		lines    []int // of the original
		want     *Certainty
	}{
		"of a release that did not say":      {nil, []int{0}, nil},
		"no warning stays no warning":        {certain(), []int{0}, certain([]Warning{}...)},
		"of the place":                       {certain(ambiguous), []int{1}, certain(ambiguous)},
		"of a line that is not given back":   {certain(ofLine(0)), []int{1, 2}, certain()},
		"of a line that is given back":       {certain(ofLine(2)), []int{0, 2}, certain(ofLine(1))},
		"of a line that is given back twice": {certain(ofLine(2)), []int{2, 2}, certain(ofLine(0), ofLine(1))},
		"the place first, then the lines":    {certain(ofLine(1), ambiguous), []int{1}, certain(ambiguous, ofLine(0))},
	} {
		req := RefundRequest{Original: original}
		req.Original.Certainty = tc.original
		for _, line := range tc.lines {
			req.Lines = append(req.Lines, RefundLine{Line: line, Amount: decimal.MustParse("0.50")})
		}
		r, err := Refund(req)
		require.NoError(t, err, name)
		got := r.Explanation.Certainty
		if tc.want == nil {
			require.Nil(t, got, name)
			continue
		}
		require.NotNil(t, got.Warnings, "%s: a list, be it empty", name)
		require.Equal(t, tc.want.Confidence, got.Confidence, name)
		require.Equal(t, tc.want.Completeness, got.Completeness, name)
		require.ElementsMatch(t, tc.want.Warnings, got.Warnings, name)
		for i := range tc.want.Warnings {
			require.Equal(t, tc.want.Warnings[i].Code, got.Warnings[i].Code, name)
		}
	}
}

// Amounts of an original, or of an earlier refund, that are no amounts of money are refused: they are not refunded.
func TestARefundWithInvalidAmountsIsRefused(t *testing.T) {
	t.Parallel()
	broken := decimal.MustParse("0.001")
	for name, change := range map[string]func(*RefundRequest){
		"the net amount":                func(r *RefundRequest) { r.Original.Items[0].NetAmount = broken },
		"a tax":                         func(r *RefundRequest) { r.Original.Items[0].Lines[0].Amount = broken },
		"the base of a tax":             func(r *RefundRequest) { r.Original.Items[0].Lines[0].TaxableAmount = broken },
		"the amount refunded before":    func(r *RefundRequest) { r.Earlier[0].Amount = broken },
		"the tax given back before":     func(r *RefundRequest) { r.Earlier[0].Taxes[0].Amount = broken },
		"the base of what was given":    func(r *RefundRequest) { r.Earlier[0].Taxes[0].TaxableAmount = broken },
		"tax that is given back alone":  func(r *RefundRequest) { r.Lines[0].Amount, r.Lines[0].Tax = decimal.Zero, broken },
		"a line that was given earlier": func(r *RefundRequest) { r.Lines[0].Amount = broken },
	} {
		req := RefundRequest{
			Original: soldAt(t, zip(sampleContent(t), "75001"), "", physical("1.00")),
			Earlier:  []RefundedLine{{Amount: decimal.MustParse("0.25"), Taxes: []RefundedTax{{RuleID: "us-tx-general"}}}},
			Lines:    []RefundLine{{Amount: decimal.MustParse("0.25")}},
		}
		_, err := Refund(req)
		require.NoError(t, err, name)
		change(&req)
		_, err = Refund(req)
		require.ErrorIs(t, err, money.ErrPrecision, name)
		require.ErrorContains(t, err, "line 1", name)
	}
}

func TestRefundExplainsItself(t *testing.T) {
	t.Parallel()
	req := RefundRequest{TransactionID: "txn_1", TaxDate: calendar.MustDate("2026-09-09"),
		Original: soldAt(t, zip(sampleContent(t), "75001"), "", physical("100.00")),
		Lines:    []RefundLine{{ID: "txi_9", ExternalProductID: "P-1", Amount: decimal.MustParse("-33.33")}}}
	r, err := Refund(req)
	require.NoError(t, err)
	e := r.Explanation
	require.Equal(t, calendar.MustDate("2026-09-09"), e.TaxDate)
	require.Equal(t, req.Original.Jurisdictions, e.Jurisdictions)
	require.Equal(t, "-33.33", e.Items[0].NetAmount.String())
	require.Equal(t, "-2.749725", e.Items[0].Rounding.UnroundedTotal.String())
	require.Equal(t, "-2.75", e.Items[0].Rounding.RoundedTotal.String())
	require.Equal(t, req.Original.Items[0].Lines[0].Source, e.Items[0].Lines[0].Source)
	require.Equal(t, "0.082500000", r.Rate.String())
	var texts []string
	for i, s := range e.Steps {
		require.Equal(t, i+1, s.N)
		texts = append(texts, s.Code+": "+s.Text)
	}
	require.Equal(
		t, "SOURCING: A refund of transaction txn_1: taxed as that was on 2026-05-01, with content sample.",
		texts[0],
	)
	require.Contains(t, texts, "RATE: 33.33 of 100.00 at the original's tax of 8.25 gives 2.749725, rounded to 2.75.")

	again, err := Refund(req)
	require.NoError(t, err)
	require.Equal(t, r, again)
	req.Earlier = earlier(req.Lines, r)
	other, err := Refund(req)
	require.NoError(t, err)
	require.NotEqual(t, e.InputHash, other.Explanation.InputHash)
}

// However a sale is refunded, no refund takes more than is left in any jurisdiction. Jurisdictions add up to lines and
// lines to the document. When everything is refunded, no tax is left anywhere. Tax alone that a line does not have is
// taken off the others with its sign.
func TestRefundsOfEverythingComeToZero(t *testing.T) {
	t.Parallel()
	c := sampleContent(t)
	rapid.Check(t, func(t *rapid.T) {
		sold := make([]Line, rapid.IntRange(1, 4).Draw(t, "lines"))
		left := make([]int64, len(sold))
		for i := range sold {
			left[i] = rapid.OneOf(rapid.Int64Range(1, 300), rapid.Int64Range(1, 9_999_999)).Draw(t, "amount")
			sold[i] = Line{Class: ClassPhysical, Amount: money.FromCents(left[i]), Quantity: decimal.One}
			if rapid.IntRange(0, 4).Draw(t, "coupon") == 0 {
				sold[i].Amount = sold[i].Amount.Neg()
			}
		}
		unit := rapid.SampledFrom([]RoundingUnit{TaxPerLine, JurisdictionPerLine, TaxPerDocument}).Draw(t, "unit")
		place := zip(c, rapid.SampledFrom([]string{"75001", "75002", "94001"}).Draw(t, "place"))
		req := RefundRequest{TaxDate: calendar.MustDate("2026-09-09"), Original: soldAt(t, place, unit, sold...)}
		net := map[string]decimal.Decimal{}
		add := func(line int, name string, amount decimal.Decimal) {
			key := fmt.Sprint(req.Original.Items[line].NetAmount.IsNeg(), " ", name) // a coupon line is used up, so it has no sign
			before := net[key]
			sum, err := before.Add(amount)
			require.NoError(t, err)
			require.False(
				t, !before.IsZero() && sum.Sign() == -before.Sign(), "%s: %s was left, %s was taken", key,
				before, amount,
			)
			net[key] = sum
		}
		for i, item := range req.Original.Items {
			for _, l := range item.Lines {
				add(i, l.JurisdictionName, l.Amount)
				add(i, l.JurisdictionName+" base", l.TaxableAmount)
			}
		}
		for range rapid.IntRange(0, 6).Draw(t, "parts") {
			req.Lines = nil
			for i := range left {
				if part := rapid.Int64Range(0, left[i]).Draw(t, "part"); part > 0 || rapid.Bool().Draw(t, "tax alone") {
					req.Lines = append(req.Lines, RefundLine{
						Line: i, Amount: money.FromCents(part),
						Tax: money.FromCents(rapid.Int64Range(0, 50).Draw(t, "tax")),
					})
					left[i] -= part
				}
			}
			refundOnce(t, &req, add)
		}
		req.Lines = nil
		for i := range left {
			req.Lines = append(req.Lines, RefundLine{Line: i, Amount: money.FromCents(left[i])})
			if left[i] == 0 { // its tax is refunded already
				req.Lines[i].Tax = money.FromCents(1)
			}
		}
		refundOnce(t, &req, add)
		for key, sum := range net {
			require.True(t, sum.IsZero(), "%s: %s is left of %v", key, sum, req.Original.Items)
		}
	})
}

func refundOnce(t *rapid.T, req *RefundRequest, add func(int, string, decimal.Decimal)) {
	if len(req.Lines) == 0 {
		return
	}
	r, err := Refund(*req)
	require.NoError(t, err)
	total := int64(0)
	for i, l := range r.Lines {
		sum := int64(0)
		original := req.Original.Items[req.Lines[i].Line]
		for j, item := range l.TaxItems {
			cents, err := money.Cents(item.Amount)
			require.NoError(t, err)
			sum += cents
			require.False(t, j < len(original.Lines) && item.Amount.Sign() != 0 &&
				item.Amount.Sign() == original.Lines[j].Amount.Sign(), "a refund has the opposite sign")
			add(req.Lines[i].Line, item.JurisdictionName, item.Amount)
			add(req.Lines[i].Line, item.JurisdictionName+" base", item.TaxableAmount)
		}
		require.Equal(t, money.FromCents(sum), l.Tax)
		total += sum
	}
	require.Equal(t, money.FromCents(total), r.Tax)
	req.Earlier = append(req.Earlier, earlier(req.Lines, r)...)
}
