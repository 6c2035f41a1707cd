package web

import (
	"io"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// ofACustomer returns the answers of an API about a customer and the records that refer to it.
func ofACustomer(role string) map[string]string {
	return map[string]string{
		"GET /v1/session": strings.Replace(anAdmin, `"admin"`, `"`+role+`"`, 1), "GET /v1/session/views": `{}`,
		"GET /v1/reports": `{"pages":1,"start_date":"2026-01-01","end_date":"2026-12-31","items":[
			{"organization_id":"org_1","report_row":"r1","values":{"external_customer_id":"C-1","currency":"EUR","sales":"-12.50"}},
			{"organization_id":"org_1","report_row":"r2","values":{"external_customer_id":"C-1","currency":"USD","sales":"1234.00"}}]}`,
		"GET /v1/customers": `{"total":1,"items":[{"id":"cust_1","name":"Ada <Trading>","external_id":"C-1",
			"status":"ACTIVE","city":"Berlin","country":"DE"}]}`,
		"GET /v1/customers/cust_1": `{"id":"cust_1","name":"Ada <Trading>","external_id":"C-1","status":"ACTIVE",
			"email":"office@ada.example","street_1":"Unter den Linden 1","postal_code":"10117","city":"Berlin",
			"country":"DE","address_status":"UNVERIFIABLE","customer_tax_registrations":[
			{"id":"creg_1","country_code":"DE","tax_type":"vat","tax_id":"DE136695976","is_valid":true},
			{"id":"creg_2","country_code":"CA","tax_type":"gst_hst","tax_id":"123","is_valid":false}]}`,
		"GET /v1/exemptions": `{"items":[{"id":"exmp_1","customer_id":"cust_1","customer_name":"Ada <Trading>",
			"status":"ACTIVE","start_date":"2026-01-01","country_code":"US","jurisdiction":"NY","reseller":true}]}`,
		"GET /v1/exemptions/exmp_1":          `{"id":"exmp_1","customer_id":"cust_1","customer_name":"Ada <Trading>"}`,
		"GET /v1/transactions":               `{"items":[{"id":"txn_1","external_id":"ORDER-1"}]}`,
		"GET /v1/transactions/txn_1":         `{"id":"txn_1","customer_id":"cust_1","customer":{"id":"cust_1","name":"Ada"}}`,
		"GET /v1/transactions/txn_1/history": `{}`, "GET /v1/transactions/txn_1/explanation": `{}`,
		"GET /v1/transactions/txn_1/related_transactions": `{}`, "GET /v1/transactions/txn_1/revisions": `{}`,
		"GET /v1/search": `{"items":[{"type":"CUSTOMER","organization_id":"org_1","object_id":"cust_1","title":"Ada"},
			{"type":"PRODUCT","organization_id":"org_1","object_id":"prod_1","title":"Shirt"},
			{"type":"CUSTOMER","organization_id":"org_2","object_id":"cust_2","title":"Eve"},
			{"type":"PRODUCT","organization_id":"org_2","object_id":"prod_2","title":"Hat"}]}`,
	}
}

// The page of a customer shows its data, and only the last digits of tax numbers.
func TestACustomerHasAPage(t *testing.T) {
	t.Parallel()
	answered := visitedWith(t, ofACustomer("viewer"), "/o/org_1/customers/cust_1", nil)
	require.Equal(t, http.StatusOK, answered.Code, answered.Body)
	shown := answered.Body.String()
	for _, says := range []string{
		`<h1 dir="auto">Ada &lt;Trading&gt;</h1>`, "C-1", "office@ada.example", "Unter den Linden 1", "10117", "****5976", "VAT",
		"GST/HST", "the number is malformed", `<a href="/o/org_1/exemptions/exmp_1">`,
		`<a href="/o/org_1/transactions?customer_id=cust_1">`,
		`href="/o/org_1/reports?report=CUSTOMERS&amp;organization_id=org_1&amp;customer_id=cust_1"`,
	} {
		require.Contains(t, shown, says)
	}
	require.NotContains(t, shown, "DE136695976")
	require.NotContains(t, shown, "****123")
	require.Contains(t, visitedWith(t, ofACustomer("viewer"), "/o/org_1/customers", nil).Body.String(),
		`<a href="/o/org_1/customers/cust_1">Ada &lt;Trading&gt;</a>`)
}

// The list shows the sums of sales, one for each currency. Without them it is a list nevertheless.
func TestTheListOfCustomersHasTheirSums(t *testing.T) {
	t.Parallel()
	answers := ofACustomer("viewer")
	list := func() string { return visitedWith(t, answers, "/o/org_1/customers", nil).Body.String() }
	shown := list()
	require.Contains(t, shown, `<a href="/o/org_1/transactions?report_row=r1">-12.50 EUR</a>`)
	require.Contains(t, shown, `<a href="/o/org_1/transactions?report_row=r2">1,234.00 USD</a>`)
	require.Contains(t, shown, "Sales are those of 1 Jan 2026 – 31 Dec 2026")
	answers["GET /v1/reports"] = `{"pages":1,"start_date":"2026-01-01","end_date":"2026-12-31","items":[]}`
	require.Contains(t, list(), ">none</td>")
	answers["GET /v1/reports"] = `{"status":503,"code":"unavailable"}`
	require.Contains(t, list(), "Ada &lt;Trading&gt;")
	require.Contains(t, list(), "the sums of sales")
}

// Every mention of a customer links to its page, unless the person may not read customers: people of a partner read
// transactions of a client, but not its customers.
func TestEveryMentionOfACustomerLinksToItsPage(t *testing.T) {
	t.Parallel()
	const link = `href="/o/org_1/customers/cust_1"`
	for _, path := range []string{"/search?q=Ada", "/o/org_1/transactions/txn_1", "/o/org_1/exemptions/exmp_1"} {
		require.Contains(t, visitedWith(t, ofACustomer("viewer"), path, nil).Body.String(), link, path)
	}
	found := visitedWith(t, ofACustomer("viewer"), "/search?q=Ada", nil).Body.String()
	require.Contains(t, found, `href="/o/org_1/products/prod_1"`)
	require.Contains(t, found, "Eve")
	require.NotContains(t, found, `href="/o/org_2/customers/cust_2"`)
	require.NotContains(t, found, `href="/o/org_2/products/prod_2"`)

	elsewhere := ofACustomer("viewer")
	elsewhere["GET /v1/session"] = strings.Replace(anAdmin, "org_1", "org_9", 1)
	of := visitedWith(t, elsewhere, "/o/org_1/transactions/txn_1", nil).Body.String()
	require.Contains(t, of, `<dd dir="auto">Ada</dd>`)
	require.NotContains(t, of, link)
}

// Search results have labels for statuses and days. The title of a record stays as it is.
func TestSearchResultsAreSaidInWords(t *testing.T) {
	t.Parallel()
	for fields, says := range map[string]string{
		`"type":"FILING","place":"New York","start_date":"2026-10-01","end_date":"2026-10-31","status":"UNFILED"`: "New York " +
			"1 Oct 2026 – 31 Oct 2026, not filed yet",
		`"type":"REGISTRATION","place":"Washington","status":"AWAITING_CLARIFICATION"`: "Washington, awaiting clarification",
		`"type":"TRANSACTION"`: "SHOP-2026-10-01, UNFILED",
	} {
		answers := ofACustomer("viewer")
		answers["GET /v1/search"] = `{"items":[{"organization_id":"org_1","object_id":"x","title":"SHOP-2026-10-01, UNFILED",` +
			fields + `}]}`
		require.Contains(t, visitedWith(t, answers, "/search?q=a", nil).Body.String(), ">"+says+"</a>")
	}
}

// A search names the types of which it leaves records out.
func TestASearchSaysWhatItLeavesOut(t *testing.T) {
	t.Parallel()
	answers := ofACustomer("viewer")
	require.NotContains(t, visitedWith(t, answers, "/search?q=a", nil).Body.String(), "There are more")
	answers["GET /v1/search"] = `{"items":[{"type":"FILING","object_id":"x"}],"more":["FILING","CUSTOMER"]}`
	require.Contains(t, visitedWith(t, answers, "/search?q=a", nil).Body.String(),
		"There are more returns, customers than the first ten.")
	answers["GET /v1/search"] = `{"items":[],"more":[]}`
	const short = "have three characters or more"
	require.Contains(t, visitedWith(t, answers, "/search?q=a-", nil).Body.String(), short)
	require.NotContains(t, visitedWith(t, answers, "/search?q=a-1", nil).Body.String(), short)
}

// Only staff see links to runs in Temporal.
func TestRunsAreShownToStaffAlone(t *testing.T) {
	t.Parallel()
	answers := ofACustomer("viewer")
	answers["GET /v1/transactions/txn_1/history"] = `{"items":[{"stage":"NEW","workflow_id":"transactions/batc_1"}]}`
	page := func() string { return visitedWith(t, answers, "/o/org_1/transactions/txn_1", nil).Body.String() }
	require.NotContains(t, page(), "batc_1")
	answers["GET /v1/session"] = `{"staff_role":"auditor"}`
	require.Contains(t, page(), "transactions/batc_1")
}

// The list of transactions of a customer says that it is filtered, and links to the whole list.
func TestTheTransactionsOfACustomer(t *testing.T) {
	t.Parallel()
	shown := visitedWith(t, ofACustomer("viewer"), "/o/org_1/transactions?customer_id=cust_1", nil).Body.String()
	require.Contains(t, shown, `<input type="hidden" name="customer_id" value="cust_1">`)
	require.Contains(t, shown, `Only those of <a href="/o/org_1/customers/cust_1">one customer</a>`)
	require.Contains(t, shown, `<a href="/o/org_1/transactions">Show all</a>`)
}

// sentForCustomer sends a form of the page of a customer. The API refuses it with an answer, unless that is empty.
func sentForCustomer(t *testing.T, form url.Values, refusal string) (sent, shown string) {
	t.Helper()
	says := saying(ofACustomer("preparer"))
	api := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodPut {
			says.ServeHTTP(w, r)
			return
		}
		body, _ := io.ReadAll(r.Body)
		sent = string(body)
		if refusal != "" {
			w.WriteHeader(http.StatusBadRequest)
			_, _ = io.WriteString(w, refusal)
		}
	})
	answered := sendTo(t, api, "/o/org_1/customers/cust_1", form)
	if refusal == "" {
		require.Equal(t, "/o/org_1/customers/cust_1", answered.Header().Get("Location"))
	}
	return sent, answered.Body.String()
}

