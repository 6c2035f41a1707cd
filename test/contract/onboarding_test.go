package contract_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"levy/models"
)

// stepBodies are bodies of the steps 3 to 8, by operation.
var stepBodies = map[string]string{
	"putBusinessDetails": `{"entity_type":"LLC","incorporation_country":"US","company_country_code":"US"}`,
	"putBusinessAddress": `{"company_country_code":"US","company_city":"New York","company_state":"NY",` +
		`"company_postal_code":"10118"}`,
	"putBusinessInformation": `{"business_phone":"+1 212 555 0100","business_email":"a@example.com",` +
		`"business_fiscal_year_end":"2026-12-31"}`,
	"putBusinessContact": `{"business_contact_name":"Ada","business_contact_phone":"+1 212 555 0100",
		"business_contact_email":"a@example.com","business_contact_dob":"1980-05-17",
		"business_contact_ssn":"123-45-6789","business_contact_address_1":"350 5th Ave","business_contact_city":"New York",
		"business_contact_state":"NY",
		"business_contact_postal_code":"10118","business_contact_country_code":"US"}`,
	"putBusinessOwners": `{"business_owner1_name":"Ada","business_owner1_percent_ownership":"100"}`,
	"putBankDetails": `{"account_type":"CHECKING","routing_number":"021000021","account_number":"1234567890",` +
		`"account_holder_name":"Ada"}`,
}

// stepPaths are the calls of the steps 3 to 8 in their order.
var stepPaths = []struct{ operation, path string }{
	{"putBusinessDetails", "/v1/organization_details/business_details"},
	{"putBusinessAddress", "/v1/organization_details/business_address"},
	{"putBusinessInformation", "/v1/organization_details/business_information"},
	{"putBusinessContact", "/v1/organization_details/business_contact"},
	{"putBusinessOwners", "/v1/organization_details/business_owners"},
	{"putBankDetails", "/v1/bank_details"},
}

// onboard takes an organization through the steps it has not done yet.
// Its partner may do what the table of the contract's section 3.3 says, as before there were grants.
func (in *installation) onboard(as credentials) {
	in.t.Helper()
	for _, step := range stepPaths {
		in.call(as, "PUT", step.path, stepBodies[step.operation], 200)
	}
	in.grant(as, models.GrantAsBefore)
}

// grant sets the grant of a client's partner.
func (in *installation) grant(client credentials, role models.GrantRole) {
	in.execute("UPDATE client_grants SET role = $2 WHERE organization_id = $1", client.organization, role)
}

// provokeOnboarding causes the refusals of steps: before the preceding ones, and after the onboarding was cancelled.
func (in *installation) provokeOnboarding() {
	in.t.Helper()
	early := in.client()
	late := in.client()
	in.call(late, "POST", "/v1/onboarding/"+late.organization+"/cancel", "", 200)
	for i, step := range stepPaths {
		for _, path := range []string{step.path, step.path + "/"} {
			if i > 0 {
				refused := in.call(early, "PUT", path, stepBodies[step.operation], 409)
				require.Equal(in.t, "onboarding_step_out_of_order", refused.problem(in.t).Code)
				require.EqualValues(in.t, 3, refused.member(in.t, "next_step"))
			}
			refused := in.call(late, "PUT", path, stepBodies[step.operation], 409)
			require.Equal(in.t, "onboarding_not_active", refused.problem(in.t).Code)
		}
	}
	for path, body := range map[string]string{
		"/v1/organization_details/business_contact": strings.Replace(stepBodies["putBusinessContact"],
			`"business_contact_ssn":"123-45-6789",`, "", 1),
		"/v1/organization_details/business_owners": `{"business_owner1_name":"Ada","business_owner1_percent_ownership":"99"}`,
	} {
		refused := in.call(early, "PUT", path, body, 400)
		require.Equal(in.t, "validation_failed", refused.problem(in.t).Code,
			"a fault of the request is reported before the order of the steps")
	}
	in.call(in.root, "POST", "/v1/onboarding/"+in.root.organization+"/cancel", "", 409)
}

// A trailing slash makes no difference, and only the answer to a step warns.
func TestStepsWithAndWithoutSlash(t *testing.T) {
	t.Parallel()
	in := install(t)
	client := in.client()
	for _, step := range stepPaths {
		for _, path := range []string{step.path, step.path + "/"} {
			in.call(client, "PUT", path, stepBodies[step.operation], 200)
		}
	}
	for _, path := range []string{"/v1/organization_details", "/v1/bank_details"} {
		with, without := in.call(client, "GET", path, "", 200), in.call(client, "GET", path+"/", "", 200)
		require.JSONEq(t, string(with.body), string(without.body))
		require.Empty(t, with.member(t, "warnings"))
	}
	in.call(client, "GET", "/v1/onboarding/", "", 404)
	name := in.call(client, "GET", "/v1/organization_details", "", 200).text(t, "business_name")
	for holder, warnings := range map[string]int{name: 0, "Ada": 1} {
		a := in.call(client, "PUT", "/v1/bank_details", strings.Replace(stepBodies["putBankDetails"], "Ada", holder, 1), 200)
		require.Equal(t, warnings, strings.Count(string(a.body),
			`{"code":"account_holder_mismatch","location":"body.account_holder_name"`))
	}
}

// The stream is the onboarding as it is read, on one line.
func TestStreamOfACompletedOnboarding(t *testing.T) {
	t.Parallel()
	in := install(t)
	client := in.client()
	in.onboard(client)
	read := in.call(client, "GET", "/v1/onboarding", "", 200)
	path := "/v1/onboarding/" + client.organization + "/events"
	stream := in.call(client, "GET", path, "", 200)
	require.Equal(t, "text/event-stream", stream.header.Get("Content-Type"))
	lines := strings.Split(string(stream.body), "\n")
	require.Equal(t, []string{"retry: 3000", "", "event: onboarding"}, lines[:3])
	id := strings.TrimPrefix(lines[3], "id: ")
	require.JSONEq(t, string(read.body), strings.TrimPrefix(lines[4], "data: "))
	require.Len(t, lines, 7, "one message, and the end")

	again := in.send(t, request{as: client, method: "GET", target: path,
		header: map[string][]string{"Last-Event-ID": {id}}})
	require.Equal(t, "retry: 3000\n\n", string(again.body), "no event follows")
	var number int
	require.NoError(t, json.Unmarshal([]byte(id), &number))
	behind := in.send(t, request{as: client, method: "GET", target: path,
		header: map[string][]string{"Last-Event-ID": {fmt.Sprint(number - 1)}}})
	require.Contains(t, string(behind.body), "event: onboarding")
}
