package tax_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/govalues/decimal"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"levy/tax"
	"levy/tax/calendar"
	"levy/tax/money"
)

// couponLine is a line of a test: its product, class, amount and discount.
type couponLine struct {
	product, class, amount, discount string
	terms                            *tax.DiscountTerms
}

func soldWithCoupons(t require.TestingT, to string, lines ...couponLine) tax.Request {
	req := tax.Request{TaxDate: calendar.MustDate("2026-05-01"), Currency: "USD",
		Destination: loaded(t).Resolve(address(to))}
	for i, l := range lines {
		line := tax.Line{
			ID: string(rune('a' + i)), ExternalProductID: l.product, Class: tax.TaxClass(l.class),
			Amount: decimal.MustParse(l.amount), Quantity: decimal.One, Terms: l.terms,
		}
		if l.discount != "" {
			line.Discount = decimal.MustParse(l.discount)
		}
		req.Lines = append(req.Lines, line)
	}
	return req
}

// spreadOf writes where the coupon lines of a result went, such as "c: a 6.00, b 4.00".
func spreadOf(r tax.Result) string {
	var all []string
	for _, item := range r.Explanation.Items {
		if item.Spread == nil {
			continue
		}
		var parts []string
		for _, part := range item.Spread {
			parts = append(parts, part.ItemID+" "+part.Amount.String())
		}
		all = append(all, item.ItemID+": "+strings.Join(parts, ", "))
	}
	return strings.Join(all, "; ")
}

func basesOf(r tax.Result) string {
	var bases []string
	for _, l := range r.Lines {
		bases = append(bases, l.TaxableAmount.String())
	}
	return strings.Join(bases, " ")
}

// Each row is a sale to Houston at 8.25 %.
func TestCouponLinesLowerTheOtherLines(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		rule   string
		lines  []couponLine
		spread string
		bases  string
		tax    string
	}{
		{"of the same product", []couponLine{
			{"lamp", "PHYSICAL", "60.00", "", nil}, {"desk", "PHYSICAL", "40.00", "", nil}, {"lamp", "PHYSICAL", "-10.00", "", nil},
		}, "c: a 10.00", "50.00 40.00 0.00", "7.43"},
		{"of two lines of the product, by amount", []couponLine{
			{"lamp", "PHYSICAL", "60.00", "", nil}, {"lamp", "PHYSICAL", "30.00", "", nil}, {"lamp", "PHYSICAL", "-10.00", "", nil},
		}, "c: a 6.67, b 3.33", "53.33 26.67 0.00", "6.60"},
		{"of the same class", []couponLine{
			{"lamp", "PHYSICAL", "60.00", "", nil}, {"pills", "DRUGS_OTC", "40.00", "", nil}, {"off", "DRUGS_OTC", "-10.00", "", nil},
		}, "c: b 10.00", "60.00 0.00 0.00", "4.95"},
		{"goods in general say nothing of what is meant", []couponLine{
			{"lamp", "PHYSICAL", "60.00", "", nil}, {"pills", "DRUGS_OTC", "40.00", "", nil}, {"off", "PHYSICAL", "-10.00", "", nil},
		}, "c: a 6.00, b 4.00", "54.00 0.00 0.00", "4.46"},
		{"nor does what is never taxed", []couponLine{
			{"lamp", "PHYSICAL", "60.00", "", nil}, {"tip", "NOT_TAXABLE", "40.00", "", nil}, {"off", "NOT_TAXABLE", "-10.00", "", nil},
		}, "c: a 6.00, b 4.00", "54.00 0.00 0.00", "4.46"},
		{"in proportion to what line discounts leave", []couponLine{
			{"lamp", "PHYSICAL", "60.00", "30.00", nil}, {"desk", "PHYSICAL", "30.00", "", nil}, {"off", "NOT_TAXABLE", "-10.00", "", nil},
		}, "c: a 5.00, b 5.00", "25.00 25.00 0.00", "4.12"},
		{"before discounts of the whole sale", []couponLine{
			{"lamp", "PHYSICAL", "60.00", "10.00", &tax.DiscountTerms{Shared: decimal.MustParse("10.00")}},
			{"desk", "PHYSICAL", "30.00", "", nil}, {"off", "NOT_TAXABLE", "-9.00", "", nil},
		}, "c: a 6.00, b 3.00", "44.00 27.00 0.00", "5.86"},
		{"what the product cannot take goes on", []couponLine{
			{"lamp", "PHYSICAL", "6.00", "", nil}, {"desk", "PHYSICAL", "40.00", "", nil}, {"lamp", "PHYSICAL", "-10.00", "", nil},
		}, "c: a 6.00, b 4.00", "0.00 36.00 0.00", "2.97"},
		{"a coupon of the product comes first, wherever it stands", []couponLine{
			{"off", "NOT_TAXABLE", "-20.00", "", nil}, {"lamp", "PHYSICAL", "10.00", "", nil}, {"desk", "PHYSICAL", "30.00", "", nil},
			{"lamp", "PHYSICAL", "-10.00", "", nil},
		}, "a: c 20.00; d: b 10.00", "0.00 0.00 10.00 0.00", "0.83"},
		{"cents go to the largest remainder", []couponLine{
			{"1", "PHYSICAL", "10.00", "", nil}, {"2", "PHYSICAL", "10.00", "", nil}, {"3", "PHYSICAL", "10.00", "", nil},
			{"off", "NOT_TAXABLE", "-10.00", "", nil},
		}, "d: a 3.34, b 3.33, c 3.33", "6.66 6.67 6.67 0.00", "1.65"},
	} {
		r, err := loaded(t).Calculate(soldWithCoupons(t, "Houston, TX 77002", test.lines...))
		require.NoError(t, err)
		require.Equal(t, test.spread, spreadOf(r), test.rule)
		require.Equal(t, test.bases, basesOf(r), test.rule)
		require.Equal(t, test.tax, r.Tax.String(), test.rule)
		for i, l := range r.Lines {
			if test.lines[i].amount[0] == '-' {
				require.False(t, l.Exempt, test.rule)
				require.Empty(t, l.TaxExemption, test.rule)
				require.Empty(t, l.TaxItems, test.rule)
			}
		}
	}
}

