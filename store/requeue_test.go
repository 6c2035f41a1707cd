package store_test

import (
	"sync"
	"sync/atomic"
	"testing"

	"github.com/govalues/decimal"
	"github.com/stretchr/testify/require"

	"levy/models"
	"levy/store/storetest"
	"levy/tax"
)

var recount = `SELECT count(*) FROM nexus_counters k FULL JOIN (
	SELECT organization_id, country_code, state_code, currency, day, marketplace, sum(n) n, sum(amount) amount, sum(exempt_n) exempt_n,
	       sum(exempt_amount) exempt_amount, sum(resale_n) resale_n, sum(resale_amount) resale_amount, sum(collected_tax) collected_tax
	  FROM nexus_contributions GROUP BY 1, 2, 3, 4, 5, 6) c
	USING (organization_id, country_code, state_code, currency, day, marketplace)
	WHERE (k.n, k.amount, k.exempt_n, k.exempt_amount, k.resale_n, k.resale_amount, k.collected_tax) IS DISTINCT FROM
	      (coalesce(c.n, 0), coalesce(c.amount, 0), coalesce(c.exempt_n, 0), coalesce(c.exempt_amount, 0), coalesce(c.resale_n, 0), coalesce(c.resale_amount, 0), coalesce(c.collected_tax, 0))`

// withoutRate takes transactions through the first three stages and lets the last
// one find no conversion rate.
func (b *intakeBundle) withoutRate(t *testing.T, refs []models.Ref) {
	t.Helper()
	for _, stage := range stages[:3] {
		_, err := stage.save(b.store, stageRun, refs)
		require.NoError(t, err)
	}
	outcomes := make([]models.TaxOutcome, len(refs))
	for i, ref := range refs {
		outcomes[i] = models.TaxOutcome{Ref: ref, To: models.ProcessingNeedsRefetch, Reason: "No conversion rate.", Exempt: models.NotExempt}
	}
	_, err := b.store.SaveTax(t.Context(), stageRun, refs, outcomes)
	require.NoError(t, err)
}

func TestWhatWaitsIsQueuedAgainWhenItsDataIsLoaded(t *testing.T) {
	t.Parallel()
	b := setupIntake(t, 1, 8)
	refs := b.accepted(t, 3)
	b.withoutRate(t, refs[:2])
	_, err := b.store.SaveAddresses(t.Context(), stageRun, refs[2:], []models.AddressOutcome{{
		Ref: refs[2], To: models.ProcessingNeedsRefetch, Reason: "No address.", Place: tax.Place{Status: tax.StatusBlank},
	}})
	require.NoError(t, err)
	require.Equal(t, 3, b.count(t, "SELECT count(*) FROM transactions WHERE processing_status = 'NEEDS_REFETCH'"))
	require.Zero(t, b.count(t, "SELECT count(*) FROM nexus_contributions"), "what cannot be calculated counts for nothing")
	require.Zero(t, b.count(t, "SELECT count(*) FROM nexus_counters WHERE n <> 0 OR amount <> 0"))
	require.Zero(t, b.count(t, recount))

	n, err := b.store.RequeueNeedsRefetch(t.Context(), stageRun, models.RefetchCalculation)
	require.NoError(t, err)
	require.Equal(t, 2, n, "those that wait for a rate, and not the one without a place")
	require.Equal(t, 2, b.count(t, "SELECT count(*) FROM transactions WHERE processing_status = 'QUEUED' AND epoch = 2 AND revision = 1"))
	require.Equal(t, 2, b.count(t, "SELECT count(*) FROM outbox WHERE epoch = 2"))
	require.Equal(t, 2, b.count(t, "SELECT count(*) FROM transaction_stages WHERE stage = 'QUEUED' AND epoch = 2"))
	require.Zero(t, b.count(t, recount))
	before := b.facts(t)
	n, err = b.store.RequeueNeedsRefetch(t.Context(), stageRun, models.RefetchCalculation)
	require.NoError(t, err)
	require.Zero(t, n)
	require.Equal(t, before, b.facts(t), "a second time changes nothing")

	next := []models.Ref{refs[0], refs[1]}
	for i := range next {
		next[i].Epoch = 2
	}
	for _, stage := range stages {
		_, err := stage.save(b.store, stageRun, next)
		require.NoError(t, err)
	}
	require.Equal(t, 2, b.count(t, "SELECT count(*) FROM transactions WHERE processing_status = 'PROCESSED'"))
	require.Equal(t, 1, b.count(t, "SELECT count(*) FROM nexus_counters WHERE n = 2 AND amount = 200"))
	n, err = b.store.RequeueNeedsRefetch(t.Context(), stageRun, models.RefetchAddress)
	require.NoError(t, err)
	require.Equal(t, 1, n)
}

