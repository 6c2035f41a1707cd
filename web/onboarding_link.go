package web

import (
	"errors"
	"net"
	"net/http"
	"net/netip"
	"strconv"
	"strings"
)

// linkCookie is the name of the cookie of a link of an onboarding, as the contract has it. It is of the pages
// below linkPath alone, and goes with the browser.
const (
	linkCookie = "levy_onboarding"
	linkPath   = "/join"
)

// linkRequest is a request of a client that fills its onboarding by a link.
type linkRequest struct {
	*http.Request
	w       http.ResponseWriter
	console *Console
	onboarding
}

// linkPage is what the pages of a link are rendered from.
type linkPage struct {
	onboarding
	Step   int
	Name   string
	Form   htmlForm
	Faults []fault
	Key    string // a key that was just made
	Track  []trackStep

	Warnings []warning // about what was just saved
	Onward   onward
}

// fault is something that the API refused, and the id of the field on the page that it is about; empty for
// none.
type fault struct{ Field, Label, Message string }

// openLink keeps the token of a link in a cookie, so that it stands in no further address.
func (c *Console) openLink(w http.ResponseWriter, r *http.Request) {
	token := r.PathValue("token")
	if err := c.askAs(r, token, apiCall{method: http.MethodGet, path: "/v1/onboarding"}, &onboarding{}); err != nil {
		c.refuseLink(w, err)
		return
	}
	http.SetCookie(w, &http.Cookie{
		Name: linkCookie, Value: token, Path: linkPath, HttpOnly: true, Secure: !loopback(r.Host), SameSite: http.SameSiteLaxMode,
	})
	http.Redirect(w, r, linkPath, http.StatusSeeOther)
}

// loopback reports whether a host is this machine, where there is no TLS.
func loopback(host string) bool {
	if name, _, err := net.SplitHostPort(host); err == nil {
		host = name
	}
	address, err := netip.ParseAddr(host)
	return host == "localhost" || err == nil && address.IsLoopback()
}

// askAs calls the API with the token of a link and nothing else of the browser's cookies.
func (c *Console) askAs(r *http.Request, token string, asked apiCall, into any) error {
	bare := r.Clone(r.Context())
	bare.Header.Set("Cookie", (&http.Cookie{Name: linkCookie, Value: token}).String())
	_, err := c.ask(bare, asked, into)
	return err
}

func (j *linkRequest) call(method, path string, sent, into any) error {
	cookie, err := j.Cookie(linkCookie)
	if err != nil {
		return &problem{Status: http.StatusUnauthorized}
	}
	return j.console.askAs(j.Request, cookie.Value, apiCall{method: method, path: path, sent: sent}, into)
}

// refuseLink says that a link does not work, or what else the API refused.
func (c *Console) refuseLink(w http.ResponseWriter, err error) {
	refused := &problem{Status: http.StatusInternalServerError, Title: "The page could not be made"}
	if errors.As(err, &refused) && refused.Status == http.StatusUnauthorized {
		refused = &problem{
			Status: http.StatusGone, Title: "This link does not work any more",
			Detail: "It was replaced, its time is over, or the onboarding has ended. Ask whoever sent it to you for a new one.",
		}
	}
	c.render(w, refused.Status, "onboarding_link_problem", layout{Title: refused.Title, Page: refused})
}

// byLink shows a page to who has a link. A form says whose onboarding it is about, so that what was typed for
// one never goes to another whose link was opened meanwhile.
func (c *Console) byLink(show func(*linkRequest) error) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		j := &linkRequest{Request: r, w: w, console: c}
		if _, err := r.Cookie(linkCookie); err == nil && fromAnotherSite(r) {
			c.refuseLink(w, errAnotherSite(anotherSiteOfLink))
			return
		}
		err := j.call(http.MethodGet, "/v1/onboarding", nil, &j.onboarding)
		if err == nil && r.Method == http.MethodPost && r.PostFormValue("for") != j.Org {
			err = &problem{
				Status: http.StatusConflict, Title: "Another link was opened meanwhile",
				Detail: "Nothing was saved. Open the link of this onboarding again and go on.",
			}
		}
		if err == nil {
			giveTime(w)
			err = show(j)
		}
		if err != nil {
			c.refuseLink(w, err)
		}
	}
}

// continueByLink leads to where the client is.
func (c *Console) continueByLink(j *linkRequest) error {
	http.Redirect(j.w, j.Request, linkPath+"/step/"+strconv.Itoa(max(j.Next, 1)), http.StatusSeeOther)
	return nil
}

