package web

import (
	"errors"
	"net/http"
	"strings"
	"unicode"
)

// signInForm is what the pages of signing in are rendered from.
type signInForm struct {
	Fault, Email, Next, Token string
	Challenge                 string // of who has given the right password, and has to give a code too
	Sent                      bool   // a form, when the session had ended
	Ended                     string // that and why somebody has to sign in again; empty for who only comes by
	Provider                  string // the host of the OpenID provider; empty where people have passwords
}

// signInTitles are the titles of the pages of signing in.
var signInTitles = map[string]string{"sign_in": "Sign in", "set_password": "Set your password"}

// refusedByProvider says why somebody who came from the OpenID provider was not let in, by the codes of
// models.SignInRefusal.
var refusedByProvider = map[string]string{
	"too_late":      "That took too long, or was begun in another browser or window. Begin again.",
	"denied":        "The provider has not let you in, or you have cancelled there.",
	"unavailable":   "The provider cannot be reached at the moment. Try again in a minute.",
	"untrusted":     "The provider's answer does not belong to this sign-in. Begin again; if it stays so, tell your administrator.",
	"unverified":    "The provider says of your account no e-mail address that it has verified.",
	"domain":        "Addresses of your domain may not sign in here.",
	"unknown":       "Nobody has been invited with your e-mail address. Ask an administrator of your organization.",
	"disabled":      "Your access has been taken away. Ask an administrator of your organization.",
	"other_account": "You have signed in with another account of the provider before. Ask an administrator for a new link.",
	"too_many":      "There were too many failed attempts from your address. Try again in a minute.",
}

func (c *Console) signInPage(w http.ResponseWriter, r *http.Request) {
	c.render(w, http.StatusOK, "sign_in", layout{Title: signInTitles["sign_in"], Page: signInForm{
		Next: r.URL.Query().Get("next"), Provider: c.provider,
		Fault: refusedByProvider[r.URL.Query().Get("refused")], Ended: ended[r.URL.Query().Get("ended")],
		Sent: r.URL.Query().Get("ended") == "sent",
	}})
}

func (c *Console) linkPage(w http.ResponseWriter, r *http.Request) {
	c.render(w, http.StatusOK, "set_password", layout{Title: signInTitles["set_password"], Page: signInForm{
		Token: r.PathValue("token"), Provider: c.provider,
	}})
}

func (c *Console) signIn(w http.ResponseWriter, r *http.Request) {
	form := signInForm{Email: r.PostFormValue("email"), Next: r.PostFormValue("next"),
		Challenge: r.PostFormValue("challenge")}
	if form.Challenge != "" {
		c.enter(w, r, "sign_in", form,
			map[string]string{"challenge": form.Challenge, "password": r.PostFormValue("code")})
		return
	}
	sent := map[string]string{"email": form.Email, "password": r.PostFormValue("password")}
	c.enter(w, r, "sign_in", form, sent)
}

func (c *Console) useLink(w http.ResponseWriter, r *http.Request) {
	form := signInForm{Token: r.PathValue("token")}
	if r.PostFormValue("password") != r.PostFormValue("again") {
		form.Fault = "The two passwords differ."
		c.render(w, http.StatusBadRequest, "set_password", layout{Title: signInTitles["set_password"], Page: form})
		return
	}
	c.enter(w, r, "set_password", form,
		map[string]string{"token": form.Token, "password": r.PostFormValue("password")})
}

// enter signs in, and shows the form again when that is refused.
func (c *Console) enter(
	w http.ResponseWriter, r *http.Request, page string, form signInForm, sent map[string]string,
) {
	if namesAnotherSite(r) {
		form.Fault = anotherSiteOfSignIn
		c.render(w, http.StatusForbidden, page, layout{Title: signInTitles[page], Page: form})
		return
	}
	header, err := c.ask(r, apiCall{method: http.MethodPost, path: "/v1/session", sent: sent}, nil)
	if err != nil {
		var refused *problem
		status := http.StatusInternalServerError
		form.Fault = "That did not work."
		if errors.As(err, &refused) && refused.Challenge != "" {
			c.render(w, http.StatusOK, "sign_in",
				layout{Title: signInTitles["sign_in"], Page: signInForm{Challenge: refused.Challenge, Next: form.Next}})
			return
		}
		if errors.As(err, &refused) {
			status, form.Fault = refused.Status, refused.Detail
			if len(refused.Errors) > 0 {
				form.Fault = refused.Errors[0].Message
			}
		}
		c.render(w, status, page, layout{Title: signInTitles[page], Page: form})
		return
	}
	passCookies(w, header)
	http.Redirect(w, r, ownPage(form.Next), http.StatusSeeOther)
}

// ownPage is where somebody goes after signing in: a path of this service, else its first page. Browsers read a
// backslash as a slash, and leave control characters out before they look for a host.
func ownPage(next string) string {
	if !strings.HasPrefix(next, "/") || strings.HasPrefix(next, "//") || strings.Contains(next, `\`) ||
		strings.ContainsFunc(next, unicode.IsControl) {
		return "/"
	}
	return next
}

func (c *Console) signOut(w http.ResponseWriter, r *http.Request) {
	if _, err := r.Cookie(sessionCookie); err != nil {
		http.Redirect(w, r, "/sign-in", http.StatusSeeOther)
		return
	}
	if fromAnotherSite(r) {
		http.Error(w, anotherSiteOfSession, http.StatusForbidden)
		return
	}
	header, err := c.ask(r, apiCall{method: http.MethodDelete, path: "/v1/session"}, nil)
	var refused *problem
	if errors.As(err, &refused) && refused.Status != http.StatusUnauthorized {
		http.Error(w, refused.Detail, refused.Status)
		return
	}
	passCookies(w, header)
	http.Redirect(w, r, "/sign-in", http.StatusSeeOther)
}

func passCookies(w http.ResponseWriter, from http.Header) {
	for _, cookie := range from.Values("Set-Cookie") {
		w.Header().Add("Set-Cookie", cookie)
	}
}