// A rate that is missing makes no number wrong: what was sent stays, in the document and
// in its lines, and nothing is converted.
func TestASaleThatRestsShowsWhatWasSent(t *testing.T) {
	t.Parallel()
	b := setupIntake(t, 1, 8)
	d := storetest.Draft(b.scope, "SALE")
	source := models.LiabilityCollected
	d.TaxableAmount, d.TotalTaxAmountCalculated, d.TaxRateCalculated = decimal.MustParse("100.00"), decimal.MustParse("8.80"), decimal.MustParse("0.088")
	d.TotalTaxLiabilityAmount, d.TaxLiabilitySource = decimal.MustParse("8.81"), &source
	d.Items[0].TaxableAmount, d.Items[0].TaxAmountCalculated = d.TaxableAmount, d.TotalTaxAmountCalculated
	require.NoError(t, b.intake.Accept(t.Context(), d))
	ref := models.Ref{OrganizationID: d.OrganizationID, ID: d.ID, Epoch: d.Epoch}
	shown := func() models.Transaction {
		found, err := b.store.Transaction(t.Context(), b.scope, d.ID)
		require.NoError(t, err)
		return found
	}
	sent := shown()
	b.withoutRate(t, []models.Ref{ref})
	rests := shown()
	require.Equal(t, models.ProcessingNeedsRefetch, rests.ProcessingStatus)
	require.Equal(t, "No conversion rate.", *rests.ProcessingReason)
	for name, amounts := range map[string][2]decimal.Decimal{
		"taxable": {sent.TaxableAmount, rests.TaxableAmount}, "tax": {sent.TotalTaxAmountCalculated, rests.TotalTaxAmountCalculated},
		"rate": {sent.TaxRateCalculated, rests.TaxRateCalculated}, "liability": {sent.TotalTaxLiabilityAmount, rests.TotalTaxLiabilityAmount},
	} {
		require.False(t, amounts[0].IsZero(), name)
		require.Zero(t, amounts[0].Cmp(amounts[1]), name)
	}
	require.Equal(t, source, *rests.TaxLiabilitySource)
	require.Nil(t, rests.DestinationCurrency)
	require.Nil(t, rests.ConversionRate)
	require.Equal(t, "100.00", rests.Items[0].TaxableAmount.String())
	require.Equal(t, "8.80", rests.Items[0].TaxAmountCalculated.String())
	require.Equal(t, 1, b.count(t, `SELECT count(*) FROM transaction_stages WHERE stage = 'NEEDS_REFETCH' AND detail = '{"reason": "No conversion rate."}'`))
	_, err := b.store.TransactionExplanation(t.Context(), b.scope, d.ID)
	require.Equal(t, &models.NotProcessedError{ProcessingStatus: models.ProcessingNeedsRefetch, Reason: "No conversion rate."}, err)
}

func TestQueueingAgainAtTheSameTimeHappensOnce(t *testing.T) {
	t.Parallel()
	b := setupIntake(t, 1, 64)
	refs := b.accepted(t, 40)
	b.withoutRate(t, refs)
	var queued atomic.Int64
	var all sync.WaitGroup
	for range 4 {
		all.Go(func() {
			n, err := b.store.RequeueNeedsRefetch(t.Context(), stageRun, models.RefetchCalculation, models.RefetchAddress)
			require.NoError(t, err)
			queued.Add(int64(n))
		})
	}
	all.Wait()
	require.EqualValues(t, 40, queued.Load())
	require.Equal(t, 40, b.count(t, "SELECT count(*) FROM transactions WHERE processing_status = 'QUEUED' AND epoch = 2"))
	require.Zero(t, b.count(t, recount))
	require.Zero(t, b.count(t, "SELECT count(*) FROM transaction_refetches"))
}
