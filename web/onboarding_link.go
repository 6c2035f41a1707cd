package web

import (
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"strings"

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
	if strings.HasPrefix(v.URL.Path, "/calendar/") || strings.HasPrefix(v.URL.Path, "/unsubscribe/") { // of no onboarding
		v.renderAs("problem", refused.Status, refused.Title, refusal{problem: refused, Back: "/"})
		return
	}
	if refused.Status == http.StatusUnauthorized {
		refused = &problem{
			Status: http.StatusGone, Title: "This link no longer works",
			Detail: "It was replaced, it has expired, or the onboarding has ended. Ask the person who sent it to you for a new one.",
		}
	}
	if v.Method == http.MethodPost && lostAnswer(refused) {
		refused.Title, refused.Detail = "The answer was lost", answerLost
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
		if refusedWith(err, http.StatusUnauthorized) && v.PostFormValue(adminEmail) != "" {
			http.Redirect(v.w, v.Request, doneAfter(signInRepeated), http.StatusSeeOther)
			return nil
		}
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
	http.Redirect(v.w, v.Request, linkPath+"/step/"+strconv.Itoa(max(valueOf(v.client.NextStep), firstForm)), http.StatusSeeOther)
	return nil
}

// firstSignIn says how the first admin signs in after the last step. It is a parameter of the last page.
type firstSignIn string

const (
	signInAsBefore firstSignIn = ""       // somebody was invited before the last step
	signInByLink   firstSignIn = "link"   // the last page leads to the page that sets the password
	signInByMail   firstSignIn = "mail"   // the link of the invitation is sent
	signInRefused  firstSignIn = "nobody" // the maker of the link may invite nobody
	signInRepeated firstSignIn = "again"  // the form was sent again after the onboarding had ended
)

// linkDonePage is the data of the last page.
type linkDonePage struct {
	Warnings []warning
	How      firstSignIn
	Path     string // of the page that sets the password; empty if there is none
	Email    string // whose password that is
}

// linkDone shows that the onboarding is complete; the link has expired.
func (c *Console) linkDone(v *pageRequest) error {
	return v.showLinkDone(firstSignIn(v.URL.Query().Get("sign_in")), nil)
}

// showLinkDone shows the last page. The sign-in link of the first admin stands on it alone, and the cookie from which it
// follows stays until that person has a password, so that the page can be loaded again.
func (v *pageRequest) showLinkDone(how firstSignIn, warnings []warning) error {
	page := linkDonePage{Warnings: warnings, How: how}
	cookie, err := v.Cookie(browser.LinkCookie)
	if err == nil && v.console.provider == "" && (how == signInByLink || how == signInRepeated) {
		path := v.console.gate.FirstSignIn(cookie.Value)
		sent := contract.SignInLinkToken{Token: strings.TrimPrefix(path, "/sign-in/")}
		link, err := v.session.GetSignInLink(v.Context(), contract.GetSignInLinkRequest{Body: sent})
		if err == nil {
			page.Path, page.Email = path, link.Email
		} else if !refusedWith(err, http.StatusUnauthorized) {
			return err
		}
	}
	// guard: first admin: a repeated form leads on only where the first one has invited a person
	if how == signInRepeated && page.Path == "" {
		v.refuseLink(models.ErrUnauthenticated)
		return nil
	}
	if page.Path == "" {
		http.SetCookie(v.w, &http.Cookie{Name: browser.LinkCookie, Path: linkPath, MaxAge: -1, HttpOnly: true})
	}
	v.renderAs("onboarding_link_done", http.StatusOK, "All steps are done", page)
	return nil
}

// linkStep returns the step of the path. The key of step 2 comes with the link, or with the first form of a link from
// before: a client never sees it. Errors: *problem.
func (v *pageRequest) linkStep() (int, error) {
	step, err := strconv.Atoi(v.PathValue("step"))
	if err != nil || step < firstForm || step > len(steps) || step > max(valueOf(v.client.NextStep), firstForm) {
		return 0, &problem{Status: http.StatusNotFound, Title: "This step is not to be done now"}
	}
	return step, nil
}

func (v *pageRequest) showOnboarding(status, step int, page stepPage) {
	page.onboarding, page.Step, page.Name = onboardingOf(v.client), step, stepNames(step)
	page.Track = page.track(linkPath+"/step", step)[firstForm-1:]
	page.Onward = onward{afterLinkStep(step), "Continue: " + stepNames(step+1)}
	title := fmt.Sprintf("Step %d of %d: %s", page.Place(), page.Places(), page.Name)
	v.render(status, titled(title, page.Faults), page)
}

// Place returns the place of the step among those with a form, which are all that a client sees.
func (p stepPage) Place() int { return p.Step - firstForm + 1 }

// Places returns the number of the steps with a form.
func (stepPage) Places() int { return len(steps) - firstForm + 1 }

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
	v.showOnboarding(http.StatusOK, step, v.linkStepPage(step, stored, nil))
	return nil
}

