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

func TestARefundIsConvertedByTheRateOfItsSale(t *testing.T) {
	t.Parallel()
	note := refundInEuro(t)
	outcome, err := DecideRefund(note, nil, noLaw)
	require.NoError(t, err)
	require.Equal(t, models.ProcessingProcessed, outcome.To)
	require.Equal(t, "-4.44", money.Format(outcome.TaxAmount))
	require.Equal(t, "USD", outcome.DestinationCurrency)
	require.Equal(t, "1.100000000", money.FormatRate(outcome.ConversionRate))
	var explained struct {
		Conversion map[string]string `json:"conversion"`
		Original   originalSale      `json:"original"`
		Steps      []tax.Step        `json:"steps"`
	}
	require.NoError(t, json.Unmarshal(outcome.Explanation, &explained))
	require.Equal(t, map[string]string{
		"from_currency": "EUR", "to_currency": "USD", "rate": "1.100000000", "rate_date": "2026-05-15",
		"source": "ECB",
	}, explained.Conversion)
	require.Equal(t, calendar.MustDate("2026-05-15"), explained.Original.TaxDate)
	require.Equal(t, stepConversion, explained.Steps[len(explained.Steps)-1].Code)

	t.Run("an amount too large for its currency waits", func(t *testing.T) {
		t.Parallel()
		large := note
		large.TotalAmount = amountOf("-9999999999.00")
		outcome, err := DecideRefund(large, nil, noLaw)
		require.NoError(t, err)
		require.Equal(t, models.ProcessingNeedsRefetch, outcome.To)
		require.Contains(t, outcome.Reason, "more than 10 digits")
		require.Nil(t, outcome.Wants, "no rate would help")
	})
}

// Croatia had the kuna until the end of 2022: a return of 2023 is in euro.
func TestARefundAfterAChangeOfCurrencyIsConvertedByTheRateOfItsOwnDay(t *testing.T) {
	t.Parallel()
	note := refundInEuro(t)
	note.Currency, note.TaxDate = "USD", day("2023-01-10")
	place := *note.Place
	place.Country, place.State = "HR", ""
	note.Place = &place
	var sold explanation
	require.NoError(t, json.Unmarshal(note.Original.Explanation, &sold))
	sold.Conversion = &conversion{From: "USD", To: "HRK", Text: "7.000000000", Day: calendar.MustDate("2022-12-20")}
	sold.TaxDate = sold.Conversion.Day
	var err error
	note.Original.Explanation, err = json.Marshal(sold)
	require.NoError(t, err)
	note.Original.SoldTotals = []models.AuthorityTotal{{
		CountryCode: "HR", StateCode: "HR", Currency: "HRK", ReturnAmounts: models.ReturnAmounts{Sales: amountOf("350.00")},
	}}
	note.Original.Sold.Sales = amountOf("50.00")

	pair := models.CurrencyPair{From: "USD", To: "EUR", Day: note.TaxDate}
	outcome, err := DecideRefund(note, nil, noLaw)
	require.NoError(t, err)
	require.Equal(t, models.ProcessingNeedsRefetch, outcome.To)
	require.Equal(t, &pair, outcome.Wants)

	outcome, err = DecideRefund(note, Rates{pair: {Rate: decimal.MustParse("0.9"), Day: note.TaxDate, Source: "ECB"}}, noLaw)
	require.NoError(t, err)
	require.Equal(t, "EUR", outcome.DestinationCurrency)
	require.Equal(t, "-45.00", money.Format(outcome.Totals[0].Sales), "kuna of the sale are not euro of the refund")

	note.TaxDate = day("2022-12-28")
	note.Original.SoldTotals[0].Sales = amountOf("700.00")
	note.Original.SoldTotals = append(note.Original.SoldTotals, outcome.Totals[0])
	outcome, err = DecideRefund(note, nil, noLaw)
	require.NoError(t, err)
	require.Equal(t, "HRK", outcome.DestinationCurrency)
	require.Equal(t, "-350.00", money.Format(outcome.Totals[0].Sales), "euro of a refund are no rest in kuna")
}
