package web

import (
	"bytes"
	"crypto/rand"
	"crypto/sha256"
	"errors"
	"fmt"
	"html/template"
	"net/http"
	"net/url"
	"slices"
)

// visit is a request of somebody who is signed in.
type visit struct {
	*http.Request
	w       http.ResponseWriter
	console *Console
	session session
	org     string // of the path; empty for none
	live    *live
	place   string   // in the events of the organization from which on the page follows them; empty for none
	file    string   // the name of the file that answers; empty for the API's
	above   bool     // the page above it leads on from what cannot be shown, such as a file
	fault   *problem // why the form that was sent was refused; nil for none
	made    *shownOnce

	replayed bool // the form had been sent before, and was carried out then
}

// shownOnce is what a form has made that no page shows again: a secret, or an address with one in it.
type shownOnce struct{ Title, Says, Secret, Address string }

// session is who is signed in, as GET /v1/session says it.
type session struct {
	User struct {
		ID, Name, Email string
		SecondFactor    bool `json:"second_factor"`
		RecoveryCodes   int  `json:"recovery_codes_left"`
	} `json:"user"`
	StaffRole     string       `json:"staff_role"`
	Organizations []membership `json:"organizations"`
}

type membership struct {
	ID   string `json:"organization_id"`
	Name string `json:"organization_name"`
	Role string `json:"role"`
	Root bool   `json:"root"`
}

// stamped is a page that says which one it is, and from which place on it follows the events of its organization;
// an empty place for none. The sum is that of the page without its place and the key of its forms: the script of a page
// that has no place sees by it whether another page would be shown now.
func stamped(page []byte, place, once string) []byte {
	sum := sha256.Sum256(page)
	says := fmt.Appendf(nil, ` data-page="%x"`, sum[:8])
	if place != "" {
		says = fmt.Appendf(says, ` data-place="%s"`, template.HTMLEscapeString(place))
	}
	page = bytes.Replace(page, []byte(` data-page=""`), says, 1)
	return bytes.ReplaceAll(page, []byte(onceInput), bytes.Replace([]byte(onceInput), []byte(`value=""`),
		fmt.Appendf(nil, `value="%s"`, template.HTMLEscapeString(once)), 1))
}

// id is the record that the path names, for a path of the API.
func (v *visit) id() string { return url.PathEscape(v.PathValue("id")) }

// showOnce shows what was made on its page. The answer to a form that was sent twice is without it: then the page says
// what to do.
func (v *visit) showOnce(made shownOnce, show page) error {
	if made.Secret == "" && made.Address == "" {
		made.Says = "This form was sent twice, and only the first answer showed it. If you did not see it, replace it with a new one."
	}
	v.made = &made
	return show(v)
}

// absolute is the address of a path here, for a link that somebody is sent; empty for none.
func (v *visit) absolute(path string) string {
	if path == "" {
		return ""
	}
	scheme := "https://"
	if loopback(v.Host) {
		scheme = "http://"
	}
	return scheme + v.Host + path
}

// may reports whether the person may do for an organization what needs a role; for clients of a
// partner only reading.
func (s *session) may(organization, role string) bool {
	roles := []string{"viewer", "preparer", "approver", "admin"}
	needed := slices.Index(roles, role)
	if s.StaffRole == "operator" && needed <= slices.Index(roles, "approver") || s.StaffRole == "auditor" &&
		role == "viewer" {
		return true
	}
	for _, m := range s.Organizations {
		if m.ID == organization && slices.Index(roles, m.Role) >= needed {
			return true
		}
	}
	return false
}

// ofOrganization refuses a form whose calls a partner may not make for its client, before somebody fills it in.
func (v *visit) ofOrganization() error {
	if v.session.may(v.org, "viewer") {
		return nil
	}
	return &problem{Status: http.StatusForbidden, Title: "You may not do this",
		Detail: "This is for people of the organization itself and for staff."}
}

// keeps reports whether the person may make and end keys of an organization: an admin of a partner, for the partner
// and its clients. Which clients these are the API knows.
func (s *session) keeps(organization string) bool {
	for _, m := range s.Organizations {
		if m.Root && m.Role == "admin" {
			return organization != ""
		}
	}
	return false
}

// visited shows a page to who is signed in, and sends others to sign in first.
func (c *Console) visited(show func(*visit) error) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		v := &visit{Request: r, w: w, console: c, org: r.PathValue("org")}
		_, err := r.Cookie(sessionCookie)
		had := err == nil
		if !had { // whoever only comes by has not failed to sign in
			err = &problem{Status: http.StatusUnauthorized}
		} else {
			err = v.get("/v1/session", "", &v.session)
		}
		if err == nil {
			err = show(v)
		}
		var refused *problem
		switch {
		case err == nil:
		case v.made != nil: // which is lost unless it is shown now
			v.render(http.StatusOK, "problem", v.made.Title, refusal{&problem{Title: "The page cannot be shown now",
				Detail: "Store what is above before you go back to it."}, v.back()})
		case errors.As(err, &refused) && refused.Status == http.StatusUnauthorized:
			http.Redirect(w, r, v.signInFor(had), http.StatusSeeOther)
		case errors.As(err, &refused):
			v.refused(refused)
		default:
			v.render(http.StatusInternalServerError, "problem", "The page could not be made",
				refusal{&problem{Title: "The page could not be made", Detail: "Try again in a moment."}, v.back()})
		}
	}
}

// refusedForm is what was typed into the form of an action that was refused by itself, or because of the whole page;
// nil where it was not, which has nothing typed.
func (v *visit) refusedForm(action string, refused *problem) url.Values {
	if (refused != nil || v.fault != nil) && v.PostFormValue("action") == action {
		return v.PostForm
	}
	return nil
}

