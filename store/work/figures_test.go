package work_test

import (
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"levy/models"
	"levy/store/pg"
	"levy/store/storetest"
	"levy/store/work"
)

// counted adds up the kept figures until no change waits, as the processes do, and checks that they are right.
func counted(t *testing.T, b *storetest.FilingBundle) {
	t.Helper()
	_, err := b.Store.Transactions.RollUpCounts(t.Context())
	require.NoError(t, err)
	require.NoError(t, b.Store.Work.CountFigures(t.Context()))
	wrong, err := b.Store.Work.WrongFigures(t.Context(), "")
	require.NoError(t, err)
	require.Empty(t, wrong)
}

// The figures have what is open by its due day, what was filed by its month, and sales that cannot be taxed. They follow
// each change of a sale or a return.
func TestFiguresAreThoseOfTheRecords(t *testing.T) {
	t.Parallel()
	b := storetest.SetupFilings(t)
	today := time.Date(2026, 2, 20, 0, 0, 0, 0, time.UTC)
	b.Process(t, b.Sale(t, "2026-01-10", "100.00"))
	january := b.January(t, models.FilingUnfiled)
	due := func(day string) {
		_, err := b.SQL.Exec(t.Context(), "UPDATE filings SET due_date = $2 WHERE id = $1", january.ID, day)
		require.NoError(t, err)
	}
	visible := models.Visibility{OrganizationIDs: []string{b.Scope.OrganizationID}}
	read := func() models.Overview {
		f, err := b.Store.Work.Figures(t.Context(), visible, "", today)
		require.NoError(t, err)
		return f
	}
	due("2026-02-25")
	require.False(t, read().UpToDate)
	counted(t, b)
	f, amount := read(), b.Read(t, january.ID).AmountText()
	require.NotEqual(t, "0.00", amount)
	open := []models.OverviewFigure{{Currency: "USD", Amount: amount, Count: 1}}
	require.True(t, f.UpToDate)
	require.Empty(t, f.OwedNow)
	require.Equal(t, open, f.DueSoon)
	require.Len(t, f.Days, 1)
	require.Equal(t, open[0], f.Days[0].OverviewFigure)
	require.Len(t, f.DueMonths, 1)
	require.Equal(t, "2026-02-01", f.DueMonths[0].Day.Format(time.DateOnly))

	// A due day decides when the figures are read; only amounts wait to be added up.
	due("2026-02-20")
	require.Equal(t, open, read().OwedNow)
	b.Process(t, b.Sale(t, "2026-01-12", "50.00"))
	require.Equal(t, open, read().OwedNow)
	counted(t, b)
	require.Equal(t, b.Read(t, january.ID).AmountText(), read().OwedNow[0].Amount)
	require.NotEqual(t, amount, read().OwedNow[0].Amount)

	// A filed return is owed no more, and stays in its month.
	amount = b.Read(t, january.ID).AmountText()
	storetest.File(t, b.Store, b.Scope, january.ID)
	counted(t, b)
	f = read()
	require.Empty(t, f.OwedNow)
	require.Equal(t, models.OverviewFigure{Currency: "USD", Amount: amount, Count: 1}, f.DueMonths[0].OverviewFigure)

	held := b.Sale(t, "2026-01-13", "7.00")
	b.WithoutRate(t, []models.Ref{held})
	counted(t, b)
	require.Equal(t, []models.OverviewFigure{{Currency: "USD", Amount: "108.88", Count: 1}}, read().Untaxable)

	// Others see nothing of it.
	f, err := b.Store.Work.Figures(t.Context(), models.Visibility{OrganizationIDs: []string{"org_other"}}, "", today)
	require.NoError(t, err)
	require.Equal(t, models.Overview{Since: f.Since, UpToDate: true, Clients: f.Clients}, f)
	require.Empty(t, f.Clients)
}

// A kept figure that is wrong is found.
func TestWrongFiguresAreFound(t *testing.T) {
	t.Parallel()
	b := storetest.SetupFilings(t)
	b.Process(t, b.Sale(t, "2026-01-10", "100.00"))
	january := b.January(t, models.FilingUnfiled)
	counted(t, b)
	for _, statement := range []string{
		"UPDATE filing_amounts SET amount = amount + 0.01", "DELETE FROM filing_amounts",
		`INSERT INTO organization_figures VALUES ('` + b.Scope.OrganizationID + `', 'FILED', '2026-01-01', 'USD', 1, 1)`,
	} {
		_, err := b.SQL.Exec(t.Context(), statement)
		require.NoError(t, err)
		wrong, err := b.Store.Work.WrongFigures(t.Context(), "")
		require.NoError(t, err)
		require.Equal(t, []string{b.Scope.OrganizationID}, wrong, statement)
		_, err = b.SQL.Exec(t.Context(), "UPDATE filings SET due_date = due_date WHERE id = $1", january.ID)
		require.NoError(t, err)
		counted(t, b)
	}
}

