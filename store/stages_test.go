package store_test

import (
	"context"
	"fmt"
	"sync"
	"testing"

	"github.com/govalues/decimal"
	"github.com/stretchr/testify/require"

	"levy/models"
	"levy/store"
	"levy/store/storetest"
	"levy/tax"
)

var stageRun = models.StageRun{WorkflowID: "transactions/b1", RunID: "r1", Attempt: 1}

// accepted posts n sales and returns their refs.
func (b *intakeBundle) accepted(t *testing.T, n int) []models.Ref {
	t.Helper()
	refs := make([]models.Ref, n)
	for i := range refs {
		d := storetest.Draft(b.scope, fmt.Sprintf("SALE-%d", i))
		require.NoError(t, b.intake.Accept(context.Background(), d))
		refs[i] = models.Ref{OrganizationID: d.OrganizationID, ID: d.ID, Epoch: d.Epoch}
	}
	return refs
}

var newYork = tax.Place{Status: tax.StatusVerified, City: "New York", State: "NY", PostalCode: "10118", Country: "US", Jurisdictions: []string{"US-NY"}}

// The four stages with outcomes made by hand: what they compute is not the
// store's business.

func saveAddresses(s *store.Store, run models.StageRun, refs []models.Ref) ([]models.StageState, error) {
	outcomes := make([]models.AddressOutcome, len(refs))
	for i, ref := range refs {
		outcomes[i] = models.AddressOutcome{Ref: ref, To: models.ProcessingAddressDone, Place: newYork,
			Statuses: map[models.AddressType]tax.AddressStatus{models.ShipTo: tax.StatusVerified}}
	}
	return s.SaveAddresses(context.Background(), run, refs, outcomes)
}

func saveExemptions(s *store.Store, run models.StageRun, refs []models.Ref) ([]models.StageState, error) {
	outcomes := make([]models.ExemptionOutcome, len(refs))
	for i, ref := range refs {
		outcomes[i] = models.ExemptionOutcome{Ref: ref, Exempt: models.PartiallyExempt,
			Lines: []models.LineExemption{{LineNo: 0, Exempt: true, TaxExemption: "PRODUCT"}}}
	}
	return s.SaveExemptions(context.Background(), run, refs, outcomes)
}

func saveNexus(s *store.Store, run models.StageRun, refs []models.Ref) ([]models.StageState, error) {
	outcomes := make([]models.NexusOutcome, len(refs))
	loaded, err := s.LoadForNexus(context.Background(), refs)
	if err != nil {
		return nil, err
	}
	day := map[string]models.Transaction{}
	for _, t := range loaded {
		day[t.ID] = t
	}
	for i, ref := range refs {
		outcomes[i] = models.NexusOutcome{Ref: ref, Contributions: []models.NexusContribution{{
			CountryCode: "US", StateCode: "NY", Currency: "USD", Day: day[ref.ID].TaxDate, Count: 1, Amount: decimal.MustParse("100.00"),
			CollectedTax: decimal.MustParse("8.88"), SoldAt: day[ref.ID].Date,
		}}}
	}
	return s.SaveNexus(context.Background(), run, refs, outcomes)
}

func saveTax(s *store.Store, run models.StageRun, refs []models.Ref) ([]models.StageState, error) {
	outcomes := make([]models.TaxOutcome, len(refs))
	for i, ref := range refs {
		outcomes[i] = models.TaxOutcome{
			Ref: ref, To: models.ProcessingProcessed, Exempt: models.NotExempt, TaxableAmount: decimal.MustParse("100.00"), TaxAmount: decimal.MustParse("8.88"),
			TaxRate: decimal.MustParse("0.08875"), LiabilityAmount: decimal.MustParse("8.88"), LiabilitySource: models.LiabilityCollected,
			DestinationCurrency: "USD", ConversionRate: decimal.MustParse("1"), ContentVersion: "test", Totals: newYorkTotals, Explanation: []byte(`{"steps":[]}`),
			Lines: []models.LineTax{{LineNo: 0, TaxableAmount: decimal.MustParse("100.00"), TaxAmount: decimal.MustParse("8.88"), TaxRate: decimal.MustParse("0.08875"),
				TaxItems: []models.TaxItem{{Type: "CALCULATED", RuleID: "us-ny-general", Rate: decimal.MustParse("0.04"), Amount: decimal.MustParse("4.00")}}}},
		}
	}
	return s.SaveTax(context.Background(), run, refs, outcomes)
}

