package tax

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/govalues/decimal"
	"github.com/stretchr/testify/require"

	"levy/tax/calendar"
	"levy/tax/money"
)

// soldBy calculates a sale by the law of the content and reads its explanation back as it is stored.
func soldBy(t *testing.T, c *Content, place Place, lines ...Line) RefundRequest {
	t.Helper()
	r, err := c.Calculate(Request{TaxDate: calendar.MustDate("2026-05-01"), Destination: place, Lines: lines})
	require.NoError(t, err)
	stored, err := json.Marshal(r.Explanation)
	require.NoError(t, err)
	req := RefundRequest{TransactionID: "txn_1", TaxDate: calendar.MustDate("2026-09-09"), Calculate: c.Calculate}
	require.NoError(t, json.Unmarshal(stored, &req.Original))
	return req
}

// back is a line of a refund: of units, or without a quantity of a price.
func back(line int, quantity, amount string) RefundLine {
	return RefundLine{Line: line, Quantity: decimal.MustParse(quantity), Amount: decimal.MustParse(amount)}
}

// next refunds lines and counts them for the refunds after them.
func next(t *testing.T, req *RefundRequest, lines ...RefundLine) Result {
	t.Helper()
	req.Lines = lines
	r, err := Refund(*req)
	require.NoError(t, err)
	for i, l := range earlier(lines, r) {
		l.Quantity, l.Collected = lines[i].Quantity, lines[i].Tax
		req.Earlier = append(req.Earlier, l)
	}
	return r
}

// A lower price gives back the difference to the tax of the lower price; units that come back give back their share.
// Massachusetts taxes a garment on what is above 175.00, G.L. c. 64H s. 6(k). In Miami the state takes 6 %, the county
// 1 % of the first 5,000.00 of an article, s. 212.054(2)(b)1., F.S.
func TestALowerPriceIsJudgedByTheLawAgain(t *testing.T) {
	t.Parallel()
	c, err := LoadContent()
	require.NoError(t, err)
	boston := c.Resolve(Address{City: "Boston", State: "MA", PostalCode: "02108", Country: "US"})
	miami := c.Resolve(Address{City: "Miami", State: "FL", PostalCode: "33131", Country: "US"})
	coats := func(quantity, amount string) Line {
		return Line{Class: ClassClothing, Amount: decimal.MustParse(amount), Quantity: decimal.MustParse(quantity)}
	}
	article := physical("9000.00")
	for name, test := range map[string]struct {
		place Place
		sold  Line
		lines []RefundLine
		want  string
	}{
		"a coat of 230.00 lowered by 60.00": {boston, coats("1", "230"), []RefundLine{back(0, "0", "60")}, "-3.44 -55.00"},
		"lowered by less":                   {boston, coats("1", "230"), []RefundLine{back(0, "0", "15")}, "-0.94 -15.00"},
		"a coat that comes back":            {boston, coats("2", "460"), []RefundLine{back(0, "1", "230")}, "-3.44 -55.00"},
		"the coat that is left, lowered": {boston, coats("2", "460"),
			[]RefundLine{back(0, "1", "230"), back(0, "0", "60")}, "-3.44 -55.00"},
		"a lowered coat that comes back": {boston, coats("1", "230"),
			[]RefundLine{back(0, "0", "60"), back(0, "1", "170")}, "0.00 0.00"},
		"a unit of two whose price was lowered": {boston, coats("2", "460"),
			[]RefundLine{back(0, "0", "60"), back(0, "1", "200")}, "-1.57 -25.00"},
		"an article of 9,000.00, by 3,000.00": {miami, article, []RefundLine{back(0, "0", "3000")}, "-180.00 -3000.00"},
		"to below the limit":                  {miami, article, []RefundLine{back(0, "0", "5000")}, "-310.00 -5000.00"},
		"the rest after a lower price": {miami, article,
			[]RefundLine{back(0, "0", "5000"), back(0, "1", "4000")}, "-280.00 -4000.00"},
		"a part that is exempt lowers the effect": {boston, coats("1", "230"),
			[]RefundLine{{Tax: decimal.MustParse("1.72")}, back(0, "0", "27.50")}, "-0.86 -13.75"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			req := soldBy(t, c, test.place, test.sold)
			var r Result
			for _, l := range test.lines {
				r = next(t, &req, l)
			}
			require.Equal(t, test.want, r.Tax.String()+" "+r.TaxableAmount.String())
		})
	}
}

// A refund of tax alone first takes what was collected beyond the calculated tax. Then it takes calculated tax, with the
// same part of the base.
func TestARefundOfTaxAloneTakesTheExcessFirst(t *testing.T) {
	t.Parallel()
	town := zip(sampleContent(t), "75001") // 8.25 %
	alone := func(line int, tax string) RefundLine { return RefundLine{Line: line, Tax: decimal.MustParse(tax)} }
	for name, test := range map[string]struct {
		collected []string
		lines     []RefundLine
		want      string // tax and base
	}{
		"the excess alone":                 {[]string{"9.00", "9.00"}, []RefundLine{alone(0, "0.75")}, "0.00 0.00"},
		"what goes beyond takes its base":  {[]string{"9.00", "9.00"}, []RefundLine{alone(0, "9.00")}, "-8.25 -100.00"},
		"all of a line":                    {[]string{"8.25", "8.25"}, []RefundLine{alone(0, "8.25")}, "-8.25 -100.00"},
		"half of it":                       {[]string{"8.25", "8.25"}, []RefundLine{alone(1, "4.13")}, "-4.13 -50.06"},
		"nothing was collected":            {nil, []RefundLine{alone(0, "8.25")}, "-8.25 -100.00"},
		"more than a line has: the others": {[]string{"8.25", "9.25"}, []RefundLine{alone(0, "9.25")}, "-8.25 -100.00"},
		"and their calculated tax":         {[]string{"8.25", "8.25"}, []RefundLine{alone(0, "16.50")}, "-16.50 -200.00"},
		"more than there is":               {[]string{"8.25", "8.25"}, []RefundLine{alone(0, "17.00")}, "-16.50 -200.00"},
	} {
		req := RefundRequest{Original: soldAt(t, town, "", physical("100.00"), physical("100.00"))}
		for _, amount := range test.collected {
			req.Collected = append(req.Collected, decimal.MustParse(amount))
		}
		r := next(t, &req, test.lines...)
		require.Equal(t, test.want, r.Tax.String()+" "+r.TaxableAmount.String(), name)
	}
}

