package transactions_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"levy/models"
	"levy/store/storetest"
	"levy/store/transactions"
	"levy/tax"
)

// setupMany stores 300 transactions from January to May 2026 in many statuses. Two of three are processed;
// those in progress have their row in the outbox.
func setupMany(t *testing.T) *storetest.Bundle {
	t.Helper()
	b := storetest.Setup(t, 1, 8)
	accept(t, b.Store, storetest.Draft(b.Scope, "ORDER"))
	_, err := b.SQL.Exec(t.Context(), `
		INSERT INTO transactions SELECT x.* FROM transactions t, generate_series(1, 299) n,
		       jsonb_populate_record(t, jsonb_build_object(
		       'id', 'txn_' || lpad(n::text, 26, '0'), 'external_id', 'ORDER-' || n * 7919 % 1000,
		       'date', timestamptz '2026-01-01T00:00:00Z' + n * interval '723 minutes',
		       'created_at', t.created_at + n * interval '1 ms',
		       'type', CASE WHEN n % 41 = 0 THEN 'ARCHIVE' ELSE 'SALE' END,
		       'status', (ARRAY['COMMITTED', 'COMMITTED', 'COMMITTED', 'FULLY_REFUNDED', 'PARTIALLY_REFUNDED'])[n % 5 + 1],
		       'processing_status', (ARRAY['PROCESSED', 'PROCESSED', 'QUEUED', 'PROCESSED', 'EXEMPT_DONE',
		                                    'NEEDS_REFETCH'])[n % 6 + 1],
		       'address_status', CASE WHEN n % 9 = 0 THEN 'PARTIALLY_VERIFIED' ELSE 'VERIFIED' END, 'marketplace', n % 7 = 0,
		       'exempt', CASE WHEN n % 13 = 0 THEN 'FULLY_EXEMPT' ELSE 'NOT_EXEMPT' END,
		       'source', CASE WHEN n % 3 = 0 THEN 'POS' ELSE 'API' END,
		       'connection_id', CASE WHEN n % 4 = 0 THEN 'shop-' || n % 8 END, 'total_amount', n * 37 % 101,
		       'country', CASE WHEN n % 10 = 0 THEN NULL WHEN n % 10 = 1 THEN 'CA' ELSE 'US' END,
		       'state', CASE n % 10 WHEN 0 THEN NULL WHEN 1 THEN 'ON' WHEN 2 THEN 'new york' WHEN 3 THEN 'NY'
		                            ELSE 'TX' END)) x`)
	require.NoError(t, err)
	_, err = b.SQL.Exec(t.Context(), `
		INSERT INTO outbox (organization_id, kind, aggregate_id, epoch)
		SELECT organization_id, 1, id, epoch
		  FROM transactions
		 WHERE NOT is_settled(processing_status)
		ON CONFLICT DO NOTHING`)
	require.NoError(t, err)
	return b
}

var (
	someFilters = []models.TransactionFilter{
		{},
		{Types: []models.TransactionType{models.TypeArchive}},
		{Statuses: []models.TransactionStatus{models.StatusCommitted, "FULLY_REFUNDED"}},
		{Source: "POS"},
		{Marketplace: ptr(true)},
		{ConnectionIDs: []string{"shop-0", "shop-3"}},
		{ProcessingStatuses: []models.ProcessingStatus{models.ProcessingProcessed, models.ProcessingQueued}},
		{ProcessingStatuses: []models.ProcessingStatus{models.ProcessingExemptDone}},
		{AddressStatuses: []tax.AddressStatus{tax.StatusPartiallyVerified}},
		{Exempt: []models.ExemptStatus{models.FullyExempt}},
		{Countries: []string{"CA", "US"}, Marketplace: ptr(false)},
		{States: []string{"NY", "NEW YORK"}, Source: "API"},
		{FilingID: "file_1"},
		{Text: "order-1"},
	}
	someRanges = [][2]string{
		{"", ""},
		{"2026-02-01T00:00:00Z", "2026-03-31T23:59:59.999999Z"}, // months
		{"2026-01-17T00:00:00Z", "2026-04-02T23:59:59.999999Z"}, // days and months
		{"2026-01-17T03:00:00Z", "2026-04-02T21:15:00Z"},        // pieces of days too
		{"2026-02-11T00:00:00Z", "2026-02-27T23:59:59.999999Z"}, // within a month
		{"2026-02-11T09:00:00Z", "2026-02-11T17:00:00Z"},        // within a day
		{"2026-02-11T09:00:00Z", "2026-02-12T17:00:00Z"},        // over a midnight
		{"2026-03-15T12:00:00Z", ""},
		{"", "2026-03-01T00:00:00Z"},
	}
)

