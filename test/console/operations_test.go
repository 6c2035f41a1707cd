package console_test

import (
	"testing"

	"github.com/chromedp/chromedp"

	"levy/test/testbed"
)

// operationsForStaff has staff, who are signed in, read the state of the installation.
func operationsForStaff(t *testing.T, b *browser, bed *testbed.Bed) {
	t.Helper()
	b.do(chromedp.Navigate(bed.API.URL() + "/operations"))
	b.is(`['Temporal', 'workers', 'last backup', 'Tax content', 'transactions', 'webhooks', ` +
		`'nexus'].every(part => [...document.querySelectorAll('tbody th')].some(e => e.innerText === part))`)
	b.is(`[...document.querySelectorAll('.rows li')].some(e => e.innerText.includes('LevyNoBackup') && ` +
		`e.innerText.includes('fires after 10 minutes'))`)
	b.is(`(document.querySelectorAll('.rows details').forEach(e => { e.open = true }), ` +
		`[...document.querySelectorAll('.rows details code')].some(e => e.innerText === 'levy backup'))`)
	b.accessible("operations")
	b.click(`a[href="/operations/content"]`)
	b.is(`document.querySelector('main').innerText.includes('There is no other version')`)
	bed.Exec(`INSERT INTO content_versions (version, base_version, pack, note, sources)
		SELECT version || '+same', version, pack, 'The same again.', '[]'
		FROM content_versions
		ORDER BY recorded_at DESC LIMIT 1`)
	b.reload()
	b.accessible("tax content")
	bed.Exec("DELETE FROM content_versions WHERE version LIKE '%+same'")
	b.do(chromedp.Navigate(bed.API.URL() + "/o/" + bed.OrganizationID + "/audit?action__in=create"))
	b.is(`document.querySelectorAll('tbody tr').length > 3`)
	b.accessible("audit trail")
}
