package api

import (
	"encoding/json"
	"net/http"
	"runtime"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/stretchr/testify/require"

	"levy/contract"
	"levy/models"
	"levy/service"
	"levy/tax"
)

func TestListTransactionsPasses(t *testing.T) {
	t.Parallel()
	b := setupTransactions(t)
	b.found = processedTransaction(b.scope)
	midnight := func(day int) time.Time { return time.Date(2026, 5, day, 0, 0, 0, 0, time.UTC) }
	last := func(day int) time.Time { return midnight(day + 1).Add(-time.Microsecond) }
	newest := []models.Order{{Column: "date", Desc: true}}
	first := models.Page{Limit: 50}
	for _, test := range []struct {
		rule, query string
		filter      models.TransactionFilter
		order       []models.Order
		page        models.Page
	}{
		{"the newest first, 50 of them", "", models.TransactionFilter{}, newest, first},
		{"every filter",
			"transaction_type=SALE,ARCHIVE&related_to=txn_1&search_query=50%25&country=US&country=CA,DE&status=COMMITTED,PENDING" +
				"&processing_status__in=QUEUED&address_status__in=VERIFIED,BLANK&exempt__in=NOT_EXEMPT&connection_id__in=a," +
				"b&transaction_source=POS" +
				"&filing_id=file_1&customer_id=cust_1&marketplace=false",
			models.TransactionFilter{Types: []models.TransactionType{"SALE", "ARCHIVE"}, RelatedTo: "txn_1",
				Text: "50%", Countries: []string{"US", "CA", "DE"},
				Statuses:           []models.TransactionStatus{"COMMITTED", "PENDING"},
				ProcessingStatuses: []models.ProcessingStatus{"QUEUED"},
				AddressStatuses:    []tax.AddressStatus{"VERIFIED", "BLANK"}, Exempt: []models.ExemptStatus{"NOT_EXEMPT"},
				ConnectionIDs: []string{"a", "b"},
				Source:        "POS", FilingID: "file_1", CustomerID: "cust_1", Marketplace: new(bool)}, newest, first},
		{"a state by its code", "state_code=ny", models.TransactionFilter{States: []string{"NY"}}, newest, first},
		{
			"a state by its name", "state=New+York",
			models.TransactionFilter{States: []string{"NEW YORK", "NY"}}, newest, first,
		},
		{"a province", "state=ontario", models.TransactionFilter{States: []string{"ONTARIO", "ON"}}, newest, first},
		{"a state nobody knows", "state=Bavaria", models.TransactionFilter{States: []string{"BAVARIA"}}, newest, first},
		{
			"bare days include the whole day", "startDate=2026-05-01&endDate=2026-05-03",
			models.TransactionFilter{From: midnight(1), To: last(3)}, newest, first,
		},
		{"date-times are exact", "startDate=2026-05-01T12:00:00%2B02:00&endDate=2026-05-03T00:00:00Z",
			models.TransactionFilter{From: midnight(1).Add(10 * time.Hour), To: midnight(3)}, newest, first},
		{
			"days", "date__gte=2026-05-02&date__lte=2026-05-04",
			models.TransactionFilter{From: midnight(2), To: last(4)}, newest, first,
		},
		{
			"the narrower of both",
			"startDate=2026-05-01&endDate=2026-05-09&date__gte=2026-05-02&date__lte=2026-05-04",
			models.TransactionFilter{From: midnight(2), To: last(4)}, newest, first,
		},
		{"the narrower of both, the other way",
			"startDate=2026-05-03&endDate=2026-05-04&date__gte=2026-05-02&date__lte=2026-05-08",
			models.TransactionFilter{From: midnight(3), To: last(4)}, newest, first},
		{"sort keys", "order_by=customer_name,-state,status,total_amount,created_at,external_id,date",
			models.TransactionFilter{}, []models.Order{
				{Column: "customer_name"}, {Column: "state", Desc: true}, {Column: "status"}, {Column: "total_amount"},
				{Column: "created_at"}, {Column: "external_id"}, {Column: "date"},
			}, first},
		{"page and size", "page=3&size=20", models.TransactionFilter{}, newest, models.Page{Limit: 20, Offset: 40}},
		{
			"limit and offset", "limit=7&offset=10", models.TransactionFilter{}, newest,
			models.Page{Limit: 7, Offset: 10},
		},
		{"offset alone", "offset=10", models.TransactionFilter{}, newest, models.Page{Limit: 50, Offset: 10}},
		{"limit alone", "limit=1", models.TransactionFilter{}, newest, models.Page{Limit: 1}},
		{
			"empty parameters count as absent", "status=&startDate=&search_query=&page=",
			models.TransactionFilter{}, newest, first,
		},
	} {
		t.Run(test.rule, func(t *testing.T) {
			answer := b.send(http.MethodGet, "/v1/transactions?"+test.query, "")
			require.Equal(t, http.StatusOK, answer.Code, answer.Body.String())
			require.Empty(t, cmp.Diff(test.filter, b.filter, cmpopts.EquateEmpty()))
			require.Equal(t, test.order, b.order)
			require.Equal(t, test.page, b.page)
		})
	}
}

