package console_test

import (
	"io"
	"net/http"
	"net/http/httptest"
	"sync/atomic"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/require"

	"levy/web"
)

// sessions is the console over an API with one return, for a person whose session can end.
type sessions struct {
	ended atomic.Bool
	name  atomic.Value // of the person who signs in
	saved atomic.Value // the last change of the return
}

func (s *sessions) serve(t *testing.T) (address string) {
	t.Helper()
	api := http.NewServeMux()
	console, err := web.NewConsole(gateTo(api), "", "")
	require.NoError(t, err)
	pages, err := console.Handler()
	require.NoError(t, err)
	say := func(text string) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, text) }
	}
	api.HandleFunc("GET /v1/session", func(w http.ResponseWriter, _ *http.Request) {
		if s.ended.Load() {
			w.WriteHeader(http.StatusUnauthorized)
			_, _ = io.WriteString(w, `{"status":401,"code":"unauthenticated"}`)
			return
		}
		_, _ = io.WriteString(w, `{"user":{"name":"`+s.name.Load().(string)+`"},`+
			`"organizations":[{"organization_id":"org_1","role":"admin"}]}`)
	})
	api.HandleFunc("POST /v1/session", func(w http.ResponseWriter, _ *http.Request) {
		s.ended.Store(false)
		http.SetCookie(w, &http.Cookie{Name: "levy_session", Value: "of somebody", Path: "/"})
		_, _ = io.WriteString(w, `{}`)
	})
	api.HandleFunc("GET /v1/filings/file_1", say(`{"id":"file_1","status":"UNFILED","amount":"1.00","currency":"USD",
		"start_date":"2026-01-01","end_date":"2026-01-31"}`))
	api.HandleFunc("GET /v1/filings/file_1/review", say(`{"amount":"1.00","currency":"USD"}`))
	api.HandleFunc("PUT /v1/filings/file_1", func(_ http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		s.saved.Store(string(body))
	})
	api.HandleFunc("/v1/", say(`{}`))
	api.Handle("/", pages)
	server := httptest.NewServer(api)
	t.Cleanup(server.Close)
	t.Cleanup(server.CloseClientConnections)
	return server.URL
}

// skip types why no return is due into the form of the return, and sends it.
func skip(b *browser, why string) {
	b.t.Helper()
	b.is(`(document.querySelector('#why').closest('details').open = true)`)
	b.do(chromedp.SendKeys("#why", why))
	b.click(`details:has(#why) button`)
}

func signInAgain(b *browser) {
	b.t.Helper()
	b.do(chromedp.SendKeys("#email", "ada@example.com"), chromedp.SendKeys("#password", "secret"))
	b.click("main button")
}

// A form that was typed when the session had ended is restored for the same person, once, and then deleted. Secrets
// are not stored.
func TestWhatWasTypedSurvivesTheEndOfASession(t *testing.T) {
	t.Parallel()
	b, s := open(t, 1280, 900), &sessions{}
	s.name.Store("Ada")
	address := s.serve(t)
	page := address + "/o/org_1/filings/file_1"
	b.do(chromedp.Navigate(address + "/sign-in?next=/o/org_1/filings/file_1"))
	signInAgain(b)
	s.ended.Store(true)
	skip(b, `Nothing "sold" <b>`)
	b.is(`location.pathname === '/sign-in' && document.querySelector('main').innerText.includes('is there again') && ` +
		`!location.href.includes('sold')`)
	signInAgain(b)
	b.is(`location.href === '` + page + `' && document.querySelector('#why').value === 'Nothing "sold" <b>' && ` +
		`document.querySelector('#why').closest('details').open && sessionStorage.getItem('typed') === null && ` +
		`document.querySelector('main [role=status]').innerText.includes('was not sent')`)
	b.accessible("what was typed before the session ended")
	b.click(`details:has(#why) button`)
	b.is(`document.querySelector('#why').value === '' && sessionStorage.getItem('typed') === null`)
	require.JSONEq(t, `{"status":"SKIPPED","skip_reason":"Nothing \"sold\" <b>"}`, s.saved.Load().(string))

	s.ended.Store(true)
	skip(b, "Nothing")
	s.name.Store("Eve")
	signInAgain(b)
	b.is(`location.href === '` + page + `' && document.querySelector('#why').value === '' && ` +
		`sessionStorage.getItem('typed') === null`)

	b.is(`(document.querySelector('main').insertAdjacentElement('beforeend', document.createElement('form')), ` +
		`document.querySelector('main > form:last-child').setAttribute('method', 'post'), ` +
		`[['plain', 'text', ''], ['word', 'password', ''], ['code', 'text', 'one-time-code'], ['file', 'file', ''], ` +
		`['day', 'text', ''], ['was_day', 'hidden', '']]` + // it shows the stored day in the form of the person
		`.forEach(([name, type, auto]) => { const field = document.createElement('input'); Object.assign(field, ` +
		`{name, type, autocomplete: auto}); if (type !== 'file') field.value = 'of ' + name; ` +
		`if (type === 'hidden') field.dataset.shown = 'of day'; ` +
		`document.querySelector('main > form:last-child').append(field); }), ` +
		`addEventListener('submit', (e) => { window.twice = e.defaultPrevented; e.preventDefault(); }), ` +
		`document.querySelector('main > form:last-child').requestSubmit(), ` +
		`JSON.parse(sessionStorage.getItem('typed')).fields.map((f) => f.name + f.value).join() === 'plainof plain')`)
	b.is(`(document.querySelector('main > form:last-child').requestSubmit(), window.twice)`) // it is sent once
}
