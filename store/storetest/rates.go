package storetest

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"levy/models"
	"levy/tax/money"
)

// MissingRate runs transactions to the last stage, which has just found no rate.
func (b *Bundle) MissingRate(t *testing.T, refs []models.Ref) []models.TaxOutcome {
	t.Helper()
	for _, stage := range Stages[:3] {
		_, err := stage.Save(b.Store, Run, refs)
		require.NoError(t, err)
	}
	outcomes := make([]models.TaxOutcome, len(refs))
	for i, ref := range refs {
		outcomes[i] = models.TaxOutcome{Ref: ref, To: models.ProcessingNeedsRefetch, Reason: "No conversion rate.",
			Exempt: models.NotExempt,
			Wants:  &models.CurrencyPair{From: "CAD", To: "EUR", Day: time.Date(2026, 5, 16, 0, 0, 0, 0, time.UTC)}}
	}
	return outcomes
}

// ImportAndRequeue imports rates and queues the waiting transactions again, as an import does.
func (b *Bundle) ImportAndRequeue() (requeued int, err error) {
	rates, err := money.ReadReferenceRates(strings.NewReader(RatesOfMay))
	if err != nil {
		return 0, err
	}
	if _, err := b.Store.Content.ImportRates(context.Background(), "ECB", rates, func(int) {}); err != nil {
		return 0, err
	}
	return b.Store.Transactions.RequeueNeedsRefetch(context.Background(), Run, models.RefetchCalculation)
}

// WaitsForRates returns when a transaction waits for the lock of the table of rates.
func (b *Bundle) WaitsForRates(t *testing.T) {
	t.Helper()
	require.Eventually(t, func() bool {
		return b.Count(t, "SELECT count(*) FROM pg_locks WHERE relation = 'fx_rates'::regclass AND NOT granted") > 0
	}, 20*time.Second, 5*time.Millisecond)
}

// WithoutRate runs transactions through the first three stages. The last one finds no conversion rate.
func (b *Bundle) WithoutRate(t *testing.T, refs []models.Ref) {
	t.Helper()
	for _, stage := range Stages[:3] {
		_, err := stage.Save(b.Store, Run, refs)
		require.NoError(t, err)
	}
	outcomes := make([]models.TaxOutcome, len(refs))
	for i, ref := range refs {
		outcomes[i] = models.TaxOutcome{
			Ref: ref, To: models.ProcessingNeedsRefetch, Reason: "No conversion rate.", Exempt: models.NotExempt,
		}
	}
	_, err := b.Store.Transactions.SaveTax(t.Context(), Run, refs, outcomes)
	require.NoError(t, err)
}