func TestListTransactionsAnswers(t *testing.T) {
	t.Parallel()
	b := setupTransactions(t)
	b.found, b.total = processedTransaction(b.scope), 21
	for query, want := range map[string][4]int{ // page, size, pages, items
		"":                  {1, 50, 1, 1},
		"page=3&size=5":     {3, 5, 5, 1},
		"limit=5&offset=14": {3, 5, 5, 1},
		"limit=5&offset=15": {4, 5, 5, 1},
	} {
		answer := b.send(http.MethodGet, "/v1/transactions?"+query, "")
		require.Equal(t, http.StatusOK, answer.Code, answer.Body.String())
		requireContract(t, "TransactionList", answer.Body.Bytes())
		var list struct {
			Items                    []any
			Total, Page, Size, Pages int
		}
		require.NoError(t, json.Unmarshal(answer.Body.Bytes(), &list))
		require.Equal(t, 21, list.Total)
		require.Equal(t, want, [4]int{list.Page, list.Size, list.Pages, len(list.Items)}, query)
	}
}

// A large page is read and written part by part, and equals any other answer.
func TestALargePageIsAnsweredInParts(t *testing.T) {
	t.Parallel()
	b := setupTransactions(t)
	b.found, b.total = processedTransaction(b.scope), 21
	id := func() string { return models.NewID(models.PrefixTransaction) }
	first, second, third := id(), id(), id()
	b.parts = [][]string{{first, second}, {third}, {}}
	answer := b.send(http.MethodGet, "/v1/transactions?size=3&page=2", "")
	require.Equal(t, http.StatusOK, answer.Code, answer.Body.String())
	require.Contains(t, answer.Header().Get("Content-Type"), "application/json")
	requireContract(t, "TransactionList", answer.Body.Bytes())
	var list struct {
		Items                    []struct{ ID string }
		Total, Page, Size, Pages int
	}
	require.NoError(t, json.Unmarshal(answer.Body.Bytes(), &list))
	require.Equal(t, []struct{ ID string }{{first}, {second}, {third}}, list.Items)
	require.Equal(t, [4]int{21, 2, 3, 7}, [4]int{list.Total, list.Page, list.Size, list.Pages})
	rows := b.send(http.MethodGet, "/v1/transactions/"+first+"/related_transactions", "")
	require.Equal(t, http.StatusOK, rows.Code, rows.Body.String())
	require.Contains(t, rows.Body.String(), third)

	who, err := b.service.CallerByKey(t.Context(), service.Peer{}, b.key)
	require.NoError(t, err)
	session, err := b.service.Enter(t.Context(), who, "listTransactions", b.scope.OrganizationID)
	require.NoError(t, err)
	defer session.Close()
	typed, err := session.ListTransactions(t.Context(), contract.ListTransactionsRequest{
		Params: contract.ListTransactionsParams{Page: 2, Size: 3},
	})
	require.NoError(t, err)
	require.Equal(t, []string{first, second, third}, []string{typed.Items[0].ID, typed.Items[1].ID, typed.Items[2].ID})
	require.EqualValues(t, 21, typed.Total)

	b.readPart = func(ids []string) ([]models.Transaction, error) {
		if ids[0] == third {
			return nil, models.ErrUnavailable
		}
		return []models.Transaction{b.found}, nil
	}
	failed := b.send(http.MethodGet, "/v1/transactions?size=3", "")
	require.Equal(t, http.StatusServiceUnavailable, failed.Code, "as long as nothing is sent")
	requireContract(t, "Problem", failed.Body.Bytes())
}

