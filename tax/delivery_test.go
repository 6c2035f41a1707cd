package tax_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/govalues/decimal"
	"github.com/stretchr/testify/require"

	"levy/tax"
	"levy/tax/calendar"
)

// basket is several lines sold to "city, ST ZIP" or abroad; a line is "CLASS amount" or "CLASS amount quantity".
type basket struct {
	to, from, vat, day, currency string
	lines                        []string
}

func (b basket) request(t require.TestingT) tax.Request {
	req := tax.Request{TaxDate: calendar.MustDate(usualDay), Currency: "USD"}
	if b.day != "" {
		req.TaxDate = calendar.MustDate(b.day)
	}
	if b.currency != "" {
		req.Currency = b.currency
	}
	if strings.Contains(b.to, ", ") {
		req.Destination = loaded(t).Resolve(address(b.to))
	} else {
		req.Destination = placeAbroad(t, b.to)
	}
	if b.from != "" {
		origin := placeAbroad(t, b.from)
		req.Origin = &origin
	}
	if b.vat != "" {
		req.CustomerVAT = []string{b.vat}
	}
	for _, text := range b.lines {
		parts := strings.Fields(text)
		line := tax.Line{
			Class: tax.TaxClass(parts[0]), Amount: decimal.MustParse(parts[1]), Quantity: decimal.One,
		}
		if len(parts) > 2 {
			line.Quantity = decimal.MustParse(parts[2])
		}
		req.Lines = append(req.Lines, line)
	}
	return req
}

func (b basket) calculate(t require.TestingT) tax.Result {
	r, err := loaded(t).Calculate(b.request(t))
	require.NoError(t, err)
	return r
}

