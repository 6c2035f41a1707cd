package console_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/pquerna/otp/totp"
	"github.com/stretchr/testify/require"

	"levy/contract/contracttest"
	"levy/test/testbed"
	"levy/web"
)

// invited is the address of the link by which a person sets a password.
func invited(bed *testbed.Bed, arguments ...string) string {
	lines := strings.Split(strings.TrimSpace(string(bed.Run(append([]string{"user", "invite"}, arguments...)...))), "\n")
	return bed.API.URL() + lines[len(lines)-1]
}

// enter sets a password by a link.
func (b *browser) enter(link string) {
	b.t.Helper()
	b.do(chromedp.Navigate(link))
	b.do(chromedp.SendKeys("#password", "correct horse battery staple"),
		chromedp.SendKeys("#again", "correct horse battery staple"))
	b.click("main button")
}

// click clicks and waits for the page that it leads to. The page is marked and clicked in one step, so that a page
// that reloads itself in between is not mistaken for the one that the click leads to.
func (b *browser) click(selector string) {
	b.t.Helper()
	b.clickAfter("true", selector)
}

// clickAfter is click after an expression that fills the form: in one step, because a page that reloads itself in
// between has forgotten it.
func (b *browser) clickAfter(expression, selector string) {
	b.t.Helper()
	b.do(chromedp.WaitVisible(selector))
	b.is(fmt.Sprintf(`(document.querySelector(%[1]q) !== null && (%[2]s, document.documentElement.dataset.old = 'yes', `+
		`document.querySelector(%[1]q).click(), true))`, selector, expression))
	b.awaitPage(selector)
}

// leaves does something that leads to another page, and waits for that page.
func (b *browser) leaves(what string, do func()) {
	b.t.Helper()
	b.is(`(document.documentElement.dataset.old = 'yes', true)`)
	do()
	b.awaitPage(what)
}

// awaitPage waits for the page that follows the one that was marked as old.
func (b *browser) awaitPage(after string) {
	b.t.Helper()
	require.Eventually(b.t, func() bool { // an evaluation is lost when its page is left
		there, err := chromedp.Run(b.ctx,
			chromedp.Evaluate[bool](`!document.documentElement.dataset.old && document.readyState === 'complete'`))
		return err == nil && there
	}, testbed.WaitLimit, 20*time.Millisecond, "no page after %s", after)
}

// confirmsSecondStep enters the code of an app that has the secret of the page, and checks the recovery codes.
func (b *browser) confirmsSecondStep() {
	b.t.Helper()
	code, err := totp.GenerateCode(b.text(`document.querySelector('#secret').value`), time.Now())
	require.NoError(b.t, err)
	b.do(chromedp.SendKeys("#code", code))
	b.click("main section > form button")
	b.is(`document.querySelectorAll('.codes li').length === 10`)
	b.accessible("recovery codes")
}

// targetSize adds the rule of axe for the size of links and buttons (WCAG 2.5.8), which axe has off.
const targetSize = `rules: {'target-size': {enabled: true}}`

// messages are what pages say about what a person did. The examples of make pages have none.
const messages = `.fault:not(:empty), .done, .changed, [aria-invalid]`

// accessible checks the page with axe in light, and on a phone that it fits and can be touched. Pages with a message are
// checked for contrast in dark. make pages checks each page with all of axe in all its looks, and so does make pictures.
func (b *browser) accessible(name string) {
	b.t.Helper()
	axe, err := os.ReadFile("testdata/axe.min.js")
	require.NoError(b.t, err)
	whole := isWhole() || os.Getenv(picturesVariable) != ""
	onAPhone := targetSize
	if !whole {
		onAPhone = `runOnly: ['target-size']`
	}
	for _, way := range []struct {
		scheme        string
		width, height int64
		rules         string
	}{{"light", 1280, 900, targetSize}, {"dark", 1280, 900, `runOnly: ['color-contrast']`}, {"light", 320, 640, onAPhone}} {
		if way.scheme == "dark" && !whole && b.text(`String(document.querySelector('`+messages+`') !== null)`) == "false" {
			continue
		}
		b.prefers(way.scheme)
		b.do(chromedp.EmulateViewport(way.width, way.height))
		b.is(`document.documentElement.scrollWidth <= innerWidth && ![...document.querySelectorAll('.scroll')].some(e => ` +
			`innerWidth < 768 && e.scrollWidth > e.clientWidth)`)
		found, err := b.faults(string(axe), way.rules)
		for lost(err) {
			found, err = b.faults(string(axe), way.rules)
		}
		require.NoError(b.t, err)
		require.Empty(b.t, found, "%s, %s, %d wide", name, way.scheme, way.width)
		b.shot(fmt.Sprintf("console-%s-%s-%d", strings.ReplaceAll(name, " ", "-"), way.scheme, way.width))
	}
	b.shotWithoutColours("console-" + strings.ReplaceAll(name, " ", "-") + "-forced")
	b.do(chromedp.EmulateViewport(1280, 900))
}