func TestMoreDiscountThanGoodsLeavesNoTax(t *testing.T) {
	t.Parallel()
	r, err := loaded(t).Calculate(soldWithCoupons(t, "Houston, TX 77002",
		couponLine{"lamp", "PHYSICAL", "10.00", "", nil}, couponLine{"off", "PHYSICAL", "-12.00", "", nil}))
	require.NoError(t, err)
	require.Equal(t, "0.00 0.00", r.Tax.String()+" "+r.TaxableAmount.String())
	require.Equal(t, []tax.WarningCode{tax.WarningNegativeTotal}, codesOf(r))
	require.Equal(t, "-2.00", r.Explanation.Items[1].NetAmount.String(), "what no line had room for")
	require.Contains(t, r.Explanation.Steps[len(r.Explanation.Steps)-2].Text, "no room for 2.00")
}

// A sale of negative lines alone is an unmatched return: no line is a coupon of another.
func TestOnlyNegativeLinesAreTaxedEachByItself(t *testing.T) {
	t.Parallel()
	r, err := loaded(t).Calculate(soldWithCoupons(t, "Houston, TX 77002",
		couponLine{"lamp", "PHYSICAL", "-60.00", "", nil}, couponLine{"pills", "DRUGS_OTC", "-40.00", "", nil},
		couponLine{"nothing", "PHYSICAL", "0.00", "", nil}))
	require.NoError(t, err)
	require.Equal(t, "-4.95", r.Tax.String())
	require.Empty(t, spreadOf(r))
}

// Limits are judged after coupons. N.Y. Tax Law 1115(a)(30): a garment below 110 is free of the tax of the state.
func TestCouponsCountBeforeLimits(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ coupon, tax string }{{"-5.00", "9.76"}, {"-5.01", "0.00"}} {
		r, err := loaded(t).Calculate(soldWithCoupons(t, "New York, NY 10118",
			couponLine{"coat", "CLOTHING", "115.00", "", nil}, couponLine{"off", "PHYSICAL", test.coupon, "", nil}))
		require.NoError(t, err)
		require.Equal(t, test.tax, r.Tax.String(), test.coupon) // 110.00 at 8.875 %
	}
}