// Where delivery is part of the price, it counts for the limit of a holiday, unless the law leaves it out. Texas
// Comptroller, publication 98-490: jeans of 95 dollars with a delivery of 10 are taxed. Streamlined agreement, section
// 322(C): delivery needs no division where all items are within the limit.
func TestDeliveryInTheLimitOfAHoliday(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		rule, to, day string
		lines         []string
		tax           string
		doubted       bool
	}{
		{"Texas, without delivery", "Houston, TX 77002", "2026-08-08", []string{"CLOTHING 99.00"}, "0.00", false},
		{"Texas, below with delivery", "Houston, TX 77002", "2026-08-08",
			[]string{"CLOTHING 89.00", "SHIPPING 10.00"}, "0.00", false},
		{"Texas, at the limit with delivery", "Houston, TX 77002", "2026-08-08",
			[]string{"CLOTHING 90.00", "SHIPPING 10.00"}, "8.26", false},
		{"Texas, delivery first", "Houston, TX 77002", "2026-08-08",
			[]string{"SHIPPING 10.00", "CLOTHING 99.00"}, "9.00", false},
		{"Texas, delivery in two charges", "Houston, TX 77002", "2026-08-08",
			[]string{"CLOTHING 95.00", "SHIPPING 2.00", "HANDLING 3.00"}, "8.26", false},
		{"Texas, what comes back", "Houston, TX 77002", "2026-08-08",
			[]string{"CLOTHING -99.00", "SHIPPING -10.00"}, "-9.00", false},
		{"Texas, delivery waived", "Houston, TX 77002", "2026-08-08",
			[]string{"CLOTHING 99.00", "SHIPPING 10.00", "SHIPPING -10.00"}, "0.00", false},
		{"Texas, two items far below", "Houston, TX 77002", "2026-08-08",
			[]string{"CLOTHING 40.00", "CLOTHING 50.00", "SHIPPING 10.00"}, "0.00", false},
		{"Texas, two items that a part of the delivery leads above", "Houston, TX 77002", "2026-08-08",
			[]string{"CLOTHING 99.00", "CLOTHING 50.00", "SHIPPING 10.00"}, "0.00", true},
		{"Texas, two items of a line", "Houston, TX 77002", "2026-08-08",
			[]string{"CLOTHING 198.00 2", "SHIPPING 10.00"}, "0.00", true},
		{"Texas, beside a book", "Houston, TX 77002", "2026-08-08",
			[]string{"CLOTHING 50.00", "BOOK 10.00"}, "0.83", false},
		{"Tennessee leaves delivery out", "Nashville, TN 37203", "2026-08-01",
			[]string{"CLOTHING 99.00", "SHIPPING 10.00"}, "0.00", false},
		{"Ohio, where all is within the limit", "Columbus, OH 43215", "2025-08-05",
			[]string{"PHYSICAL 495.00", "PHYSICAL 20.00", "SHIPPING 20.00"}, "0.00", false},
		{"Ohio, with the part of the delivery that is not for what is above the limit", "Columbus, OH 43215", "2025-08-05",
			[]string{"PHYSICAL 495.00", "PHYSICAL 600.00", "SHIPPING 20.00"}, "49.60", true},
		{"Ohio, far below the limit", "Columbus, OH 43215", "2025-08-05",
			[]string{"PHYSICAL 300.00", "PHYSICAL 600.00"}, "48.00", false},
		{"Connecticut is not known", "Hartford, CT 06103", "2026-08-18",
			[]string{"CLOTHING 99.00", "SHIPPING 10.00"}, "0.00", true},
		{"Connecticut, below with delivery", "Hartford, CT 06103", "2026-08-18",
			[]string{"CLOTHING 80.00", "SHIPPING 10.00"}, "0.00", false},
		{"in Florida delivery can be a part of the price", "Miami, FL 33101", "2026-08-08",
			[]string{"CLOTHING 99.00", "SHIPPING 10.00"}, "0.00", true},
		{"in Virginia it is none", "Richmond, VA 23219", "2026-08-08",
			[]string{"CLOTHING 99.00", "SHIPPING 10.00"}, "0.00", false},
	} {
		r := basket{to: test.to, day: test.day, lines: test.lines}.calculate(t)
		require.Equal(t, test.tax, r.Tax.String(), test.rule)
		require.Equal(t, test.doubted, slices.Contains(codes(r), tax.WarningClassTooCoarse), "%s: %v", test.rule, r.Warnings)
		if test.doubted {
			require.Equal(t, tax.ConfidenceLow, r.Confidence, test.rule)
		}
	}
	r := basket{
		to: "Houston, TX 77002", day: "2026-08-08", lines: []string{"CLOTHING 99.00", "SHIPPING 10.00"},
	}.calculate(t)
	require.Contains(t, said(r), "With its delivery an item costs more than Back-to-School (2026) frees.")
}

// said is all that the steps of a result tell.
func said(r tax.Result) string {
	var text strings.Builder
	for _, s := range r.Explanation.Steps {
		text.WriteString(s.Text + "\n")
	}
	return text.String()
}

