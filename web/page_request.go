package web

import (
	"errors"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"
)

// pageRequest is a request of somebody who is signed in.
type pageRequest struct {
	*http.Request
	w            http.ResponseWriter
	console      *Console
	page         *page       // whose template answers; nil where only a refusal can
	session      *session    // nil where nobody has to be signed in
	client       *onboarding // whose link was opened; nil without a link
	org          string      // of the path; empty for none
	live         *live
	afterEvent   string   // in the events of the organization from which on the page follows them; empty for none
	file         string   // the name of the file that answers; empty for the API's
	backToParent bool     // the page above it leads on from what cannot be shown, such as a file
	fault        *problem // why the form that was sent was refused; nil for none
	created      *shownOnce
	omitted      []string // parts of the page that could not be read in time

	replayed bool // the form had been sent before, and was carried out then
}

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

// managesKeys reports whether the person may make and end keys of an organization: an admin of a partner, for the partner
// and its clients. Which clients these are the API knows.
func (s *session) managesKeys(organization string) bool {
	for _, m := range s.Organizations {
		if m.Root && m.Role == "admin" {
			return organization != ""
		}
	}
	return false
}

// requireMember refuses a form whose calls a partner may not make for its client, before somebody fills it in.
func (v *pageRequest) requireMember() error {
	if v.session.may(v.org, "viewer") {
		return nil
	}
	return &problem{Status: http.StatusForbidden, Title: "You may not do this",
		Detail: "This is for people of the organization itself and for staff."}
}

// answerTime is how long a page or the answer to a form may take: it calls the API several times, which answers each call
// within 15 seconds, but returns within a minute, and what approves or verifies one within five minutes.
const answerTime = 6 * time.Minute

// giveTime lets an answer arrive after the time that a single call has.
func giveTime(w http.ResponseWriter) {
	_ = http.NewResponseController(w).SetWriteDeadline(time.Now().Add(answerTime)) // a writer of a test has none
}

// optional lets a page be shown without a part of it that cannot be read in time: the page says so.
func (v *pageRequest) optional(part string, err error) error {
	if !refusedWith(err, http.StatusServiceUnavailable) {
		return err
	}
	v.omitted = append(v.omitted, part)
	return nil
}

// serve answers requests of a page, or its form, from those who may open it.
func (c *Console) serve(p *page, answer handler) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		v := &pageRequest{Request: r, w: w, console: c, page: p, org: r.PathValue("org")}
		switch p.access {
		case signedIn:
			if r.Method != http.MethodGet { // a form may have a path of its own
				_, v.page = c.pageAt(r.URL.Path)
			}
			v.answerPerson(answer)
		case byLink:
			v.answerClient(answer)
		default:
			if err := answer(v); err != nil {
				v.refuseLink(err)
			}
		}
	}
}

// answerPerson answers who is signed in, and sends others to sign in first.
func (v *pageRequest) answerPerson(answer handler) {
	_, err := v.Cookie(sessionCookie)
	wasSignedIn := err == nil
	v.session = &session{}
	if !wasSignedIn { // whoever only comes by has not failed to sign in
		err = &problem{Status: http.StatusUnauthorized}
	} else if fromAnotherSite(v.Request) {
		v.refuseAnotherSite()
		return
	} else {
		err = v.get("/v1/session", "", v.session)
	}
	if err == nil {
		giveTime(v.w)
		err = answer(v)
	}
	var refused *problem
	switch {
	case err == nil:
	case v.created != nil: // which is lost unless it is shown now
		v.renderAs("problem", http.StatusOK, v.created.Title, refusal{problem: &problem{Title: "The page cannot be shown now",
			Detail: "Store what is above before you go back to it."}, Back: v.back()})
	case errors.As(err, &refused) && refused.Status == http.StatusUnauthorized:
		http.Redirect(v.w, v.Request, v.signInAddress(wasSignedIn), http.StatusSeeOther)
	case errors.As(err, &refused):
		v.refused(refused)
	default:
		v.renderAs("problem", http.StatusInternalServerError, "The page could not be made",
			refusal{problem: &problem{Title: "The page could not be made", Detail: "Try again in a moment."}, Back: v.back()})
	}
}

// refuseAnotherSite answers a form of another site before the session of the visitor is read.
func (v *pageRequest) refuseAnotherSite() {
	p := errAnotherSite(anotherSiteOfSession)
	v.session = nil
	v.renderAs("problem", p.Status, p.Title, refusal{problem: p, Back: v.back()})
}

// id is the record that the path names, for a path of the API.
func (v *pageRequest) id() string { return url.PathEscape(v.PathValue("id")) }

// refusedForm is what was typed into the form of an action that was refused by itself, or because of the whole page;
// nil where it was not, which has nothing typed.
func (v *pageRequest) refusedForm(action string, refused *problem) url.Values {
	if (refused != nil || v.fault != nil) && v.PostFormValue("action") == action {
		return v.PostForm
	}
	return nil
}

// nonEmpty are the fields of a form that are not empty, with lines as they are stored: a browser ends them otherwise.
func (v *pageRequest) nonEmpty(names ...string) map[string]any {
	values := map[string]any{}
	for _, name := range names {
		if value := v.PostFormValue(name); value != "" {
			values[name] = strings.ReplaceAll(value, "\r\n", "\n")
		}
	}
	return values
}

// save changes something that exists by what was changed on its page. Errors: *problem, also where somebody else has
// changed the same since the page was made.
func (v *pageRequest) save(path string, form htmlForm, stored map[string]any) error {
	form = form.changing()
	if err := form.outdated(stored, v.PostForm); err != nil {
		return err
	}
	return v.call(http.MethodPut, path, v.org, form.body(stored, v.PostForm), nil)
}

// unknownAction refuses a form that no page has.
func unknownAction() error {
	return &problem{Status: http.StatusBadRequest, Title: "There is no such action"}
}
