package api_test

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"levy/api"
	"levy/models"
	"levy/service"
)

func TestCreateAPIKey(t *testing.T) {
	t.Parallel()
	in := install(t)
	client := in.client("Client")
	child := credentials{client.organizationID, in.root.key}
	for _, path := range []string{"/v1/organizations/api_keys", "/v1/api-keys"} {
		a := in.do(
			child, "POST", path,
			`{"name":"Shop","expires_at_seconds":4070908800,"metadata":{"a":[1,{"b":"c"}]}}`,
		).expect(200)
		key := a.text("api_key")
		require.Regexp(t, `^levy_test_[0-9A-Za-z]{49}$`, key)
		for name, want := range map[string]any{
			"secret_available": true, "prefix": key[:14], "last4": key[55:], "name": "Shop", "status": "ACTIVE",
			"confirmed": false, "last_used_at": nil,
			"expires_at": "2099-01-01T00:00:00Z", "expires_at_seconds": 4070908800.0, "rotated_to": nil, "revoked_at": nil,
			"organization_id": client.organizationID, "api_key_id": a.text("id"),
			"metadata": map[string]any{"a": []any{1.0, map[string]any{"b": "c"}}},
		} {
			require.Equal(t, want, a.member(name), name)
		}
		in.do(credentials{client.organizationID, key}, "GET", "/v1/products", "").expect(200)
		read := in.do(child, "GET", path+"/"+a.text("id"), "").expect(200)
		require.NotContains(t, read.Body.String(), key)
		require.NotContains(t, read.Body.String(), `"api_key":`)
		require.Equal(t, false, read.member("secret_available"))
		require.Equal(t, true, read.member("confirmed"))
		require.NotContains(t, in.do(child, "GET", path, "").expect(200).Body.String(), key)
	}
	in.execute("UPDATE organizations SET is_test = false WHERE id = $1", client.organizationID)
	live := in.do(child, "POST", "/v1/api-keys", `{"expires_at":"2099-01-01T02:00:00+02:00"}`).expect(200)
	require.True(t, strings.HasPrefix(live.text("api_key"), "levy_live_"))
	require.Equal(t, "2099-01-01T00:00:00Z", live.text("expires_at"))
	for _, bad := range []string{
		`{"expires_at":"2020-01-01T00:00:00Z"}`, `{"expires_at_seconds":1}`, `{"expires_at_seconds":9999999999999}`,
		`{"name":"` + strings.Repeat("n", 101) + `"}`,
		`{"expires_at":"2099-01-01T00:00:00Z","expires_at_seconds":4070908800}`,
		`{"metadata":{"a":"` + strings.Repeat("m", 4096) + `"}}`, `{"metadata":[]}`,
	} {
		in.do(child, "POST", "/v1/api-keys", bad).expect(400, "validation_failed")
	}
}

// Numbers in a free object belong to the client: no digit may change.
func TestNumbersInMetadataAreKept(t *testing.T) {
	t.Parallel()
	in := install(t)
	client := in.client("Client")
	onboarded := credentials{client.organizationID, in.root.key}
	coming := in.do(in.root, "POST", "/v1/organizations", `{"name":"In onboarding"}`).expect(200).text("id")
	const first = `{"a":[0.1000000000000000055,{"n":-0.10}],"z":12345678901234567890123}`
	const second = `{"b":9007199254740993}`
	for _, as := range []credentials{onboarded, {coming, in.root.key}} {
		created := in.do(as, "POST", "/v1/api-keys", `{"metadata":`+first+`}`).expect(200)
		path := "/v1/api-keys/" + created.text("id")
		require.Contains(t, created.Body.String(), `"metadata":`+first)
		require.Contains(t, in.do(as, "GET", path, "").expect(200).Body.String(), `"metadata":`+first)
		require.Contains(t, in.do(as, "GET", "/v1/api-keys", "").expect(200).Body.String(), `"metadata":`+first)
		require.Contains(t, in.do(as, "PUT", path, `{"name":"Till"}`).expect(200).Body.String(), `"metadata":`+first)
		require.Contains(t, in.do(as, "POST", path+"/rotate", "").expect(200).Body.String(), `"metadata":`+first)
		require.Contains(
			t, in.do(as, "PUT", path, `{"metadata":`+second+`}`).expect(200).Body.String(), `"metadata":`+second,
		)
		require.Contains(t, in.do(as, "GET", path, "").expect(200).Body.String(), `"metadata":`+second)
	}
}

