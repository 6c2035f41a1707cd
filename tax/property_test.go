package tax_test

import (
	"encoding/json"
	"slices"
	"testing"

	"github.com/govalues/decimal"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"levy/tax"
	"levy/tax/calendar"
	"levy/tax/money"
)

var classes = []tax.TaxClass{
	tax.ClassPhysical, tax.ClassClothing, tax.ClassClothingChild, tax.ClassFood, tax.ClassPreparedFood, tax.ClassDrugsRx,
	tax.ClassBook,
	tax.ClassDigital, tax.ClassSaaS, tax.ClassSoftwareDownload, tax.ClassService, tax.ClassShipping, tax.ClassNotTaxable,
}

var towns = []string{
	"New York, NY 10118", "Albany, NY 12207", "Houston, TX 77002", "Miami, FL 33101", "Nashville, TN 37203",
	"Boston, MA 02108", "Chicago, IL 60601",
	"San Francisco, CA 94105", "Richmond, VA 23219", "Charlotte, NC 28202", "Salt Lake City, UT 84101",
	"Wichita, KS 67202", "Juneau, AK 99801",
	"Portland, OR 97201", "San Juan, PR 00901", "Honolulu, HI 96813", "Aurora, CO 80014", ", LA ", "Hartford, CT 06103",
	"Atlanta, GA 30303",
}

// anySale draws a sale of one to eight lines anywhere, at any time of 2026. Its amounts have both signs and lie around
// the limits of laws.
func anySale(units ...tax.RoundingUnit) *rapid.Generator[tax.Request] {
	return rapid.Custom(func(t *rapid.T) tax.Request {
		req := tax.Request{
			TaxDate:     calendar.MustDate("2025-06-01").AddDays(rapid.IntRange(0, 600).Draw(t, "day")),
			Destination: loaded(t).Resolve(address(rapid.SampledFrom(towns).Draw(t, "town"))),
			Rounding:    rapid.SampledFrom(units).Draw(t, "unit"),
		}
		if rapid.Bool().Draw(t, "has origin") {
			origin := loaded(t).Resolve(address(rapid.SampledFrom(towns).Draw(t, "origin")))
			req.Origin = &origin
		}
		for i := range rapid.IntRange(1, 8).Draw(t, "lines") {
			cents := rapid.OneOf(
				rapid.Int64Range(-30_000, 30_000), rapid.Int64Range(-1_000_000_000, 1_000_000_000),
			).Draw(
				t, "cents",
			)
			l := tax.Line{
				ID: string(rune('a' + i)), Class: rapid.SampledFrom(classes).Draw(t, "class"),
				Amount:   decimal.MustNew(cents, 2),
				Discount: decimal.MustNew(rapid.Int64Range(0, 500).Draw(t, "discount"), 2),
				Quantity: decimal.MustNew(
					rapid.Int64Range(0, 5000).Draw(t, "quantity"),
					rapid.IntRange(0, 3).Draw(t, "quantity scale"),
				),
			}
			if rapid.IntRange(0, 9).Draw(t, "exempt") == 0 {
				l.Exempt = &tax.Exempt{TaxExemption: tax.ExemptionCustomer, ExemptionID: "exmp_1"}
			}
			req.Lines = append(req.Lines, l)
		}
		return req
	})
}

var allUnits = []tax.RoundingUnit{tax.TaxPerLine, tax.JurisdictionPerLine, tax.TaxPerDocument}

func sum(t require.TestingT, values ...decimal.Decimal) decimal.Decimal {
	total := decimal.MustNew(0, 2)
	for _, v := range values {
		var err error
		total, err = money.Add(total, v)
		require.NoError(t, err)
	}
	return total
}

