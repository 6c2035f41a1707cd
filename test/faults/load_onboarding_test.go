package faults_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"slices"

	"github.com/stretchr/testify/require"
	"go.temporal.io/api/enums/v1"
	"go.temporal.io/api/serviceerror"

	"levy/test/testbed"
	"levy/workflows"
)

// steps are the calls of the steps 3 to 8.
var steps = map[int]struct {
	path string
	body map[string]any
}{
	3: {"/v1/organization_details/business_details",
		map[string]any{"entity_type": "LLC", "incorporation_country": "US", "company_country_code": "US",
			"ein": "123456780"}},
	4: {"/v1/organization_details/business_address",
		map[string]any{"company_country_code": "US", "company_address_1": "350 5th Ave", "company_city": "New York",
			"company_state": "NY", "company_postal_code": "10118"}},
	5: {"/v1/organization_details/business_information",
		map[string]any{"business_phone": "+1 212 555 0100", "business_email": "office@example.com",
			"business_fiscal_year_end": "2026-12-31"}},
	6: {"/v1/organization_details/business_contact",
		map[string]any{"business_contact_name": "Ada Example", "business_contact_phone": "+1 212 555 0101",
			"business_contact_email": "ada@example.com", "business_contact_dob": "1980-05-17",
			"business_contact_ssn": "123-45-6789", "business_contact_dl": "D-7719-CANARY",
			"business_contact_address_1": "350 5th Ave", "business_contact_city": "New York",
			"business_contact_state": "NY", "business_contact_postal_code": "10118",
			"business_contact_country_code": "US"}},
	7: {"/v1/organization_details/business_owners",
		map[string]any{"business_owner1_name": "Ada Example", "business_owner1_percent_ownership": 60,
			"business_owner1_ssn":  "234-56-7890",
			"business_owner2_name": "Bo Example", "business_owner2_percent_ownership": "40.00"}},
	8: {"/v1/bank_details", map[string]any{"account_type": "CHECKING", "routing_number": "021000021",
		"account_number": "48151623420", "account_holder_name": "Ada Example"}},
}

// onboardingClient is a client that is onboarded; some cancel in the middle.
type onboardingClient struct {
	*load
	random *rand.Rand
	name   string
	leaves int // cancels after this step; 0: never
	next   int // step
	id     string
	keys   []string
	unsure bool // whether step 1 may have succeeded
	gone   bool
}

// onboardClients onboards one client after the other.
func (l *load) onboardClients(stream int, over <-chan struct{}) {
	random := l.random(4000 + stream)
	for i := 0; ; i++ {
		select {
		case <-over:
			return
		default:
		}
		c := &onboardingClient{load: l, random: random, name: fmt.Sprintf("Client %d of %d", i, stream), next: 1}
		if random.IntN(2) == 0 {
			c.leaves = 1 + random.IntN(7)
		}
		l.mu.Lock()
		l.clients = append(l.clients, c)
		l.mu.Unlock()
		l.act(over, c)
	}
}

func (c *onboardingClient) step() (done bool) {
	switch {
	case c.gone || c.next > 8:
		return true
	case c.leaves > 0 && c.next > c.leaves:
		_, o := c.do(c.random, request{kind: kindCancel, id: c.name, method: http.MethodPost, path: "/v1/onboarding/" +
			c.id + "/cancel", body: map[string]any{"reason": "Elsewhere"}})
		c.gone = o == accepted
		return c.gone
	}
	r := request{kind: kindStep, id: fmt.Sprintf("%s/%d", c.name, c.next), method: http.MethodPut}
	switch c.next {
	case 1:
		return c.begin()
	case 2:
		r.method, r.path, r.as = http.MethodPost, "/v1/organizations/api_keys",
			&testbed.Caller{APIKey: c.bed.APIKey, OrganizationID: c.id}
	default:
		r.path, r.body, r.as = steps[c.next].path, steps[c.next].body,
			&testbed.Caller{APIKey: c.keys[0], OrganizationID: c.id}
	}
	answer, o := c.do(c.random, r)
	if o != accepted {
		return false
	}
	if c.next == 2 {
		c.keys = append(c.keys, answer.Field("api_key"))
	}
	c.next++
	return c.next > 8
}

// begin is step 1: if an earlier attempt had succeeded, the answer names the existing client.
func (c *onboardingClient) begin() (done bool) {
	r := request{kind: kindClient, id: c.name, method: http.MethodPost, path: "/v1/organizations",
		body: map[string]any{"name": c.name}}
	if c.unsure {
		r.expected = []string{"duplicate_name"}
	}
	answer, o := c.send(c.random, r)
	c.id = answer.Field("id")
	if existing := answer.Field("existing_id"); existing != "" {
		c.id, o = existing, accepted
	}
	c.ledger.record(entry{Kind: kindClient, ID: c.name, Outcome: o})
	c.unsure = c.unsure || o == unknown
	if o == accepted {
		c.next++
	}
	return false
}

// undoing are exactly the activities that compensate an onboarding with so many completed steps, newest step first.
func undoing(done int) []string {
	of := []string{"", "", "", "EraseBusinessDetails", "EraseBusinessAddress", "EraseBusinessInformation",
		"EraseBusinessContact", "EraseBusinessOwners", "EraseBankDetails"}
	var all []string
	for step := done; step >= 3; step-- {
		all = append(all, of[step])
	}
	all = append(all, "CancelRegistrations", "DestroyDataKey")
	if done >= 2 {
		all = append(all, "RevokeAPIKeys")
	}
	return append(all, "ArchiveOrganization", "FinishCompensation")
}

// requireUndone checks for each cancelled client that its last run compensated the completed steps in the right order.
// Compensations of a run whose history is lost are repeated or already recorded; the invariants check the records.
func (l *load) requireUndone() {
	t := l.bed.TB()
	t.Helper()
	temporal, whole := l.bed.Temporal(), 0
	for _, c := range l.clients {
		if !c.gone {
			continue
		}
		var names []string
		events := temporal.GetWorkflowHistory(context.Background(), workflows.OnboardingID(c.id), "", false,
			enums.HISTORY_EVENT_FILTER_TYPE_ALL_EVENT)
		for events.HasNext() {
			event, err := events.Next()
			var lost *serviceerror.NotFound
			if errors.As(err, &lost) {
				break // it had ended when Temporal was destroyed
			}
			require.NoError(t, err)
			if scheduled := event.GetActivityTaskScheduledEventAttributes(); scheduled != nil {
				names = append(names, scheduled.GetActivityType().GetName())
			}
		}
		if len(names) == 0 {
			continue
		}
		end := slices.Index(names, "EndOnboarding")
		expected := undoing(c.leaves)
		got := names[end+1:]
		if end < 0 && len(got) < len(expected) {
			expected = expected[len(expected)-len(got):] // a run that continues where another one was lost
		}
		require.Equal(t, expected, got, "%s, which cancelled after step %d", c.name, c.leaves)
		whole++
	}
	t.Logf("%d clients were created, %d were compensated in the right order according to their histories",
		len(l.clients), whole)
}
