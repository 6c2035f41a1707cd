package web

import (
	"net/http"
	"strings"
	"unicode"

	"levy/contract"
	"levy/internal/browser"
	"levy/models"
)

// signInForm is the data of the pages for signing in.
type signInForm struct {
	Fault, Email, Next, Token string
	Challenge                 string // of a person whose password was right and whose code is missing
	Over                      string // message that the link cannot be opened; empty if it can
	Wait                      bool   // the link may be good: there were too many attempts
	Sent                      bool   // a form was sent when the session had ended
	Ended                     string // message that the session or passkeys have ended; empty if the person was not signed in
	Provider                  string // the host of the OpenID provider; empty where people have passwords
	Passkeys                  bool   // this installation has passkeys
}

// Carried returns the hidden fields of the form with a passkey.
func (f signInForm) Carried() []field {
	carried := []field{hidden("next", f.Next)}
	if f.Challenge != "" {
		carried = append(carried, hidden("challenge", f.Challenge))
	}
	return carried
}

// offersPasskeys reports whether people can sign in by passkeys.
func (v *pageRequest) offersPasskeys() bool {
	if v.console.provider != "" {
		return false
	}
	challenge, err := v.session.GetPasskeyChallenge(v.Context(), contract.GetPasskeyChallengeRequest{})
	return err == nil && challenge.Unavailable == nil
}

// Fields returns the fields for e-mail address and password, or for the code after them.
func (f signInForm) Fields() []field {
	if f.Challenge != "" {
		return []field{
			hidden("next", f.Next), hidden("challenge", f.Challenge),
			{Name: "code", Label: "Code from your app, or a recovery code", Kind: "text", Required: true, Max: 40,
				Auto: "one-time-code", AsTyped: true, Native: true},
		}
	}
	return []field{
		hidden("next", f.Next),
		{Name: "email", Label: "E-mail address", Kind: "email", Required: true, Max: 320, Auto: "username", AsTyped: true,
			Focus: true, Native: true, Value: f.Email},
		{Name: "password", Label: "Password", Kind: "password", Required: true, Max: 1000, Auto: "current-password",
			Native: true},
	}
}

// passwordsDiffer is the message about a password that was repeated differently.
const passwordsDiffer = "The two passwords differ."

// NewPassword returns the fields of the form that sets a password.
func (f signInForm) NewPassword() []field {
	password := field{Name: "password", Label: "New password", Kind: "password", Required: true, Min: 12, Max: 200,
		Auto: "new-password", Native: true}
	again := password
	again.Name, again.Label = "again", "Repeat the password"
	password.Hint = "At least 12 characters."
	if f.Fault != "" {
		password.Note, password.Invalid, password.Focus = "wrong", true, true
	}
	return []field{password, again}
}

// signInTitles are the titles of the pages of signing in.
var signInTitles = map[string]string{"sign_in": "Sign in", "set_password": "Set your password"}

// refusedByProvider are the messages for people whom the sign-in at the OpenID provider has refused, by the codes of
// models.SignInRefusal.
var refusedByProvider = map[string]string{
	"too_late":      "That took too long, or was begun in another browser or window. Begin again.",
	"denied":        "The provider has not let you in, or you have cancelled there.",
	"unavailable":   "The provider cannot be reached at the moment. Try again in a minute.",
	"untrusted":     "The provider's answer does not belong to this sign-in. Begin again; if that does not help, tell your admin.",
	"unverified":    "The provider has verified no e-mail address of your account.",
	"domain":        "Addresses of your domain may not sign in here.",
	"unknown":       "Your e-mail address has no invitation. Ask an admin of your organization.",
	"disabled":      "Your access has ended. Ask an admin of your organization.",
	"other_account": "You have signed in with another account of the provider before. Ask an admin for a new link.",
	"not_again": "The provider does not say that it has asked you to sign in again just now. Sign in there anew; if " +
		"that does not help, tell your admin.",
	"other_person": "You have signed in at the provider as another person than the one who is signed in here.",
	"too_many":     "There were too many failed attempts from your address. Try again in a minute.",
}

func (c *Console) signInPage(v *pageRequest) error {
	query := v.URL.Query()
	return v.show(signInTitles["sign_in"], signInForm{
		Next: query.Get("next"), Provider: c.provider, Fault: refusedByProvider[query.Get("refused")],
		Ended: sessionEnded[query.Get("ended")], Sent: query.Get("ended") == "sent", Passkeys: v.offersPasskeys(),
	})
}

func (c *Console) linkPage(v *pageRequest) error {
	form := signInForm{Token: v.PathValue("token"), Provider: c.provider}
	if c.provider == "" {
		link, err := v.session.GetSignInLink(v.Context(), contract.GetSignInLinkRequest{Body: contract.SignInLinkToken{Token: form.Token}})
		if refused := problemOf(err); refused != nil && refused.Status < http.StatusInternalServerError {
			form.Over, form.Wait = refused.firstMessage(), refused.Status == http.StatusTooManyRequests
			v.render(refused.Status, signInTitles["set_password"], form)
			return nil
		}
		if err != nil {
			return err
		}
		form.Email = link.Email
	}
	return v.show(signInTitles["set_password"], form)
}

