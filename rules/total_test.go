package rules

import (
	"strings"
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

// obliged gives a sale obligations to some states since a day.
func obliged(t models.Transaction, since string, states ...string) models.Transaction {
	from := calendar.MustDate(since).Time()
	t.Obligations = nil
	for _, state := range states {
		if state == "" {
			continue
		}
		t.Obligations = append(t.Obligations, models.NexusObligation{
			ID: "nexs_" + state, CountryCode: t.Place.Country, StateCode: state, Obligation: models.Obligation{From: &from},
		})
	}
	return t
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

func totalsOf(t models.Transaction, result tax.Result, converted *conversion) ([]models.AuthorityTotal, error) {
	c := calculation{result: result, converted: converted}
	if err := c.owe(t, noSettings); err != nil {
		return nil, err
	}
	return c.authorityTotals(t)
}

func TestTotalsOfEachAuthority(t *testing.T) {
	t.Parallel()

	t.Run("a state of the United States has all of a sale", func(t *testing.T) {
		t.Parallel()
		sale, result := abroad("US", "TX", taxOf("US", "TX", "100.00", "6.25"), taxOf("US", "TX", "100.00", "2.00"))
		sale.TotalTaxAmountImported = amountOf("8.00")
		totals, err := totalsOf(obliged(sale, "2026-01-01", "TX"), result, nil)
		require.NoError(t, err)
		require.Equal(t, []string{"US/TX of US 100.00 100.00 8.25 8.00 8.25"}, shown(totals))
		require.Equal(t, int(caseLarger), totals[0].Case)
		require.Equal(t, "0.00 0.25", words([]decimal.Decimal{totals[0].OverCollected, totals[0].UnderCollected}))
	})

	t.Run("a province has its own tax, and what is collected is shared by it", func(t *testing.T) {
		t.Parallel()
		sale, result := abroad("CA", "BC", taxOf("CA", "", "100.00", "5.00"), taxOf("CA", "BC", "80.00", "5.60"))
		sale.TotalTaxAmountImported = amountOf("10.00")
		totals, err := totalsOf(obliged(sale, "2026-01-01", "CA", "BC"), result, nil)
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
			"owed to both, but a negative tax is not": {func(*models.Transaction) {}, []string{"5.00", "0.00"}},
			"owed by marketplaces":                    {func(t *models.Transaction) { t.Marketplace = true }, []string{"0.00", "0.00"}},
			"owed to nobody":                          {func(t *models.Transaction) { t.Obligations = nil }, []string{"0.00", "0.00"}},
		} {
			sale, result := abroad("CA", "BC", taxOf("CA", "", "100.00", "5.00"), taxOf("CA", "BC", "-71.43", "-5.00"))
			sale = obliged(sale, "2026-01-01", "CA", "BC")
			c.alter(&sale)
			totals, err := totalsOf(sale, result, nil)
			require.NoError(t, err, name)
			require.Equal(t, []string{
				"CA/CA of CA 100.00 100.00 5.00 0.00 " + c.owed[0], "CA/BC of CA 100.00 -71.43 -5.00 0.00 " + c.owed[1],
			}, shown(totals), name)
		}
	})

	t.Run("what is owed to one of two authorities is owed to that one alone", func(t *testing.T) {
		t.Parallel()
		for name, c := range map[string]struct {
			place, from, imported string
			collected, owed       string
		}{
			"the province": {"BC", "2026-05-15", "0.00", "0.00 0.00", "0.00 7.00"},
			"the country":  {"CA", "2026-05-15", "0.00", "0.00 0.00", "5.00 0.00"},
			"one with an obligation that began a day later": {"BC", "2026-05-16", "0.00", "0.00 0.00", "0.00 0.00"},
			"collected up to its tax":                       {"CA", "2026-05-15", "5.00", "5.00 0.00", "5.00 0.00"},
			"less than that":                                {"CA", "2026-05-15", "4.00", "4.00 0.00", "5.00 0.00"},
			"the rest is handed over":                       {"CA", "2026-05-15", "12.00", "5.00 7.00", "5.00 7.00"},
			"an excess belongs to all":                      {"CA", "2026-05-15", "24.00", "10.00 14.00", "10.00 14.00"},
			"collected without any obligation":              {"", "2026-05-15", "6.00", "2.50 3.50", "2.50 3.50"},
		} {
			sale, result := abroad("CA", "BC", taxOf("CA", "", "100.00", "5.00"), taxOf("CA", "BC", "100.00", "7.00"))
			sale = obliged(sale, c.from, c.place)
			sale.TotalTaxAmountImported = amountOf(c.imported)
			totals, err := totalsOf(sale, result, nil)
			require.NoError(t, err, name)
			require.Equal(t, c.collected, words([]decimal.Decimal{totals[0].Collected, totals[1].Collected}), name)
			require.Equal(t, c.owed, words([]decimal.Decimal{totals[0].Liability, totals[1].Liability}), name)
		}
	})

	t.Run("collected tax belongs to the tax that the imported lines name", func(t *testing.T) {
		t.Parallel()
		for name, c := range map[string]struct {
			imported  string
			lines     string
			collected string
		}{
			"both":                                       {"13.00", "GST 6.00, PST 7.00", "6.00 7.00"},
			"the province alone":                         {"7.00", "PST 7.00", "0.00 7.00"},
			"the rest goes on to the obligation":         {"10.00", "PST 7.00", "3.00 7.00"},
			"and no further than its tax":                {"12.00", "GST 5.00", "5.00 7.00"},
			"an excess goes to both by their tax":        {"13.00", "GST 5.00", "5.42 7.58"},
			"more names than were collected are cut":     {"6.00", "GST 5.00, PST 7.00", "2.50 3.50"},
			"names of nothing that was collected":        {"0.00", "GST 5.00", "0.00 0.00"},
			"a line that names none goes to obligations": {"5.00", "Tax 5.00", "5.00 0.00"},
		} {
			sale, result := abroad("CA", "BC", taxOf("CA", "", "100.00", "5.00"), taxOf("CA", "BC", "100.00", "7.00"))
			sale = obliged(sale, "2026-01-01", "CA")
			sale.TotalTaxAmountImported = amountOf(c.imported)
			for _, line := range strings.Split(c.lines, ", ") {
				name, amount, _ := strings.Cut(line, " ")
				sale.Items[0].TaxItems = append(sale.Items[0].TaxItems, models.TaxItem{Name: name, Amount: amountOf(amount)})
			}
			totals, err := totalsOf(sale, result, nil)
			require.NoError(t, err, name)
			require.Equal(t, c.collected, words([]decimal.Decimal{totals[0].Collected, totals[1].Collected}), name)
		}
	})

	t.Run("a sale to the European Union can be reported to the one-stop shop too", func(t *testing.T) {
		t.Parallel()
		sale, result := abroad("FR", "", taxOf("FR", "", "100.00", "20.00"))
		totals, err := totalsOf(sale, result, nil)
		require.NoError(t, err)
		require.Equal(t, []string{
			"FR/FR of FR 100.00 100.00 20.00 0.00 0.00", "ZZ_EU/ZZ_EU of FR 100.00 100.00 20.00 0.00 0.00",
		}, shown(totals))
	})

	t.Run("a refund of tax alone takes back no sale", func(t *testing.T) {
		t.Parallel()
		note, _ := abroad("US", "TX")
		for kind, want := range map[models.TransactionType]string{
			models.TypePartialCreditNote: "-100.00", models.TypeTaxRefund: "0.00",
		} {
			note.Type = kind
			net, err := NetSales(note, decimal.One)
			require.NoError(t, err)
			require.Equal(t, want, money.Format(net))
		}
	})

	t.Run("converted parts add up to what was converted", func(t *testing.T) {
		t.Parallel()
		sale, result := abroad("CA", "QC", taxOf("CA", "", "100.00", "5.00"), taxOf("CA", "QC", "100.00", "9.98"))
		totals, err := totalsOf(obliged(sale, "2026-01-01", "CA", "QC"), result, &conversion{
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