// save changes something that exists by what was changed on its page. Errors: *problem, also where somebody else has
// changed the same since the page was made.
func (v *visit) save(path string, form joinForm, stored map[string]any) error {
	form = form.changing()
	if err := form.outdated(stored, v.PostForm); err != nil {
		return err
	}
	return v.call(http.MethodPut, path, v.org, form.body(stored, v.PostForm), nil)
}

// doneCookie says to the next page that the form before it was carried out, which not every page shows by itself.
const doneCookie = "levy_done"

// done are its values, as the page says them.
var done = map[string]string{"saved": "Saved.", "done": "Done.",
	"before": "This form was sent before, and carried out then. Nothing was done again."}

// goTo answers a form: the page that shows what it did.
func (v *visit) goTo(path string) error {
	if v.Method == http.MethodPost {
		value := "done"
		if action := v.PostFormValue("action"); v.replayed {
			value = "before"
		} else if action == "change" || action == "save" {
			value = "saved"
		}
		v.remember(value, 60)
	}
	http.Redirect(v.w, v.Request, path, http.StatusSeeOther)
	return nil
}

// goToOwn answers a form by a page of the organization: the parts of its path.
func (v *visit) goToOwn(parts ...string) error {
	path := "/o/" + url.PathEscape(v.org)
	for _, part := range parts {
		path += "/" + url.PathEscape(part)
	}
	return v.goTo(path)
}

// remember sets the cookie of what was done for some seconds; -1 removes it.
func (v *visit) remember(value string, seconds int) {
	http.SetCookie(v.w, &http.Cookie{Name: doneCookie, Value: value, Path: "/", MaxAge: seconds, HttpOnly: true,
		Secure: !loopback(v.Host), SameSite: http.SameSiteLaxMode})
}

// goBack answers a form with the page it is on, unless what it asked for failed.
func (v *visit) goBack(err error) error {
	if err != nil {
		return err
	}
	return v.goTo(v.URL.Path)
}

// noSuchAction refuses a form that no page has.
func noSuchAction() error {
	return &problem{Status: http.StatusBadRequest, Title: "There is no such action"}
}

// frame is what every page is rendered from.
type frame struct {
	Title   string
	Session *session
	Org     string // of the page; empty for none
	OrgName string
	Partner bool     // the organization is a partner, which has clients
	Root    string   // the first partner organization of the person; empty for none
	Path    string   // of the page, which may answer a form that was sent to a path of its own
	Live    *live    // of a list that changes; nil for other pages
	Place   string   // from which on the page follows events; empty for none
	Fault   *problem // why the form that was sent was refused; nil for none
	Made    *shownOnce
	Done    string // what to say of the form before the page; empty for none
	once    string // the key of its forms
	sent    url.Values
	Page    any
}

// Typed is what was typed into a field of a form that was refused, else what the page has.
func (f frame) Typed(name, has string) string {
	if f.Fault != nil && f.sent.Has(name) {
		return f.sent.Get(name)
	}
	return has
}

// Wrong are the attributes of a field of the form that was refused: they lead to what is wrong with it, which the page
// says above. Where pages have other fields of that name, they ask which form it was.
func (f frame) Wrong(name string) template.HTMLAttr {
	if f.Fault != nil {
		for i, e := range f.Fault.Errors {
			if fieldOf(e.Location) == name {
				return template.HTMLAttr(fmt.Sprintf(` aria-invalid="true" aria-describedby="refused-%d"`, i)) //nolint:gosec // a number
			}
		}
	}
	return ""
}

// Did reports whether the form that was refused is that of an action.
func (f frame) Did(action string) bool { return f.Fault != nil && f.sent.Get("action") == action }

// live is the stream that says when what a page shows is another, and the mark of what it shows.
type live struct{ Stream, Mark string }

func (v *visit) show(name, title string, page any) error {
	v.render(http.StatusOK, name, title, page)
	return nil
}

func (v *visit) render(status int, name, title string, page any) {
	f := frame{Title: title, Session: &v.session, Org: v.org, Path: v.URL.Path, Live: v.live, Place: v.place,
		Made: v.made, Page: page}
	if v.Method != http.MethodGet {
		f.Path, _ = v.console.pageAt(v.URL.Path)
	} else if cookie, err := v.Cookie(doneCookie); err == nil {
		f.Done = done[cookie.Value]
		v.remember("", -1)
	}
	if v.fault != nil {
		status, f.Fault, f.sent = v.fault.Status, v.fault, v.PostForm
		f.Title = "Not done: " + title
	}
	if f.once = rand.Text(); status >= http.StatusBadRequest && v.PostForm.Get(onceField) != "" {
		f.once = v.PostForm.Get(onceField) // whether it was carried out may be unknown
	}
	for _, m := range v.session.Organizations {
		if m.Root && f.Root == "" {
			f.Root = m.ID
		}
		if m.ID == v.org {
			f.OrgName, f.Partner = m.Name, m.Root
		}
	}
	if f.Org != "" && f.OrgName == "" {
		var o organization
		if v.get(organizationPath(v.org), v.org, &o) == nil {
			f.OrgName, f.Partner = o.Name, o.Parent == ""
		}
	}
	v.console.render(v.w, status, name, f)
}

func (c *Console) render(w http.ResponseWriter, status int, name string, f frame) {
	var b bytes.Buffer
	if err := c.pages[name].Execute(&b, f); err != nil {
		http.Error(w, "The page could not be made.", http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.WriteHeader(status)
	_, _ = w.Write(stamped(tabled(b.Bytes()), f.Place, f.once)) // whoever asked is gone
}
