package web

import (
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"levy/contract"
	"levy/models"
)

// firstForm is the first step with a form: the organization and its key are created before.
const firstForm = 3

// trackStep is a step in the bar above the form of a step.
type trackStep struct {
	Number  int
	Status  contract.OnboardingStepStatus
	Address string // of its form; empty if it cannot be opened, or is the current one
	Current bool
}

// Opens reports whether the form of a step can be filled in. The step is done or the next one, and the onboarding was not
// undone.
func (o onboarding) Opens(step int) bool {
	return step >= firstForm && (o.Completed() || o.Ongoing() && step <= o.Next())
}

// track returns the steps with the addresses of their forms, which are below a path.
func (o onboarding) track(base string, current int) []trackStep {
	all := make([]trackStep, len(o.Steps))
	for i, s := range o.Steps {
		all[i] = trackStep{Number: s.Number, Status: s.Status, Current: s.Number == current}
		if o.Opens(s.Number) && s.Number != current {
			all[i].Address = base + "/" + strconv.Itoa(s.Number)
		}
	}
	return all
}

// Ongoing reports whether the onboarding has steps to do.
func (o onboarding) Ongoing() bool {
	return o.is(models.OnboardingNotStarted, models.OnboardingInProgress)
}

// stepPage is the data of the form of a step.
type stepPage struct {
	onboarding
	Step     int
	Name     string
	Form     htmlForm
	Track    []trackStep
	Faults   []fault
	Warnings []warning // about the step that was just saved
	Onward   onward
	Summary  []fieldGroup // of the earlier steps, on the last page of a link
	Consent  *field       // the box without which the last step of a link is not sent; nil for other forms
	Admin    htmlForm     // who signs in first, on the last page of a link; empty where the organization has somebody
}

// Saved reports whether the step has any saved value.
func (p stepPage) Saved() bool { return slices.ContainsFunc(p.Form.Groups, fieldGroup.Open) }

// warning is a doubt of the API about a saved value.
type warning struct{ contract.Warning }

// Text returns the message of the warning with labels instead of codes.
func (w warning) Text() string {
	words := strings.Split(w.Message, " ")
	for i, word := range words {
		if core := strings.TrimRight(word, "."); len(core) > 3 && codeInText.MatchString(core) {
			words[i] = strings.ToLower(sentence(core)) + word[len(core):]
		}
	}
	return strings.Join(words, " ")
}

// onward is the link to the page after a step.
type onward struct{ Address, Label string }

func companyPath(org string) string { return "/o/" + url.PathEscape(org) + "/company" }

// company shows the progress of the organization's onboarding.
func (c *Console) company(v *pageRequest) error {
	if err := v.requireMember(); err != nil {
		return err
	}
	v.followEvents()
	read, err := v.session.GetOwnOnboarding(v.Context(), contract.GetOwnOnboardingRequest{})
	if err != nil {
		return err
	}
	o := onboardingOf(read)
	for i := range o.Steps {
		if step := &o.Steps[i]; o.Opens(step.Number) && v.user.readsCompany(v.org) {
			step.Address = companyPath(v.org) + "/" + strconv.Itoa(step.Number)
		}
	}
	return v.show("Company", o)
}

// formStep returns the step of the path and its form. Errors: *problem.
func (v *pageRequest) formStep() (int, htmlForm, error) {
	step, _ := strconv.Atoi(v.PathValue("step"))
	form, known := stepForms[step]
	if !known {
		return 0, form, &problem{Status: http.StatusNotFound, Title: "There is no such step"}
	}
	return step, form, nil
}

// companyStep shows the form of a step with its saved values, or with the typed ones if they were refused.
func (c *Console) companyStep(v *pageRequest) error {
	step, form, err := v.formStep()
	if err != nil {
		return err
	}
	stored, err := v.readStep(step)
	if err != nil {
		return err
	}
	typed := url.Values(nil)
	if v.fault != nil {
		typed = v.PostForm
	}
	return v.showStep(http.StatusOK, stepPage{Form: form.changing().filled(stored, typed)})
}

// showStep shows the form of a step. Errors: *problem, also if the step cannot be opened.
func (v *pageRequest) showStep(status int, page stepPage) error {
	step, _, err := v.formStep()
	if err != nil {
		return err
	}
	read, err := v.session.GetOwnOnboarding(v.Context(), contract.GetOwnOnboardingRequest{})
	if err != nil {
		return err
	}
	if page.onboarding = onboardingOf(read); !page.Opens(step) {
		v.backToParent = true
		return &problem{Status: http.StatusConflict, Title: "This step is not to be done now",
			Detail: "The steps are done one after the other, until the onboarding has ended."}
	}
	page.Step, page.Name = step, stepNames(step)
	page.Track = page.track(companyPath(v.org), step)
	page.Onward = v.afterStep(step, page.onboarding)
	v.render(status, titled(page.Name, page.Faults), page)
	return nil
}

// afterStep returns the link to the next step to do, else back to the overview.
func (v *pageRequest) afterStep(step int, o onboarding) onward {
	if o.Ongoing() && o.Opens(step+1) {
		next := strconv.Itoa(step + 1)
		return onward{companyPath(v.org) + "/" + next, "Continue with step " + next + ": " + stepNames(step+1)}
	}
	return onward{companyPath(v.org), "Back to the company"}
}

// saveCompanyStep saves a step and redirects to the next one, or shows the errors and warnings of the API.
func (c *Console) saveCompanyStep(v *pageRequest) error {
	step, form, err := v.formStep()
	if err != nil {
		return err
	}
	stored, err := v.readStep(step)
	if err != nil {
		return err
	}
	saved, err := v.saveStep(step, stored)
	if refused := problemOf(err); refused != nil && refused.isValidation() {
		page := stepPage{Form: form.changing().filled(stored, v.PostForm)}
		page.Faults = page.Form.mark(refused)
		return v.showStep(refused.Status, page)
	}
	if err != nil {
		return err
	}
	if len(saved.Warnings) == 0 {
		return v.goTo(v.afterStep(step, saved.onboarding).Address)
	}
	if stored, err = v.readStep(step); err != nil {
		return err
	}
	return v.showStep(http.StatusOK, stepPage{Form: form.changing().filled(stored, nil), Warnings: saved.Warnings})
}

// readsCompany reports whether the person may read the details of an organization's onboarding: its own people and
// operators may.
func (u *user) readsCompany(organization string) bool {
	own := user{Session: contract.Session{Organizations: u.Organizations}}
	return u.isOperator() || own.may(organization, models.RoleViewer)
}

// Trouble returns why the last call of the step was refused; "" if it was not.
func (s onboardingStep) Trouble() string {
	fields := make([]string, 0, len(s.Errors))
	for _, e := range s.Errors {
		fields = append(fields, strings.ToLower(e.Field()))
	}
	if len(fields) == 0 {
		return valueOf(s.Error)
	}
	return "To correct: " + strings.Join(fields, ", ")
}

// Shown returns the value of the field as text: the label of an option, a date, "Yes" or "No"; "" for no value.
func (f field) Shown() string {
	if f.Personal() {
		return f.Stored
	}
	for _, o := range f.Options {
		if o.Value == f.Value {
			return o.Label
		}
	}
	switch f.Kind {
	case "check":
		return map[bool]string{true: "Yes", false: "No"}[f.Value != ""]
	case "date":
		return day(f.Value)
	}
	return f.Value
}
