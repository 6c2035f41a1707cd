package console_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/require"

	"levy/test/testbed"
)

// aLetterIsAnswered has the admin, who is signed in, record a letter about a registration, add the letter itself, find it among
// the exceptions and answer it.
func aLetterIsAnswered(t *testing.T, b *browser, bed *testbed.Bed) {
	t.Helper()
	base := bed.API.URL() + "/o/" + bed.OrganizationID
	b.do(chromedp.Navigate(base + "/registrations"))
	b.click(`tbody th a`)
	b.click(`main a[href*="/notices?registration_id="]`)
	b.is(setField("kind", "PENALTY") + ` && ` + setField("authority", "Department of Revenue") + ` && ` + setField("amount", "125.40") +
		` && ` + setField("currency", "") + ` && ` + setField("received-date", "2026-06-02") + ` && ` + setField("due-date", "2026-07-01"))
	b.click(`#new button`)
	b.is(`document.querySelector('main [role=alert]').innerText.length > 5 && document.querySelector('#amount').value === '125.40'`)
	b.is(setField("currency", "USD"))
	b.accessible("notices")
	b.click(`#new button`)
	b.is(`document.querySelector('h1').innerText === 'Department of Revenue: penalty'`)
	file := filepath.Join(t.TempDir(), "letter.pdf")
	require.NoError(t, os.WriteFile(file, []byte("%PDF-1.7 a letter"), 0o600))
	b.do(chromedp.SetUploadFiles("#file", []string{file}))
	b.click(`form[enctype] button`)
	b.is(`document.querySelector('tbody a').innerText === 'letter.pdf'`)
	b.accessible("notice")
	b.do(chromedp.Navigate(bed.API.URL() + "/exceptions?type__in=NOTICE_OPEN"))
	b.click(`#lines th a`)
	b.is(`document.querySelector('h1').innerText === 'Department of Revenue: penalty' && ` + setField("answer", "Paid on 12 June."))
	b.click(`button[value=ANSWERED]`)
	b.is(`document.querySelector('.badge').innerText === 'Answered' && document.querySelector('main').innerText.includes('Paid on')`)
	require.Zero(t, bed.Count("SELECT count(*) FROM notices WHERE status = 'OPEN'"))
}
