package web

import (
	"net/http"
	"net/url"
	"strings"
	"time"

	"levy/contract"
	"levy/internal/browser"
	"levy/models"
)

// pageRequest is a request for a page, or a form of one.
type pageRequest struct {
	*http.Request
	w            http.ResponseWriter
	console      *Console
	page         *page                  // the page to render; nil if a form has none
	session      contract.CallerSession // of the service, about the organization in the path if it has one
	user         *user                  // nil if the page needs no session
	client       contract.Onboarding    // the onboarding of the link
	organization *contract.Organization // in the path; nil if it was not read
	org          string                 // in the path; empty if it has none
	live         *live
	afterEvent   string   // cursor of the event after which the page follows events; empty if it follows none
	file         string   // name of the file that answers; empty for the name that the operation chose
	backToParent bool     // a failed page links to its parent page
	fault        *problem // why the form was refused; nil if it was not
	columns      []field  // of a file whose header was refused: one for each of its columns
	created      *shownOnce
	omitted      []string // parts of the page that could not be read in time

	closing  []func() // end the calls of the page
	replayed bool     // the page itself has found that the form was carried out before
}

// answerTime is the time limit of a page or form. It makes several calls: most have 15 seconds each, returns a minute,
// approvals and verifications five minutes.
const answerTime = 6 * time.Minute

// giveTime extends the deadline of the connection, which is that of a single call.
func giveTime(w http.ResponseWriter) {
	_ = http.NewResponseController(w).SetWriteDeadline(time.Now().Add(answerTime)) // writers of tests have no deadlines
}

// optional turns a timeout of a part of the page, or a limit on what is read at a time, into a note on it. It returns other
// errors.
func (v *pageRequest) optional(part string, err error) error {
	if !refusedWith(err, http.StatusServiceUnavailable) && !refusedWith(err, http.StatusTooManyRequests) {
		return err
	}
	v.omitted = append(v.omitted, part)
	return nil
}

// serve answers the requests of a page, or of its form, as its access demands.
func (c *Console) serve(p *page, answer handler) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		v := &pageRequest{Request: r, w: w, console: c, page: p, org: r.PathValue("org")}
		defer v.close()
		switch p.access {
		case signedIn:
			if r.Method != http.MethodGet { // the path of a form may differ from that of its page
				_, v.page = c.pageAt(r.URL.Path)
			}
			v.answerPerson(answer)
		case byLink:
			v.answerClient(answer)
		default:
			if err := v.answerVisitor(answer); err != nil {
				v.refuseLink(err)
			}
		}
	}
}

// answerPerson answers people with a session, and redirects others to sign in.
func (v *pageRequest) answerPerson(answer handler) {
	token, wasSignedIn := browser.SessionOf(v.Request)
	v.user = userOf(contract.Session{})
	if wasSignedIn && fromAnotherSite(v.Request) {
		v.refuseAnotherSite()
		return
	}
	err := models.ErrUnauthenticated // a visitor without a cookie has not failed to sign in
	if wasSignedIn {
		err = v.answerSession(token, answer)
	}
	if err == nil {
		return
	}
	refused := v.refusalOf(err)
	switch {
	case v.created != nil: // the secret would be lost
		v.renderAs("problem", http.StatusOK, v.created.Title, refusal{problem: &problem{Title: "The page cannot be shown now",
			Detail: "Store what is above before you go back to it."}, Back: v.back()})
	case refused.Code == stepUpRequired && v.Method == http.MethodPost:
		v.askForProof("", "")
	case refused.Status == http.StatusUnauthorized:
		http.Redirect(v.w, v.Request, v.signInAddress(wasSignedIn), http.StatusSeeOther)
	default:
		v.refused(refused)
	}
}

// answerSession admits the person of a session to the page, and answers it.
func (v *pageRequest) answerSession(token string, answer handler) error {
	admitted, err := v.console.gate.Person(v.Context(), token)
	if err != nil {
		return err
	}
	v.closing = append(v.closing, admitted.Close)
	v.enter(admitted)
	who, err := admitted.GetSession(v.Context(), contract.GetSessionRequest{})
	if err != nil {
		return err
	}
	v.user = userOf(who)
	v.lend()
	giveTime(v.w)
	if sealed := v.PostForm.Get(sealedField); sealed != "" {
		if ok, err := v.continueForm(sealed); !ok {
			return err
		}
	}
	v.readTyped()
	if done, err := v.readFilter(); done || err != nil {
		return err
	}
	return answer(v)
}

// answerVisitor answers without a session.
func (v *pageRequest) answerVisitor(answer handler) error {
	admitted, err := v.console.gate.Visitor(v.Context())
	if err != nil {
		return err
	}
	v.enter(admitted)
	return answer(v)
}

// close ends the calls of the page.
func (v *pageRequest) close() {
	for _, end := range v.closing {
		end()
	}
}

// refuseAnotherSite refuses a form of another site before the session is read.
func (v *pageRequest) refuseAnotherSite() {
	p := errAnotherSite(anotherSiteOfSession)
	v.user = nil
	v.renderAs("problem", p.Status, p.Title, refusal{problem: p, Back: v.back()})
}

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

// unknownAction refuses a form whose action no page has.
func unknownAction() error {
	return &problem{Status: http.StatusBadRequest, Title: "There is no such action"}
}
