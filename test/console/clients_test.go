package console_test

import (
	"encoding/csv"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/require"

	"levy/test/testbed"
)

// clientsAreListedAndReminded has the partner download the list of clients that are stuck at step 5, and remind one
// of them. The list is open, narrowed down to that client.
func clientsAreListedAndReminded(t *testing.T, b *browser, bed *testbed.Bed, stuck client) {
	t.Helper()
	download := chromedp.Evaluate[string](
		`fetch(document.querySelector('a[href*="/export?"]').href).then(r => r.text())`, chromedp.EvalAwaitPromise)
	file, err := chromedp.Run(b.ctx, download)
	for lost(err) {
		file, err = chromedp.Run(b.ctx, download)
	}
	require.NoError(t, err)
	rows, err := csv.NewReader(strings.NewReader(file)).ReadAll()
	require.NoError(t, err)
	require.Len(t, rows, 2, "the filter of the page is that of the file")
	require.Equal(t, []string{stuck.id, "Blue Heron Outfitters", "IN_PROGRESS", "4", "5", "BUSINESS_INFORMATION"},
		rows[1][:6])
	require.Positive(t, bed.Count(`SELECT count(*)
		FROM audit
		WHERE action = 'export' AND entity_type = 'onboarding' AND user_name = 'Pat Partner'`))
	b.is(`document.querySelector('#step').value === '5' && document.querySelector('#age').value === '7'`)
	b.clickAfter(setField("order_by", "next_step,since"), ".filters button")
	b.is(`document.querySelectorAll('tbody tr').length === 1 && new ` +
		`URLSearchParams(location.search).get('next_step__in') === '5'`)
	b.click(`tbody a`)
	b.is(`document.querySelectorAll('tbody tr').length === 8`)
	b.is(`((e) => e.includes('5. Information') && e.includes('1 attempt was refused') && e.includes('Business email:') &&
		e.includes('Business fiscal year end:'))(document.querySelector('section[aria-labelledby=refused]').innerText)`)
	b.is(`['nexus', 'registrations', 'filings', 'transactions', 'keys'].every(e => document.querySelector('.plainlist ` +
		`a[href="/o/` + stuck.id + `/' + e + '"]'))`)
	b.accessible("client")
	b.click(`form[action$="/remind"] button`)
	b.is(`document.querySelector('main').innerText.includes('· reminded ') && ` +
		`!document.querySelector('form[action$="/remind"]')`)
	require.Equal(t, 1, bed.Count(`SELECT count(*)
		FROM audit
		WHERE action = 'remind' AND entity_id = $1 AND user_name = 'Pat Partner'`, stuck.id))
	require.Equal(t, 1, bed.Count("SELECT count(*) FROM events WHERE type = 'onboarding.reminder' AND object_id = $1",
		stuck.id))
	for page, heading := range map[string]string{
		"nexus": "nexus", "registrations": "registrations", "filings": "returns", "transactions": "transactions", "keys": "keys",
	} {
		b.do(chromedp.Navigate(bed.API.URL() + "/o/" + stuck.id + "/" + page))
		b.is(`document.querySelector('h1').innerText.toLowerCase() === '` + heading + `'`)
	}
	b.do(chromedp.Navigate(bed.API.URL() + "/o/" + bed.OrganizationID + "/clients/" + stuck.id))
}
