package web

import (
	"encoding/json"
	"html"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// An amount that is not computed yet is not shown as zero. Every amount has its currency.
func TestTaxIsShownOnceItIsCalculated(t *testing.T) {
	t.Parallel()
	for stage, shows := range map[string]string{
		"NEEDS_REFETCH": "not calculated yet", "QUEUED": "not calculated yet", "PENDING": "not calculated yet",
		"PROCESSED": "1,105.50 EUR", "LOCKED": "1,105.50 EUR",
	} {
		one := `{"id":"txn_1","organization_id":"org_1","processing_status":"` + stage + `","currency":"EUR",` +
			`"total_tax_amount_calculated":"1105.50"}`
		answers := map[string]string{
			"GET /v1/session": anAdmin, "GET /v1/session/views": `{}`,
			"GET /v1/transactions": `{"items":[` + one + `]}`, "GET /v1/transactions/txn_1": one,
			"GET /v1/transactions/txn_1/history": `{}`, "GET /v1/transactions/txn_1/explanation": `{}`,
			"GET /v1/transactions/txn_1/related_transactions": `{}`, "GET /v1/transactions/txn_1/revisions": `{}`,
		}
		require.Contains(t, visitedWith(t, answers, "/o/org_1/transactions", nil).Body.String(),
			`<td data-column="Tax" role="cell" class="num">`+shows+`</td>`)
		require.Contains(t, visitedWith(t, answers, "/o/org_1/transactions/txn_1", nil).Body.String(),
			"<dt>Tax calculated</dt><dd>"+shows+"</dd>")
	}
}

// A return links to the list of its transactions, which can be searched and sorted.
func TestAReturnLeadsToItsTransactions(t *testing.T) {
	t.Parallel()
	shown := returnFor(t, "viewer", `,"transaction_count":1200,"marketplace_transaction_count":34`)
	require.Contains(t, shown, `<a href="/o/org_1/transactions?filing_id=file_1">1,234 transactions</a>`)
	var asked string
	api := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.HasSuffix(r.URL.Path, "/transactions") {
			asked = r.URL.String()
		}
		saying(map[string]string{"GET /v1/session": anAdmin, "GET /v1/session/views": `{}`,
			"GET /v1/filings/file_1/transactions": `{"items":[{}]}`}).ServeHTTP(w, r)
	})
	list := answeredBy(t, api, httptest.NewRequest(http.MethodGet,
		"/o/org_1/transactions?filing_id=file_1&order_by=-total_amount", nil)).Body.String()
	require.Equal(t, "/v1/filings/file_1/transactions?order_by=-total_amount&size=50", asked)
	require.Contains(t, list, `Only those of <a href="/o/org_1/filings/file_1">one return</a>.`)
	require.Contains(t, list, `<input type="hidden" name="filing_id" value="file_1">`)
	require.NotContains(t, list, "Download as CSV", "its report is the file")
}

// A truncated list says so and links to all of its records.
func TestUnresolvedTransactionsOfAReturnAreSaidToBeMore(t *testing.T) {
	t.Parallel()
	answers := map[string]string{
		"GET /v1/session": anAdmin, "GET /v1/filings": `{}`, "GET /v1/filings/file_1/report": `{}`,
		"GET /v1/filings/file_1":                         aReturn[:len(aReturn)-1] + `,"unresolved_transaction_count":23}`,
		"GET /v1/audit":                                  `{}`,
		"GET /v1/filings/file_1/history":                 `{"total":101,"pages":2}`,
		"GET /v1/filings/file_1/transactions/unresolved": `{"items":[{"id":"txn_1"},{"id":"txn_2","organization_id":"org_1"}]}`,
		"GET /v1/session/views":                          `{}`,
	}
	shown := visitedWith(t, answers, "/o/org_1/filings/file_1", nil).Body.String()
	const all = "/o/org_1/transactions?filing_id=file_1&amp;unresolved=true"
	require.Contains(t, shown, `21 more: <a href="`+all+`">all unresolved transactions of this return</a>`)
	require.Contains(t, shown, "These are the first 100 of 101 entries")
	list := visitedWith(t, answers, html.UnescapeString(all), nil).Body.String()
	require.Contains(t, list, `/o/org_1/transactions/txn_2"`)
	require.Contains(t, list, `Only the unresolved ones of <a href="/o/org_1/filings/file_1">one return</a>.`)
	require.Contains(t, list, `<input type="hidden" name="unresolved" value="true">`)
}

