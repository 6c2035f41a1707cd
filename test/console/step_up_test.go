package console_test

import (
	"github.com/chromedp/chromedp"

	"levy/store/storetest"
	"levy/test/testbed"
)

// setsUpASecondStep asks for the secret of a second step with a session that has been open for long: first the person
// says the password, and then the form goes on.
func (b *browser) setsUpASecondStep(bed *testbed.Bed) {
	b.t.Helper()
	storetest.Execute(b.t, bed.DatabaseURL, "UPDATE sessions SET proven_at = now() - interval '1 hour'")
	b.click("main section > form button")
	b.is(`document.querySelector('h1').innerText === 'Sign in again to go on' && location.pathname === '/account'`)
	b.accessible("proof")
	b.do(chromedp.SendKeys("#step-up-password", "wrong"))
	b.click("main form button")
	b.is(`document.querySelector('[role=alert]').innerText.includes('wrong')`)
	b.do(chromedp.SendKeys("#step-up-password", "correct horse battery staple"))
	b.click("main form button")
	b.is(`document.querySelector('#secret') !== null`)
}
