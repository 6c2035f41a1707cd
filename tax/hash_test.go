package tax

import (
	"encoding/json"
	"slices"
	"testing"

	"github.com/govalues/decimal"
	"github.com/stretchr/testify/require"

	"levy/tax/calendar"
)

// Every input that decides a tax is part of the input hash, each by itself, and of the stored explanation. Inputs
// that only name something, such as a street, change neither.
func TestTheInputHashCoversEverythingThatDecidesTheTax(t *testing.T) {
	t.Parallel()
	c := sampleContent(t)
	day := calendar.MustDate("2026-05-01")
	sale := func() Request {
		origin := zip(c, "94001")
		return Request{
			TaxDate: day, Currency: "USD", Destination: zip(c, "75001"), Origin: &origin, CustomerVAT: []string{"FR"},
			Rates: map[string]decimal.Decimal{"EUR": decimal.One}, Lines: []Line{physical("10.00"), physical("20.00")},
			Overrides: []Override{{JurisdictionID: "US-TX-M-town", Rate: decimal.MustParse("0.01"), Reason: "notice"}},
		}
	}
	hashOf := func(req Request) string {
		r, err := c.Calculate(req)
		require.NoError(t, err)
		text, err := json.Marshal(r.Explanation)
		require.NoError(t, err)
		var stored Explanation
		require.NoError(t, json.Unmarshal(text, &stored))
		back, err := stored.Request()
		require.NoError(t, err)
		again, err := c.Calculate(back)
		require.NoError(t, err)
		require.Equal(t, r.Explanation.InputHash, again.Explanation.InputHash, "it can be calculated again")
		require.Equal(t, r.Explanation.ResultHash, again.Explanation.ResultHash)
		return r.Explanation.InputHash
	}
	seen := map[string]string{hashOf(sale()): "the sale itself"}
	customer := func(e Exempt) func(*Request) {
		e.TaxExemption = ExemptionCustomer
		return func(r *Request) { r.Lines[0].Exempt = &e }
	}
	further := func(o Override) func(*Request) {
		return func(r *Request) { r.Overrides = append(r.Overrides, o) }
	}
	for name, change := range map[string]func(*Request){
		"the day":           func(r *Request) { r.TaxDate = r.TaxDate.AddDays(1) },
		"the currency":      func(r *Request) { r.Currency = "CAD" },
		"the rounding":      func(r *Request) { r.Rounding = TaxPerDocument },
		"a marketplace":     func(r *Request) { r.Marketplace = true },
		"the destination":   func(r *Request) { r.Destination = zip(c, "75002") },
		"its city alone":    func(r *Request) { r.Destination.City = "Village" },
		"its jurisdictions": func(r *Request) { r.Destination.Jurisdictions = r.Destination.Jurisdictions[:1] },
		"as many of another state": func(r *Request) {
			r.Destination.Jurisdictions = append(slices.Clone(r.Destination.Jurisdictions[:3]), "US-CA-M-hill")
		},
		"the origin":         func(r *Request) { *r.Origin = zip(c, "94002") },
		"no origin":          func(r *Request) { r.Origin = nil },
		"a VAT id":           func(r *Request) { r.CustomerVAT = []string{"DE"} },
		"no VAT id":          func(r *Request) { r.CustomerVAT = nil },
		"the threshold":      func(r *Request) { r.BelowUnionThreshold = true },
		"a reference rate":   func(r *Request) { r.Rates = map[string]decimal.Decimal{"EUR": decimal.Two} },
		"another currency":   func(r *Request) { r.Rates = map[string]decimal.Decimal{"GBP": decimal.One} },
		"an override":        func(r *Request) { r.Overrides[0].Rate = decimal.MustParse("0.011") },
		"its reason":         func(r *Request) { r.Overrides[0].Reason = "another notice" },
		"no override":        func(r *Request) { r.Overrides = nil },
		"an amount":          func(r *Request) { r.Lines[0].Amount = decimal.MustParse("10.01") },
		"a discount":         func(r *Request) { r.Lines[0].Discount = decimal.MustParse("0.01") },
		"a quantity":         func(r *Request) { r.Lines[0].Quantity = decimal.Two },
		"a class":            func(r *Request) { r.Lines[0].Class = ClassBook },
		"a name":             func(r *Request) { r.Lines[0].ExternalID = "a" },
		"a product":          func(r *Request) { r.Lines[0].ExternalProductID = "a" },
		"the order":          func(r *Request) { slices.Reverse(r.Lines) },
		"a line more":        func(r *Request) { r.Lines = append(r.Lines, physical("0.00")) },
		"an exemption":       customer(Exempt{}),
		"one of a state":     customer(Exempt{State: "CA"}),
		"one with its proof": customer(Exempt{ExemptionID: "e"}),
	} {
		req := sale()
		change(&req)
		hash := hashOf(req)
		require.Empty(t, seen[hash], "%s has the same hash as %s", name, seen[hash])
		seen[hash] = name
	}
	for name, change := range map[string]func(*Request){
		"a street":                        func(r *Request) { r.Destination.Street1 = "1 Main St" },
		"an override that does not apply": further(Override{JurisdictionID: "US-CA"}),
		"an override of no class":         further(Override{JurisdictionID: "US-TX", Class: "GOLD"}),
		"1.0 for 1":                       func(r *Request) { r.Lines[0].Quantity = decimal.MustParse("1.0") },
		"no quantity for one":             func(r *Request) { r.Lines[0].Quantity = decimal.Zero },
		"the usual rounding by name":      func(r *Request) { r.Rounding = TaxPerLine },
		"zeros at the end of a price":     func(r *Request) { r.Lines[0].Amount = decimal.MustParse("10.000") },
	} {
		req := sale()
		change(&req)
		require.Equal(t, "the sale itself", seen[hashOf(req)], name)
	}
}

// A hash that was stored comes out again in every later release.
func TestHashesStayAsTheyWereStored(t *testing.T) {
	t.Parallel()
	e := soldAt(t, zip(sampleContent(t), "75001"), "", physical("100.00"), physical("50.00"))
	require.Equal(t, "15eb0e46934ce627ca6a76c8fd49d304a33d4f0b517e58e33b50a130a2d266ec", e.InputHash)
	require.Equal(t, "76277053347df8801c6d2f2a31fa53936661f7f7c3dd1ff7784b56f188decee1", e.ResultHash)
}
