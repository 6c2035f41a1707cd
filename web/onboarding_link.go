package web

import (
	"errors"
	"net"
	"net/http"
	"net/netip"
	"strconv"
)

// linkCookie is the name of the cookie with the token of an onboarding link, as in the contract. Browsers send it below
// linkPath only, and delete it when they close.
const (
	linkCookie = "levy_onboarding"
	linkPath   = "/join"
)

// linkPage is the data of the pages of an onboarding link.
type linkPage struct {
	onboarding
	Step   int
	Name   string
	Form   htmlForm
	Faults []fault
	Key    string // a key that was just created
	Track  []trackStep

	Warnings []warning // about the step that was just saved
	Onward   onward
}

// fault is an error message, with the id and the label of its field; both are empty if it belongs to no field.
type fault struct{ Field, Label, Message string }

// openLink stores the token of a link in a cookie, so that no further address has it.
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

// askAs calls the API with the token of a link, and with no other cookie of the browser.
func (c *Console) askAs(r *http.Request, token string, asked apiCall, into any) error {
	bare := r.Clone(r.Context())
	bare.Header.Set("Cookie", (&http.Cookie{Name: linkCookie, Value: token}).String())
	_, err := c.ask(bare, asked, into)
	return err
}

// callByLink calls the API with the token in the cookie of the link.
func (v *pageRequest) callByLink(method, path string, sent, into any) error {
	cookie, err := v.Cookie(linkCookie)
	if err != nil {
		return &problem{Status: http.StatusUnauthorized}
	}
	return v.console.askAs(v.Request, cookie.Value, apiCall{method: method, path: path, sent: sent}, into)
}

// refuseLink shows a page with the reason why a link or one of its forms was refused.
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

// answerClient answers a client with a link. A form names its onboarding: the browser may have opened the link of
// another one since the form was rendered.
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

// continueByLink redirects to the next step of the onboarding.
func (c *Console) continueByLink(v *pageRequest) error {
	http.Redirect(v.w, v.Request, linkPath+"/step/"+strconv.Itoa(max(v.client.Next, 1)), http.StatusSeeOther)
	return nil
}

// linkDone shows that the onboarding is complete; the link has expired.
func (c *Console) linkDone(v *pageRequest) error { return v.showLinkDone(nil) }

func (v *pageRequest) showLinkDone(warnings []warning) error {
	http.SetCookie(v.w, &http.Cookie{Name: linkCookie, Path: linkPath, MaxAge: -1, HttpOnly: true})
	v.renderAs("onboarding_link_done", http.StatusOK, "All eight steps are done", warnings)
	return nil
}

// linkStep returns the step of the path. Errors: *problem.
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

// showLinkStep shows the form of a step with its saved values.
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

// saveLinkStep saves a step and redirects to the next one, or shows the errors of the API.
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
	case step == len(steps): // the link expires with the last step: its form cannot be shown again
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

// afterLinkStep returns the path of the page after a step.
func afterLinkStep(step int) string {
	if step == len(steps) {
		return linkPath + "/done"
	}
	return linkPath + "/step/" + strconv.Itoa(step+1)
}

// makeKey does step 2: it creates the API key and shows it once.
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

// storedByLink reads the saved values of a step; none if it was never done.
func (v *pageRequest) storedByLink(step int) (map[string]any, error) {
	form, ok := stepForms[step]
	if !ok {
		return nil, nil
	}
	return form.stored(func(path string, into any) error { return v.callByLink(http.MethodGet, path, nil, into) })
}
