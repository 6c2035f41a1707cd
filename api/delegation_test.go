package api_test

import (
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"levy/models"
)

// A key gives no role that may do more than itself, and no new way to sign in with such a role. Nothing outlives it.
func TestAKeyGivesNoMoreThanItHas(t *testing.T) {
	t.Parallel()
	in := install(t)
	client := in.client("Client")
	key := func(body string) credentials {
		made := in.do(in.root, "POST", "/v1/api-keys", body).expect(200)
		return credentials{in.root.organizationID, made.text("api_key")}
	}
	invite := func(as credentials, name, role string) answer {
		return in.do(as, "POST", "/v1/users", `{"email":"`+name+`@example.com","name":"N","role":"`+role+`"}`)
	}
	admin := invite(in.root, "admin", "admin").expect(200).text("id")
	viewer := invite(in.root, "viewer", "viewer").expect(200).text("id")
	for scopes, may := range map[string]map[string]bool{
		`["people"]`: {}, `["read","people"]`: {"viewer": true},
		`["read","write","people"]`: {"viewer": true, "preparer": true, "approver": true, "admin": true},
	} {
		as := key(`{"scopes":` + scopes + `}`)
		for _, role := range []string{"viewer", "preparer", "approver", "admin"} {
			a := invite(as, models.NewID("mail"), role)
			change := in.do(as, "PUT", "/v1/users/"+viewer, `{"role":"`+role+`"}`)
			if may[role] {
				a.expect(200)
				change.expect(200)
				in.do(in.root, "PUT", "/v1/users/"+viewer, `{"role":"viewer"}`).expect(200)
				continue
			}
			a.expect(403, "forbidden_for_key")
			if role != "viewer" {
				change.expect(403, "forbidden_for_key")
			}
		}
		for _, takes := range []string{`{"new_link":true}`, `{"reset_second_factor":true}`} {
			a := in.do(as, "PUT", "/v1/users/"+admin, takes)
			if may["admin"] {
				a.expect(200)
			} else {
				a.expect(403, "forbidden_for_key")
			}
		}
		in.do(as, "PUT", "/v1/users/"+admin, `{"name":"Ada","end_sessions":true}`).expect(200)
	}

	ends := key(`{"expires_at":"2090-01-01T00:00:00Z"}`)
	require.Contains(t, invite(ends, "late", "viewer").expect(403, "forbidden_for_key").text("detail"), "key without end")
	in.do(ends, "PUT", "/v1/users/"+viewer, `{"role":"admin"}`).expect(403, "forbidden_for_key")
	in.do(ends, "PUT", "/v1/users/"+viewer, `{"new_link":true}`).expect(403, "forbidden_for_key")
	onClient := credentials{client.organizationID, ends.key}
	soon := key(`{"expires_at":"` + time.Now().UTC().Add(time.Hour).Format(time.RFC3339) + `"}`)
	link := in.do(soon, "POST", "/v1/onboarding/"+client.organizationID+"/link", "").expect(200)
	until, err := time.Parse(time.RFC3339, link.text("expires_at"))
	require.NoError(t, err)
	require.True(t, until.Before(time.Now().Add(2*time.Hour)), "the link ends with the key")
	for _, body := range []string{``, `{"expires_at":"2090-01-01T00:00:01Z"}`} {
		in.do(onClient, "POST", "/v1/api-keys", body).expect(403, "forbidden_for_key")
	}
	in.do(onClient, "POST", "/v1/api-keys", `{"expires_at":"2089-01-01T00:00:00Z"}`).expect(200)
	id := in.do(credentials{client.organizationID, in.root.key}, "GET", "/v1/api-keys?order_by=created_at", "").
		expect(200).member("items").([]any)[0].(map[string]any)["id"].(string)
	in.do(onClient, "POST", "/v1/api-keys/"+id+"/rotate", "").expect(403, "forbidden_for_key")
}