func TestWhoReimbursesADiscountDecidesByTheLawOfThePlace(t *testing.T) {
	t.Parallel()
	by := func(who tax.Reimburser) *tax.DiscountTerms { return &tax.DiscountTerms{ReimbursedBy: who} }
	part := decimal.MustParse("10.00")
	for _, test := range []struct {
		law, to string
		lines   []couponLine
		bases   string
		warning tax.WarningCode
	}{
		{"20 NYCRR 526.5", "New York, NY 10118", []couponLine{
			{"tv", "PHYSICAL", "100.00", "", nil}, {"off", "PHYSICAL", "-10.00", "", by(tax.ReimbursedByManufacturer)},
		}, "100.00 0.00", ""},
		{"the seller's own coupon there", "New York, NY 10118", []couponLine{
			{"tv", "PHYSICAL", "100.00", "", nil}, {"off", "PHYSICAL", "-10.00", "", by(tax.ReimbursedBySeller)},
		}, "90.00 0.00", ""},
		{"830 CMR 64H.1.4(2)(a)", "Boston, MA 02108", []couponLine{
			{"tv", "PHYSICAL", "100.00", "", nil}, {"off", "PHYSICAL", "-10.00", "", by(tax.ReimbursedByManufacturer)},
		}, "90.00 0.00", ""},
		{"34 TAC 3.301", "Houston, TX 77002", []couponLine{
			{"tv", "PHYSICAL", "100.00", "10.00", &tax.DiscountTerms{ByThirdParty: part}},
		}, "90.00", ""},
		{"Fla. Admin. Code 12A-1.018(3)", "Miami, FL 33131", []couponLine{
			{"tv", "PHYSICAL", "100.00", "10.00", &tax.DiscountTerms{ByManufacturer: part}},
		}, "100.00", ""},
		{"18 CCR 1671.1", "San Francisco, CA 94105", []couponLine{
			{"tv", "PHYSICAL", "100.00", "25.00", &tax.DiscountTerms{ByThirdParty: part}},
		}, "85.00", ""},
		{"Ohio: not known", "Columbus, OH 43215", []couponLine{
			{"tv", "PHYSICAL", "100.00", "", nil}, {"off", "PHYSICAL", "-10.00", "", by(tax.ReimbursedByManufacturer)},
		}, "90.00 0.00", tax.WarningReimbursedUnknown},
		{"which does not matter for what is free", "Columbus, OH 43215", []couponLine{
			{"rice", "FOOD", "100.00", "", nil}, {"off", "PHYSICAL", "-10.00", "", by(tax.ReimbursedByManufacturer)},
		}, "0.00 0.00", ""},
		{"Excise Tax Act, section 181(2)", "CA-ON", []couponLine{
			{"tv", "PHYSICAL", "100.00", "", nil}, {"off", "PHYSICAL", "-10.00", "", by(tax.ReimbursedByThirdParty)},
		}, "100.00 0.00", ""},
		{"trade-in: Tex. Tax Code 151.007(c)(5)", "Houston, TX 77002", []couponLine{
			{"piano", "PHYSICAL", "100.00", "", nil}, {"old", "PHYSICAL", "-10.00", "", &tax.DiscountTerms{TradeIn: true}},
		}, "90.00 0.00", ""},
		{"trade-in: 18 CCR 1654(b)(1)", "San Francisco, CA 94105", []couponLine{
			{"piano", "PHYSICAL", "100.00", "", nil}, {"old", "PHYSICAL", "-10.00", "", &tax.DiscountTerms{TradeIn: true}},
		}, "100.00 0.00", ""},
		{"trade-in in Ohio: not known, and not lowered", "Columbus, OH 43215", []couponLine{
			{"piano", "PHYSICAL", "100.00", "", nil}, {"old", "PHYSICAL", "-10.00", "", &tax.DiscountTerms{TradeIn: true}},
		}, "100.00 0.00", tax.WarningTradeInUnknown},
		{"Directive 2006/112/EC, article 73", "DE", []couponLine{
			{"tv", "PHYSICAL", "100.00", "", nil}, {"off", "PHYSICAL", "-10.00", "", by(tax.ReimbursedByThirdParty)},
		}, "100.00 0.00", ""},
	} {
		var req tax.Request
		if len(test.to) <= 5 {
			req = soldWithCoupons(t, "Houston, TX 77002", test.lines...)
			req.Destination, req.Currency = placeAbroad(t, test.to), ""
		} else {
			req = soldWithCoupons(t, test.to, test.lines...)
		}
		r, err := loaded(t).Calculate(req)
		require.NoError(t, err)
		require.Equal(t, test.bases, basesOf(r), test.law)
		if test.warning == "" {
			require.NotContains(t, codesOf(r), tax.WarningReimbursedUnknown, test.law)
			require.NotContains(t, codesOf(r), tax.WarningTradeInUnknown, test.law)
			continue
		}
		require.Contains(t, codesOf(r), test.warning, test.law)
		require.Equal(t, tax.ConfidenceMedium, r.Confidence, test.law)
	}
}

