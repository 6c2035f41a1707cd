package service

import (
	"maps"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"levy/contract"
	"levy/models"
	"levy/service/internal/call"
)

// These operations give access: a link, a second step, a role, a grant, a key, bank details, a feed or a secret of webhooks.
// One writes numbers of accounts: the file for a bank.
var givingAccess = map[string]bool{
	"inviteUser": true, "updateUser": true, "makeOnboardingLink": true, "setSecondFactor": true, "changePassword": true, "setPasskey": true,
	"createAPIKey": true, "updateAPIKey": true, "rotateAPIKey": true, "putBankDetails": true,
	"createCalendarFeed":    true,
	"makePaymentFile":       true,
	"createWebhookEndpoint": true, "rotateWebhookSecret": true, "changeGrant": true,
}

func TestWhatGivesAccessNeedsAProof(t *testing.T) {
	t.Parallel()
	asking := map[string]bool{}
	for _, operation := range slices.Collect(maps.Keys(accessRules)) {
		if accessRules[operation].proof.words != "" {
			asking[operation] = true
		}
	}
	expected := maps.Clone(givingAccess)
	for operation := range expected {
		if _, also := accessRules[operation+"Alias"]; also {
			expected[operation+"Alias"] = true
		}
	}
	require.Equal(t, expected, asking)
}

// A person is asked whose proof is old. A key proves itself, and a link is no person.
func TestAPersonWithAnOldProofIsAsked(t *testing.T) {
	t.Parallel()
	old := &call.Call{Person: &models.User{}}
	for name, c := range map[string]*call.Call{
		"a person who has just signed in": {Person: &models.User{Proven: true}},
		"a key":                           {Principal: models.Principal{APIKeyID: "key_1"}}, "a link": {Link: "link_1"},
	} {
		require.True(t, always.given(c, &contract.InviteUserRequest{}), name)
	}
	require.False(t, always.given(old, &contract.InviteUserRequest{}))
	require.True(t, accessRules["listUsers"].proof.given(old, &contract.ListUsersRequest{}))

	for body, asks := range map[string]bool{
		`{"name":"Vi"}`: false, `{"end_sessions":true}`: false, `{"status":"DISABLED"}`: false,
		`{"status":"ACTIVE"}`: true, `{"role":"viewer"}`: true, `{"staff_role":null}`: true, `{"new_link":true}`: true,
		`{"reset_second_factor":true}`: true,
	} {
		var r contract.UpdateUserRequest
		require.NoError(t, contract.Decode([]byte(body), &r.Body))
		require.Equal(t, !asks, ofUser.given(old, &r), body)
	}
	for body, asks := range map[string]bool{
		`{"name":"Shop"}`: false, `{"expires_at":null}`: true, `{"allowed_addresses":null}`: true, `{"expires_at_seconds":1830297600}`: true,
	} {
		var r contract.UpdateAPIKeyRequest
		require.NoError(t, contract.Decode([]byte(body), &r.Body))
		require.Equal(t, !asks, ofKey.given(old, &r), body)
	}
}
