package web

import (
	"bytes"
	"encoding/json"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/url"
	"regexp"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"levy/contract/contracttest"
	"levy/internal/browser"
)

// saying returns an API with the given answers by method and path. It answers all other calls with 404.
func saying(answers map[string]string) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, known := answers[r.Method+" "+r.URL.Path]
		if !known && (strings.HasPrefix(r.URL.Path, "/v1/comments/") || r.URL.Path == "/v1/colleagues" || r.URL.Path == "/v1/session/mentions" ||
			strings.HasSuffix(r.URL.Path, "/review") || r.URL.Path == "/v1/meta/return-formats" || r.URL.Path == "/v1/exceptions/groups") {
			// most records have no comments, no return has to be looked at, returns ask for nothing, and exceptions have no groups
			body, known = `{"amount":"1234567.00"}`, true
		}
		if !known {
			body = `{"status":404,"code":"not_found","title":"The object does not exist"}`
		}
		var p problem
		if json.Unmarshal([]byte(body), &p) == nil && p.Code != "" {
			w.WriteHeader(p.Status)
		}
		_, _ = io.WriteString(w, body)
	})
}

// visitedWith requests a page from a console over such an API, or sends a form to it.
func visitedWith(t *testing.T, answers map[string]string, path string, form url.Values) *httptest.ResponseRecorder {
	t.Helper()
	return visitedOver(t, saying(answers), path, form)
}

// visitedOver requests a page from a console over an API, or sends a form to it.
func visitedOver(t *testing.T, api http.Handler, path string, form url.Values) *httptest.ResponseRecorder {
	t.Helper()
	request := httptest.NewRequest(http.MethodGet, path, nil)
	if form != nil {
		request = httptest.NewRequest(http.MethodPost, path, strings.NewReader(form.Encode()))
		request.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	}
	return answeredBy(t, api, request)
}

// parsedConsole has the parsed templates, which take longest: tests share them.
var parsedConsole = sync.OnceValues(func() (*Console, error) { return NewConsole(nil, "", "") })

// consoleOver returns a console over an API.
func consoleOver(t *testing.T, api http.Handler) *Console {
	t.Helper()
	parsed, err := parsedConsole()
	require.NoError(t, err)
	console := *parsed
	console.gate = gateTo(api)
	console.pages = console.registry()
	console.byPath = pagesByPath(console.pages)
	return &console
}

// gateTo returns a gate to operations that a handler answers, one after the other, also those that a page calls at once: it may
// remember what it was asked. A refusal may have a code that the contract lacks.
func gateTo(api http.Handler) Gate {
	var one sync.Mutex
	inTurn := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		one.Lock()
		defer one.Unlock()
		api.ServeHTTP(w, r)
	})
	return contracttest.Gate{CallerSession: contracttest.OverHTTP(inTurn, func(status int, body []byte) error {
		refused := &problem{}
		if err := json.Unmarshal(body, refused); err != nil {
			return err
		}
		var more struct {
			Remaining string `json:"remaining_amount"`
			Most      int64  `json:"limit_bytes"`
		}
		if err := json.Unmarshal(body, &more); err != nil {
			return err
		}
		refused.Status, refused.Remaining, refused.Most = status, more.Remaining, more.Most
		return refused
	})}
}

// answeredBy sends a request to a console over an API, as a signed-in person.
func answeredBy(t *testing.T, api http.Handler, request *http.Request) *httptest.ResponseRecorder {
	t.Helper()
	handler, err := consoleOver(t, api).Handler()
	require.NoError(t, err)
	request.AddCookie(&http.Cookie{Name: browser.HostSessionCookie, Value: "x"})
	request.Header.Set("Sec-Fetch-Site", "same-origin")
	recorder := httptest.NewRecorder()
	handler.ServeHTTP(recorder, request)
	if strings.HasPrefix(recorder.Header().Get("Content-Type"), "text/html") {
		recorder.Body = bytes.NewBufferString(withoutLayout(recorder.Body.String()))
	}
	return recorder
}

