package nexus_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"levy/models"
	"levy/rules"
	"levy/store/storetest"
	"levy/tax/calendar"
)

// Only sales on days that one of the two obligations covers and the other does not are queued again.
func TestSalesOfTheDaysThatChangedAreQueuedAgain(t *testing.T) {
	t.Parallel()
	b := storetest.Setup(t, 1, 8)
	storetest.BeginNexus(t, b.Store)
	var nexus models.NexusRef
	require.NoError(
		t,
		b.SQL.QueryRow(t.Context(), "SELECT organization_id, id FROM nexus_records WHERE state_code = 'NY'").Scan(
			&nexus.OrganizationID, &nexus.NexusID,
		),
	)
	days := []string{"2026-01-15", "2026-02-15", "2026-03-15", "2026-04-15"}
	for _, day := range days {
		d := storetest.Draft(b.Scope, day)
		d.Date = calendar.MustDate(day).Time()
		d.TaxDate = d.Date
		require.NoError(t, b.Intake.Accept(t.Context(), d))
		b.Processed(t, []models.Ref{{OrganizationID: d.OrganizationID, ID: d.ID, Epoch: d.Epoch}})
	}
	span := func(start, end string) calendar.Period {
		return calendar.Period{Start: calendar.MustDate(start), End: calendar.MustDate(end)}
	}
	january, march := span("2026-01-01", "2026-01-31"), span("2026-03-01", "2026-03-31")
	oblige := func(spans ...calendar.Period) {
		o := rules.ObligationOf(spans)
		gaps := "[]"
		for _, g := range o.Gaps {
			gaps = `[{"start": "` + g.Start.String() + `", "end": "` + g.End.String() + `"}]`
		}
		_, err := b.SQL.Exec(t.Context(),
			"UPDATE nexus_records SET obliged_from = $2, obliged_until = $3, obliged_gaps = $4 WHERE id = $1",
			nexus.NexusID, o.From, o.Until, gaps)
		require.NoError(t, err)
	}
	unapplied := func() int64 {
		t.Helper()
		w, err := b.Store.Nexus.Waiting(models.AcrossOrganizations(t.Context()))
		require.NoError(t, err)
		return w.Unapplied
	}
	follow := func(want ...string) {
		t.Helper()
		require.EqualValues(t, 1, unapplied())
		change, err := b.Store.Transactions.NexusObligation(t.Context(), nexus)
		require.NoError(t, err)
		step, err := b.Store.Transactions.RequeueForObligation(t.Context(), storetest.Run, change, models.ObligationCursor{})
		require.NoError(t, err)
		require.True(t, step.Done)
		require.Equal(t, len(want), step.Requeued)
		rows, err := b.SQL.Query(t.Context(),
			"SELECT external_id, id, epoch FROM transactions WHERE processing_status = 'QUEUED' ORDER BY tax_date")
		require.NoError(t, err)
		var queued []string
		var refs []models.Ref
		for rows.Next() {
			var externalID string
			ref := models.Ref{OrganizationID: nexus.OrganizationID}
			require.NoError(t, rows.Scan(&externalID, &ref.ID, &ref.Epoch))
			queued, refs = append(queued, externalID), append(refs, ref)
		}
		require.Equal(t, want, queued)
		b.Processed(t, refs)
		require.NoError(t, b.Store.Transactions.ApplyObligation(t.Context(), change))
		_, err = b.Store.Transactions.NexusObligation(t.Context(), nexus)
		require.ErrorIs(t, err, models.ErrNotFound, "all liabilities follow")
		require.Zero(t, unapplied())
	}
	oblige(january, march)
	follow(days[0], days[2])
	oblige(january, span("2026-02-01", "2026-02-28"), march)
	follow(days[1])
	oblige(march, span("2026-04-01", "2026-04-30"))
	follow(days[0], days[1], days[3])
	require.Zero(t, b.Count(t, storetest.TaxesDiffer))
}