// Canada takes a trade-in off the base of its GST (Excise Tax Act, section 153(4)). The law of British Columbia is not
// in the content, so its PST is on the whole price.
func TestTaxesOfOneSaleMayDifferAboutAReduction(t *testing.T) {
	t.Parallel()
	req := soldWithCoupons(t, "Houston, TX 77002", couponLine{"piano", "PHYSICAL", "100.00", "", nil},
		couponLine{"old", "PHYSICAL", "-10.00", "", &tax.DiscountTerms{TradeIn: true}})
	req.Destination, req.Currency = placeAbroad(t, "CA-BC"), ""
	r, err := loaded(t).Calculate(req)
	require.NoError(t, err)
	bases := map[string]string{}
	for _, item := range r.Lines[0].TaxItems {
		bases[item.Authority.State] = item.TaxableAmount.String()
	}
	require.Equal(t, map[string]string{"": "90.00", "BC": "100.00"}, bases)
	require.Contains(t, codesOf(r), tax.WarningTradeInUnknown)
	require.Equal(t, "90.00", r.Explanation.Items[0].NetAmount.String(), "what the buyer pays")
}

// anySaleWithCoupons draws a sale of one class in one town, some of whose lines are negative.
func anySaleWithCoupons(t *rapid.T) tax.Request {
	var lines []couponLine
	for range rapid.IntRange(1, 6).Draw(t, "lines") {
		cents := rapid.Int64Range(1, 30_000).Draw(t, "cents")
		discount := rapid.Int64Range(0, cents).Draw(t, "discount")
		lines = append(lines, couponLine{
			product: rapid.SampledFrom([]string{"p", "q", ""}).Draw(t, "product"),
			class:   rapid.SampledFrom([]string{"PHYSICAL", "CLOTHING", "FOOD", "SHIPPING"}).Draw(t, "class"),
			amount:  money.FromCents(cents).String(), discount: money.FromCents(discount).String(),
		})
	}
	for range rapid.IntRange(1, 4).Draw(t, "coupons") {
		lines = append(lines, couponLine{
			product: rapid.SampledFrom([]string{"p", "q", "off"}).Draw(t, "coupon"),
			class:   rapid.SampledFrom([]string{"PHYSICAL", "CLOTHING", "NOT_TAXABLE"}).Draw(t, "class of coupon"),
			amount:  money.FromCents(-rapid.Int64Range(1, 20_000).Draw(t, "off")).String(),
		})
	}
	req := soldWithCoupons(t, rapid.SampledFrom(towns).Draw(t, "town"), lines...)
	req.Lines = rapid.Permutation(req.Lines).Draw(t, "order")
	req.Rounding = rapid.SampledFrom(allUnits).Draw(t, "unit")
	return req
}

