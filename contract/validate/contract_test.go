package validate

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/gin-gonic/gin"
	"github.com/stretchr/testify/require"

	"levy/contract"
	"levy/contract/problem"
)

// testNow is the clock of the requests under test.
var testNow = time.Date(2026, 6, 1, 12, 0, 0, 0, time.UTC)

// compiledContract is the whole contract.
type compiledContract struct {
	checker  *Checker
	requests map[string]*Request // by method, a space and Gin's path
}

var placeholder = regexp.MustCompile(`\{([^}]+)\}`)

// compiled is made once, as in a process.
var compiled = sync.OnceValues(func() (*compiledContract, error) {
	gin.SetMode(gin.ReleaseMode)
	raw, err := os.ReadFile("../openapi.gen.json")
	if err != nil {
		return nil, err
	}
	doc, err := ReadDocument(raw)
	if err != nil {
		return nil, err
	}
	c := &compiledContract{requests: map[string]*Request{}, checker: New(Options{
		Sources:      []string{"WEBSHOP"},
		Category:     func(name string) bool { return strings.EqualFold(name, "PHYSICAL") },
		Jurisdiction: func(_, state string) bool { return state != "Atlantis" },
	})}
	for path, item := range doc.Paths {
		for method, spec := range item.Operations() {
			request, err := c.checker.Compile(method+" "+path, item, spec)
			if err != nil {
				return nil, err
			}
			c.requests[method+" "+placeholder.ReplaceAllString(path, ":$1")] = request
		}
	}
	return c, nil
})

// bundle is a router with the whole contract. It keeps the validated request.
type bundle struct {
	*compiledContract
	router *gin.Engine
	bound  struct{ params, body []byte }

	ignored string
}

func setup(t testing.TB) *bundle {
	c, err := compiled()
	require.NoError(t, err)
	b := &bundle{compiledContract: c, router: gin.New()}
	b.router.UseRawPath = true
	for at, request := range c.requests {
		method, path, _ := strings.Cut(at, " ")
		b.router.Handle(method, path, func(c *gin.Context) { b.check(c, request) })
	}
	return b
}

func (b *bundle) check(c *gin.Context, request *Request) {
	var body []byte
	if request.HasBody() {
		body, _ = io.ReadAll(c.Request.Body) // a reader in memory
	}
	run := b.checker.Begin(testNow)
	defer b.checker.End(run)
	refusal := run.Check(c.Request.Context(), request, body, c.Request.URL.RawQuery, false)
	b.ignored = run.Ignored()
	if refusal == nil && !request.Possible(c.Param) {
		refusal = problem.New(problem.CodeResourceNotFound, "")
	}
	if refusal != nil {
		raw, err := refusal.Body(c.Request.URL.EscapedPath(), "")
		if err != nil {
			_ = c.Error(err)
		}
		c.Data(problem.StatusOf(refusal.Code), problem.ContentType, raw)
		return
	}
	b.bound.params, b.bound.body = append([]byte{}, run.Params()...), append([]byte{}, run.Body()...)
	c.Status(http.StatusOK)
}

func (b *bundle) send(method, target, body string) *httptest.ResponseRecorder {
	request := httptest.NewRequest(method, target, strings.NewReader(body))
	request.Header.Set("Content-Type", "application/json")
	recorder := httptest.NewRecorder()
	b.router.ServeHTTP(recorder, request)
	return recorder
}

// answerOf is the problem of an answer; its Detail for an answer that is none.
func answerOf(t testing.TB, r *httptest.ResponseRecorder) (code string, faults []string) {
	t.Helper()
	if r.Code == http.StatusOK {
		return "", nil
	}
	require.Equal(t, problem.ContentType, r.Header().Get("Content-Type"))
	var p struct {
		Type, Code string
		Status     int
		Errors     []problem.FieldError
	}
	require.NoError(t, json.Unmarshal(r.Body.Bytes(), &p), r.Body.String())
	require.Equal(t, r.Code, p.Status)
	require.Equal(t, "/docs/problems/"+p.Code, p.Type)
	for _, e := range p.Errors {
		require.NotEmpty(t, e.Message)
		faults = append(faults, e.Code+" "+e.Location)
	}
	return p.Code, faults
}