// Titles name the organization, period or file of a page.
func TestTitlesTellPagesApart(t *testing.T) {
	t.Parallel()
	require.Contains(t, returnFor(t, "viewer", `,"state_code":"WA","country_code":"US"`),
		"<title>US: Washington, 1 Jan 2026 – 31 Jan 2026 · Shop · Levy</title>")
	answers := map[string]string{"GET /v1/session": anAdmin, "GET /v1/transactions/imports/batc_1": `{"name":"may.csv"}`}
	require.Contains(t, visitedWith(t, answers, "/o/org_1/imports/batc_1", nil).Body.String(),
		"<title>may.csv · Shop · Levy</title>")
}

// An empty list explains where its records come from, if its page has no form for them.
func TestAnEmptyListSaysWhatFillsIt(t *testing.T) {
	t.Parallel()
	answers := map[string]string{"GET /v1/session": anAdmin, "GET /v1/session/views": `{}`, "GET /v1/transactions": `{}`,
		"GET /v1/customers": `{}`}
	for path, says := range map[string]string{
		"/o/org_1/transactions": `or with an <a href="/o/org_1/imports">import</a>.`,
		"/o/org_1/customers":    `They also come with <a href="/o/org_1/transactions">transactions</a>.`,
	} {
		require.Contains(t, visitedWith(t, answers, path, nil).Body.String(), says)
	}
}

// A corrected address keeps its second line, which the form does not have.
func TestACorrectedAddressKeepsItsSecondLine(t *testing.T) {
	t.Parallel()
	var sent string
	api := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodPut {
			body, _ := io.ReadAll(r.Body)
			sent = string(body)
		}
		saying(map[string]string{"GET /v1/session": anAdmin, "PUT /v1/transactions/txn_1": "{}",
			"GET /v1/transactions/txn_1": `{"revision":1,"addresses":[` +
				`{"type":"SHIP_TO","street_2":"Apt 4","city":"Troy"},{"type":"BILL_TO","street_2":"Floor 2"}]}`,
		}).ServeHTTP(w, r)
	})
	sendTo(t, api, "/o/org_1/transactions/txn_1/address", url.Values{
		"type": {"SHIP_TO"}, "revision": {"1"}, "city": {"Albany"}})
	require.Contains(t, sent, `{"city":"Albany","street_2":"Apt 4","type":"SHIP_TO"}`)
	require.Contains(t, sent, `{"street_2":"Floor 2","type":"BILL_TO"}`)
}

// A form of an address that is sent twice makes one version. A different correction makes another version, also after a
// change by another person.
func TestAnAddressThatIsCorrectedTwiceIsProcessedOnce(t *testing.T) {
	t.Parallel()
	for at, puts := range map[string]int{
		`"revision":1,"addresses":[{"type":"SHIP_TO","city":"Albany","state":"NY"}]`:                     1, // on purpose
		`"revision":2,"addresses":[{"type":"SHIP_TO","city":"Troy","state":"NY"}]`:                       1,
		`"revision":2,"addresses":[{"type":"SHIP_TO","city":"Albany","state":"NY","status":"VERIFIED"}]`: 0,
	} {
		sent := 0
		api := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.Method == http.MethodPut {
				sent++
			}
			saying(map[string]string{"GET /v1/session": anAdmin, "GET /v1/transactions/txn_1": "{" + at + "}",
				"PUT /v1/transactions/txn_1": "{}"}).ServeHTTP(w, r)
		})
		answered := sendTo(t, api, "/o/org_1/transactions/txn_1/address", url.Values{
			"type": {"SHIP_TO"}, "revision": {"1"}, "city": {"Albany"}, "state": {"NY"}})
		require.Equal(t, http.StatusSeeOther, answered.Code, at)
		require.Equal(t, puts, sent, at)
		require.Equal(t, puts == 0, strings.Contains(answered.Header().Get("Set-Cookie"), "levy_done=before"), at)
	}
}

