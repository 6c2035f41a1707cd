package web

import (
	"net/url"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// The page of keys limits a new key to addresses, marks the field with one that is none, and lists them.
func TestThePageOfKeysLimitsThemToAddresses(t *testing.T) {
	t.Parallel()
	answers := map[string]string{
		"GET /v1/session":                 strings.Replace(anAdmin, `"role"`, `"root":true,"role"`, 1),
		"POST /v1/organizations/api_keys": `{"api_key":"levy_new"}`,
		"GET /v1/organizations/api_keys": `{"items":[{"name":"Shop","allowed_addresses":["203.0.113.0/24","2001:db8::1/128"]},` +
			`{"name":"Office"}]}`,
	}
	make := func(addresses string) (string, []string) {
		return bodiesSent(t, answers, "/o/org_1/keys",
			url.Values{"action": {"make"}, "name": {"Shop"}, "allowed_addresses": {addresses}})
	}
	page, sent := make(" 203.0.113.0/24, 2001:db8::1 \n 192.0.2.1;")
	require.Equal(t, []string{`{"allowed_addresses":["203.0.113.0/24","2001:db8::1","192.0.2.1"],"name":"Shop"}`}, sent)
	require.Contains(t, page, "<code>203.0.113.0/24</code>, <code>2001:db8::1/128</code></td>")
	require.Contains(t, page, "everywhere</td>")
	_, sent = make(" ")
	require.Equal(t, []string{`{"name":"Shop"}`}, sent, "it is limited as the caller is")

	answers["POST /v1/organizations/api_keys"] = `{"status":400,"code":"validation_failed","title":"No","detail":"No.",` +
		`"errors":[{"code":"invalid_format","location":"body.allowed_addresses[1]","message":"“nowhere” is no address."}]}`
	page, _ = make("192.0.2.1 nowhere")
	require.Contains(t, page, "“nowhere” is no address.")
	require.Regexp(t, `<input id="allowed-addresses"[^>]* value="192.0.2.1 nowhere"[^>]* aria-invalid="true"`, page)
}

// An admin of a merchant creates keys with scopes, an end and addresses, and revokes them.
func TestAMerchantsAdminManagesKeys(t *testing.T) {
	t.Parallel()
	answers := map[string]string{
		"GET /v1/session": anAdmin, "POST /v1/organizations/api_keys": `{"api_key":"levy_new"}`,
		"GET /v1/organizations/api_keys": `{"items":[{"id":"akey_1","name":"Shop","status":"ACTIVE","scopes":["read","write"]},` +
			`{"id":"akey_2","name":"Office","status":"ACTIVE","scopes":["read","write","people"],"granted":true}]}`,
	}
	shown := visitedWith(t, answers, "/o/org_1/keys", nil).Body.String()
	for _, part := range []string{`value="make"`, `value="rotate"`, `value="revoke"`, `name="scope_read"`, `name="last_day"`,
		`role="cell">read, write</td>`, `role="cell">everything, by the grant of the partner</td>`} {
		require.Contains(t, shown, part)
	}
	_, sent := bodiesSent(t, answers, "/o/org_1/keys", url.Values{
		"action": {"make"}, "name": {"Shop"}, "scope_read": {"true"}, "last_day": {"2027-01-31"}, "allowed_addresses": {"203.0.113.0/24"},
	})
	require.Equal(t, []string{`{"allowed_addresses":["203.0.113.0/24"],"expires_at":"2027-01-31T23:59:59Z","name":"Shop",` +
		`"scopes":["read"]}`}, sent)
	answers["GET /v1/session"] = strings.Replace(anAdmin, `"admin"`, `"approver"`, 1)
	shown = visitedWith(t, answers, "/o/org_1/keys", nil).Body.String()
	require.NotContains(t, shown, `name="action"`)
	answers["GET /v1/session"] = anAdmin
	answers["GET /v1/organizations/org_1"], answers["GET /v1/organizations/org_1/settings"] = `{"id":"org_1"}`, `{}`
	require.NotContains(t, visitedWith(t, answers, "/o/org_1/settings", nil).Body.String(), `value="record"`,
		"the record is changed by the partner")
}
