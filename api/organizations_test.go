package api_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"levy/models"
)

func TestCreateOrganization(t *testing.T) {
	t.Parallel()
	in := install(t)
	a := in.do(
		in.root, "POST", "/v1/organizations",
		`{"name":"Acme  Trading LLC","organization_id":"org_x","id":"org_y","billing_plan":"PREMIUM","promo":"SPRING"}`,
	).expect(200)
	var o map[string]any
	require.NoError(t, json.Unmarshal(a.Body.Bytes(), &o))
	require.Regexp(t, `^org_[0-9a-hjkmnp-tv-z]{26}$`, o["id"])
	require.Equal(t, o["id"], o["organization_id"])
	require.Equal(t, o["id"], o["external_id"], "the id unless sent")
	require.Equal(t, in.root.organizationID, o["parent_organization_id"])
	for name, want := range map[string]any{
		"name": "Acme  Trading LLC", "source": "PARTNER", "promo": "SPRING", "status": "ACTIVE", "is_test": true,
		"billing_plan":   "FREE",
		"disable_emails": false, "customer_id": nil, "subscription_id": nil, "email_group": nil, "scheduled_deletion": nil,
		"internal_use": false, "onboarding_status": "IN_PROGRESS",
		"settings": map[string]any{
			"disable_onboarding": false, "enable_eu_registration": nil, "product_category_version": "1", "oss_scheme": nil,
			"enable_new_auto_filing_experience": true, "enable_new_filing_ui": nil, "prefer_collected_tax_amounts": false,
			"special_tax_circumstances": false, "require_second_person": false, "enabled_jurisdictions": []any{},
			"second_person_end_requested_by": nil, "second_person_end_requested_at": nil, "sst_id": nil,
			"time_zone":    nil,
			"tax_rounding": "TAX_PER_LINE", "disable_ai_classification": nil,
			"enable_business_address_fallback": nil, "filing_lookback_periods": 1.0,
		},
	} {
		require.Contains(t, o, name)
		require.Equal(t, want, o[name], name)
	}
	require.NotContains(t, o, "archived_at")
	require.NotContains(t, o, "archival_reason")
	require.Regexp(t, `^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{0,5}[1-9])?Z$`, o["created_at"])

	read := in.do(in.root, "GET", "/v1/organizations/"+a.text("id"), "").expect(200)
	require.JSONEq(t, a.Body.String(), read.Body.String())

	duplicate := in.do(in.root, "POST", "/v1/organizations", `{"name":" ACME trading\tllc"}`).
		expect(409, "duplicate_name")
	require.Equal(t, o["id"], duplicate.text("existing_id"))
	in.execute("UPDATE organizations SET status = 'ARCHIVED' WHERE id = $1", o["id"])
	in.do(
		in.root, "POST", "/v1/organizations", `{"name":"Acme Trading LLC"}`,
	).expect(200) // names of archived clients are free
	in.do(in.root, "POST", "/v1/organizations", `{"name":" "}`).expect(400, "validation_failed")
}

func TestListOrganizations(t *testing.T) {
	t.Parallel()
	in := install(t)
	a, b := in.client("Alpha"), in.client("Beta 100%")
	in.client("Gone")
	in.execute("UPDATE organizations SET status = 'ARCHIVED' WHERE name = 'Gone'")
	in.execute("UPDATE organizations SET is_test = false WHERE id = $1", b.organizationID)
	for query, want := range map[string][]any{
		"":                                      {"Partner", "Alpha", "Beta 100%"},
		"?order_by=-name":                       {"Partner", "Beta 100%", "Alpha"},
		"?query=aLPH":                           {"Alpha"},
		"?query=0%25":                           {"Beta 100%"},
		"?query=_":                              {"Partner", "Alpha", "Beta 100%"}, // in the external ids
		"?query=" + a.organizationID:            {"Alpha"},
		"?status__in=ARCHIVED":                  {"Gone"},
		"?status=ARCHIVED,ACTIVE&order_by=name": {"Alpha", "Beta 100%", "Gone", "Partner"},
		"?status=":                              {"Partner", "Alpha", "Beta 100%"},
		"?is_test=false":                        {"Beta 100%"},
		"?page=2&size=2":                        {"Beta 100%"},
		"?page=9&size=2":                        {},
	} {
		require.Equal(t, want, in.do(in.root, "GET", "/v1/organizations"+query, "").expect(200).list("name"), query)
	}
	page := in.do(in.root, "GET", "/v1/organizations?page=2&size=2", "")
	require.Equal(t, []any{3.0, 2.0, 2.0, 2.0}, []any{
		page.member("total"), page.member("page"), page.member("size"), page.member("pages"),
	})
	for _, bad := range []string{
		"?order_by=id", "?size=101", "?page=0", "?is_test=yes", "?status=active", "?query=a&query=b",
		"?query=%00",
	} {
		in.do(in.root, "GET", "/v1/organizations"+bad, "").expect(400, "validation_failed")
	}
}

