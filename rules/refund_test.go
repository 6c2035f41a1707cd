package rules

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"levy/models"
	"levy/tax"
)

func TestARefundWithoutTheCalculationOfItsOriginalIsAnError(t *testing.T) {
	t.Parallel()
	back := inTexas(item(1, "1.00"))
	back.Type = models.TypeFullCreditNote
	_, err := DecideRefund(back, nil, noLaw)
	require.ErrorContains(t, err, "is not there")
	back.Original = &models.Original{}
	_, err = DecideRefund(back, nil, noLaw)
	require.ErrorContains(t, err, "is not there")
	back.Original.Explanation = json.RawMessage(`[`)
	_, err = DecideRefund(back, nil, noLaw)
	require.ErrorContains(t, err, "read the explanation")
	back.Original.Explanation = json.RawMessage(`{}`)
	_, err = DecideRefund(back, nil, noLaw)
	require.ErrorContains(t, err, "line 1 refunds no line")
	back.Items[0].OriginalLine = given(7)
	_, err = DecideRefund(back, nil, noLaw)
	require.ErrorIs(t, err, tax.ErrRefundedLine)
	back.Currency = "EUR"
	outcome, err := DecideRefund(back, nil, noLaw)
	require.NoError(t, err)
	require.Equal(t, models.ProcessingNeedsRefetch, outcome.To)
	require.Equal(t, &models.CurrencyPair{From: "EUR", To: "USD", Day: back.TaxDate}, outcome.Wants)
}

func TestRefundsWaitForTheirOriginals(t *testing.T) {
	t.Parallel()
	refund := func(id string, status models.TransactionStatus, of *models.Original) models.Transaction {
		back := inTexas()
		back.ID, back.Type, back.Status, back.Original = id, models.TypeFullCreditNote, status, of
		return back
	}
	queued, processed := &models.Original{
		ProcessingStatus: models.ProcessingQueued,
	}, &models.Original{ProcessingStatus: models.ProcessingLocked}
	batch := []models.Transaction{
		inTexas(), refund("waits", models.StatusCommitted, queued), refund("ready", models.StatusCommitted, processed),
		refund("pending", models.StatusPending, queued),
	}
	ready, waiting := SplitWaiting(batch)
	require.Equal(t, []models.Ref{batch[1].Ref()}, waiting)
	require.Equal(t, []models.Transaction{batch[0], batch[2], batch[3]}, ready)
	sales, refunds := SplitRefunds(batch)
	require.Equal(t, batch[:1], sales)
	require.Equal(t, batch[1:], refunds)
}

func TestRefundedLinesAreRecordedForLaterRefunds(t *testing.T) {
	t.Parallel()
	back := inTexas(item(1, "10.00"))
	outcome := models.TaxOutcome{
		Lines: []models.LineTax{{TaxAmount: amountOf("-0.80"), TaxItems: []models.TaxItem{{RuleID: "a"}}}},
	}
	for kind, amount := range map[models.TransactionType]string{
		models.TypePartialCreditNote: "10.00", models.TypeTaxRefund: "0.00",
	} {
		back.Type = kind
		lines := refundedLines(back, outcome)
		require.Equal(t, []string{amount, "-0.80"}, []string{
			lines[0].Amount.String(), lines[0].TaxAmountCalculated.String(),
		}, kind)
		require.Equal(t, outcome.Lines[0].TaxItems, lines[0].TaxItems)
	}
}

func TestRefundsThatWaitForTheirOriginal(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		refund   models.TransactionStatus
		original models.ProcessingStatus
		waits    bool
	}{
		{models.StatusCommitted, models.ProcessingQueued, true},
		{models.StatusCommitted, models.ProcessingNexusDone, true},
		{models.StatusCommitted, models.ProcessingNeedsRefetch, true},
		{models.StatusCommitted, models.ProcessingProcessed, false},
		{models.StatusCommitted, models.ProcessingLocked, false},
		{models.StatusPending, models.ProcessingQueued, false},
		{models.StatusCancelled, models.ProcessingQueued, false},
		{models.StatusArchived, models.ProcessingQueued, false},
	} {
		refund := models.Transaction{Type: models.TypePartialCreditNote, Status: c.refund}
		require.Equal(t, c.waits, WaitsForOriginal(&refund, c.original), "%s, of a sale that is %s", c.refund, c.original)
	}
}

// noLaw has no version of the content: a lower price takes its share.
func noLaw(string) (func(tax.Request) (tax.Result, error), error) { return nil, nil }
