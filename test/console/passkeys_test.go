package console_test

import (
	"context"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/webauthn"
	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/require"

	"levy/store/storetest"
	"levy/test/testbed"
)

// device is an authenticator of the browser, whose user is always there.
type device struct {
	b  *browser
	id webauthn.AuthenticatorID
}

// command sends a command about devices to the browser.
func command[P, R any](b *browser, what cdp.Command[P, R], params P) R {
	b.t.Helper()
	answer, err := chromedp.Run(b.ctx, func(ctx context.Context, _ *chromedp.Target) (R, error) {
		return chromedp.Call(ctx, what, params)
	})
	require.NoError(b.t, err)
	return answer
}

// addDevice gives the browser a device that checks its user, and counts.
func (b *browser) addDevice() *device {
	b.t.Helper()
	command(b, webauthn.Enable, webauthn.EnableParams{})
	added := command(b, webauthn.AddVirtualAuthenticator, webauthn.AddVirtualAuthenticatorParams{
		Options: &webauthn.VirtualAuthenticatorOptions{
			Protocol: "ctap2", Transport: "internal", HasResidentKey: true, HasUserVerification: true,
			AutomaticPresenceSimulation: true, IsUserVerified: true,
		}})
	return &device{b, added.AuthenticatorID}
}

// setCounter puts a copy of its passkeys into the device, with another number of signatures.
func (d *device) setCounter(signatures float64) {
	d.b.t.Helper()
	held := command(d.b, webauthn.GetCredentials, webauthn.GetCredentialsParams{AuthenticatorID: d.id})
	command(d.b, webauthn.ClearCredentials, webauthn.ClearCredentialsParams{AuthenticatorID: d.id})
	for _, credential := range held.Credentials {
		// The type of the package also sends a field that this device does not know.
		command(d.b, cdp.Command[map[string]any, cdp.Empty]{Method: webauthn.CommandAddCredential}, map[string]any{
			"authenticatorId": d.id, "credential": map[string]any{
				"credentialId": credential.CredentialID, "isResidentCredential": true, "rpId": credential.RpID,
				"privateKey": credential.PrivateKey, "userHandle": credential.UserHandle, "signCount": signatures,
			}})
	}
}

// signOut signs out, and leads to the page to sign in.
func (b *browser) signOut() {
	b.t.Helper()
	b.click(".leave button")
	b.is(`location.pathname === '/sign-in'`)
}

// A person adds a passkey, signs in with it alone and after the password, proves the session with it, and removes it. A
// copy of it, and a removed one, is refused.
func TestPasskeysSignPeopleIn(t *testing.T) {
	t.Parallel()
	b := open(t, 1280, 900)
	bed := testbed.New(t, testbed.Options{})
	at := strings.Replace(bed.API.URL(), "127.0.0.1", "localhost", 1)
	bed.Set("LEVY_PUBLIC_URL", at)
	bed.API.Start()
	own := b.addDevice()
	const byPasskey = `form[data-passkey="sign_in"] button`
	const wrong = `document.querySelector('[role=alert]').innerText.includes('not accepted')`
	signedIn := func() {
		t.Helper()
		b.is(`location.pathname === '/'`)
	}
	byPassword := func() {
		t.Helper()
		b.do(chromedp.SendKeys("#email", "staff@example.com"), chromedp.SendKeys("#password", "correct horse battery staple"))
		b.click(`main form:not([data-passkey]) button`)
	}
	link := invited(bed, "staff@example.com", "--name", "Sam Staff", "--staff", "operator")
	b.enter(at + strings.TrimPrefix(link, bed.API.URL()))
	signedIn()

	b.do(chromedp.Navigate(at + "/account"))
	b.do(chromedp.WaitVisible("#name"), chromedp.SendKeys("#name", "Laptop of Sam"))
	b.click(`form[data-passkey="registration"] button`)
	b.is(`document.querySelector('[aria-label=Passkeys]').innerText.includes('Laptop of Sam') &&
		document.querySelector('[aria-label=Passkeys]').innerText.includes('never used')`)
	b.accessible("passkeys")

	b.signOut()
	b.accessible("sign in with a passkey")
	b.click(byPasskey)
	signedIn()

	b.signOut()
	byPassword()
	b.is(`document.querySelector('[name=challenge]') !== null && !document.querySelector('.leave')`)
	b.click(byPasskey)
	signedIn()

	b.signOut()
	own.setCounter(0)
	b.click(byPasskey)
	b.is(wrong)
	require.Equal(t, 1, bed.Count("SELECT count(*) FROM audit WHERE action = 'refuse_passkey' AND user_name = 'Sam Staff'"))
	own.setCounter(1000)
	b.click(byPasskey)
	signedIn()

	storetest.Execute(t, bed.DatabaseURL, "UPDATE sessions SET proven_at = now() - interval '1 hour'")
	b.do(chromedp.Navigate(at + "/account"))
	b.is(`document.querySelector('[aria-label=Passkeys]').innerText.includes('last used')`)
	b.is(`(document.querySelector('[aria-label=Passkeys] details').open = true)`)
	b.click(`[aria-label=Passkeys] form button`)
	b.is(`document.querySelector('h1').innerText === 'Sign in again to go on' && !document.querySelector('#step-up-password')`)
	b.click(`form[data-passkey="proof"] button`)
	b.is(`location.pathname === '/account' && !document.querySelector('[aria-label=Passkeys]')`)

	b.signOut()
	b.click(byPasskey)
	b.is(wrong)
	byPassword()
	signedIn()
	for _, action := range []string{"added", "removed"} {
		require.Equal(t, 1, bed.Count("SELECT count(*) FROM audit WHERE entity_type = 'user' AND detail ? $1", action))
	}
}
