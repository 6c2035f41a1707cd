package api_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"levy/models"
	"levy/service"
)

// made is a thing in a test: how it is made with a way to call, and how many of it still work.
type made struct {
	by    func(call calling) (id string)
	works string // counts those with the id
}

// calling sends a request as the maker.
type calling func(method, target, body string) answer

// things are all kinds of service.Things for an organization of the call. other is a client being onboarded.
func (in *installation) things(other credentials) map[string]made {
	invite := func(call calling) string {
		email := models.NewID("mail") + "@example.com"
		return call("POST", "/v1/users", `{"email":"`+email+`","name":"M","role":"viewer"}`).expect(200).text("id")
	}
	const role = "SELECT count(*) FROM memberships WHERE user_id = $1"
	return map[string]made{
		"invitation": {invite, role},
		"accepted invitation": {func(call calling) string {
			id := invite(call)
			in.execute("UPDATE users SET status = 'ACTIVE', password_hash = 'x' WHERE id = $1", id)
			return id
		}, role},
		"onboarding link": {func(call calling) string {
			call("POST", "/v1/onboarding/"+other.organizationID+"/link", "").expect(200)
			var id string
			in.read(&id, "SELECT id::text FROM onboarding_links WHERE organization_id = $1", other.organizationID)
			return id
		}, "SELECT count(*) FROM onboarding_links WHERE id = $1"},
		"calendar feed": {func(call calling) string {
			return call("POST", "/v1/calendar_feeds", `{"name":"Office"}`).expect(200).text("id")
		}, "SELECT count(*) FROM calendar_feeds WHERE id = $1"},
		"API key": {func(call calling) string { return call("POST", "/v1/api-keys", "").expect(200).text("id") },
			"SELECT count(*) FROM api_keys WHERE id = $1 AND revoked_at IS NULL"},
		"webhook endpoint": {func(call calling) string {
			return call("POST", "/v1/webhook_endpoints", `{"url":"http://127.0.0.1:9/x"}`).expect(200).text("id")
		}, "SELECT count(*) FROM webhook_endpoints WHERE id = $1 AND deleted_at IS NULL"},
	}
}

// Each thing is made by each maker. When that ends, the thing ends, is named or stays, as the table says.
func TestEachThingHasItsFate(t *testing.T) {
	t.Parallel()
	// These have tests of their own.
	elsewhere := []string{"session", "passkey", "saved view", "preferences", "access at an authority", "export", "import"}
	in := hooked(t)
	check := func(end string, fate func(service.Thing) service.Fate, ids map[string]string, ended, named string) {
		for _, thing := range service.Things() {
			id, is := ids[thing.Kind]
			if slices.Contains(elsewhere, thing.Kind) {
				continue
			}
			require.True(t, is, "%s: say in this test how it is made", thing.Kind)
			works := in.count(in.things(credentials{})[thing.Kind].works, id) > 0
			switch fate(thing) {
			case service.FateEnds:
				require.False(t, works, "%s, %s", thing.Kind, end)
				require.Contains(t, ended, id, "%s, %s", thing.Kind, end)
			case service.FateNamed:
				require.True(t, works, "%s, %s", thing.Kind, end)
				require.Contains(t, named, id, "%s, %s", thing.Kind, end)
			default:
				require.Fail(t, "a test of its own", thing.Kind)
			}
		}
	}
	makeAll := func(other credentials, call calling) map[string]string {
		ids := map[string]string{}
		for kind, thing := range in.things(other) {
			ids[kind] = thing.by(call)
		}
		return ids
	}
	text := func(a answer, member string) string {
		_, rest, _ := strings.Cut(a.Body.String(), `"`+member+`":`)
		list, _, _ := strings.Cut(rest, "]")
		return list
	}
	for _, body := range []string{"", `{"leaked":true}`} {
		key := in.do(in.root, "POST", "/v1/api-keys", "").expect(200)
		as := credentials{in.root.organizationID, key.text("api_key")}
		ids := makeAll(in.client("Of a key"+body[:min(1, len(body))]), func(method, target, body string) answer {
			return in.do(as, method, target, body)
		})
		a := in.do(in.root, "POST", "/v1/api-keys/"+key.text("id")+"/revoke", body).expect(200)
		check("key revoked"+body, func(t service.Thing) service.Fate {
			if body != "" {
				return t.Leaked
			}
			return t.Revoked
		}, ids, text(a, "ended"), text(a, "to_decide"))
	}

	pat := in.memberOf(in.root, "pat@example.com", "admin")
	in.memberOf(in.root, "boss@example.com", "admin")
	ids := makeAll(in.client("Of a person"), func(method, target, body string) answer {
		return in.asPerson(pat, in.root.organizationID, method, target, body)
	})
	var id, ended, named string
	in.read(&id, "SELECT id::text FROM users WHERE email = 'pat@example.com'")
	in.do(in.root, "DELETE", "/v1/users/"+id, "").expect(204)
	in.asPerson(pat, "", "GET", "/v1/session", "").expect(401)
	in.read(&ended, `SELECT detail ->> 'ended' FROM audit WHERE action = 'remove' AND entity_id = $1`, id)
	in.read(&named, `SELECT detail ->> 'to_decide' FROM audit WHERE action = 'remove' AND entity_id = $1`, id)
	check("person removed", func(t service.Thing) service.Fate { return t.Removed }, ids, ended, named)

	client := in.client("Of a partner")
	in.do(client, "GET", "/v1/session", "").expect(200)
	ids = makeAll(client, func(method, target, body string) answer {
		return in.do(in.partnerFor(client), method, target, body)
	})
	admin := in.memberOf(client, "ada@example.com", "admin")
	a := in.asPerson(admin, client.organizationID, "POST",
		"/v1/organizations/"+client.organizationID+"/grants/"+in.root.organizationID+"/end", "").expect(200)
	check("grant ended", func(t service.Thing) service.Fate { return t.Ended }, ids, text(a, "ended"), text(a, "to_decide"))
}
