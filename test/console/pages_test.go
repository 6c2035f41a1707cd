package console_test

import (
	"fmt"
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/getkin/kin-openapi/openapi3"
	"github.com/stretchr/testify/require"

	"levy/contract/contracttest"
)

// everyPageVariable has the tests of the pages cover all pages and tasks: `make pages` sets it.
const everyPageVariable = "LEVY_TEST_EVERY_PAGE"

func isWhole() bool { return os.Getenv(everyPageVariable) != "" }

// examplePerson is an admin of a partner, who also belongs to its client id_1.
const examplePerson = `{"user":{"id":"user_1","name":"Ada","second_factor":true,"recovery_codes_left":1},"organizations":[` +
	`{"organization_id":"org_1","organization_name":"Shop","role":"admin","root":true},{"organization_id":"id_1","role":"admin"}]}`

// examples serves the console over examples of all answers of the contract.
func examples(t *testing.T, variant int) (address string) {
	t.Helper()
	document, err := openapi3.NewLoader().LoadFromFile("../../api/openapi.yaml")
	require.NoError(t, err)
	return consoleOver(t, contracttest.ExamplesOf(document, examplePerson, variant))
}

// registeredPages returns the addresses of all pages with a template, by the registry in the source.
func registeredPages(t *testing.T) (addresses []string) {
	t.Helper()
	source, err := os.ReadFile("../../web/pages.go")
	require.NoError(t, err)
	text := strings.NewReplacer("path: organizationPath", `path: "/o/{org}"`, "path: clientsPath", `path: "/clients"`).Replace(string(source))
	for _, found := range regexp.MustCompile(`\{path: "([^"]+)",\s+template: `).FindAllStringSubmatch(text, -1) {
		addresses = append(addresses, strings.NewReplacer("{$}", "", "{org}", "org_1", "{id}", "id_1", "{step}", "3", "{event}", "evt_1",
			"{token}", "token").Replace(found[1]))
	}
	require.Greater(t, len(addresses), 50)
	return addresses
}

// Every page is accessible in light, in dark and on a phone, with targets that are large enough. The keyboard reaches each
// of its links, buttons and fields, marks the one that has the focus, and is caught nowhere. One variant has all forms open
// that a page has behind a summary.
func TestEveryPage(t *testing.T) {
	t.Parallel()
	if !isWhole() {
		t.Skip("make pages runs it: it takes minutes")
	}
	for variant := range 2 {
		t.Run(fmt.Sprint("variant ", variant), func(t *testing.T) {
			t.Parallel()
			tab, address := open(t, 1280, 900), examples(t, variant)
			for _, page := range registeredPages(t) {
				t.Run(page, func(t *testing.T) {
					b := tab.in(t)
					b.do(chromedp.Navigate(address + page))
					b.is(`document.readyState === 'complete' && [...document.querySelectorAll('h1')].some((e) => e.checkVisibility())`)
					if variant == 1 {
						b.is(`(document.querySelectorAll('main details').forEach((e) => { e.open = true; }), true)`)
					}
					b.accessible(page)
					b.reachable(page)
				})
			}
		})
	}
}

// mostPresses is how many presses of the tabulator a place of focus takes at most: a field of a date has several parts.
const mostPresses = 6

// reachable presses the tabulator until the focus is where it began, and compares what had it with all that can have it.
func (b *browser) reachable(name string) {
	b.t.Helper()
	const stops = `[...document.querySelectorAll('a[href], button:not([disabled]), input:not([type=hidden]):not([disabled]), select, ` +
		`textarea, summary')].filter((e) => e.checkVisibility() && e.getClientRects().length > 0 && e.tabIndex >= 0)`
	b.is(`(document.activeElement.blur(), window.scrollTo(0, 0), window.met = new Set(), window.unmarked = [], window.around = false, ` +
		`addEventListener('focusin', (e) => { around ||= e.target === [...met][0]; met.add(e.target); ` +
		`if (getComputedStyle(e.target).outlineStyle === 'none') unmarked.push(e.target.outerHTML.slice(0, 200)) }), true)`)
	places, err := strconv.Atoi(b.text(`String(` + stops + `.length)`))
	require.NoError(b.t, err)
	b.do(chromedp.KeyEvent(strings.Repeat("\t", places)))
	for pressed := places; b.text(`String(around)`) == "false"; pressed++ {
		require.Less(b.t, pressed, mostPresses*places, "%s: the keyboard is caught at %s", name,
			b.text(`document.activeElement.outerHTML.slice(0, 200)`))
		b.do(chromedp.KeyEvent("\t"))
	}
	missed := b.text(stops + `.filter((e) => !met.has(e) && !(e.type === 'radio')).map((e) => e.outerHTML.slice(0, 200)).join('\n')`)
	require.Empty(b.t, missed, "%s: the keyboard does not reach", name)
	require.Empty(b.t, b.text(`unmarked.join('\n')`), "%s: the focus is not marked", name)
}

