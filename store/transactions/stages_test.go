package transactions_test

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"levy/models"
	"levy/rules"
	"levy/store/storetest"
	"levy/tax"
	"levy/tax/calendar"
)

// The four stages with fixed outcomes: the store does not compute them.

func TestStagesRunTwiceChangeNothing(t *testing.T) {
	t.Parallel()
	b := storetest.Setup(t, 1, 8)
	refs := b.Accepted(t, 3)
	for _, stage := range storetest.Stages {
		first, err := stage.Save(b.Store, storetest.Run, refs)
		require.NoError(t, err, stage.Name)
		once := b.Facts(t)
		second, err := stage.Save(b.Store, models.StageRun{
			WorkflowID: "transactions/other", RunID: "r2", Attempt: 2,
		}, refs)
		require.NoError(t, err, stage.Name)
		require.Equal(t, once, b.Facts(t), "%s: the second run changes nothing", stage.Name)
		require.Equal(t, first, second, "%s: and returns the same", stage.Name)
		for _, state := range second {
			result, ok := rules.BatchDecisionOf(state, stage.To)
			require.True(t, ok)
			require.Equal(t, models.DecisionDone, result)
		}
	}
	require.Equal(t, 0, b.Count(t, "SELECT count(*) FROM outbox"), "PROCESSED ends the pending work")
	require.Equal(
		t, 1,
		b.Count(t, "SELECT count(*) FROM nexus_counters WHERE n = 3 AND amount = 300 AND collected_tax = 26.64"),
	)
	require.Equal(t, 12, b.Count(t, "SELECT count(*) FROM transaction_stages"))
	require.Equal(
		t, 3,
		b.Count(
			t,
			`SELECT count(*) FROM transactions
			  WHERE total_tax_amount_calculated = 8.88 AND state = 'NY' AND address_status = 'VERIFIED'`,
		),
	)
	require.Equal(t, 3, b.Count(t, "SELECT count(*) FROM transaction_addresses WHERE status = 'VERIFIED'"))
}

func TestTheTaxStageReadsTheRegistrationsOfTheCustomerAndTheSeller(t *testing.T) {
	t.Parallel()
	b := storetest.Setup(t, 1, 8)
	d := storetest.Draft(b.Scope, "SALE-DE")
	d.Customer.TaxRegistrations = []models.CustomerTaxRegistration{
		{ID: "ctax_1", CountryCode: "DE", TaxType: "vat", TaxID: "DE208740616", IsValid: true},
	}
	require.NoError(t, b.Intake.Accept(context.Background(), d))
	refs := []models.Ref{{OrganizationID: d.OrganizationID, ID: d.ID, Epoch: d.Epoch}}
	for _, stage := range storetest.Stages[:3] {
		_, err := stage.Save(b.Store, storetest.Run, refs)
		require.NoError(t, err)
	}
	storetest.BeginNexus(t, b.Store)
	first := calendar.MustDate("2026-01-01").Time()
	require.NoError(t, b.Store.Registrations.CreateRegistration(t.Context(), b.Scope, storetest.Actor, &models.Registration{
		ID: models.NewID(models.PrefixRegistration), CountryCode: "CA", StateCode: "CA", StateName: "Canada",
		Status: models.RegistrationRegistered, RegistrationDate: &first, FilingFrequency: calendar.FilingMonthly,
		RegistrationImportType: models.ImportRegular, RegistrationsRegime: "SIMPLIFIED", AmountFees: "0.00",
	}))
	_, err := b.SQL.Exec(t.Context(),
		"UPDATE nexus_records SET enabled = true, status = 'REGISTERED' WHERE country_code = 'CA'")
	require.NoError(t, err)
	loaded, err := b.Store.Transactions.LoadForTax(context.Background(), refs)
	require.NoError(t, err)
	require.Len(t, loaded, 1)
	require.Equal(t, d.Customer.TaxRegistrations, loaded[0].Customer.TaxRegistrations)
	canada := slices.IndexFunc(loaded[0].Obligations, func(o models.NexusObligation) bool {
		return o.CountryCode == "CA" && o.StateCode == "CA"
	})
	require.Equal(t, first, *loaded[0].Obligations[canada].Registered)
	require.True(t, loaded[0].Obligations[canada].Simplified)
}