// requireExact compares lists, page by page, with the stored transactions.
func requireExact(t *testing.T, b *storetest.Bundle, f models.TransactionFilter, order []models.Order, size int) {
	t.Helper()
	want, err := transactions.PlainList(t.Context(), b.Store.Transactions, b.Scope, f, order)
	require.NoError(t, err)
	got := []string{}
	for offset := 0; ; offset += size {
		page, err := b.Store.Transactions.ListTransactions(t.Context(), b.Scope, f, order,
			models.Page{Limit: size, Offset: offset})
		require.NoError(t, err)
		require.EqualValues(t, len(want), page.Total, "%+v at %d", f, offset)
		for _, one := range page.Items {
			got = append(got, one.ID)
		}
		if offset >= len(want) {
			require.Empty(t, page.Items)
			break
		}
	}
	require.Equal(t, append([]string{}, want...), got, "%+v by %+v", f, order)
}

func TestTotalsAndPagesAreExact(t *testing.T) {
	t.Parallel()
	b := setupMany(t)
	newest := []models.Order{{Column: "date", Desc: true}}
	steps := 0
	check := func(t *testing.T) {
		steps++
		for i, f := range someFilters {
			for j, r := range someRanges {
				if (i+j+steps)%4 != 0 { // all of them in every step take long
					continue
				}
				f.From, _ = time.Parse(time.RFC3339Nano, r[0])
				f.To, _ = time.Parse(time.RFC3339Nano, r[1])
				switch (i + j + steps) / 4 % 3 {
				case 0:
					requireExact(t, b, f, newest, 70)
				case 1:
					requireExact(t, b, f, []models.Order{{Column: "date"}, {Column: "total_amount"}}, 70)
				case 2:
					requireExact(t, b, f, []models.Order{{Column: "state", Desc: j%2 == 0}, {Column: "date"}}, 35)
				}
			}
		}
	}
	step := func(rule, sql string) {
		t.Run(rule, func(t *testing.T) {
			if sql != "" {
				done, err := b.SQL.Exec(t.Context(), sql)
				require.NoError(t, err)
				require.Positive(t, done.RowsAffected())
			}
			check(t)
		})
	}
	step("as they were written", "")
	rolledUp, err := b.Store.Transactions.RollUpCounts(t.Context())
	require.NoError(t, err)
	require.Positive(t, rolledUp)
	step("after rolling up", "")
	step(
		"after a stage",
		`UPDATE transactions SET processing_status = 'NEXUS_DONE' WHERE processing_status = 'EXEMPT_DONE'`,
	)
	step("after some are settled", `WITH settled AS (
		UPDATE transactions SET processing_status = 'PROCESSED', state = 'NY', exempt = 'FULLY_EXEMPT'
		 WHERE processing_status = 'NEXUS_DONE' RETURNING id)
		DELETE FROM outbox USING settled WHERE aggregate_id = id`)
	step("after some are in progress again", `WITH again AS (
		UPDATE transactions SET processing_status = 'QUEUED', epoch = epoch + 1
		 WHERE processing_status = 'NEEDS_REFETCH' AND total_amount > 50 RETURNING organization_id, id, epoch)
		INSERT INTO outbox (organization_id, kind, aggregate_id, epoch) SELECT organization_id, 1, id, epoch FROM again`)
	step(
		"after dates were corrected",
		`UPDATE transactions SET date = date + interval '40 days' WHERE total_amount = 37`,
	)
	step(
		"after some went into a filing",
		`UPDATE transactions
		    SET processing_status = 'FILING_STARTED', filing_id = 'file_1'
		  WHERE state = 'TX' AND processing_status = 'PROCESSED'`,
	)
	_, err = b.Store.Transactions.RollUpCounts(t.Context())
	require.NoError(t, err)
	step("after rolling up again", "")
	again, err := b.Store.Transactions.RollUpCounts(t.Context())
	require.NoError(t, err)
	require.Zero(t, again, "the rows that were rolled up are deleted")
}