func TestAPIKeyLimit(t *testing.T) {
	t.Parallel()
	in := install(t)
	client := in.client("Client")
	child := credentials{client.organizationID, in.root.key}
	for range 19 {
		in.do(child, "POST", "/v1/api-keys", "").expect(200)
	}
	a := in.do(child, "POST", "/v1/api-keys", "").expect(409, "api_key_limit_reached")
	require.Equal(t, 20.0, a.member("limit"))
	id := in.do(child, "GET", "/v1/api-keys?size=1", "").list("id")[0].(string)
	in.do(child, "DELETE", "/v1/api-keys/"+id, "").expect(204)
	in.do(child, "DELETE", "/v1/api-keys/"+id, "").expect(204)
	in.do(child, "POST", "/v1/api-keys", "").expect(200)
	require.Equal(t, "REVOKED", in.do(child, "GET", "/v1/api-keys/"+id, "").text("status"))
	require.Equal(t, 20.0, in.do(child, "GET", "/v1/api-keys", "").member("total"))
	require.Equal(t, 21.0, in.do(child, "GET", "/v1/api-keys?active=false", "").member("total"))
}

// A record of another organization is answered like one that does not exist.
func TestARecordOfAnotherOrganizationIsAnsweredAsUnknown(t *testing.T) {
	t.Parallel()
	in := install(t)
	client, other := in.client("Client"), in.client("Other")
	product := in.product(other, "THEIRS")
	key := in.do(other, "GET", "/v1/api-keys", "").list("id")[0].(string)
	for _, c := range []struct{ method, foreign, unknown, body string }{
		{"GET", "/v1/products/" + product, "/v1/products/" + models.NewID("prod"), ""},
		{"PUT", "/v1/products/" + product, "/v1/products/" + models.NewID("prod"), `{"name":"Mine"}`},
		{"DELETE", "/v1/products/" + product, "/v1/products/" + models.NewID("prod"), ""},
		{"GET", "/v1/products/external/THEIRS", "/v1/products/external/NOBODYS", ""},
		{"GET", "/v1/api-keys/" + key, "/v1/api-keys/" + models.NewID("akey"), ""},
		{"GET", "/v1/organizations/api_keys/" + key, "/v1/organizations/api_keys/not-an-id", ""},
		{"DELETE", "/v1/api-keys/" + key, "/v1/api-keys/" + models.NewID("akey"), ""},
		{"GET", "/v1/organizations/" + other.organizationID, "/v1/organizations/" + models.NewID("org"), ""},
		{"GET", "/v1/organizations/" + in.root.organizationID, "/v1/organizations/not-an-id", ""},
	} {
		foreign := in.do(client, c.method, c.foreign, c.body).expect(404, "resource_not_found")
		unknown := in.do(client, c.method, c.unknown, c.body).expect(404, "resource_not_found")
		require.Equal(t, withoutIdentity(unknown), withoutIdentity(foreign), "%s %s", c.method, c.foreign)
	}
	for _, target := range []string{"/v1/products", "/v1/products?query=THEIRS"} {
		require.Equal(t, 0.0, in.do(client, "GET", target, "").expect(200).member("total"))
	}
	in.product(client, "THEIRS") // identifiers of others do not matter
	require.Equal(t, "Widget", in.do(other, "GET", "/v1/products/"+product, "").expect(200).text("name"))
}

func TestUpdateAPIKey(t *testing.T) {
	t.Parallel()
	in := install(t)
	client := in.client("Client")
	partner := credentials{client.organizationID, in.root.key}
	created := in.do(partner, "POST", "/v1/api-keys", `{"name":"Shop","metadata":{"a":1}}`).expect(200)
	path := "/v1/api-keys/" + created.text("id")
	for _, c := range []struct {
		body string
		want map[string]any
	}{
		{`{}`, map[string]any{"name": "Shop", "metadata": map[string]any{"a": 1.0}, "expires_at": nil}},
		{
			`{"name":"Till","metadata":{"b":[2]}}`,
			map[string]any{"name": "Till", "metadata": map[string]any{"b": []any{2.0}}},
		},
		{
			`{"expires_at":"2100-01-01T00:00:00Z"}`,
			map[string]any{"expires_at": "2100-01-01T00:00:00Z", "expires_at_seconds": 4102444800.0},
		},
		{`{"expires_at_seconds":4102444801}`, map[string]any{"expires_at": "2100-01-01T00:00:01Z"}},
		{
			`{"expires_at_seconds":null,"name":null,"metadata":null}`,
			map[string]any{"expires_at": nil, "name": nil, "metadata": map[string]any{}},
		},
	} {
		a := in.do(partner, "PUT", path, c.body).expect(200)
		for name, want := range c.want {
			require.Equal(t, want, a.member(name), "%s: %s", c.body, name)
		}
		require.Equal(t, false, a.member("secret_available"))
		require.NotContains(t, a.Body.String(), `"api_key":`)
		require.JSONEq(t, a.Body.String(), in.do(partner, "GET", path, "").Body.String())
	}
	in.do(partner, "PUT", path, `{"expires_at":"2100-01-01T00:00:00Z","expires_at_seconds":1}`).
		expect(400, "validation_failed")
	in.do(partner, "PUT", path, `{"expires_at":"2020-01-01T00:00:00Z"}`).expect(400, "validation_failed")
	in.do(client, "PUT", path, `{}`).expect(403, "forbidden_for_key")
	own := in.do(client, "GET", "/v1/api-keys?order_by=created_at", "").list("id")[0].(string)
	in.do(client, "PUT", "/v1/organizations/api_keys/"+own, `{"name":"Mine"}`).expect(200)
}

