package web

import (
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"levy/internal/browser"
)

// onceKey finds the key of a form on a page.
var onceKey = regexp.MustCompile(`name="once" value="(\w{20,})"`)

// A created secret is shown once, also if the rest of its page cannot be read.
func TestWhatIsShownOnceIsShownWhateverFails(t *testing.T) {
	t.Parallel()
	const unread = `{"status":503,"code":"service_unavailable","title":"The service is not available"}`
	for path, c := range map[string]struct{ call, action, answer, shows string }{
		"/o/org_1/keys":     {"POST /v1/organizations/api_keys", "make", `{"api_key":"levy_new"}`, "levy_new"},
		"/o/org_1/people":   {"POST /v1/users", "invite", `{"sign_in_path":"/sign-in/new"}`, "/sign-in/new"},
		"/o/org_1/webhooks": {"POST /v1/webhook_endpoints", "", `{"secret":"whsec_new"}`, "whsec_new"},
		"/o/org_1/webhooks/whep_1": {"POST /v1/webhook_endpoints/whep_1/rotate_secret", "rotate", `{"secret":"whsec_new"}`,
			"whsec_new"},
		"/o/org_1/clients/org_2/link": {"POST /v1/onboarding/org_2/link", "", `{"path":"/join/new"}`, "/join/new"},
	} {
		shown := visitedWith(t, map[string]string{
			"GET /v1/session": anAdmin, c.call: c.answer, "GET /v1/organizations/api_keys": unread, "GET /v1/users": unread,
			"GET /v1/webhook_endpoints": unread, "GET /v1/webhook_endpoints/whep_1": unread, "GET /v1/onboarding/org_2": unread,
		}, path, url.Values{"action": {c.action}})
		require.Equal(t, http.StatusOK, shown.Code, "%s: it was done", path)
		require.Contains(t, shown.Body.String(), c.shows, path)
		require.NotContains(t, shown.Body.String(), "Nothing was changed", path)
		require.Contains(t, shown.Body.String(), `<a href="`+strings.TrimSuffix(path, "/link")+`">Go back</a>`, path)
	}
}

// The answer to a repeated form, which lacks the secret, explains how to create another one.
func TestASecretOfAFormThatWasSentTwiceCanBeMadeAgain(t *testing.T) {
	t.Parallel()
	for path, c := range map[string]struct{ call, action string }{
		"/o/org_1/keys":     {"POST /v1/organizations/api_keys", "make"},
		"/o/org_1/webhooks": {"POST /v1/webhook_endpoints", ""},
		"/o/org_1/people":   {"POST /v1/users", "invite"},
	} {
		shown := visitedWith(t, map[string]string{
			"GET /v1/session": anAdmin, c.call: `{"secret_available":false}`, "GET /v1/organizations/api_keys": `{}`,
			"GET /v1/webhook_endpoints": `{}`, "GET /v1/users": `{}`, "GET /v1/organizations/org_1/settings": `{}`,
		}, path, url.Values{"action": {c.action}})
		require.Equal(t, http.StatusOK, shown.Code, path)
		require.Contains(t, shown.Body.String(), "If you did not see it, replace it with a new one.", path)
	}
}

// A form is carried out once, however often it is sent: the API recognizes the key of its page.
func TestAFormIsCarriedOutOnce(t *testing.T) {
	t.Parallel()
	var keys []string
	send := func(answer, once, name string) string {
		form := url.Values{"action": {"make"}, "once": {once}, "name": {name}}
		request := httptest.NewRequest(http.MethodPost, "/o/org_1/keys", strings.NewReader(form.Encode()))
		request.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		shown := answeredBy(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			keys = append(keys, r.Header["Idempotency-Key"]...) // reads have none
			if r.Method == http.MethodPost {
				_, _ = io.WriteString(w, answer)
				return
			}
			saying(map[string]string{"GET /v1/session": strings.Replace(anAdmin, `"role"`, `"root":true,"role"`, 1),
				"GET /v1/organizations/api_keys": `{}`}).ServeHTTP(w, r)
		}), request).Body.String()
		return onceKey.FindStringSubmatch(shown)[1]
	}
	made := send(`{"api_key":"levy_new"}`, "first", "Shop")
	require.NotEqual(t, "first", made, "the next one is another")
	require.NotEqual(t, made, send(`{"api_key":"levy_new"}`, "first", "Shop"))
	send(`{"api_key":"levy_new"}`, "first", "Other")
	send(`{"api_key":"levy_new"}`, made, "Shop")
	require.Len(t, keys, 4)
	require.Equal(t, keys[0], keys[1])
	require.NotContains(t, keys[:2], keys[2], "something else was typed")
	require.NotContains(t, keys[:3], keys[3])
}

