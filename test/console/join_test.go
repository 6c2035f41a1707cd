package console_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/require"

	"levy/test/testbed"
)

// fill types values into fields, and sends the form.
func (b *browser) fill(values map[string]string) {
	b.t.Helper()
	for id, value := range values {
		b.is(fmt.Sprintf(`(() => { const e = document.getElementById(%q); if (!e) return false;
			e.closest('details')?.setAttribute('open', '');
			if (e.type === 'checkbox') e.checked = true; else e.value = %q; return true })()`, id, value))
	}
	b.click("main form button")
}

// text is the value of an expression on the page, read again while the page is left for the next.
func (b *browser) text(expression string) string {
	b.t.Helper()
	var said string
	require.Eventually(b.t, func() bool {
		var err error
		said, err = chromedp.Run(b.ctx, chromedp.Evaluate[string](expression))
		return err == nil
	}, testbed.WaitLimit, 20*time.Millisecond, "no value of %s", expression)
	return said
}

// aClientFillsItsOnboarding does the steps of a partner and its client: the partner makes a client and a link, and
// the client fills every step in a form. The partner is signed in, and on the page of the clients.
func aClientFillsItsOnboarding(t *testing.T, b *browser, bed *testbed.Bed) {
	const number, account = "123-45-6799", "48151623420"
	b.is(`(document.querySelector('#name').value = 'Alder & Fig Bakery', true)`)
	b.click(`form[action="/clients"] button`)
	b.click(`form[action$="/link"] button`)
	b.accessible("client")
	link := b.text(`document.querySelector('#address').value`)
	b.is(`document.querySelector('main code').innerText.startsWith('levy_live_')`)
	client := strings.Split(b.text(`location.pathname`), "/")[4]
	b.click(".leave button")

	b.do(chromedp.Navigate(link))
	b.is(`location.pathname === '/join/step/3' && document.scripts.length === 0 && ` +
		`document.body.innerText.includes('Alder & Fig Bakery') && !document.body.innerText.includes('API key')`)

	b.fill(map[string]string{"ein": "12-34", "naics": "x"})
	b.is(`document.querySelectorAll('main [role=alert] a').length === 3 && ` +
		`document.querySelector('#ein').value === '12-34'`)
	b.is(`document.querySelector('#ein-wrong').innerText !== '' && ` +
		`document.querySelector('#naics').closest('details').open`)
	b.fill(map[string]string{
		"entity-type": "LLC", "incorporation-country": "US", "company-country-code": "US", "ein": "12-3456780",
		"naics": "311811",
	})
	b.fill(map[string]string{
		"company-address-1": "350 5th Ave", "company-city": "New York", "company-state": "NY", "company-postal-code": "10118",
		"company-country-code": "US",
	})
	b.fill(map[string]string{
		"business-phone": "+1 212 555 0100", "business-email": "office@example.com", "business-fiscal-year-end": "2026-12-31",
	})
	contact := map[string]string{
		"business-contact-name": "Ada Example", "business-contact-phone": "+1 212 555 0101",
		"business-contact-email":     "ada@example.com",
		"business-contact-address-1": "350 5th Ave", "business-contact-city": "New York", "business-contact-state": "NY",
		"business-contact-country-code": "US", "business-contact-dob": "1980-05-17", "business-contact-ssn": number,
		"save-business-contact-as-company-owner": "true",
	}
	b.fill(contact)
	b.is(`document.querySelector('#business-contact-postal-code-wrong') !== null && ` +
		`document.querySelector('#business-contact-name').value === 'Ada Example'`)
	b.is(`document.querySelector('#business-contact-ssn').value === ''`)
	b.accessible("onboarding form")
	contact["business-contact-postal-code"] = "10118"

	// The client returns later, in another browser, and continues where it stopped. Pages of people store there how far
	// they have followed the feed. A cookie of the Temporal UI, which was open before, is sent here too: cookies do not
	// depend on the port.
	clear := b.text(`document.cookie.replace(/_csrf=[^;]*/, ` +
		`'') + localStorage.length + Object.keys(sessionStorage).filter((key) => !key.startsWith('live ')).length`)
	require.Equal(t, "00", clear)
	b.do(chromedp.Navigate(link))
	b.is(`location.pathname === '/join/step/6'`)
	b.fill(contact)
	b.is(`location.pathname === '/join/step/7' && document.querySelector('#business-owner1-name').value === 'Ada Example'`)
	b.click(`nav a[href="/join/step/6"]`)
	b.is(`document.querySelector('#business-contact-ssn-hint').innerText.includes('****6799') && ` +
		`document.querySelector('#business-contact-ssn').value === ''`)
	b.fill(map[string]string{"business-contact-title": "Owner"}) // stored values are kept
	b.fill(map[string]string{"business-owner1-percent-ownership": "100"})
	b.fill(map[string]string{
		"account-holder-name": "Alder & Fig Bakery", "account-type": "CHECKING", "routing-number": "021000021",
		"account-number": account, "consent": "true",
		"admin-name": "Ada Example", "admin-email": "ada@alder.example",
	})
	b.is(`location.pathname === '/join/done' && ` +
		`document.querySelector('main a.button').pathname.startsWith('/sign-in/')`)
	b.accessible("onboarding done")
	require.Equal(t, 1, bed.Count(`SELECT count(*)
		FROM onboardings
		WHERE organization_id = $1 AND status = 'COMPLETED'`, client))
	require.Equal(t, 1, bed.Count(`SELECT count(*)
		FROM personal_data
		WHERE organization_id = $1 AND field = 'business_contact_ssn'`, client))
	b.do(chromedp.Navigate(link))
	b.is(`document.querySelector('h1').innerText.includes('no longer works')`)
	b.accessible("onboarding link over")
	log := bed.API.Log()
	for _, secret := range []string{number, account, strings.TrimPrefix(link, bed.API.URL()+"/join/")} {
		shown := strings.Contains(log, secret) // a message must not hold the log
		require.False(t, shown, "the log shows what was sent")
	}
}
