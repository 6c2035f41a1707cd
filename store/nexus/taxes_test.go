package nexus_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"levy/models"
	"levy/store/storetest"
	"levy/tax/calendar"
)

func TestTaxesOfADayFollowItsTransactions(t *testing.T) {
	t.Parallel()
	b := storetest.Setup(t, 1, 8)
	storetest.BeginNexus(t, b.Store)
	rollUp := func() {
		_, err := b.Store.Nexus.LeaseNexus(t.Context(), 10, time.Nanosecond)
		require.NoError(t, err)
		require.Zero(t, b.Count(t, "SELECT count(*) FROM nexus_tax_changes"))
		require.Zero(t, b.Count(t, storetest.TaxesDiffer))
	}
	owed := func(times int) {
		t.Helper()
		rollUp()
		require.Equal(
			t, times*888,
			b.Count(t, "SELECT coalesce(sum(liability) * 100, 0)::int FROM nexus_taxes WHERE state_code = 'NY'"),
		)
	}
	refs := b.Accepted(t, 4)
	b.Processed(t, refs[:3])
	require.Zero(t, b.Count(t, storetest.TaxesDiffer), "exact before the roll-up")
	owed(3)
	require.Equal(
		t, 3,
		b.Count(
			t,
			"SELECT count(*) FROM nexus_contributions c JOIN transactions t ON t.id = c.transaction_id WHERE c.sold_at = t.date",
		),
	)

	var nexus models.NexusRef
	require.NoError(
		t,
		b.SQL.QueryRow(t.Context(), "SELECT organization_id, id FROM nexus_records WHERE state_code = 'NY'").Scan(
			&nexus.OrganizationID, &nexus.NexusID,
		),
	)
	long := calendar.MustDate("2020-01-01").Time()
	step, err := b.Store.Transactions.RequeueForObligation(t.Context(), storetest.Run, models.ObligationChange{
		NexusRef: nexus, Countries: []string{"US"}, State: "NY", After: models.Obligation{From: &long},
	}, models.ObligationCursor{})
	require.NoError(t, err)
	require.Equal(t, 3, step.Requeued)
	owed(3) // a transaction that an obligation queues again keeps its liability until it is calculated
	for i := range refs {
		refs[i].Epoch = 2
	}
	b.Processed(t, refs[:3])
	owed(3)

	_, err = b.Store.Transactions.ArchiveTransactions(t.Context(), b.Scope, models.Actor{}, []string{refs[0].ID})
	require.NoError(t, err)
	owed(2)
	_, err = b.SQL.Exec(t.Context(), "DELETE FROM transaction_totals")
	require.NoError(t, err)
	owed(0)
}

func TestNewTaxesHaveNexusEvaluatedAgain(t *testing.T) {
	t.Parallel()
	b := storetest.Setup(t, 1, 8)
	storetest.BeginNexus(t, b.Store)
	today := calendar.DateOf(time.Now().UTC())
	evaluate := func() (records int) {
		_, err := b.Store.Nexus.LeaseNexus(t.Context(), 10, time.Nanosecond)
		require.NoError(t, err)
		c, err := b.Store.Nexus.LoadNexus(t.Context(), b.Scope.OrganizationID, today, false)
		require.NoError(t, err)
		storetest.WriteNexus(t, b.Store, c, storetest.Evaluated(c, today))
		return len(c.Records)
	}
	evaluate()
	require.Zero(t, evaluate())
	refs := b.Accepted(t, 1)
	for _, stage := range storetest.Stages[:3] {
		_, err := stage.Save(b.Store, storetest.Run, refs)
		require.NoError(t, err)
	}
	require.Equal(t, 1, evaluate(), "it is counted")
	_, err := storetest.Stages[3].Save(b.Store, storetest.Run, refs)
	require.NoError(t, err)
	require.Equal(t, 1, evaluate(), "it is calculated")
	require.Zero(t, evaluate())
}

// Taxes in another currency are converted together, by the rate of their last day. That day may be in the future,
// or its rates may not be loaded. Then the last day with rates is used, and the taxes of earlier days are still
// included.
func TestTaxesOfDaysToComeAreConvertedByTheLastRate(t *testing.T) {
	t.Parallel()
	b := storetest.Setup(t, 1, 1)
	_, err := b.SQL.Exec(t.Context(), `
		INSERT INTO fx_rates (currency, day, rate, source)
		SELECT c, d::date, 10, 'test' FROM unnest(ARRAY['SEK', 'USD']) c, unnest(ARRAY['2026-01-08', '2026-01-09']) d`)
	require.NoError(t, err)
	_, err = b.SQL.Exec(t.Context(), `
		INSERT INTO nexus_taxes (organization_id, country_code, state_code, member_code, currency, day, tax, collected, liability)
		SELECT $1, 'SE', 'SE', 'SE', 'SEK', d::date, 100, 0, 100 FROM unnest(ARRAY['2026-01-05', '2026-12-31']) d`,
		b.Scope.OrganizationID)
	require.NoError(t, err)
	first := calendar.MustDate("2026-01-01").Time()
	for _, currency := range []string{"EUR", "USD"} {
		detail, err := b.Store.Nexus.NexusDetail(t.Context(), b.Scope.OrganizationID, models.NexusDetailQuery{
			Country: "SE", AuthorityState: "SE", Countries: []string{"SE"}, Currency: currency, First: first, Last: first,
			ObligedFrom: &first,
		})
		require.NoError(t, err)
		require.Len(t, detail.Taxes, 1)
		require.Equal(t, "200.00", detail.Taxes[0].Liability.String())
		require.Equal(t, "2026-01-09", detail.Taxes[0].Day.Format(time.DateOnly))
	}
}
