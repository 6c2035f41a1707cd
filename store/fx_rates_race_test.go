package store_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"levy/models"
	"levy/tax"
)

const ratesOfMay = "Date,CAD\n2026-05-15,1.5\n"

// missingRate takes transactions to the last stage, which has just found no rate.
func (b *intakeBundle) missingRate(t *testing.T, refs []models.Ref) []models.TaxOutcome {
	t.Helper()
	for _, stage := range stages[:3] {
		_, err := stage.save(b.store, stageRun, refs)
		require.NoError(t, err)
	}
	outcomes := make([]models.TaxOutcome, len(refs))
	for i, ref := range refs {
		outcomes[i] = models.TaxOutcome{Ref: ref, To: models.ProcessingNeedsRefetch, Reason: "No conversion rate.", Exempt: models.NotExempt,
			Wants: &models.CurrencyPair{From: "CAD", To: "EUR", Day: time.Date(2026, 5, 16, 0, 0, 0, 0, time.UTC)}}
	}
	return outcomes
}

// importAndRequeue is what an import does.
func (b *intakeBundle) importAndRequeue() (requeued int, err error) {
	rates, err := tax.ReadReferenceRates(strings.NewReader(ratesOfMay))
	if err != nil {
		return 0, err
	}
	if _, err := b.store.ImportRates(context.Background(), "ECB", rates, func(int) {}); err != nil {
		return 0, err
	}
	return b.store.RequeueNeedsRefetch(context.Background(), stageRun, models.RefetchCalculation)
}

// waitsForRates returns when somebody waits for the lock of the table of rates.
func (b *intakeBundle) waitsForRates(t *testing.T) {
	t.Helper()
	require.Eventually(t, func() bool {
		return b.count(t, "SELECT count(*) FROM pg_locks WHERE relation = 'fx_rates'::regclass AND NOT granted") > 0
	}, 20*time.Second, 5*time.Millisecond)
}

func TestARateThatArrivesWhileTheStageWorksIsNotMissed(t *testing.T) {
	t.Parallel()
	b := setupIntake(t, 1, 8)
	refs := b.accepted(t, 1)
	outcomes := b.missingRate(t, refs)
	requeued, err := b.importAndRequeue()
	require.NoError(t, err)
	require.Zero(t, requeued, "nothing rests yet")
	_, err = b.store.SaveTax(t.Context(), stageRun, refs, outcomes)
	require.ErrorIs(t, err, models.ErrUnavailable, "the stage is to look again")
	require.Equal(t, 1, b.count(t, "SELECT count(*) FROM transactions WHERE processing_status = 'NEXUS_DONE'"))
	require.Zero(t, b.count(t, "SELECT count(*) FROM transaction_refetches"))
}

func TestAStageWaitsForAnImportUnderWay(t *testing.T) {
	t.Parallel()
	b := setupIntake(t, 1, 8)
	refs := b.accepted(t, 1)
	outcomes := b.missingRate(t, refs)
	importing, err := b.sql.Begin(t.Context())
	require.NoError(t, err)
	_, err = importing.Exec(t.Context(), "LOCK TABLE fx_rates IN SHARE ROW EXCLUSIVE MODE")
	require.NoError(t, err)
	_, err = importing.Exec(t.Context(), "INSERT INTO fx_rates (currency, day, rate, source) VALUES ('CAD', '2026-05-15', 1.5, 'ECB')")
	require.NoError(t, err)
	saved := make(chan error, 1)
	go func() {
		_, err := b.store.SaveTax(context.Background(), stageRun, refs, outcomes)
		saved <- err
	}()
	b.waitsForRates(t)
	require.NoError(t, importing.Commit(t.Context()))
	require.ErrorIs(t, <-saved, models.ErrUnavailable)
}

func TestAnImportFindsWhatComesToRestAtTheSameMoment(t *testing.T) {
	t.Parallel()
	b := setupIntake(t, 1, 8)
	refs := b.accepted(t, 1)
	outcomes := b.missingRate(t, refs)
	holding, err := b.sql.Begin(t.Context()) // the stage has looked again, and comes no further
	require.NoError(t, err)
	_, err = holding.Exec(t.Context(), "SELECT FROM transactions FOR UPDATE")
	require.NoError(t, err)
	saved := make(chan error, 1)
	go func() {
		_, err := b.store.SaveTax(context.Background(), stageRun, refs, outcomes)
		saved <- err
	}()
	require.Eventually(t, func() bool {
		return b.count(t, "SELECT count(*) FROM pg_locks WHERE relation = 'fx_rates'::regclass AND mode = 'ShareLock' AND granted") > 0
	}, 20*time.Second, 5*time.Millisecond)
	var requeued int
	imported := make(chan error, 1)
	go func() {
		var err error
		requeued, err = b.importAndRequeue()
		imported <- err
	}()
	b.waitsForRates(t)
	require.NoError(t, holding.Commit(t.Context()))
	require.NoError(t, <-saved)
	require.NoError(t, <-imported)
	require.Equal(t, 1, requeued)
	require.Equal(t, 1, b.count(t, "SELECT count(*) FROM transactions WHERE processing_status = 'QUEUED' AND epoch = 2"))
}