var (
	keptText   = regexp.MustCompile(`(?s)<textarea[^>]*>.*?</textarea>`)
	anySpace   = regexp.MustCompile(`\s+`)
	roundBlock = regexp.MustCompile(` ?(</?(?:html|head|body|header|nav|main|footer|section|article|div|p|h[1-6]|ul|ol|li|dl|` +
		`dt|dd|table|caption|thead|tbody|tr|th|td|form|fieldset|legend|details|summary|select|option|optgroup|datalist|label|` +
		`svg|path|title|input type="hidden")\b[^>]*>) ?`)
)

// withoutLayout returns a page without the white space that no browser shows: between blocks, and all but one blank
// between words. So tests do not depend on the lines of a template.
func withoutLayout(page string) string {
	at := 0
	var b strings.Builder
	for _, text := range append(keptText.FindAllStringIndex(page, -1), []int{len(page), len(page)}) {
		part := anySpace.ReplaceAllString(page[at:text[0]], " ")
		b.WriteString(strings.ReplaceAll(roundBlock.ReplaceAllString(part, "$1"), " >", ">"))
		b.WriteString(page[text[0]:text[1]])
		at = text[1]
	}
	return b.String()
}

const (
	anAdmin = `{"user":{"name":"Ada"},"organizations":` +
		`[{"organization_id":"org_1","organization_name":"Shop","role":"admin"}]}`
	aReturn = `{"id":"file_1","organization_id":"org_1","status":"UNFILED","amount":"1234567.00","currency":"USD",` +
		`"start_date":"2026-01-01","end_date":"2026-01-31"}`
)

// A refusal of the API is shown on the page of the form, with the typed values.
func TestARefusedFormIsShownAgain(t *testing.T) {
	t.Parallel()
	answered := visitedWith(t, map[string]string{
		"GET /v1/session": anAdmin, "GET /v1/filings/file_1": aReturn, "GET /v1/audit": `{}`, "GET /v1/filings/file_1/history": `{}`,
		"GET /v1/filings/file_1/report": `{}`, "GET /v1/filings": `{}`,
		"PUT /v1/filings/file_1": `{"status":409,"code":"x","title":"There is a liability","detail":"It cannot be skipped."}`,
	}, "/o/org_1/filings/file_1", url.Values{"action": {"skip"}, "skip_reason": {"Nothing sold"}})
	require.Equal(t, http.StatusConflict, answered.Code)
	shown := answered.Body.String()
	require.Contains(t, shown, "There is a liability")
	require.Contains(t, shown, "It cannot be skipped.")
	require.Contains(t, shown, "Approve 1,234,567.00 USD")
	require.Contains(t, shown, `<details open><summary>Skip`)
	require.Contains(t, shown, `value="Nothing sold"`)
}

