package api_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"levy/models"
)

// People comment on a record by their role. Only the author corrects or withdraws a comment, and its texts stay.
func TestPeopleCommentOnARecord(t *testing.T) {
	t.Parallel()
	in := install(t)
	client, other := in.client("Client"), in.client("Other")
	in.onboarded(client)
	in.do(client, "POST", "/v1/products", aProduct).expect(200)
	sold := record(t, in, client, sale("ORDER-1", "")).text("id")
	ann, bob := in.memberOf(client, "ann@example.com", "preparer"), in.memberOf(client, "bob@example.com", "admin")
	vi, eve := in.memberOf(client, "vi@example.com", "viewer"), in.memberOf(other, "eve@example.com", "admin")
	path := "/v1/comments/transaction/" + sold
	as := func(person, method, path, body string) answer {
		return in.asPerson(person, client.organizationID, method, path, body)
	}

	first := as(ann, "POST", path, `{"text":" Why so low? "}`).expect(200)
	require.Equal(t, []any{"Why so low?", true}, []any{first.member("text"), first.member("may_change")})
	second := as(bob, "POST", path, `{"text":"The shop closed."}`).expect(200).text("id")
	as(ann, "POST", path, `{"text":" "}`).expect(400, "validation_failed")
	as(vi, "POST", path, `{"text":"Hello"}`).expect(403, "forbidden_for_key")
	in.do(client, "POST", path, `{"text":"Hello"}`).expect(403, "forbidden_for_key")
	as(ann, "POST", "/v1/comments/filing/"+sold, `{"text":"Hello"}`).expect(404, "resource_not_found")
	as(ann, "POST", "/v1/comments/customer/"+sold, `{"text":"Hello"}`).expect(404, "resource_not_found")
	in.asPerson(eve, other.organizationID, "POST", path, `{"text":"Hello"}`).expect(404, "resource_not_found")
	in.asPerson(eve, other.organizationID, "GET", path, "").expect(404, "resource_not_found")

	one := "/v1/comments/" + first.text("id")
	refused := as(bob, "PUT", one, `{"text":"Mine now"}`).expect(403)
	require.Equal(t, "Only its author changes a comment, and not after it was withdrawn.", refused.text("detail"))
	as(ann, "PUT", one, `{}`).expect(400, "validation_failed")
	as(ann, "PUT", one, `{"text":"x","withdrawn":true}`).expect(400, "validation_failed")
	for range 2 {
		require.Len(t, as(ann, "PUT", one, `{"text":"Why so low in May?"}`).expect(200).member("versions"), 2)
	}
	as(bob, "PUT", "/v1/comments/"+second, `{"withdrawn":true}`).expect(200)
	as(bob, "PUT", "/v1/comments/"+second, `{"text":"Back"}`).expect(403)
	in.asPerson(eve, other.organizationID, "PUT", one, `{"text":"x"}`).expect(404, "resource_not_found")

	listed := as(vi, "GET", path, "").expect(200).member("items").([]any)
	require.Len(t, listed, 2)
	read := func(i int, name string) any { return listed[i].(map[string]any)[name] }
	require.Equal(t, []any{"Why so low in May?", false, nil}, []any{read(0, "text"), read(0, "may_change"), read(0, "withdrawn_at")})
	require.Empty(t, read(1, "text"), "it was withdrawn")
	require.Len(t, read(1, "versions"), 1, "what it said stays")
	require.Equal(t, 4, in.count("SELECT count(*) FROM audit WHERE entity_type = 'comment' AND action IN ('create', 'update')"))
	require.Zero(t, in.count("SELECT count(*) FROM audit WHERE entity_type = 'comment' AND detail::text LIKE '%low%'"))

	in.execute(`INSERT INTO comments (organization_id, id, object_type, object_id, user_id)
		SELECT organization_id, 'c' || n, object_type, object_id, user_id FROM comments, generate_series(1, $1) n WHERE id = $2`,
		models.MaxCommentsOfRecord-2, first.text("id"))
	as(ann, "POST", path, `{"text":"One more"}`).expect(409, "comment_limit_reached")
	as(ann, "POST", "/v1/comments/organization/"+client.organizationID, `{"text":"Elsewhere"}`).expect(200)
}