func (c *Console) signIn(v *pageRequest) error {
	form := signInForm{Email: v.PostFormValue("email"), Next: v.PostFormValue("next"),
		Challenge: v.PostFormValue("challenge")}
	if v.PostFormValue("passkey") != "" {
		sent := map[string]any{"passkey": v.passkey()}
		if form.Challenge != "" {
			sent["challenge"] = form.Challenge
		}
		v.signInWith(form, sent)
		return nil
	}
	if form.Challenge != "" {
		v.signInWith(form, map[string]any{"challenge": form.Challenge, "password": v.PostFormValue("code")})
		return nil
	}
	v.signInWith(form, map[string]any{"email": form.Email, "password": v.PostFormValue("password")})
	return nil
}

func (c *Console) useLink(v *pageRequest) error {
	form := signInForm{Token: v.PathValue("token"), Email: v.PostFormValue("email")}
	if v.PostFormValue("password") != v.PostFormValue("again") {
		form.Fault = passwordsDiffer
		v.render(http.StatusBadRequest, signInTitles["set_password"], form)
		return nil
	}
	v.signInWith(form, map[string]any{"token": form.Token, "password": v.PostFormValue("password")})
	return nil
}

// signInWith creates a session and redirects to the page that was requested, or shows the form again.
func (v *pageRequest) signInWith(form signInForm, sent map[string]any) {
	title := signInTitles[v.page.template]
	if namesAnotherSite(v.Request) {
		form.Fault = anotherSiteOfSignIn
		v.render(http.StatusForbidden, title, form)
		return
	}
	form.Passkeys = v.offersPasskeys()
	var begun contract.Session
	session, err := v.sending(sent)
	if err == nil {
		begun, err = session.SignIn(v.Context(), contract.SignInRequest{})
	}
	if err == nil {
		if begun.PasskeysEnded > 0 {
			v.setFlash("passkeys", 60)
		}
		v.setSession(session.Outcome().SessionBegun)
		if device := session.Outcome().DeviceKnown; device != "" {
			http.SetCookie(v.w, browser.Device(v.Request, device, models.DeviceLasts))
		}
		http.Redirect(v.w, v.Request, localPath(form.Next), http.StatusSeeOther)
		return
	}
	refused := v.refusalOf(err)
	if refused.Challenge != "" {
		second := signInForm{Challenge: refused.Challenge, Next: form.Next, Passkeys: form.Passkeys}
		if form.Token != "" {
			second.Ended = refused.Detail // a link may have ended passkeys
		}
		v.renderAs("sign_in", http.StatusOK, signInTitles["sign_in"], second)
		return
	}
	form.Fault = refused.firstMessage()
	v.render(refused.Status, title, form)
}

// firstMessage returns the message about the first invalid field, else about the request.
func (p *problem) firstMessage() string {
	if len(p.Errors) > 0 {
		return p.Errors[0].FullText()
	}
	return p.Detail
}

// localPath returns the page after signing in: a path of this service, else "/". Browsers read a backslash as a slash,
// and remove control characters before they look for a host.
func localPath(next string) string {
	if !strings.HasPrefix(next, "/") || strings.HasPrefix(next, "//") || strings.Contains(next, `\`) ||
		strings.ContainsFunc(next, unicode.IsControl) {
		return "/"
	}
	return next
}

func (c *Console) signOut(v *pageRequest) error {
	if token, ok := browser.SessionOf(v.Request); ok {
		if fromAnotherSite(v.Request) {
			http.Error(v.w, anotherSiteOfSession, http.StatusForbidden)
			return nil
		}
		err := v.endSession(token)
		if err != nil && !refusedWith(err, http.StatusUnauthorized) {
			refused := v.refusalOf(err)
			http.Error(v.w, refused.Detail, refused.Status)
			return nil
		}
	}
	http.Redirect(v.w, v.Request, "/sign-in", http.StatusSeeOther)
	return nil
}

// endSession ends the session with a token and deletes its cookie.
func (v *pageRequest) endSession(token string) error {
	admitted, err := v.console.gate.Person(v.Context(), token)
	if err != nil {
		return err
	}
	v.closing = append(v.closing, admitted.Close)
	v.enter(admitted)
	if err := v.session.SignOut(v.Context(), contract.SignOutRequest{}); err != nil {
		return err
	}
	if v.session.Outcome().SessionEnded {
		v.setSession("")
	}
	return nil
}

// setSession sets the cookie of a session; an empty token deletes it.
func (v *pageRequest) setSession(token string) {
	browser.SetSession(v.w, v.Request, token, models.SessionLongest)
}