// Of a page of any size only one part is in memory.
func TestALargePageKeepsOnePartInMemory(t *testing.T) {
	t.Parallel()
	b := setupTransactions(t)
	for range 8 {
		b.parts = append(b.parts, []string{"txn_1"})
	}
	var held atomic.Int64
	b.readPart = func([]string) ([]models.Transaction, error) {
		require.Eventually(t, func() bool { runtime.GC(); return held.Load() == 0 }, 3*time.Minute, time.Millisecond,
			"the previous part is not in memory any more")
		part := []models.Transaction{processedTransaction(b.scope)}
		part[0].Items = append([]models.TransactionItem{}, part[0].Items...)
		held.Add(1)
		runtime.AddCleanup(&part[0].Items[0], func(struct{}) { held.Add(-1) }, struct{}{})
		return part, nil
	}
	answer := b.send(http.MethodGet, "/v1/transactions", "")
	require.Equal(t, http.StatusOK, answer.Code)
}

func TestListTransactionsRefuses(t *testing.T) {
	t.Parallel()
	b := setupTransactions(t)
	for query, want := range map[string]string{
		"after=x":            "invalid_format",
		"after=bm9uZQ":       "invalid_format",
		"after=e30&page=2":   "not_allowed",
		"after=e30&offset=2": "not_allowed",
		"after=eyJsIjoiMCIsImsiOltdLCJyIjotMSwidCI6MX0": "invalid_format", // {"l":"0","k":[],"r":-1,"t":1}
		"order_by=id":        "unknown_order_field",
		"order_by=date;drop": "unknown_order_field",
		"limit=5&page=1":     "not_allowed",
		"size=101":           "out_of_range",
		"offset=1000001":     "out_of_range",
		"startDate=2026-05-02&endDate=2026-05-01":      "mismatch",
		"date__gte=2026-05-02&date__lte=2026-05-01":    "mismatch",
		"startDate=2026-05-01T00:00:00+02:00":          "invalid_format",
		"status=committed":                             "invalid_enum",
		"marketplace=1":                                "invalid_format",
		"search_query=a&search_query=b":                "not_allowed",
		"transaction_source=SOMETHING":                 "invalid_enum",
		"page=99999999999999999999&processing_status=": "out_of_range",
	} {
		answer := b.send(http.MethodGet, "/v1/transactions?"+query, "")
		require.Equal(t, http.StatusBadRequest, answer.Code, query)
		require.Contains(t, answer.Body.String(), `"code":"`+want+`"`, query)
	}
}

// TestACursorIsValidForOneList checks that a cursor is valid only for the list that returned it.
func TestACursorIsValidForOneList(t *testing.T) {
	t.Parallel()
	b := setupTransactions(t)
	b.found, b.total = processedTransaction(b.scope), 101
	b.place = &models.Place{Keys: []*string{new("2026-05-01T00:00:00.000001Z"), nil, new("Zoë \"]\"")}, Rows: 50,
		Total: 101}
	list := func(query string, status int) (answer struct {
		Total, Page, Pages int
		NextCursor         *string `json:"next_cursor"`
	},
	) {
		got := b.send(http.MethodGet, "/v1/transactions?"+query, "")
		require.Equal(t, status, got.Code, got.Body)
		require.NoError(t, json.Unmarshal(got.Body.Bytes(), &answer))
		return answer
	}
	first := list("status=COMMITTED&order_by=-date", http.StatusOK)
	require.Nil(t, b.page.After)
	second := list("order_by=-date&size=20&status=COMMITTED&after="+*first.NextCursor, http.StatusOK)
	require.Equal(t, b.place, b.page.After)
	require.Equal(t, models.Page{Limit: 20, After: b.place}, b.page)
	require.Equal(t, 3, second.Page, "50 rows are before it")
	list("order_by=-date&limit=20&status=COMMITTED&after="+*first.NextCursor, http.StatusOK)
	require.Equal(t, 20, b.page.Limit)
	for _, query := range []string{
		"order_by=date&status=COMMITTED", "status=PENDING", "", "status=COMMITTED&customer_id=cust_1",
	} {
		list(query+"&after="+*first.NextCursor, http.StatusBadRequest)
	}
	b.place = nil
	require.Nil(t, list("status=COMMITTED&order_by=-date", http.StatusOK).NextCursor)
}
