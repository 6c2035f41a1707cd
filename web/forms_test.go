package web

import (
	"net/http"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/stretchr/testify/require"
)

// The forms of merchants have fields of the API, mark the required ones, and offer valid values.
func TestTheFormsOfMerchantsFitTheAPI(t *testing.T) {
	t.Parallel()
	document, err := openapi3.NewLoader().LoadFromFile("../api/openapi.yaml")
	require.NoError(t, err)
	for name, c := range map[string]struct {
		form htmlForm
		own  string // a field of which the page makes several
	}{
		"RateOverrideCreate": {rateForm(), ""}, "ExemptionCreate": {exemptionForm(true), ""},
		"ExemptionUpdate": {exemptionForm(false), ""},
		"CustomerUpdate":  {customerForm(changeCustomerTitle), ""}, "CustomerTaxRegistrationCreate": {numberForm(0), ""},
		"RegistrationCreate": {registrationForm(true), ""}, "RegistrationUpdate": {registrationForm(false), ""},
		"OrganizationUpdate": {recordForm(), ""}, "OrganizationSettingsUpdate": {settingsForm(), ""},
		"ProductCreate": {productForm(nil, true), kindField}, "ProductUpdate": {productForm(nil, false), kindField},
	} {
		schema := document.Components.Schemas[name].Value
		asked := map[string]bool{"product_category": true} // by kindField
		c.form.each(func(f *field) {
			asked[f.Name] = true
			if f.Name == c.own {
				return
			}
			property, known := schema.Properties[f.Name]
			require.True(t, known, "%s: %s", name, f.Name)
			if values := enumOf(property.Value); len(f.Options) < 30 && values != nil {
				for _, o := range f.Options {
					require.Contains(t, values, any(o.Value), "%s: %s", name, f.Name)
				}
			}
		})
		for _, needed := range schema.Required {
			require.True(t, asked[needed], "%s: no form asks for %s", name, needed)
			c.form.each(func(f *field) { require.False(t, f.Name == needed && !f.Required, "%s: %s is required", name, needed) })
		}
	}
}

// A button whose name does not explain its effect has a text that does.
func TestButtonsSayWhatTheyDo(t *testing.T) {
	t.Parallel()
	for status, says := range map[string][]string{
		"UNFILED": {
			"The return is handed over with its transactions as they are now. Later changes go into an amendment.",
			"No one can approve it until it is resumed", "Nothing is filed for the period.",
		},
		"FILING": {"The return counts as filed", "The return gets an issue"},
		"ISSUE":  {"It is handed over again with the same transactions.", "block the approval first"},
		"PAUSED": {"It can be approved again."},
	} {
		shown := returnFor(t, "approver", `,"status":"`+status+`"`)
		for _, said := range says {
			require.Contains(t, shown, said, status)
		}
	}
	for path, c := range map[string]struct{ answer, says string }{
		"/o/org_1/people":          {`{"items":[{"id":"user_1","status":"ACTIVE"}]}`, "signs it out everywhere"},
		"/o/org_1/webhooks/whep_1": {`{"status":"ENABLED"}`, "what was not delivered yet is given up"},
		"/o/org_1/nexus/nexs_1":    {`{"status":"EXPOSED"}`, "Levy asks the authority for a registration"},
		"/exceptions": {
			`{"items":[{"type":"NEXUS_UNREGISTERED","organization_id":"org_1","actions":["registerNexus"]}]}`,
			`#register">Review and register</a>`, // to the page that says it
		},
	} {
		answered := visitedWith(t, map[string]string{
			"GET /v1/session": anAdmin, "GET /v1/users": c.answer, "GET /v1/organizations/org_1/settings": `{}`,
			"GET /v1/webhook_endpoints/whep_1": c.answer, "GET /v1/webhook_endpoints/whep_1/deliveries": `{}`,
			"GET /v1/nexus/nexs_1": c.answer, "GET /v1/nexus/nexs_1/months": `{}`,
			"GET /v1/exceptions": c.answer, "GET /v1/session/views": `{}`,
		}, path, nil)
		require.Contains(t, answered.Body.String(), c.says, path)
	}
}

// No page offers a form that the API refuses: people of a partner do not estimate taxes for its client.
func TestAPartnerIsOfferedNothingForItsClientThatTheAPIRefuses(t *testing.T) {
	t.Parallel()
	for org, offered := range map[string]bool{"org_1": true, "org_2": false} {
		answers := map[string]string{
			"GET /v1/session": anAdmin, "GET /v1/nexus": `{}`, "GET /v1/products": `{}`, "GET /v1/organizations/org_2": `{"id":"org_2"}`,
		}
		shown := visitedWith(t, answers, "/o/"+org+"/nexus", nil).Body.String()
		require.Equal(t, offered, strings.Contains(shown, "/nexus/simulate"), org)
		require.Contains(t, shown, `href="/o/`+org+`/rates"`, "which the partner may read")
		for _, path := range []string{"/estimate", "/nexus/simulate"} {
			shown := visitedWith(t, answers, "/o/"+org+path, nil)
			require.Equal(t, offered, strings.Contains(shown.Body.String(), `<form method="post" novalidate>`), org+path)
			require.Equal(t, offered, shown.Code == http.StatusOK, org+path)
		}
	}
}