// Delivery is part of the price of a single article in Tennessee: local taxes and the extra tax of the state look at
// both together. Tenn. Code Ann. 67-6-102, 67-6-202 and 67-6-702. The state takes 7 %, Davidson County and the transit
// tax 2.75 %, and the extra tax is 2.75 %.
func TestDeliveryOfASingleArticle(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		rule        string
		lines       []string
		state       string
		local, band string
		mixed       bool
	}{
		{"below the limit", []string{"PHYSICAL 1000.00", "SHIPPING 100.00"}, "77.00", "30.25", "0.00", false},
		{"the delivery leads to the limit", []string{"PHYSICAL 1500.00", "SHIPPING 100.00"}, "112.00", "44.00", "0.00", false},
		{"above the limit", []string{"PHYSICAL 1600.00", "SHIPPING 100.00"}, "119.00", "44.00", "2.75", false},
		{"a part of the delivery is above", []string{"PHYSICAL 1550.00", "SHIPPING 100.00"}, "115.50", "44.00", "1.38", false},
		{"above the extra tax", []string{"PHYSICAL 3200.00", "SHIPPING 100.00"}, "231.00", "44.00", "44.00", false},
		{"far above", []string{"PHYSICAL 5000.00", "SHIPPING 50.00", "HANDLING 50.00"}, "357.00", "44.00", "44.00", false},
		{"two articles of a line", []string{"PHYSICAL 3200.00 2", "SHIPPING 100.00"}, "231.00", "88.00", "2.75", false},
		{"what comes back", []string{"PHYSICAL -1600.00", "SHIPPING -100.00"}, "-119.00", "-44.00", "-2.75", false},
		{"several articles below", []string{"PHYSICAL 100.00", "PHYSICAL 200.00", "SHIPPING 100.00"}, "28.00", "11.00", "0.00",
			false},
		{"several articles, one of them above", []string{"PHYSICAL 1600.00", "PHYSICAL 100.00", "SHIPPING 100.00"}, "126.00",
			"49.50", "0.00", true},
	} {
		r := basket{to: "Nashville, TN 37203", lines: test.lines}.calculate(t)
		sums := map[string]decimal.Decimal{}
		for _, l := range r.Lines {
			for _, item := range l.TaxItems {
				kind := "local"
				switch {
				case strings.Contains(item.Name, "single article"):
					kind = "band"
				case item.JurisdictionType == tax.TypeState:
					kind = "state"
				}
				sum, err := sums[kind].Add(item.Amount)
				require.NoError(t, err)
				sums[kind] = sum
			}
		}
		require.Zero(t, decimal.MustParse(test.state).Cmp(sums["state"]), "%s: state %s", test.rule, sums["state"])
		require.Zero(t, decimal.MustParse(test.local).Cmp(sums["local"]), "%s: local %s", test.rule, sums["local"])
		require.Zero(t, decimal.MustParse(test.band).Cmp(sums["band"]), "%s: band %s", test.rule, sums["band"])
		require.Equal(t, test.mixed, slices.Contains(codes(r), tax.WarningClassTooCoarse), "%s: %v", test.rule, r.Warnings)
	}
}

// The delivery of what a business accounts for, or of what is taxed at the border, is untaxed for the same reason.
func TestDeliveryHasTheReasonOfWhatItDelivers(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		rule      string
		sale      basket
		reason    tax.TaxReason
		exemption tax.TaxExemption
	}{
		{"goods above the import limit", basket{to: "DE", from: "US-NY", currency: "EUR",
			lines: []string{"PHYSICAL 500.00", "SHIPPING 20.00"}}, tax.ReasonNotTaxable, tax.ExemptionHighValue},
		{"goods to a business in Belfast", basket{to: "GB BT1 1AA", from: "IE", vat: "XI", currency: "GBP",
			lines: []string{"PHYSICAL 50.00", "SHIPPING 20.00"}}, tax.ReasonReverseCharge, tax.ExemptionReverseCharge},
		{"a service from abroad", basket{to: "DE", from: "US-NY", vat: "DE", currency: "EUR",
			lines: []string{"PROFESSIONAL 50.00", "HANDLING 20.00"}}, tax.ReasonReverseCharge, tax.ExemptionReverseCharge},
		{"goods in the Union", basket{to: "DE", from: "FR", vat: "DE", currency: "EUR",
			lines: []string{"PHYSICAL 50.00", "SHIPPING 20.00"}}, tax.ReasonReverseCharge, tax.ExemptionReverseCharge},
	} {
		r := test.sale.calculate(t)
		require.True(t, r.Tax.IsZero(), test.rule)
		for i, l := range r.Lines {
			require.Equal(t, test.exemption, l.TaxExemption, "%s: line %d", test.rule, i)
			for _, item := range l.TaxItems {
				require.Equal(t, test.reason, item.Reason, "%s: line %d", test.rule, i)
			}
		}
	}
	mixed := basket{to: "DE", from: "US-NY", vat: "DE", currency: "EUR", lines: []string{
		"PROFESSIONAL 50.00", "PHYSICAL 100.00", "SHIPPING 10.00",
	}}.calculate(t)
	require.Equal(t, "1.90", mixed.Lines[2].Tax.String(), "delivery belongs to the goods, which are taxed")
}

