package attack_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"sync"

	"github.com/stretchr/testify/require"
)

// strayRights: keys that are narrow, that end or that leaked make nobody an admin, make nothing that stays, and leave
// nothing behind.
func strayRights(b *attackRun) {
	whole := *b.attacker
	post := func(of *tenant, target, body string) map[string]any {
		answer, err := of.send(b.Context(), http.MethodPost, target, body)
		b.ended(answer, err)
		var said map[string]any
		require.NoError(b, json.Unmarshal(answer.Body, &said))
		return said
	}
	invite := func(of *tenant, role string, n int) map[string]any {
		return post(of, "/v1/users", fmt.Sprintf(`{"email":"stray-%d@example.com","name":"S","role":%q}`, n, role))
	}
	narrow, ending := b.keyOf(&whole, `{"scopes":["people"]}`), b.keyOf(&whole, `{"expires_at":"2090-01-01T00:00:00Z"}`)
	for i, role := range []string{"admin", "approver", "preparer", "viewer"} {
		require.NotContains(b, invite(narrow, role, i), "sign_in_path", role)
		require.NotContains(b, invite(ending, role, i), "sign_in_path", role)
	}
	boss := invite(&whole, "admin", 9)
	for _, of := range []*tenant{narrow, ending} {
		answer, err := of.send(b.Context(), http.MethodPut, "/v1/users/"+boss["id"].(string), `{"new_link":true}`)
		b.ended(answer, err)
		require.NotContains(b, string(answer.Body), "/sign-in/")
	}

	leaked := post(&whole, "/v1/api-keys", "{}")
	thief := *b.attacker
	thief.key = leaked["api_key"].(string)
	followers := []*tenant{&thief}
	for range 3 { // each makes the next one, and all are revoked with the first
		made := post(followers[len(followers)-1], "/v1/api-keys", "{}")
		next := thief
		next.key = made["api_key"].(string)
		followers = append(followers, &next)
	}
	ended := post(&whole, "/v1/api-keys/"+leaked["id"].(string)+"/revoke", `{"leaked":true}`)
	require.Len(b, ended["ended"], 3)
	for _, of := range followers {
		answer, err := of.send(b.Context(), http.MethodGet, "/v1/session", "")
		require.NoError(b, err)
		require.Equal(b, http.StatusUnauthorized, answer.Status)
	}
	b.oneKeyOfALink()
	b.only("200", "403 forbidden_for_key", "429 rate_limited", "409 onboarding_not_active")
}

// oneKeyOfALink: four calls at once with one onboarding link make one key.
func (b *attackRun) oneKeyOfALink() {
	client := b.bed.Call(http.MethodPost, "/v1/organizations", map[string]any{"name": "One key"}, http.StatusOK)
	id := client["id"].(string)
	link := b.bed.Call(http.MethodPost, "/v1/onboarding/"+id+"/link", nil, http.StatusOK)
	token := link["path"].(string)[len("/join/"):]
	var all sync.WaitGroup
	for range 4 {
		all.Go(func() {
			request, err := http.NewRequestWithContext(b.Context(), http.MethodPost, b.attacker.url+"/v1/api-keys", http.NoBody)
			require.NoError(b, err)
			request.Header.Set("x-organization-id", id)
			request.Header.Set("Sec-Fetch-Site", "same-origin")
			request.AddCookie(&http.Cookie{Name: "levy_onboarding", Value: token})
			response, err := b.attacker.http.Do(request)
			require.NoError(b, err)
			defer response.Body.Close()
		})
	}
	all.Wait()
	require.Equal(b, 1, b.bed.Count("SELECT count(*) FROM api_keys WHERE organization_id = $1", id))
}
