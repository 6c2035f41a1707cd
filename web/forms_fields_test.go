package web

import (
	"net/url"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/stretchr/testify/require"

	"levy/models"
)

// The forms have a field for every property that the API takes in a step, and no others. Step 3 also accepts the
// address, which the form of step 4 has.
func TestTheFormsAskForTheFieldsOfTheAPI(t *testing.T) {
	t.Parallel()
	document, err := openapi3.NewLoader().LoadFromFile("../api/openapi.yaml")
	require.NoError(t, err)
	for step, form := range stepForms {
		schema := document.Paths.Value(models.StepOf(step).Path).Put.RequestBody.Value.Content["application/json"].Schema.Value
		asked := map[string]bool{}
		form.each(func(f *field) {
			asked[f.Name] = true
			property, known := schema.Properties[f.Name]
			require.True(t, known || f.apart(), "%d: %s", step, f.Name)
			for _, required := range schema.Required {
				require.False(t, required == f.Name && !f.Required, "%d: %s is required", step, f.Name)
			}
			if f.Kind == "select" && len(f.Options) < 30 {
				require.Len(t, f.Options, len(enumOf(property.Value)), f.Name)
			}
		})
		for name := range schema.Properties {
			elsewhere := step == 3 && strings.HasPrefix(name, "company_") || step == 4 && name == "business_name" ||
				name == "organization_id"
			require.True(t, asked[name] || elsewhere, "%d: no form asks for %s", step, name)
		}
	}
}

// enumOf returns the values that a property may have, without null.
func enumOf(s *openapi3.Schema) (values []any) {
	for _, all := range s.AllOf {
		values = append(values, enumOf(all.Value)...)
	}
	for _, value := range s.Enum {
		if value != nil {
			values = append(values, value)
		}
	}
	return values
}

func TestAPersonalNumberIsNotWrittenIntoAPage(t *testing.T) {
	t.Parallel()
	form := stepForms[6].filled(map[string]any{"business_contact_ssn": "****6789"}, url.Values{
		"business_contact_ssn": {"123-45-6799"}, "business_contact_name": {"Ada"},
	})
	seen := 0
	form.each(func(f *field) {
		switch f.Name {
		case "business_contact_ssn":
			require.Equal(t, []string{"", "****6789"}, []string{f.Value, f.Stored})
			seen++
		case "business_contact_name":
			require.Equal(t, "Ada", f.Value)
			seen++
		}
	})
	require.Equal(t, 2, seen)
	stepForms[6].each(func(f *field) { require.Empty(t, f.Value+f.Stored, "the form itself stays empty") })
}

func TestAFormBecomesARequestBody(t *testing.T) {
	t.Parallel()
	stored := map[string]any{
		"business_contact_ssn": "****6789", "business_contact_dob": "1980", "business_contact_title": "Owner",
		"business_contact_city": "Albany",
	}
	body := stepForms[6].body(stored, url.Values{"business_contact_name": {" Ada "}, "business_contact_dl": {"D-7719"}})
	require.Equal(t, map[string]any{
		"business_contact_name": "Ada", "business_contact_dl": "D-7719", "business_contact_ssn": "****6789",
		"business_contact_dob":   "1980",
		"business_contact_title": nil, "business_contact_city": "",
	}, body)
}

func TestEveryFaultIsNextToItsField(t *testing.T) {
	t.Parallel()
	refused := &problem{}
	for _, e := range [][2]string{{"body.ein", "Too short."}, {"body.entity_type", "entity_type is required."},
		{"body.unknown", "No."}} {
		refused.Errors = append(refused.Errors, problemField{e[0], e[1]})
	}
	form := stepForms[3]
	faults := form.mark(refused)
	require.Equal(t, []fault{
		{"entity-type", "Legal form", "This is needed."}, {"ein", "Employer identification number (EIN)", "Too short."},
		{Message: "No."},
	}, faults)
	marked := 0
	form.each(func(f *field) {
		if f.Fault != "" {
			marked++
		}
	})
	require.Equal(t, 2, marked)
}

// A required value of a record cannot be cleared unnoticed: in a change, the API ignores an empty text.
func TestWhatIsNeededIsNotEmptiedInSilence(t *testing.T) {
	t.Parallel()
	stored := map[string]any{"name": "Ada", "external_id": "C-1"}
	emptied := url.Values{"was_name": {"Ada"}, "name": {""}, "was_external_id": {"C-1"}, "external_id": {"C-1"}}
	form := customerForm(changeCustomerTitle).changing()
	require.Equal(t, map[string]any{"name": " "}, form.body(stored, emptied))
	form = form.filled(stored, emptied)
	faults := form.mark(&problem{Errors: []problemField{{"body.name", "name is required and must not be blank."}}})
	require.Equal(t, []fault{{"name", "Name", "This is needed."}}, faults)
	require.NotContains(t, visitedWith(t, map[string]string{
		"GET /v1/session": anAdmin, "GET /v1/exemptions/exmp_1": `{"status":"ACTIVE","country_code":"US"}`,
	}, "/o/org_1/exemptions/exmp_1", nil).Body.String(), `aria-required="true"><option value=""></option>`)
}

// Error messages of fields with the same label name their group.
func TestFaultsOfSeveralOwnersAreToldApart(t *testing.T) {
	t.Parallel()
	form := stepForms[7]
	faults := form.mark(&problem{Errors: []problemField{
		{"body.business_owner1_percent_ownership", "No."}, {"body.business_owner2_ssn", "No."},
	}})
	require.Equal(t, []string{"Owner 1: Share in percent", "Owner 2: SSN or ITIN"},
		[]string{faults[0].Label, faults[1].Label})
}
