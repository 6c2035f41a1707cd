package tax

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/govalues/decimal"
	"github.com/stretchr/testify/require"

	"levy/tax/money"
)

func couponOf(id, amount string, terms DiscountTerms) Line {
	return Line{ID: id, Class: ClassPhysical, Amount: decimal.MustParse(amount), Quantity: decimal.One, Terms: &terms}
}

func goodsOf(id, quantity, amount string, class TaxClass) Line {
	return Line{ID: id, Class: class, Amount: decimal.MustParse(amount), Quantity: decimal.MustParse(quantity)}
}

// A coupon lowered a line, and its price is lowered later: the tax is that of the lower price. Parts that others paid stay
// in the base where the law of the place says so.
func TestALowerPriceAfterACoupon(t *testing.T) {
	t.Parallel()
	c, err := LoadContent()
	require.NoError(t, err)
	byMaker := DiscountTerms{ReimbursedBy: ReimbursedByManufacturer}
	for name, test := range map[string]struct {
		city, state, zip  string
		lines             []Line
		lowered, tax, now string // tax of the sale, and what the note takes of it
	}{
		// 230.00 - 20.00 = 210.00, taxed above 175.00: 35.00 at 6.25 %. At 170.00 it is free.
		"a coat below its limit": {"Boston", "MA", "02108", []Line{
			goodsOf("a", "1", "230.00", ClassClothing), couponOf("b", "-20.00", DiscountTerms{}),
		}, "40.00", "2.19", "-2.19"},
		// 20 NYCRR 526.5: 100.00 at 8.875 % is 8.88. The buyer pays 90.00, then 60.00: with the coupon 70.00 is taxed, 6.21.
		"a coupon that the manufacturer pays": {"New York", "NY", "10118", []Line{
			goodsOf("a", "1", "100.00", ClassPhysical), couponOf("b", "-10.00", byMaker),
		}, "30.00", "8.88", "-2.67"},
		// 18 CCR 1654(b)(1): 100.00 at 8.625 % is 8.63. The buyer pays 90.00 and a piano, then 60.00 and it: 6.04 of 70.00.
		"goods in part payment": {"San Francisco", "CA", "94105", []Line{
			goodsOf("a", "1", "100.00", ClassPhysical), couponOf("b", "-10.00", DiscountTerms{TradeIn: true}),
		}, "30.00", "8.63", "-2.59"},
		// The seller's own: 90.00 and then 60.00 at 8.25 %, 7.43 and 4.95.
		"a coupon of the seller": {"Houston", "TX", "77002", []Line{
			goodsOf("a", "1", "100.00", ClassPhysical), couponOf("b", "-10.00", DiscountTerms{}),
		}, "30.00", "7.43", "-2.48"},
	} {
		req := soldBy(t, c, c.Resolve(Address{City: test.city, State: test.state, PostalCode: test.zip, Country: "US"}),
			test.lines...)
		r := next(t, &req, back(0, "0", test.lowered))
		require.Equal(t, test.tax+" "+test.now, req.Original.Totals.TaxAmount.String()+" "+r.Tax.String(), name)
	}
}