// leastRows and mostRows are how many lines of a list stand on a screen of 1440 by 900 pixels, and of the queue also on a
// screen of 1280 by 800.
const leastRows, mostRows = 18, 25

// A screen has 18 to 25 lines of a list whose values are as long as they usually are.
func TestAScreenHasManyRows(t *testing.T) {
	t.Parallel()
	forty := func(record string) string {
		return `{"page":1,"pages":1,"total":40,"items":[` + strings.TrimSuffix(strings.Repeat(record+",", 40), ",") + `]}`
	}
	const filing = `{"id":"file_1","organization_id":"org_1","organization_name":"Harbor Goods","status":"UNFILED","amount":"12345.00",
		"currency":"USD","country_code":"US","state_code":"NY","start_date":"2026-10-01","end_date":"2026-10-31","due_date":"2026-11-20",
		"filing_category":"REGULAR"}`
	address := answering(t, map[string]string{
		"/v1/session":     examplePerson,
		"/v1/due_filings": forty(filing), "/v1/filings": forty(filing),
		"/v1/transactions": forty(`{"id":"txn_1","organization_id":"org_1","external_id":"SHOP-1001","country":"US","state":"NY",
			"processing_status":"NEEDS_REFETCH","total_amount":"12345.00","currency":"USD","date":"2026-10-01T10:00:00Z"}`),
		"/v1/notices": forty(`{"id":"notc_1","kind":"PENALTY","status":"OPEN","authority":"Department of Taxation","amount":"125.40",
			"currency":"USD","country_code":"US","state_code":"NY","received_date":"2026-11-02","due_date":"2026-12-07"}`),
		"/v1/exemptions": forty(`{"id":"exmp_1","status":"ACTIVE","customer_name":"City of Albany","country_code":"US","jurisdiction":"NY",
			"start_date":"2026-01-01","end_date":"2026-12-31"}`),
		"/v1/exceptions": forty(`{"type":"FILING_ISSUE","organization_id":"org_1","organization_name":"Harbor Goods","object_id":"file_1",
			"reason_code":"CONFIRMATION","title":"Texas, October 2026","reason":"The authority has not confirmed the return in 3 days.",
			"actions":["approveFiling","updateFiling"],"amount":"12345.00","currency":"USD","due":"2026-12-01","assignee":"Sam Preparer",
			"since":"2026-11-20T10:00:00Z"}`),
		"/v1/exceptions/groups": `{"total":40,"items":[` + strings.TrimSuffix(strings.Repeat(`{"type":"FILING_ISSUE",
			"reason_code":"CONFIRMATION","title":"Returns that the authority has not confirmed","count":10,"organization_count":3,
			"organization_id":"org_1","object_id":"file_1","amounts":[{"currency":"USD","amount":"12345.00"}],
			"due":"2026-12-01","since":"2026-11-20T10:00:00Z"},`, 4), ",") + `]}`,
		"/v1/": `{}`,
	})
	b := open(t, 1280, 800)
	b.do(chromedp.Navigate(address + "/exceptions"))
	b.is(`document.querySelectorAll('main .scroll tbody tr').length === 44`)
	rows, err := strconv.Atoi(b.text(`String([...document.querySelectorAll('main .scroll tbody tr')].filter((row) => ` +
		`row.getBoundingClientRect().bottom <= innerHeight).length)`))
	require.NoError(t, err)
	t.Logf("the whole queue: %d rows", rows)
	require.GreaterOrEqual(t, rows, leastRows, "the whole queue, with its causes")
	b = open(t, 1440, 900)
	for _, list := range []string{"/exceptions?reason_code=CONFIRMATION", "/filings", "/o/org_1/filings",
		"/o/org_1/transactions", "/o/org_1/notices", "/o/org_1/exemptions"} {
		b.do(chromedp.Navigate(address + list))
		b.is(`document.querySelectorAll('main .scroll tbody tr').length === 40`)
		rows, err := strconv.Atoi(b.text(`String([...document.querySelectorAll('main .scroll tbody tr')].filter((row) => ` +
			`row.getBoundingClientRect().bottom <= innerHeight).length)`))
		require.NoError(t, err)
		require.GreaterOrEqual(t, rows, leastRows, list)
		require.LessOrEqual(t, rows, mostRows, list)
		t.Logf("%s: %d rows", list, rows)
	}
}
