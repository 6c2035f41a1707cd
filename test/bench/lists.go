package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"time"
)

// fewRows is the small organization that a large one is compared with.
const fewRows = 10000

// listQueries are the lists that are measured: every order, first and last page; every
// filter; pages in the middle in the order of the date. %[1]d is the page in the middle
// of all, %[2]d the last one.
var listQueries = []string{
	"", "order_by=date", "order_by=created_at", "order_by=-created_at", "order_by=external_id", "order_by=-external_id",
	"order_by=total_amount", "order_by=-total_amount", "order_by=status", "order_by=-status", "order_by=customer_name",
	"page=%[1]d", "order_by=date&page=%[1]d",
	"page=%[2]d", "order_by=date&page=%[2]d", "order_by=created_at&page=%[2]d", "order_by=external_id&page=%[2]d",
	"order_by=total_amount&page=%[2]d", "order_by=status&page=%[2]d", "order_by=customer_name&page=%[2]d",
	"status=PENDING", "status=COMMITTED&page=%[1]d", "status=CANCELLED", "processing_status__in=PROCESSED",
	"processing_status__in=QUEUED",
	"transaction_type=SALE&page=%[1]d", "country=US&page=%[1]d", "marketplace=true", "marketplace=false&page=%[1]d",
	"exempt__in=FULLY_EXEMPT",
	"address_status__in=PARTIALLY_VERIFIED", "transaction_source=API&page=%[1]d", "connection_id__in=shop-2",
	"state=NY", "state_code=CA&marketplace=false",
	"customer_id=cust_00000000000000000000000100", "related_to=txn_00000000000000000000000001",
	"filing_id=file_00000000000000000000000001",
	"search_query=000015838", "search_query=Customer%%20000000123",
	"startDate=%[3]s&endDate=%[4]s", "startDate=%[3]s&endDate=%[4]s&state=NY", "date__gte=%[3]s&order_by=date",
}

// Orders without counts: a page in the middle walks over what lies before it, in the
// index. They are shown by themselves.
var walkedQueries = []string{
	"order_by=created_at&page=%[1]d", "order_by=external_id&page=%[1]d", "order_by=total_amount&page=%[1]d",
	"order_by=status&page=%[1]d",
}

// sortedQueries need an order that no index has.
var sortedQueries = []string{"order_by=state", "order_by=-state", "order_by=customer_name&page=%[1]d"}

// listRounds is how often each list is asked for.
const listRounds = 20

// measureLists asks an organization for its lists, with few rows and with many.
func (b *bench) measureLists(ctx context.Context) error {
	b.say("Lists of %d and of %d transactions", fewRows, b.Rows)
	if err := b.ensure(ctx, false); err != nil {
		return err
	}
	var small, large latencies
	for _, rows := range []int{fewRows, b.Rows} {
		if err := b.fill(ctx, rows); err != nil {
			return err
		}
		if _, err := b.askForLists(ctx, listQueries, 2); err != nil { // caches
			return err
		}
		all, err := b.askForLists(ctx, listQueries, listRounds)
		if err != nil {
			return err
		}
		small, large = large, all
		b.say("  %d transactions: p50 %.1f ms, p99 %.1f ms", rows, all.percentile(50), all.percentile(99))
	}
	b.report.atMost(fmt.Sprintf("lists, p99 with %d transactions over p99 with %d", b.Rows, fewRows), "x",
		large.percentile(99)/small.percentile(99), 1.2)
	b.report.note("Lists of %d transactions: p50 %.1f ms, p99 %.1f ms; of %d: p50 %.1f ms, p99 %.1f ms.", fewRows,
		small.percentile(50), small.percentile(99),
		b.Rows, large.percentile(50), large.percentile(99))
	for what, queries := range map[string][]string{"a page in the middle, in an order without counts": walkedQueries,
		"an order without an index": sortedQueries} {
		all, err := b.askForLists(ctx, queries, 5)
		if err != nil {
			return err
		}
		b.say("  %s: p50 %.0f ms, p99 %.0f ms", what, all.percentile(50), all.percentile(99))
		b.report.note("Lists of %d transactions, %s: p50 %.0f ms, p99 %.0f ms.", b.Rows, what, all.percentile(50),
			all.percentile(99))
	}
	return nil
}

// askForLists asks for every list so many times, one after the other, in a random order.
func (b *bench) askForLists(ctx context.Context, queries []string, rounds int) (latencies, error) {
	pages := max(1, b.filled/50)
	month := time.Now().UTC().AddDate(0, -6, 0)
	day := func(d time.Time) string { return d.Format(time.DateOnly) }
	byQuery := make([]latencies, len(queries))
	var all latencies
	for range rounds {
		for _, i := range rand.Perm(len(queries)) {
			query := fmt.Sprintf(queries[i]+"%[5]s", pages/2, pages, day(month), day(month.AddDate(0, 1, 0)), "")
			took, err := b.list(ctx, query)
			if err != nil {
				return nil, err
			}
			all = append(all, took)
			byQuery[i] = append(byQuery[i], took)
		}
	}
	for i, query := range queries {
		b.say("    p50 %7.1f ms, p99 %7.1f ms  %s", byQuery[i].percentile(50), byQuery[i].percentile(99), query)
	}
	return all, nil
}

func (b *bench) list(ctx context.Context, query string) (time.Duration, error) {
	return b.get(ctx, "/v1/transactions?"+query)
}

// get asks for a list that says how long it is.
func (b *bench) get(ctx context.Context, path string) (time.Duration, error) {
	request, err := b.newGet(ctx, path)
	if err != nil {
		return 0, err
	}
	began := time.Now()
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		return 0, err
	}
	defer answer.Body.Close()
	body, err := io.ReadAll(answer.Body)
	took := time.Since(began)
	if err != nil {
		return 0, err
	}
	var list struct {
		Total *int64 `json:"total"`
	}
	if err := json.Unmarshal(body, &list); err != nil || answer.StatusCode != http.StatusOK || list.Total == nil {
		return 0, fmt.Errorf("GET %s: %s: %.300s", request.URL, answer.Status, body)
	}
	return took, nil
}

func (b *bench) newGet(ctx context.Context, path string) (*http.Request, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, b.baseURL+path, http.NoBody)
	if err != nil {
		return nil, err
	}
	request.Header.Set("X-API-KEY", b.apiKey)
	request.Header.Set("x-organization-id", b.organizationID)
	return request, nil
}
