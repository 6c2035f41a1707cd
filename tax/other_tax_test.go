package tax

import (
	"testing"

	"github.com/govalues/decimal"
	"github.com/stretchr/testify/require"

	"levy/tax/calendar"
	"levy/tax/content"
)

// soldInTown is sold in the made-up town of Texas, which levies a tax on these goods that is not calculated.
func soldInTown(class TaxClass, amounts ...string) Request {
	req := Request{TaxDate: calendar.MustDate("2026-05-01"), Currency: "USD"}
	for _, amount := range amounts {
		req.Lines = append(req.Lines, Line{Class: class, Amount: decimal.MustParse(amount), Quantity: decimal.One})
	}
	return req
}

// A warning names a tax that is not calculated. It appears for sales of its classes, on its days, in its cities and
// from its least amount on. It names the line if only one may bear the tax.
func TestSalesWithAWarningOfAnotherTax(t *testing.T) {
	t.Parallel()
	const none, all = -1, -2 // no warning, and one about the whole sale
	books := content.OtherTaxRow{Classes: []string{"BOOK"}}
	first, last := calendar.MustDate("2026-05-01"), calendar.MustDate("2026-05-31")
	dated := content.OtherTaxRow{From: first, To: last}
	fee := content.OtherTaxRow{Classes: []string{"PHYSICAL", "CLOTHING"}, Least: decimal.MustParse("100")}
	inTown := content.OtherTaxRow{Cities: []string{"town"}}
	elsewhere := content.OtherTaxRow{Cities: []string{"Field", "Bay"}}
	on := func(day string) func(*Request) {
		return func(req *Request) { req.TaxDate = calendar.MustDate(day) }
	}
	in := func(currency, rate string) func(*Request) {
		return func(req *Request) {
			req.Currency = currency
			if rate != "" {
				req.Rates = map[string]decimal.Decimal{"USD": decimal.MustParse(rate)}
			}
		}
	}
	exempt := func(e Exempt) func(*Request) {
		return func(req *Request) { e.TaxExemption, req.Lines[0].Exempt = ExemptionCustomer, &e }
	}
	set := func(id, class string) func(*Request) {
		return func(req *Request) { req.Overrides = []Override{ownRate(id, class, "0.05", "2026-01-01", "")} }
	}
	for _, test := range []struct {
		rule   string
		of     content.OtherTaxRow
		sold   Request
		change func(*Request)
		line   int
	}{
		{"a tax on everything", content.OtherTaxRow{}, soldInTown(ClassPhysical, "10.00"), nil, 0},
		{"a class that it is on", books, soldInTown(ClassBook, "10.00"), nil, 0},
		{"a class that it is not on", books, soldInTown(ClassPhysical, "10.00"), nil, none},
		{"a finer class of goods", fee, soldInTown(ClassBook, "100.00"), nil, 0},
		{"a finer class of anything else is another one", fee, soldInTown(ClassClothingChild, "100.00"), nil, none},
		{"two lines", books, soldInTown(ClassBook, "10.00", "20.00"), nil, all},
		{"the second of two lines", books, soldInTown(ClassBook, "0.00", "20.00"), nil, 1},
		{"lines of no value", books, soldInTown(ClassBook, "0.00", "0.00"), nil, none},

		{"the day before", dated, soldInTown(ClassBook, "10.00"), on("2026-04-30"), none},
		{"the first day", dated, soldInTown(ClassBook, "10.00"), on("2026-05-01"), 0},
		{"the last day", dated, soldInTown(ClassBook, "10.00"), on("2026-05-31"), 0},
		{"the day after", dated, soldInTown(ClassBook, "10.00"), on("2026-06-01"), none},

		{"its city, in any spelling", inTown, soldInTown(ClassBook, "10.00"), nil, 0},
		{"another city", elsewhere, soldInTown(ClassBook, "10.00"), nil, none},
		{"no city", inTown, soldInTown(ClassBook, "10.00"), func(req *Request) { req.Destination.City = "" }, none},

		{"a cent below the least amount", fee, soldInTown(ClassPhysical, "99.99"), nil, none},
		{"the least amount", fee, soldInTown(ClassPhysical, "100.00"), nil, 0},
		{"lines that come to it together", fee, soldInTown(ClassPhysical, "60.00", "40.00"), nil, all},
		{"a coupon leads below it", fee, soldInTown(ClassPhysical, "100.00", "-0.01"), nil, none},
		{"a discount leads below it", fee, soldInTown(ClassPhysical, "100.00"),
			func(req *Request) { req.Lines[0].Discount = decimal.MustParse("0.01") }, none},
		{"what is taken back", fee, soldInTown(ClassPhysical, "-100.00"), nil, 0},
		{"what is taken back below it", fee, soldInTown(ClassPhysical, "-99.99"), nil, none},
		{"the least amount in another currency", fee, soldInTown(ClassPhysical, "80.00"), in("EUR", "1.25"), 0},
		{"a cent below it there", fee, soldInTown(ClassPhysical, "79.99"), in("EUR", "1.25"), none},
		{"without a rate any sale has the warning", fee, soldInTown(ClassPhysical, "0.01"), in("EUR", ""), 0},

		{"an exempt line", books, soldInTown(ClassBook, "10.00"), exempt(Exempt{}), none},
		{"a line that is exempt in this state", books, soldInTown(ClassBook, "10.00"),
			exempt(Exempt{Country: "US", State: "TX"}), none},
		{"a line that is exempt in another state", books, soldInTown(ClassBook, "10.00"),
			exempt(Exempt{Country: "US", State: "CA"}), 0},
		{"beside an exempt line", books, soldInTown(ClassBook, "10.00", "20.00"), exempt(Exempt{}), 1},
		{"an exempt line counts for no least amount", fee, soldInTown(ClassPhysical, "60.00", "40.00"),
			exempt(Exempt{}), none},

		{"a rate of the seller for the class", books, soldInTown(ClassBook, "10.00"), set("US-TX-M-town", "BOOK"), none},
		{"for the class above it", books, soldInTown(ClassBook, "10.00"), set("US-TX-M-town", "PHYSICAL"), none},
		{"for another class", books, soldInTown(ClassBook, "10.00"), set("US-TX-M-town", "CLOTHING"), 0},
		{"for everything", books, soldInTown(ClassBook, "10.00"), set("US-TX-M-town", ""), 0},
		{"of another jurisdiction", books, soldInTown(ClassBook, "10.00"), set("US-TX", "BOOK"), 0},
	} {
		t.Run(test.rule, func(t *testing.T) {
			t.Parallel()
			d := sample()
			test.of.At, test.of.JurisdictionID = content.RowRef{File: "sample", Line: 1}, "US-TX-M-town"
			test.of.Tax, test.of.Source = "The tax of Town", "Code of Town"
			d.OtherTaxes = []content.OtherTaxRow{test.of}
			c, err := newContent(d)
			require.NoError(t, err)
			test.sold.Destination = zip(c, "75001")
			if test.change != nil {
				test.change(&test.sold)
			}
			r, err := c.Calculate(test.sold)
			require.NoError(t, err)
			line := none
			for _, w := range r.Warnings {
				if w.Code != WarningOtherLocalTax {
					continue
				}
				require.Equal(t, none, line, "one warning")
				require.Equal(t, "The tax of Town may be due besides; it is not calculated here. Source: Code of Town.", w.Message)
				if line = all; w.Line != nil {
					line = *w.Line
				}
			}
			require.Equal(t, test.line, line)
		})
	}
}

// Each jurisdiction of a place has its own taxes, which do not apply in other places.
func TestOtherTaxesOfEachJurisdiction(t *testing.T) {
	t.Parallel()
	d := sample()
	for _, id := range []string{"US-TX-D-rail", "US-TX", "US-TX-M-town", "US-CA"} {
		d.OtherTaxes = append(d.OtherTaxes, content.OtherTaxRow{
			At: content.RowRef{File: "sample", Line: 1}, JurisdictionID: id, Tax: id, Source: "Code",
		})
	}
	c, err := newContent(d)
	require.NoError(t, err)
	for zipCode, want := range map[string][]string{
		"75001": {"US-TX", "US-TX-M-town", "US-TX-D-rail"}, "75002": {"US-TX"}, "94001": {"US-CA"},
	} {
		req := soldInTown(ClassPhysical, "10.00")
		req.Destination = zip(c, zipCode)
		r, err := c.Calculate(req)
		require.NoError(t, err)
		var told []string
		for _, w := range r.Warnings {
			require.Equal(t, WarningOtherLocalTax, w.Code)
			told = append(told, w.Message[:len(w.Message)-len(" may be due besides; it is not calculated here. Source: Code.")])
		}
		require.Equal(t, want, told, zipCode)
	}
}
