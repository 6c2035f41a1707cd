package console_test

import (
	"testing"

	"github.com/chromedp/chromedp"

	"levy/test/testbed"
)

// operationsForStaff is how the installation is. Somebody of staff is signed in.
func operationsForStaff(t *testing.T, b *browser, bed *testbed.Bed) {
	t.Helper()
	b.do(chromedp.Navigate(bed.API.URL() + "/operations"))
	b.is(`['Temporal', 'last backup', 'Tax content', 'webhooks'].every(part => [...document.querySelectorAll('tbody th')].some(e => e.innerText === part))`)
	b.accessible("operations")
}
