package web

import (
	"io"
	"levy/internal/browser"
	"net/http"
	"net/http/httptest"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// Every form of an existing record sends the original values. What another person has saved since stays, or is shown if
// both changed the same field.
func TestAnOldPageOverwritesNothing(t *testing.T) {
	t.Parallel()
	answers := map[string]string{
		"GET /v1/session": anAdmin,
		"GET /v1/audit":   `{}`,
		"GET /v1/registrations/regs_1": `{"id":"regs_1","country_code":"US","state_code":"NY","status":"REGISTERED",
			"filing_frequency":"MONTHLY","sales_tax_id":"New","comment":"New"}`,
		"GET /v1/filings/registration/regs_1": `{}`,
		"GET /v1/reports":                     `{}`,
		"GET /v1/customers/cust_1":            `{"id":"cust_1","name":"New","external_id":"C-1","city":"New"}`,
		"GET /v1/exemptions":                  `{}`,
		"GET /v1/exemptions/exmp_1":           `{"id":"exmp_1","status":"ACTIVE","start_date":"2026-01-01","FEIN":"New","sales_tax_id":"New"}`,
		"GET /v1/products/categories":         `[]`,
		"GET /v1/products/prod_1": `{"id":"prod_1","name":"New","product_category":"FOOD","product_subcategory":"",
			"status":"APPROVED"}`,
		"GET /v1/onboarding": anOnboarding("IN_PROGRESS", 6),
		"GET /v1/organization_details": `{"business_phone":"New","business_email":"New","accounting_model":"CASH",
			"business_contact_ssn":"****6789"}`,
	}
	for path, c := range map[string]struct {
		form, stays, typed string // the page showed "Old" in stays and typed; "New" is stored by now
		more               string // also sent; empty for the typed field only
	}{
		"/o/org_1/registrations/regs_1": {"change", "comment", "sales_tax_id", ""},
		"/o/org_1/customers/cust_1":     {"change", "city", "name", ""},
		"/o/org_1/exemptions/exmp_1":    {"change", "FEIN", "sales_tax_id", ""},
		"/o/org_1/products/prod_1":      {"save", "", "name", ""},
		"/o/org_1/company/5":            {"", "business_email", "business_phone", `"business_email":"New","accounting_model":"CASH",`},
		"/join/step/5":                  {"", "business_email", "business_phone", `"business_email":"New","accounting_model":"CASH",`},
	} {
		t.Run(path, func(t *testing.T) {
			t.Parallel()
			sent := ""
			api := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				if r.Method == http.MethodGet {
					saying(answers).ServeHTTP(w, r)
					return
				}
				body, _ := io.ReadAll(r.Body)
				sent = string(body)
				_, _ = io.WriteString(w, `{"onboarding":`+answers["GET /v1/onboarding"]+`}`)
			})
			asked := func(form url.Values) *httptest.ResponseRecorder {
				request := httptest.NewRequest(http.MethodGet, path, nil)
				if form != nil {
					request = httptest.NewRequest(http.MethodPost, path, strings.NewReader(form.Encode()))
				}
				request.Header.Set("Content-Type", "application/x-www-form-urlencoded")
				request.AddCookie(&http.Cookie{Name: browser.LinkCookie, Value: "x"})
				return answeredBy(t, api, request)
			}
			page := asked(nil).Body.String()
			send := func(typed, before string) *httptest.ResponseRecorder {
				form := url.Values{"action": {c.form}, "for": {"org_1"}}
				for _, f := range saysWas.FindAllStringSubmatch(page, -1) {
					form.Set(was+f[1], f[2])
					if f[2] != "" && !strings.HasPrefix(f[2], "*") { // a masked number is not a value of its field
						form.Set(f[1], f[2])
					}
				}
				form[c.typed], form[was+c.typed] = []string{typed}, []string{before}
				if c.stays != "" {
					form[c.stays], form[was+c.stays] = []string{"Old"}, []string{"Old"}
				}
				sent = ""
				return asked(form)
			}
			refused := send("Mine", "Old")
			require.Empty(t, sent)
			require.Equal(t, http.StatusConflict, refused.Code, refused.Body)
			shown := refused.Body.String()
			require.Contains(t, shown, "Another person has saved “New” here since you opened this page.")
			require.Contains(t, shown, `<input type="hidden" name="was_`+c.typed+`" value="New">`)
			require.Regexp(t, `name="`+c.typed+`" [^>]*value="Mine"`, shown)

			require.Equal(t, http.StatusSeeOther, send("Mine", "New").Code)
			require.JSONEq(t, `{`+c.more+`"`+c.typed+`":"Mine"}`, withoutMasked(sent))
		})
	}
}

// saysWas finds the original values of the fields of a page.
var saysWas = regexp.MustCompile(`name="was_(\w+)" value="([^"]*)"`)

// withoutMasked removes the masked number that the form of a step sends back.
func withoutMasked(sent string) string {
	return strings.Replace(sent, `"business_contact_ssn":"****6789",`, "", 1)
}

