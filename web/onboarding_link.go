package web

import (
	"errors"
	"net"
	"net/http"
	"net/netip"
	"strconv"
)

// linkCookie is the name of the cookie of a link of an onboarding, as the contract has it. It is of the pages
// below linkPath alone, and goes with the browser.
const (
	linkCookie = "levy_onboarding"
	linkPath   = "/join"
)

// linkPage is what the pages of a link are rendered from.
type linkPage struct {
	onboarding
	Step   int
	Name   string
	Form   htmlForm
	Faults []fault
	Key    string // a key that was just created
	Track  []trackStep

	Warnings []warning // about what was just saved
	Onward   onward
}

// fault is something that the API refused, and the id of the field on the page that it is about; empty for
// none.
type fault struct{ Field, Label, Message string }

// openLink keeps the token of a link in a cookie, so that it stands in no further address.
func (c *Console) openLink(v *pageRequest) error {
	token := v.PathValue("token")
	err := c.askAs(v.Request, token, apiCall{method: http.MethodGet, path: "/v1/onboarding"}, &onboarding{})
	if err != nil {
		return err
	}
	http.SetCookie(v.w, &http.Cookie{
		Name: linkCookie, Value: token, Path: linkPath, HttpOnly: true, Secure: !loopback(v.Host), SameSite: http.SameSiteLaxMode,
	})
	http.Redirect(v.w, v.Request, linkPath, http.StatusSeeOther)
	return nil
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

// callByLink calls the API with the token of the link.
func (v *pageRequest) callByLink(method, path string, sent, into any) error {
	cookie, err := v.Cookie(linkCookie)
	if err != nil {
		return &problem{Status: http.StatusUnauthorized}
	}
	return v.console.askAs(v.Request, cookie.Value, apiCall{method: method, path: path, sent: sent}, into)
}

// refuseLink says that a link does not work, or what else the API refused.
func (v *pageRequest) refuseLink(err error) {
	refused := &problem{Status: http.StatusInternalServerError, Title: "The page could not be made"}
	if errors.As(err, &refused) && refused.Status == http.StatusUnauthorized {
		refused = &problem{
			Status: http.StatusGone, Title: "This link does not work any more",
			Detail: "It was replaced, its time is over, or the onboarding has ended. Ask whoever sent it to you for a new one.",
		}
	}
	v.renderAs("onboarding_link_problem", refused.Status, refused.Title, refused)
}

// answerClient answers who has a link. A form says whose onboarding it is about, so that what was typed for
// one never goes to another whose link was opened meanwhile.
func (v *pageRequest) answerClient(answer handler) {
	if _, err := v.Cookie(linkCookie); err == nil && fromAnotherSite(v.Request) {
		v.refuseLink(errAnotherSite(anotherSiteOfLink))
		return
	}
	v.client = &onboarding{}
	err := v.callByLink(http.MethodGet, "/v1/onboarding", nil, v.client)
	if err == nil && v.Method == http.MethodPost && v.PostFormValue("for") != v.client.Org {
		err = &problem{
			Status: http.StatusConflict, Title: "Another link was opened meanwhile",
			Detail: "Nothing was saved. Open the link of this onboarding again and go on.",
		}
	}
	if err == nil {
		giveTime(v.w)
		err = answer(v)
	}
	if err != nil {
		v.refuseLink(err)
	}
}

// continueByLink leads to where the client is.
func (c *Console) continueByLink(v *pageRequest) error {
	http.Redirect(v.w, v.Request, linkPath+"/step/"+strconv.Itoa(max(v.client.Next, 1)), http.StatusSeeOther)
	return nil
}

// linkDone says goodbye; the link does not work any more.
func (c *Console) linkDone(v *pageRequest) error { return v.showLinkDone(nil) }

func (v *pageRequest) showLinkDone(warnings []warning) error {
	http.SetCookie(v.w, &http.Cookie{Name: linkCookie, Path: linkPath, MaxAge: -1, HttpOnly: true})
	v.renderAs("onboarding_link_done", http.StatusOK, "All eight steps are done", warnings)
	return nil
}

// linkStep reads which step a path names. Errors: *problem.
func (v *pageRequest) linkStep() (int, error) {
	step, err := strconv.Atoi(v.PathValue("step"))
	if err == nil && step == 2 && v.client.Next > 2 {
		return 0, &problem{Status: http.StatusConflict, Title: "Your API key was created before",
			Detail: "It was shown once. If you did not see it, ask whoever sent you the link to replace it, and go on."}
	}
	if err != nil || step < 2 || step > len(steps) || step > v.client.Next {
		return 0, &problem{Status: http.StatusNotFound, Title: "This step is not to be done now"}
	}
	return step, nil
}

func (v *pageRequest) showOnboarding(status, step int, page linkPage) {
	page.onboarding, page.Step, page.Name = *v.client, step, stepNames(step)
	page.Track = page.track(linkPath+"/step", step)
	page.Onward = onward{afterLinkStep(step), "Continue with step " + strconv.Itoa(step+1)}
	title := "Step " + strconv.Itoa(step) + " of 8: " + page.Name
	if len(page.Faults) > 0 {
		title = "To correct: " + title
	}
	v.render(status, title, page)
}

// showLinkStep shows the form of a step with what was saved of it.
func (c *Console) showLinkStep(v *pageRequest) error {
	step, err := v.linkStep()
	if err != nil {
		return err
	}
	stored, err := v.storedByLink(step)
	if err != nil {
		return err
	}
	v.showOnboarding(http.StatusOK, step, linkPage{Form: stepForms[step].changing().filled(stored, nil)})
	return nil
}

// saveLinkStep sends what was typed to the API, which decides whether it is right, and goes on.
func (c *Console) saveLinkStep(v *pageRequest) error {
	step, err := v.linkStep()
	if err != nil {
		return err
	}
	if step == 2 {
		return v.makeKey()
	}
	stored, err := v.storedByLink(step)
	if err != nil {
		return err
	}
	form, saved := stepForms[step].changing(), savedStep{}
	if err = form.outdated(stored, v.PostForm); err == nil {
		err = v.callByLink(http.MethodPut, form.saves(v.PostForm), form.body(stored, v.PostForm), &saved)
	}
	var refused *problem
	if errors.As(err, &refused) && refused.isValidation() {
		page := linkPage{Form: form.filled(stored, v.PostForm)}
		page.Faults = page.Form.mark(refused)
		v.showOnboarding(refused.Status, step, page)
		return nil
	}
	if err != nil {
		return err
	}
	switch {
	case len(saved.Warnings) == 0:
		http.Redirect(v.w, v.Request, afterLinkStep(step), http.StatusSeeOther)
	case step == len(steps): // the link ends with the last step, so that its form cannot be shown again
		return v.showLinkDone(saved.Warnings)
	default:
		if stored, err = v.storedByLink(step); err != nil {
			return err
		}
		v.client = &saved.Onboarding
		v.showOnboarding(http.StatusOK, step, linkPage{Form: form.filled(stored, nil), Warnings: saved.Warnings})
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
func (v *pageRequest) makeKey() error {
	var created struct {
		Key string `json:"api_key"`
	}
	if err := v.callByLink(http.MethodPost, "/v1/organizations/api_keys",
		map[string]any{"name": "Made with the onboarding link"}, &created); err != nil {
		return err
	}
	v.client.Next = 3
	v.showOnboarding(http.StatusOK, 2, linkPage{Key: created.Key})
	return nil
}

// storedByLink reads what was saved of a step; nothing where the step was never done.
func (v *pageRequest) storedByLink(step int) (map[string]any, error) {
	form, ok := stepForms[step]
	if !ok {
		return nil, nil
	}
	return form.stored(func(path string, into any) error { return v.callByLink(http.MethodGet, path, nil, into) })
}