func TestPartsAddUpToTheLineAndLinesToTheTotal(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		sale := anySale(allUnits...).Draw(t, "sale")
		r, err := loaded(t).Calculate(sale)
		require.NoError(t, err)
		total, taxable := decimal.MustNew(0, 2), decimal.MustNew(0, 2)
		for i, l := range r.Lines {
			require.Equal(t, isCoupon(&sale, i), len(l.TaxItems) == 0)
			parts := decimal.MustNew(0, 2)
			for _, i := range l.TaxItems {
				require.NotEmpty(t, i.Reason)
				require.Equal(t, 2, i.Amount.Scale())
				if i.Exempt {
					require.True(t, i.Amount.IsZero())
					require.True(t, i.Rate.IsZero())
				}
				parts = sum(t, parts, i.Amount)
			}
			require.Equal(t, l.Tax, parts)
			if l.TaxExemption != "" {
				require.True(t, l.Tax.IsZero())
			}
			total, taxable = sum(t, total, l.Tax), sum(t, taxable, l.TaxableAmount)
		}
		require.Equal(t, r.Tax, total)
		require.Equal(t, r.TaxableAmount, taxable)
	})
}

// isCoupon reports whether a line is a negative one beside a positive one.
func isCoupon(sale *tax.Request, i int) bool {
	return sale.Lines[i].Amount.IsNeg() &&
		slices.ContainsFunc(sale.Lines, func(l tax.Line) bool { return l.Amount.IsPos() })
}

func TestReasonsChangeOnlyTheExplanation(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		sale := anySale(allUnits...).Draw(t, "sale")
		full, err := loaded(t).Calculate(sale)
		require.NoError(t, err)
		for _, reasons := range []tax.Reasons{tax.Sentences, tax.NoReasons} {
			sale.Reasons = reasons
			r, err := loaded(t).Calculate(sale)
			require.NoError(t, err)
			explanation := tax.Explanation{Jurisdictions: full.Explanation.Jurisdictions}
			if reasons == tax.Sentences {
				explanation.Steps = full.Explanation.Steps
			}
			require.Equal(t, explanation, r.Explanation)
			r.Explanation = full.Explanation
			require.Equal(t, full, r)
		}
	})
}

func TestARefundCancelsItsSale(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		sale := anySale(allUnits...).Draw(t, "sale")
		sale.EachAlone = true
		refund := sale
		refund.Lines = slices.Clone(sale.Lines)
		for i := range refund.Lines {
			refund.Lines[i].Amount, refund.Lines[i].Discount = refund.Lines[i].Amount.Neg(), refund.Lines[i].Discount.Neg()
		}
		a, err := loaded(t).Calculate(sale)
		require.NoError(t, err)
		b, err := loaded(t).Calculate(refund)
		require.NoError(t, err)
		require.True(t, sum(t, a.Tax, b.Tax).IsZero())
		for i := range a.Lines {
			require.True(t, sum(t, a.Lines[i].Tax, b.Lines[i].Tax).IsZero())
			require.Equal(t, a.Lines[i].Rate, b.Lines[i].Rate)
			for j := range a.Lines[i].TaxItems {
				require.True(t, sum(t, a.Lines[i].TaxItems[j].Amount, b.Lines[i].TaxItems[j].Amount).IsZero())
			}
		}
	})
}

func TestTheOrderOfLinesChangesNoAmount(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		sale := anySale(tax.TaxPerLine, tax.JurisdictionPerLine).Draw(t, "sale")
		sale.EachAlone = true // the cents of a coupon line go to the earlier of equal lines
		shuffled := sale
		shuffled.Lines = rapid.Permutation(sale.Lines).Draw(t, "order")
		a, err := loaded(t).Calculate(sale)
		require.NoError(t, err)
		b, err := loaded(t).Calculate(shuffled)
		require.NoError(t, err)
		require.Equal(t, a.Tax, b.Tax)
		require.Equal(t, a.Rate, b.Rate)
		for _, l := range a.Lines {
			i := slices.IndexFunc(b.Lines, func(m tax.LineResult) bool { return m.ID == l.ID })
			require.Equal(t, l, b.Lines[i])
		}
	})
}

func TestEqualInputsGiveEqualHashes(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		sale := anySale(allUnits...).Draw(t, "sale")
		a, err := loaded(t).Calculate(sale)
		require.NoError(t, err)
		b, err := loaded(t).Calculate(sale)
		require.NoError(t, err)
		require.Equal(t, a, b)
		require.Len(t, a.Explanation.InputHash, 64)
		sale.Lines = slices.Clone(sale.Lines)
		sale.Lines[0].Amount = sum(t, sale.Lines[0].Amount, decimal.MustNew(1, 2))
		c, err := loaded(t).Calculate(sale)
		require.NoError(t, err)
		require.NotEqual(t, a.Explanation.InputHash, c.Explanation.InputHash)
	})
}

