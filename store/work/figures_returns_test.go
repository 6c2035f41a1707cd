package work_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"levy/models"
	"levy/store/storetest"
	"levy/tax/money"
)

// The figures of what is owed are the sums of the returns that their links list, in every open status. The client with the
// most overdue returns comes first.
func TestFiguresAddUpTheListedReturns(t *testing.T) {
	t.Parallel()
	b := storetest.SetupFilings(t)
	today := time.Date(2026, 6, 20, 0, 0, 0, 0, time.UTC)
	b.Process(t, b.Sale(t, "2026-01-10", "100.00"))
	january := b.January(t, models.FilingUnfiled)
	_, err := b.SQL.Exec(t.Context(), "UPDATE filings SET due_date = '2026-02-20' WHERE id = $1", january.ID)
	require.NoError(t, err)
	_, err = b.SQL.Exec(t.Context(), `
		INSERT INTO filings (organization_id, id, registration_id, country_code, state_code, state_name, start_date, end_date,
		  filing_category, currency, status, due_date, total_tax_liability, claimed_at, issue_reason, filed_at, date_filed,
		  created_at, updated_at)
		SELECT f.organization_id, 'file_0' || left(md5(f.id || m.n), 25), f.registration_id, f.country_code, f.state_code, f.state_name,
		       make_date(2026, m.n, 1), make_date(2026, m.n, 28), f.filing_category, f.currency, m.status,
		       make_date(2026, m.n, 1) + 20, m.tax, CASE WHEN m.tax > 0 THEN now() END,
		       CASE WHEN m.status = 'ISSUE' THEN 'REJECTED' END, CASE WHEN m.status = 'FILED' THEN now() END,
		       CASE WHEN m.status = 'FILED' THEN current_date END, now(), now()
		  FROM filings f, (VALUES (2, 'PAUSED', 0), (3, 'FILING', 20), (4, 'ISSUE', 3), (5, 'UNFILED', 0), (6, 'ISSUE', 700),
		       (7, 'UNFILED', 0), (8, 'FILED', 5000)) m (n, status, tax)
		 WHERE f.id = $1`, january.ID)
	require.NoError(t, err)
	counted(t, b)
	visible := models.Visibility{OrganizationIDs: []string{b.Scope.OrganizationID}}
	figures, err := b.Store.Work.Figures(t.Context(), visible, "", today)
	require.NoError(t, err)
	require.True(t, figures.UpToDate)
	open := []models.FilingStatus{models.FilingUnfiled, models.FilingPaused, models.FilingFiling, models.FilingIssue}
	listed := func(from, until time.Time) []models.OverviewFigure {
		list, err := b.Store.Filings.ListDueFilings(t.Context(), visible,
			models.DueFilter{Statuses: open, From: from, Until: until, Money: true}, nil, models.Page{Limit: 50})
		require.NoError(t, err)
		var sum money.Total
		count := int64(0)
		for _, day := range list.Money {
			sum, err = sum.Plus(day.Amount)
			require.NoError(t, err)
			count += day.Count
		}
		require.Equal(t, list.Total, count)
		return []models.OverviewFigure{{Currency: "USD", Amount: sum.String(), Count: count}}
	}
	require.Equal(t, listed(time.Time{}, today), figures.OwedNow)
	require.EqualValues(t, 5, figures.OwedNow[0].Count)
	require.Equal(t, listed(today.AddDate(0, 0, 1), today.AddDate(0, 0, 14)), figures.DueSoon)
	require.EqualValues(t, 1, figures.DueSoon[0].Count)
	require.Len(t, figures.Clients, 1)
	require.Equal(t, b.Scope.OrganizationID, figures.Clients[0].OrganizationID)
	require.EqualValues(t, 5, figures.Clients[0].Overdue)
}

// The most urgent exception of a cause is the one that is due first. Of those that are due on one day it is the oldest, and of
// these the first one by id.
func TestTheMostUrgentExceptionOfACause(t *testing.T) {
	t.Parallel()
	b := storetest.SetupFilings(t)
	b.Process(t, b.Sale(t, "2026-01-10", "100.00"))
	january := b.January(t, models.FilingUnfiled)
	_, err := b.SQL.Exec(t.Context(), `
		INSERT INTO filings (organization_id, id, registration_id, country_code, state_code, state_name, start_date, end_date,
		  filing_category, currency, status, due_date, created_at, updated_at)
		SELECT f.organization_id, left(f.id, 30) || m.n, f.registration_id, f.country_code, f.state_code, f.state_name,
		       make_date(2020, m.n, 1), make_date(2020, m.n, 28), f.filing_category, f.currency, f.status, m.due, m.created, now()
		  FROM filings f, (VALUES (2, date '9999-05-02', timestamptz '2020-01-01'), (3, '9999-05-01', '2024-01-03'),
		       (4, '9999-05-01', '2024-01-02'), (5, '9999-05-01', '2024-01-02')) m (n, due, created)
		 WHERE f.id = $1`, january.ID)
	require.NoError(t, err)
	_, err = b.SQL.Exec(t.Context(), "UPDATE filings SET due_date = '9999-05-03' WHERE id = $1", january.ID)
	require.NoError(t, err)
	visible := models.Visibility{OrganizationIDs: []string{b.Scope.OrganizationID}}
	groups, err := b.Store.Work.ListExceptionGroups(t.Context(), visible, models.ExceptionFilter{})
	require.NoError(t, err)
	require.Len(t, groups, 1)
	require.Equal(t, []any{models.ExceptionToApprove, int64(5), january.ID[:30] + "4"},
		[]any{groups[0].Type, groups[0].Count, groups[0].ObjectID})
}

// A group of one type is the same as that group among all.
func TestGroupsOfOneTypeAreThoseOfAll(t *testing.T) {
	t.Parallel()
	b := storetest.SetupFilings(t)
	b.Process(t, b.Sale(t, "2026-01-10", "100.00"))
	b.January(t, models.FilingUnfiled)
	b.WithoutRate(t, []models.Ref{b.Sale(t, "2026-01-12", "50.00")})
	counted(t, b)
	visible := models.Visibility{OrganizationIDs: []string{b.Scope.OrganizationID}}
	all, err := b.Store.Work.ListExceptionGroups(t.Context(), visible, models.ExceptionFilter{})
	require.NoError(t, err)
	require.Len(t, all, 2)
	for _, g := range all {
		one, err := b.Store.Work.ListExceptionGroups(t.Context(), visible, models.ExceptionFilter{Types: []string{g.Type}})
		require.NoError(t, err)
		require.Equal(t, []models.ExceptionGroup{g}, one)
	}
}
