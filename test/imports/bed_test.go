// Package imports_test imports files on the real service, with a real Temporal server and a real PostgreSQL, and
// checks the result when the import is interrupted.
package imports_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"levy/test/testbed"
)

func TestMain(m *testing.M) { testbed.Main(m) }

// merchant is an organization that imports.
type merchant struct {
	t                 *testing.T
	bed               *testbed.Bed
	organization, key string
}

// open starts an installation and its first organization.
func open(t *testing.T, o testbed.Options) *merchant {
	t.Helper()
	bed := testbed.New(t, o)
	bed.API.Start()
	return &merchant{t: t, bed: bed, organization: bed.OrganizationID, key: bed.APIKey}
}

// another is a client organization with the same product.
func (s *merchant) another() *merchant {
	s.t.Helper()
	made := s.call(http.MethodPost, "/v1/organizations", "application/json", `{"name":"Another"}`, 200)
	other := &merchant{t: s.t, bed: s.bed, organization: made.Field("id"), key: s.key}
	other.key = other.call(http.MethodPost, "/v1/api-keys", "application/json", `{}`, 200).Field("api_key")
	other.call(http.MethodPost, "/v1/products", "application/json",
		`{"external_id":"P-1","name":"Widget","product_category":"PHYSICAL"}`, 200)
	return other
}

// send calls the API as the organization.
func (s *merchant) send(method, path, contentType, body string) (testbed.Answer, http.Header) {
	s.t.Helper()
	request, err := http.NewRequestWithContext(context.Background(), method, s.bed.API.URL()+path, strings.NewReader(body))
	require.NoError(s.t, err)
	request.Header.Set("X-API-KEY", s.key)
	request.Header.Set("x-organization-id", s.organization)
	if body != "" {
		request.Header.Set("Content-Type", contentType)
	}
	response, err := http.DefaultClient.Do(request)
	require.NoError(s.t, err)
	defer response.Body.Close()
	content, err := io.ReadAll(response.Body)
	require.NoError(s.t, err)
	return testbed.Answer{Status: response.StatusCode, Body: content}, response.Header
}

func (s *merchant) call(method, path, contentType, body string, status int) testbed.Answer {
	s.t.Helper()
	answer, _ := s.send(method, path, contentType, body)
	require.Equal(s.t, status, answer.Status, "%s %s: %s", method, path, answer.Body)
	return answer
}

// progress is an import as the API answers it.
type progress struct {
	ID             string `json:"id"`
	Status         string `json:"status"`
	Percent        int    `json:"percent"`
	Rows           int    `json:"rows"`
	Transactions   int    `json:"transactions"`
	Accepted       int    `json:"accepted"`
	AlreadyPresent int    `json:"already_present"`
	Conflicting    int    `json:"conflicting"`
	Rejected       int    `json:"rejected"`

	AcceptedRows        int `json:"accepted_rows"`
	AlreadyPresentRows  int `json:"already_present_rows"`
	ConflictingRows     int `json:"conflicting_rows"`
	RejectedRows        int `json:"rejected_rows"`
	RestoredPostalCodes int `json:"restored_postal_codes"`

	Problems []struct {
		Line       int    `json:"line"`
		Column     string `json:"column"`
		ExternalID string `json:"external_id"`
		Code       string `json:"code"`
		Message    string `json:"message"`
	} `json:"problems"`
}

func read(t *testing.T, a testbed.Answer) progress {
	t.Helper()
	var p progress
	require.NoError(t, json.Unmarshal(a.Body, &p), "%s", a.Body)
	return p
}

const imports = "/v1/transactions/imports"

func (s *merchant) upload(file string) progress {
	s.t.Helper()
	return read(s.t, s.call(http.MethodPost, imports, "text/csv", file, 202))
}

func (s *merchant) progress(id string) progress {
	s.t.Helper()
	return read(s.t, s.call(http.MethodGet, imports+"/"+id, "", "", 200))
}

// finished waits until an import has a status.
func (s *merchant) finished(id, status string) progress {
	s.t.Helper()
	var p progress
	s.bed.Eventually("the import is "+status, func(context.Context) (bool, error) {
		p = s.progress(id)
		return p.Status == status, fmt.Errorf("%+v", p)
	})
	return p
}

// processed waits until nothing of the organization waits for processing.
func (s *merchant) processed() {
	s.t.Helper()
	s.bed.Eventually("everything is processed", func(context.Context) (bool, error) {
		n := s.bed.Count("SELECT count(*) FROM outbox WHERE organization_id = $1", s.organization)
		return n == 0, fmt.Errorf("%d wait", n)
	})
}

// export is the file that the organization's transactions are exported as, without
// the columns that name records of this organization or the moment.
func (s *merchant) export() string {
	s.t.Helper()
	return string(s.call(http.MethodGet, "/v1/transactions/export?format=csv&order_by=external_id", "", "", 200).Body)
}

const header = "external_id,type,date,currency,customer_external_id,customer_name,country,state,city,postal_code," +
	"external_product_id,amount,tax_amount_imported,transaction_total_amount\n"

// sales is a file of n sales with different amounts.
func sales(n int) string {
	var b strings.Builder
	b.WriteString(header)
	for i := range n {
		b.WriteString(saleRow(fmt.Sprintf("ORDER-%06d", i), testbed.SaleAmount(i)))
	}
	return b.String()
}

func saleRow(externalID, amount string) string {
	return externalID + ",SALE,2026-05-15T10:00:00Z,USD,C-1,Ada,US,NY,New York,10118,P-1," + amount + ",0.00," +
		amount + "\n"
}

// none is a condition for Eventually: the query finds nothing.
func (s *merchant) none(query string, args ...any) func(context.Context) (bool, error) {
	return func(context.Context) (bool, error) {
		n := s.bed.Count(query, args...)
		return n == 0, fmt.Errorf("%d", n)
	}
}
