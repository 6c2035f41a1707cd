package rules

import (
	"testing"

	"github.com/govalues/decimal"
	"github.com/stretchr/testify/require"

	"levy/models"
	"levy/tax"
	"levy/tax/calendar"
	"levy/tax/money"
)

// abroad is a sale in a country, with a result of one line.
func abroad(country, state string, items ...tax.TaxItem) (models.Transaction, tax.Result) {
	t := inTexas(item(1, "100.00"))
	t.Place = &tax.Place{Country: country, State: state}
	t.Subtotal, t.TotalDiscount = amountOf("110.00"), amountOf("10.00")
	result := tax.Result{Tax: nothing, TaxableAmount: amountOf("100.00"), Lines: []tax.LineResult{{TaxItems: items}}}
	for _, i := range items {
		result.Tax, _ = money.Add(result.Tax, i.Amount)
	}
	return t, result
}

func taxOf(country, state, base, amount string) tax.TaxItem {
	return tax.TaxItem{
		Authority: tax.Authority{Country: country, State: state}, TaxableAmount: amountOf(base),
		Amount: amountOf(amount),
	}
}

var saleDay = calendar.MustDate("2026-05-15")

func owing(amount decimal.Decimal) liability {
	return liability{Source: models.LiabilityCalculated, Amount: amount}
}

// shown is a total as one line of text.
func shown(totals []models.AuthorityTotal) []string {
	lines := make([]string, len(totals))
	for i, t := range totals {
		lines[i] = t.CountryCode + "/" + t.StateCode + " of " + t.MemberCode
		for _, d := range []decimal.Decimal{t.Sales, t.Taxable, t.Tax, t.Collected, t.Liability} {
			lines[i] += " " + money.Format(d)
		}
	}
	return lines
}

func totalsOf(
	t models.Transaction, result tax.Result, owes liability, converted *conversion,
) ([]models.AuthorityTotal, error) {
	c := calculation{result: result, owes: owes, owedOn: saleDay, converted: converted}
	return c.authorityTotals(t)
}

