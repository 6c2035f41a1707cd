package console_test

import (
	"testing"

	"github.com/chromedp/chromedp"

	"levy/test/testbed"
)

// returnsOfMany is what staff see of the returns of all clients: a table, and a calendar of a month. Somebody of
// staff is signed in.
func returnsOfMany(t *testing.T, b *browser, bed *testbed.Bed, filing string) {
	t.Helper()
	b.do(chromedp.Navigate(bed.API.URL() + "/filings"))
	b.is(`document.querySelector('tbody tr').innerText.includes('days overdue') && document.querySelector('tbody').innerText.includes('First partner')`)
	b.accessible("filings of all")
	b.click(`nav[aria-label=Views] a:nth-child(4)`) // with an issue
	b.is(`document.querySelector('nav[aria-label=Views] [aria-current]').innerText === 'With an issue' && document.querySelector('.empty') !== null`)
	b.do(chromedp.Navigate(bed.API.URL() + "/filings/calendar?month=" + monthBefore(2).Format("2006-01")))
	b.is(`document.querySelectorAll('.calendar td a').length === 1`)
	b.accessible("calendar")
	b.click(`.calendar td a`)
	b.click(`tbody a[href$="/` + filing + `"]`)
	b.is(`document.querySelector('main').innerText.includes('To pay')`)
}
