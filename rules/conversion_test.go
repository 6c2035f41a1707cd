package rules

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/govalues/decimal"
	"github.com/stretchr/testify/require"

	"levy/models"
	"levy/tax"
)

// inEuro is a sale in euro that is taxed in Texas.
func inEuro(t *testing.T, rate string) (models.Transaction, Rates) {
	t.Helper()
	txn := inTexas(item(1, "100.00"))
	txn.Currency, txn.Subtotal = "EUR", amountOf("100.00")
	return txn, Rates{
		{
			From: "EUR", To: "USD", Day: txn.TaxDate,
		}: {Rate: decimal.MustParse(rate), Day: txn.TaxDate.AddDate(0, 0, -2), Source: "ECB"},
	}
}

func TestConversion(t *testing.T) {
	t.Parallel()

	t.Run("the rate and its day are explained", func(t *testing.T) {
		t.Parallel()
		txn, rates := inEuro(t, "1.1492")
		outcome, err := DecideTax(txn, noSettings, rates, calculateTenth)
		require.NoError(t, err)
		require.Equal(t, models.ProcessingProcessed, outcome.To)
		require.Equal(t, "USD", outcome.DestinationCurrency)
		require.Equal(t, "1.1492", outcome.ConversionRate.String())
		require.Equal(t, "10.00", outcome.TaxAmount.String(), "tax stays in the currency of the sale")
		var explained struct {
			Conversion map[string]string `json:"conversion"`
			Steps      []tax.Step        `json:"steps"`
		}
		require.NoError(t, json.Unmarshal(outcome.Explanation, &explained))
		require.Equal(t, map[string]string{
			"from_currency": "EUR", "to_currency": "USD", "rate": "1.149200000", "rate_date": "2026-05-13",
			"source": "ECB",
		}, explained.Conversion)
		last := explained.Steps[len(explained.Steps)-1]
		require.Equal(t, stepConversion, last.Code)
		require.Equal(t, len(explained.Steps), last.N)
		require.Contains(t, last.Text, "1.149200000, the reference rate of 2026-05-13 (ECB)")
	})

	t.Run("without a rate nothing is calculated", func(t *testing.T) {
		t.Parallel()
		txn, _ := inEuro(t, "1")
		other := Rates{{From: "EUR", To: "USD", Day: txn.TaxDate.AddDate(0, 0, 1)}: {Rate: decimal.One}}
		for _, rates := range []Rates{nil, other} {
			outcome, err := DecideTax(txn, noSettings, rates, calculateTenth)
			require.NoError(t, err)
			require.Equal(t, models.ProcessingNeedsRefetch, outcome.To)
			require.Contains(t, outcome.Reason, "No conversion rate from EUR to USD")
			require.Empty(t, outcome.DestinationCurrency)
		}
	})

	t.Run("an amount too large for its currency waits", func(t *testing.T) {
		t.Parallel()
		txn, rates := inEuro(t, "1000")
		for name, change := range map[string]func(*models.Transaction){
			"total":        func(t *models.Transaction) { t.TotalAmount = amountOf("10000000.00") },
			"line":         func(t *models.Transaction) { t.Items[0].TotalDiscount = amountOf("10000000.00") },
			"imported tax": func(t *models.Transaction) { t.TotalTaxAmountImported = amountOf("10000000.00") },
			"final total": func(t *models.Transaction) {
				t.Subtotal, t.TotalDiscount = amountOf("9999999.00"), amountOf("-9999.00")
			},
		} {
			large := txn
			large.Items = append([]models.TransactionItem{}, txn.Items...)
			change(&large)
			outcome, err := DecideTax(large, noSettings, rates, calculateTenth)
			require.NoError(t, err, name)
			require.Equal(t, models.ProcessingNeedsRefetch, outcome.To, name)
			require.Contains(t, outcome.Reason, "more than 10 digits", name)
		}
		outcome, err := DecideTax(txn, noSettings, rates, calculateTenth)
		require.NoError(t, err)
		require.Equal(t, models.ProcessingProcessed, outcome.To)
	})
}

func TestABatchReadsItsConversionRatesOnce(t *testing.T) {
	t.Parallel()
	euro, _ := inEuro(t, "1")
	again, later, domestic, lost := euro, euro, inTexas(item(1, "1")), euro
	later.TaxDate = euro.TaxDate.Add(24 * time.Hour)
	lost.Place = nil
	require.Equal(t, []models.CurrencyPair{
		{From: "EUR", To: "USD", Day: euro.TaxDate}, {From: "EUR", To: "USD", Day: later.TaxDate},
	},
		ConversionPairs([]models.Transaction{domestic, euro, again, later, lost}))
	require.Nil(t, ConversionPairs([]models.Transaction{domestic}), "nothing is converted, nothing is asked")
}

// The import limit of the European Union is in euro, also where the country that taxes has
// another currency: no rate of it, no tax.
func TestAnImportIntoTheUnionNeedsTheRateOfItsLimit(t *testing.T) {
	t.Parallel()
	krona := inTexas(item(1, "100.00"))
	krona.Currency, krona.Place, krona.Origin = "SEK", &tax.Place{Country: "SE"}, &tax.Place{Country: "US", State: "NY"}
	pair := models.CurrencyPair{From: "SEK", To: "EUR", Day: krona.TaxDate}
	require.Equal(t, []models.CurrencyPair{pair}, ConversionPairs([]models.Transaction{krona}))
	outcome, err := DecideTax(krona, models.OrganizationSettings{}, nil, calculateTenth)
	require.NoError(t, err)
	require.Equal(t, models.ProcessingNeedsRefetch, outcome.To)
	require.Equal(t, &pair, outcome.Wants)
	require.Equal(t, "No conversion rate from SEK to EUR for the tax date or the 7 days before.", outcome.Reason)

	rates := Rates{pair: {Rate: amountOf("0.09")}}
	require.Equal(t, "0.09", taxRequest(krona, rates, "").Rates["EUR"].String())
	outcome, err = DecideTax(krona, models.OrganizationSettings{}, rates, calculateTenth)
	require.NoError(t, err)
	require.Equal(t, models.ProcessingProcessed, outcome.To)
	krona.Origin = &tax.Place{Country: "DE"}
	require.Nil(t, ConversionPairs([]models.Transaction{krona}), "from another member")
}
