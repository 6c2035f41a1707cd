package console_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/require"

	"levy/test/testbed"
)

// aMerchantMaintainsItsData has the admin, who is signed in, handle keys, an import with a row that is refused, and a
// webhook that is delivered and delivered again.
func aMerchantMaintainsItsData(t *testing.T, b *browser, bed *testbed.Bed) {
	t.Helper()
	base := bed.API.URL() + "/o/" + bed.OrganizationID
	b.do(chromedp.Navigate(base + "/keys"))
	b.do(chromedp.SendKeys("#name", "The shop"))
	b.click(`form[method=post] button:not(.plain)`)
	made := b.text(`document.querySelector('main code').innerText`)
	require.True(t, strings.HasPrefix(made, "levy_"), made)
	b.accessible("keys")
	as := testbed.Caller{APIKey: made, OrganizationID: bed.OrganizationID}
	answer, err := bed.SendAs(t.Context(), as, bed.API, http.MethodGet, "/v1/filings", nil, "")
	require.NoError(t, err)
	require.Equal(t, http.StatusOK, answer.Status)
	b.do(chromedp.Navigate(base + "/keys"))
	b.is(`!document.body.innerText.includes('` + made + `')`)
	b.is(`document.querySelector("tbody tr form button").checkVisibility() === false`) // nothing is lost by one click
	b.click(`tbody tr:first-child form:has([value=revoke]) button`)
	b.is(`document.querySelector('tbody tr').innerText.includes('Revoked')`)

	file := filepath.Join(t.TempDir(), "october.csv")
	require.NoError(t, os.WriteFile(file,
		[]byte("external_id,type,date,currency,customer_external_id,country,state,city,postal_code,"+
			"external_product_id,amount\n"+
			"FILE-1,SALE,2026-05-15T10:00:00Z,USD,C-1,US,NY,New York,10118,P-1,1.00\n"+
			"FILE-2,SALE,not a day,USD,C-1,US,NY,New York,10118,P-1,1.00\n"), 0o600))
	b.do(chromedp.Navigate(base + "/imports"))
	b.do(chromedp.SetUploadFiles("#file", []string{file}))
	b.click("main form button")
	bed.Eventually("the import is over", func(context.Context) (bool, error) {
		return bed.Count("SELECT count(*) FROM transaction_imports WHERE status = 'COMPLETED'") == 1, nil
	})
	b.is(`document.querySelector('h1').innerText === 'october.csv' && document.querySelector('tbody') !== null && ` +
		`document.querySelector('tbody').innerText.includes('date')`)
	b.accessible("import")
	b.is(`[...document.querySelectorAll('main a.button')].some(a => a.pathname.endsWith('/rejected'))`)
	rejectedRowsAreCorrected(t, b, bed)
	b.do(chromedp.Navigate(base + "/imports"))
	b.accessible("imports")

	var received atomic.Int32
	endpoint := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { received.Add(1) }))
	t.Cleanup(endpoint.Close)
	b.do(chromedp.Navigate(base + "/webhooks"))
	b.do(chromedp.SendKeys("#url", "http://10.1.2.3/levy"))
	b.click("main form button")
	b.is(`document.querySelector('[role=alert]').innerText.length > 10 && document.querySelector('#url').value === ` +
		`'http://10.1.2.3/levy'`)
	b.do(chromedp.SetValue("#url", endpoint.URL))
	b.click("main form button")
	b.is(`document.querySelector('main code').innerText.startsWith('whsec_')`)
	b.accessible("webhooks")
	b.click(`tbody a`)
	b.click(`.acts button`) // a test
	bed.Eventually("the test is delivered", func(context.Context) (bool, error) { return received.Load() > 0, nil })
	b.reload()
	b.is(`document.querySelectorAll('tbody tr').length === 1`)
	b.accessible("webhook")
	b.click(`tbody th a`)
	b.is(`document.querySelector('pre').innerText.includes('test.ping')`)
	b.accessible("what a webhook gets")
	b.do(chromedp.NavigateBack())
	before := received.Load() // a delivery may arrive twice
	b.click(`tbody button`)
	bed.Eventually("it is delivered again", func(context.Context) (bool, error) { return received.Load() > before, nil })
	bed.Exec("UPDATE webhook_endpoints SET status = 'DISABLED', disabled_reason = 'FAILING'")
	b.do(chromedp.Navigate(bed.API.URL() + "/exceptions?type__in=WEBHOOK_DISABLED"))
	b.is(`document.querySelector('#lines').innerText.includes('nothing arrived there for five days')`)
	b.click(`#lines form button`)
	b.is(`document.querySelector('h1').innerText === '` + endpoint.URL +
		`' && document.querySelector('.badge').innerText === 'On'`)
}

// aSaleIsEstimated has the admin, who is signed in, read an estimate with its explanation.
func aSaleIsEstimated(t *testing.T, b *browser, bed *testbed.Bed) {
	t.Helper()
	b.do(chromedp.Navigate(bed.API.URL() + "/o/" + bed.OrganizationID + "/estimate"))
	b.fill(map[string]string{"amount": "a lot", "street-1": "350 5th Ave", "city": "New York", "state": "NY"})
	b.is(`document.querySelector('#amount-wrong').innerText.length > 5 && ` +
		`document.querySelector('#city').value === 'New York'`)
	b.fill(map[string]string{"amount": "100", "postal-code": "10118"})
	b.is(`document.querySelector('#result').innerText === 'Tax: ` +
		`8.88 USD' && document.querySelectorAll('main ol li').length > 2`)
	b.accessible("estimate")
	require.Zero(t, bed.Count("SELECT count(*) FROM transactions WHERE total_amount = 100"))
}

// reportsAreRead has the admin, who is signed in, read what is owed by month, and how the states tax each class.
func reportsAreRead(b *browser, bed *testbed.Bed) {
	b.t.Helper()
	b.do(chromedp.Navigate(bed.API.URL() + "/o/" + bed.OrganizationID + "/reports"))
	b.is(`document.querySelector('tbody').innerText.includes('US: Washington') && document.querySelector('main').innerText` +
		`.includes('Download as CSV')`)
	b.accessible("report of liability")
	b.do(chromedp.SetValue("#report", "TAXABILITY"))
	b.click(".filters button")
	b.is(`document.querySelectorAll('thead th').length > 50 && document.querySelector('tbody').innerText.includes('6.25 %')`)
	b.accessible("report of taxability")
}

// rejectedRowsAreCorrected has the admin, who is on the page of the import, correct a refused row of the file.
func rejectedRowsAreCorrected(t *testing.T, b *browser, bed *testbed.Bed) {
	t.Helper()
	b.click(`main a[href$="/correct"]`)
	b.is(`document.querySelector('fieldset').innerText.startsWith('Line 3') && document.querySelectorAll('fieldset > ` +
		`.grid input').length === 1`)
	b.accessible("correct rows")
	b.is(`(document.querySelector('fieldset > .grid input').value = '2026-05-16T10:00:00Z', true)`)
	b.click("main form button")
	bed.Eventually("the corrected row is imported", func(context.Context) (bool, error) {
		return bed.Count("SELECT count(*) FROM transaction_imports WHERE status = 'COMPLETED'") == 2, nil
	})
	b.reload()
	b.is(`document.querySelector('h1').innerText === 'Corrected rows of october.csv' && document.querySelector('.sums ` +
		`b').innerText === '1'`)
	require.Equal(t, 1, bed.Count("SELECT count(*) FROM transactions WHERE external_id = 'FILE-2'"))
}