// The end of a key is in two fields. A client that changes one of the fields it read submits the other too.
func TestAKeyIsReadChangedAndSentBack(t *testing.T) {
	t.Parallel()
	now := time.Now()
	in := install(t, func(_ *service.Deps, o *api.Options) { o.Now = func() time.Time { return now } })
	partner := credentials{in.client("Client").organizationID, in.root.key}
	path := "/v1/api-keys/" + in.do(partner, "POST", "/v1/api-keys", `{"name":"Shop"}`).expect(200).text("id")
	put := func(name string, value any) answer {
		t.Helper()
		var record map[string]any
		require.NoError(t, json.Unmarshal(in.do(partner, "GET", path, "").expect(200).Body.Bytes(), &record))
		record[name] = value
		body, err := json.Marshal(record)
		require.NoError(t, err)
		return in.do(partner, "PUT", path, string(body))
	}
	for _, c := range []struct {
		field string
		sent  any
		ends  any
	}{
		{"name", "Till", nil},
		{"expires_at", "2100-01-01T00:00:00.5Z", "2100-01-01T00:00:00.5Z"},
		{"name", "Shop", "2100-01-01T00:00:00.5Z"},
		{"expires_at_seconds", 4102444801, "2100-01-01T00:00:01Z"},
		{"expires_at", "2099-01-01T00:00:00Z", "2099-01-01T00:00:00Z"},
		{"expires_at_seconds", nil, nil},
		{"expires_at_seconds", 4102444801, "2100-01-01T00:00:01Z"},
		{"expires_at", nil, nil},
	} {
		a := put(c.field, c.sent).expect(200)
		require.Equal(t, c.ends, a.member("expires_at"), "%s: %v", c.field, c.sent)
		require.JSONEq(t, a.Body.String(), put("id", "").expect(200).Body.String(), "sent back it changes nothing")
	}
	for field, past := range map[string]any{"expires_at": "2020-01-01T00:00:00Z", "expires_at_seconds": 1} {
		require.Equal(t, []string{"validation_failed out_of_range body." + field}, put(field, past).faults())
	}
	put("expires_at", now.Add(time.Hour).UTC().Format(time.RFC3339)).expect(200)
	now = now.Add(2 * time.Hour)
	require.Equal(t, "EXPIRED", put("name", "Over").expect(200).text("status"))
}

// A stolen key that expires cannot extend itself.
func TestAKeyCannotExtendItsOwnValidity(t *testing.T) {
	t.Parallel()
	in := install(t)
	client := in.client("Client")
	partner := credentials{client.organizationID, in.root.key}
	key := in.do(partner, "POST", "/v1/api-keys", `{"expires_at":"2090-01-01T00:00:00Z"}`).expect(200)
	own, path := credentials{client.organizationID, key.text("api_key")}, "/v1/api-keys/"+key.text("id")
	for _, body := range []string{`{"expires_at":null}`, `{"expires_at_seconds":null}`,
		`{"expires_at":"2090-01-01T00:00:01Z"}`} {
		in.do(own, "PUT", path, body).expect(403, "forbidden_for_key")
	}
	in.do(own, "PUT", path, `{"name":"Till","expires_at":"2089-01-01T00:00:00Z"}`).expect(200)
	in.do(partner, "PUT", path, `{"expires_at":"2091-01-01T00:00:00Z"}`).expect(200)
}

