package console_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"levy/test/testbed"
)

// row is the text of the row of a table that contains a text.
func row(section, says string) string {
	return fmt.Sprintf(`[...document.querySelectorAll('section[aria-labelledby=%s] tbody tr')].find(e => `+
		`e.innerText.includes(%q))?.innerText`, section, says)
}

// aTransactionShowsItsHistory has staff, who are signed in, read a transaction that was corrected, with its refunds,
// and one in a return.
func aTransactionShowsItsHistory(t *testing.T, b *browser, bed *testbed.Bed, corrected, filing string) {
	t.Helper()
	base := bed.API.URL() + "/o/" + bed.OrganizationID
	b.do(chromedp.Navigate(base + "/transactions/" + corrected))
	b.is(`(document.querySelector('#credit details').open = true) && ` +
		`document.querySelector('#external-id').value.endsWith('-CN1')`)
	b.is(setField("external-id", "NOTE-1") + ` && ` + setField("total-amount", "1000") + ` && ` +
		setField("amount-0", "a lot"))
	b.click("#credit button")
	b.is(`document.querySelector('#amount-0-wrong') !== null && document.querySelector('#external-id').value === 'NOTE-1'`)
	b.is(setField("amount-0", "1000"))
	b.click("#credit button")
	b.is(`document.querySelector('#credit [role=alert]').innerText.includes('is left')`)
	b.accessible("credit note to correct")
	b.is(setField("total-amount", "1.00") + ` && ` + setField("amount-0", "1.00"))
	b.click("#credit button")
	b.is(`document.querySelector('h1').innerText.includes('NOTE-1')`)
	awaitStage(bed, strings.Split(b.text(`location.pathname`), "/")[4], "PROCESSED")
	b.do(chromedp.Navigate(base + "/transactions/" + corrected))
	b.is(row("versions", "Address ship to: city") + `.includes('Sprangville') && ` +
		row("versions", "Address ship to: city") + `.includes('Seattle')`)
	b.is(row("versions", "Address ship to: state") + `.includes('Wahsinton') && ` + row("versions", "Tax calculated") +
		`.includes('1.')`)
	b.is(row("why", "Washington") +
		`.includes('6.5 %') && document.querySelector('section[aria-labelledby=why] ol li') !== null`)
	b.is(fmt.Sprintf(`document.querySelector('.history a').href.startsWith(%q)`,
		bed.TemporalUI+"/namespaces/"+bed.TemporalNamespace+"/workflows/"))
	b.accessible("transaction with versions")
	b.click(`section[aria-labelledby=related] tbody a`)
	b.is(`document.querySelector('h1').innerText.includes('NOTE-1') && ` +
		`document.querySelector('#related').innerText.startsWith('The sale')`)
	b.accessible("credit note")

	filed := bed.Rows("SELECT id FROM transactions WHERE external_id = 'ORDER-1'")[0]["id"].(string)
	b.do(chromedp.Navigate(base + "/transactions/" + filed))
	b.click(`main p a[href$="/filings/` + filing + `"]`)
	b.is(`document.querySelector('h1').innerText.startsWith('US: Washington') && document.querySelector('main p ` +
		`a[href*="/namespaces/"]') !== null`)
}