// A line that an exemption leaves taxed is free of the tax of a province by it: stage 4 has to know of which.
func TestTheTaxStageReadsTheExemptionOfATaxedLine(t *testing.T) {
	t.Parallel()
	b := storetest.Setup(t, 1, 8)
	d := storetest.Draft(b.Scope, "SALE-QC")
	e := models.Exemption{
		OrganizationID: d.OrganizationID, ID: models.NewID(models.PrefixExemption), TransactionID: &d.ID,
		ExemptionType: models.ExemptionTransaction, StartDate: d.TaxDate, CountryCode: "CA", Jurisdiction: new("QC"),
		Status: models.ExemptionActive,
	}
	d.Exemptions = []models.Exemption{e}
	require.NoError(t, b.Intake.Accept(t.Context(), d))
	refs := []models.Ref{{OrganizationID: d.OrganizationID, ID: d.ID, Epoch: d.Epoch}}
	for i, stage := range storetest.Stages[:3] {
		_, err := stage.Save(b.Store, storetest.Run, refs)
		require.NoError(t, err)
		if i == 1 {
			_, err := b.SQL.Exec(t.Context(), "UPDATE transaction_items SET exempt = false, exemption_id = $1", e.ID)
			require.NoError(t, err)
		}
	}
	loaded, err := b.Store.Transactions.LoadForTax(t.Context(), refs)
	require.NoError(t, err)
	require.Len(t, loaded, 1)
	require.Len(t, loaded[0].Exemptions, 1)
	require.Equal(t, e.ID, loaded[0].Exemptions[0].ID)
	require.Equal(t, "QC", *loaded[0].Exemptions[0].Jurisdiction)
}

func TestStagesKeepTheirOrder(t *testing.T) {
	t.Parallel()
	b := storetest.Setup(t, 1, 8)
	refs := b.Accepted(t, 1)
	before := b.Facts(t)
	for _, stage := range storetest.Stages[1:] {
		states, err := stage.Save(b.Store, storetest.Run, refs)
		require.NoError(t, err)
		require.Equal(t, before, b.Facts(t), "%s before its turn changes nothing", stage.Name)
		_, ok := rules.BatchDecisionOf(states[0], stage.To)
		require.False(t, ok)
	}
}

func TestNewAndUpdatedTransactionsAreQueuedWhenTheirWorkflowRuns(t *testing.T) {
	t.Parallel()
	b := storetest.Setup(t, 1, 8)
	refs := b.Accepted(t, 3)
	_, err := b.SQL.Exec(t.Context(), "UPDATE transactions SET processing_status = 'UPDATED' WHERE id <> $1", refs[0].ID)
	require.NoError(t, err)
	states, err := storetest.SaveAddresses(b.Store, storetest.Run, refs)
	require.NoError(t, err)
	require.Equal(
		t, models.ProcessingUpdated, states[1].ProcessingStatus, "there is no transition from UPDATED to ADDRESS_DONE",
	)
	for range 2 {
		loaded, err := b.Store.Transactions.LoadForAddresses(t.Context(), storetest.Run, refs)
		require.NoError(t, err)
		require.Len(t, loaded, 2)
		require.Equal(t, 2, b.Count(t, "SELECT count(*) FROM transactions WHERE processing_status = 'QUEUED'"))
		require.Equal(t, 2, b.Count(t, "SELECT count(*) FROM transaction_stages WHERE stage = 'QUEUED'"))
	}
	_, err = storetest.SaveAddresses(b.Store, storetest.Run, refs)
	require.NoError(t, err)
	require.Equal(t, 3, b.Count(t, "SELECT count(*) FROM transactions WHERE processing_status = 'ADDRESS_DONE'"))
}

func TestStagesIgnoreTransactionsOfOldEpochs(t *testing.T) {
	t.Parallel()
	b := storetest.Setup(t, 1, 8)
	refs := b.Accepted(t, 1)
	_, err := b.SQL.Exec(context.Background(), "UPDATE transactions SET epoch = 2, processing_status = 'UPDATED'")
	require.NoError(t, err)
	before := b.Facts(t)
	for _, stage := range storetest.Stages {
		states, err := stage.Save(b.Store, storetest.Run, refs)
		require.NoError(t, err)
		require.Equal(t, before, b.Facts(t), stage.Name)
		result, _ := rules.BatchDecisionOf(states[0], stage.To)
		require.Equal(t, models.DecisionSuperseded, result)
	}
}

func TestStagesOfOverlappingBatches(t *testing.T) {
	t.Parallel()
	b := storetest.Setup(t, 1, 64)
	refs := b.Accepted(t, 60)
	for _, stage := range storetest.Stages {
		var wg sync.WaitGroup
		for worker := range 4 {
			mine := append([]models.Ref{}, refs...)
			for i := range mine { // every batch in another order
				j := (i*7 + worker*13) % len(mine)
				mine[i], mine[j] = mine[j], mine[i]
			}
			wg.Go(func() {
				states, err := stage.Save(b.Store, models.StageRun{
					WorkflowID: fmt.Sprintf("transactions/%d", worker), RunID: "r", Attempt: 1,
				}, mine)
				require.NoError(t, err, "no deadlock")
				for _, state := range states {
					result, _ := rules.BatchDecisionOf(state, stage.To)
					require.Equal(t, models.DecisionDone, result)
				}
			})
		}
		wg.Wait()
	}
	require.Equal(t, 240, b.Count(t, "SELECT count(*) FROM transaction_stages"), "every stage happened once")
	require.Equal(t, 1, b.Count(t, "SELECT count(*) FROM nexus_counters WHERE n = 60 AND amount = 6000"))
}

