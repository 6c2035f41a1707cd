package console_test

import (
	"context"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/require"

	"levy/test/testbed"
)

// registrationsAndSettings has the admin, who is signed in, handle the registrations and the settings of the
// organization.
func registrationsAndSettings(t *testing.T, b *browser, bed *testbed.Bed) {
	t.Helper()
	base := bed.API.URL() + "/o/" + bed.OrganizationID
	b.do(chromedp.Navigate(base + "/registrations"))
	b.is(`[...document.querySelectorAll('tbody tr')].find(e => ` +
		`e.innerText.includes('Washington')).innerText.includes('Registered')`)
	b.is(setField("state-code", "OR") + ` && ` + setField("filing-frequency", "QUARTERLY"))
	b.click(`main form[method=post] button`)
	b.is(`document.querySelector('main [role=alert]').innerText.includes('no sales tax') && ` +
		`document.querySelector('#state-code').value === 'OR'`)
	b.accessible("registrations")
	b.is(setField("state-code", "NJ") + ` && ` + setField("registration-date", testbed.FirstOfMonth(2).Format(time.DateOnly)))
	b.click(`main form[method=post] button`)
	b.is(`document.querySelector('h1').innerText === 'US: New Jersey' && ` +
		`document.querySelector('.badge').innerText === 'Registered'`)
	b.is(setField("comment", hostile))
	b.click(`form:has(#comment) > button`)
	b.is(`document.querySelector('#comment').value.includes('onerror=') && !document.querySelector('main ` +
		`img, main script')`)
	b.is(`(document.querySelector('.acts details').open = true) && ` + setField("why", "closed"))
	b.accessible("registration")
	b.click(`.acts details button`)
	b.is(`document.querySelector('.badge').innerText.startsWith('Deregister') && ` +
		`document.querySelector('main').innerText.includes('closed')`)

	b.do(chromedp.Navigate(base + "/settings"))
	b.is(`(document.querySelector('#prefer-collected-tax-amounts').checked = true)`)
	b.accessible("settings")
	b.click(`fieldset:has(#prefer-collected-tax-amounts) + button`)
	b.is(`document.querySelector('#prefer-collected-tax-amounts').checked`)
	require.Equal(t, 1, bed.Count(`SELECT count(*)
		FROM organization_settings
		WHERE organization_id = $1 AND prefer_collected_tax_amounts`, bed.OrganizationID))
	b.is(setField("name", strings.Repeat("x", 201)))
	b.click(`fieldset:has(#name) + button`)
	b.is(`document.querySelector('#name-wrong')?.innerText.length > 5`)
	b.is(setField("name", "Harbor Goods"))
	b.click(`fieldset:has(#name) + button`)
	b.is(`document.querySelector('.crumbs').innerText.includes('Harbor Goods') || ` +
		`document.querySelector('#name').value === 'Harbor Goods'`)
}

// listsChangeByThemselves checks that open lists show a sale that is posted and corrected meanwhile. Staff are signed
// in.
func listsChangeByThemselves(t *testing.T, b *browser, bed *testbed.Bed) {
	t.Helper()
	b.do(chromedp.Navigate(bed.API.URL() + "/search?q=LIVE-1"))
	b.is(`document.querySelector('.empty') !== null`)
	sale := testbed.Sale("LIVE-1", 1)
	unknown := []any{map[string]any{"type": "SHIP_TO", "city": "Sprangville", "state": "Wahsinton", "country": "US"}}
	sale["addresses"] = unknown
	made := bed.Post("/v1/transactions", sale)
	require.Equal(t, http.StatusAccepted, made.Status, string(made.Body))
	b.is(`document.querySelectorAll('.plainlist a').length === 1`)

	b.do(chromedp.Navigate(bed.API.URL() + "/exceptions?type__in=TRANSACTION_UNRESOLVED"))
	b.is(`document.querySelector('#lines').innerText.includes('LIVE-1')`)
	sale["addresses"] = []any{map[string]any{"type": "SHIP_TO", "street_1": "400 Broad St", "city": "Seattle",
		"state": "WA", "postal_code": "98109", "country": "US"}}
	corrected, err := bed.Send(context.Background(), bed.API, http.MethodPut, "/v1/transactions/"+made.Field("id"), sale)
	require.NoError(t, err)
	require.Less(t, corrected.Status, 300, string(corrected.Body))
	b.is(`!document.querySelector('main').innerText.includes('LIVE-1')`)

	// A person who follows a link gets to that page: this one is not reloaded before.
	b.is(`(dispatchEvent(new Event('beforeunload')), document.documentElement.dataset.old = 'yes', ` +
		`sessionStorage.removeItem('live read'), true)`)
	sale["addresses"] = unknown
	changed, err := bed.Send(context.Background(), bed.API, http.MethodPut, "/v1/transactions/"+made.Field("id"), sale)
	require.NoError(t, err)
	require.Less(t, changed.Status, 300, string(changed.Body))
	b.is(`(dispatchEvent(new Event('beforeunload')), sessionStorage.getItem('live read') !== null)`)
	stays, err := chromedp.Run(b.ctx, chromedp.Evaluate[bool](
		`new Promise(after => setTimeout(() => after(document.documentElement.dataset.old === 'yes'), 200))`,
		chromedp.EvalAwaitPromise))
	require.NoError(t, err)
	require.True(t, stays, "a page that is being left was reloaded")
}