// A customer is changed on its page. A change of one tax number preserves the others, though the API takes all
// together.
func TestACustomerIsChangedOnItsPage(t *testing.T) {
	t.Parallel()
	form := url.Values{
		"action": {"change"}, "name": {"Ada Trading"}, "external_id": {"C-1"}, "email": {""}, "city": {"Potsdam"},
		"street_1": {"Unter den Linden 1"}, "postal_code": {"10117"}, "country": {"DE"},
	}
	sent, _ := sentForCustomer(t, form, "")
	require.JSONEq(t, `{"name":"Ada Trading","external_id":"C-1","email":null,"city":"Potsdam",
		"street_1":"Unter den Linden 1","postal_code":"10117","country":"DE"}`, sent)
	sent, _ = sentForCustomer(t, url.Values{"action": {"archive"}}, "")
	require.JSONEq(t, `{"status":"ARCHIVED"}`, sent)

	added := url.Values{"action": {"add"}, "country_code": {"GB"}, "tax_type": {"vat"}, "tax_id": {"GB1"}}
	const stored = `{"country_code":"DE","tax_type":"vat","tax_id":"DE136695976"},` +
		`{"country_code":"CA","tax_type":"gst_hst","tax_id":"123"}`
	sent, _ = sentForCustomer(t, added, "")
	require.JSONEq(t, `{"customer_tax_registrations":[`+stored+`,{"country_code":"GB","tax_type":"vat","tax_id":"GB1"}]}`,
		sent)
	sent, _ = sentForCustomer(t, url.Values{"action": {"remove"}, "id": {"creg_2"}}, "")
	require.JSONEq(t, `{"customer_tax_registrations":[{"country_code":"DE","tax_type":"vat","tax_id":"DE136695976"}]}`, sent)

	_, shown := sentForCustomer(t, added, `{"errors":[{"location":"body.customer_tax_registrations[2].tax_id",
		"message":"That is too short."}]}`)
	require.Contains(t, shown, `<p class="bad" id="tax-id-wrong">That is too short.</p>`)
	require.Contains(t, shown, `value="GB1"`)
	require.NotContains(t, shown, "DE136695976")

	for role, forms := range map[string]bool{"viewer": false, "preparer": true} {
		page := visitedWith(t, ofACustomer(role), "/o/org_1/customers/cust_1", nil).Body.String()
		require.Equal(t, forms, strings.Contains(page, `method="post" novalidate`), role)
		require.Equal(t, forms, strings.Contains(page, `href="/o/org_1/exemptions?customer_id=cust_1#certificate"`), role)
	}
}

// A certificate added from the page of a customer has that customer.
func TestACertificateKnowsItsCustomer(t *testing.T) {
	t.Parallel()
	shown := visitedWith(t, ofACustomer("preparer"), "/o/org_1/exemptions?customer_id=cust_1", nil).Body.String()
	require.Regexp(t, `<input id="customer-id"[^>]* value="C-1"`, shown)
	require.Contains(t, shown, `Only those of <a href="/o/org_1/customers/cust_1">Ada &lt;Trading&gt;</a>`)
	require.Contains(t, shown, `<input type="hidden" name="customer_id" value="cust_1">`)
}
