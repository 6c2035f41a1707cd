package web

import (
	"net/http"
	"net/url"
	"strings"

	"levy/internal/browser"
)

// flashCookie carries a message such as "Saved." to the page after a form.
const flashCookie = "levy_done"

// flashMessages are the messages by the value of the cookie.
var flashMessages = map[string]string{
	"saved": "Saved.", "done": "Done.", "approved": "Approved.",
	"passkeys": "Your new password counts. The link has ended your passkeys: add them again at your account.",
	"before":   "This form was sent before, and carried out then. Nothing was done again.",
}

// goTo redirects from a form to the page that shows its effect.
func (v *pageRequest) goTo(path string) error {
	if v.Method == http.MethodPost {
		value := "done"
		switch action := v.PostFormValue("action"); {
		case v.wasReplayed():
			value = "before"
		case action == "change", action == "save":
			value = "saved"
		case action == "approve":
			value = "approved"
		}
		v.setFlash(value, 60)
	}
	http.Redirect(v.w, v.Request, path, http.StatusSeeOther)
	return nil
}

// goToOwn redirects from a form to a page of the organization. parts are the parts of its path.
func (v *pageRequest) goToOwn(parts ...string) error {
	path := "/o/" + url.PathEscape(v.org)
	for _, part := range parts {
		path += "/" + url.PathEscape(part)
	}
	if at := v.URL.EscapedPath(); at == path || strings.HasPrefix(at, path+"/") { // the record stays a step of the queue
		path += string(v.queueQuery())
	}
	return v.goTo(path)
}

// goBack redirects from a form to its page, with the filter and the page number of a list. It returns err if there is
// one.
func (v *pageRequest) goBack(err error) error {
	if err != nil {
		return err
	}
	return v.goTo(v.URL.RequestURI())
}

// setFlash sets the cookie with the message of the next page for some seconds; -1 removes it.
func (v *pageRequest) setFlash(value string, seconds int) {
	http.SetCookie(v.w, &http.Cookie{Name: flashCookie, Value: value, Path: "/", MaxAge: seconds, HttpOnly: true,
		Secure: browser.Secure(v.Request), SameSite: http.SameSiteLaxMode})
}

// shownOnce is a created secret, or an address with one, that is shown only on the page after its form.
type shownOnce struct{ Title, Says, Secret, Address string }

// showOnce shows a created secret on its page. The stored answer to a repeated form lacks it; then the page explains
// how to create another one.
func (v *pageRequest) showOnce(created shownOnce, show handler) error {
	if created.Secret == "" && created.Address == "" {
		created.Says = "This form was sent twice, and only the first answer showed it. If you did not see it, replace it with a new one."
	}
	v.created = &created
	return show(v)
}

// absolute returns the address of a path of this service, for a link that people send; "" for an empty path.
func (v *pageRequest) absolute(path string) string {
	if path == "" {
		return ""
	}
	scheme := "http://"
	if browser.Secure(v.Request) {
		scheme = "https://"
	}
	return scheme + v.Host + path
}
