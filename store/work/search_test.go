package work_test

import (
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"levy/models"
	"levy/store/storetest"
	"levy/store/work"
)

// People type amounts with signs of currencies and separators. Years, phone numbers and orders are no amounts with cents.
func TestAmountsThatAreLookedFor(t *testing.T) {
	t.Parallel()
	for text, amount := range map[string]string{
		"108.88": "108.88", "1,234.5": "1234.50", "$1,234,567.00": "1234567.00", "€ 7": "7.00", "2026": "2026.00", "0.05": "0.05",
		"12,34": "", "1234.567": "", "ORDER-1": "", "1-2": "", "": "", "12345678901": "",
	} {
		require.Equal(t, amount, work.AmountAskedFor(text), "%q", text)
	}
	require.True(t, work.IsNumber("NY-12"))
	require.False(t, work.IsNumber("ada1@example.com"))
}

// The search knows what people have at hand: confirmations, amounts, e-mail addresses and tax ids, each of which leads to
// its record once.
func TestTheSearchKnowsNumbersAndAddresses(t *testing.T) {
	t.Parallel()
	b := storetest.SetupFilings(t)
	sale := b.Sale(t, "2026-01-10", "100.00")
	b.Process(t, sale)
	january := b.January(t, models.FilingUnfiled)
	storetest.File(t, b.Store, b.Scope, january.ID)
	for _, statement := range []string{
		"UPDATE transactions SET total_amount = 1108.88",
		"UPDATE customers SET email = 'Ada@Example.com'",
		"UPDATE filings SET return_confirmation_id = 'Conf-17'",
	} {
		_, err := b.SQL.Exec(t.Context(), statement)
		require.NoError(t, err)
	}
	taxID := "NY-" + "123456789"
	ids, _, err := work.StoredTaxIDs(t.Context(), b.Store.Work, b.Scope.OrganizationID, taxID)
	require.NoError(t, err)
	require.Equal(t, []string{taxID}, ids, "the organization has no tax id")
	_, err = b.Store.Registrations.UpdateRegistration(t.Context(), b.Scope, models.Actor{}, b.Registration.ID,
		func(r *models.Registration) error { r.SalesTaxID = &taxID; return nil })
	require.NoError(t, err)
	var stored string
	require.NoError(t, b.SQL.QueryRow(t.Context(), "SELECT sales_tax_id FROM registrations").Scan(&stored))
	require.NotContains(t, stored, "123456789")

	visible := models.Visibility{OrganizationIDs: []string{b.Scope.OrganizationID}}
	for text, want := range map[string][]string{
		"conf-17": {"FILING " + january.ID}, "$1,108.88": {"TRANSACTION " + sale.ID}, "10.00": {"FILING " + january.ID},
		"ada@example.com": {"CUSTOMER"}, taxID: {"REGISTRATION " + b.Registration.ID}, "NY-123456780": nil, "7.77": nil, "0.00": nil,
	} {
		found, err := b.Store.Work.Search(t.Context(), visible, text)
		require.NoError(t, err)
		require.Len(t, found.Items, len(want), text)
		for i, f := range found.Items {
			require.Contains(t, f.Type+" "+f.ID, want[i], text)
		}
		others, err := b.Store.Work.Search(t.Context(), models.Visibility{OrganizationIDs: []string{"org_other"}}, text)
		require.NoError(t, err)
		require.Empty(t, others.Items, text)
	}
	defer work.SetMostSealed(0)()
	found, err := b.Store.Work.Search(t.Context(), visible, taxID)
	require.NoError(t, err)
	require.Equal(t, []string{"REGISTRATION"}, found.More, "not every organization was looked at")
}

// A sale is found by its total, also where many refunds of the same amount are older. Only the newest are read.
func TestASaleIsFoundBehindRefundsOfItsTotal(t *testing.T) {
	t.Parallel()
	b := storetest.SetupFilings(t)
	sale := b.Sale(t, "2026-01-10", "100.00")
	b.Process(t, sale)
	_, err := b.SQL.Exec(t.Context(), "UPDATE transactions SET total_amount = 1108.88")
	require.NoError(t, err)
	_, err = b.SQL.Exec(t.Context(), `
		INSERT INTO transactions
		SELECT x.* FROM transactions t, generate_series(1, 12) n,
		       jsonb_populate_record(t, jsonb_build_object('id', t.id || n, 'external_id', t.external_id || n,
		         'date', t.date - n * interval '1 minute', 'total_amount', -t.total_amount)) x`)
	require.NoError(t, err)
	found, err := b.Store.Work.Search(t.Context(), models.Visibility{OrganizationIDs: []string{b.Scope.OrganizationID}}, "1108.88")
	require.NoError(t, err)
	require.Len(t, found.Items, 10)
	require.Equal(t, sale.ID, found.Items[0].ID)
	require.Equal(t, "1108.88", *found.Items[0].Amount)
	require.Equal(t, "-1108.88", *found.Items[1].Amount)
	require.Equal(t, "USD", *found.Items[0].Currency)
	require.Equal(t, "2026-01-10", found.Items[0].Date.UTC().Format(time.DateOnly))
	require.Equal(t, []string{"TRANSACTION"}, found.More)

	_, err = b.SQL.Exec(t.Context(), "UPDATE transactions SET total_amount = 0, gross_amount = 0 WHERE id = $1", sale.ID)
	require.NoError(t, err)
	found, err = b.Store.Work.Search(t.Context(), models.Visibility{OrganizationIDs: []string{b.Scope.OrganizationID}}, sale.ID)
	require.NoError(t, err)
	require.Equal(t, "110.00", *found.Items[0].Amount, "a sale without a total has that of its lines")
	_, err = b.SQL.Exec(t.Context(), "UPDATE transactions SET total_amount = 1108.88 WHERE id = $1", sale.ID)
	require.NoError(t, err)

	_, err = b.SQL.Exec(t.Context(), `
		INSERT INTO transactions
		SELECT x.* FROM transactions t, generate_series(100, 5100) n,
		       jsonb_populate_record(t, jsonb_build_object('id', t.id || n, 'external_id', t.external_id || n,
		         'total_amount', n % 10)) x WHERE t.total_amount > 0`)
	require.NoError(t, err)
	_, err = b.SQL.Exec(t.Context(), "ANALYZE transactions")
	require.NoError(t, err)
	rows, err := b.SQL.Query(t.Context(), "EXPLAIN "+work.SearchOfAmounts(),
		false, []string{b.Scope.OrganizationID}, "", false, "7", "%7%", "7", []string{})
	require.NoError(t, err)
	plan, err := pgx.CollectRows(rows, pgx.RowTo[string])
	require.NoError(t, err)
	require.Regexp(t, `Index Scan Backward using transactions_total_amount`, strings.Join(plan, "\n"))
}
