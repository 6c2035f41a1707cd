package api_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"levy/api"
	"levy/internal/webhook"
	"levy/models"
	"levy/service"
)

// hooked returns an installation that allows one private host.
func hooked(t *testing.T) *installation {
	t.Helper()
	hosts := webhook.Hosts{"127.0.0.1"}
	return install(t, func(d *service.Deps, o *api.Options) {
		d.Addresses, o.WebhookHosts = webhook.NewClient(webhook.Options{Hosts: hosts}), hosts
	})
}

func TestWebhookEndpoints(t *testing.T) {
	t.Parallel()
	in := hooked(t)
	client := in.client("Client")
	const path = "/v1/webhook_endpoints"
	made := in.do(client, "POST", path, `{"url":"http://127.0.0.1:9/levy"}`).expect(200)
	require.Regexp(t, `^whsec_[A-Za-z0-9+/]{43}=$`, made.text("secret"))
	for name, want := range map[string]any{
		"secret_available": true, "status": "ENABLED", "disabled_reason": nil, "description": nil, "include_clients": false,
		"signature_scheme": "v1", "enabled_events": []any{"*"}, "organization_id": client.organizationID,
	} {
		require.Equal(t, want, made.member(name), name)
	}
	one := path + "/" + made.text("id")
	require.Contains(t, in.do(client, "GET", path, "").Body.String(), `"last_hour":{"count":0,"failed_count":0}`)
	rotated := in.do(client, "POST", one+"/rotate_secret", "").expect(200)
	for _, read := range []answer{
		in.do(client, "GET", one, "").expect(200), in.do(client, "GET", path, "").expect(200), in.do(client, "PUT", one,
			`{"description":"Shop"}`).expect(200),
	} {
		require.NotContains(t, read.Body.String(), made.text("secret"))
		require.NotContains(t, read.Body.String(), rotated.text("secret"))
		require.NotContains(t, read.Body.String(), `"secret":`)
	}
	var stored string
	in.read(&stored, "SELECT secret::text || former_secret::text FROM webhook_endpoints WHERE id = $1", made.text("id"))
	require.NotContains(t, stored, fmt.Sprintf("%x", "whsec_"), "sealed")

	_, cursor := in.events(client, "", "")
	off := in.do(client, "PUT", one, `{"status":"DISABLED"}`).expect(200)
	require.Equal(t, "MANUAL", off.member("disabled_reason"))
	in.do(client, "PUT", one, `{"description":"Shop"}`).expect(200)
	told, _ := in.events(client, cursor, "")
	require.Equal(t, []string{"webhook_endpoint.disabled"}, types(told))
	require.JSONEq(t, off.Body.String(), string(told[0].Data.Object))
	require.JSONEq(t, `{"status":"ENABLED","disabled_reason":null}`, string(told[0].Data.Previous))
	require.Equal(t, off.Header().Get("X-Request-Id"), told[0].RequestID)
	in.do(client, "POST", one+"/test", "").expect(409, "invalid_status_transition")
	in.do(client, "PUT", one, `{"status":"ENABLED"}`).expect(200)
	ping := in.do(client, "POST", one+"/test", "").expect(200)
	require.Equal(t, "test.ping", ping.member("type"))
	listed := in.do(client, "GET", one+"/deliveries", "").expect(200)
	require.Contains(t, listed.Body.String(), ping.text("event_id"))

	in.do(client, "PUT", one, `{"enabled_events":["test.*"],"status":"DISABLED"}`).expect(200)
	cleared := in.do(client, "PUT", one, `{"enabled_events":null,"status":null}`).expect(200)
	require.Equal(t, []any{"*"}, cleared.member("enabled_events"))
	require.Equal(t, "ENABLED", cleared.member("status"))

	public := in.do(client, "POST", path, `{"url":"http://127.0.0.1:9/","signature_scheme":"v1a"}`).expect(200)
	require.Regexp(t, `^whpk_`, public.text("public_key"))
	require.NotContains(t, public.Body.String(), `"secret":`)
	in.do(in.client("Other"), "GET", one, "").expect(404)
	in.do(client, "DELETE", one, "").expect(204)
	in.do(client, "GET", one, "").expect(404)
	for range models.MaxWebhookEndpoints - 1 {
		in.do(client, "POST", path, `{"url":"http://127.0.0.1:9/"}`).expect(200)
	}
	most := in.do(client, "POST", path, `{"url":"http://127.0.0.1:9/"}`).expect(409, "webhook_endpoint_limit_reached")
	require.Equal(t, "The organization has the largest number of webhook endpoints. The limit is 10.", most.text("detail"))
}

func TestWebhookEndpointsAreRefusedWithAllFaults(t *testing.T) {
	t.Parallel()
	in := hooked(t)
	client := in.client("Client")
	const path = "/v1/webhook_endpoints"
	faults := in.do(client, "POST", path,
		`{"url":"http://example.com/","enabled_events":["filing.files"],"status":"OFF"}`).expect(400,
		"validation_failed")
	for _, want := range []string{"url_not_allowed", "body.url", "body.enabled_events[0]", "body.status"} {
		require.Contains(t, faults.Body.String(), want)
	}
	require.Contains(t, faults.Body.String(), "Nearest: filing.filed")
	misspelt := in.do(client, "POST", path, `{"url":"https://example.com/","event_types":["filing.filed"]}`).expect(400)
	require.Contains(t, misspelt.Body.String(), `"not_allowed","location":"body.event_types"`)
	for _, address := range []string{
		"https://127.0.0.2/", "https://[::1]/", "https://169.254.169.254/latest", "https://a:b@example.com/",
		"https://example.com/#a", "ftp://127.0.0.1/",
	} {
		in.do(client, "POST", path, `{"url":"`+address+`"}`).expect(400, "validation_failed")
	}
	clients := in.do(client, "POST", path, `{"url":"https://localhost/","include_clients":true}`).expect(400,
		"validation_failed")
	require.Contains(t, clients.Body.String(), "body.include_clients")
	require.Contains(t, clients.Body.String(), "url_not_allowed", "a name of loopback")
	in.do(in.root, "POST", path, `{"url":"http://127.0.0.1:9/","include_clients":true}`).expect(200)
	made := in.do(client, "POST", path, `{"url":"http://127.0.0.1:9/"}`).expect(200).text("id")
	in.do(client, "POST", path+"/"+made+"/replay",
		`{"since":"2026-05-16T10:00:00Z","until":"2026-05-16T09:00:00Z"}`).expect(400, "validation_failed")
}

// An endpoint accepts exactly the event types of the feed.
func TestWebhooksAcceptTheEventTypesOfTheFeed(t *testing.T) {
	t.Parallel()
	known := append([]string{"*"}, models.WebhookTypes...)
	for _, name := range models.WebhookTypes {
		if prefix, _, _ := strings.Cut(name, "."); !slices.Contains(known, prefix+".*") {
			known = append(known, prefix+".*")
		}
	}
	require.ElementsMatch(t, known, api.EnumOf(t, "WebhookEventSelector"))
	require.ElementsMatch(t, models.WebhookTypes, api.EnumOf(t, "EventType"))
}