// A refused form has what was typed; other forms of the page do not.
func TestARefusedFormKeepsWhatWasTyped(t *testing.T) {
	t.Parallel()
	const refused = `{"status":409,"code":"x","title":"It cannot be done"}`
	for _, c := range []struct {
		path    string
		form    url.Values
		answers map[string]string
		kept    []string
		without string
	}{
		{
			path: "/o/org_1/clients/org_2", form: url.Values{"name": {"Wrong"}, "reason": {"They left"}},
			answers: map[string]string{
				"GET /v1/onboarding/org_2": `{"organization_id":"org_2","organization_name":"Shop","status":"IN_PROGRESS"}`,
			},
			kept: []string{`value="Wrong"`, `value="They left"`, "nothing was cancelled"},
		},
		{
			path:    "/o/org_1/webhooks",
			form:    url.Values{"url": {"https://a.example"}, "event_filing.all": {"true"}},
			answers: map[string]string{"GET /v1/webhook_endpoints": `{}`, "POST /v1/webhook_endpoints": refused},
			kept:    []string{`value="https://a.example"`, `name="event_filing.all" value="true" checked`},
		},
		{
			path:    "/o/org_1/people",
			form:    url.Values{"action": {"invite"}, "email": {"a@b.c"}, "name": {"Ann"}, "role": {"approver"}},
			answers: map[string]string{"GET /v1/users": `{}`, "POST /v1/users": refused},
			kept:    []string{`value="a@b.c"`, `value="Ann"`, `<option value="approver" selected>`},
		},
		{
			path:    "/o/org_1/people",
			form:    url.Values{"action": {"role"}, "id": {"user_1"}, "role": {"approver"}},
			answers: map[string]string{"GET /v1/users": `{}`, "PUT /v1/users/user_1": refused},
			without: `<option value="approver" selected>`,
		},
		{
			path: "/o/org_1/registrations/regs_1",
			form: url.Values{"action": {"end"}, "deregistration_date": {"2026-01-01"}, "reason": {"Moved"}},
			answers: map[string]string{
				"GET /v1/audit":                            `{}`,
				"GET /v1/registrations/regs_1":             `{"status":"REGISTERED","comment":"Ask Ada"}`,
				"POST /v1/registrations/regs_1/deregister": refused,
			},
			kept: []string{
				"<details open><summary>End the registration", `value="1 Jan 2026"`, `value="Moved"`, `value="Ask Ada"`,
			},
		},
		{
			path: "/o/org_1/exemptions/ex_1", form: url.Values{"action": {"activate"}},
			answers: map[string]string{
				"GET /v1/exemptions/ex_1": `{"status":"DEACTIVATED","sales_tax_id":"T-1"}`, "PUT /v1/exemptions/ex_1": refused,
			},
			kept: []string{`name="sales_tax_id" type="text" autocomplete="off" maxlength="50" aria-required="false" value="T-1`},
		},
		{
			path: "/o/org_1/products/prod_1", form: url.Values{"action": {"archive"}},
			answers: map[string]string{
				"GET /v1/products/prod_1":     `{"name":"Shirt","product_category":"CLOTHING","tax_exempt":true}`,
				"GET /v1/products/categories": `[]`,
				"DELETE /v1/products/prod_1":  refused,
			},
			kept: []string{`value="Shirt"`, `value="CLOTHING/" selected`, `value="true" checked`},
		},
		{
			path: "/exceptions", form: url.Values{
				"type": {"FILING_ISSUE"}, "object_id": {"file_1"}, "assignee": {"Ann"}, "note": {"Call them"},
			},
			answers: map[string]string{
				"GET /v1/exceptions": `{"items":[{"type":"FILING_ISSUE","object_id":"file_1","organization_id":"org_1"},` +
					`{"type":"FILING_ISSUE","object_id":"file_2","organization_id":"org_1","note":"Mine"}]}`,
				"PUT /v1/exceptions/FILING_ISSUE/file_1": refused,
			},
			kept: []string{"<details open><summary>Assign", `value="Ann"`, `value="Call them"`, `value="Mine"`},
		},
	} {
		answers := map[string]string{
			"GET /v1/session": anAdmin, "GET /v1/session/views": `{}`, "GET /v1/filings/registration/regs_1": `{}`,
			"GET /v1/organizations/org_1/settings": `{}`, "GET /v1/nexus": `{}`,
		}
		maps.Copy(answers, c.answers)
		answered := visitedWith(t, answers, c.path, c.form)
		require.GreaterOrEqual(t, answered.Code, http.StatusBadRequest, c.path)
		for _, kept := range c.kept {
			require.Contains(t, answered.Body.String(), kept, "%s %s", c.path, answered.Body)
		}
		if c.without != "" {
			require.NotContains(t, answered.Body.String(), c.without, c.path)
		}
	}
}

// A refusal does not lead back to a path that only accepts forms.
func TestARefusalLeadsToAPageThatExists(t *testing.T) {
	t.Parallel()
	console := consoleOver(t, saying(nil))
	for from, to := range map[string]string{
		"/o/org_1/transactions/txn_1/address": "/o/org_1/transactions/txn_1",
		"/o/org_1/exemptions/ex_1/documents":  "/o/org_1/exemptions/ex_1",
		"/o/org_1/clients/org_2/link":         "/o/org_1/clients/org_2",
		"/o/org_1/nexus/simulate":             "/o/org_1/nexus/simulate",
		"/o/org_1/filings":                    "/o/org_1/filings",
		"/exceptions":                         "/exceptions",
		"/o/org_1/nothing":                    "/o/org_1", "/views": "/", "/": "/", "": "/",
	} {
		at, _ := console.pageAt(from)
		require.Equal(t, to, at, from)
	}
}

