package client

import (
	"context"
	"encoding/json"
	"io"
	"mime"
	"mime/multipart"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/govalues/decimal"
	"github.com/oapi-codegen/nullable"
	openapi_types "github.com/oapi-codegen/runtime/types"
	"github.com/stretchr/testify/require"
)

// seen is one call as the service got it.
type seen struct {
	method, target, body string
	header               http.Header
}

// setup starts a service that gives the answers one after the other, the last
// one for good.
func setup(t *testing.T, answers ...http.HandlerFunc) (*Client, *[]seen) {
	var calls []seen
	service := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		calls = append(calls, seen{r.Method, r.URL.RequestURI(), string(body), r.Header.Clone()})
		answers[min(len(calls), len(answers))-1](w, r)
	}))
	t.Cleanup(service.Close)
	return New(service.URL+"/", "key", "org_1", WithHTTPClient(service.Client()), WithRetries(3, time.Microsecond)), &calls
}

func answer(status int, body string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(status)
		_, _ = io.WriteString(w, body)
	}
}

const unavailable = `{"code":"service_unavailable","status":503,"detail":"Down.","retryable":true,` +
	`"request_id":"req_1","errors":[],"outcome":"not_applied"}`

func TestAWriteIsRepeatedWhenNothingWasWritten(t *testing.T) {
	t.Parallel()
	c, calls := setup(t, answer(503, unavailable), answer(429, `{}`),
		answer(202, `[{"id":"txn_1","total_amount":"12.30"}]`))
	got, err := c.CreateTransaction(t.Context(),
		TransactionCreate{ExternalID: "O-1", TotalAmount: decimal.MustParse("12.30")})
	require.NoError(t, err)
	require.Equal(t, "txn_1", got[0].ID)
	require.Equal(t, "12.30", got[0].TotalAmount)
	require.Len(t, *calls, 3)
	first := (*calls)[0]
	require.Equal(t, "key", first.header.Get("X-Api-Key"))
	require.Equal(t, "org_1", first.header.Get("X-Organization-Id"))
	require.Contains(t, first.body, `"total_amount":"12.30"`)
	require.NotContains(t, first.body, "shop_date")
	for _, call := range *calls {
		require.Equal(t, first.body, call.body)
	}
}

func TestAFinalAnswerIsNotRepeated(t *testing.T) {
	t.Parallel()
	c, calls := setup(t, answer(409,
		`{"code":"duplicate_external_id","status":409,"detail":"Exists.","retryable":false,"existing_id":"prod_1",`+
			`"errors":[{"code":"x","location":"body.a","message":"Bad."}]}`))
	_, err := c.CreateProduct(t.Context(), ProductCreate{ExternalID: "P"}, WithRequestID("mine"))
	require.Equal(t, "duplicate_external_id", ErrorCode(err))
	var failure *Error
	require.ErrorAs(t, err, &failure)
	require.Equal(t, "prod_1", failure.ExistingID)
	require.Equal(t, []string{"body.a: Bad."}, ErrorFields(err))
	require.Len(t, *calls, 1)
	require.Equal(t, "mine", (*calls)[0].header.Get("X-Request-Id"))
}

// The key of an organization belongs to one service, and a write that was redirected would become a read.
func TestARedirectIsNotFollowed(t *testing.T) {
	t.Parallel()
	c, calls := setup(t, func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, "/elsewhere", http.StatusFound) })
	err := c.ArchiveProduct(t.Context(), "prod_1")
	failure := (*Error)(nil)
	require.ErrorAs(t, err, &failure)
	require.Equal(t, http.StatusFound, failure.StatusCode)
	require.Len(t, *calls, 1)
	failure = nil
	require.ErrorAs(t, c.ExportRejectedRows(t.Context(), "impt_1", io.Discard), &failure, "files are sent with a copy of the client")
}

func TestRepeatsEnd(t *testing.T) {
	t.Parallel()
	c, calls := setup(t, answer(503, unavailable))
	_, err := c.GetOrganization(t.Context(), "org_1")
	require.Equal(t, "service_unavailable", ErrorCode(err))
	require.Len(t, *calls, 4)
}

const unknown = `{"code":"outcome_unknown","status":503,"detail":"Unknown.","retryable":true,"request_id":"req_1",` +
	`"errors":[],"outcome":"unknown"}`