func TestAnExplanationSurvivesStorage(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		r, err := loaded(t).Calculate(anySale(allUnits...).Draw(t, "sale"))
		require.NoError(t, err)
		text, err := json.Marshal(r.Explanation)
		require.NoError(t, err)
		var back tax.Explanation
		require.NoError(t, json.Unmarshal(text, &back))
		again, err := json.Marshal(back)
		require.NoError(t, err)
		require.JSONEq(t, string(text), string(again))
	})
}

// The stored explanation is sufficient to calculate again, with the same hashes.
func TestAStoredExplanationGivesTheSameResultAgain(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		sale := anySale(allUnits...).Draw(t, "sale")
		if rapid.Bool().Draw(t, "abroad") {
			sale.Destination = placeAbroad(t, rapid.SampledFrom(abroadPlaces).Draw(t, "to"))
			sale.CustomerVAT = []string{"FR"}
		}
		a, err := loaded(t).Calculate(sale)
		require.NoError(t, err)
		text, err := json.Marshal(a.Explanation)
		require.NoError(t, err)
		var back tax.Explanation
		require.NoError(t, json.Unmarshal(text, &back))
		again, err := back.Request()
		require.NoError(t, err)
		b, err := loaded(t).Calculate(again)
		require.NoError(t, err)
		require.Empty(t, tax.Compare(&back, &b.Explanation))
		require.Equal(t, a.Explanation.InputHash, b.Explanation.InputHash)
	})
}

// On an amount below every cap, the rate of a line is the sum of its parts.
func TestTheRateOfALineIsTheSumOfItsParts(t *testing.T) {
	t.Parallel()
	c := loaded(t)
	for _, to := range towns {
		for _, class := range classes {
			r := sale{to, string(class), "100.00", "", ""}.calculate(t)
			rates := decimal.MustNew(0, 9)
			for _, i := range r.Lines[0].TaxItems {
				rates = sum(t, rates, i.Rate)
			}
			require.Zero(t, rates.Cmp(r.Lines[0].Rate), "%s %s", to, class)
			require.Equal(t, c.Version(), r.ContentVersion)
		}
	}
}

func TestTheExplanationHasTheShapeOfTheContract(t *testing.T) {
	t.Parallel()
	r := sale{"New York, NY 10118", "PHYSICAL", "100.00", "", ""}.calculate(t)
	text, err := json.Marshal(r.Explanation)
	require.NoError(t, err)
	var e map[string]any
	require.NoError(t, json.Unmarshal(text, &e))
	has := func(v any, keys ...string) map[string]any {
		object, ok := v.(map[string]any)
		require.True(t, ok)
		for _, k := range keys {
			require.Contains(t, object, k)
		}
		return object
	}
	first := func(v any) any {
		list, ok := v.([]any)
		require.True(t, ok)
		require.NotEmpty(t, list)
		return list[0]
	}
	has(
		e, "content_version", "tax_date", "sourcing", "jurisdictions", "items", "totals", "steps", "input_hash",
		"result_hash",
	)
	has(e["sourcing"], "rule", "reason", "address_type", "resolution", "ambiguous", "alternatives")
	has(first(e["jurisdictions"]), "jurisdiction_type", "jurisdiction_name", "country", "state", "code")
	item := has(first(e["items"]), "tax_class", "amount", "total_discount", "net_amount", "exempt", "lines", "rounding")
	has(item["rounding"], "mode", "unit", "unrounded_total", "rounded_total", "allocation")
	line := has(first(item["lines"]), "rule_id", "jurisdiction_type", "jurisdiction_name", "state", "tax_name", "rate",
		"base_rule",
		"taxable_amount", "unrounded_amount", "amount", "reason", "source")
	source := has(line["source"], "document", "version", "effective_from", "effective_to")
	require.Equal(t, "2005-06-01", source["effective_from"])
	require.Nil(t, source["effective_to"])
	require.Equal(t, "0.040000000", line["rate"])
	require.Equal(t, "100.00", line["taxable_amount"])
	require.Equal(t, "4.00", line["unrounded_amount"])
	has(e["totals"], "taxable_amount", "tax_amount", "tax_rate")
	has(first(e["steps"]), "n", "code", "text")
}
