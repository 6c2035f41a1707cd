package attack_test

import (
	"net/http"
	"sync"

	"github.com/stretchr/testify/require"
)

// boundPartner: a partner does no more for its client than the grant says, by its own key and by those that it makes.
// While the client ends the grant it makes keys, of which none works afterwards.
func boundPartner(b *attackRun) {
	client := b.bed.Call(http.MethodPost, "/v1/organizations", map[string]any{"name": "Bound partner"}, http.StatusOK)
	partner := *b.attacker
	partner.organization, partner.key = client["id"].(string), b.bed.APIKey
	b.attacker = &partner
	own := b.keyOf(&partner, "{}") // step 2 of the onboarding
	id := func(of *tenant) string {
		answer, err := of.send(b.Context(), http.MethodGet, "/v1/session", "")
		require.NoError(b, err)
		require.Equal(b, http.StatusOK, answer.Status, "%s", answer.Body)
		return answer.Field("api_key_id")
	}
	ownID := id(own)
	during := b.keyOf(&partner, `{"scopes":["read","write","people"]}`)
	eve := b.member("Eve", "admin")
	for _, statement := range []string{
		"UPDATE onboardings SET completed = 8, status = 'COMPLETED', next_check_at = NULL WHERE organization_id = $1",
		"UPDATE organizations SET onboarding_status = 'COMPLETED' WHERE id = $1",
	} {
		_, err := b.bed.DB.Exec(b.Context(), statement, partner.organization)
		require.NoError(b, err)
	}
	made := b.keyOf(&partner, "{}")
	grant := "/v1/organizations/" + partner.organization + "/grants/" + b.bed.OrganizationID
	for _, c := range []struct{ method, target, body string }{
		{"POST", "/v1/organizations/" + partner.organization + "/settings", `{"require_second_person":false}`},
		{"POST", "/v1/users", `{"email":"bound@example.com","name":"B","role":"admin"}`},
		{"POST", "/v1/webhook_endpoints", `{"url":"https://example.com/hook","enabled_events":["*"]}`},
		{"GET", "/v1/bank_details", ""}, {"GET", "/v1/organization_details", ""},
		{"POST", "/v1/api-keys", `{"scopes":["people"]}`}, {"POST", "/v1/api-keys/" + ownID + "/rotate", ""},
		{"PUT", grant, `{"role":"approver"}`},
	} {
		for _, as := range []*tenant{&partner, during, made} {
			answer, err := as.send(b.Context(), c.method, c.target, c.body)
			b.ended(answer, err)
			require.Equal(b, http.StatusForbidden, answer.Status, "%s %s: %s", c.method, c.target, answer.Body)
		}
	}

	var begun, over sync.WaitGroup
	begun.Add(4)
	for range 4 {
		over.Go(func() {
			for n := range 8 {
				b.attack(http.MethodPost, "/v1/api-keys", "{}")
				if n == 0 {
					begun.Done()
				}
			}
		})
	}
	begun.Wait()
	ended := eve.api(http.MethodPost, grant+"/end", "")
	require.Equal(b, http.StatusOK, ended.status, "%s", ended.body)
	over.Wait()
	require.Zero(b, b.bed.Count("SELECT count(*) FROM api_keys WHERE organization_id = $1 AND granted AND revoked_at IS NULL",
		partner.organization))
	for _, of := range []*tenant{during, made} {
		answer, err := of.send(b.Context(), http.MethodGet, "/v1/session", "")
		require.NoError(b, err)
		require.Equal(b, http.StatusUnauthorized, answer.Status)
	}
	require.Equal(b, http.StatusForbidden, b.attack(http.MethodGet, sales, "").Status)
	require.Equal(b, ownID, id(own), "the first key of %s is its own", partner.organization)
	b.only("200", "303", "403 forbidden_for_key", "409 api_key_limit_reached", "429 rate_limited")
}