// Texas and Pennsylvania tax a sale inside the state where it starts. A place of delivery with higher local taxes may
// take the difference as local use tax. Sources: 34 TAC 3.334; 61 Pa. Code 60.16.
func TestALocalUseTaxIsNamed(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		from, to, tax string
		named         bool
	}{
		{"Harrisburg, PA 17101", "Pittsburgh, PA 15222", "6.00", true},
		{"Pittsburgh, PA 15222", "Philadelphia, PA 19103", "7.00", true},
		{"Pittsburgh, PA 15222", "Harrisburg, PA 17101", "7.00", false},
		{"Harrisburg, PA 17101", "Erie, PA 16501", "6.00", false},
		{"Odessa, TX 79761", "Houston, TX 77002", "6.25", true},
		{"Dallas, TX 75201", "Houston, TX 77002", "8.25", false},
		{"Nashville, TN 37203", "Memphis, TN 38103", "9.75", false},
		{"Los Angeles, CA 90012", "Houston, TX 77002", "8.25", false},
	} {
		req := sale{test.to, "PHYSICAL", "100.00", "", ""}.request(t)
		origin := loaded(t).Resolve(address(test.from))
		req.Origin = &origin
		r, err := loaded(t).Calculate(req)
		require.NoError(t, err)
		require.Equal(t, test.tax, r.Tax.String(), test.from)
		named := slices.ContainsFunc(r.Warnings, func(w tax.Warning) bool {
			return w.Code == tax.WarningOtherLocalTax && strings.Contains(w.Message, "local use tax")
		})
		require.Equal(t, test.named, named, "%s to %s", test.from, test.to)
		if test.named {
			require.Equal(t, tax.ConfidenceLow, r.Confidence, test.from)
		}
	}
}

// A sale that is free of the tax of the state bears no local use tax either, and a sale that costs nothing bears none.
func TestALocalUseTaxIsNotNamedWhereNothingIsTaxed(t *testing.T) {
	t.Parallel()
	for _, line := range []sale{
		{"Philadelphia, PA 19103", "CLOTHING", "100.00", "", ""},
		{"Philadelphia, PA 19103", "FOOD", "100.00", "", ""},
		{"Philadelphia, PA 19103", "PHYSICAL", "0.00", "", ""},
	} {
		req := line.request(t)
		origin := loaded(t).Resolve(address("Harrisburg, PA 17101"))
		req.Origin = &origin
		r, err := loaded(t).Calculate(req)
		require.NoError(t, err)
		require.Empty(t, r.Warnings, line.class)
		require.NotEqual(t, tax.ConfidenceLow, r.Confidence, line.class)
	}
}

// Delivery that costs nothing, or brings only what is free of tax, bears no tax whatever the buyer could choose.
func TestDeliveryThatIsFreeAnywayIsNotDoubted(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		to      string
		lines   []string
		doubted bool
	}{
		{"Miami, FL 33130", []string{"PHYSICAL 100.00", "SHIPPING 10.00"}, true},
		{"Miami, FL 33130", []string{"PHYSICAL 100.00", "SHIPPING 0.00"}, false},
		{"Miami, FL 33130", []string{"FOOD 100.00", "SHIPPING 10.00"}, false},
		{"Miami, FL 33130", []string{"FOOD 100.00", "PHYSICAL 1.00", "SHIPPING 10.00"}, true},
		{"Miami, FL 33130", []string{"SHIPPING 10.00"}, true},
		{"Peoria, IL 61602", []string{"PHYSICAL 100.00", "SHIPPING 0.00"}, false},
		{"Juneau, AK 99801", []string{"PHYSICAL 100.00", "SHIPPING 0.00"}, false},
	} {
		r := basket{to: test.to, lines: test.lines}.calculate(t)
		require.Equal(t, test.doubted, slices.Contains(codes(r), tax.WarningClassTooCoarse), "%v: %v", test, r.Warnings)
	}
	free := basket{to: "Miami, FL 33130", lines: []string{"FOOD 100.00", "SHIPPING 10.00"}}.calculate(t)
	require.Equal(t, tax.ConfidenceHigh, free.Confidence)
}

