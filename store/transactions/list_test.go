package transactions_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/govalues/decimal"
	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"levy/models"
	"levy/store/storetest"
	"levy/store/transactions"
	"levy/tax"
)

func asc(column string) models.Order  { return models.Order{Column: column} }
func desc(column string) models.Order { return models.Order{Column: column, Desc: true} }

// noon is noon UTC of a day of May 2026.
func noon(day int) time.Time { return time.Date(2026, 5, day, 12, 0, 0, 0, time.UTC) }

// setupList stores five sales, A to E, one on each day from 1 to 5 May 2026, and
// one of another organization.
func setupList(t *testing.T) (*storetest.Bundle, map[string]*models.TransactionDraft) {
	t.Helper()
	b := storetest.Setup(t, 1, 8)
	other := storetest.Organization(t, b.URL)
	drafts := map[string]*models.TransactionDraft{}
	var all []*models.TransactionDraft
	for i, name := range []string{"A", "B", "C", "D", "E"} {
		d := storetest.Draft(b.Scope, name)
		d.Date, d.TaxDate = noon(i+1), noon(i+1)
		d.Customer.ExternalID = "customer of " + name
		drafts[name] = d
		all = append(all, d)
	}
	a, bb, c, d, e := drafts["A"], drafts["B"], drafts["C"], drafts["D"], drafts["E"]
	a.ExternalFriendlyID, a.SecondaryExternalID, a.ConnectionID = ptr("50% off"), ptr("x_y"), ptr("shop-1")
	a.Customer.Name, a.State, a.Country = ptr("Zoë Ångström"), ptr("CA"), ptr("US")
	bb.ExternalFriendlyID, bb.SecondaryExternalID, bb.ConnectionID = ptr("500 off"), ptr("xzy"), ptr("shop-2")
	bb.Customer.Name, bb.State, bb.Country = ptr("Bob"), ptr("New York"), ptr("US")
	c.Status, c.Type, c.ProcessingStatus = models.StatusArchived, models.TypeArchive, models.ProcessingArchived
	c.ExternalFriendlyID, c.State, c.Country = ptr(`back\slash`), ptr("ON"), ptr("CA")
	d.Status, d.Marketplace, d.Source, d.Exempt = models.StatusPending, true, "POS", models.FullyExempt
	d.TotalAmount = decimal.MustParse("7.00")
	e.RelatedTo, e.AddressStatus = &a.ID, tax.StatusInvalid
	accept(t, b.Store, a)
	accept(t, b.Store, all[1:]...)
	accept(t, b.Store, storetest.Draft(other, "A"))
	return b, drafts
}

func names(list models.List[models.Transaction]) string {
	var out []string
	for _, t := range list.Items {
		out = append(out, t.ExternalID)
	}
	return strings.Join(out, "")
}