// A comment waits for the people it mentions, who see its record, until each is done with it or sees the record no more.
func TestAMentionWaitsForItsPerson(t *testing.T) {
	t.Parallel()
	in := install(t)
	client, other := in.client("Client"), in.client("Other")
	in.onboarded(client)
	in.granted(client, models.GrantPreparer)
	ann, pat := in.memberOf(client, "ann@example.com", "preparer"), in.memberOf(in.root, "pat@example.com", "viewer")
	eve := in.memberOf(other, "eve@example.com", "admin")
	people := map[string]map[string]any{}
	for _, each := range in.asPerson(ann, client.organizationID, "GET", "/v1/colleagues", "").expect(200).member("items").([]any) {
		p := each.(map[string]any)
		people[fmt.Sprint(p["side"])] = p
	}
	require.Equal(t, []any{true, false}, []any{people["ORGANIZATION"]["may_act"], people["PARTNER"]["may_act"]})
	require.NotContains(t, people, "STAFF")
	named := "/v1/colleagues?organization_id__in=" + client.organizationID
	require.Empty(t, in.alone(eve, "GET", named).expect(200).member("items"))
	require.Len(t, in.alone(ann, "GET", named).expect(200).member("items"), 2)

	path := "/v1/comments/organization/" + client.organizationID
	comment := func(mention string) answer {
		return in.asPerson(ann, client.organizationID, "POST", path, fmt.Sprintf(`{"text":"Look","mentions":[%q]}`, mention))
	}
	waiting := func(person string) []any {
		return in.alone(person, "GET", "/v1/session/mentions").expect(200).member("items").([]any)
	}
	foreign := in.asPerson(eve, other.organizationID, "GET", "/v1/colleagues", "").expect(200).member("items").([]any)
	for _, each := range foreign {
		if p := each.(map[string]any); p["side"] == "ORGANIZATION" {
			comment(p["id"].(string)).expect(400, "validation_failed")
		}
	}
	id := comment(people["PARTNER"]["id"].(string)).expect(200).text("id")
	require.Len(t, waiting(pat), 1)
	require.Empty(t, waiting(ann))
	in.execute("UPDATE client_grants SET ended_at = now() WHERE organization_id = $1", client.organizationID)
	require.Empty(t, waiting(pat), "the record is not seen without a grant")
	require.Len(t, in.alone(ann, "GET", named).expect(200).member("items"), 1, "nobody of the partner sees it")
	in.execute("UPDATE client_grants SET ended_at = NULL WHERE organization_id = $1", client.organizationID)
	in.alone(ann, "DELETE", "/v1/session/mentions/"+id).expect(404, "resource_not_found")
	for range 2 {
		require.Empty(t, in.alone(pat, "DELETE", "/v1/session/mentions/"+id).expect(200).member("items"))
	}
	withdrawn := comment(people["PARTNER"]["id"].(string)).expect(200).text("id")
	require.Len(t, waiting(pat), 1)
	in.asPerson(ann, client.organizationID, "PUT", "/v1/comments/"+withdrawn, `{"withdrawn":true}`).expect(200)
	require.Empty(t, waiting(pat))
	require.Zero(t, in.count("SELECT count(*) FROM comment_mentions WHERE done_at IS NULL"), "it waits for nobody any more")
	in.do(client, "GET", "/v1/session/mentions", "").expect(403, "forbidden_for_key")
}

// alone sends a request with the cookie of a session and without an organization.
func (in *installation) alone(session, method, target string) answer {
	in.t.Helper()
	return in.do(credentials{}, method, target, "", header("X-API-KEY"), header("x-organization-id"),
		header("Cookie", "__Host-levy_session="+session), header("Sec-Fetch-Site", "same-origin"))
}