// Sales are searched on the days on which they are expected; they may be on others.
func TestPagesOfMonthsWithOneBusyDayAreExact(t *testing.T) {
	t.Parallel()
	b := setupMany(t)
	_, err := b.SQL.Exec(t.Context(), `
		UPDATE transactions
		   SET date = timestamptz '2026-01-30T00:00:00Z' + total_amount * interval '1 minute'
		 WHERE date < '2026-02-01';
		UPDATE transactions
		   SET date = timestamptz '2026-03-02T00:00:00Z' + total_amount * interval '1 minute'
		 WHERE date >= '2026-03-01' AND date < '2026-04-01'`)
	require.NoError(t, err)
	for _, desc := range []bool{false, true} {
		requireExact(
			t, b, models.TransactionFilter{States: []string{"TX"}}, []models.Order{{Column: "date", Desc: desc}},
			9,
		)
	}
}

func TestPagesFollowEveryOrder(t *testing.T) {
	t.Parallel()
	b := setupMany(t)
	for _, column := range []string{
		"date", "state", "customer_name", "status", "total_amount", "created_at", "external_id",
	} {
		for _, desc := range []bool{false, true} {
			t.Run(fmt.Sprint(column, " descending ", desc), func(t *testing.T) {
				t.Parallel()
				requireExact(t, b, models.TransactionFilter{}, []models.Order{{Column: column, Desc: desc}}, 90)
				requireExact(t, b, models.TransactionFilter{
					Countries: []string{"US"}, Source: "API",
				}, []models.Order{{Column: column, Desc: desc}, {Column: "total_amount"}}, 50)
			})
		}
	}
}

// The counts "of all" and the coarse counts are sums of the others.
func TestFewerCountsAreTheSumsOfTheOthers(t *testing.T) {
	t.Parallel()
	b := setupMany(t)
	_, err := b.Store.Transactions.RollUpCounts(t.Context())
	require.NoError(t, err)
	list := func(sql string) []string {
		rows, err := b.SQL.Query(t.Context(), sql)
		require.NoError(t, err)
		found, err := pgx.CollectRows(rows, pgx.RowTo[string])
		require.NoError(t, err)
		return found
	}
	const always = "type, status, source, marketplace, connection_id"
	for _, c := range []struct{ table, span, columns string }{
		{"transaction_counts WHERE span LIKE '%of all'", "span || ' of all'", always},
		{"transaction_coarse_counts", "span", always + ", settled, processing_status, address_status, exempt, country"},
	} {
		counted := list("SELECT ROW(span, start, " + c.columns + ", n)::text FROM (SELECT * FROM " + c.table +
			") c WHERE n <> 0 ORDER BY 1")
		require.NotEmpty(t, counted)
		require.Equal(t, list("SELECT ROW("+c.span+", start, "+c.columns+", sum(n))::text FROM transaction_counts"+
			" WHERE span IN ('month', 'day') GROUP BY span, start, "+c.columns+
			" HAVING sum(n) <> 0 ORDER BY 1"), counted)
	}
}

// Pages of few rows are in one state or two, near its beginning or near its end.
func TestPagesByStateAreExact(t *testing.T) {
	t.Parallel()
	b := setupMany(t)
	for _, desc := range []bool{false, true} {
		requireExact(t, b, models.TransactionFilter{}, []models.Order{{Column: "state", Desc: desc}}, 9)
		requireExact(t, b, models.TransactionFilter{Marketplace: ptr(false)}, []models.Order{
			{Column: "state", Desc: desc}, {Column: "total_amount"},
		}, 7)
	}
}