// The form of an address sends only its changed fields. Values that processing computed are not sent back, and
// corrections by another person stay.
func TestACorrectedAddressSendsWhatWasChanged(t *testing.T) {
	t.Parallel()
	const stored = `{"external_id":"A","date":"2026-05-15T10:00:00Z","revision":2,"city":"NEW YORK CITY","state":"NY",` +
		`"customer":{"external_id":"C-1"},"transaction_items":[],"exempt":"NOT_EXEMPT","addresses":[{"type":"SHIP_TO",` +
		`"street_1":"New","city":"Troy","county":"Rensselaer","postal_code":"12180","phone":"555 0100"}]}`
	var sent string
	api := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodPut {
			body, _ := io.ReadAll(r.Body)
			sent = string(body)
		}
		saying(map[string]string{"GET /v1/session": anAdmin, "PUT /v1/transactions/txn_1": "{}",
			"GET /v1/transactions/txn_1": stored, "GET /v1/transactions/txn_1/history": `{}`,
			"GET /v1/transactions/txn_1/explanation": `{}`, "GET /v1/transactions/txn_1/related_transactions": `{}`,
			"GET /v1/transactions/txn_1/revisions": `{}`}).ServeHTTP(w, r)
	})
	correct := func(street, city string) *httptest.ResponseRecorder {
		sent = ""
		return sendTo(t, api, "/o/org_1/transactions/txn_1/address", url.Values{
			"type": {"SHIP_TO"}, "revision": {"1"}, "street_1": {street}, "was_street_1": {"Old"},
			"city": {city}, "was_city": {"Troy"}, "postal_code": {"12180"}, "was_postal_code": {"12180"}})
	}
	require.Equal(t, http.StatusSeeOther, correct("Old", "Albany").Code)
	fields, err := decodedFields([]byte(sent))
	require.NoError(t, err)
	require.Equal(t, "C-1", fields["customer"].(map[string]any)["external_id"])
	delete(fields, "customer")
	require.Equal(t, map[string]any{"external_id": "A", "date": "2026-05-15T10:00:00Z", "revision": json.Number("2"),
		"transaction_items": []any{}, "addresses": []any{map[string]any{"type": "SHIP_TO", "street_1": "New",
			"city": "Albany", "postal_code": "12180", "phone": "555 0100"}}}, fields, "the county was that of Troy")

	refused := correct("Mine", "Troy")
	require.Equal(t, http.StatusConflict, refused.Code)
	require.Empty(t, sent)
	require.Contains(t, refused.Body.String(), "Another person has saved “New” here since you opened this page.")
	require.Regexp(t, `name="was_street_1" value="New">\s*<div><label [^>]*>Street</label><input [^>]*value="Mine"`,
		refused.Body.String())
}

// A sale without an address can get one. An address in one text is shown. That of a credit note is not corrected,
// because it is that of its sale.
func TestAnAddressIsCorrectedWhereItCanBe(t *testing.T) {
	t.Parallel()
	shown := func(members string) string {
		return visitedWith(t, map[string]string{
			"GET /v1/session": anAdmin, "GET /v1/transactions/txn_1/history": `{}`,
			"GET /v1/transactions/txn_1/explanation": `{}`, "GET /v1/transactions/txn_1/related_transactions": `{}`,
			"GET /v1/transactions/txn_1/revisions": `{}`, "GET /v1/transactions/txn_1": `{"id":"txn_1",` + members + `}`,
		}, "/o/org_1/transactions/txn_1", nil).Body.String()
	}
	const form = `<input type="hidden" name="type" value="SHIP_TO">`
	require.Contains(t, shown(`"processing_status":"NEEDS_REFETCH","addresses":[]`), form)
	whole := shown(`"addresses":[{"type":"SHIP_TO","status":"VERIFIED","full_address":"350 5th Ave, New York, NY 10118"}]`)
	require.Contains(t, whole, form)
	require.Contains(t, whole, "Ship to: 350 5th Ave, New York, NY 10118 <span")
	const follows = `,"related_to":"txn_2","addresses":[{"type":"SHIP_TO"}]`
	require.NotContains(t, shown(`"type":"TAX_REFUND"`+follows), form)
	require.Contains(t, shown(`"type":"SALE"`+follows), form)
}
