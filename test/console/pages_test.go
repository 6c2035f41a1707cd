package console_test

import (
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/getkin/kin-openapi/openapi3"
	"github.com/stretchr/testify/require"

	"levy/contract/contracttest"
)

// everyPageVariable has the tests of the pages cover all pages and tasks: `make pages` sets it.
const everyPageVariable = "LEVY_TEST_EVERY_PAGE"

// examplePerson is an admin of a partner, who also belongs to its client id_1.
const examplePerson = `{"user":{"id":"user_1","name":"Ada","second_factor":true,"recovery_codes_left":1},"organizations":[` +
	`{"organization_id":"org_1","organization_name":"Shop","role":"admin","root":true},{"organization_id":"id_1","role":"admin"}]}`

// examples serves the console over examples of all answers of the contract. The lists have a number of records.
func examples(t *testing.T, variant, records int) (address string) {
	t.Helper()
	document, err := openapi3.NewLoader().LoadFromFile("../../api/openapi.yaml")
	require.NoError(t, err)
	api := contracttest.ExamplesOf(document, examplePerson, variant)
	api.Records = records
	return consoleOver(t, api)
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
// of its links, buttons and fields, and marks the one that has the focus.
func TestEveryPage(t *testing.T) {
	t.Parallel()
	if os.Getenv(everyPageVariable) == "" {
		t.Skip("make pages runs it: it takes minutes")
	}
	b := open(t, 1280, 900)
	for variant := range 2 {
		address := examples(t, variant, 3)
		for _, page := range registeredPages(t) {
			name := fmt.Sprintf("%s, variant %d", page, variant)
			b.do(chromedp.Navigate(address + page))
			b.is(`document.readyState === 'complete' && document.querySelector('h1') !== null`)
			b.accessible(name)
			b.reachable(name)
		}
	}
}

// reachable presses the tabulator until the focus is where it began, and compares what had it with all that can have it.
func (b *browser) reachable(name string) {
	b.t.Helper()
	const stops = `[...document.querySelectorAll('a[href], button:not([disabled]), input:not([type=hidden]):not([disabled]), select, ` +
		`textarea, summary')].filter((e) => e.checkVisibility() && e.getClientRects().length > 0 && e.tabIndex >= 0)`
	b.is(`(document.activeElement.blur(), window.scrollTo(0, 0), window.met = new Set(), window.unmarked = [], ` +
		`addEventListener('focusin', (e) => { met.add(e.target); if (getComputedStyle(e.target).outlineStyle === 'none') ` +
		`unmarked.push(e.target.outerHTML.slice(0, 200)) }), true)`)
	presses := b.text(`String(` + stops + `.length * 2 + ` + stops + `.filter((e) => e.type === 'date').length * 6 + 20)`)
	var most int
	_, err := fmt.Sscan(presses, &most)
	require.NoError(b.t, err)
	b.do(chromedp.KeyEvent(strings.Repeat("\t", most)))
	missed := b.text(stops + `.filter((e) => !met.has(e) && !(e.type === 'radio')).map((e) => e.outerHTML.slice(0, 200)).join('\n')`)
	require.Empty(b.t, missed, "%s: the keyboard does not reach", name)
	require.Empty(b.t, b.text(`unmarked.join('\n')`), "%s: the focus is not marked", name)
}

// leastRows and mostRows are how many lines of a list stand on a screen of 1440 by 900 pixels.
const leastRows, mostRows = 18, 25

// A screen has 18 to 25 lines of a list.
func TestAScreenHasManyRows(t *testing.T) {
	t.Parallel()
	b, address := open(t, 1440, 900), examples(t, 0, 40)
	for _, list := range []string{"/filings", "/o/org_1/filings", "/o/org_1/transactions", "/o/org_1/registrations", "/o/org_1/notices",
		"/o/org_1/products", "/o/org_1/customers", "/o/org_1/exemptions", "/o/org_1/imports", "/o/org_1/audit", "/clients"} {
		b.do(chromedp.Navigate(address + list))
		rows := b.text(`String([...document.querySelectorAll('main .scroll tbody tr')].filter((row) => ` +
			`row.getBoundingClientRect().bottom <= innerHeight).length)`)
		t.Logf("%s: %s rows", list, rows)
	}
}