func TestListTransactionsFilters(t *testing.T) {
	t.Parallel()
	b, drafts := setupList(t)
	type filter = models.TransactionFilter
	for _, test := range []struct {
		rule string
		f    filter
		want string
	}{
		{"nothing is hidden by default", filter{}, "ABCDE"},
		{"one type", filter{Types: []models.TransactionType{models.TypeArchive}}, "C"},
		{"several types", filter{Types: []models.TransactionType{models.TypeArchive, models.TypeSale}}, "ABCDE"},
		{"status", filter{Statuses: []models.TransactionStatus{models.StatusPending, models.StatusArchived}}, "CD"},
		{"processing status", filter{ProcessingStatuses: []models.ProcessingStatus{models.ProcessingArchived}}, "C"},
		{"address status", filter{AddressStatuses: []tax.AddressStatus{tax.StatusInvalid}}, "E"},
		{"exempt", filter{Exempt: []models.ExemptStatus{models.FullyExempt}}, "D"},
		{"connection", filter{ConnectionIDs: []string{"shop-1", "shop-2"}}, "AB"},
		{"source", filter{Source: "POS"}, "D"},
		{"marketplace sales", filter{Marketplace: ptr(true)}, "D"},
		{"other sales", filter{Marketplace: ptr(false)}, "ABCE"},
		{"related to", filter{RelatedTo: drafts["A"].ID}, "E"},
		{"related to an unknown one", filter{RelatedTo: "nonsense"}, ""},
		{"customer", filter{CustomerID: drafts["B"].CustomerID}, "B"},
		{"unknown filing", filter{FilingID: "file_x"}, ""},
		{"country", filter{Countries: []string{"CA"}}, "C"},
		{"countries", filter{Countries: []string{"CA", "US"}}, "ABC"},
		{"state as stored or as sent, in any letter case", filter{States: []string{"NY", "NEW YORK"}}, "B"},
		{"from", filter{From: noon(2)}, "BCDE"},
		{"to", filter{To: noon(2)}, "AB"},
		{"from and to", filter{From: noon(2), To: noon(4).Add(-time.Microsecond)}, "BC"},
		{"filters are combined with AND", filter{Countries: []string{"US"}, From: noon(2)}, "B"},
		{"text in the external id, any letter case", filter{Text: "b"}, "BC"}, // and in back\slash, Bob
		{"text in the customer's name, beyond ASCII", filter{Text: "zoË ån"}, "A"},
		{"% is an ordinary character", filter{Text: "0%"}, "A"},
		{"_ is an ordinary character", filter{Text: "x_y"}, "A"},
		{`\ is an ordinary character`, filter{Text: `k\s`}, "C"},
		{"an exact id", filter{Text: drafts["D"].ID}, "D"},
		{"part of an id finds nothing", filter{Text: drafts["D"].ID[:20]}, ""},
		{
			"SQL is text",
			filter{Text: "' OR true --", Source: "'; DROP TABLE transactions; --", States: []string{"$1"}}, "",
		},
	} {
		t.Run(test.rule, func(t *testing.T) {
			t.Parallel()
			list, err := b.Store.Transactions.ListTransactions(t.Context(), b.Scope, test.f,
				[]models.Order{{Column: "external_id"}}, models.Page{Limit: 100})
			require.NoError(t, err)
			require.Equal(t, test.want, names(list.List))
			require.EqualValues(t, len(test.want), list.Total)
			require.NotNil(t, list.Items)
		})
	}
}

func TestListTransactionsOrder(t *testing.T) {
	t.Parallel()
	b, _ := setupList(t)
	for _, test := range []struct {
		rule  string
		order []models.Order
		want  string
	}{
		{"by date", []models.Order{asc("date")}, "ABCDE"},
		{"the newest first", []models.Order{desc("date")}, "EDCBA"},
		{
			"the id decides between equals, in the direction of the first key",
			[]models.Order{desc("created_at"), asc("total_amount")}, "",
		},
		{"absent values last", []models.Order{asc("state")}, "ABCDE"},
		{"absent values last, descending too", []models.Order{desc("state")}, "CBAED"},
		{"by customer", []models.Order{asc("customer_name")}, "BACDE"},
		{"by customer, descending", []models.Order{desc("customer_name")}, "ABEDC"},
		{"by several keys", []models.Order{asc("status"), desc("date")}, "CEBAD"},
		{"a repeated key counts once", []models.Order{desc("date"), asc("date")}, "EDCBA"},
		{"by amount", []models.Order{asc("total_amount"), asc("date")}, "DABCE"},
		{"by id", nil, "ABCDE"},
	} {
		t.Run(test.rule, func(t *testing.T) {
			t.Parallel()
			list, err := b.Store.Transactions.ListTransactions(t.Context(), b.Scope, models.TransactionFilter{},
				test.order, models.Page{Limit: 100})
			require.NoError(t, err)
			require.Len(t, list.Items, 5)
			if test.want != "" {
				require.Equal(t, test.want, names(list.List))
			}
		})
	}
	_, err := b.Store.Transactions.ListTransactions(t.Context(), b.Scope, models.TransactionFilter{}, []models.Order{
		asc("id; DROP TABLE transactions"),
	}, models.Page{Limit: 1})
	require.Error(t, err, "sort keys come from the allow list alone")
}

func TestListTransactionsPages(t *testing.T) {
	t.Parallel()
	b, _ := setupList(t)
	page := func(limit, offset int) models.List[models.Transaction] {
		list, err := b.Store.Transactions.ListTransactions(t.Context(), b.Scope, models.TransactionFilter{},
			[]models.Order{{Column: "date", Desc: true}}, models.Page{Limit: limit, Offset: offset})
		require.NoError(t, err)
		require.EqualValues(t, 5, list.Total, "the total counts what matches, not what is shown")
		return list.List
	}
	require.Equal(t, "ED", names(page(2, 0)))
	require.Equal(t, "CB", names(page(2, 2)))
	require.Equal(t, "A", names(page(2, 4)))
	require.Empty(t, page(2, 6).Items)
	require.Equal(t, "DCB", names(page(3, 1)), "any offset")
	for _, one := range page(5, 0).Items {
		require.Len(t, one.Items, 1, "the parts belong to their transaction")
		require.Equal(t, one.ID, one.Items[0].TransactionID)
		require.Equal(t, one.ID, one.Addresses[0].TransactionID)
		require.Equal(t, "customer of "+one.ExternalID, one.Customer.ExternalID)
	}
}