// saleBody is a transaction that is valid; change replaces or adds members, and
// removes those whose value is nil.
func saleBody(change map[string]any) string {
	item := map[string]any{
		"date": "2026-05-15T10:00:00Z", "external_product_id": "P-1", "quantity": 1,
		"amount": json.Number("100.00"),
	}
	m := map[string]any{
		"external_id": "ORDER-1", "type": "SALE", "date": "2026-05-15T10:00:00Z",
		"customer":          map[string]any{"external_id": "C-1", "name": "Ada"},
		"addresses":         []any{map[string]any{"type": "SHIP_TO", "state": "NY", "country": "US"}},
		"transaction_items": []any{item},
	}
	for name, value := range change {
		switch under, field, nested := strings.Cut(name, "."); {
		case nested && under == "item":
			item[field] = value
		case nested && under == "address":
			m["addresses"].([]any)[0].(map[string]any)[field] = value
		case nested && under == "customer":
			m["customer"].(map[string]any)[field] = value
		case value == nil:
			delete(m, name)
		default:
			m[name] = value
		}
	}
	raw, err := json.Marshal(m)
	if err != nil {
		panic(err)
	}
	return string(raw)
}

func TestCanonicalTransaction(t *testing.T) {
	t.Parallel()
	b := setup(t)
	r := b.send("POST", "/v1/transactions", saleBody(map[string]any{
		"total_amount": "-0", "item.quantity": json.Number("2.250"), "item.amount": json.Number("1e2"),
		"unknown": map[string]any{"deep": []any{1, 2}}, "description": "", "connection_id": nil,
		"shop_date": "2026-05-15T23:00:00-05:00", "organization_id": "org_foreign", "locked": true,
		"customer.name": "Z\u00fc\"rich\n",
	}))
	code, faults := answerOf(t, r)
	require.Empty(t, code, "%v", faults)
	require.JSONEq(t, `{"external_id":"ORDER-1","type":"SALE","date":"2026-05-15T10:00:00Z","shop_date":"2026-05-15",
		"prices_include_tax":false,
		"customer":{"external_id":"C-1","name":"Zü\"rich\n","source":"OTHER","status":"ACTIVE"},
		"addresses":[{"type":"SHIP_TO","state":"NY","country":"US","is_unincorporated":false}],
		"transaction_items":[{"date":"2026-05-15T10:00:00Z","external_product_id":"P-1","quantity":"2.25","amount":"100.00",
			"exempt":false,
			"tax_rate_imported":"0.000000000","tax_amount_calculated":"0.00","tax_rate_calculated":"0.000000000",
			"taxable_amount":"0.00"}],
		"total_amount":"0.00","total_tax_amount_imported":"0.00","tax_rate_imported":"0.000000000",
		"total_tax_amount_calculated":"0.00",
		"tax_rate_calculated":"0.000000000","total_tax_liability_amount":"0.00","taxable_amount":"0.00","currency":"USD",
		"source":"OTHER",
		"status":"COMMITTED","exempt":"NOT_EXEMPT","marketplace":false}`, string(b.bound.body))
}

func BenchmarkTransaction(b *testing.B) {
	body := []byte(benchmarkBody)
	v := setup(b)
	request := v.requests["POST /v1/transactions"]
	b.SetBytes(int64(len(body)))
	b.ReportAllocs()
	for b.Loop() {
		run := v.checker.Begin(testNow)
		if p := run.Check(b.Context(), request, body, "", false); p != nil {
			b.Fatal(p.Errors)
		}
		v.checker.End(run)
	}
}

// BenchmarkTransactionBinding adds the binding of the model for the handler.
func BenchmarkTransactionBinding(b *testing.B) {
	body := []byte(benchmarkBody)
	v := setup(b)
	request := v.requests["POST /v1/transactions"]
	b.ReportAllocs()
	for b.Loop() {
		run := v.checker.Begin(testNow)
		require.Nil(b, run.Check(b.Context(), request, body, "", false))
		var bound contract.TransactionCreate
		require.NoError(b, contract.Decode(run.Body(), &bound))
		v.checker.End(run)
	}
}

const benchmarkBody = `{"external_id":"ORDER-12345","type":"SALE","date":"2026-05-15T10:00:00Z","currency":"USD",
	"total_amount":163.32,"source":"API","marketplace":false,
"customer":{"external_id":"C-1","name":"Ada Lovelace","email":"ada@example.com"},
"addresses":[{"type":"SHIP_TO","street_1":"350 5th Ave","city":"New York","state":"NY","postal_code":"10118",
	"country":"US"}],
"transaction_items":[
{"external_id":"L1","external_product_id":"P-1","date":"2026-05-15T10:00:00Z","quantity":1,"amount":100.00,
	"tax_amount_imported":8.88,"tax_items":[{"rate":0.08875,"amount":8.88,"name":"NY sales tax","jurisdiction_type":"STATE",
	"jurisdiction_name":"New York"}]},
{"external_id":"L2","external_product_id":"P-2","date":"2026-05-15T10:00:00Z","quantity":2,"amount":50.00,
	"tax_amount_imported":4.44}]}`
