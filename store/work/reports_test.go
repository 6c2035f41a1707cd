package work_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"levy/models"
	"levy/store/storetest"
	"levy/store/work"
)

// reportOf reads a whole report of the year 2026, each row as values by the name of its column.
func reportOf(t *testing.T, b *storetest.FilingBundle, name models.ReportName, organizations ...string) []map[string]string {
	t.Helper()
	q := models.ReportQuery{
		Name: name, From: time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC), Until: time.Date(2026, 12, 31, 0, 0, 0, 0, time.UTC),
	}
	if organizations == nil {
		organizations = []string{b.Scope.OrganizationID}
	}
	visible := models.Visibility{OrganizationIDs: organizations}
	list, err := b.Store.Work.Report(t.Context(), visible, q, models.Page{Limit: 100})
	require.NoError(t, err)
	require.Len(t, list.Items, int(list.Total))
	all := []map[string]string{}
	for _, row := range list.Items {
		require.Equal(t, organizations[0], row.OrganizationID)
		values := map[string]string{}
		for i, c := range name.Columns() {
			values[c.Name] = row.Values[i]
		}
		all = append(all, values)
	}
	return all
}

// A filed return is compared with its transactions in the ledger and with what was paid.
func TestFilingsAreReconciledWithTheLedger(t *testing.T) {
	t.Parallel()
	b := storetest.SetupFilings(t)
	b.Process(t, b.Sale(t, "2026-01-10", "100.00"), b.Sale(t, "2026-02-11", "60.00"))
	january := b.January(t, models.FilingUnfiled)
	require.Empty(t, reportOf(t, b, models.ReportFilings), "it has claimed nothing")
	storetest.File(t, b.Store, b.Scope, january.ID)
	rows := reportOf(t, b, models.ReportFilings)
	require.Len(t, rows, 1)
	read := func(row map[string]string) []string {
		return []string{row["filing_id"], row["liability"], row["ledger_liability"], row["difference"], row["amount"], row["open"]}
	}
	require.Equal(t, []string{january.ID, "10.00", "10.00", "0.00", "10.00", "0.00"}, read(rows[0]))
	_, err := b.SQL.Exec(t.Context(), "UPDATE filing_transactions SET liability = liability - 1")
	require.NoError(t, err)
	_, err = b.SQL.Exec(t.Context(), "UPDATE filings SET tax_remitted = 4")
	require.NoError(t, err)
	require.Equal(t, []string{january.ID, "10.00", "9.00", "1.00", "10.00", "6.00"}, read(reportOf(t, b, models.ReportFilings)[0]))

	liability := reportOf(t, b, models.ReportLiability)
	require.Len(t, liability, 2)
	require.Equal(t, []string{"2026-01", "100.00", "10.00", "2026-02", "60.00", "6.00"}, []string{
		liability[0]["month"], liability[0]["sales"], liability[0]["liability"],
		liability[1]["month"], liability[1]["sales"], liability[1]["liability"]})
	require.Empty(t, reportOf(t, b, models.ReportLiability, "org_other"))
}

// Totals of an earlier release are not divided by reasons yet. A figure of the one-stop shop says nothing a second time.
func TestExemptSalesHaveAReason(t *testing.T) {
	t.Parallel()
	b := storetest.SetupFilings(t)
	b.Process(t, b.Sale(t, "2026-01-10", "100.00"), b.Sale(t, "2026-01-11", "60.00"))
	_, err := b.SQL.Exec(t.Context(), `UPDATE transaction_totals SET taxable = 40, figure_place = '', figure_gross = '{60,40}',
		figure_taxable = '{0,40}', figure_tax = '{0,4}', figure_owed = '{0,4}',
		figure_keys = '{STATE|0|SALE|OWN|UNKNOWN|RESALE|PHYSICAL|New York,STATE|0.04|SALE|OWN|UNKNOWN||PHYSICAL|New York}'
		WHERE sales = 100`)
	require.NoError(t, err)
	_, err = b.SQL.Exec(t.Context(), "UPDATE transaction_totals SET taxable = 50, figure_keys = NULL WHERE sales = 60")
	require.NoError(t, err)
	rows := reportOf(t, b, models.ReportExemptSales)
	require.Len(t, rows, 2)
	require.Equal(t, []string{"NOT_DIVIDED", "10.00", "RESALE", "60.00"},
		[]string{rows[0]["reason"], rows[0]["exempt"], rows[1]["reason"], rows[1]["exempt"]})
	_, err = b.SQL.Exec(t.Context(), "UPDATE transaction_totals SET country_code = 'ZZ_EU', state_code = 'ZZ_EU', member_code = 'SE'")
	require.NoError(t, err)
	require.Empty(t, reportOf(t, b, models.ReportExemptSales))
}

// Every report can be read, also without rows, and its values are those of its columns.
func TestEveryReportHasItsColumns(t *testing.T) {
	t.Parallel()
	b := storetest.SetupFilings(t)
	for _, name := range models.ReportNames {
		if name == models.ReportTaxability {
			continue // it follows from the tax content
		}
		require.Empty(t, reportOf(t, b, name, "org_other"), name)
		require.Less(t, name.Keys(), len(name.Columns()), name)
	}
}

// An export reads slice by slice, each row once, and says first how many there are.
func TestAReportIsExportedInSlices(t *testing.T) {
	t.Parallel()
	b := storetest.SetupFilings(t)
	for month := 1; month <= 7; month++ {
		b.Process(t, b.Sale(t, fmt.Sprintf("2026-%02d-10", month), "10.00"))
	}
	defer work.SetReportSlice(3)()
	q := models.ReportQuery{
		Name: models.ReportLiability, From: time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC),
		Until: time.Date(2026, 12, 31, 0, 0, 0, 0, time.UTC),
	}
	for limit, want := range map[int]int{5: 5, 6: 6, 100: 7} {
		var months []string
		var totals []int64
		pauses := 0
		require.NoError(t, b.Store.Work.ExportReport(t.Context(), models.Visibility{OrganizationIDs: []string{b.Scope.OrganizationID}}, q,
			func(total int64) error { totals = append(totals, total); return nil }, models.Export[models.ReportRow]{
				Limit: limit, Pause: func() error { pauses++; return nil },
				Row: func(row *models.ReportRow) error { months = append(months, row.Values[2]); return nil },
			}))
		require.Equal(t, []int64{7}, totals)
		require.Len(t, months, want)
		require.True(t, slices.IsSorted(months))
		require.Equal(t, "2026-01", months[0])
		require.Equal(t, (want+2)/3, pauses)
	}
}