// faults are the violations that axe finds on a page, into which it is loaded once. What else it finds, and the
// selectors of elements, would take more than half as long again.
func (b *browser) faults(axe, rules string) ([]string, error) {
	loaded, err := chromedp.Run(b.ctx, chromedp.Evaluate[bool](`'axe' in window`))
	if err == nil && !loaded {
		_, err = chromedp.Run(b.ctx, chromedp.Evaluate[bool](axe+"; true"))
	}
	if err != nil {
		return nil, err
	}
	return chromedp.Run(b.ctx, chromedp.Evaluate[[]string](`axe.run({resultTypes: ['violations'], selectors: false, `+
		rules+`}).then(r => r.violations.map(v => v.id + ': ' + v.nodes.map(n => n.html).join(' | ')))`,
		chromedp.EvalAwaitPromise))
}

func awaitStage(bed *testbed.Bed, transaction, stage string) {
	bed.Eventually(transaction+" is "+stage, func(context.Context) (bool, error) {
		return bed.Count("SELECT count(*) FROM transactions WHERE id = $1 AND processing_status = $2", transaction,
			stage) == 1, nil
	})
}

// returnDue is a return of three months ago that the authority will refuse, with a sale that is in it and one that
// cannot be processed.
func returnDue(t *testing.T, bed *testbed.Bed) (filing, held string) {
	t.Helper()
	month := testbed.FirstOfMonth(3)
	registration := bed.Post("/v1/registrations", map[string]any{
		"country_code": "US", "state_code": "WA", "filing_frequency": "MONTHLY", "imported": true,
		"registration_date":   month.Format(time.DateOnly),
		"create_filings_from": testbed.FirstOfMonth(-12).Format(time.DateOnly),
	})
	require.Equal(t, http.StatusOK, registration.Status, string(registration.Body))
	sale := func(name string, day time.Time, address map[string]any) string {
		body := testbed.Sale(name, 1)
		at := day.Format(time.DateOnly) + "T10:00:00Z"
		body["date"], body["addresses"] = at, []any{address}
		body["transaction_items"].([]any)[0].(map[string]any)["date"] = at
		answer := bed.Post("/v1/transactions", body)
		require.Equal(t, http.StatusAccepted, answer.Status, string(answer.Body))
		return answer.Field("id")
	}
	seattle := map[string]any{"type": "SHIP_TO", "street_1": "400 Broad St", "city": "Seattle", "state": "WA",
		"postal_code": "98109", "country": "US"}
	taxed := sale("ORDER-1", month.AddDate(0, 0, 4), seattle)
	held = sale(hostile, testbed.FirstOfMonth(0),
		map[string]any{"type": "SHIP_TO", "city": "Sprangville", "state": "Wahsinton", "country": "US"})
	awaitStage(bed, taxed, "PROCESSED")
	awaitStage(bed, held, "NEEDS_REFETCH")
	made := bed.Post("/v1/filings", map[string]any{
		"registration_id": registration.Field("id"), "country_code": "US", "state_code": "WA",
		"state_name": "Washington", "filing_category": "REGULAR", "status": "UNFILED",
		"start_date": month.Format(time.DateOnly), "end_date": month.AddDate(0, 1, -1).Format(time.DateOnly),
	})
	require.Equal(t, http.StatusOK, made.Status, string(made.Body))
	filing = made.Field("id")
	noteOfReturn(t, bed, filing, "SIMULATE_REJECT")
	bed.Eventually("the tax of the sale is owed", func(ctx context.Context) (bool, error) {
		shown, err := bed.Send(ctx, bed.API, http.MethodGet, "/v1/filings/"+filing, nil)
		return shown.Field("amount") == "1.06", err
	})
	return filing, held
}