// The parts of coupon lines add up to them, as far as the other lines have room. The tax is that of the same sale
// with the parts as discounts of its lines.
func TestCouponLinesAreDiscountsOfTheLinesThatTheyLower(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		sale := anySaleWithCoupons(t)
		r, err := loaded(t).Calculate(sale)
		require.NoError(t, err)
		plain := sale
		plain.Lines = nil
		zero := decimal.MustNew(0, 2)
		coupons, goods, spread, net := zero, zero, zero, zero
		at := map[string]int{}
		for _, l := range sale.Lines {
			if l.Amount.IsNeg() {
				coupons = sum(t, coupons, l.Amount.Neg())
				continue
			}
			left := sum(t, l.Amount, l.Discount.Neg())
			goods = sum(t, goods, left)
			at[l.ID] = len(plain.Lines)
			plain.Lines = append(plain.Lines, l)
		}
		for i, item := range r.Explanation.Items {
			net = sum(t, net, item.NetAmount)
			taken := decimal.Zero
			for _, part := range item.Spread {
				require.True(t, part.Amount.IsPos())
				taken, spread = sum(t, taken, part.Amount), sum(t, spread, part.Amount)
				line := &plain.Lines[at[part.ItemID]]
				line.Discount = sum(t, line.Discount, part.Amount)
			}
			if sale.Lines[i].Amount.IsNeg() {
				require.Equal(t, sum(t, sale.Lines[i].Amount, taken), item.NetAmount)
			} else {
				require.False(t, item.NetAmount.IsNeg())
			}
		}
		require.Equal(t, coupons.Min(goods), spread)
		require.Equal(t, sum(t, goods, coupons.Neg()), net)
		same, err := loaded(t).Calculate(plain)
		require.NoError(t, err)
		require.Equal(t, same.Tax, r.Tax)
		require.Equal(t, same.TaxableAmount, r.TaxableAmount)
		for _, l := range r.Lines {
			if i, ok := at[l.ID]; ok {
				require.Equal(t, same.Lines[i].TaxItems, l.TaxItems)
			}
		}
	})
}

// An explanation repeats a sale with coupon lines, and one from before they were spread as it was then.
func TestExplanationsOfCouponsRepeat(t *testing.T) {
	t.Parallel()
	sale := soldWithCoupons(t, "New York, NY 10118",
		couponLine{"coat", "CLOTHING", "115.00", "2.00", &tax.DiscountTerms{Shared: decimal.MustParse("2.00")}},
		couponLine{"off", "PHYSICAL", "-8.00", "", &tax.DiscountTerms{ReimbursedBy: tax.ReimbursedByManufacturer}},
		couponLine{"old", "PHYSICAL", "-3.00", "", &tax.DiscountTerms{TradeIn: true}})
	for _, alone := range []bool{false, true} {
		sale.EachAlone = alone
		if alone { // nobody sent such terms then
			sale.Lines = slices.Clone(sale.Lines)
			for i := range sale.Lines {
				sale.Lines[i].Terms = nil
			}
		}
		stored, err := loaded(t).Calculate(sale)
		require.NoError(t, err)
		again, err := stored.Explanation.Request()
		require.NoError(t, err)
		repeated, err := loaded(t).Calculate(again)
		require.NoError(t, err)
		require.Empty(t, tax.Compare(&stored.Explanation, &repeated.Explanation))
		require.Equal(t, stored.Explanation.InputHash, repeated.Explanation.InputHash)
	}
}

// Half of the most lines that a sale can have lower the other half.
func TestManyCouponsAddUp(t *testing.T) {
	t.Parallel()
	lines := make([]tax.Line, 0, 1000)
	for i := range 500 {
		lines = append(lines, tax.Line{Class: tax.ClassPhysical, Amount: money.FromCents(int64(1_000_003 + i))},
			tax.Line{Class: tax.ClassPhysical, Amount: money.FromCents(int64(-999_983 + i))})
	}
	parts, err := tax.SpreadCoupons(lines, 1)
	require.NoError(t, err)
	var spread, coupons decimal.Decimal
	for _, part := range parts {
		spread = sum(t, spread, part.Amount)
	}
	for _, l := range lines {
		if l.Amount.IsNeg() {
			coupons = sum(t, coupons, l.Amount.Neg())
		}
	}
	require.Equal(t, coupons, spread)
}
