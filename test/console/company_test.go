package console_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/require"

	"levy/test/testbed"
)

// An admin of an organization does the rest of its onboarding on pages, and corrects it afterwards. Personal numbers
// appear on no page, and a browser does not keep them when the session has ended.
func TestAnOrganizationDoesItsOnboarding(t *testing.T) {
	t.Parallel()
	const number, account = "123-45-6799", "48151623420"
	b := open(t, 1280, 900)
	bed := testbed.New(t, testbed.Options{})
	bed.API.Start()
	bed.Worker.Start()
	c := onboard(t, bed, "Alder & Fig Bakery", 4)
	c.isRefused(t, bed)
	page := func(step string) string { return bed.API.URL() + "/o/" + c.id + "/company" + step }
	b.enter(invited(bed, "ada@example.com", "--name", "Ada Admin", "--organization", c.id, "--role", "admin"))
	b.do(chromedp.Navigate(page("")))
	b.is(`document.querySelector('section[aria-labelledby=refused]').innerText.includes('Business email:')`)
	b.accessible("company")

	// The page follows what others do.
	c.step(t, bed, 5)
	b.is(`document.querySelector('main .button').innerText === 'Continue with step 6: Contact'`)
	b.click("main .button")

	contact := map[string]string{
		"business-contact-name": "Ada Example", "business-contact-phone": "+1 212 555 0101",
		"business-contact-email":     "ada@example.com",
		"business-contact-address-1": "350 5th Ave", "business-contact-city": "New York", "business-contact-state": "NY",
		"business-contact-country-code": "US", "business-contact-dob": "1980-05-17", "business-contact-ssn": number,
		"save-business-contact-as-company-owner": "true",
	}
	b.fill(contact)
	b.is(`document.activeElement.matches('main [role=alert]') && ` +
		`document.querySelector('#business-contact-postal-code-wrong') !== null && ` +
		`document.querySelector('#business-contact-name').value === 'Ada Example' && ` +
		`document.querySelector('#business-contact-ssn').value === ''`)
	b.accessible("company step refused")
	contact["business-contact-postal-code"] = "10118"

	// The session ends while somebody types.
	bed.Exec("UPDATE sessions SET revoked_at = now()")
	b.fill(contact)
	b.is(`location.pathname === '/sign-in' && (kept => kept.includes('Ada Example') && ` +
		`!kept.includes('` + number + `') && !kept.includes('1980-05-17'))(sessionStorage.getItem('typed'))`)
	b.do(chromedp.SendKeys("#email", "ada@example.com"), chromedp.SendKeys("#password", "correct horse battery staple"))
	b.click("main button")
	b.is(`location.pathname.endsWith('/company/6') && ` +
		`document.querySelector('#business-contact-name').value === 'Ada Example' && ` +
		`document.querySelector('#business-contact-ssn').value === ''`)
	b.fill(contact)
	b.is(`location.pathname.endsWith('/company/7') && document.querySelector('#business-owner1-name').value === 'Ada Example'`)
	b.accessible("company owners")
	b.fill(map[string]string{"business-owner1-percent-ownership": "100"})

	bank := map[string]string{
		"account-holder-name": "Ada Example", "account-type": "CHECKING", "routing-number": "021000021",
		"account-number": account,
	}
	b.fill(bank)
	b.is(`document.querySelector('main [role=status]').innerText.includes('should be checked') && ` +
		`document.querySelector('#account-number').value === '' && ` +
		`document.querySelector('#account-number-hint').innerText.includes('****3420')`)
	b.accessible("company step doubted")
	require.Equal(t, 1, bed.Count(`SELECT count(*)
		FROM onboardings
		WHERE organization_id = $1 AND status = 'COMPLETED'`, c.id))
	b.fill(map[string]string{"account-holder-name": "Alder & Fig Bakery"}) // sent again: it is an edit, and the numbers stay
	b.is(`location.pathname.endsWith('/company') && document.querySelector('.badge').innerText === 'Completed'`)
	b.accessible("company completed")
	require.Equal(t, 1, bed.Count(`SELECT count(*)
		FROM personal_data
		WHERE organization_id = $1 AND field = 'account_number'`, c.id))
	log := bed.API.Log()
	for _, secret := range []string{number, account} {
		shown := strings.Contains(log, secret) // a message must not hold the log
		require.False(t, shown, "the log shows what was sent")
	}

	b.click(".leave button")
	b.enter(invited(bed, "vi@example.com", "--name", "Vi Viewer", "--organization", c.id, "--role", "viewer"))
	b.do(chromedp.Navigate(page("/8")))
	b.is(`document.querySelectorAll('main form').length === 0 && document.querySelector('main').innerText.includes('****3420')`)
	b.accessible("company step read")
	status, err := chromedp.Run(b.ctx, chromedp.Evaluate[int](`fetch(location.href, {method: 'POST', `+
		`body: new URLSearchParams({account_type: 'SAVINGS', account_holder_name: 'Eve', `+
		`routing_number: '021000021', account_number: '12345678'})}).then(r => r.status)`, chromedp.EvalAwaitPromise))
	require.NoError(t, err)
	require.Equal(t, http.StatusForbidden, status)
}