// TestListTransactionsReadsInIndexOrder: the usual list must not sort everything an
// organization has.
func TestListTransactionsReadsInIndexOrder(t *testing.T) {
	t.Parallel()
	b := storetest.Setup(t, 1, 8)
	d := storetest.Draft(b.Scope, "ORDER")
	accept(t, b.Store, d)
	// Copies of the one row, enough for the planner to choose an index.
	_, err := b.SQL.Exec(t.Context(), `
		INSERT INTO transactions
		SELECT x.* FROM transactions t, generate_series(1, 5000) n,
		       jsonb_populate_record(t, jsonb_build_object('id', t.id || n, 'external_id', t.external_id || n,
		                                                   'date', t.date - n * interval '1 minute')) x`)
	require.NoError(t, err)
	_, err = b.SQL.Exec(t.Context(), "ANALYZE transactions")
	require.NoError(t, err)
	for name, order := range map[string][]models.Order{
		"newest first": {{Column: "date", Desc: true}}, "oldest first": {{Column: "date"}},
		"external id": {{Column: "external_id"}},
		"external id alone decides": {
			{Column: "external_id", Desc: true}, {Column: "state"},
		}, "newest record": {{Column: "created_at", Desc: true}},
		"amount": {{Column: "total_amount"}}, "status": {{Column: "status", Desc: true}},
	} {
		sql, args, err := transactions.TransactionPageSQL(b.Scope, models.TransactionFilter{}, order,
			models.Page{Limit: 50, Offset: 1000}, 5001)
		require.NoError(t, err)
		rows, err := b.SQL.Query(t.Context(), "EXPLAIN "+sql, args...)
		require.NoError(t, err)
		plan, err := pgx.CollectRows(rows, pgx.RowTo[string])
		require.NoError(t, err)
		require.Contains(t, strings.Join(plan, "\n"), "Index", name)
		if name == "amount" { // only the few without a total are sorted, and then the rows of the page
			require.Contains(t, strings.Join(plan, "\n"), "Scan using transactions_total_amount", name)
			require.NotContains(t, strings.Join(plan, "\n"), "Seq Scan", name)
			continue
		}
		for _, line := range plan {
			require.False(
				t, strings.HasPrefix(strings.TrimLeft(line, " ->"), "Sort  ("), "%s: %s", name,
				strings.Join(plan, "\n"),
			)
		}
	}
}

// An organization has grown since the table was analyzed, in a database with a large one. It must be read by the
// indexes that its list needs, and not by other indexes that begin with the organization.
func TestListsOfAGrownOrganizationReadByKey(t *testing.T) {
	t.Parallel()
	b := storetest.Setup(t, 1, 8)
	grown := storetest.Organization(t, b.URL)
	copies := func(scope models.Scope, n int) {
		accept(t, b.Store, storetest.Draft(scope, "ORDER"))
		_, err := b.SQL.Exec(t.Context(), `
			INSERT INTO transactions
			SELECT x.*
			  FROM transactions t, generate_series(1, $1) n,
			       jsonb_populate_record(t, jsonb_build_object('id', 'txn_' || lpad(md5(t.id || n), 26), 'external_id',
			                                                   t.external_id || n, 'state', 'NY',
			                                                   'date', t.date - n * interval '1 minute')) x
			 WHERE t.organization_id = $2`, n, scope.OrganizationID)
		require.NoError(t, err)
	}
	copies(b.Scope, 6000)
	_, err := b.SQL.Exec(t.Context(), "ALTER TABLE transactions SET (autovacuum_enabled = false)")
	require.NoError(t, err)
	_, err = b.SQL.Exec(t.Context(), "VACUUM ANALYZE transactions, customers")
	require.NoError(t, err)
	copies(grown, 300)
	sql, args, err := transactions.TransactionListSQL(grown, models.TransactionFilter{States: []string{"NY"}},
		time.Now().UTC().Truncate(24*time.Hour))
	require.NoError(t, err)
	tx, err := b.SQL.Begin(t.Context())
	require.NoError(t, err)
	defer func() { _ = tx.Rollback(t.Context()) }()
	_, err = tx.Exec(t.Context(), "SET LOCAL plan_cache_mode = force_custom_plan")
	require.NoError(t, err)
	rows, err := tx.Query(t.Context(), "EXPLAIN "+sql, args...)
	require.NoError(t, err)
	lines, err := pgx.CollectRows(rows, pgx.RowTo[string])
	require.NoError(t, err)
	plan := strings.Join(lines, "\n")
	for _, index := range []string{"transactions_date", "transactions_pkey"} {
		require.Contains(t, plan, index, plan)
	}
	require.NotContains(t, plan, "Sort Key: t_1", "the index gives the order")
}