// Delivery is part of the price in New York, Rhode Island and Connecticut. Whether it counts for the limits on the price
// of clothing is not in the content: where it decides, the answer says so.
func TestDeliveryInTheLimitOfClothing(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		rule, to string
		lines    []string
		tax      string
		doubted  bool
	}{
		{"New York, without delivery", "New York, NY 10118", []string{"CLOTHING 109.99"}, "0.00", false},
		{"New York, below with delivery", "New York, NY 10118", []string{"CLOTHING 99.99", "SHIPPING 10.00"}, "0.00", false},
		{"New York, at the limit with delivery", "New York, NY 10118",
			[]string{"CLOTHING 100.00", "SHIPPING 10.00"}, "0.00", true},
		{"New York, above the limit", "New York, NY 10118", []string{"CLOTHING 110.00", "SHIPPING 10.00"}, "10.65", false},
		{"New York, what comes back", "New York, NY 10118", []string{"CLOTHING -100.00", "SHIPPING -10.00"}, "0.00", true},
		{"Rhode Island, at the limit with delivery", "Providence, RI 02903",
			[]string{"CLOTHING 240.00", "SHIPPING 10.00"}, "0.00", false},
		{"Rhode Island, above it with delivery", "Providence, RI 02903",
			[]string{"CLOTHING 245.00", "SHIPPING 10.00"}, "0.00", true},
		{"Connecticut, at the limit with delivery", "Hartford, CT 06103",
			[]string{"CLOTHING 990.00", "SHIPPING 10.00"}, "63.51", false},
		{"Connecticut, above it with delivery", "Hartford, CT 06103",
			[]string{"CLOTHING 995.00", "SHIPPING 10.00"}, "63.82", true},
		{"Massachusetts, where delivery is no part of it", "Boston, MA 02108",
			[]string{"CLOTHING 170.00", "SHIPPING 10.00"}, "0.00", false},
	} {
		r := basket{to: test.to, lines: test.lines}.calculate(t)
		require.Equal(t, test.tax, r.Tax.String(), test.rule)
		require.Equal(t, test.doubted, slices.Contains(codes(r), tax.WarningClassTooCoarse), "%s: %v", test.rule, r.Warnings)
		require.Equal(t, test.doubted, r.Confidence == tax.ConfidenceLow, test.rule)
	}
}

// California, Florida and Illinois free delivery under conditions of which a sale says nothing. A merchant who knows
// that all deliveries meet them, or none does, sets the rate once.
func TestAMerchantSaysOnceWhetherDeliveriesAreFree(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ to, state, taxed string }{
		{"Los Angeles, CA 90012", "US-CA", "0.98"}, {"Miami, FL 33101", "US-FL", "0.70"},
		{"Chicago, IL 60601", "US-IL", "1.03"},
	} {
		sold := basket{to: test.to, lines: []string{"PHYSICAL 100.00", "SHIPPING 10.00"}}
		r := sold.calculate(t)
		require.True(t, r.Lines[1].Tax.IsZero(), test.to)
		require.NotEqual(t, tax.ConfidenceHigh, r.Confidence, test.to)
		i := slices.Index(codes(r), tax.WarningClassTooCoarse)
		require.GreaterOrEqual(t, i, 0, test.to)
		require.Contains(t, r.Warnings[i].Message, "/v1/rate_overrides", test.to)
		general := r.Lines[0].TaxItems[0].Rate
		for rate, want := range map[string]string{"0": "0.00", general.String(): test.taxed} {
			request := sold.request(t)
			request.Overrides = []tax.Override{{
				ID: "rate_1", JurisdictionID: test.state, Class: tax.ClassShipping, Rate: decimal.MustParse(rate),
				From: calendar.MustDate("2026-01-01"), SetOn: calendar.MustDate("2026-01-01"), Reason: "how we deliver",
			}}
			r, err := loaded(t).Calculate(request)
			require.NoError(t, err)
			require.Equal(t, want, r.Lines[1].Tax.String(), "%s at %s", test.to, rate)
			require.NotContains(t, codes(r), tax.WarningClassTooCoarse, "%s at %s", test.to, rate)
		}
	}
}