// linkDone says goodbye; the link does not work any more.
func (c *Console) linkDone(w http.ResponseWriter, _ *http.Request) { c.showLinkDone(w, nil) }

func (c *Console) showLinkDone(w http.ResponseWriter, warnings []warning) {
	http.SetCookie(w, &http.Cookie{Name: linkCookie, Path: linkPath, MaxAge: -1, HttpOnly: true})
	c.render(w, http.StatusOK, "onboarding_link_done", layout{Title: "All eight steps are done", Page: warnings})
}

// step reads which step a path names. Errors: *problem.
func (j *linkRequest) step() (int, error) {
	step, err := strconv.Atoi(j.PathValue("step"))
	if err == nil && step == 2 && j.Next > 2 {
		return 0, &problem{Status: http.StatusConflict, Title: "Your API key was created before",
			Detail: "It was shown once. If you did not see it, ask whoever sent you the link to replace it, and go on."}
	}
	if err != nil || step < 2 || step > len(steps) || step > j.Next {
		return 0, &problem{Status: http.StatusNotFound, Title: "This step is not to be done now"}
	}
	return step, nil
}

func (j *linkRequest) show(status, step int, page linkPage) {
	page.onboarding, page.Step, page.Name = j.onboarding, step, stepNames(step)
	page.Track = page.track(linkPath+"/step", step)
	page.Onward = onward{afterLinkStep(step), "Continue with step " + strconv.Itoa(step+1)}
	title := "Step " + strconv.Itoa(step) + " of 8: " + page.Name
	if len(page.Faults) > 0 {
		title = "To correct: " + title
	}
	j.console.render(j.w, status, "onboarding_link", layout{Title: title, Page: page})
}

// showLinkStep shows the form of a step with what was saved of it.
func (c *Console) showLinkStep(j *linkRequest) error {
	step, err := j.step()
	if err != nil {
		return err
	}
	stored, err := j.stored(step)
	if err != nil {
		return err
	}
	j.show(http.StatusOK, step, linkPage{Form: stepForms[step].changing().filled(stored, nil)})
	return nil
}

// saveLinkStep sends what was typed to the API, which decides whether it is right, and goes on.
func (c *Console) saveLinkStep(j *linkRequest) error {
	step, err := j.step()
	if err != nil {
		return err
	}
	if step == 2 {
		return j.makeKey()
	}
	stored, err := j.stored(step)
	if err != nil {
		return err
	}
	form, saved := stepForms[step].changing(), savedStep{}
	if err = form.outdated(stored, j.PostForm); err == nil {
		err = j.call(http.MethodPut, form.saves(j.PostForm), form.body(stored, j.PostForm), &saved)
	}
	var refused *problem
	if errors.As(err, &refused) && refused.ofFields() {
		page := linkPage{Form: form.filled(stored, j.PostForm)}
		page.Faults = page.Form.mark(refused)
		j.show(refused.Status, step, page)
		return nil
	}
	if err != nil {
		return err
	}
	switch {
	case len(saved.Warnings) == 0:
		http.Redirect(j.w, j.Request, afterLinkStep(step), http.StatusSeeOther)
	case step == len(steps): // the link ends with the last step, so that its form cannot be shown again
		j.console.showLinkDone(j.w, saved.Warnings)
	default:
		if stored, err = j.stored(step); err != nil {
			return err
		}
		j.onboarding = saved.Onboarding
		j.show(http.StatusOK, step, linkPage{Form: form.filled(stored, nil), Warnings: saved.Warnings})
	}
	return nil
}

// afterLinkStep is where a client goes on that has saved a step.
func afterLinkStep(step int) string {
	if step == len(steps) {
		return linkPath + "/done"
	}
	return linkPath + "/step/" + strconv.Itoa(step+1)
}

// makeKey does step 2 and shows the key, once.
func (j *linkRequest) makeKey() error {
	var made struct {
		Key string `json:"api_key"`
	}
	if err := j.call(http.MethodPost, "/v1/organizations/api_keys",
		map[string]any{"name": "Made with the onboarding link"}, &made); err != nil {
		return err
	}
	j.Next = 3
	j.show(http.StatusOK, 2, linkPage{Key: made.Key})
	return nil
}

// stored reads what was saved of a step; nothing where the step was never done.
func (j *linkRequest) stored(step int) (map[string]any, error) {
	form, ok := stepForms[step]
	if !ok {
		return nil, nil
	}
	return form.stored(func(path string, into any) error { return j.call(http.MethodGet, path, nil, into) })
}

// fieldOf is the name of the field in the location of a fault.
func fieldOf(location string) string {
	_, name, _ := strings.Cut(location, ".")
	return name
}
