package web

import (
	"net/http"
	"strconv"

	"levy/contract"
	"levy/internal/browser"
	"levy/models"
)

// linkPath is the path of the pages of an onboarding link. Browsers send its cookie below this path only, and delete it
// when they close.
const linkPath = "/join"

// fault is an error message, with the id and the label of its field; both are empty if it belongs to no field.
type fault struct{ Field, Label, Message string }

// openLink stores the token of a link in a cookie, so that no further address has it.
func (c *Console) openLink(v *pageRequest) error {
	token := v.PathValue("token")
	if err := v.admitClient(token); err != nil {
		return err
	}
	http.SetCookie(v.w, &http.Cookie{
		Name: browser.LinkCookie, Value: token, Path: linkPath, HttpOnly: true, Secure: browser.Secure(v.Request), SameSite: http.SameSiteLaxMode,
	})
	http.Redirect(v.w, v.Request, linkPath, http.StatusSeeOther)
	return nil
}

// admitClient admits the client with the token of a link to the page, and reads its onboarding.
func (v *pageRequest) admitClient(token string) error {
	admitted, err := v.console.gate.Client(v.Context(), token)
	if err != nil {
		return err
	}
	v.closing = append(v.closing, admitted.Close)
	v.enter(admitted)
	v.client, err = v.session.GetOwnOnboarding(v.Context(), contract.GetOwnOnboardingRequest{})
	return err
}

// refuseLink shows a page with the reason why a link or one of its forms was refused.
func (v *pageRequest) refuseLink(err error) {
	refused := v.refusalOf(err)
	if refused.Status == http.StatusUnauthorized {
		refused = &problem{
			Status: http.StatusGone, Title: "This link does not work any more",
			Detail: "It was replaced, its time is over, or the onboarding has ended. Ask whoever sent it to you for a new one.",
		}
	}
	v.renderAs("onboarding_link_problem", refused.Status, refused.Title, refused)
}

// answerClient answers a client with a link.
func (v *pageRequest) answerClient(answer handler) {
	cookie, err := v.Cookie(browser.LinkCookie)
	switch {
	case err != nil:
		err = models.ErrUnauthenticated
	case fromAnotherSite(v.Request):
		err = errAnotherSite(anotherSiteOfLink)
	default:
		err = v.answerLink(cookie.Value, answer)
	}
	if err != nil {
		v.refuseLink(err)
	}
}

// answerLink answers the client with the token of a link. A form names its onboarding: the browser may have opened the
// link of another one since the form was rendered.
func (v *pageRequest) answerLink(token string, answer handler) error {
	if err := v.admitClient(token); err != nil {
		return err
	}
	if v.Method == http.MethodPost && v.PostFormValue("for") != v.client.OrganizationID {
		return &problem{
			Status: http.StatusConflict, Title: "Another link was opened meanwhile",
			Detail: "Nothing was saved. Open the link of this onboarding again and go on.",
		}
	}
	giveTime(v.w)
	return answer(v)
}

// continueByLink redirects to the next step of the onboarding.
func (c *Console) continueByLink(v *pageRequest) error {
	http.Redirect(v.w, v.Request, linkPath+"/step/"+strconv.Itoa(max(valueOf(v.client.NextStep), 1)), http.StatusSeeOther)
	return nil
}

// linkDone shows that the onboarding is complete; the link has expired.
func (c *Console) linkDone(v *pageRequest) error { return v.showLinkDone(nil) }

func (v *pageRequest) showLinkDone(warnings []warning) error {
	http.SetCookie(v.w, &http.Cookie{Name: browser.LinkCookie, Path: linkPath, MaxAge: -1, HttpOnly: true})
	v.renderAs("onboarding_link_done", http.StatusOK, "All eight steps are done", warnings)
	return nil
}

// linkStep returns the step of the path. Errors: *problem.
func (v *pageRequest) linkStep() (int, error) {
	step, err := strconv.Atoi(v.PathValue("step"))
	next := valueOf(v.client.NextStep)
	if err == nil && step == models.StepAPIKey && next > step {
		return 0, &problem{Status: http.StatusConflict, Title: "Your API key was created before",
			Detail: "It was shown once. If you did not see it, ask whoever sent you the link to replace it, and go on."}
	}
	if err != nil || step < models.StepAPIKey || step > len(steps) || step > next {
		return 0, &problem{Status: http.StatusNotFound, Title: "This step is not to be done now"}
	}
	return step, nil
}

func (v *pageRequest) showOnboarding(status, step int, page stepPage) {
	page.onboarding, page.Step, page.Name = onboardingOf(v.client), step, stepNames(step)
	page.Track = page.track(linkPath+"/step", step)
	page.Onward = onward{afterLinkStep(step), "Continue with step " + strconv.Itoa(step+1)}
	v.render(status, titled("Step "+strconv.Itoa(step)+" of 8: "+page.Name, page.Faults), page)
}

// showLinkStep shows the form of a step with its saved values.
func (c *Console) showLinkStep(v *pageRequest) error {
	step, err := v.linkStep()
	if err != nil {
		return err
	}
	stored, err := v.readStep(step)
	if err != nil {
		return err
	}
	v.showOnboarding(http.StatusOK, step, stepPage{Form: stepForms[step].changing().filled(stored, nil)})
	return nil
}

// saveLinkStep saves a step and redirects to the next one, or shows the errors of the API.
func (c *Console) saveLinkStep(v *pageRequest) error {
	step, err := v.linkStep()
	if err != nil {
		return err
	}
	if step == models.StepAPIKey {
		return v.makeKey()
	}
	stored, err := v.readStep(step)
	if err != nil {
		return err
	}
	saved, err := v.saveStep(step, stored)
	form := stepForms[step].changing()
	if refused := problemOf(err); refused != nil && refused.isValidation() {
		page := stepPage{Form: form.filled(stored, v.PostForm)}
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
		if stored, err = v.readStep(step); err != nil {
			return err
		}
		v.client = saved.Onboarding
		v.showOnboarding(http.StatusOK, step, stepPage{Form: form.filled(stored, nil), Warnings: saved.Warnings})
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
	created, err := v.session.CreateAPIKey(v.Context(), contract.CreateAPIKeyRequest{
		Body: contract.APIKeyCreate{Name: "Made with the onboarding link"},
	})
	if err != nil {
		return err
	}
	v.client.NextStep = new(models.StepBusinessDetails)
	v.showOnboarding(http.StatusOK, models.StepAPIKey, stepPage{Key: created.APIKey})
	return nil
}
