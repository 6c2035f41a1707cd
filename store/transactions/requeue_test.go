package transactions_test

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

func TestTransactionsThatWaitForARateAreQueuedAgainAfterItsImport(t *testing.T) {
	t.Parallel()
	b := storetest.Setup(t, 1, 8)
	refs := b.Accepted(t, 3)
	b.WithoutRate(t, refs[:2])
	_, err := b.Store.Transactions.SaveAddresses(t.Context(), storetest.Run, refs[2:], []models.AddressOutcome{{
		Ref: refs[2], To: models.ProcessingNeedsRefetch, Reason: "No address.", Place: tax.Place{Status: tax.StatusBlank},
	}})
	require.NoError(t, err)
	require.Equal(t, 3, b.Count(t, "SELECT count(*) FROM transactions WHERE processing_status = 'NEEDS_REFETCH'"))
	require.Zero(
		t, b.Count(t, "SELECT count(*) FROM nexus_contributions"),
		"a transaction that cannot be calculated is not counted",
	)
	require.Zero(t, b.Count(t, "SELECT count(*) FROM nexus_counters WHERE n <> 0 OR amount <> 0"))
	require.Zero(t, b.Count(t, storetest.RecountNexus))

	n, err := b.Store.Transactions.RequeueNeedsRefetch(t.Context(), storetest.Run, models.RefetchCalculation)
	require.NoError(t, err)
	require.Equal(t, 2, n, "those that wait for a rate, and not the one without a place")
	require.Equal(
		t, 2,
		b.Count(
			t,
			"SELECT count(*) FROM transactions WHERE processing_status = 'QUEUED' AND epoch = 2 AND revision = 1",
		),
	)
	require.Equal(t, 2, b.Count(t,
		"SELECT count(*) FROM outbox WHERE epoch = 2 AND background AND next_attempt_at <= now()"))
	require.Equal(t, 2, b.Count(t, "SELECT count(*) FROM transaction_stages WHERE stage = 'QUEUED' AND epoch = 2"))
	require.Zero(t, b.Count(t, storetest.RecountNexus))
	before := b.Facts(t)
	n, err = b.Store.Transactions.RequeueNeedsRefetch(t.Context(), storetest.Run, models.RefetchCalculation)
	require.NoError(t, err)
	require.Zero(t, n)
	require.Equal(t, before, b.Facts(t), "a second time changes nothing")

	next := []models.Ref{refs[0], refs[1]}
	for i := range next {
		next[i].Epoch = 2
	}
	for _, stage := range storetest.Stages {
		_, err := stage.Save(b.Store, storetest.Run, next)
		require.NoError(t, err)
	}
	require.Equal(t, 2, b.Count(t, "SELECT count(*) FROM transactions WHERE processing_status = 'PROCESSED'"))
	require.Equal(t, 1, b.Count(t, "SELECT count(*) FROM nexus_counters WHERE n = 2 AND amount = 200"))
	n, err = b.Store.Transactions.RequeueNeedsRefetch(t.Context(), storetest.Run, models.RefetchAddress)
	require.NoError(t, err)
	require.Equal(t, 1, n)
}

// A missing rate makes no amount wrong: the values that were sent stay, in the document and in its lines, and nothing
// is converted.
func TestASaleThatWaitsShowsWhatWasSent(t *testing.T) {
	t.Parallel()
	b := storetest.Setup(t, 1, 8)
	d := storetest.Draft(b.Scope, "SALE")
	source := models.LiabilityCollected
	d.TaxableAmount, d.TotalTaxAmountCalculated, d.TaxRateCalculated = decimal.MustParse("100.00"),
		decimal.MustParse("8.80"), decimal.MustParse("0.088")
	d.TotalTaxLiabilityAmount, d.TaxLiabilitySource = decimal.MustParse("8.81"), &source
	d.Items[0].TaxableAmount, d.Items[0].TaxAmountCalculated = d.TaxableAmount, d.TotalTaxAmountCalculated
	require.NoError(t, b.Intake.Accept(t.Context(), d))
	ref := models.Ref{OrganizationID: d.OrganizationID, ID: d.ID, Epoch: d.Epoch}
	shown := func() models.Transaction {
		found, err := b.Store.Transactions.Transaction(t.Context(), b.Scope, d.ID)
		require.NoError(t, err)
		return found
	}
	sent := shown()
	b.WithoutRate(t, []models.Ref{ref})
	rests := shown()
	require.Equal(t, models.ProcessingNeedsRefetch, rests.ProcessingStatus)
	require.Equal(t, "No conversion rate.", *rests.ProcessingReason)
	for name, amounts := range map[string][2]decimal.Decimal{
		"taxable": {
			sent.TaxableAmount, rests.TaxableAmount,
		}, "tax": {sent.TotalTaxAmountCalculated, rests.TotalTaxAmountCalculated},
		"rate": {
			sent.TaxRateCalculated, rests.TaxRateCalculated,
		}, "liability": {sent.TotalTaxLiabilityAmount, rests.TotalTaxLiabilityAmount},
	} {
		require.False(t, amounts[0].IsZero(), name)
		require.Zero(t, amounts[0].Cmp(amounts[1]), name)
	}
	require.Equal(t, source, *rests.TaxLiabilitySource)
	require.Nil(t, rests.DestinationCurrency)
	require.Nil(t, rests.ConversionRate)
	require.Equal(t, "100.00", rests.Items[0].TaxableAmount.String())
	require.Equal(t, "8.80", rests.Items[0].TaxAmountCalculated.String())
	require.Equal(
		t, 1,
		b.Count(
			t,
			`SELECT count(*) FROM transaction_stages
			  WHERE stage = 'NEEDS_REFETCH' AND detail = '{"reason": "No conversion rate."}'`,
		),
	)
	_, err := b.Store.Transactions.TransactionExplanation(t.Context(), b.Scope, d.ID)
	require.Equal(t, &models.NotProcessedError{
		ProcessingStatus: models.ProcessingNeedsRefetch, Reason: "No conversion rate.",
	}, err)
}

func TestQueueingAgainAtTheSameTimeHappensOnce(t *testing.T) {
	t.Parallel()
	b := storetest.Setup(t, 1, 64)
	refs := b.Accepted(t, 40)
	b.WithoutRate(t, refs)
	var queued atomic.Int64
	var all sync.WaitGroup
	for range 4 {
		all.Go(func() {
			n, err := b.Store.Transactions.RequeueNeedsRefetch(t.Context(), storetest.Run, models.RefetchCalculation,
				models.RefetchAddress)
			require.NoError(t, err)
			queued.Add(int64(n))
		})
	}
	all.Wait()
	require.EqualValues(t, 40, queued.Load())
	require.Equal(
		t, 40, b.Count(t, "SELECT count(*) FROM transactions WHERE processing_status = 'QUEUED' AND epoch = 2"),
	)
	require.Zero(t, b.Count(t, storetest.RecountNexus))
	require.Zero(t, b.Count(t, "SELECT count(*) FROM transaction_refetches"))
}