// The page of a missing record links to a page that exists.
func TestAMissingPageOffersAWayOut(t *testing.T) {
	t.Parallel()
	for path, back := range map[string]string{
		"/o/org_1/filings/file_2": "/o/org_1/filings", "/o/org_1/filingz": "/o/org_1", "/filings/none": "/filings",
		"/o/org_1/filings?page=x": "/o/org_1/filings",
	} {
		answered := visitedWith(t, map[string]string{"GET /v1/session": anAdmin}, path, nil)
		require.Equal(t, http.StatusNotFound, answered.Code, path)
		require.Contains(t, answered.Body.String(), "This page does not exist", path)
		require.Contains(t, answered.Body.String(), `<p><a href="`+back+`">Go`, path)
	}
}

// A person whose session has ended learns that and returns to the page. A visitor sees no such message.
func TestAPersonIsToldThatTheSessionHasEnded(t *testing.T) {
	t.Parallel()
	over := map[string]string{"GET /v1/session": `{"status":401,"code":"unauthenticated"}`}
	for path, to := range map[string]string{
		"/exceptions":                    "/sign-in?ended=sent&next=%2Fexceptions%23typed",
		"/views":                         "/sign-in?ended=sent&next=%2F%23typed",
		"/o/org_1/estimate":              "/sign-in?ended=sent&next=%2Fo%2Forg_1%2Festimate%23typed",
		"/o/org_1/transactions/t/credit": "/sign-in?ended=sent&next=%2Fo%2Forg_1%2Ftransactions%2Ft%23typed",
	} {
		answered := visitedWith(t, over, path, url.Values{})
		require.Equal(t, to, answered.Header().Get("Location"), path)
	}
	answered := visitedWith(t, over, "/filings?page=2", nil)
	require.Equal(t, "/sign-in?ended=read&next=%2Ffilings%3Fpage%3D2", answered.Header().Get("Location"))
	require.Contains(t, visitedWith(t, nil, "/sign-in?ended=sent", nil).Body.String(), "was not saved")
	require.Contains(t, visitedWith(t, nil, "/sign-in?ended=sent", nil).Body.String(), "<noscript> JavaScript is off")
	require.NotContains(t, visitedWith(t, nil, "/sign-in?ended=read", nil).Body.String(), "<noscript>")
	require.NotContains(t, visitedWith(t, nil, "/sign-in", nil).Body.String(), "has ended")
	entered := visitedWith(t, map[string]string{"POST /v1/session": `{}`}, "/sign-in",
		url.Values{"next": {"/exceptions#typed"}})
	require.Equal(t, "/exceptions#typed", entered.Header().Get("Location"))
}

// Refusals on pages are about roles, not keys.
func TestARefusalOnAPageNamesTheRole(t *testing.T) {
	t.Parallel()
	answered := visitedWith(t, map[string]string{
		"GET /v1/session": anAdmin,
		"GET /v1/users": `{"status":403,"code":"forbidden_for_key","title":"This key may not use this function",
			"detail":"Your role does not include this function."}`,
	}, "/o/org_1/people", nil)
	require.Equal(t, http.StatusForbidden, answered.Code)
	require.Contains(t, answered.Body.String(), "You may not do this")
	require.Contains(t, answered.Body.String(), "Your role does not include this function.")
	require.NotContains(t, answered.Body.String(), "This key")
}

// A refused file gets a page with the reason and a link back.
func TestAFileThatIsRefusedIsExplained(t *testing.T) {
	t.Parallel()
	for path, back := range map[string]string{
		"/o/org_1/transactions/export?search_query=A": "/o/org_1/transactions",
		"/o/org_1/filings/file_1/report?format=pdf":   "/o/org_1/filings/file_1",
		"/clients/export?query=A":                     "/clients",
	} {
		api := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Path == "/v1/session" {
				_, _ = io.WriteString(w, anAdmin)
				return
			}
			w.Header().Set("Content-Security-Policy", "default-src 'none'")
			w.WriteHeader(http.StatusTooManyRequests)
			_, _ = io.WriteString(w, `{"status":429,"title":"Two files are under way","detail":"Wait for one."}`)
		})
		answered := answeredBy(t, api, httptest.NewRequest(http.MethodGet, path, nil))
		require.Equal(t, http.StatusTooManyRequests, answered.Code, path)
		require.Equal(t, contentPolicy, answered.Header().Get("Content-Security-Policy"), path)
		for _, says := range []string{"Two files are under way", "Wait for one.", `href="` + back + `"`} {
			require.Contains(t, answered.Body.String(), says, path)
		}
	}
}