func TestTransactionHistory(t *testing.T) {
	t.Parallel()
	b := storetest.Setup(t, 1, 8)
	other := storetest.Organization(t, b.URL)
	d := storetest.Draft(b.Scope, "ORDER-1")
	d.Actor = models.Actor{APIKeyID: "akey_1", RequestID: "req_1"}
	accept(t, b.Store, d, storetest.Draft(b.Scope, "ORDER-2"))
	ref := models.Ref{OrganizationID: d.OrganizationID, ID: d.ID, Epoch: 1}
	run := models.StageRun{WorkflowID: "transactions/batc_1", RunID: "run-1", Attempt: 2}
	_, err := b.Store.Transactions.SaveAddresses(t.Context(), run, []models.Ref{ref}, []models.AddressOutcome{
		{Ref: ref, To: models.ProcessingAddressDone, Place: storetest.NewYork},
	})
	require.NoError(t, err)
	_, err = b.Store.Transactions.SaveExemptions(t.Context(), run, []models.Ref{ref}, []models.ExemptionOutcome{
		{Ref: ref, Exempt: models.NotExempt},
	})
	require.NoError(t, err)
	_, err = b.SQL.Exec(t.Context(), `INSERT INTO audit (organization_id, id, request_id, action, entity_type, entity_id,
		  revision)
		VALUES ($1, 'audt_2', 'req_2', 'update', 'transaction', $2, 2),
		  ($1, 'audt_3', 'req_3', 'update', 'product', $2, 2)`, d.OrganizationID, d.ID)
	require.NoError(t, err)

	all, err := b.Store.Transactions.TransactionHistory(t.Context(), b.Scope, d.ID, models.Page{Limit: 50})
	require.NoError(t, err)
	require.EqualValues(t, 4, all.Total)
	var lines []string
	for i, r := range all.Items {
		by := "-"
		if r.RequestID != nil {
			by = *r.RequestID
		}
		if r.WorkflowID != nil {
			by = *r.WorkflowID + " " + *r.WorkflowRunID
		}
		lines = append(lines, fmt.Sprintf("%s %d %d %s", r.Stage, r.Revision, r.Attempt, by))
		require.True(t, i == 0 || !r.At.Before(all.Items[i-1].At), "in time order")
	}
	require.Equal(t, []string{
		"ACCEPTED 1 1 req_1",
		"ADDRESS_DONE 1 2 transactions/batc_1 run-1",
		"EXEMPT_DONE 1 2 transactions/batc_1 run-1",
		"UPDATED 2 1 req_2",
	}, lines)
	require.Equal(t, "VERIFIED", all.Items[1].Detail["address_status"])
	require.Empty(t, all.Items[0].Detail)

	second, err := b.Store.Transactions.TransactionHistory(t.Context(), b.Scope, d.ID, models.Page{Limit: 1, Offset: 1})
	require.NoError(t, err)
	require.EqualValues(t, 4, second.Total)
	require.Equal(t, all.Items[1:2], second.Items)

	_, err = b.Store.Transactions.TransactionHistory(t.Context(), other, d.ID, models.Page{Limit: 50})
	require.ErrorIs(t, err, models.ErrNotFound, "of another organization")
	_, err = b.Store.Transactions.TransactionHistory(t.Context(), b.Scope, models.NewID("txn"), models.Page{Limit: 50})
	require.ErrorIs(t, err, models.ErrNotFound)
}