// A form that failed keeps its key, because it may have been carried out.
func TestAFormThatFailedKeepsItsKey(t *testing.T) {
	t.Parallel()
	for code, changed := range map[string]bool{"outcome_unknown": false, "idempotency_key_in_use": false, "no": true} {
		shown := visitedWith(t, map[string]string{
			"GET /v1/session": anAdmin, "GET /v1/webhook_endpoints": `{}`,
			"POST /v1/webhook_endpoints": `{"status":409,"code":"` + code + `","title":"No"}`,
		}, "/o/org_1/webhooks", url.Values{"once": {"first"}}).Body.String()
		require.Contains(t, shown, `name="once" value="first"`)
		require.Equal(t, changed, strings.Contains(shown, "Nothing was changed."), code)
	}
	being := visitedWith(t, map[string]string{
		"GET /v1/session": anAdmin, "GET /v1/exemptions": `{}`, "GET /v1/customers": `{}`,
		"POST /v1/exemptions": `{"status":409,"code":"idempotency_key_in_use","title":"No","detail":"No."}`,
	}, "/o/org_1/exemptions", url.Values{"once": {"first"}}).Body.String()
	require.Contains(t, being, "This was sent before and is being done")
	require.Contains(t, being, `name="once" value="first"`)
	require.NotContains(t, being, "nothing was saved")
}

// Every form that changes records of an organization has the key. Three kinds have none: files, whose records have
// their own keys, forms that change nothing, and what a person saves about its own pages.
func TestEveryFormHasAKey(t *testing.T) {
	t.Parallel()
	posted := regexp.MustCompile(`<form [^>]*method="post"[^>]*>\s*(\{\{template "once" \$\}\})?`)
	without := map[string]int{"layout": 2, "preferences": 1, "sign_in": 3, "step_up": 2, "set_password": 1, "unsubscribe": 1,
		"onboarding_link": 1, "account": 6,
		"imports":   1,
		"exemption": 1, "filing": 1, "notice": 1, "import_correct": 1, "fields": 2, "estimate": 1, "nexus_simulate": 1, "payments": 1}
	files, err := templates.ReadDir("templates")
	require.NoError(t, err)
	for _, file := range files {
		page, err := templates.ReadFile("templates/" + file.Name())
		require.NoError(t, err)
		missing := 0
		for _, form := range posted.FindAllSubmatch(page, -1) {
			if len(form[1]) == 0 {
				missing++
			}
		}
		require.Equal(t, without[strings.TrimSuffix(file.Name(), ".html")], missing, file.Name())
	}
}

// A credit note of today that is sent again has the same time, so that the API recognizes it.
func TestARepeatedCreditNoteIsTheSame(t *testing.T) {
	t.Parallel()
	today := time.Now().UTC().Format(time.DateOnly)
	for day, date := range map[string]string{today: today + "T00:00:00Z", "2026-05-15": "2026-05-15T10:00:00Z"} {
		request := httptest.NewRequest(http.MethodPost, "/o/org_1/transactions/txn_1/credit",
			strings.NewReader(url.Values{"action": {"all"}, "date": {day}}.Encode()))
		request.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		var sent []byte
		answeredBy(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.Method == http.MethodPost {
				sent, _ = io.ReadAll(r.Body)
			}
			saying(map[string]string{"GET /v1/session": anAdmin, "POST /v1/transactions/txn_1/credit_notes": `{"id":"txn_2"}`,
				"GET /v1/transactions/txn_1": `{"id":"txn_1","date":"2026-05-15T10:00:00Z"}`}).ServeHTTP(w, r)
		}), request)
		require.Contains(t, string(sent), `"date":"`+date+`"`)
	}
}