// The list of transactions can be downloaded with its filters.
func TestTheTransactionsOfAListAreAFile(t *testing.T) {
	t.Parallel()
	const query = "date__gte=2026-10-01&date__lte=2026-10-31&search_query=A"
	asked := ""
	api := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/v1/session":
			_, _ = io.WriteString(w, anAdmin)
		case "/v1/transactions/export":
			asked = r.URL.RawQuery
			w.Header().Set("Content-Type", "text/csv")
			_, _ = io.WriteString(w, "transaction_id")
		default:
			_, _ = io.WriteString(w, `{"items":[{"id":"txn_1"}],"pages":2}`)
		}
	})
	shown := answeredBy(t, api, httptest.NewRequest(http.MethodGet, "/o/org_1/transactions?page=2&"+query, nil))
	require.Contains(t, shown.Body.String(),
		`href="/o/org_1/transactions/export?`+strings.ReplaceAll(query, "&", "&amp;")+`"`)
	file := answeredBy(t, api, httptest.NewRequest(http.MethodGet, "/o/org_1/transactions/export?"+query, nil))
	require.Equal(t, "transaction_id", file.Body.String())
	require.Equal(t, "text/csv", file.Header().Get("Content-Type"))
	require.Equal(t, strings.Replace(query, "&search", "&format=csv&search", 1), asked)
	answeredBy(t, api, httptest.NewRequest(http.MethodGet, "/o/org_1/transactions/export?format=zz", nil))
	require.Equal(t, "format=zz", asked, "the operation refuses an unknown format")
}

// A refusal has the labels of the fields, and the fields refer to it.
func TestARefusalNamesFieldsInWords(t *testing.T) {
	t.Parallel()
	const refusal = `{"status":400,"code":"invalid","title":"No","errors":[
		{"location":"body.until","message":"Must be in the future."},
		{"location":"body.end_date","message":"end_date must not be before start_date."}]}`
	answers := map[string]string{
		"GET /v1/session": anAdmin, "GET /v1/nexus/nexs_1": `{"status":"EXPOSED"}`, "GET /v1/nexus/nexs_1/months": `{}`,
		"POST /v1/nexus/nexs_1/disregard": refusal, "GET /v1/exemptions/exmp_1": `{}`, "PUT /v1/exemptions/exmp_1": refusal,
	}
	shown := visitedWith(t, answers, "/o/org_1/nexus/nexs_1", url.Values{"action": {"disregard"}}).Body.String()
	require.Contains(t, shown, `<li id="refused-0"><a href="#until">Until (optional)</a>: Must be in the future.</li>`)
	require.Contains(t, shown, `<li id="refused-1">End date must not be before start date.</li>`)
	require.Regexp(t, `<section class="fault"[^>]* tabindex="-1" autofocus>`, shown)
	shown = visitedWith(t, answers, "/o/org_1/exemptions/exmp_1", url.Values{"action": {"change"}}).Body.String()
	require.Contains(t, shown, `<p class="bad" id="end-date-wrong">This must not be before “First day”.</p>`)
	require.Regexp(t, `<section class="fault"[^>]* tabindex="-1" autofocus>`, shown)
}

// The title of a refused form is about what was typed, and no text is repeated.
func TestARefusalSaysWhatToCorrect(t *testing.T) {
	t.Parallel()
	answers := map[string]string{"GET /v1/session": anAdmin, "GET /v1/nexus/nexs_1": `{"status":"EXPOSED"}`,
		"GET /v1/nexus/nexs_1/months": `{}`}
	for refusal, says := range map[string]string{
		`"code":"validation_failed","title":"The request has invalid fields","detail":"1 field is invalid.",
			"errors":[{"location":"body.until","message":"Must be in the future."}]`: `<h2 id="refused-title">One thing needs ` +
			"correcting</h2><ul><li id=\"refused-0\"><a href=\"#until\">Until (optional)</a>: Must be in the future.</li></ul>" +
			"<p>Nothing was changed.</p>",
		`"code":"validation_failed","title":"The request has invalid fields","detail":"2 fields are invalid.",
			"errors":[{"location":"body.until","message":"No."},{"location":"body.types","message":"No."}]`: ">2 things need " +
			"correcting</h2><ul>",
		`"code":"invalid_status_transition","title":"It is over","detail":"It is over."`: ">It is over</h2><p>Nothing",
		`"code":"validation_failed","title":"The request has invalid fields","detail":"Its header is wrong."`: ">The request has " +
			"invalid fields</h2><p>Its header is wrong.</p>",
	} {
		answers["POST /v1/nexus/nexs_1/disregard"] = `{"status":400,` + refusal + `}`
		shown := visitedWith(t, answers, "/o/org_1/nexus/nexs_1", url.Values{"action": {"disregard"}}).Body.String()
		require.Contains(t, shown, says)
	}
}

