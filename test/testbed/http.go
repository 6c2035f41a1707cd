package testbed

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"

	"github.com/stretchr/testify/require"
)

// maxIdleTime is shorter than the 5 s in which the service expects the head of a request. The service closes a
// connection on which nothing was sent until then, maybe while the first request is on its way.
const maxIdleTime = 4 * time.Second

// NewHTTPClient is a client with so many connections at a time to each service.
func NewHTTPClient(connections int) *http.Client {
	return &http.Client{Timeout: 30 * time.Second,
		Transport: &http.Transport{MaxIdleConnsPerHost: connections, IdleConnTimeout: maxIdleTime}}
}

// Answer is what the service answered.
type Answer struct {
	Status int
	Body   []byte
}

// Code is the stable code of a problem, "" for other answers.
func (a Answer) Code() string {
	var problem struct {
		Code string `json:"code"`
	}
	_ = json.Unmarshal(a.Body, &problem)
	return problem.Code
}

// Field is a text field of the answer, or of the first element when it is a list.
func (a Answer) Field(name string) string {
	var one map[string]any
	if json.Unmarshal(a.Body, &one) != nil {
		var list []map[string]any
		if json.Unmarshal(a.Body, &list) != nil || len(list) == 0 {
			return ""
		}
		one = list[0]
	}
	text, _ := one[name].(string)
	return text
}

// Number is a number of the answer, 0 when there is none.
func (a Answer) Number(name string) int {
	var one map[string]any
	_ = json.Unmarshal(a.Body, &one)
	n, _ := one[name].(float64)
	return int(n)
}

// Amount is a number of the answer as it stands there, "" when there is none.
func (a Answer) Amount(name string) string {
	var one map[string]json.RawMessage
	_ = json.Unmarshal(a.Body, &one)
	return strings.Trim(string(one[name]), `"`)
}

// CSV is a body that is sent as a file.
type CSV string

// Send sends one request to an API, as the bed's organization and without any
// repeat. body is marshalled unless it is nil. The error is that of the
// connection: nobody knows then whether the request took effect.
func (b *Bed) Send(ctx context.Context, api *Service, method, path string, body any) (Answer, error) {
	return b.SendWithKey(ctx, api, method, path, body, "")
}

// SendWithKey is Send with an Idempotency-Key, unless that is empty.
func (b *Bed) SendWithKey(
	ctx context.Context, api *Service, method, path string, body any, key string,
) (Answer, error) {
	return b.SendAs(ctx, Caller{APIKey: b.APIKey, OrganizationID: b.OrganizationID}, api, method, path, body, key)
}

// Caller says with whose key a request is sent, and about which organization.
type Caller struct{ APIKey, OrganizationID string }

// SendAs is SendWithKey with another key than the bed's, or about another organization.
func (b *Bed) SendAs(
	ctx context.Context, as Caller, api *Service, method, path string, body any, key string,
) (Answer, error) {
	var content io.Reader
	contentType := "application/json"
	if file, ok := body.(CSV); ok {
		content, contentType = strings.NewReader(string(file)), "text/csv"
	} else if body != nil {
		encoded, err := json.Marshal(body)
		if err != nil {
			return Answer{}, err
		}
		content = bytes.NewReader(encoded)
	}
	request, err := http.NewRequestWithContext(ctx, method, api.URL()+path, content)
	if err != nil {
		return Answer{}, err
	}
	request.GetBody = nil // the transport must not repeat what it sent either
	request.Header.Set("X-API-KEY", as.APIKey)
	request.Header.Set("x-organization-id", as.OrganizationID)
	if body != nil {
		request.Header.Set("Content-Type", contentType)
	}
	if key != "" {
		request.Header.Set("Idempotency-Key", key)
	}
	response, err := b.http.Do(request)
	if err != nil {
		return Answer{}, err
	}
	defer response.Body.Close()
	content2, err := io.ReadAll(response.Body)
	return Answer{Status: response.StatusCode, Body: content2}, err
}

// Post posts to the bed's API and returns the answer, whatever it is.
func (b *Bed) Post(path string, body any) Answer {
	b.tb.Helper()
	answer, err := b.Send(context.Background(), b.API, http.MethodPost, path, body)
	require.NoError(b.tb, err)
	return answer
}

// Get reads from the bed's API.
func (b *Bed) Get(path string) Answer {
	b.tb.Helper()
	answer, err := b.Send(context.Background(), b.API, http.MethodGet, path, nil)
	require.NoError(b.tb, err)
	return answer
}

// Call sends one request to the bed's API, which must answer with a status, and returns the answer as JSON.
func (b *Bed) Call(method, path string, body any, status int) map[string]any {
	b.tb.Helper()
	answer, err := b.Send(context.Background(), b.API, method, path, body)
	require.NoError(b.tb, err)
	require.Equal(b.tb, status, answer.Status, "%s %s: %s", method, path, answer.Body)
	var m map[string]any
	if len(answer.Body) > 0 {
		require.NoError(b.tb, json.Unmarshal(answer.Body, &m))
	}
	return m
}

// Sale is the body of a sale of one line of product "P-1" to New York. Each n has
// an amount of its own.
func Sale(externalID string, n int) map[string]any {
	const date = "2026-05-15T10:00:00Z"
	return map[string]any{
		"external_id": externalID, "type": "SALE", "date": date, "total_amount": json.Number(SaleAmount(n)),
		"currency": "USD",
		"customer": map[string]any{"external_id": SaleCustomer(n), "name": "Ada"},
		"addresses": []any{map[string]any{"type": "SHIP_TO", "street_1": "350 5th Ave", "city": "New York",
			"state": "NY", "postal_code": "10118", "country": "US"}},
		"transaction_items": []any{map[string]any{"date": date, "external_product_id": Product,
			"amount": json.Number(SaleAmount(n))}},
	}
}

// CreditNote is the body of a credit note of an amount of the line of a Sale.
func CreditNote(externalID, amount string) map[string]any {
	return map[string]any{
		"external_id": externalID, "date": "2026-06-01T10:00:00Z", "status": "COMMITTED",
		"total_amount": json.Number(amount), "currency": "USD",
		"transaction_items": []any{map[string]any{"external_id": "L1", "external_product_id": Product, "quantity": 0,
			"amount": json.Number(amount)}},
	}
}

// SaleAmount is the amount of Sale n.
func SaleAmount(n int) string { return fmt.Sprintf("%d.%02d", 10+n/100, n%100) }

// SaleCustomer is the external id of the customer of Sale n; customers come back.
func SaleCustomer(n int) string { return fmt.Sprintf("C-%d", n%7) }

// Product is the external id of the bed's product.
const Product = "P-1"