func TestCheckOrganizationName(t *testing.T) {
	t.Parallel()
	in := install(t)
	client := in.client("Acme Trading")
	gone := in.client("Gone")
	in.execute("UPDATE organizations SET status = 'ARCHIVED' WHERE id = $1", gone.organizationID)
	for name, want := range map[string]any{
		"New": nil, "%20ACME%20%20trading": "DUPLICATE", "Gone": nil, "%20": "INVALID", strings.Repeat("a", 201): "INVALID",
		strings.Repeat("a", 7000):     "INVALID",
		strings.Repeat("%C3%A9", 200): nil,
	} {
		a := in.do(in.root, "GET", "/v1/organizations/is_valid?name="+name, "").expect(200)
		require.Equal(t, []any{want == nil, want}, []any{a.member("is_valid"), a.member("reason")}, name)
	}
	in.do(in.root, "GET", "/v1/organizations/is_valid", "").expect(400, "validation_failed")
	in.do(in.root, "GET", "/v1/organizations/is_valid?name=", "").expect(400, "validation_failed")
	noText := in.do(in.root, "GET", "/v1/organizations/is_valid?name=%00", "").expect(400, "validation_failed")
	require.Len(t, noText.member("errors"), 1, "it is sent, but is no text")
	in.do(client, "GET", "/v1/organizations/is_valid?name=x", "").expect(403, "forbidden_for_key")
}

func TestUpdateOrganization(t *testing.T) {
	t.Parallel()
	in := install(t)
	client, other := in.client("Client"), in.client("Other")
	child := credentials{client.organizationID, in.root.key}
	path := "/v1/organizations/" + client.organizationID
	for _, c := range []struct {
		as   credentials
		body string
		want map[string]any
	}{
		{in.root, `{}`, map[string]any{"name": "Client", "external_id": client.organizationID}},
		{
			child, `{"name":"Renamed","external_id":"X","promo":"P","email_group":"G","disable_emails":true}`,
			map[string]any{
				"name": "Renamed", "external_id": "X", "promo": "P", "email_group": "G", "disable_emails": true,
			},
		},
		{in.root, `{"external_id":null,"promo":null,"email_group":null,"disable_emails":null,` +
			`"billing_plan":"PREMIUM","is_test":false}`,
			map[string]any{
				"name": "Renamed", "external_id": client.organizationID, "promo": nil, "email_group": nil,
				"disable_emails": false, "billing_plan": "FREE", "is_test": true,
			}},
		{child, `{"name":"renamed"}`, map[string]any{"name": "renamed"}}, // its own name is no duplicate
	} {
		a := in.do(c.as, "PUT", path, c.body).expect(200)
		for name, want := range c.want {
			require.Equal(t, want, a.member(name), "%s: %s", c.body, name)
		}
		require.JSONEq(t, a.Body.String(), in.do(in.root, "GET", path, "").Body.String())
	}
	require.Equal(
		t, other.organizationID,
		in.do(in.root, "PUT", path, `{"name":" OTHER "}`).expect(409, "duplicate_name").text("existing_id"),
	)
	in.do(in.root, "PUT", path, `{"name":null}`).expect(400, "validation_failed")
	in.do(client, "PUT", path, `{"name":"Mine"}`).expect(403, "forbidden_for_key")
	in.do(client, "PUT", "/v1/organizations/"+other.organizationID, `{"name":"Mine"}`).expect(404, "resource_not_found")
	in.do(child, "PUT", "/v1/organizations/"+other.organizationID, `{"name":"Mine"}`).expect(404, "resource_not_found")
	in.do(in.root, "PUT", "/v1/organizations/"+in.root.organizationID, `{"promo":"OWN"}`).expect(200)
}