// A form is limited in size, because its sender need not be signed in.
func TestAFormIsBounded(t *testing.T) {
	t.Parallel()
	large := "email=" + strings.Repeat("a", formLimit)
	api := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		if len(body) > 1000 {
			t.Errorf("%s %s got %d bytes", r.Method, r.URL, len(body))
		}
		w.WriteHeader(http.StatusBadRequest)
	})
	for name, body := range map[string]io.Reader{
		"said":   strings.NewReader(large),
		"unsaid": io.MultiReader(strings.NewReader(large)), // in chunks
	} {
		request := httptest.NewRequest(http.MethodPost, "/sign-in", body)
		request.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		answered := answeredBy(t, api, request)
		require.Less(t, answered.Body.Len(), 10_000, name)
		require.Equal(t, http.StatusRequestEntityTooLarge, answered.Code, name)
		require.Equal(t, "The form is larger than 256 KiB.\n", answered.Body.String(), name)
	}
}

// Errors of filters have the labels of the filters. A duplicate external id is an error of its field.
func TestFaultsOfFiltersAndKeysAreSaidInWords(t *testing.T) {
	t.Parallel()
	shown := visitedWith(t, map[string]string{"GET /v1/session": anAdmin,
		"GET /v1/transactions": `{"status":400,"code":"validation_failed","title":"The request has invalid fields","errors":[` +
			`{"location":"query.date__lte","message":"date__lte must not be before date__gte."}]}`,
	}, "/o/org_1/transactions?date__lte=2026-01-01", nil).Body.String()
	require.Contains(t, shown, "<li>Date (to) must not be before date (from).</li>")
	shown = visitedWith(t, map[string]string{"GET /v1/session": anAdmin,
		"POST /v1/products": `{"status":409,"code":"duplicate_external_id","title":"It exists","detail":"It exists."}`,
		"GET /v1/products":  `{}`, "GET /v1/products/categories": `[]`,
	}, "/o/org_1/products", url.Values{"external_id": {"P-1"}}).Body.String()
	require.Contains(t, shown, `<a href="#external-id">Your ID</a>: It exists.`)
	r := sentForm(t, "POST /o/{org}/exemptions/{id}/documents", "")
	r.Body = io.NopCloser(io.MultiReader(strings.NewReader(strings.Repeat("\n", documentLimit+formLimit)), r.Body))
	shown = answeredBy(t, saying(map[string]string{
		"GET /v1/session": anAdmin, "GET /v1/exemptions/id_1": `{}`,
	}), r).Body.String()
	require.Contains(t, shown, `>This is too large</h2>`)
	require.Contains(t, shown, "<p>At most 10 MiB are allowed.</p>")
	answers := map[string]string{"GET /v1/session": anAdmin, "POST /v1/filings/id_1/acknowledgement": `{}`}
	for size, status := range map[int]int{
		1000: http.StatusSeeOther, 1<<20 + 1: http.StatusRequestEntityTooLarge, documentLimit + formLimit: http.StatusRequestEntityTooLarge,
	} {
		body := "--b\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a.xml\"\r\n\r\n" + strings.Repeat("x", size) + "\r\n--b--\r\n"
		r := sentForm(t, "POST /o/{org}/filings/{id}/acknowledgement", "")
		r.Header.Set("Content-Type", "multipart/form-data; boundary=b")
		r.Body = io.NopCloser(strings.NewReader(body))
		answered := answeredBy(t, saying(answers), r)
		require.Equal(t, status, answered.Code, "%d: %s", size, answered.Body)
		require.Equal(t, size > 1000, strings.Contains(answered.Body.String(), "<p>At most 1 MiB are allowed.</p>"), size)
	}
}