func TestFinalStatusesEndPendingWork(t *testing.T) {
	t.Parallel()
	b := storetest.Setup(t, 1, 8)
	refs := b.Accepted(t, 1)
	states, err := b.Store.Transactions.SaveAddresses(t.Context(), storetest.Run, refs, []models.AddressOutcome{{
		Ref: refs[0], To: models.ProcessingNeedsRefetch, Reason: "No address.", Place: tax.Place{Status: tax.StatusBlank},
	}})
	require.NoError(t, err)
	result, _ := rules.BatchDecisionOf(states[0], models.ProcessingAddressDone)
	require.Equal(t, models.DecisionEnded, result)
	require.Equal(t, 0, b.Count(t, "SELECT count(*) FROM outbox"))
	require.Equal(t, 1, b.Count(t, "SELECT count(*) FROM transactions WHERE processing_reason = 'No address.'"))
}

func TestTheOutboxLeasesEachTransactionOnce(t *testing.T) {
	t.Parallel()
	b := storetest.Setup(t, 1, 8)
	refs := b.Accepted(t, 3)
	ctx := t.Context()
	due := func() {
		_, err := b.SQL.Exec(ctx, "UPDATE outbox SET next_attempt_at = now() - interval '1 second'")
		require.NoError(t, err)
	}
	leased, err := b.Store.Transactions.Lease(ctx, 10)
	require.NoError(t, err)
	require.Empty(t, leased, "the dispatcher has its chance first")

	due()
	leased, err = b.Store.Transactions.Lease(ctx, 2)
	require.NoError(t, err)
	require.Len(t, leased, 2)
	require.Equal(
		t, 2, b.Count(t, "SELECT count(*) FROM outbox WHERE next_attempt_at > now() + interval '10 seconds'"),
		"a start and its mark may take so long",
	)
	rest, err := b.Store.Transactions.Lease(ctx, 10)
	require.NoError(t, err)
	require.Len(t, rest, 1, "leased rows are not leased again")

	require.NoError(t, b.Store.Transactions.MarkStarted(ctx, "batc_1", refs))
	due()
	leased, err = b.Store.Transactions.Lease(ctx, 10)
	require.NoError(t, err)
	for _, row := range leased {
		require.Equal(t, "batc_1", row.BatchID)
		require.Equal(t, 2, row.Attempts)
	}
	leftOver := leased
	for i := range leftOver {
		leftOver[i].BatchID = "batc_2"
	}
	require.NoError(t, b.Store.Transactions.Release(ctx, leftOver))
	require.Equal(t, 3, b.Count(t, "SELECT count(*) FROM outbox WHERE batch_id = 'batc_1'"), "another batch has them")
	for i := range leftOver {
		leftOver[i].BatchID = "batc_1"
	}
	require.NoError(t, b.Store.Transactions.Release(ctx, leftOver))
	leased, err = b.Store.Transactions.Lease(ctx, 10)
	require.NoError(t, err)
	require.Len(t, leased, 3)
	require.Empty(t, leased[0].BatchID)

	require.NoError(t, b.Store.Transactions.MarkFailed(ctx, models.StageRun{WorkflowID: "w", RunID: "r"}, refs[:1],
		"BatchFailed"))
	require.Equal(
		t, 1,
		b.Count(
			t,
			"SELECT count(*) FROM outbox WHERE last_error = 'BatchFailed' AND batch_id IS NULL AND next_attempt_at > now()",
		),
	)

	require.NoError(t, b.Store.Transactions.ShowFailed(ctx, refs)) // the others have not failed
	require.NoError(t, b.Store.Transactions.MarkFailed(ctx, models.StageRun{WorkflowID: "w2", RunID: "r"}, refs[:1],
		"BatchFailed"))
	require.Equal(t, 1, b.Count(t,
		"SELECT count(*) FROM transaction_stages WHERE stage = 'FAILED' AND attempt = 2 AND workflow_id = 'w2'"))
	const shown = `SELECT count(*)
		FROM transactions
		WHERE processing_reason = 'Processing has failed once, last at BatchFailed. It is tried again by itself.'`
	require.Equal(t, 1, b.Count(t, shown))
	require.Equal(t, 1, b.Count(t, "SELECT count(*) FROM transactions WHERE processing_reason IS NOT NULL"))

	for range 10 { // attempts, all of which failed
		due()
		_, err := b.Store.Transactions.Lease(ctx, 10)
		require.NoError(t, err)
	}
	require.Equal(
		t, 2,
		b.Count(
			t,
			"SELECT count(*) FROM outbox WHERE last_error IS NULL AND next_attempt_at < now() + interval '1 minute'",
		),
		"those that met outages",
	)
	require.Equal(
		t, 1,
		b.Count(
			t,
			"SELECT count(*) FROM outbox WHERE last_error IS NOT NULL AND next_attempt_at > now() + interval '1 minute'",
		),
		"one that failed",
	)
}

