package console_test

import (
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/require"

	"levy/test/testbed"
)

// nexusOnAMap is where the organization stands: every state on a map and in the list, and one with its proof, where
// somebody registers. Somebody of staff is signed in.
func nexusOnAMap(t *testing.T, b *browser, bed *testbed.Bed) {
	t.Helper()
	b.do(chromedp.Navigate(bed.API.URL() + "/o/" + bed.OrganizationID + "/nexus"))
	b.is(`document.querySelectorAll('.map path').length === 51 && document.querySelectorAll('.map path.registered').length === 1`)
	b.is(`[...document.querySelectorAll('.map title')].some(e => e.textContent.startsWith('Washington: Registered'))`)
	b.is(`[...document.querySelectorAll('tbody tr')].find(e => e.innerText.includes('Texas')).innerText.includes('0 %')`)
	bed.Exec("UPDATE nexus_records SET predicted_month_from_today = 3 WHERE country_code = 'US' AND state_code = 'TX'")
	b.do(chromedp.Reload())
	month := monthBefore(-3).Format("Jan 2006")
	b.is(`[...document.querySelectorAll('tbody tr')].find(e => e.innerText.includes('Texas')).innerText.includes('` + month + `')`)
	b.accessible("nexus")
	b.is(`([...document.querySelectorAll('tbody a')].find(e => e.innerText === 'Texas').id = 'texas', true)`)
	b.click("#texas")
	b.is(`document.querySelector('.sums').innerText.includes('` + month + `')`)
	b.accessible("nexus in a state")
	b.click(`.acts button`)
	b.is(`document.querySelector('main').innerText.includes('Registration: ') && !document.querySelector('.acts button')`)
	require.Equal(t, 1, bed.Count("SELECT count(*) FROM registrations WHERE organization_id = $1 AND state_code = 'TX'", bed.OrganizationID))
}