// One count takes all changes of all organizations, so the queue does not grow.
func TestACountOfFiguresTakesAllChanges(t *testing.T) {
	t.Parallel()
	b := storetest.SetupFilings(t)
	_, err := b.SQL.Exec(t.Context(), `INSERT INTO figure_changes (organization_id)
		SELECT 'org_' || n FROM generate_series(1, 450) n, generate_series(1, 10)`)
	require.NoError(t, err)
	_, err = b.SQL.Exec(t.Context(), `INSERT INTO figure_changes (organization_id) SELECT 'org_1' FROM generate_series(1, 3000)`)
	require.NoError(t, err)
	require.NoError(t, b.Store.Work.CountFigures(t.Context()))
	require.Empty(t, waiting(t, b))
}

// waiting returns the organizations of the changes that wait.
func waiting(t *testing.T, b *storetest.FilingBundle) []string {
	t.Helper()
	rows, err := b.SQL.Query(t.Context(), "SELECT organization_id::text FROM figure_changes ORDER BY 1")
	require.NoError(t, err)
	all, err := pgx.CollectRows(rows, pgx.RowTo[string])
	require.NoError(t, err)
	return all
}

// An organization whose figures cannot be added up waits, with one change. Those of others are added up.
func TestAnOrganizationWithoutFiguresHoldsUpNoOther(t *testing.T) {
	t.Parallel()
	b := storetest.SetupFilings(t)
	b.Process(t, b.Sale(t, "2026-01-10", "100.00"))
	b.January(t, models.FilingUnfiled)
	counted(t, b)
	for _, statement := range []string{
		"TRUNCATE filing_amounts",
		"ALTER TABLE filing_amounts ADD CONSTRAINT refused CHECK (organization_id <> '" + b.Scope.OrganizationID + "') NOT VALID",
		"INSERT INTO filing_amounts VALUES ('org_a', 'filing_1', 1), ('org_z', 'filing_1', 1)",
		"INSERT INTO figure_changes VALUES ('org_a'), ('" + b.Scope.OrganizationID + "'), ('" + b.Scope.OrganizationID + "'), ('org_z')",
	} {
		_, err := b.SQL.Exec(t.Context(), statement)
		require.NoError(t, err, statement)
	}
	for range 2 {
		require.NoError(t, b.Store.Work.CountFigures(t.Context()))
		require.Equal(t, []string{b.Scope.OrganizationID}, waiting(t, b))
		var n int
		require.NoError(t, b.SQL.QueryRow(t.Context(), "SELECT count(*) FROM filing_amounts").Scan(&n))
		require.Zero(t, n)
	}
	_, err := b.SQL.Exec(t.Context(), "ALTER TABLE filing_amounts DROP CONSTRAINT refused")
	require.NoError(t, err)

	// While another process counts, it is not known whether it still fails.
	failed := map[string]bool{b.Scope.OrganizationID: true}
	other, err := b.SQL.Begin(t.Context())
	require.NoError(t, err)
	_, err = other.Exec(t.Context(), "SELECT "+pg.LockFigures.Try())
	require.NoError(t, err)
	require.NoError(t, work.CountFiguresAgain(b.Store.Work, t.Context(), failed))
	require.NotEmpty(t, failed)
	require.NoError(t, other.Rollback(t.Context()))
	require.NoError(t, work.CountFiguresAgain(b.Store.Work, t.Context(), failed))
	require.Empty(t, failed)
	counted(t, b)
	require.Empty(t, waiting(t, b))
}