// saveLinkStep saves a step and redirects to the next one, or shows the errors of the API.
func (c *Console) saveLinkStep(v *pageRequest) error {
	step, err := v.linkStep()
	if err != nil {
		return err
	}
	stored, err := v.readStep(step)
	if err != nil {
		return err
	}
	// guard: onboarding: the last step is sent with a consent to the summary
	if step == len(steps) {
		page := v.linkStepPage(step, stored, v.PostForm)
		missing := page.Admin.markMissing(v.PostForm)
		if v.PostFormValue(consent) == "" {
			page.Consent.Fault = neededFault
			missing = append(missing, fault{consent, page.Consent.Label, page.Consent.Fault})
		}
		if missing != nil {
			page.Faults = append(page.Form.markMissing(v.PostForm), missing...)
			v.showOnboarding(http.StatusBadRequest, step, page)
			return nil
		}
	}
	var saved savedStep
	var how firstSignIn
	err = v.makeKey()
	if err == nil && step == len(steps) {
		how, err = v.inviteFirst()
		if refused := problemOf(err); refused != nil && refused.isValidation() {
			page := v.linkStepPage(step, stored, v.PostForm)
			page.Faults = append(page.Form.markMissing(v.PostForm), page.Admin.mark(refused)...)
			v.showOnboarding(refused.Status, step, page)
			return nil
		}
	}
	if err == nil {
		saved, err = v.saveStep(step, stored)
	}
	if refused := problemOf(err); lostAnswer(refused) || refused != nil && refused.isValidation() {
		page := v.linkStepPage(step, stored, v.PostForm)
		if lostAnswer(refused) {
			page.Faults = []fault{{Message: answerLost}}
		} else {
			page.Faults = page.Form.mark(refused)
		}
		v.showOnboarding(refused.Status, step, page)
		return nil
	}
	if err != nil {
		return err
	}
	switch {
	case len(saved.Warnings) == 0 && step == len(steps):
		http.Redirect(v.w, v.Request, doneAfter(how), http.StatusSeeOther)
	case len(saved.Warnings) == 0:
		http.Redirect(v.w, v.Request, afterLinkStep(step), http.StatusSeeOther)
	case step == len(steps): // the link expires with the last step: its form cannot be shown again
		return v.showLinkDone(how, saved.Warnings)
	default:
		if stored, err = v.readStep(step); err != nil {
			return err
		}
		v.client = saved.Onboarding
		page := v.linkStepPage(step, stored, nil)
		page.Warnings = saved.Warnings
		v.showOnboarding(http.StatusOK, step, page)
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

// doneAfter returns the path of the last page.
func doneAfter(how firstSignIn) string {
	if how == signInAsBefore {
		return linkPath + "/done"
	}
	return linkPath + "/done?sign_in=" + string(how)
}

// These are the fields of the person who signs in first.
const adminName, adminEmail = "admin_name", "admin_email"

// firstAdminForm asks who signs in first.
var firstAdminForm = htmlForm{Groups: []fieldGroup{{
	Title: "Your sign-in",
	Note:  "With it you see your sales and returns. You set the password on the next page.",
	Fields: []field{
		{Name: adminName, Path: "name", Label: "Your name", Kind: "text", Required: true, Max: 200, Auto: "name"},
		{Name: adminEmail, Path: "email", Label: "Your e-mail address for signing in", Kind: "email", Required: true, Max: 320,
			Auto: "email", AsTyped: true},
	},
}}}

// inviteFirst invites the first admin before the last step, after which the link invites nobody. Where the maker of the
// link may invite nobody, the onboarding ends nevertheless, and the last page says so.
func (v *pageRequest) inviteFirst() (firstSignIn, error) {
	if v.client.FirstAdmin != "" {
		return signInAsBefore, nil
	}
	body := firstAdminForm.body(nil, v.PostForm)
	body["role"] = models.RoleAdmin
	session, err := v.sending(body)
	if err != nil {
		return "", err
	}
	invited, err := session.InviteUser(v.Context(), contract.InviteUserRequest{})
	switch {
	case refusedWith(err, http.StatusForbidden):
		return signInRefused, nil
	case invited.Mailed:
		return signInByMail, err
	}
	return signInByLink, err
}

// unseenKey is the name of a key that no one has seen.
const unseenKey = "Made with the onboarding link, seen by nobody"

// makeKey does step 2 for a link from before the partner got the key with the link. No one sees this key: the page of the
// client says so to the partner.
func (v *pageRequest) makeKey() error {
	if valueOf(v.client.NextStep) != models.StepAPIKey {
		return nil
	}
	_, err := v.session.CreateAPIKey(v.Context(), contract.CreateAPIKeyRequest{Body: contract.APIKeyCreate{Name: unseenKey}})
	return err
}

// answerLost explains a form whose answer was lost.
const answerLost = "The answer was lost on its way. Press again: nothing is done twice."

// lostAnswer reports whether it is unknown whether a form was carried out.
func lostAnswer(refused *problem) bool {
	return refused != nil && (refused.Status == http.StatusServiceUnavailable || !refused.Undone())
}

// linkStepPage returns the form of a step. The last one comes with a summary of the steps before, and asks for a consent.
func (v *pageRequest) linkStepPage(step int, stored map[string]any, typed url.Values) stepPage {
	form := stepForms[step].neutral().changing().filled(stored, typed)
	if typed == nil {
		form = form.withCountry(stored)
	}
	page := stepPage{Form: form}
	if step == len(steps) {
		page.Summary, page.Consent = v.summary(), &field{Name: consent, Kind: "check", Required: true,
			Label: "This is right, and I may act for the company"}
		if v.client.FirstAdmin == "" {
			page.Admin = firstAdminForm.filled(nil, typed)
		}
	}
	return page
}

// consent is the box without which the last step is not sent.
const consent = "consent"

// summary returns the groups of the earlier steps that have values. A summary that cannot be read is left out.
func (v *pageRequest) summary() (groups []fieldGroup) {
	stored, err := v.readStep(firstForm)
	if err != nil {
		return nil
	}
	for step := firstForm; step < len(steps); step++ {
		for _, group := range stepForms[step].filled(stored, nil).Groups {
			if group.Open() {
				groups = append(groups, group)
			}
		}
	}
	return groups
}
