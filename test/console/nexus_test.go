package console_test

import (
	"context"
	"encoding/json"
	"net/http"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/require"

	"levy/test/testbed"
)

// manyAreSoldIn posts a sale of today that crosses the threshold of a state.
func manyAreSoldIn(t *testing.T, bed *testbed.Bed, state, city, zip string) {
	t.Helper()
	sale, at := testbed.Sale("LARGE-1", 1), time.Now().UTC().Format(time.RFC3339)
	sale["date"], sale["total_amount"] = at, json.Number("150000.00")
	sale["addresses"] = []any{map[string]any{"type": "SHIP_TO", "city": city, "state": state, "postal_code": zip,
		"country": "US"}}
	item := sale["transaction_items"].([]any)[0].(map[string]any)
	item["date"], item["amount"] = at, json.Number("150000.00")
	made := bed.Post("/v1/transactions", sale)
	require.Equal(t, http.StatusAccepted, made.Status, string(made.Body))
}

// nexusOnAMap has staff, who are signed in, read the nexus of an organization: every state on a map, the active
// states or all of them in the list, and one with its evidence, where they register.
func nexusOnAMap(t *testing.T, b *browser, bed *testbed.Bed) {
	t.Helper()
	b.do(chromedp.Navigate(bed.API.URL() + "/o/" + bed.OrganizationID + "/nexus"))
	b.is(`document.querySelectorAll('.map path').length === 51 && document.querySelectorAll('.map ` +
		`path.registered').length === 1`)
	b.is(`[...document.querySelectorAll('.map title')].some(e => e.textContent.startsWith('Washington: Registered'))`)
	b.is(`![...document.querySelectorAll('tbody tr')].some(e => e.innerText.includes('Texas'))`)
	b.accessible("nexus where something happens")
	b.click(`#places a[href^="?show=all"]`)
	b.is(`[...document.querySelectorAll('tbody tr')].find(e => e.innerText.includes('Texas')).innerText.includes('0 %')`)
	bed.Exec("UPDATE nexus_records SET predicted_month_from_today = 3 WHERE country_code = 'US' AND state_code = 'TX'")
	b.do(chromedp.Navigate(bed.API.URL() + "/o/" + bed.OrganizationID + "/nexus"))
	month := testbed.FirstOfMonth(-3).Format("Jan 2006")
	b.is(`[...document.querySelectorAll('tbody tr')].find(e => e.innerText.includes('Texas')).innerText.includes('` +
		month + `')`)
	b.accessible("nexus")
	b.is(`([...document.querySelectorAll('tbody a')].find(e => e.innerText === 'Texas').id = 'texas', true)`)
	b.click("#texas")
	b.is(`document.querySelector('.sums').innerText.includes('` + month + `')`)
	b.accessible("nexus in a state")
	b.click(`section[aria-labelledby=register] button`)
	b.is(`document.querySelector('main').innerText.includes('Registration: ') && !document.querySelector('#register')`)
	require.Equal(t, 1, bed.Count("SELECT count(*) FROM registrations WHERE organization_id = $1 AND state_code = 'TX'",
		bed.OrganizationID))

	bed.Eventually("a threshold is crossed", func(context.Context) (bool, error) {
		return bed.Count("SELECT count(*) FROM nexus_records WHERE state_code = 'OH' AND nexus_met") == 1, nil
	})
	b.do(chromedp.Navigate(bed.API.URL() + "/exceptions?type__in=NEXUS_UNREGISTERED"))
	b.is(`document.querySelector('#lines').innerText.includes('USD of tax owed') && ` +
		`document.querySelector('#lines .acts a.button').innerText === 'Review and register'`)
	b.click(`#lines th a`)
	b.is(`document.querySelector('section[aria-labelledby=proof]').innerText.includes('to 150,000.00 USD and 1 sales')`)
	b.accessible("nexus with its proof")
	b.click(`section[aria-labelledby=proof] a[href*="/transactions/"]`)
	b.is(`document.querySelector('h1').innerText.includes('LARGE-1')`)
}