func TestTotalsOfEachAuthority(t *testing.T) {
	t.Parallel()

	t.Run("a state of the United States has all of a sale", func(t *testing.T) {
		t.Parallel()
		sale, result := abroad("US", "TX", taxOf("US", "TX", "100.00", "6.25"), taxOf("US", "TX", "100.00", "2.00"))
		sale.TotalTaxAmountImported = amountOf("8.00")
		totals, err := totalsOf(sale, result, owing(amountOf("8.25")), nil)
		require.NoError(t, err)
		require.Equal(t, []string{"US/TX of US 100.00 100.00 8.25 8.00 8.25"}, shown(totals))
	})

	t.Run("a province has its own tax, and what is collected is shared by it", func(t *testing.T) {
		t.Parallel()
		sale, result := abroad("CA", "BC", taxOf("CA", "", "100.00", "5.00"), taxOf("CA", "BC", "80.00", "5.60"))
		sale.TotalTaxAmountImported = amountOf("10.00")
		totals, err := totalsOf(sale, result, owing(amountOf("10.60")), nil)
		require.NoError(t, err)
		require.Equal(t, []string{
			"CA/CA of CA 100.00 100.00 5.00 4.72 5.00", "CA/BC of CA 100.00 80.00 5.60 5.28 5.60",
		}, shown(totals))
	})

	t.Run("taxes of two authorities that cancel each other out are still those of each", func(t *testing.T) {
		t.Parallel()
		for name, c := range map[string]struct {
			alter func(*models.Transaction)
			owed  []string
		}{
			"owed to both":         {func(*models.Transaction) {}, []string{"5.00", "-5.00"}},
			"owed by marketplaces": {func(t *models.Transaction) { t.Marketplace = true }, []string{"0.00", "0.00"}},
			"owed to nobody":       {func(t *models.Transaction) { t.Obligations = nil }, []string{"0.00", "0.00"}},
		} {
			sale, result := abroad("CA", "BC", taxOf("CA", "", "100.00", "5.00"), taxOf("CA", "BC", "-71.43", "-5.00"))
			for _, state := range []string{"CA", "BC"} {
				sale.Obligations = append(sale.Obligations, models.NexusObligation{
					CountryCode: "CA", StateCode: state, Obligation: models.Obligation{From: given(saleDay.Time())},
				})
			}
			c.alter(&sale)
			totals, err := totalsOf(sale, result, owing(nothing), nil)
			require.NoError(t, err, name)
			require.Equal(t, []string{
				"CA/CA of CA 100.00 100.00 5.00 0.00 " + c.owed[0], "CA/BC of CA 100.00 -71.43 -5.00 0.00 " + c.owed[1],
			}, shown(totals), name)
		}
	})

	t.Run("what is owed to one of two authorities is owed to that one alone", func(t *testing.T) {
		t.Parallel()
		for name, c := range map[string]struct {
			place, from string
			owes        liability
			want        []string
		}{
			"the province": {"BC", "2026-05-15", owing(amountOf("7.00")), []string{"0.00", "7.00"}},
			"the country":  {"CA", "2026-05-15", owing(amountOf("5.00")), []string{"5.00", "0.00"}},
			"one with an obligation that began a day later": {
				"BC", "2026-05-16", owing(amountOf("12.00")), []string{"5.00", "7.00"},
			},
			"collected tax goes to all it was collected for": {
				"BC", "2026-05-15", liability{
					Source: models.LiabilityCollected, Amount: amountOf("6.00"),
				}, []string{"2.50", "3.50"},
			},
		} {
			sale, result := abroad("CA", "BC", taxOf("CA", "", "100.00", "5.00"), taxOf("CA", "BC", "100.00", "7.00"))
			sale.Obligations = []models.NexusObligation{
				{
					CountryCode: "CA", StateCode: c.place,
					Obligation: models.Obligation{From: given(calendar.MustDate(c.from).Time())},
				},
			}
			totals, err := totalsOf(sale, result, c.owes, nil)
			require.NoError(t, err, name)
			require.Equal(t, c.want, []string{
				money.Format(totals[0].Liability), money.Format(totals[1].Liability),
			}, name)
		}
	})

	t.Run("a sale to the European Union can be reported to the one-stop shop too", func(t *testing.T) {
		t.Parallel()
		sale, result := abroad("FR", "", taxOf("FR", "", "100.00", "20.00"))
		totals, err := totalsOf(sale, result, owing(nothing), nil)
		require.NoError(t, err)
		require.Equal(t, []string{
			"FR/FR of FR 100.00 100.00 20.00 0.00 0.00", "ZZ_EU/ZZ_EU of FR 100.00 100.00 20.00 0.00 0.00",
		}, shown(totals))
	})

	t.Run("refunds are negative, and one of tax alone takes back no sale", func(t *testing.T) {
		t.Parallel()
		note, result := abroad("US", "TX", taxOf("US", "TX", "-100.00", "-8.25"))
		result.TaxableAmount = amountOf("-100.00")
		note.Type, note.TotalTaxAmountImported = models.TypePartialCreditNote, amountOf("8.25")
		totals, err := totalsOf(note, result, owing(amountOf("-8.25")), nil)
		require.NoError(t, err)
		require.Equal(t, []string{"US/TX of US -100.00 -100.00 -8.25 -8.25 -8.25"}, shown(totals))
		note.Type = models.TypeTaxRefund
		totals, err = totalsOf(note, result, owing(amountOf("-8.25")), nil)
		require.NoError(t, err)
		require.Equal(t, "0.00", money.Format(totals[0].Sales))
	})

	t.Run("converted parts add up to what was converted", func(t *testing.T) {
		t.Parallel()
		sale, result := abroad("CA", "QC", taxOf("CA", "", "100.00", "5.00"), taxOf("CA", "QC", "100.00", "9.98"))
		totals, err := totalsOf(sale, result, owing(amountOf("14.98")), &conversion{
			Rate: decimal.MustParse("1.337777777"),
		})
		require.NoError(t, err)
		whole, err := money.Convert(amountOf("14.98"), decimal.MustParse("1.337777777"))
		require.NoError(t, err)
		sum, err := money.Add(totals[0].Liability, totals[1].Liability)
		require.NoError(t, err)
		require.Zero(t, whole.Cmp(sum))
	})
}
