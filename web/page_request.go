package web

import (
	"errors"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"
)

// pageRequest is a request for a page, or a form of one.
type pageRequest struct {
	*http.Request
	w            http.ResponseWriter
	console      *Console
	page         *page       // whose template is rendered; nil if a form has no page
	session      *session    // nil if the page needs no session
	client       *onboarding // the onboarding of the link; nil without a link
	org          string      // in the path; empty if it has none
	live         *live
	afterEvent   string   // cursor of the event after which the page follows events; empty if it follows none
	file         string   // name of the file that answers; empty for the name that the API chose
	backToParent bool     // a failed page links to its parent page
	fault        *problem // why the form was refused; nil if it was not
	created      *shownOnce
	omitted      []string // parts of the page that could not be read in time

	replayed bool // the form had been sent before: the API returned its stored answer
}

// session is the person who is signed in, as GET /v1/session returns it.
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

// may reports whether the person has a role in an organization, or a higher one. Operators have the rights of approvers
// everywhere, auditors those of viewers. People of a partner only read their clients.
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

// managesKeys reports whether the person may create and revoke keys of an organization: admins of a partner may, for it
// and its clients. The API checks which clients those are.
func (s *session) managesKeys(organization string) bool {
	for _, m := range s.Organizations {
		if m.Root && m.Role == "admin" {
			return organization != ""
		}
	}
	return false
}

// requireMember refuses people of a partner a form of their client whose calls the API would refuse. Errors: *problem.
func (v *pageRequest) requireMember() error {
	if v.session.may(v.org, "viewer") {
		return nil
	}
	return &problem{Status: http.StatusForbidden, Title: "You may not do this",
		Detail: "This is for people of the organization itself and for staff."}
}

// answerTime is the time limit of a page or form. It makes several calls: most have 15 seconds each, returns a minute,
// approvals and verifications five minutes.
const answerTime = 6 * time.Minute

// giveTime extends the deadline of the connection, which is that of a single call.
func giveTime(w http.ResponseWriter) {
	_ = http.NewResponseController(w).SetWriteDeadline(time.Now().Add(answerTime)) // writers of tests have no deadlines
}

// optional turns a timeout of a part of the page into a note on it. It returns other errors.
func (v *pageRequest) optional(part string, err error) error {
	if !refusedWith(err, http.StatusServiceUnavailable) {
		return err
	}
	v.omitted = append(v.omitted, part)
	return nil
}

// serve answers the requests of a page, or of its form, as its access demands.
func (c *Console) serve(p *page, answer handler) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		v := &pageRequest{Request: r, w: w, console: c, page: p, org: r.PathValue("org")}
		switch p.access {
		case signedIn:
			if r.Method != http.MethodGet { // the path of a form may differ from that of its page
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

// answerPerson answers people with a session, and redirects others to sign in.
func (v *pageRequest) answerPerson(answer handler) {
	_, err := v.Cookie(sessionCookie)
	wasSignedIn := err == nil
	v.session = &session{}
	if !wasSignedIn { // a visitor without a cookie has not failed to sign in
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
	case v.created != nil: // the secret would be lost
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

// refuseAnotherSite refuses a form of another site before the session is read.
func (v *pageRequest) refuseAnotherSite() {
	p := errAnotherSite(anotherSiteOfSession)
	v.session = nil
	v.renderAs("problem", p.Status, p.Title, refusal{problem: p, Back: v.back()})
}

// id returns the id in the path, escaped for a path of the API.
func (v *pageRequest) id() string { return url.PathEscape(v.PathValue("id")) }

// refusedForm returns what was typed into the form of an action that was refused; nil if it was not.
func (v *pageRequest) refusedForm(action string, refused *problem) url.Values {
	if (refused != nil || v.fault != nil) && v.PostFormValue("action") == action {
		return v.PostForm
	}
	return nil
}

// nonEmpty returns the fields of a form that have a value, with line breaks as \n.
func (v *pageRequest) nonEmpty(names ...string) map[string]any {
	values := map[string]any{}
	for _, name := range names {
		if value := v.PostFormValue(name); value != "" {
			values[name] = strings.ReplaceAll(value, "\r\n", "\n")
		}
	}
	return values
}

// save saves the changed fields of a record. Errors: *problem, also if another person has changed the same fields since
// the page was rendered.
func (v *pageRequest) save(path string, form htmlForm, stored map[string]any) error {
	form = form.changing()
	if err := form.outdated(stored, v.PostForm); err != nil {
		return err
	}
	return v.call(http.MethodPut, path, v.org, form.body(stored, v.PostForm), nil)
}

// unknownAction refuses a form whose action no page has.
func unknownAction() error {
	return &problem{Status: http.StatusBadRequest, Title: "There is no such action"}
}
