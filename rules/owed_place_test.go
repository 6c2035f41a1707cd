package rules

import (
	"testing"

	"github.com/stretchr/testify/require"

	"levy/models"
	"levy/tax"
	"levy/tax/money"
)

// houston is the tax of a line in Houston: 8.25 %, of which the state has 6.25 %.
func houston(base, state, city, transit string) []tax.TaxItem {
	at := func(kind tax.JurisdictionType, name, amount string) tax.TaxItem {
		of := taxOf("US", "TX", base, amount)
		of.JurisdictionType, of.JurisdictionName = kind, name
		return of
	}
	return []tax.TaxItem{
		at(tax.TypeState, "Texas", state), at(tax.TypeCity, "Houston", city),
		at(tax.TypeSpecial, "Houston Metro", transit),
	}
}

// owedAt are places as lines of text.
func owedAt(places []models.OwedPlace) (lines []string) {
	for _, p := range places {
		lines = append(lines, p.Type+" "+p.Name+" "+money.Format(p.Amount))
	}
	return lines
}

func TestPlacesShareWhatIsOwed(t *testing.T) {
	t.Parallel()
	places := func(t *testing.T, sale models.Transaction, result tax.Result, collected string) []models.OwedPlace {
		t.Helper()
		sale.TotalTaxAmountImported = amountOf(collected)
		totals, err := totalsOf(sale, result, nil)
		require.NoError(t, err)
		return totals[0].Places
	}
	sale, result := abroad("US", "TX", houston("100.00", "6.25", "1.00", "1.00")...)

	t.Run("an ordinary sale stores none, and one that owes nothing neither", func(t *testing.T) {
		t.Parallel()
		require.Nil(t, places(t, obliged(sale, "2026-01-01", "TX"), result, "8.25"))
		require.Nil(t, places(t, sale, result, "0.00"))
	})

	t.Run("what is not the calculated tax is shared by it, the largest remainders first", func(t *testing.T) {
		t.Parallel() // 9.10 x 6.25 / 8.25 = 6.8939, x 1 / 8.25 = 1.1030 twice: one cent is missing, for the state
		require.Equal(t, []string{"STATE Texas 6.90", "CITY Houston 1.10", "SPECIAL Houston Metro 1.10"},
			owedAt(places(t, sale, result, "9.10")))
	})

	t.Run("shares that readers find themselves are not stored", func(t *testing.T) {
		t.Parallel()
		require.Nil(t, places(t, sale, result, "16.50"))
	})

	t.Run("without calculated tax the imported lines count, else the state has all", func(t *testing.T) {
		t.Parallel()
		sale, result := abroad("US", "TX", houston("0.00", "0.00", "0.00", "0.00")...)
		result.Explanation.Jurisdictions = []tax.JurisdictionRef{
			{JurisdictionType: tax.TypeState, JurisdictionName: "Texas", Code: "48"},
		}
		require.Equal(t, []models.OwedPlace{{Type: "STATE", Name: "Texas", Code: "48", Amount: amountOf("8.25")}},
			places(t, sale, result, "8.25"))
		sale.Items[0].TaxItems = []models.TaxItem{
			{Name: "State tax", Amount: amountOf("6.25"), JurisdictionType: "STATE", JurisdictionName: "Texas"},
			{Name: "City tax", Amount: amountOf("2.00"), JurisdictionType: "CITY", JurisdictionName: "Houston"},
			{Name: "Tax of no place", Amount: amountOf("4.00")},
		}
		require.Equal(t, []string{"STATE Texas 6.25", "CITY Houston 2.00"},
			owedAt(places(t, sale, result, "8.25")))
	})
}

func TestImportedTaxLinesNameAuthoritiesOfCanada(t *testing.T) {
	t.Parallel()
	both := []tax.Authority{{Country: "CA"}, {Country: "CA", State: "BC"}}
	for name, want := range map[string]int{
		"GST": 0, "HST 13%": 0, "GST/HST": 0, "TPS": 0, "BC PST": 1, "QST": 1, "TVQ (QC)": 1, "RST": 1,
		"GST+PST": unnamed, "Tax": unnamed, "Costs": unnamed,
	} {
		require.Equal(t, want, authorityNamed(&models.TaxItem{Name: name}, both), name)
	}
	require.Equal(t, 1, authorityNamed(&models.TaxItem{Name: "GST", JurisdictionType: "STATE"}, both))
	require.Equal(t, 0, authorityNamed(&models.TaxItem{Name: "PST", JurisdictionType: "COUNTRY"}, both))
	require.Equal(t, 0, authorityNamed(&models.TaxItem{Name: "Tax"}, both[1:]))
}