var newYorkTotals = []models.AuthorityTotal{{
	CountryCode: "US", StateCode: "NY", MemberCode: "US", Sales: decimal.MustParse("100.00"), Taxable: decimal.MustParse("100.00"),
	Tax: decimal.MustParse("8.88"), Collected: decimal.MustParse("8.88"), Liability: decimal.MustParse("8.88"),
}}

var stages = []struct {
	name string
	to   models.ProcessingStatus
	save func(*store.Store, models.StageRun, []models.Ref) ([]models.StageState, error)
}{
	{"addresses", models.ProcessingAddressDone, saveAddresses},
	{"exemptions", models.ProcessingExemptDone, saveExemptions},
	{"nexus", models.ProcessingNexusDone, saveNexus},
	{"tax", models.ProcessingProcessed, saveTax},
}

// facts are everything the stages write, as one comparable text.
func (b *intakeBundle) facts(t *testing.T) string {
	t.Helper()
	var all string
	require.NoError(t, b.sql.QueryRow(context.Background(), `
		SELECT concat_ws(E'\n',
		  (SELECT string_agg(to_jsonb(t)::text, E'\n' ORDER BY id) FROM transactions t),
		  (SELECT string_agg(to_jsonb(i)::text, E'\n' ORDER BY transaction_id, line_no) FROM transaction_items i),
		  (SELECT string_agg(to_jsonb(a)::text, E'\n' ORDER BY transaction_id, type) FROM transaction_addresses a),
		  (SELECT string_agg((to_jsonb(s))::text, E'\n' ORDER BY seq) FROM transaction_stages s),
		  (SELECT string_agg(to_jsonb(c)::text, E'\n' ORDER BY transaction_id) FROM nexus_contributions c),
		  (SELECT string_agg(to_jsonb(k)::text, E'\n' ORDER BY day) FROM nexus_counters k),
		  (SELECT string_agg(to_jsonb(e)::text, E'\n' ORDER BY transaction_id) FROM transaction_explanations e),
		  (SELECT string_agg(to_jsonb(x)::text, E'\n' ORDER BY transaction_id, epoch) FROM transaction_totals x),
		  (SELECT string_agg(to_jsonb(o)::text, E'\n' ORDER BY aggregate_id) FROM outbox o))`).Scan(&all))
	return all
}

func TestStagesRunTwiceChangeNothing(t *testing.T) {
	t.Parallel()
	b := setupIntake(t, 1, 8)
	refs := b.accepted(t, 3)
	for _, stage := range stages {
		first, err := stage.save(b.store, stageRun, refs)
		require.NoError(t, err, stage.name)
		once := b.facts(t)
		second, err := stage.save(b.store, models.StageRun{WorkflowID: "transactions/other", RunID: "r2", Attempt: 2}, refs)
		require.NoError(t, err, stage.name)
		require.Equal(t, once, b.facts(t), "%s: the second run changes nothing", stage.name)
		require.Equal(t, first, second, "%s: and says the same", stage.name)
		for _, state := range second {
			verdict, ok := state.Judge(stage.to)
			require.True(t, ok)
			require.Equal(t, models.VerdictDone, verdict)
		}
	}
	require.Equal(t, 0, b.count(t, "SELECT count(*) FROM outbox"), "the promise of work goes with PROCESSED")
	require.Equal(t, 1, b.count(t, "SELECT count(*) FROM nexus_counters WHERE n = 3 AND amount = 300 AND collected_tax = 26.64"))
	require.Equal(t, 12, b.count(t, "SELECT count(*) FROM transaction_stages"))
	require.Equal(t, 3, b.count(t, "SELECT count(*) FROM transactions WHERE total_tax_amount_calculated = 8.88 AND state = 'NY' AND address_status = 'VERIFIED'"))
	require.Equal(t, 3, b.count(t, "SELECT count(*) FROM transaction_addresses WHERE status = 'VERIFIED'"))
}

