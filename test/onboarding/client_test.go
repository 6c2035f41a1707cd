// Package onboarding_test onboards organizations on the real service, with a real Temporal server and a real
// PostgreSQL, and checks the result when an onboarding is interrupted.
package onboarding_test

import (
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"net/http"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"levy/test/testbed"
)

func TestMain(m *testing.M) {
	flag.Parse()
	_ = flag.Set("test.parallel", "4") // more than there are CPUs: most of the time these tests wait
	testbed.Main(m)
}

// The personal values that every client of these tests sends: none of them may be
// found anywhere afterwards.
var planted = []string{"123-45-6789", "123456789", "1980-05-17", "D-7719-CANARY", "234-56-7890", "234567890",
	"021000021", "48151623420"}

// bodies are the request bodies of the steps 3 to 8.
var bodies = map[int]string{
	3: `{"entity_type":"LLC","incorporation_country":"US","company_country_code":"US","ein":"123456780",` +
		`"auto_register":true}`,
	4: `{"company_country_code":"US","company_address_1":"350 5th Ave","company_city":"New York","company_state":"NY",` +
		`"company_postal_code":"10118"}`,
	5: `{"business_phone":"+1 212 555 0100","business_email":"office@example.com",` +
		`"business_fiscal_year_end":"2026-12-31"}`,
	6: `{"business_contact_name":"Ada Example","business_contact_phone":"+1 212 555 0101",
		"business_contact_email":"ada@example.com","business_contact_dob":"1980-05-17",
	     "business_contact_ssn":"123-45-6789","business_contact_dl":"D-7719-CANARY",
	     "business_contact_address_1":"350 5th Ave","business_contact_city":"New York",
	     "business_contact_state":"NY","business_contact_postal_code":"10118","business_contact_country_code":"US"}`,
	7: `{"business_owner1_name":"Ada Example","business_owner1_percent_ownership":60,` +
		`"business_owner1_ssn":"234-56-7890","business_owner2_name":"Bo Example","business_owner2_percent_ownership":"40.00"}`,
	8: `{"account_type":"CHECKING","routing_number":"021000021","account_number":"48151623420",` +
		`"account_holder_name":"Somebody Else"}`,
}

// paths are the calls of the steps, by number.
var paths = map[int]string{
	3: "/v1/organization_details/business_details/", 4: "/v1/organization_details/business_address",
	5: "/v1/organization_details/business_information/",
	6: "/v1/organization_details/business_contact", 7: "/v1/organization_details/business_owners/", 8: "/v1/bank_details/",
}

// client is an organization in onboarding.
type client struct {
	bed      *testbed.Bed
	t        *testing.T
	name, id string
	key      string
	once     []string // the header with the Idempotency-Key of step 1, if it has one
	unsure   bool     // a call had no answer in time
	mu       sync.Mutex
	answers  []string // all answers that it got
}

func newClient(t *testing.T, bed *testbed.Bed, name string) *client {
	return &client{bed: bed, t: t, name: name}
}

// answer is a status with a JSON object.
type answer struct {
	status int
	header http.Header
	body   map[string]any
	raw    string
}

// call sends a request with a key about an organization.
func (c *client) call(
	api *testbed.Service, key, organization, method, path, body string, headers ...string,
) (answer, error) {
	ctx, cancel := context.WithTimeout(context.Background(), testbed.WaitLimit)
	defer cancel()
	var content io.Reader
	if body != "" {
		content = bytes.NewReader([]byte(body))
	}
	request, err := http.NewRequestWithContext(ctx, method, api.URL()+path, content)
	if err != nil {
		return answer{}, err
	}
	request.Header.Set("X-API-KEY", key)
	request.Header.Set("x-organization-id", organization)
	request.Header.Set("Content-Type", "application/json")
	for i := 0; i < len(headers); i += 2 {
		request.Header.Set(headers[i], headers[i+1])
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return answer{}, err
	}
	defer response.Body.Close()
	raw, err := io.ReadAll(response.Body)
	if err != nil {
		return answer{}, err
	}
	a := answer{status: response.StatusCode, header: response.Header, raw: string(raw)}
	c.mu.Lock()
	c.answers = append(c.answers, a.raw)
	c.mu.Unlock()
	if bytes.HasPrefix(raw, []byte("{")) { // of a list only the text
		err = json.Unmarshal(raw, &a.body)
	}
	return a, err
}

// try calls a step once. A step that needs a value of an earlier answer takes it from there.
func (c *client) try(n int) (a answer, err error) {
	switch n {
	case 1:
		a, err = c.call(c.bed.API, c.bed.APIKey, c.bed.OrganizationID, "POST", "/v1/organizations",
			fmt.Sprintf(`{"name":%q}`, c.name), c.once...)
		if a.status == http.StatusOK {
			c.id, _ = a.body["id"].(string)
		}
	case 2:
		a, err = c.call(c.bed.API, c.bed.APIKey, c.id, "POST", "/v1/organizations/api_keys", "")
		if a.status == http.StatusOK {
			c.key, _ = a.body["api_key"].(string)
		}
	default:
		a, err = c.call(c.bed.API, c.key, c.id, "PUT", paths[n], bodies[n])
	}
	return a, err
}

// upTo does the steps 1 to n.
func (c *client) upTo(n int) {
	c.t.Helper()
	c.upFrom(1, n)
}

// upFrom does the steps from first to last.
func (c *client) upFrom(first, last int) {
	c.t.Helper()
	for step := first; step <= last; step++ {
		a := c.step(step)
		require.Equal(c.t, http.StatusOK, a.status, "step %d: %s", step, a.raw)
	}
}

// step calls a step until its outcome is known: on a busy machine a step may
// not be answered in time.
func (c *client) step(n int) answer {
	c.t.Helper()
	var a answer
	c.bed.Eventually(fmt.Sprintf("step %d is answered", n), func(context.Context) (bool, error) {
		var err error
		a, err = c.try(n)
		if id, taken := a.body["existing_id"].(string); n == 1 && taken && c.unsure {
			c.id, a.status = id, http.StatusOK // an earlier attempt had succeeded
		}
		c.unsure = c.unsure || err != nil || a.body["code"] == "outcome_unknown"
		return err == nil && a.status != http.StatusServiceUnavailable, fmt.Errorf("%s: %w", a.raw, err)
	})
	return a
}

// onboarding is the onboarding as the partner reads it.
func (c *client) onboarding() map[string]any {
	c.t.Helper()
	a, err := c.call(c.bed.API, c.bed.APIKey, c.bed.OrganizationID, "GET", "/v1/onboarding/"+c.id, "")
	require.NoError(c.t, err)
	require.Equal(c.t, http.StatusOK, a.status, a.raw)
	return a.body
}

// cancel calls until the outcome is known, as step does.
func (c *client) cancel() answer {
	c.t.Helper()
	var a answer
	c.bed.Eventually("the cancellation is answered", func(context.Context) (bool, error) {
		var err error
		a, err = c.call(c.bed.API, c.bed.APIKey, c.bed.OrganizationID, "POST", "/v1/onboarding/"+c.id+"/cancel",
			`{"reason":"The client went elsewhere"}`)
		return err == nil && a.status != http.StatusServiceUnavailable, fmt.Errorf("%s: %w", a.raw, err)
	})
	return a
}