// The page after a repeated form, such as one from another tab, says that it was carried out before.
func TestAFormThatWasSentBeforeIsNotSaidToBeDone(t *testing.T) {
	t.Parallel()
	for replayed, says := range map[string]string{"": "done", "true": "before"} {
		form := url.Values{"action": {"pause"}, "once": {"ABCDEFGHIJKLMNOPQRSTUVWXYZ"}}
		request := httptest.NewRequest(http.MethodPost, "/o/org_1/filings/file_1", strings.NewReader(form.Encode()))
		request.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		sent := answeredBy(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.Method == http.MethodPut && replayed != "" {
				w.Header().Set("Idempotency-Replayed", replayed)
			}
			saying(map[string]string{"GET /v1/session": anAdmin, "PUT /v1/filings/file_1": `{}`}).ServeHTTP(w, r)
		}), request)
		require.Equal(t, http.StatusSeeOther, sent.Code)
		require.Equal(t, says, sent.Result().Cookies()[0].Value)
		require.NotEmpty(t, flashMessages[says])
	}
}

// patient is a writer that records its deadline.
type patient struct {
	*httptest.ResponseRecorder
	until time.Time
}

func (p *patient) SetWriteDeadline(until time.Time) error {
	p.until = until
	return nil
}

// A page or a form that makes several slow calls is answered nevertheless.
func TestASlowAnswerArrives(t *testing.T) {
	t.Parallel()
	handler, err := consoleOver(t, saying(map[string]string{"GET /v1/session": anAdmin})).Handler()
	require.NoError(t, err)
	for _, method := range []string{http.MethodPost, http.MethodGet} {
		request := httptest.NewRequest(method, "/o/org_1/filings/file_1", nil)
		request.AddCookie(&http.Cookie{Name: browser.HostSessionCookie, Value: "x"})
		request.Header.Set("Sec-Fetch-Site", "same-origin")
		w := &patient{ResponseRecorder: httptest.NewRecorder()}
		handler.ServeHTTP(w, request)
		require.Greater(t, time.Until(w.until), 5*time.Minute, method)
	}
}

// Parts of a return that cannot be read in time are named; the rest is shown. A page that cannot be shown at all offers
// to try again.
func TestWhatCannotBeReadInTimeIsSaid(t *testing.T) {
	t.Parallel()
	const slow = `{"status":503,"code":"service_unavailable","title":"Not now","detail":"Nothing was written."}`
	answers := map[string]string{"GET /v1/session": anAdmin,
		"GET /v1/filings/file_1":                         strings.Replace(aReturn, "{", `{"unresolved_transaction_count":2,`, 1),
		"GET /v1/filings/file_1/transactions/unresolved": slow,
		"GET /v1/audit":                                  slow, "GET /v1/filings/file_1/history": slow,
		"GET /v1/filings/file_1/report": slow, "GET /v1/filings": slow, "GET /v1/filings/file_1/review": slow,
	}
	shown := visitedWith(t, answers, "/o/org_1/filings/file_1", nil)
	require.Equal(t, http.StatusOK, shown.Code, shown.Body)
	require.Contains(t, shown.Body.String(), "Approve 1,234,567.00 USD")
	require.Contains(t, shown.Body.String(), "Not shown, because it could not be read in time: the history, the unresolved "+
		"transactions, who changed it, the review, the amounts by jurisdiction, the return of the period before.")
	require.Contains(t, shown.Body.String(), `<p class="fault omitted" role="status">`)
	list := visitedWith(t, answers, "/o/org_1/filings?page=2", nil)
	require.Equal(t, http.StatusServiceUnavailable, list.Code)
	require.Contains(t, list.Body.String(), "could not be read just now")
	require.NotContains(t, list.Body.String(), "Nothing was written")
	require.Contains(t, list.Body.String(), `<a href="/o/org_1/filings?page=2">Try again</a>`)
}