// A coupon of the manufacturer paid all of two lamps. The tax of both is due in New York, and goes back with them.
func TestUnitsThatCouponsPaidForTakeTheirTax(t *testing.T) {
	t.Parallel()
	c, err := LoadContent()
	require.NoError(t, err)
	req := soldBy(t, c, c.Resolve(Address{City: "New York", State: "NY", PostalCode: "10118", Country: "US"}),
		goodsOf("a", "2", "20.00", ClassPhysical), couponOf("b", "-20.00", DiscountTerms{ReimbursedBy: ReimbursedByManufacturer}))
	require.Equal(t, "1.78", req.Original.Totals.TaxAmount.String())
	free := func(quantity, coupon string) []RefundLine {
		part := decimal.MustParse(coupon)
		return []RefundLine{
			{ID: "x", Line: 0, Quantity: decimal.MustParse(quantity), Coupons: part, Free: true},
			{ID: "y", Line: 1, Quantity: decimal.One, Coupons: part.Neg(), Spread: []CouponPart{{From: 1, To: 0, Amount: part}}},
		}
	}
	one := next(t, &req, free("1", "10.00")...)
	require.Equal(t, "-0.89 -10.00", one.Tax.String()+" "+one.TaxableAmount.String())
	require.Equal(t, []ExplainedSpread{{"x", decimal.MustParse("10.00")}}, one.Explanation.Items[1].Spread)
	require.Equal(t, "-10.00 0.00 10.00 0.00", fmt.Sprint(one.Explanation.Items[0].Amount, " ",
		one.Explanation.Items[0].NetAmount, " ", one.Explanation.Items[1].Amount, " ", one.Explanation.Items[1].NetAmount))
	require.Contains(t, one.Explanation.Steps[len(one.Explanation.Steps)-2].Text, "10.00 off line 1")
	rest := next(t, &req, free("1", "10.00")...)
	require.Equal(t, "-0.89 -10.00", rest.Tax.String()+" "+rest.TaxableAmount.String())
	nothing := next(t, &req, free("1", "10.00")...)
	require.Equal(t, "0.00 0.00", nothing.Tax.String()+" "+nothing.TaxableAmount.String())
}

// However a sale with coupon lines is given back, in units, prices and tax alone, no jurisdiction falls below zero. When
// what the coupons left of the lines is back, nothing is left.
func TestRefundsOfSalesWithCouponsComeToZero(t *testing.T) {
	t.Parallel()
	c, err := LoadContent()
	require.NoError(t, err)
	random := rand.New(rand.NewPCG(17, 5))
	places := []Place{
		c.Resolve(Address{City: "Boston", State: "MA", PostalCode: "02108", Country: "US"}),
		c.Resolve(Address{City: "San Francisco", State: "CA", PostalCode: "94105", Country: "US"}),
		c.Resolve(Address{City: "New York", State: "NY", PostalCode: "10118", Country: "US"}),
		c.Resolve(Address{State: "BC", Country: "CA"}),
	}
	terms := []DiscountTerms{{}, {ReimbursedBy: ReimbursedByManufacturer}, {ReimbursedBy: ReimbursedByThirdParty}, {TradeIn: true}}
	for n := range 200 {
		s := &refundedSale{t: t, random: random, left: map[string]int64{}}
		var lines []Line
		for i := range 1 + random.IntN(3) {
			quantity := 1 + random.Int64N(4)
			lines = append(lines, Line{
				ID: fmt.Sprint("line", i), Class: []TaxClass{ClassPhysical, ClassClothing}[random.IntN(2)],
				Amount: money.FromCents(quantity * (1 + random.Int64N(40_000))), Quantity: decimal.MustNew(quantity, 0),
			})
			s.units = append(s.units, quantity)
		}
		for i := range 1 + random.IntN(2) {
			lines = append(lines, couponOf(fmt.Sprint("coupon", i), money.FromCents(-1-random.Int64N(8_000)).String(),
				terms[random.IntN(len(terms))]))
		}
		s.req = soldBy(t, c, places[n%len(places)], lines...)
		for i := range s.req.Original.Items {
			net, err := money.Cents(s.req.Original.Items[i].NetAmount)
			require.NoError(t, err)
			s.nets = append(s.nets, net)
			for _, l := range s.req.Original.Items[i].Lines {
				s.count(l.JurisdictionName, l.Amount)
				s.count(l.JurisdictionName+" base", l.TaxableAmount)
			}
		}
		for range random.IntN(6) {
			s.part(random.IntN(len(s.units)))
		}
		for i := range s.units {
			l := RefundLine{Line: i, Amount: money.FromCents(s.nets[i]), Quantity: decimal.MustNew(s.units[i], 0)}
			if s.nets[i] == 0 {
				l.Free = true
			}
			s.give(l)
		}
		for name, left := range s.left {
			require.Zero(t, left, "sale %d: %s: %s", n, name, s.story)
		}
	}
}