// People do their work on pages: staff get from signing in to an approved return, and from an exception to a
// corrected transaction, in four clicks, and a partner finds stuck clients in two.
func TestPeopleWorkInTheConsole(t *testing.T) {
	t.Parallel()
	b := open(t, 1280, 900)
	bed := testbed.New(t, testbed.Options{UI: true})
	bed.Set("LEVY_WEBHOOK_HOSTS", "127.0.0.1")
	ofDevelopers := uiOfDevelopers(t, bed)
	bed.API.Start()
	bed.Worker.Start()
	filing, held := returnDue(t, bed)
	manyAreSoldIn(t, bed, "OH", "Columbus", "43215")
	stuck := onboard(t, bed, "Blue Heron Outfitters", 4)
	stuck.isRefused(t, bed)
	bed.Exec("UPDATE onboarding_steps SET started_at = now() - interval '8 days' WHERE organization_id = $1", stuck.id)
	onboard(t, bed, hostile, 2)
	path := func(rest string) string { return bed.API.URL() + "/o/" + bed.OrganizationID + rest }

	b.do(chromedp.Navigate(bed.API.URL() + "/"))
	b.is(`location.pathname === '/sign-in'`)
	b.accessible("sign in")
	link := invited(bed, "staff@example.com", "--name", "Sam Staff", "--staff", "operator")
	b.do(chromedp.Navigate(link))
	b.accessible("set the password")
	b.enter(link)
	b.is(`location.pathname === '/' && document.querySelectorAll('.figures li').length === 4`)
	b.accessible("home")
	b.do(chromedp.Navigate(bed.API.URL() + "/exceptions"))
	b.accessible("exceptions")
	b.is(`!document.querySelector('main img, main script:not([src])') && document.body.innerText.includes('onerror=')`)

	returnsOfMany(t, b, bed, filing)

	b.click(".leave button")
	b.inClicks(4, "from signing in to an approved return", func(h *user) {
		h.write("#email", "STAFF@example.com\tcorrect horse battery staple")
		h.press("main button")
		h.press(`main a[href*="type__in=FILING_OVERDUE"]`)
		h.press(fmt.Sprintf(`a.button[href*="/filings/%s?"]`, filing))
		b.is(`document.body.innerText.includes('days overdue')`)
		b.accessible("filing")
		h.press(`main form button`)
		b.is(`!!document.querySelector('.history').innerText.match(/Approved by Sam Staff/i)`)
	})
	require.Equal(t, 1, bed.Count("SELECT count(*) FROM filings WHERE approved_by = 'Sam Staff' AND status <> 'UNFILED'"))
	require.Equal(t, 1, bed.Count(`SELECT count(*)
		FROM filing_history
		WHERE actor_type = 'USER' AND actor_name = 'Sam Staff' AND action = 'APPROVED'`))

	// The page shows changes without a reload.
	b.do(chromedp.Navigate(path("/filings/" + filing)))
	var happened time.Time
	bed.Eventually("the page shows what happened", func(context.Context) (bool, error) {
		if time.Since(happened) > 2*time.Second { // the page may not follow events yet the first time
			happened = time.Now()
			bed.Exec(`UPDATE filings SET return_confirmation_id = 'LIVE-' || extract(epoch FROM now())::bigint,
				  updated_at = now()
				WHERE id = $1`, filing)
		}
		shown, err := chromedp.Run(b.ctx,
			chromedp.Evaluate[bool](`document.querySelector('main').innerText.includes('LIVE-')`))
		return shown, err
	})

	theAuthorityRefuses(t, b, bed, filing)
	b.do(chromedp.Navigate(bed.API.URL() + "/exceptions?type__in=TRANSACTION_UNRESOLVED"))
	b.inClicks(4, "from an exception to a corrected transaction", func(h *user) {
		h.press(`.acts a.button[href*="/transactions/"]`)
		b.accessible("transaction")
		h.write("#city-0", "Seattle\tWA\t98109")
		h.press(`.grid button`)
	})
	awaitStage(bed, held, "PROCESSED")
	aTransactionShowsItsHistory(t, b, bed, held, filing)
	listsChangeByThemselves(t, b, bed)
	b.do(chromedp.Navigate(path("/filings")))
	b.accessible("filings")
	nexusOnAMap(t, b, bed)
	operationsForStaff(t, b, bed)
	later := aReturnIsPausedInTheTemporalUI(t, b, bed, ofDevelopers)
	aReturnIsPostponed(t, b, bed, later)
	b.do(chromedp.Navigate(path("/transactions?search_query=ORDER-1")))
	b.is(`document.querySelectorAll('tbody tr').length === 1`)
	b.accessible("transactions")
	b.do(chromedp.Navigate(bed.API.URL() + "/search?q=ORDER-1"))
	b.is(`document.querySelectorAll('.plainlist a').length === 1`)
	b.accessible("search")
	b.do(chromedp.Navigate(bed.API.URL() + "/search?q=Washington"))
	b.is(fmt.Sprintf(`document.querySelector('.plainlist a[href$="/filings/%s"]').innerText.startsWith('Washington 1 ') && `+
		`document.querySelector('.plainlist a[href*="/registrations/"]').innerText === 'Washington, registered'`, filing))
	b.do(chromedp.Navigate(path("/filings/file_01jx4m0q5tb7cyd2f6g8h9j1k3")))
	b.accessible("problem")

	// A viewer has no buttons but those that change nothing, and forms that a viewer sends are refused.
	b.click(".leave button")
	b.enter(invited(bed, "viewer@example.com", "--name", "Vi Viewer", "--organization", bed.OrganizationID, "--role",
		"viewer"))
	b.do(chromedp.Navigate(path("/filings/" + filing)))
	b.is(`document.querySelectorAll('main form:not(:has([value=verify])) button').length === 0 && ` +
		`document.querySelector('.history').innerText.length > 0`)
	for _, page := range []string{"/nexus", "/webhooks", "/settings", "/transactions/" + held} {
		b.do(chromedp.Navigate(path(page)))
		b.is(`document.querySelector('h1') !== null && document.querySelectorAll('main button').length === 0`)
	}
	for _, page := range []string{"/imports", "/keys", "/products", "/exemptions", "/rates", "/registrations"} {
		b.do(chromedp.Navigate(path(page)))
		b.is(`document.querySelector('h1') !== null && document.querySelectorAll('main form[method=post]').length === 0`)
	}
	b.do(chromedp.Navigate(path("/transactions/" + held)))
	b.is(`document.querySelector('.history') !== null && document.querySelector('.history code') === null && ` +
		`!document.querySelector('main a[href*="/namespaces/"]')`)
	b.do(chromedp.Navigate(bed.API.URL() + "/operations"))
	b.is(`document.querySelector('h1').innerText !== 'Operations'`)
	b.do(chromedp.Navigate(bed.API.URL() + "/account"))
	b.setsUpASecondStep(bed)
	b.accessible("account")
	b.confirmsSecondStep()

	b.do(chromedp.Navigate(bed.API.URL() + "/clients"))
	b.click(".leave button")
	b.enter(invited(bed, "partner@example.com", "--name", "Pat Partner", "--organization", bed.OrganizationID, "--role",
		"admin"))
	b.is(`location.pathname === '/'`)
	b.accessible("home of a partner")
	b.do(chromedp.Navigate(bed.API.URL() + "/clients"))
	b.accessible("clients")
	b.click(".leave button")
	b.inClicks(2, "who has been stuck at step 5 for a week", func(h *user) {
		h.write("#email", "partner@example.com\tcorrect horse battery staple")
		h.press("main button")
		h.press(`.counts a.bad[href*="next_step__in=5"]`)
	})
	b.is(`document.querySelectorAll('tbody tr').length === 1 && ` +
		`document.querySelector('tbody').innerText.includes('Blue Heron Outfitters')`)
	clientsAreListedAndReminded(t, b, bed, stuck)
	b.do(chromedp.SendKeys("#name", "Blue Heron"), chromedp.SendKeys("#reason", "went elsewhere"))
	b.click(".danger button")
	b.is(`document.querySelector('.fault').innerText.includes('nothing was cancelled')`)
	b.is(`document.querySelector('#reason').value === 'went elsewhere' && ` + setField("name", "Blue Heron Outfitters"))
	b.click(".danger button")
	b.is(`document.querySelector('#ended').innerText.startsWith('It was cancelled') && ` +
		`document.querySelector('#ended').innerText.includes('went elsewhere')`)
	b.accessible("cancelled client")
	var cancelled map[string]any
	require.NoError(t, json.Unmarshal([]byte(bed.Rows(`SELECT to_jsonb(a)::text AS a
		FROM audit a
		WHERE user_name = 'Pat Partner' AND entity_type = 'onboarding' AND action = 'update'`)[0]["a"].(string)), &cancelled))
	require.Equal(t, stuck.id, cancelled["entity_id"])
	aMerchantMaintainsItsData(t, b, bed)
	aSaleIsEstimated(t, b, bed)
	reportsAreRead(b, bed)
	aCatalogueIsKept(t, b, bed)
	registrationsAndSettings(t, b, bed)
	aLetterIsAnswered(t, b, bed)
	b.do(chromedp.Navigate(bed.API.URL() + "/clients"))
	aClientFillsItsOnboarding(t, b, bed)
}

// gateTo returns the gate to operations that a handler answers.
func gateTo(api http.Handler) web.Gate {
	return contracttest.Gate{CallerSession: contracttest.OverHTTP(api, contracttest.Refusal)}
}

// answering serves the console over an API that answers each path with the same text, to a person who is signed in. It
// returns the address.
func answering(t *testing.T, answers map[string]string) string {
	t.Helper()
	api := http.NewServeMux()
	for path, says := range answers {
		api.HandleFunc("GET "+path, func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, says) })
	}
	return consoleOver(t, api)
}

// consoleOver serves the console over an API to a person who is signed in. It returns the address.
func consoleOver(t *testing.T, api http.Handler) string {
	t.Helper()
	console, err := web.NewConsole(gateTo(api), "", "")
	require.NoError(t, err)
	pages, err := console.Handler()
	require.NoError(t, err)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		r.AddCookie(&http.Cookie{Name: "levy_session", Value: "of somebody"})
		pages.ServeHTTP(w, r)
	}))
	t.Cleanup(server.Close)
	t.Cleanup(server.CloseClientConnections)
	return server.URL
}