// However a sale is given back, in units, prices and tax alone, no jurisdiction falls below zero. When everything is
// back, nothing is left in any of them.
func TestRefundsInUnitsAndPricesComeToZero(t *testing.T) {
	t.Parallel()
	c, err := LoadContent()
	require.NoError(t, err)
	random := rand.New(rand.NewPCG(16, 7))
	places := []Place{
		c.Resolve(Address{City: "Boston", State: "MA", PostalCode: "02108", Country: "US"}),
		c.Resolve(Address{City: "Miami", State: "FL", PostalCode: "33131", Country: "US"}),
		c.Resolve(Address{City: "New York", State: "NY", PostalCode: "10118", Country: "US"}),
		c.Resolve(Address{City: "Nashville", State: "TN", PostalCode: "37201", Country: "US"}),
		c.Resolve(Address{State: "BC", Country: "CA"}),
	}
	units := []RoundingUnit{TaxPerLine, JurisdictionPerLine, TaxPerDocument}
	for n := range 300 {
		s := &refundedSale{t: t, random: random, left: map[string]int64{}}
		lines := make([]Line, 1+random.IntN(3))
		for i := range lines {
			quantity := 1 + random.Int64N(4)
			cents := quantity * (1 + random.Int64N(400_000))
			lines[i] = Line{
				Class:  []TaxClass{ClassPhysical, ClassClothing}[random.IntN(2)],
				Amount: money.FromCents(cents), Quantity: decimal.MustNew(quantity, 0),
			}
			s.nets, s.units = append(s.nets, cents), append(s.units, quantity)
		}
		s.req = soldBy(t, c, places[n%len(places)], lines...)
		if unit := units[random.IntN(3)]; unit != TaxPerLine {
			r, err := c.Calculate(Request{
				TaxDate: calendar.MustDate("2026-05-01"), Destination: places[n%len(places)], Lines: lines, Rounding: unit,
			})
			require.NoError(t, err)
			s.req.Original = r.Explanation
		}
		for i := range s.req.Original.Items {
			for _, l := range s.req.Original.Items[i].Lines {
				s.count(l.JurisdictionName, l.Amount)
				s.count(l.JurisdictionName+" base", l.TaxableAmount)
			}
		}
		for range random.IntN(8) {
			s.part(random.IntN(len(lines)))
		}
		for i := range lines {
			s.give(RefundLine{Line: i, Amount: money.FromCents(s.nets[i]), Quantity: decimal.MustNew(s.units[i], 0)})
		}
		for name, left := range s.left {
			require.Zero(t, left, "sale %d: %s: %s", n, name, s.story)
		}
	}
}

// refundedSale is a sale with what refunds left of it.
type refundedSale struct {
	t           *testing.T
	random      *rand.Rand
	req         RefundRequest
	nets, units []int64
	left        map[string]int64 // by jurisdiction: tax, and base
	story       string
}

// part gives back a part of a line: units, a price or tax alone.
func (s *refundedSale) part(line int) {
	switch kind := s.random.IntN(4); {
	case kind == 0:
		s.give(RefundLine{Line: line, Tax: money.FromCents(s.random.Int64N(500))})
	case kind == 1 && s.units[line] > 1:
		amount := s.nets[line] / s.units[line]
		s.nets[line], s.units[line] = s.nets[line]-amount, s.units[line]-1
		s.give(RefundLine{Line: line, Amount: money.FromCents(amount), Quantity: decimal.One})
	case s.nets[line] > 1:
		amount := s.random.Int64N(s.nets[line])
		s.nets[line] -= amount
		s.give(RefundLine{Line: line, Amount: money.FromCents(amount)})
	}
}

func (s *refundedSale) give(l RefundLine) {
	if l.Amount.IsZero() && l.Tax.IsZero() && !l.Free {
		return
	}
	r := next(s.t, &s.req, l)
	s.story += fmt.Sprint("; line ", l.Line, " x ", l.Quantity, " ", l.Amount, " tax ", l.Tax, ": ", r.Tax)
	for _, item := range r.Lines[0].TaxItems {
		s.count(item.JurisdictionName, item.Amount)
		s.count(item.JurisdictionName+" base", item.TaxableAmount)
	}
}

func (s *refundedSale) count(name string, amount decimal.Decimal) {
	cents, err := money.Cents(amount)
	require.NoError(s.t, err)
	s.left[name] += cents
	require.GreaterOrEqual(s.t, s.left[name], int64(0), "%s: %s", name, s.story)
}