// A single sale is read by prepared plans: planning takes longer than all the rest. For many lines the planner has to
// know how many there are.
func TestStagesOfFewRowsKeepTheirPlans(t *testing.T) {
	t.Parallel()
	b := storetest.Setup(t, 1, 1)
	ctx := t.Context()
	planned := func(ref models.Ref) (custom int) {
		count := func() (n int) {
			require.NoError(t, b.Store.QueryRow(ctx, `SELECT coalesce(sum(custom_plans), 0)::int FROM pg_prepared_statements
				WHERE statement LIKE '%updated AS%' OR statement LIKE '%transaction_items%'`).Scan(&n))
			return n
		}
		before := count()
		refs := []models.Ref{ref}
		for _, stage := range storetest.Stages {
			_, err := stage.Save(b.Store, storetest.Run, refs)
			require.NoError(t, err)
		}
		_, err := b.Store.Transactions.LoadForTax(ctx, refs)
		require.NoError(t, err)
		return count() - before
	}
	sale := b.Accepted(t, 1)[0]
	require.Zero(t, planned(sale))

	many := storetest.Draft(b.Scope, "SALE-MANY")
	require.NoError(t, b.Intake.Accept(ctx, many))
	refs := []models.Ref{{OrganizationID: many.OrganizationID, ID: many.ID, Epoch: many.Epoch}}
	for _, stage := range storetest.Stages[:3] {
		_, err := stage.Save(b.Store, storetest.Run, refs)
		require.NoError(t, err)
	}
	outcome := models.TaxOutcome{Ref: refs[0], To: models.ProcessingNeedsRefetch, Exempt: models.NotExempt}
	for n := range 100 {
		outcome.Lines = append(outcome.Lines, models.LineTax{LineNo: n})
	}
	_, err := b.Store.Transactions.SaveTax(ctx, storetest.Run, refs, []models.TaxOutcome{outcome})
	require.NoError(t, err)
	var custom int
	require.NoError(t, b.Store.QueryRow(ctx, `SELECT max(custom_plans)::int FROM pg_prepared_statements
		WHERE statement LIKE '%explained AS%'`).Scan(&custom))
	require.Equal(t, 1, custom)
}

// After many sales at once more follow soon: the evaluation of nexus waits and sees them together. A single sale does
// not wait.
func TestNexusOfManySalesIsEvaluatedTogether(t *testing.T) {
	t.Parallel()
	b := storetest.Setup(t, 1, 1)
	contribute := func(prefix string, n int) {
		drafts, refs := make([]*models.TransactionDraft, n), make([]models.Ref, n)
		for i := range drafts {
			drafts[i] = storetest.Draft(b.Scope, fmt.Sprintf("%s-%d", prefix, i))
			refs[i] = models.Ref{OrganizationID: drafts[i].OrganizationID, ID: drafts[i].ID, Epoch: drafts[i].Epoch}
		}
		for _, err := range b.Store.Transactions.Accept(t.Context(), drafts) {
			require.NoError(t, err)
		}
		for _, stage := range storetest.Stages[:3] {
			_, err := stage.Save(b.Store, storetest.Run, refs)
			require.NoError(t, err)
		}
	}
	wait := func() (seconds float64) {
		require.NoError(t, b.SQL.QueryRow(t.Context(), `
			SELECT extract(epoch FROM k.due_at - (SELECT max(at) FROM transaction_stages WHERE stage = 'NEXUS_DONE'))::float8
			  FROM nexus_changes k WHERE k.pending AND k.state_code = 'NY'`).Scan(&seconds))
		return seconds
	}
	contribute("LONE", 1)
	require.Zero(t, wait())
	storetest.Execute(t, b.URL, "UPDATE nexus_changes SET pending = false")
	contribute("MANY", 101)
	require.InDelta(t, 0.5, wait(), 0)
}
