package web

import (
	"net/http"
	"net/url"
)

// flashCookie says to the next page that the form before it was carried out, which not every page shows by itself.
const flashCookie = "levy_done"

// flashMessages are its values, as the page says them.
var flashMessages = map[string]string{
	"saved": "Saved.", "done": "Done.",
	"before": "This form was sent before, and carried out then. Nothing was done again.",
}

// goTo answers a form: the page that shows what it did.
func (v *pageRequest) goTo(path string) error {
	if v.Method == http.MethodPost {
		value := "done"
		if action := v.PostFormValue("action"); v.replayed {
			value = "before"
		} else if action == "change" || action == "save" {
			value = "saved"
		}
		v.setFlash(value, 60)
	}
	http.Redirect(v.w, v.Request, path, http.StatusSeeOther)
	return nil
}

// goToOwn answers a form by a page of the organization: the parts of its path.
func (v *pageRequest) goToOwn(parts ...string) error {
	path := "/o/" + url.PathEscape(v.org)
	for _, part := range parts {
		path += "/" + url.PathEscape(part)
	}
	return v.goTo(path)
}

// goBack answers a form with the page it is on, unless what it asked for failed.
func (v *pageRequest) goBack(err error) error {
	if err != nil {
		return err
	}
	return v.goTo(v.URL.Path)
}

// setFlash sets the cookie of what was done for some seconds; -1 removes it.
func (v *pageRequest) setFlash(value string, seconds int) {
	http.SetCookie(v.w, &http.Cookie{Name: flashCookie, Value: value, Path: "/", MaxAge: seconds, HttpOnly: true,
		Secure: !loopback(v.Host), SameSite: http.SameSiteLaxMode})
}

// shownOnce is what a form has created that no page shows again: a secret, or an address with one in it.
type shownOnce struct{ Title, Says, Secret, Address string }

// showOnce shows what was created on its page. The answer to a form that was sent twice is without it: then the page says
// what to do.
func (v *pageRequest) showOnce(created shownOnce, show handler) error {
	if created.Secret == "" && created.Address == "" {
		created.Says = "This form was sent twice, and only the first answer showed it. If you did not see it, replace it with a new one."
	}
	v.created = &created
	return show(v)
}

// absolute is the address of a path here, for a link that somebody is sent; empty for none.
func (v *pageRequest) absolute(path string) string {
	if path == "" {
		return ""
	}
	scheme := "https://"
	if loopback(v.Host) {
		scheme = "http://"
	}
	return scheme + v.Host + path
}
