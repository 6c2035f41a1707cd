package contract_test

import (
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"levy/models"
)

type auditAnswer struct {
	Items []struct {
		At    time.Time
		Actor struct {
			Type string
			ID   *string
			Name string
		}
		Action     string
		ObjectType string `json:"object_type"`
		ObjectID   string `json:"object_id"`
		ObjectName string `json:"object_name"`
		Changes    map[string]any
		RequestID  *string `json:"request_id"`
	}
	Total, Pages int
}

// actions are those of the entries that are found, in their order.
func (a auditAnswer) actions() string {
	found := make([]string, len(a.Items))
	for i, e := range a.Items {
		found[i] = e.ObjectType + " " + e.Action
	}
	return strings.Join(found, ", ")
}

func (in *installation) audit(as credentials, query string) (a auditAnswer) {
	in.t.Helper()
	in.call(as, "GET", "/v1/audit?"+query, "", 200).decode(in.t, &a)
	return a
}

// The trail says who changed which fields of which record by which request, and never the new values.
func TestTheAuditTrail(t *testing.T) {
	t.Parallel()
	in := install(t)
	keyID, key := in.key(in.root)
	shop := credentials{in.root.organization, key}
	customer := in.call(shop, "POST", "/v1/customers",
		`{"external_id":"A-1","name":"Zoë Ångström","email":"zoe@example.com"}`, 200).text(t, "id")
	body := `{"email":"zoe@example.org","phone":"555 0100","city":"Malmö"}`
	changed := in.call(shop, "PUT", "/v1/customers/"+customer, body, 200)
	_, err := in.store.Organizations.Configure(t.Context(), models.Scope{OrganizationID: shop.organization},
		models.Actor{Staff: "ann"},
		func(o *models.Organization) { o.Settings.SpecialTaxCircumstances, o.BillingPlan = true, "GROWTH" })
	require.NoError(t, err)
	require.NoError(t, in.store.Organizations.SetRateLimit(t.Context(), models.Scope{OrganizationID: shop.organization},
		models.Actor{Staff: "bob"},
		&models.RateLimit{PerMinute: 600_000, Burst: 600_000}))

	all := in.audit(shop, "size=4")
	require.Equal(t, "rate_limit update, organization_settings update, customer update, customer create", all.actions())
	require.Greater(t, all.Pages, 1)
	of := all.Items[2]
	require.Equal(t, []any{"API_KEY", keyID, customer, changed.header.Get("X-Request-Id")},
		[]any{of.Actor.Type, *of.Actor.ID, of.ObjectID, *of.RequestID})
	require.Equal(t, []any{"address_status", "city", "email", "phone"}, of.Changes["fields"])
	require.Equal(t, []string{"address_status", "fields"}, slices.Sorted(maps.Keys(of.Changes)), "values of shown fields alone")
	require.Empty(t, all.Items[3].Changes)
	require.Equal(t, []any{"STAFF", "ann"}, []any{all.Items[1].Actor.Type, *all.Items[1].Actor.ID})
	require.Equal(t, map[string]any{
		"fields":                    []any{"special_tax_circumstances"},
		"special_tax_circumstances": map[string]any{"from": false, "to": true}, "billing_plan": map[string]any{"from": "FREE", "to": "GROWTH"},
	}, all.Items[1].Changes)
	require.Nil(t, all.Items[0].RequestID)
	require.Equal(t, "Zoë Ångström", of.ObjectName, "the record has its name, and the entry does not")
	text := string(in.call(shop, "GET", "/v1/audit?size=100", "", 200).body)
	for _, private := range []string{"example.org", "555 0100", "Malm"} {
		require.NotContains(t, text, private)
	}

	at := url.QueryEscape(of.At.Format(time.RFC3339Nano))
	later := url.QueryEscape(of.At.Add(time.Microsecond).Format(time.RFC3339Nano))
	for query, want := range map[string]string{
		"object_id=" + customer:                            "customer update, customer create",
		"object_id=" + customer + "&action__in=create":     "customer create",
		"object_id=" + customer + "&size=1&page=2":         "customer create",
		"object_id=" + customer + "&since=" + at:           "customer update",
		"object_id=" + customer + "&since=" + later:        "",
		"object_id=" + customer + "&until=1999-12-31":      "",
		"until=" + at + "&since=" + at:                     "customer update",
		"actor_id=" + keyID + "&action__in=update,archive": "customer update",
		"object_type__in=customer":                         "customer update, customer create",
		"object_type__in=rate_limit,organization_settings": "rate_limit update, organization_settings update",
		"actor_id=ann":           "organization_settings update",
		"actor_id=akey_unknown":  "",
		"action__in=sabotage":    "",
		"object_id=cust_unknown": "",
	} {
		require.Equal(t, want, in.audit(shop, query).actions(), query)
	}
	for query, code := range map[string]string{
		"since=yesterday": "invalid_format", "until=2026-02-30": "invalid_format",
		"since=2026-05-02&until=2026-05-01":     "mismatch",
		"object_id=" + strings.Repeat("x", 256): "too_long", "actor_id=" + strings.Repeat("x", 256): "too_long",
		"action__in=" + strings.Repeat("x", 51): "too_long", "object_type__in=" + strings.Repeat("x", 51): "too_long",
		"page=0": "out_of_range", "size=101": "out_of_range",
	} {
		require.Equal(t, code, in.call(shop, "GET", "/v1/audit?"+query, "", 400).problem(t).Errors[0].Code, query)
	}
	require.Zero(t, in.audit(in.stranger(), "object_id="+customer).Total, "of another organization")
}

// A request that records several transactions has an entry for each, all with its id.
func TestABatchIsInTheAuditTrailRowByRow(t *testing.T) {
	t.Parallel()
	in := install(t)
	rows := make([]string, 3)
	for i := range rows {
		rows[i] = saleBody(fmt.Sprint("ORDER-", i), "P-1", 1)
	}
	a := in.call(in.root, "POST", "/v1/transactions/batch", `{"transactions":[`+strings.Join(rows, ",")+`]}`, 200)
	found := in.audit(in.root, "action__in=create&size=3")
	require.Equal(t, "transaction create, transaction create, transaction create", found.actions())
	for _, e := range found.Items {
		require.Equal(t, a.header.Get("X-Request-Id"), *e.RequestID)
	}
}

// Whoever reads the trail learns which role a person was given, and what was done to the ways of signing in.
func TestTheTrailSaysWhichRoleAPersonHas(t *testing.T) {
	t.Parallel()
	in := install(t)
	person := in.call(in.root, "POST", "/v1/users",
		`{"email":"vi@example.com","name":"Vi","role":"viewer"}`, 200).text(t, "id")
	for _, body := range []string{
		`{"role":"admin"}`, `{"role":"admin","name":"Viola"}`,
		`{"new_link":true,"end_sessions":true,"reset_second_factor":true}`,
	} {
		in.call(in.root, "PUT", "/v1/users/"+person, body, 200)
	}
	found := in.audit(in.root, "object_id="+person)
	require.Equal(t, "user update, user update, user update, user invite", found.actions())
	for i, want := range []map[string]any{
		{"fields": []any{"sign_in_link", "sessions", "second_factor"}},
		{"fields": []any{"name"}},
		{"fields": []any{}, "role": map[string]any{"from": "viewer", "to": "admin"}},
		{"role": "viewer"},
	} {
		require.Equal(t, want, found.Items[i].Changes, found.Items[i].Action)
	}
}
