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