// Exceptions are grouped by type and reason over all organizations, with the money at risk, the most urgent first.
func TestExceptionsAreGroupedByCause(t *testing.T) {
	t.Parallel()
	b := storetest.SetupFilings(t)
	b.Process(t, b.Sale(t, "2026-01-10", "100.00"))
	january := b.January(t, models.FilingUnfiled)
	_, err := b.SQL.Exec(t.Context(), "UPDATE filings SET due_date = '2026-02-20' WHERE id = $1", january.ID)
	require.NoError(t, err)
	held := []models.Ref{b.Sale(t, "2026-01-12", "50.00"), b.Sale(t, "2026-01-13", "7.00")}
	b.WithoutRate(t, held)
	_, err = b.SQL.Exec(t.Context(), `UPDATE transactions SET processing_reason = 'No conversion rate from USD to EUR.'
		WHERE id = $1`, held[1].ID)
	require.NoError(t, err)
	counted(t, b)
	visible := models.Visibility{OrganizationIDs: []string{b.Scope.OrganizationID}}
	groups, err := b.Store.Work.ListExceptionGroups(t.Context(), visible, models.ExceptionFilter{})
	require.NoError(t, err)
	require.Len(t, groups, 3)
	first := groups[0]
	require.Equal(t, []any{models.ExceptionOverdue, "UNFILED", int64(1), int64(1), january.ID},
		[]any{first.Type, first.Code, first.Count, first.Organizations, first.ObjectID})
	require.Equal(t, []models.OverviewFigure{{Currency: "USD", Amount: b.Read(t, january.ID).AmountText(), Count: 1}}, first.Amounts)
	require.Equal(t, []models.OverviewFigure{{Currency: "USD", Amount: "108.88", Count: 1}}, groups[1].Amounts)
	require.Equal(t, []string{models.NoRate, held[1].ID}, []string{groups[2].Code, groups[2].ObjectID})
	for _, g := range groups { // the link of a group opens its exceptions and no other
		list, err := b.Store.Work.ListExceptions(t.Context(), visible,
			models.ExceptionFilter{Types: []string{g.Type}, Code: g.Code}, models.Page{Limit: 10})
		require.NoError(t, err)
		require.Len(t, list.Items, int(g.Count), g.Code)
		require.Equal(t, []string{g.Code, g.ObjectID}, []string{list.Items[0].Code, list.Items[0].ObjectID})
	}

	groups, err = b.Store.Work.ListExceptionGroups(t.Context(), visible,
		models.ExceptionFilter{Types: []string{models.ExceptionOverdue}})
	require.NoError(t, err)
	require.Len(t, groups, 1)
	list, err := b.Store.Work.ListExceptions(t.Context(), visible, models.ExceptionFilter{Code: "UNFILED"}, models.Page{Limit: 10})
	require.NoError(t, err)
	require.Len(t, list.Items, 1)
}

// The list goes on after the place of an exception, also when that is gone.
func TestTheListOfExceptionsGoesOnAfterAPlace(t *testing.T) {
	t.Parallel()
	b := storetest.SetupFilings(t)
	held := []models.Ref{b.Sale(t, "2026-01-12", "50.00"), b.Sale(t, "2026-01-13", "7.00"), b.Sale(t, "2026-01-14", "9.00")}
	b.WithoutRate(t, held)
	visible := models.Visibility{OrganizationIDs: []string{b.Scope.OrganizationID}}
	after := func(place *models.ExceptionPlace) models.ExceptionList {
		list, err := b.Store.Work.ListExceptions(t.Context(), visible, models.ExceptionFilter{After: place}, models.Page{Limit: 10})
		require.NoError(t, err)
		return list
	}
	all := after(nil).Items
	require.Len(t, all, 3)
	place := func(e models.Exception) *models.ExceptionPlace {
		return &models.ExceptionPlace{Since: e.Since, OrganizationID: e.OrganizationID, Type: e.Type, ObjectID: e.ObjectID, Code: e.Code}
	}
	for i := range all {
		rest := after(place(all[i]))
		require.Equal(t, all[i+1:], rest.Items)
		require.EqualValues(t, len(all)-i-1, rest.Total, "the total is that of the rest")
	}
	_, err := b.SQL.Exec(t.Context(), "DELETE FROM transaction_refetches WHERE transaction_id = $1", all[0].ObjectID)
	require.NoError(t, err)
	require.Equal(t, all[1:], after(place(all[0])).Items)
}

// A sale without a submitted total is at risk with what its lines come to, as lists show it.
func TestASaleWithoutATotalIsAtRiskWithItsLines(t *testing.T) {
	t.Parallel()
	b := storetest.SetupFilings(t)
	b.WithoutRate(t, []models.Ref{b.Sale(t, "2026-01-12", "50.00")})
	for _, statement := range []string{
		"UPDATE transactions SET total_amount = 0, gross_amount = 0",
		"INSERT INTO figure_changes VALUES ('" + b.Scope.OrganizationID + "')",
	} {
		_, err := b.SQL.Exec(t.Context(), statement)
		require.NoError(t, err)
	}
	counted(t, b)
	visible := models.Visibility{OrganizationIDs: []string{b.Scope.OrganizationID}}
	list, err := b.Store.Work.ListExceptions(t.Context(), visible, models.ExceptionFilter{}, models.Page{Limit: 10})
	require.NoError(t, err)
	require.Len(t, list.Items, 1)
	require.NotNil(t, list.Items[0].Amount)
	want := []models.OverviewFigure{{Currency: "USD", Amount: *list.Items[0].Amount, Count: 1}}
	require.NotEqual(t, "0.00", want[0].Amount)
	groups, err := b.Store.Work.ListExceptionGroups(t.Context(), visible, models.ExceptionFilter{})
	require.NoError(t, err)
	require.Equal(t, want, groups[0].Amounts)
	figures, err := b.Store.Work.Figures(t.Context(), visible, "", time.Date(2026, 2, 1, 0, 0, 0, 0, time.UTC))
	require.NoError(t, err)
	require.Equal(t, want, figures.Untaxable)
}
