package rules

import (
	"encoding/json"
	"testing"

	"github.com/govalues/decimal"
	"github.com/stretchr/testify/require"

	"levy/models"
	"levy/tax"
	"levy/tax/calendar"
	"levy/tax/money"
)

// refundInEuro is a credit note over half of a sale of 100 euro to New York.
func refundInEuro(t *testing.T) models.Transaction {
	t.Helper()
	engine, err := tax.LoadContent()
	require.NoError(t, err)
	sold := sale()
	sold.Currency, sold.TaxDate, sold.Subtotal = "EUR", day("2026-05-15"), amountOf("100.00")
	place := engine.Resolve(tax.Address{
		Street1: "350 5th Ave", City: "New York", State: "NY", PostalCode: "10118", Country: "US",
	})
	sold.Place = &place
	line := item(1, "100.00")
	line.ID, line.TaxClass = "txi_1", tax.ClassPhysical
	sold.Items = []models.TransactionItem{line}
	outcome, err := DecideTax(sold, noSettings, Rates{
		{From: "EUR", To: "USD", Day: sold.TaxDate}: {Rate: decimal.MustParse("1.1"), Day: sold.TaxDate, Source: "ECB"},
	}, engine.Calculate)
	require.NoError(t, err)
	require.Equal(t, models.ProcessingProcessed, outcome.To)

	note := sold
	note.ID, note.Type, note.TaxDate = "txn_2", models.TypePartialCreditNote, day("2026-06-02")
	back := item(1, "-50.00")
	back.OriginalLine = new(int)
	*back.OriginalLine = 1
	note.Items = []models.TransactionItem{back}
	note.Subtotal = amountOf("-50.00")
	note.Original = &models.Original{
		ID: sold.ID, Items: sold.Items, Explanation: outcome.Explanation,
		ProcessingStatus: models.ProcessingProcessed,
	}
	return note
}

func TestARefundIsConvertedByTheRateOfItsOwnDay(t *testing.T) {
	t.Parallel()
	note := refundInEuro(t)
	pair := models.CurrencyPair{From: "EUR", To: "USD", Day: note.TaxDate}
	ofItsDay := Rates{pair: {Rate: decimal.MustParse("1.25"), Day: day("2026-06-01"), Source: "ECB"}}

	t.Run("the tax mirrors the sale, the rate is that of the refund", func(t *testing.T) {
		t.Parallel()
		outcome, err := DecideRefund(note, ofItsDay)
		require.NoError(t, err)
		require.Equal(t, models.ProcessingProcessed, outcome.To)
		require.Equal(t, "-4.44", money.Format(outcome.TaxAmount))
		require.Equal(t, "USD", outcome.DestinationCurrency)
		require.Equal(t, "1.25", outcome.ConversionRate.String())
		var explained struct {
			Conversion map[string]string `json:"conversion"`
			Original   originalSale      `json:"original"`
			Steps      []tax.Step        `json:"steps"`
		}
		require.NoError(t, json.Unmarshal(outcome.Explanation, &explained))
		require.Equal(t, map[string]string{
			"from_currency": "EUR", "to_currency": "USD", "rate": "1.250000000", "rate_date": "2026-06-01",
			"source": "ECB",
		}, explained.Conversion)
		require.Equal(t, calendar.MustDate("2026-05-15"), explained.Original.TaxDate)
		require.Equal(t, stepConversion, explained.Steps[len(explained.Steps)-1].Code)
	})

	t.Run("the rate of the sale does not do", func(t *testing.T) {
		t.Parallel()
		outcome, err := DecideRefund(note, Rates{{From: "EUR", To: "USD", Day: day("2026-05-15")}: {Rate: decimal.One}})
		require.NoError(t, err)
		require.Equal(t, models.ProcessingNeedsRefetch, outcome.To)
		require.Contains(t, outcome.Reason, "No conversion rate from EUR to USD")
		require.Equal(t, &pair, outcome.Wants)
	})

	t.Run("an amount too large for its currency waits", func(t *testing.T) {
		t.Parallel()
		large := note
		large.TotalAmount = amountOf("-9999999999.00")
		outcome, err := DecideRefund(large, ofItsDay)
		require.NoError(t, err)
		require.Equal(t, models.ProcessingNeedsRefetch, outcome.To)
		require.Contains(t, outcome.Reason, "more than 10 digits")
		require.Nil(t, outcome.Wants, "no rate would help")
	})
}