func TestTheTaxStageReadsTheTaxRegistrationsOfTheCustomer(t *testing.T) {
	t.Parallel()
	b := setupIntake(t, 1, 8)
	d := storetest.Draft(b.scope, "SALE-DE")
	d.Customer.TaxRegistrations = []models.CustomerTaxRegistration{{ID: "ctax_1", CountryCode: "DE", TaxType: "vat", TaxID: "DE208740616", IsValid: true}}
	require.NoError(t, b.intake.Accept(context.Background(), d))
	refs := []models.Ref{{OrganizationID: d.OrganizationID, ID: d.ID, Epoch: d.Epoch}}
	for _, stage := range stages[:3] {
		_, err := stage.save(b.store, stageRun, refs)
		require.NoError(t, err)
	}
	loaded, err := b.store.LoadForTax(context.Background(), refs)
	require.NoError(t, err)
	require.Len(t, loaded, 1)
	require.Equal(t, d.Customer.TaxRegistrations, loaded[0].Customer.TaxRegistrations)
}

func TestStagesKeepTheirOrder(t *testing.T) {
	t.Parallel()
	b := setupIntake(t, 1, 8)
	refs := b.accepted(t, 1)
	before := b.facts(t)
	for _, stage := range stages[1:] {
		states, err := stage.save(b.store, stageRun, refs)
		require.NoError(t, err)
		require.Equal(t, before, b.facts(t), "%s before its turn moves nothing", stage.name)
		_, ok := states[0].Judge(stage.to)
		require.False(t, ok)
	}
}

func TestWhatIsNewOrUpdatedIsQueuedWhenItsWorkflowRuns(t *testing.T) {
	t.Parallel()
	b := setupIntake(t, 1, 8)
	refs := b.accepted(t, 3)
	_, err := b.sql.Exec(t.Context(), "UPDATE transactions SET processing_status = 'UPDATED' WHERE id <> $1", refs[0].ID)
	require.NoError(t, err)
	states, err := saveAddresses(b.store, stageRun, refs)
	require.NoError(t, err)
	require.Equal(t, models.ProcessingUpdated, states[1].ProcessingStatus, "there is no move from UPDATED to ADDRESS_DONE")
	for range 2 {
		loaded, err := b.store.LoadForAddresses(t.Context(), stageRun, refs)
		require.NoError(t, err)
		require.Len(t, loaded, 2)
		require.Equal(t, 2, b.count(t, "SELECT count(*) FROM transactions WHERE processing_status = 'QUEUED'"))
		require.Equal(t, 2, b.count(t, "SELECT count(*) FROM transaction_stages WHERE stage = 'QUEUED'"))
	}
	_, err = saveAddresses(b.store, stageRun, refs)
	require.NoError(t, err)
	require.Equal(t, 3, b.count(t, "SELECT count(*) FROM transactions WHERE processing_status = 'ADDRESS_DONE'"))
}

func TestStagesIgnoreOldEpochs(t *testing.T) {
	t.Parallel()
	b := setupIntake(t, 1, 8)
	refs := b.accepted(t, 1)
	_, err := b.sql.Exec(context.Background(), "UPDATE transactions SET epoch = 2, processing_status = 'UPDATED'")
	require.NoError(t, err)
	before := b.facts(t)
	for _, stage := range stages {
		states, err := stage.save(b.store, stageRun, refs)
		require.NoError(t, err)
		require.Equal(t, before, b.facts(t), stage.name)
		verdict, _ := states[0].Judge(stage.to)
		require.Equal(t, models.VerdictSuperseded, verdict)
	}
}

