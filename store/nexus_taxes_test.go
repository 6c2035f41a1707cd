package store_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"levy/models"
	"levy/tax"
)

// taxesDiffer counts the days on which the sums of taxes, with what is not folded yet,
// are not those of the transactions, and the totals of transactions that are under way
// or archived.
const taxesDiffer = `
	SELECT (SELECT count(*) FROM (
	  SELECT organization_id, country_code, state_code, member_code, currency, day, sum(tax) AS tax, sum(collected) AS collected, sum(liability) AS liability
	    FROM (SELECT * FROM nexus_taxes UNION ALL SELECT * FROM nexus_tax_changes
	          UNION ALL SELECT organization_id, country_code, state_code, member_code, currency, tax_date, -tax, -collected, -liability FROM transaction_totals) x
	   GROUP BY 1, 2, 3, 4, 5, 6) d WHERE (tax, collected, liability) <> (0, 0, 0))
	  + (SELECT count(*) FROM transaction_totals x JOIN transactions t ON t.organization_id = x.organization_id AND t.id = x.transaction_id
	      WHERE t.processing_status NOT IN ('PROCESSED', 'LOCKED', 'FILING_STARTED', 'FILING_DONE', 'QUEUED', 'ADDRESS_DONE', 'EXEMPT_DONE', 'NEXUS_DONE'))`

func TestTaxesOfADayFollowItsTransactions(t *testing.T) {
	t.Parallel()
	b := setupIntake(t, 1, 8)
	beginNexus(t, b.store)
	fold := func() {
		_, err := b.store.LeaseNexus(t.Context(), 10, time.Nanosecond)
		require.NoError(t, err)
		require.Zero(t, b.count(t, "SELECT count(*) FROM nexus_tax_changes"))
		require.Zero(t, b.count(t, taxesDiffer))
	}
	owed := func(times int) {
		t.Helper()
		fold()
		require.Equal(t, times*888, b.count(t, "SELECT coalesce(sum(liability) * 100, 0)::int FROM nexus_taxes WHERE state_code = 'NY'"))
	}
	refs := b.accepted(t, 4)
	b.processed(t, refs[:3])
	require.Zero(t, b.count(t, taxesDiffer), "exact before anybody folds")
	owed(3)
	require.Equal(t, 3, b.count(t, "SELECT count(*) FROM nexus_contributions c JOIN transactions t ON t.id = c.transaction_id WHERE c.sold_at = t.date"))

	var nexus models.NexusRef
	require.NoError(t, b.sql.QueryRow(t.Context(), "SELECT organization_id, id FROM nexus_records WHERE state_code = 'NY'").Scan(&nexus.OrganizationID, &nexus.NexusID))
	long := tax.MustDate("2020-01-01").Time()
	step, err := b.store.RequeueForObligation(t.Context(), stageRun, models.ObligationChange{
		NexusRef: nexus, Countries: []string{"US"}, State: "NY", After: models.Obligation{From: &long},
	}, models.ObligationCursor{})
	require.NoError(t, err)
	require.Equal(t, 3, step.Requeued)
	owed(3) // what an obligation queues again owes what it owed until it is calculated
	for i := range refs {
		refs[i].Epoch = 2
	}
	b.processed(t, refs[:3])
	owed(3)

	_, err = b.store.ArchiveTransactions(t.Context(), b.scope, models.Actor{}, []string{refs[0].ID})
	require.NoError(t, err)
	owed(2)
	_, err = b.sql.Exec(t.Context(), "DELETE FROM transaction_totals")
	require.NoError(t, err)
	owed(0)
}

func TestNewTaxesHaveNexusEvaluatedAgain(t *testing.T) {
	t.Parallel()
	b := setupIntake(t, 1, 8)
	beginNexus(t, b.store)
	today := tax.DateOf(time.Now().UTC())
	evaluate := func() (records int) {
		_, err := b.store.LeaseNexus(t.Context(), 10, time.Nanosecond)
		require.NoError(t, err)
		c, err := b.store.LoadNexus(t.Context(), b.scope.OrganizationID, today, false)
		require.NoError(t, err)
		writeNexus(t, b.store, c, evaluated(c, today))
		return len(c.Records)
	}
	evaluate()
	require.Zero(t, evaluate())
	refs := b.accepted(t, 1)
	for _, stage := range stages[:3] {
		_, err := stage.save(b.store, stageRun, refs)
		require.NoError(t, err)
	}
	require.Equal(t, 1, evaluate(), "it is counted")
	_, err := stages[3].save(b.store, stageRun, refs)
	require.NoError(t, err)
	require.Equal(t, 1, evaluate(), "it is calculated")
	require.Zero(t, evaluate())
}