func TestRotateAPIKey(t *testing.T) {
	t.Parallel()
	now := time.Now()
	in := install(t, func(_ *service.Deps, o *api.Options) { o.Now = func() time.Time { return now } })
	client := in.client("Client")
	partner := credentials{client.organizationID, in.root.key}
	created := in.do(partner, "POST", "/v1/api-keys", `{"name":"Shop","metadata":{"a":1}}`).expect(200)
	old := credentials{client.organizationID, created.text("api_key")}
	in.do(client, "POST", "/v1/api-keys/"+created.text("id")+"/rotate", "").expect(403, "forbidden_for_key")

	made := in.do(old, "POST", "/v1/api-keys/"+created.text("id")+"/rotate", "").expect(200)
	require.Equal(t, "Shop", made.text("name"))
	require.Equal(t, map[string]any{"a": 1.0}, made.member("metadata"))
	require.NotEqual(t, created.text("api_key"), made.text("api_key"))
	in.do(credentials{client.organizationID, made.text("api_key")}, "GET", "/v1/products", "").expect(200)
	in.do(old, "GET", "/v1/products", "").expect(200) // during the overlap
	record := in.do(partner, "GET", "/v1/api-keys/"+created.text("id"), "")
	require.Equal(t, made.text("id"), record.text("rotated_to"))
	ends, err := time.Parse(time.RFC3339, record.text("expires_at"))
	require.NoError(t, err)
	require.WithinDuration(t, time.Now().Add(24*time.Hour), ends, time.Minute, "a day unless sent")
	now = ends.Add(time.Second)
	in.do(old, "GET", "/v1/products", "").expect(401, "unauthenticated")
	now = time.Now()

	again := in.do(
		partner, "POST", "/v1/organizations/api_keys/"+made.text("id")+"/rotate", `{"overlap_seconds":0}`,
	).expect(200)
	in.do(credentials{client.organizationID, made.text("api_key")}, "GET", "/v1/products", "").expect(401)
	inactive := in.do(partner, "POST", "/v1/api-keys/"+made.text("id")+"/rotate", "").
		expect(409, "invalid_status_transition")
	require.Equal(t, "EXPIRED", inactive.text("from"))
	in.do(partner, "DELETE", "/v1/api-keys/"+again.text("id"), "").expect(204)
	require.Equal(
		t, "REVOKED",
		in.do(partner, "POST", "/v1/api-keys/"+again.text("id")+"/rotate", "").
			expect(409, "invalid_status_transition").text("from"),
	)
	for _, bad := range []string{`{"overlap_seconds":-1}`, `{"overlap_seconds":604801}`, `{"overlap_seconds":"1"}`} {
		in.do(partner, "POST", "/v1/api-keys/"+created.text("id")+"/rotate", bad).expect(400, "validation_failed")
	}
}

// Neither a change nor a rotation revives an expired key, or counts it among the active ones.
func TestAnExpiredKeyIsNotRevived(t *testing.T) {
	t.Parallel()
	in := install(t)
	client := in.client("Client")
	partner := credentials{client.organizationID, in.root.key}
	old := in.do(partner, "POST", "/v1/api-keys", "").expect(200)
	in.do(partner, "POST", "/v1/api-keys/"+old.text("id")+"/rotate", `{"overlap_seconds":0}`).expect(200)
	for _, path := range []string{"/v1/api-keys/", "/v1/organizations/api_keys/"} {
		for _, body := range []string{
			`{"expires_at":null}`, `{"expires_at_seconds":null}`, `{"expires_at":"2099-01-01T00:00:00Z"}`,
			`{"expires_at_seconds":4070908800}`,
		} {
			a := in.do(partner, "PUT", path+old.text("id"), body).expect(409, "invalid_status_transition")
			require.Equal(t, "EXPIRED", a.text("from"))
			require.Equal(t, "ACTIVE", a.text("to"))
		}
	}
	in.do(credentials{client.organizationID, old.text("api_key")}, "GET", "/v1/products", "").expect(401)
	a := in.do(partner, "PUT", "/v1/api-keys/"+old.text("id"), `{"name":"Old till"}`).expect(200)
	require.Equal(t, "EXPIRED", a.text("status"))
}

// Both keys work during the overlap, so both count.
func TestRotatingKeepsTheLimit(t *testing.T) {
	t.Parallel()
	in := install(t)
	client := in.client("Client")
	partner := credentials{client.organizationID, in.root.key}
	var id string
	for range models.MaxActiveAPIKeys - 1 {
		id = in.do(partner, "POST", "/v1/api-keys", "").expect(200).text("id")
	}
	in.do(partner, "POST", "/v1/api-keys/"+id+"/rotate", "").expect(409, "api_key_limit_reached")
	require.Nil(t, in.do(partner, "GET", "/v1/api-keys/"+id, "").member("rotated_to"), "nothing was written")
	in.do(partner, "POST", "/v1/api-keys/"+id+"/rotate", `{"overlap_seconds":0}`).expect(200)
}