func TestAWriteOfUnknownOutcomeIsRepeatedWithItsKey(t *testing.T) {
	t.Parallel()
	lost := func(w http.ResponseWriter, _ *http.Request) {
		connection, _, _ := w.(http.Hijacker).Hijack()
		_ = connection.Close()
	}
	inUse := `{"code":"idempotency_key_in_use","status":409,"detail":"In use.","retryable":true,` +
		`"request_id":"req_1","errors":[]}`
	c, calls := setup(t, lost, answer(503, unknown), answer(409, inUse), answer(200, `{"id":"prod_1"}`))
	_, err := c.CreateProduct(t.Context(), ProductCreate{ExternalID: "P"})
	require.NoError(t, err)
	require.Len(t, *calls, 4)
	key := (*calls)[0].header.Get("Idempotency-Key")
	require.NotEmpty(t, key)
	for _, call := range *calls {
		require.Equal(t, key, call.header.Get("Idempotency-Key"))
	}
	_, err = c.CreateProduct(t.Context(), ProductCreate{ExternalID: "P"})
	require.NoError(t, err)
	require.NotEqual(t, key, (*calls)[4].header.Get("Idempotency-Key"), "another call is another thing")
	_, err = c.CreateProduct(t.Context(), ProductCreate{ExternalID: "P"}, WithIdempotencyKey("mine"))
	require.NoError(t, err)
	require.Equal(t, "mine", (*calls)[5].header.Get("Idempotency-Key"))
	_, err = c.GetProduct(t.Context(), "prod_1")
	require.NoError(t, err)
	require.Empty(t, (*calls)[6].header.Get("Idempotency-Key"))
}

func TestAWriteOfUnknownOutcomeWithoutAKeyIsNotRepeated(t *testing.T) {
	t.Parallel()
	c, calls := setup(t, answer(503, unknown))
	_, err := c.CreateTransaction(t.Context(), TransactionCreate{ExternalID: "O-1"}, WithoutIdempotencyKey())
	require.Equal(t, "outcome_unknown", ErrorCode(err))
	require.Len(t, *calls, 1)
}

func TestWaitingEndsWithTheContext(t *testing.T) {
	t.Parallel()
	c, _ := setup(t, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Retry-After", "60")
		answer(503, unavailable)(w, r)
	})
	ctx, cancel := context.WithTimeout(t.Context(), 3*time.Second) // the answer is there before, on any machine
	defer cancel()
	_, err := c.GetHealth(ctx)
	require.ErrorIs(t, err, context.DeadlineExceeded)
	require.Equal(t, "service_unavailable", ErrorCode(err))
}

func TestPathsAndQueriesAreEscaped(t *testing.T) {
	t.Parallel()
	c, calls := setup(t, answer(200, `{}`))
	_, err := c.GetProductByExternalID(t.Context(), "a/b c?{x}")
	require.NoError(t, err)
	yes := true
	_, err = c.ListTransactions(t.Context(), ListTransactionsParams{
		Country: []string{"US", "CA"}, Marketplace: &yes, Page: 2, SearchQuery: "a&b",
		DateGte: openapi_types.Date{Time: time.Date(2026, 5, 1, 0, 0, 0, 0, time.UTC)},
	})
	require.NoError(t, err)
	require.Equal(t, "/v1/products/external/a%2Fb%20c%3F%7Bx%7D", (*calls)[0].target)
	require.Equal(t, "/v1/transactions?country=US%2CCA&date__gte=2026-05-01&marketplace=true&page=2&search_query=a%26b",
		(*calls)[1].target)
}

func TestAnUpdateDistinguishesAbsentFromNull(t *testing.T) {
	t.Parallel()
	raw, err := json.Marshal(ProductUpdate{Description: nullable.NewNullNullable[string](),
		TaxExempt: nullable.NewNullableWithValue(false)})
	require.NoError(t, err)
	require.JSONEq(t, `{"description":null,"tax_exempt":false}`, string(raw))
}

func TestADeleteHasNoAnswer(t *testing.T) {
	t.Parallel()
	c, calls := setup(t, answer(204, ""))
	require.NoError(t, c.ForOrganization("org_2").RevokeAPIKey(t.Context(), "akey_1"))
	require.Equal(t, "org_2", (*calls)[0].header.Get("X-Organization-Id"))
	require.Equal(t, "/v1/organizations/api_keys/akey_1", (*calls)[0].target)
}

func TestADocumentIsUploadedAsAForm(t *testing.T) {
	t.Parallel()
	c, calls := setup(t, answer(503, unavailable), answer(200, `{"id":"attm_1","filename":"certificate.pdf"}`))
	got, err := c.UploadExemptionAttachment(t.Context(), "exmp_1", "certificate.pdf", []byte("%PDF-1.7\n"),
		WithIdempotencyKey("one"))
	require.NoError(t, err)
	require.Equal(t, "attm_1", got.ID)
	require.Len(t, *calls, 2)
	for _, call := range *calls {
		require.Equal(t, (*calls)[0].body, call.body,
			"a repeat sends the same bytes: the service would take others for another request")
		require.Equal(t, "POST", call.method)
		require.Equal(t, "/v1/exemptions/exmp_1/attachments", call.target)
		require.Equal(t, "one", call.header.Get("Idempotency-Key"))
		_, params, err := mime.ParseMediaType(call.header.Get("Content-Type"))
		require.NoError(t, err)
		form, err := multipart.NewReader(strings.NewReader(call.body), params["boundary"]).ReadForm(1 << 20)
		require.NoError(t, err)
		require.Equal(t, "certificate.pdf", form.File["file"][0].Filename)
		require.EqualValues(t, len("%PDF-1.7\n"), form.File["file"][0].Size)
	}
}

