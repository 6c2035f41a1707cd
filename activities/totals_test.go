package activities

import (
	"testing"

	"github.com/govalues/decimal"
	"github.com/stretchr/testify/require"

	"levy/models"
	"levy/tax"
)

// abroad is a sale in a country, with a result of one line.
func abroad(country, state string, items ...tax.TaxItem) (models.Transaction, tax.Result) {
	t := inTexas(item(1, "100.00"))
	t.Place = &tax.Place{Country: country, State: state}
	t.Subtotal, t.TotalDiscount = money("110.00"), money("10.00")
	result := tax.Result{Tax: nothing, TaxableAmount: money("100.00"), Lines: []tax.LineResult{{TaxItems: items}}}
	for _, i := range items {
		result.Tax, _ = tax.Add(result.Tax, i.Amount)
	}
	return t, result
}

func taxOf(country, state, base, amount string) tax.TaxItem {
	return tax.TaxItem{Authority: tax.Authority{Country: country, State: state}, TaxableAmount: money(base), Amount: money(amount)}
}

// shown is a total as one line of text.
func shown(totals []models.AuthorityTotal) []string {
	lines := make([]string, len(totals))
	for i, t := range totals {
		lines[i] = t.CountryCode + "/" + t.StateCode + " of " + t.MemberCode
		for _, d := range []decimal.Decimal{t.Sales, t.Taxable, t.Tax, t.Collected, t.Liability} {
			lines[i] += " " + tax.FormatMoney(d)
		}
	}
	return lines
}

func TestTotalsOfAuthorities(t *testing.T) {
	t.Parallel()

	t.Run("a state of the United States has all of a sale", func(t *testing.T) {
		t.Parallel()
		sale, result := abroad("US", "TX", taxOf("US", "TX", "100.00", "6.25"), taxOf("US", "TX", "100.00", "2.00"))
		sale.TotalTaxAmountImported = money("8.00")
		totals, err := authorityTotals(sale, result, money("8.25"), nil)
		require.NoError(t, err)
		require.Equal(t, []string{"US/TX of US 100.00 100.00 8.25 8.00 8.25"}, shown(totals))
	})

	t.Run("a province has its own tax, and what is collected is shared by it", func(t *testing.T) {
		t.Parallel()
		sale, result := abroad("CA", "BC", taxOf("CA", "", "100.00", "5.00"), taxOf("CA", "BC", "80.00", "5.60"))
		sale.TotalTaxAmountImported = money("10.00")
		totals, err := authorityTotals(sale, result, money("10.60"), nil)
		require.NoError(t, err)
		require.Equal(t, []string{"CA/CA of CA 100.00 100.00 5.00 4.72 5.00", "CA/BC of CA 100.00 80.00 5.60 5.28 5.60"}, shown(totals))
	})

	t.Run("a sale to the European Union can be reported to the one-stop shop too", func(t *testing.T) {
		t.Parallel()
		sale, result := abroad("FR", "", taxOf("FR", "", "100.00", "20.00"))
		totals, err := authorityTotals(sale, result, nothing, nil)
		require.NoError(t, err)
		require.Equal(t, []string{"FR/FR of FR 100.00 100.00 20.00 0.00 0.00", "ZZ_EU/ZZ_EU of FR 100.00 100.00 20.00 0.00 0.00"}, shown(totals))
	})

	t.Run("refunds are negative, and one of tax alone takes back no sale", func(t *testing.T) {
		t.Parallel()
		note, result := abroad("US", "TX", taxOf("US", "TX", "-100.00", "-8.25"))
		result.TaxableAmount = money("-100.00")
		note.Type, note.TotalTaxAmountImported = models.TypePartialCreditNote, money("8.25")
		totals, err := authorityTotals(note, result, money("-8.25"), nil)
		require.NoError(t, err)
		require.Equal(t, []string{"US/TX of US -100.00 -100.00 -8.25 -8.25 -8.25"}, shown(totals))
		note.Type = models.TypeTaxRefund
		totals, err = authorityTotals(note, result, money("-8.25"), nil)
		require.NoError(t, err)
		require.Equal(t, "0.00", tax.FormatMoney(totals[0].Sales))
	})

	t.Run("converted parts add up to what was converted", func(t *testing.T) {
		t.Parallel()
		sale, result := abroad("CA", "QC", taxOf("CA", "", "100.00", "5.00"), taxOf("CA", "QC", "100.00", "9.98"))
		totals, err := authorityTotals(sale, result, money("14.98"), &conversion{Rate: decimal.MustParse("1.337777777")})
		require.NoError(t, err)
		whole, err := tax.Convert(money("14.98"), decimal.MustParse("1.337777777"))
		require.NoError(t, err)
		sum, err := tax.Add(totals[0].Liability, totals[1].Liability)
		require.NoError(t, err)
		require.Zero(t, whole.Cmp(sum))
	})
}
