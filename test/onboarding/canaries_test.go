package onboarding_test

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/cookiejar"
	"net/http/httptest"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
	commonpb "go.temporal.io/api/common/v1"
	enumspb "go.temporal.io/api/enums/v1"
	"go.temporal.io/api/proxy"

	"levy/internal/secret"
	"levy/test/testbed"
	"levy/workflows"
)

// places are the texts in which no value may be readable, by name. Each has a text that it must contain: a search
// that finds nothing proves nothing.
type places map[string]struct{ text, control string }

func (p places) add(name, text, control string) {
	p[name] = struct{ text, control string }{text, control}
}

// collector takes the traces of the service.
type collector struct {
	mu    sync.Mutex
	spans bytes.Buffer
}

func (c *collector) ServeHTTP(_ http.ResponseWriter, r *http.Request) {
	c.mu.Lock()
	defer c.mu.Unlock()
	_, _ = io.Copy(&c.spans, r.Body)
}

// fetch reads a page without any key.
func fetch(t *testing.T, url string) string {
	t.Helper()
	return fetchAs(t, http.DefaultClient, url)
}

func fetchAs(t *testing.T, visitor *http.Client, url string) string {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, url, nil)
	require.NoError(t, err)
	response, err := visitor.Do(request)
	require.NoError(t, err)
	defer response.Body.Close()
	content, err := io.ReadAll(response.Body)
	require.NoError(t, err)
	return string(content)
}

// decoded is the text that a holder of the payload key reads in the history of a run.
func (c *client) decoded() string {
	c.t.Helper()
	ring, err := secret.ParseRing(c.bed.MasterKeys)
	require.NoError(c.t, err)
	codec := payloadCodec(c.t, ring)
	var text strings.Builder
	events := c.bed.Temporal().GetWorkflowHistory(context.Background(), workflows.OnboardingID(c.id), "", false,
		enumspb.HISTORY_EVENT_FILTER_TYPE_ALL_EVENT)
	for events.HasNext() {
		event, err := events.Next()
		require.NoError(c.t, err)
		err = proxy.VisitPayloads(context.Background(), event, proxy.VisitPayloadsOptions{
			Visitor: func(_ *proxy.VisitPayloadsContext, sealed []*commonpb.Payload) ([]*commonpb.Payload, error) {
				opened, err := codec.Decode(sealed)
				for _, payload := range opened {
					text.Write(payload.GetData())
					text.WriteByte('\n')
				}
				return sealed, err
			},
		})
		require.NoError(c.t, err)
	}
	return text.String()
}

// faults are calls that are refused because of a personal value in them.
var faults = map[int]string{
	6: `{"business_contact_name":"Ada","business_contact_ssn":"666-12-31337","business_contact_dob":"1979-13-77",` +
		`"business_contact_dl":"CANARY/DL/?"}`,
	7: `{"business_owner1_name":"Ada","business_owner1_ssn":"000-31-3377"}`,
	8: `{"account_type":"CHECKING","routing_number":"313373133","account_number":"31337313373133731337",` +
		`"account_holder_name":"Ada"}`,
}

var faulty = []string{"666-12-31337", "1979-13-77", "CANARY/DL/?", "000-31-3377", "313373133", "31337313373133731337"}

// ownTaxID is the tax id of a customer, encrypted wherever it is stored.
const ownTaxID = "DE136695976"

// Of the values that an organization sends during its onboarding, the first are never shown again, not even to
// itself, and the second are shown to callers who may read its records, and to no others.
var (
	portalSecrets = []string{"PORTAL-CANARY-word", "PORTAL-CANARY-hint"}
	ownRecords    = []string{"CANARY-ORDER-1", "CANARY-CUSTOMER-1"}
)

// keepRecords sends a customer with a tax id, a registration with the password of a
// portal, and a file of sales, and waits until the
// sale of the file was worked on.
func (c *client) keepRecords() {
	c.t.Helper()
	send := func(method, path, body string, status int, headers ...string) {
		c.t.Helper()
		answer, err := c.call(c.bed.API, c.key, c.id, method, path, body, headers...)
		require.NoError(c.t, err)
		require.Equal(c.t, status, answer.status, answer.raw)
	}
	send("POST", "/v1/products", `{"external_id":"P-1","name":"Widget","product_category":"PHYSICAL"}`, http.StatusOK)
	send("POST", "/v1/customers",
		`{"external_id":"C-1","name":"Ada","customer_tax_registrations":[{"country_code":"DE","tax_type":"vat",`+
			`"tax_id":"DE136695976"}]}`, http.StatusOK, "Idempotency-Key", "customer")
	send("POST", "/v1/registrations",
		`{"country_code":"US","state_code":"TX","filing_frequency":"MONTHLY","password_plain_text":"PORTAL-CANARY-word",`+
			`"password_metadata_plain_text":"PORTAL-CANARY-hint"}`, http.StatusOK)
	send("POST", "/v1/transactions/imports",
		"external_id,type,date,customer_external_id,external_product_id,"+
			"amount\nCANARY-ORDER-1,SALE,2026-05-15T10:00:00Z,CANARY-CUSTOMER-1,P-1,1.00\n",
		http.StatusAccepted, "Content-Type", "text/csv")
	c.bed.Eventually("the file is imported and processed", func(context.Context) (bool, error) {
		taken := c.bed.Count(`SELECT count(*)
			FROM transactions
			WHERE organization_id = $1 AND external_id = 'CANARY-ORDER-1'`, c.id)
		waiting := c.bed.Count("SELECT count(*) FROM outbox WHERE organization_id = $1 AND kind = 1", c.id)
		return taken == 1 && waiting == 0, fmt.Errorf("%d taken in, %d waiting", taken, waiting)
	})
}