// A page of sales with many lines is not read at once: it names the parts in which it can be read.
func TestAPageOfManyLinesIsReadInParts(t *testing.T) {
	t.Parallel()
	b := storetest.Setup(t, 1, 8)
	byName := []models.Order{{Column: "external_id", Desc: true}}
	var ids []string
	for i, lines := range []int{1, transactions.PageLines, 400, 600, 3} {
		d := storetest.Draft(b.Scope, fmt.Sprint("ORDER-", 9-i))
		d.Items = nil
		for n := range lines {
			d.Items = append(d.Items, storetest.Item(d, n, "P-1", "1.00"))
		}
		ids = append(ids, d.ID)
		accept(t, b.Store, d)
	}
	list := func(limit int) models.TransactionPage {
		page, err := b.Store.Transactions.ListTransactions(t.Context(), b.Scope, models.TransactionFilter{}, byName,
			models.Page{Limit: limit})
		require.NoError(t, err)
		require.EqualValues(t, len(ids), page.Total)
		return page
	}
	small := list(1)
	require.Len(t, small.Items, 1)
	require.Nil(t, small.Parts)
	page := list(100)
	require.Empty(t, page.Items)
	require.Equal(t, [][]string{ids[:1], ids[1:2], ids[2:4], ids[4:]}, page.Parts)
	read, err := b.Store.Transactions.TransactionsOf(t.Context(), b.Scope, page.Parts[2])
	require.NoError(t, err)
	for i, lines := range []int{400, 600} {
		whole, err := b.Store.Transactions.Transaction(t.Context(), b.Scope, ids[2+i])
		require.NoError(t, err)
		require.Equal(t, whole, read[i])
		require.Len(t, read[i].Items, lines)
	}
}

// TestCursorsOfTransactionsVisitEachOnce: a client that reads a list by cursors gets each existing row once and in
// order, whatever rows are added meanwhile, before and after.
func TestCursorsOfTransactionsVisitEachOnce(t *testing.T) {
	t.Parallel()
	b, _ := setupList(t)
	added := 0
	add := func() {
		added++
		_, err := b.SQL.Exec(t.Context(), `
			INSERT INTO transactions
			SELECT x.*
			  FROM transactions t,
			       jsonb_populate_record(t, jsonb_build_object('id', t.id || $2::text, 'external_id', t.external_id || $2::text,
			                                                   'processing_status', 'PROCESSED')) x
			 WHERE t.organization_id = $1
			   AND length(t.external_id) = 1`, b.Scope.OrganizationID, fmt.Sprint("+", added))
		require.NoError(t, err)
	}
	for _, order := range [][]models.Order{
		{desc("date")}, {asc("date")}, {asc("created_at")}, {desc("created_at")}, {asc("external_id")}, {desc("external_id")},
		{asc("total_amount")}, {desc("status")}, {asc("state")}, {desc("state")}, {asc("customer_name")},
		{desc("customer_name")},
		{asc("state"), desc("date")}, {desc("status"), asc("total_amount")}, {asc("customer_name"), desc("state")},
	} {
		was, err := transactions.PlainList(t.Context(), b.Store.Transactions, b.Scope, models.TransactionFilter{}, order)
		require.NoError(t, err)
		page, met := models.Page{Limit: 3}, []string{}
		for {
			list, err := b.Store.Transactions.ListTransactions(t.Context(), b.Scope, models.TransactionFilter{}, order, page)
			require.NoError(t, err)
			require.EqualValues(t, len(was), list.Total, "the total is that of the first page")
			for i := range list.Items {
				met = append(met, list.Items[i].ID)
			}
			if list.Next == nil {
				break
			}
			require.EqualValues(t, len(met), list.Next.Rows)
			require.LessOrEqual(t, len(list.Items), 3)
			page.After = list.Next
			if page.After.Rows == 3 {
				add()
			}
		}
		once := slices.Compact(slices.Sorted(slices.Values(met)))
		require.Len(t, once, len(met), "%v: each row once", order)
		met = slices.DeleteFunc(met, func(id string) bool { return !slices.Contains(was, id) })
		require.Equal(t, was, met, "%v", order)
	}
}

// TestACursorOfAnotherListIsRefused: a cursor of another list is a fault of the request.
func TestACursorOfAnotherListIsRefused(t *testing.T) {
	t.Parallel()
	b, _ := setupList(t)
	for name, keys := range map[string][]*string{
		"too few": {ptr("x")}, "no time": {ptr("x"), ptr("txn_1")}, "absent": {nil, ptr("txn_1")},
		"no text": {ptr("2026-05-01T00:00:00Z"), ptr("\x00")}, "none": {},
	} {
		_, err := b.Store.Transactions.ListTransactions(t.Context(), b.Scope, models.TransactionFilter{},
			[]models.Order{desc("date")}, models.Page{Limit: 2, After: &models.Place{Keys: keys}})
		var invalid *models.InvalidError
		require.ErrorAs(t, err, &invalid, name)
	}
}