func TestAListIsReadPageByPage(t *testing.T) {
	t.Parallel()
	c, calls := setup(t, answer(200, `{"items":[{"id":"txn_1"},{"id":"txn_2"}],"next_cursor":"a-1"}`),
		answer(200, `{"items":[{"id":"txn_3"}],"next_cursor":"b_2"}`), answer(200, `{"items":[],"next_cursor":null}`))
	var met []string
	for one, err := range c.EachTransaction(t.Context(),
		ListTransactionsParams{Size: 2, Page: 1, OrderBy: []string{"date"}}) {
		require.NoError(t, err)
		met = append(met, one.ID)
	}
	require.Equal(t, []string{"txn_1", "txn_2", "txn_3"}, met)
	require.Len(t, *calls, 3)
	require.Equal(t, "/v1/transactions?order_by=date&page=1&size=2", (*calls)[0].target)
	require.Equal(t, "/v1/transactions?after=a-1&order_by=date&size=2", (*calls)[1].target)
	require.Equal(t, "/v1/transactions?after=b_2&order_by=date&size=2", (*calls)[2].target)

	c, calls = setup(t, answer(200, `{"items":[{"id":"txn_1"}],"next_cursor":"a"}`), answer(404, `{"code":"not_found"}`))
	var failed error
	for _, err := range c.EachTransaction(t.Context(), ListTransactionsParams{}) {
		failed = err
	}
	require.Equal(t, "not_found", ErrorCode(failed))
	for _, err := range c.EachTransaction(t.Context(), ListTransactionsParams{}) {
		require.Equal(t, "not_found", ErrorCode(err))
		break
	}
	require.Len(t, *calls, 3, "nothing is read that nobody wants")
}

func TestNoticesAndUnresolvedTransactionsAreReadPageByPage(t *testing.T) {
	t.Parallel()
	first, last := answer(200, `{"items":[{"id":"a"}],"next_cursor":"x"}`), answer(200, `{"items":[{"id":"b"}],"next_cursor":null}`)
	c, calls := setup(t, first, last, first, last)
	var met []string
	for one, err := range c.EachNotice(t.Context(), ListNoticesParams{Page: 1}) {
		require.NoError(t, err)
		met = append(met, one.ID)
	}
	for one, err := range c.EachUnresolvedFilingTransaction(t.Context(), "filg_1", ListUnresolvedFilingTransactionsParams{Page: 1}) {
		require.NoError(t, err)
		met = append(met, one.ID)
	}
	require.Equal(t, []string{"a", "b", "a", "b"}, met)
	require.Equal(t, "/v1/notices?after=x", (*calls)[1].target)
	require.Equal(t, "/v1/filings/filg_1/transactions/unresolved?after=x", (*calls)[3].target)
}

func TestAListCanBeReadAgain(t *testing.T) {
	t.Parallel()
	first, last := answer(200, `{"items":[],"next_cursor":"a"}`), answer(200, `{"items":[],"next_cursor":null}`)
	c, calls := setup(t, first, last, first, last)
	list := c.EachProduct(t.Context(), ListProductsParams{Page: 1})
	for range 2 {
		for _, err := range list {
			require.NoError(t, err)
		}
	}
	require.Len(t, *calls, 4)
	require.Equal(t, "/v1/products?page=1", (*calls)[0].target)
	require.Equal(t, "/v1/products?page=1", (*calls)[2].target)
}

func TestTheFeedEndsWhereNothingIsLeft(t *testing.T) {
	t.Parallel()
	c, calls := setup(t, answer(200, `{"items":[{"id":"a"}],"next_cursor":"a","has_more":true}`),
		answer(200, `{"items":[{"id":"b"}],"next_cursor":"b","has_more":false}`))
	var met []string
	for one, err := range c.EachEvent(t.Context(), ListEventsParams{}) {
		require.NoError(t, err)
		met = append(met, one.ID)
	}
	require.Equal(t, []string{"a", "b"}, met)
	require.Len(t, *calls, 2)
	require.Equal(t, "/v1/events?after=a", (*calls)[1].target)
}