// shownToClient are the pages of an open onboarding that a client sees by its link, from the first form to the last.
func (c *client) shownToClient() string {
	c.t.Helper()
	made, err := c.call(c.bed.API, c.bed.APIKey, c.bed.OrganizationID, "POST", "/v1/onboarding/"+c.id+"/link", "")
	require.NoError(c.t, err)
	require.Equal(c.t, http.StatusOK, made.status, made.raw)
	link, _ := made.body["path"].(string)
	jar, err := cookiejar.New(nil)
	require.NoError(c.t, err)
	visitor := &http.Client{Jar: jar}
	var pages strings.Builder
	for _, path := range []string{link, "/join/step/3", "/join/step/4", "/join/step/5", "/join/step/6", "/join/step/7",
		"/join/step/8"} {
		page := fetchAs(c.t, visitor, c.bed.API.URL()+path)
		require.Contains(c.t, page, " of 6: ", path)
		pages.WriteString(page)
	}
	return pages.String()
}

// Personal numbers and the secrets of keys are readable nowhere: not in the files of Temporal, nor in its decrypted
// payloads, nor in the database, logs, metrics, traces, answers, errors or streams. The data of its customers that an
// organization sends is readable in its records only.
func TestNoPersonalValueIsReadableAnywhere(t *testing.T) {
	t.Parallel()
	traces := &collector{}
	collecting := httptest.NewServer(traces)
	t.Cleanup(collecting.Close)
	bed := testbed.New(t, testbed.Options{Own: true})
	bed.Set("OTEL_EXPORTER_OTLP_ENDPOINT", collecting.URL)
	metrics := bed.SetPrivate(bed.API)
	bed.API.Start()
	bed.Worker.Start()
	c := newClient(t, bed, "Acme Trading")
	c.upTo(2)
	stream := c.follow(bed.API, 0)
	shown := ""
	for n := 3; n <= 8; n++ {
		if n == 8 {
			shown = c.shownToClient()
		}
		if body, ok := faults[n]; ok {
			refused, err := c.call(bed.API, c.key, c.id, "PUT", paths[n], body)
			require.NoError(t, err)
			require.Equal(t, http.StatusBadRequest, refused.status, refused.raw)
			require.NotEmpty(t, refused.body["errors"])
		}
		c.upFrom(n, n)
	}
	for stream.next() != nil { //nolint:revive // to its end
	}
	c.keepRecords()
	ended := newClient(t, bed, "Kestrel & Daughters")
	ended.upTo(8 - 1)
	ended.cancel()
	ended.waitUndone()
	for _, path := range []string{"/v1/organization_details", "/v1/bank_details", "/v1/onboarding"} {
		_, err := c.call(bed.API, c.key, c.id, "GET", path, "")
		require.NoError(t, err)
	}

	found := places{}
	found.add("the database", c.dump(), c.id)
	found.add("payloads, opened", c.decoded()+ended.decoded(), c.name)
	found.add("metrics of the API", fetch(t, metrics+"/metrics"), "/v1/bank_details")
	found.add("metrics of the worker", fetch(t, bed.Worker.URL()+"/metrics"), "SaveBankDetails")
	found.add("the page of a visitor", fetch(t, bed.API.URL()+"/onboarding"), "Sign in")
	found.add("the pages of the client", shown, "Ada Example")
	require.Contains(t, shown, "Bank account")
	found.add("answers", strings.Join(append(c.answers, ended.answers...), "\n"), "****3420")
	found.add("the stream", stream.text.String(), "COMPLETED")
	bed.API.Stop()
	bed.Worker.Stop()
	found.add("logs", bed.API.Log()+bed.Worker.Log(), c.id)
	found.add("traces", traces.spans.String(), "SaveBankDetails")
	bed.KillTemporal()
	var files strings.Builder
	for _, name := range bed.TemporalFiles() {
		content, err := os.ReadFile(name)
		require.NoError(t, err)
		files.Write(content)
	}
	found.add("the files of Temporal", files.String(), workflows.OnboardingID(c.id))

	// Runs are found by the name of their organization, and by no other value of it.
	for _, business := range []string{"350 5th Ave", "Ada Example"} {
		shown := strings.Contains(files.String(), business) // a message must not hold megabytes
		require.False(t, shown, "Temporal's files show %s", business)
	}
	for name, place := range found {
		searched := strings.Contains(place.text, place.control)
		require.True(t, searched, "%s: %d bytes without %q", name, len(place.text), place.control)
		hidden := slices.Concat(planted, faulty, portalSecrets)
		switch name {
		case "answers":
		case "the database":
			hidden = append(hidden, ownTaxID) // also in the stored answer
		default:
			hidden = append(append(hidden, ownRecords...), ownTaxID)
		}
		for _, value := range hidden {
			shown := strings.Contains(place.text, value)
			require.False(t, shown, "%s shows %s", name, value)
		}
		for who, key := range map[string]string{"the client": c.key, "the partner": bed.APIKey,
			"the one that ended": ended.key} {
			want := 0
			if name == "answers" && who != "the partner" {
				want = 1 // the answer that created it
			}
			require.Equal(t, want, strings.Count(place.text, key), "the key of %s in %s", who, name)
		}
	}
}