func TestArchiveOrganization(t *testing.T) {
	t.Parallel()
	in := install(t)
	client := in.client("Client")
	path := "/v1/organizations/" + client.organizationID
	in.do(client, "GET", "/v1/products", "").expect(200)
	in.do(client, "DELETE", path, "").expect(403, "forbidden_for_key")
	in.do(in.root, "DELETE", "/v1/organizations/"+in.root.organizationID, "").expect(403, "forbidden_for_key")
	in.do(in.root, "DELETE", "/v1/organizations/"+models.NewID("org"), "").expect(404, "resource_not_found")

	in.do(in.root, "DELETE", path, "").expect(204)
	in.do(in.root, "DELETE", path, "").expect(204) // again
	in.do(client, "GET", "/v1/products", "").expect(401, "unauthenticated")
	in.do(credentials{
		client.organizationID, in.root.key,
	}, "GET", "/v1/api-keys", "").expect(404, "organization_not_found")
	a := in.do(in.root, "GET", path, "").expect(200)
	require.Equal(t, "ARCHIVED", a.text("status"))
	require.NotNil(t, a.member("archived_at"))
	require.NotEmpty(t, a.text("archival_reason"))
	in.do(in.root, "PUT", path, `{"name":"Back"}`).expect(409, "organization_archived")
	in.client("Client") // the name is free
	in.execute("UPDATE organizations SET status = 'ACTIVE', name_key = 'x' WHERE id = $1", client.organizationID)
	in.do(client, "GET", "/v1/products", "").expect(401) // its keys are revoked, and not only refused
}

func TestSettings(t *testing.T) {
	t.Parallel()
	in := install(t)
	client := in.client("Client")
	path := "/v1/organizations/" + client.organizationID + "/settings"
	before := in.do(client, "GET", path, "").expect(200)
	require.Equal(t, false, before.member("prefer_collected_tax_amounts"))
	for _, c := range []struct {
		body string
		want map[string]any
	}{
		{`{}`, map[string]any{"disable_onboarding": false, "enable_eu_registration": nil}},
		{`{"disable_onboarding":true,"enable_eu_registration":true,"prefer_collected_tax_amounts":true,` +
			`"enable_business_address_fallback":false}`,
			map[string]any{
				"disable_onboarding": true, "enable_eu_registration": true, "prefer_collected_tax_amounts": true,
				"enable_business_address_fallback": false,
			}},
		{`{"disable_onboarding":null,"enable_eu_registration":null,"prefer_collected_tax_amounts":null,` +
			`"enable_business_address_fallback":null}`,
			map[string]any{
				"disable_onboarding": true, "enable_eu_registration": nil, "prefer_collected_tax_amounts": true,
				"enable_business_address_fallback": nil,
			}},
		{`{"special_tax_circumstances":true,"filing_lookback_periods":9,"enabled_jurisdictions":["US"],` +
			`"product_category_version":"2"}`,
			map[string]any{
				"special_tax_circumstances": false, "filing_lookback_periods": 1.0,
				"enabled_jurisdictions": []any{}, "product_category_version": "1",
			}},
	} {
		a := in.do(client, "POST", path, c.body).expect(200)
		require.Equal(t, client.organizationID, a.text("id"))
		settings := a.member("settings").(map[string]any)
		read := in.do(client, "GET", path, "").expect(200)
		for name, want := range c.want {
			require.Equal(t, want, settings[name], "%s: %s", c.body, name)
			require.Equal(t, want, read.member(name), "%s: %s", c.body, name)
		}
	}
	in.do(client, "POST", path, `{"disable_onboarding":"yes"}`).expect(400, "validation_failed")
	in.do(client, "GET", "/v1/organizations/"+in.root.organizationID+"/settings", "").expect(404, "resource_not_found")
	in.do(in.root, "GET", path, "").expect(404, "resource_not_found")
	in.do(in.reader(client), "GET", path, "").expect(403, "forbidden_for_key")
	in.do(in.root, "GET", "/v1/organizations/"+in.root.organizationID+"/settings", "").expect(200)
}