func TestStagesOfOverlappingBatches(t *testing.T) {
	t.Parallel()
	b := setupIntake(t, 1, 64)
	refs := b.accepted(t, 60)
	for _, stage := range stages {
		var wg sync.WaitGroup
		for worker := range 4 {
			mine := append([]models.Ref{}, refs...)
			for i := range mine { // every batch in another order
				j := (i*7 + worker*13) % len(mine)
				mine[i], mine[j] = mine[j], mine[i]
			}
			wg.Go(func() {
				states, err := stage.save(b.store, models.StageRun{WorkflowID: fmt.Sprintf("transactions/%d", worker), RunID: "r", Attempt: 1}, mine)
				require.NoError(t, err, "no deadlock")
				for _, state := range states {
					verdict, _ := state.Judge(stage.to)
					require.Equal(t, models.VerdictDone, verdict)
				}
			})
		}
		wg.Wait()
	}
	require.Equal(t, 240, b.count(t, "SELECT count(*) FROM transaction_stages"), "every stage happened once")
	require.Equal(t, 1, b.count(t, "SELECT count(*) FROM nexus_counters WHERE n = 60 AND amount = 6000"))
}

func TestEndStatesGiveBackThePromise(t *testing.T) {
	t.Parallel()
	b := setupIntake(t, 1, 8)
	refs := b.accepted(t, 1)
	states, err := b.store.SaveAddresses(t.Context(), stageRun, refs, []models.AddressOutcome{{
		Ref: refs[0], To: models.ProcessingNeedsRefetch, Reason: "No address.", Place: tax.Place{Status: tax.StatusBlank},
	}})
	require.NoError(t, err)
	verdict, _ := states[0].Judge(models.ProcessingAddressDone)
	require.Equal(t, models.VerdictEnded, verdict)
	require.Equal(t, 0, b.count(t, "SELECT count(*) FROM outbox"))
	require.Equal(t, 1, b.count(t, "SELECT count(*) FROM transactions WHERE processing_reason = 'No address.'"))
}

func TestOutbox(t *testing.T) {
	t.Parallel()
	b := setupIntake(t, 1, 8)
	refs := b.accepted(t, 3)
	ctx := t.Context()
	due := func() {
		_, err := b.sql.Exec(ctx, "UPDATE outbox SET next_attempt_at = now() - interval '1 second'")
		require.NoError(t, err)
	}
	leased, err := b.store.Lease(ctx, 10)
	require.NoError(t, err)
	require.Empty(t, leased, "the dispatcher has its chance first")

	due()
	leased, err = b.store.Lease(ctx, 2)
	require.NoError(t, err)
	require.Len(t, leased, 2)
	require.Equal(t, 2, b.count(t, "SELECT count(*) FROM outbox WHERE next_attempt_at > now() + interval '10 seconds'"), "a start and its mark may take so long")
	rest, err := b.store.Lease(ctx, 10)
	require.NoError(t, err)
	require.Len(t, rest, 1, "leased rows are nobody else's")

	require.NoError(t, b.store.MarkStarted(ctx, "batc_1", refs))
	due()
	leased, err = b.store.Lease(ctx, 10)
	require.NoError(t, err)
	for _, row := range leased {
		require.Equal(t, "batc_1", row.BatchID)
		require.Equal(t, 2, row.Attempts)
	}
	require.NoError(t, b.store.Unassign(ctx, "batc_1"))
	leased, err = b.store.Lease(ctx, 10)
	require.NoError(t, err)
	require.Len(t, leased, 3)
	require.Empty(t, leased[0].BatchID)

	require.NoError(t, b.store.MarkFailed(ctx, refs[:1], "BatchFailed"))
	require.Equal(t, 1, b.count(t, "SELECT count(*) FROM outbox WHERE last_error = 'BatchFailed' AND batch_id IS NULL AND next_attempt_at > now()"))

	for range 10 { // attempts, all in vain
		due()
		_, err := b.store.Lease(ctx, 10)
		require.NoError(t, err)
	}
	require.Equal(t, 2, b.count(t, "SELECT count(*) FROM outbox WHERE last_error IS NULL AND next_attempt_at < now() + interval '1 minute'"), "those that met outages")
	require.Equal(t, 1, b.count(t, "SELECT count(*) FROM outbox WHERE last_error IS NOT NULL AND next_attempt_at > now() + interval '1 minute'"), "one that failed")
}
