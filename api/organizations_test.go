package api_test

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestCreateOrganization(t *testing.T) {
	t.Parallel()
	in := install(t)
	a := in.do(in.root, "POST", "/v1/organizations", `{"name":"Acme  Trading LLC","organization_id":"org_x","id":"org_y","billing_plan":"PREMIUM","promo":"SPRING"}`).expect(200)
	var o map[string]any
	require.NoError(t, json.Unmarshal(a.Body.Bytes(), &o))
	require.Regexp(t, `^org_[0-9a-hjkmnp-tv-z]{26}$`, o["id"])
	require.Equal(t, o["id"], o["organization_id"])
	require.Equal(t, o["id"], o["external_id"], "the id unless sent")
	require.Equal(t, in.root.organizationID, o["parent_organization_id"])
	for name, want := range map[string]any{
		"name": "Acme  Trading LLC", "source": "PARTNER", "promo": "SPRING", "status": "ACTIVE", "is_test": true, "billing_plan": "FREE",
		"disable_emails": false, "customer_id": nil, "subscription_id": nil, "email_group": nil, "scheduled_deletion": nil,
		"internal_use": false, "archival_reason": nil, "archived_at": nil, "onboarding_status": "IN_PROGRESS",
		"settings": map[string]any{
			"disable_onboarding": false, "enable_eu_registration": nil, "product_category_version": "1", "oss_scheme": nil,
			"enable_new_auto_filing_experience": true, "enable_new_filing_ui": nil, "prefer_collected_tax_amounts": false,
			"special_tax_circumstances": false, "enabled_jurisdictions": []any{}, "disable_ai_classification": nil,
			"enable_business_address_fallback": nil, "filing_lookback_periods": 1.0,
		},
	} {
		require.Contains(t, o, name)
		require.Equal(t, want, o[name], name)
	}
	require.Regexp(t, `^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{0,5}[1-9])?Z$`, o["created_at"])

	read := in.do(in.root, "GET", "/v1/organizations/"+a.text("id"), "").expect(200)
	require.JSONEq(t, a.Body.String(), read.Body.String())

	duplicate := in.do(in.root, "POST", "/v1/organizations", `{"name":" ACME trading\tllc"}`).expect(409, "duplicate_name")
	require.Equal(t, o["id"], duplicate.text("existing_id"))
	in.execute("UPDATE organizations SET status = 'ARCHIVED' WHERE id = $1", o["id"])
	in.do(in.root, "POST", "/v1/organizations", `{"name":"Acme Trading LLC"}`).expect(200) // names of archived clients are free
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
		"?page=9&size=2&unknown=x":              {},
	} {
		require.Equal(t, want, in.do(in.root, "GET", "/v1/organizations"+query, "").expect(200).list("name"), query)
	}
	page := in.do(in.root, "GET", "/v1/organizations?page=2&size=2", "")
	require.Equal(t, []any{3.0, 2.0, 2.0, 2.0}, []any{page.member("total"), page.member("page"), page.member("size"), page.member("pages")})
	for _, bad := range []string{"?order_by=id", "?size=101", "?page=0", "?is_test=yes", "?status=active", "?query=a&query=b", "?query=%00"} {
		in.do(in.root, "GET", "/v1/organizations"+bad, "").expect(400, "validation_failed")
	}
}
