package web

import (
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/stretchr/testify/require"
)

// The forms of merchants ask for fields that the API has, say which of them it needs, and offer values that it takes.
func TestTheFormsOfMerchantsFitTheAPI(t *testing.T) {
	t.Parallel()
	document, err := openapi3.NewLoader().LoadFromFile("../api/openapi.yaml")
	require.NoError(t, err)
	for name, c := range map[string]struct {
		form joinForm
		own  string // a field that the page makes others of
	}{
		"RateOverrideCreate": {rateForm(), ""}, "ExemptionCreate": {exemptionForm(true), ""},
		"ExemptionUpdate":    {exemptionForm(false), ""},
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
			require.True(t, asked[needed], "%s: nobody asks for %s", name, needed)
			c.form.each(func(f *field) { require.False(t, f.Name == needed && !f.Required, "%s: %s is required", name, needed) })
		}
	}
}
