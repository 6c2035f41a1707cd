package web

import (
	"io"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"levy/contract"
)

// A customer is named by a part of its name. A name that several have is refused with their ids.
func TestACustomerIsNamedByAPartOfItsName(t *testing.T) {
	t.Parallel()
	const ada = `{"id":"cust_1","name":"Ada Trading","external_id":"C-1"}`
	const albany = `{"id":"cust_2","name":"City of Albany","external_id":"C-2"}`
	const nameless = `{"id":"cust_10","external_id":"C-10"}`
	for _, c := range []struct{ typed, found, sent, says string }{
		{"C-10", `[` + nameless + `]`, `"customer_id":"cust_10"`, ""},
		{"C-", `[` + nameless + `]`, "", "Type the ID of the customer that you mean: C-10 (C-10)."},
		{"ada trading", `[` + ada + strings.Repeat(`,`+albany, 99) + `]`, "", "Type the ID of the customer that you mean: Ada Trading (C-1), "},
		{"C-1", `[` + ada + `]`, `"customer_id":"cust_1"`, ""},
		{"ada", `[` + ada + `]`, `"customer_id":"cust_1"`, ""},
		{"ada trading", `[` + ada + `,` + albany + `]`, `"customer_id":"cust_1"`, ""},
		{"a", `[` + ada + `,` + albany + `]`, "", "Type the ID of the customer that you mean: Ada Trading (C-1), City of Albany (C-2)."},
		{"C-9", `[` + ada + `]`, "", "Type the ID of the customer that you mean: Ada Trading (C-1)."},
		{"eve", `[]`, "", "No customer has this name or ID."},
	} {
		sent := ""
		says := saying(map[string]string{
			"GET /v1/session": anAdmin, "GET /v1/exemptions": `{}`, "GET /v1/customers": `{"items":` + c.found + `}`,
			"GET /v1/customers/external/C-1": ada, "GET /v1/customers/external/C-10": nameless, "POST /v1/exemptions": `{"id":"exmp_1"}`,
		})
		api := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.Method == http.MethodPost {
				body, _ := io.ReadAll(r.Body)
				sent = string(body)
			}
			says.ServeHTTP(w, r)
		})
		answered := sendTo(t, api, "/o/org_1/exemptions", url.Values{"customer_id": {c.typed}})
		require.Contains(t, sent, c.sent, c.typed)
		require.Contains(t, answered.Body.String(), c.says)
		if c.sent == "" {
			require.Empty(t, sent)
			require.Contains(t, answered.Body.String(), `value="`+c.typed+`"`)
		}
	}
}

// Fields of names offer what there is, and tax classes with examples.
func TestFieldsOfNamesOfferRecords(t *testing.T) {
	t.Parallel()
	answers := map[string]string{
		"GET /v1/session": anAdmin, "GET /v1/exemptions": `{}`, "GET /v1/rate_overrides": `{}`,
		"GET /v1/customers": `{"items":[{"id":"cust_1","name":"Ada","external_id":"C-1"}]}`,
		"GET /v1/products":  `{"items":[{"id":"prod_1","name":"Lamp","external_id":"P-1"}]}`,
		"GET /v1/products/categories": `[{"name":"PHYSICAL","subcategories":[{"name":"A","tax_class":"CLOTHING","example":"A winter coat"},
			{"name":"B","tax_class":"CLOTHING","example":"A shoe"}]}]`,
	}
	for path, offers := range map[string]string{
		"/o/org_1/exemptions": `<option value="C-1">Ada</option>`, "/o/org_1/estimate": `<option value="P-1">Lamp</option>`,
		"/o/org_1/rates": `<option value="clothing">A winter coat; A shoe</option>`,
	} {
		require.Contains(t, visitedWith(t, answers, path, nil).Body.String(), offers, path)
	}
	const slow = `{"status":503,"code":"unavailable"}`
	answers["GET /v1/customers"], answers["GET /v1/products"], answers["GET /v1/products/categories"] = slow, slow, slow
	for _, path := range []string{"/o/org_1/exemptions", "/o/org_1/estimate", "/o/org_1/rates"} {
		require.Equal(t, http.StatusOK, visitedWith(t, answers, path, nil).Code, path)
	}
	answers["GET /v1/session"] = strings.Replace(anAdmin, `"admin"`, `"viewer"`, 1)
	answers["GET /v1/customers"] = `{"status":500,"code":"internal"}`
	require.Equal(t, http.StatusOK, visitedWith(t, answers, "/o/org_1/exemptions", nil).Code, "it is not read")
}

// A link says whose it is before it is opened, and one that is over has no form.
func TestALinkSaysWhoseItIs(t *testing.T) {
	t.Parallel()
	const link = "/sign-in/token"
	shown := visitedWith(t, map[string]string{"POST /v1/session/link": `{"email":"ada@example.com","name":"Ada"}`}, link, nil).Body.String()
	require.Contains(t, shown, `<b>ada@example.com</b>`)
	require.Contains(t, shown, `name="again"`)
	over := visitedWith(t, map[string]string{
		"POST /v1/session/link": `{"status":401,"code":"unauthenticated","detail":"The link has ended."}`,
	}, link, nil)
	require.Equal(t, http.StatusUnauthorized, over.Code)
	require.Contains(t, over.Body.String(), "The link has ended.")
	require.NotContains(t, over.Body.String(), `name="again"`)
	require.Contains(t, over.Body.String(), "for a new link")
	later := visitedWith(t, map[string]string{
		"POST /v1/session/link": `{"status":429,"code":"rate_limited","detail":"Too many failed attempts to sign in."}`,
	}, link, nil).Body.String()
	require.Contains(t, later, "Open the link again in a minute.")
	require.NotContains(t, later, "for a new link")
}

// The first page colours states by the tax that is owed there without a registration.
func TestTheFirstPageHasAMapOfMoney(t *testing.T) {
	t.Parallel()
	shown := visitedWith(t, map[string]string{"GET /v1/session": anAdmin, "GET /v1/exceptions/groups": `{}`, "GET /v1/figures": `{"places":[
		{"country_code":"CA","state_code":"BC","currency":"CAD","amount":"50.00","count":1},
		{"country_code":"US","state_code":"GA","currency":"USD","amount":"9000.00","count":1},
		{"country_code":"US","state_code":"WA","currency":"USD","amount":"1000.00","count":1}]}`}, "/", nil).Body.String()
	require.Regexp(t, `class="owed3"[^>]*><title>Georgia: 9,000.00 USD`, shown)
	require.Regexp(t, `class="owed1"[^>]*><title>Washington: 1,000.00 USD`, shown)
	require.Regexp(t, `class="none"[^>]*><title>Texas: nothing is owed`, shown)
	require.Contains(t, shown, `US: Georgia <b>9,000.00 USD</b>`)
	require.Nil(t, mapOfMoney([]contract.PlaceFigure{{CountryCode: "CA", StateCode: "BC", Currency: "CAD", Amount: "50.00"}}))
}