// An unchanged form sends no field, ticked or not.
func TestAnUnchangedFormChangesNothing(t *testing.T) {
	t.Parallel()
	form := settingsForm().changing()
	stored := map[string]any{"require_second_person": true, "enable_eu_registration": false}
	shown := form.filled(stored, nil)
	typed := url.Values{}
	shown.each(func(f *field) {
		typed.Set(was+f.Name, f.Was)
		if f.Value != "" {
			typed.Set(f.Name, f.Value)
		}
	})
	require.Empty(t, form.body(stored, typed))
	typed.Del("require_second_person")
	require.Equal(t, map[string]any{"require_second_person": false}, form.body(stored, typed))
}

// The original value stays in the form until the newer one has been shown.
func TestTheOriginalValueStaysUntilTheNewerIsShown(t *testing.T) {
	t.Parallel()
	form, now := productForm([]option{{"FOOD/", "Food"}}, false).changing(), map[string]any{"name": "New", kindField: "FOOD/"}
	typed := url.Values{"name": {"Mine"}, "was_name": {"Old"}, kindField: {"FOOD/"}, was + kindField: {"FOOD/"}}
	showed := func() (name string) {
		form.filled(now, typed).each(func(f *field) {
			if f.Name == "name" {
				name = f.Was
			}
		})
		return name
	}
	require.Equal(t, "Old", showed())
	require.Error(t, form.outdated(now, typed))
	require.Equal(t, "New", showed())
	require.NoError(t, form.outdated(now, typed))
}

// The preview of a product also shows what another person has saved since. A product without a subcategory loses its
// previous one.
func TestThePreviewOfAProductIsOfWhatWasChanged(t *testing.T) {
	t.Parallel()
	answers := map[string]string{
		"GET /v1/session":             anAdmin,
		"GET /v1/products/categories": `[{"name":"FOOD","display_name":"Food","subcategories":[]}]`,
		"GET /v1/products/prod_1": `{"id":"prod_1","name":"New","product_category":"CLOTHING","product_subcategory":"Shirts",
			"status":"APPROVED"}`,
	}
	for name, c := range map[string]struct {
		action, was, path string
		status            int
		sent              string
	}{
		"an old page": {"preview", "FOOD/SNACKS", "", http.StatusConflict, ""},
		"a preview": {"preview", "CLOTHING/Shirts", "/v1/products/prod_1/reclassification_preview", http.StatusOK,
			`{"product_category":"FOOD","product_subcategory":null}`},
		"a change": {"save", "CLOTHING/Shirts", "/v1/products/prod_1", http.StatusSeeOther,
			`{"product_category":"FOOD","product_subcategory":null}`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			path, sent := "", ""
			api := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				if r.Method == http.MethodGet {
					saying(answers).ServeHTTP(w, r)
					return
				}
				body, _ := io.ReadAll(r.Body)
				path, sent = r.URL.Path, string(body)
				_, _ = io.WriteString(w, `{}`)
			})
			answered := sendTo(t, api, "/o/org_1/products/prod_1", url.Values{"action": {c.action},
				"name": {"New"}, "was_name": {"New"}, kindField: {"FOOD/"}, was + kindField: {c.was}, "was_tax_exempt": {""}})
			require.Equal(t, c.status, answered.Code, answered.Body)
			require.Equal(t, c.path, path)
			if c.sent != "" {
				require.JSONEq(t, c.sent, sent)
			}
		})
	}
}

// A list has only its own values: a state by its code, and none for an unknown value. Neither counts as a change.
func TestAValueThatAListShowsOtherwiseIsNotChanged(t *testing.T) {
	t.Parallel()
	form := exemptionForm(false).changing()
	stored := map[string]any{"start_date": "2026-01-01", "jurisdiction": "ny", "country_code": "ZZ_EU", "FEIN": "1"}
	typed := url.Values{"start_date": {"2026-01-01"}, "jurisdiction": {"NY"}, "country_code": {""}, "FEIN": {"2"}}
	form.filled(stored, nil).each(func(f *field) { typed.Set(was+f.Name, f.Was) })
	require.Equal(t, map[string]any{"FEIN": "2"}, form.body(stored, typed))
	stored["jurisdiction"] = "New York"
	require.NoError(t, form.outdated(stored, typed))
	form.whole = true
	require.Equal(t, map[string]any{
		"start_date": "2026-01-01", "jurisdiction": "New York", "country_code": "ZZ_EU", "FEIN": "2",
	}, form.body(stored, typed))
}

// A form that is sent twice does not conflict with itself, although numbers are stored with all decimals.
func TestAFormThatIsSentTwiceDoesNotConflictWithItself(t *testing.T) {
	t.Parallel()
	sent, answered := changedWith(t, "UNFILED", `{}`, url.Values{"amount_adjusted": {"0.00"},
		"was_amount_adjusted": {"0.00"}, "amount_fees": {"3"}, "was_amount_fees": {"0.00"}})
	require.Equal(t, http.StatusSeeOther, answered.Code)
	require.JSONEq(t, `{"amount_fees":"3"}`, sent)
}
