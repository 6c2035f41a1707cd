package console_test

import (
	"fmt"
	"net/http"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/require"

	"levy/test/testbed"
)

// row is the text of a row of a table that says something.
func row(section, says string) string {
	return fmt.Sprintf(`[...document.querySelectorAll('section[aria-labelledby=%s] tbody tr')].find(e => e.innerText.includes(%q))?.innerText`, section, says)
}

// aTransactionTellsItsStory is a transaction that was corrected, with what was given back of it, and one in a return.
// Somebody of staff is signed in.
func aTransactionTellsItsStory(t *testing.T, b *browser, bed *testbed.Bed, corrected, filing string) {
	t.Helper()
	base := bed.API.URL() + "/o/" + bed.OrganizationID
	note := bed.Post("/v1/transactions/"+corrected+"/credit_notes", testbed.CreditNote("NOTE-1", "1.00"))
	require.Equal(t, http.StatusOK, note.Status, string(note.Body))
	awaitStage(bed, note.Field("id"), "PROCESSED")
	b.do(chromedp.Navigate(base + "/transactions/" + corrected))
	b.is(row("versions", "Address ship to: city") + `.includes('Sprangville') && ` + row("versions", "Address ship to: city") + `.includes('Seattle')`)
	b.is(row("versions", "Address ship to: state") + `.includes('Wahsinton') && ` + row("versions", "Tax calculated") + `.includes('1.')`)
	b.is(row("why", "Washington") + `.includes('6.5 %') && document.querySelector('section[aria-labelledby=why] ol li') !== null`)
	b.is(fmt.Sprintf(`document.querySelector('.history a').href.startsWith(%q)`, bed.TemporalUI+"/namespaces/"+bed.TemporalNamespace+"/workflows/"))
	b.accessible("transaction with versions")
	b.click(`section[aria-labelledby=related] tbody a`)
	b.is(`document.querySelector('h1').innerText.includes('NOTE-1') && document.querySelector('#related').innerText.startsWith('The sale')`)
	b.accessible("credit note")

	filed := bed.Rows("SELECT id FROM transactions WHERE external_id = 'ORDER-1'")[0]["id"].(string)
	b.do(chromedp.Navigate(base + "/transactions/" + filed))
	b.click(`main p a[href$="/filings/` + filing + `"]`)
	b.is(`document.querySelector('h1').innerText.startsWith('Washington, US') && document.querySelector('main p a[href*="/namespaces/"]') !== null`)
}