// Where a charge is taken as taxed, a rate of 0 of the state would leave the local taxes: the warning does not advise it.
func TestARateOfTheStateIsOnlyAdvisedForDeliveriesTakenAsFree(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ to, charge string }{
		{"Wichita, KS 67202", "HANDLING"}, {"Chicago, IL 60601", "HANDLING"}, {"Juneau, AK 99801", "SHIPPING"},
	} {
		r := basket{to: test.to, lines: []string{"PHYSICAL 100.00", test.charge + " 10.00"}}.calculate(t)
		i := slices.Index(codes(r), tax.WarningClassTooCoarse)
		require.GreaterOrEqual(t, i, 0, test.to)
		require.Contains(t, r.Warnings[i].Message, "taken as taxable", test.to)
		require.NotContains(t, r.Warnings[i].Message, "/v1/rate_overrides", test.to)
	}
}

// A seller from outside may collect another tax than the taxes on sales there.
// Sources: Ala. Code 40-23-193: 8 % everywhere; RSMo 144.757: no local tax where voters have adopted none on use; 35
// ILCS 105/3-10 and NMSA 7-1-14 before July 2021: the rate of the state alone.
func TestTheTaxOfASellerFromOutsideIsDoubted(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		from   string // empty: not known
		sale   sale
		doubts string // empty: nothing
	}{
		{"New York, NY 10118", sale{"Birmingham, AL 35203", "PHYSICAL", "100.00", "", ""}, "use tax of 8 %"},
		{"Mobile, AL 36602", sale{"Birmingham, AL 35203", "PHYSICAL", "100.00", "", ""}, ""},
		{"", sale{"Birmingham, AL 35203", "PHYSICAL", "100.00", "", ""}, ""},
		{"New York, NY 10118", sale{"Birmingham, AL 35203", "DRUGS_RX", "100.00", "", ""}, ""},
		{"New York, NY 10118", sale{"St. Louis, MO 63101", "PHYSICAL", "100.00", "", ""}, "where voters have adopted one"},
		{"Kansas City, MO 64106", sale{"St. Louis, MO 63101", "PHYSICAL", "100.00", "", ""}, ""},
		{"New York, NY 10118", sale{"Chicago, IL 60601", "PHYSICAL", "100.00", "", "2020-12-31"}, "the rate of the state alone"},
		{"New York, NY 10118", sale{"Chicago, IL 60601", "PHYSICAL", "100.00", "", "2024-12-31"}, "place of business in Illinois"},
		{"New York, NY 10118", sale{"Chicago, IL 60601", "PHYSICAL", "100.00", "", "2025-01-01"}, ""},
		{"New York, NY 10118", sale{"Santa Fe, NM 87501", "PHYSICAL", "100.00", "", "2021-06-30"}, "5.125 %"},
		{"New York, NY 10118", sale{"Santa Fe, NM 87501", "PHYSICAL", "100.00", "", "2021-07-01"}, ""},
		{"New York, NY 10118", sale{"Houston, TX 77002", "PHYSICAL", "100.00", "", ""}, ""},
	} {
		req := test.sale.request(t)
		if test.from != "" {
			origin := loaded(t).Resolve(address(test.from))
			req.Origin = &origin
		}
		r, err := loaded(t).Calculate(req)
		require.NoError(t, err)
		messages := ""
		for _, w := range r.Warnings {
			messages += w.Message
		}
		if test.doubts == "" {
			require.NotContains(t, messages, "may be due instead", "%+v", test)
			continue
		}
		require.Contains(t, messages, test.doubts, "%+v", test)
		require.Equal(t, tax.ConfidenceLow, r.Confidence)
	}
}
