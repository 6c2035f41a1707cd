package work_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"levy/models"
	"levy/store/storetest"
	"levy/store/work"
)

// allGroups reads the causes over all organizations, by kept counts or without them.
func allGroups(t *testing.T, b *storetest.FilingBundle, counted bool) []models.ExceptionGroup {
	t.Helper()
	if !counted {
		defer work.SetMostFew(-1)()
	}
	groups, err := b.Store.Work.ListExceptionGroups(t.Context(), models.Visibility{All: true}, models.ExceptionFilter{})
	require.NoError(t, err)
	return groups
}

// Causes by kept counts are those of the exceptions: right after each change, and after it was added up.
func TestCausesByCountsAreThoseOfTheExceptions(t *testing.T) {
	b := storetest.SetupFilings(t)
	other := storetest.NewClient("Other")
	root := storetest.NewRoot(t, b.Store)
	require.NoError(t, storetest.CreateClient(t.Context(), b.Store, root, other))
	storetest.BeginNexus(t, b.Store)
	b.Process(t, b.Sale(t, "2026-01-10", "100.00"))
	january := b.January(t, models.FilingUnfiled)
	counted(t, b)
	held := b.Sale(t, "2026-01-13", "7.00")
	execute := func(sql string, args ...any) func() {
		return func() {
			_, err := b.SQL.Exec(t.Context(), sql, args...)
			require.NoError(t, err)
		}
	}
	organization := b.Scope.OrganizationID
	for _, step := range []struct {
		name   string
		change func()
	}{
		{"a sale without a rate", func() { b.WithoutRate(t, []models.Ref{held}) }},
		{"another reason", execute("UPDATE transaction_refetches SET reason = 'ADDRESS'")},
		{"the sale is processed again", execute(
			"WITH gone AS (DELETE FROM transaction_refetches) INSERT INTO figure_changes VALUES ($1)", organization)},
		{"a sale changes what the return comes to", func() { b.Process(t, b.Sale(t, "2026-01-12", "50.00")) }},
		{"the timer approves", execute("UPDATE organization_details SET auto_file = true WHERE organization_id = $1", organization)},
		{"special circumstances", execute(
			"UPDATE organization_settings SET special_tax_circumstances = true WHERE organization_id = $1", organization)},
		{"overdue", execute("UPDATE filings SET due_date = '2026-02-20' WHERE id = $1", january.ID)},
		{"no due day", execute("UPDATE filings SET due_date = NULL WHERE id = $1", january.ID)},
		{"exposed places", execute(`UPDATE nexus_records SET enabled = true, nexus_met = true, status = 'EXPOSED', tax_liability = 7,
			nexus_met_date = '2026-01-01' WHERE state_code IN ('NY', 'CA')`)},
		{"more tax", execute("UPDATE nexus_records SET tax_liability = 8 WHERE status = 'EXPOSED'")},
		{"registered there", execute("UPDATE nexus_records SET status = 'REGISTERED' WHERE status = 'EXPOSED' AND organization_id = $1",
			organization)},
	} {
		before := allGroups(t, b, false)
		step.change()
		now := allGroups(t, b, false)
		require.Equal(t, now, allGroups(t, b, true), step.name)
		counted(t, b)
		now = allGroups(t, b, false) // amounts of returns are added up
		require.NotEqual(t, before, now, step.name)
		require.Equal(t, now, allGroups(t, b, true), step.name)
		counted(t, b)
		require.Equal(t, now, allGroups(t, b, true), "counted twice")
	}
}

// Counts hold until the day that makes a return late. They are added up anew then, and evaluated meanwhile.
func TestCountsHoldUntilAReturnIsLate(t *testing.T) {
	b := storetest.SetupFilings(t)
	b.Process(t, b.Sale(t, "2026-01-10", "100.00"))
	january := b.January(t, models.FilingUnfiled)
	_, err := b.SQL.Exec(t.Context(), "UPDATE filings SET due_date = (now() AT TIME ZONE 'UTC')::date + 3 WHERE id = $1", january.ID)
	require.NoError(t, err)
	counted(t, b)
	var right bool
	require.NoError(t, b.SQL.QueryRow(t.Context(), `SELECT until = ((now() AT TIME ZONE 'UTC')::date + 4)::timestamp AT TIME ZONE 'UTC'
		FROM exception_counts WHERE organization_id = $1`, b.Scope.OrganizationID).Scan(&right))
	require.True(t, right)
	want := allGroups(t, b, false)
	damage := func(more string) {
		_, err := b.SQL.Exec(t.Context(), "UPDATE organization_exceptions SET n = n + 1")
		require.NoError(t, err)
		_, err = b.SQL.Exec(t.Context(), more)
		require.NoError(t, err)
	}
	damage("UPDATE exception_counts SET until = now()")
	require.Equal(t, want, allGroups(t, b, true))
	counted(t, b)
	require.Equal(t, want, allGroups(t, b, true))
	damage("DELETE FROM exception_counts")
	require.Equal(t, want, allGroups(t, b, true))
}

// Counts that are wrong are found, and added up anew.
func TestWrongCountsOfExceptionsAreFound(t *testing.T) {
	b := storetest.SetupFilings(t)
	b.Process(t, b.Sale(t, "2026-01-10", "100.00"))
	b.January(t, models.FilingUnfiled)
	counted(t, b)
	want := allGroups(t, b, false)
	for _, statement := range []string{
		"UPDATE organization_exceptions SET n = n + 1", "UPDATE organization_exceptions SET amount = amount + 0.01",
		"DELETE FROM organization_exceptions",
	} {
		_, err := b.SQL.Exec(t.Context(), statement)
		require.NoError(t, err)
		require.NotEqual(t, want, allGroups(t, b, true), "counts are read")
		wrong, err := b.Store.Work.WrongFigures(t.Context(), "")
		require.NoError(t, err)
		require.Equal(t, []string{b.Scope.OrganizationID}, wrong, statement)
		causes, err := b.Store.Work.WrongCounts(t.Context(), b.Scope.OrganizationID)
		require.NoError(t, err)
		require.Len(t, causes, 1)
		counted(t, b)
		require.Equal(t, want, allGroups(t, b, true))
	}
}