// The answer to the revocation of a leaked key names all that ended with it, at once, and what is left to decide.
func TestALeakedKeyEndsWithAllThatFollowsFromIt(t *testing.T) {
	t.Parallel()
	in := hooked(t)
	client := in.client("Client")
	leaked := in.do(in.root, "POST", "/v1/api-keys", "").expect(200)
	thief := credentials{in.root.organizationID, leaked.text("api_key")}
	endpoint := in.do(thief, "POST", "/v1/webhook_endpoints", `{"url":"http://127.0.0.1:9/x"}`).expect(200).text("id")
	invited := in.do(thief, "POST", "/v1/users", `{"email":"m@example.com","name":"M","role":"admin"}`).expect(200)
	link := in.client("Another")
	in.do(credentials{in.root.organizationID, thief.key}, "POST", "/v1/onboarding/"+link.organizationID+"/link", "").
		expect(200)
	second := in.do(thief, "POST", "/v1/api-keys/"+leaked.text("id")+"/rotate", "").expect(200)
	third := in.do(credentials{in.root.organizationID, second.text("api_key")}, "POST", "/v1/api-keys", "").expect(200)
	require.Equal(t, second.text("id"), third.text("made_by"))

	done := in.do(in.root, "POST", "/v1/api-keys/"+leaked.text("id")+"/revoke", `{"leaked":true}`).expect(200)
	var ended []string
	for _, thing := range done.member("ended").([]any) {
		ended = append(ended, thing.(map[string]any)["type"].(string)+" "+thing.(map[string]any)["id"].(string))
	}
	require.Len(t, ended, 5)
	require.Subset(t, ended, []string{"api_key " + second.text("id"), "api_key " + third.text("id"),
		"webhook_endpoint " + endpoint, "invitation " + invited.text("id")})
	require.Empty(t, done.member("to_decide"))
	for _, key := range []string{thief.key, second.text("api_key"), third.text("api_key")} {
		in.do(credentials{in.root.organizationID, key}, "GET", "/v1/session", "").expect(401)
	}
	in.do(in.root, "GET", "/v1/webhook_endpoints/"+endpoint, "").expect(404)
	require.Zero(t, in.count("SELECT count(*) FROM onboarding_links"))
	require.Zero(t, in.count("SELECT count(*) FROM sign_in_links WHERE used_at IS NULL"))
	in.do(client, "GET", "/v1/session", "").expect(200)
	require.Equal(t, 1, in.count("SELECT count(*) FROM audit WHERE action = 'revoke' AND entity_id = $1", third.text("id")))
}

// A key that was not leaked leaves its keys and endpoints working, because others use them: they are named. The same is
// true of what a removed person made.
func TestWhatAnEndedMakerLeavesIsNamed(t *testing.T) {
	t.Parallel()
	in := hooked(t)
	old := in.do(in.root, "POST", "/v1/api-keys", "").expect(200)
	as := credentials{in.root.organizationID, old.text("api_key")}
	next := in.do(as, "POST", "/v1/api-keys", "").expect(200)
	endpoint := in.do(as, "POST", "/v1/webhook_endpoints", `{"url":"http://127.0.0.1:9/x"}`).expect(200).text("id")
	invited := in.do(as, "POST", "/v1/users", `{"email":"m@example.com","name":"M","role":"admin"}`).expect(200)
	done := in.do(in.root, "POST", "/v1/api-keys/"+old.text("id")+"/revoke", "").expect(200)
	require.Equal(t, []any{map[string]any{
		"type": "invitation", "id": invited.text("id"), "organization_id": in.root.organizationID,
	}}, done.member("ended"))
	require.Len(t, done.member("to_decide"), 2)
	in.do(credentials{in.root.organizationID, next.text("api_key")}, "GET", "/v1/session", "").expect(200)
	in.do(in.root, "GET", "/v1/webhook_endpoints/"+endpoint, "").expect(200)
	require.NotNil(t, in.do(in.root, "GET", "/v1/api-keys/"+next.text("id"), "").expect(200).member("maker_ended_at"))
	again := in.do(in.root, "POST", "/v1/api-keys/"+old.text("id")+"/revoke", "").expect(200)
	require.Empty(t, again.member("ended"), "a repetition changes nothing")

	in.person("boss@example.com", "admin")
	var bossID string
	in.read(&bossID, "SELECT id FROM users WHERE email = 'boss@example.com'")
	in.execute(`INSERT INTO makers (organization_id, kind, id, user_id, made_at) VALUES ($1, 'api_key', $2, $3, now())
		ON CONFLICT (organization_id, kind, id) DO UPDATE SET key_id = NULL, user_id = excluded.user_id`,
		in.root.organizationID, next.text("id"), bossID)
	in.person("other@example.com", "admin")
	in.do(in.root, "DELETE", "/v1/users/"+bossID, "").expect(http.StatusNoContent)
	require.Equal(t, 1, in.count(`SELECT count(*) FROM audit WHERE action = 'remove' AND entity_id = $1
		AND detail -> 'to_decide' ? $2`, bossID, next.text("id")))
}
