package web

import (
	"errors"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
)

// firstForm is the first step of an onboarding that is a form: the organization and its key are made before.
const firstForm = 3

// trackStep is a step of an onboarding as its form shows it, above all the fields.
type trackStep struct {
	Number  int
	Status  string
	Address string // of its form; empty where it cannot be opened, or is shown
	Current bool
}

// Opens reports whether the form of a step can be filled in: it was done, or is next. What was undone cannot.
func (o onboarding) Opens(step int) bool {
	switch o.Status {
	case "COMPLETED":
		return step >= firstForm
	case "NOT_STARTED", "IN_PROGRESS":
		return step >= firstForm && step <= o.Next
	}
	return false
}

// track are the steps with the addresses of their forms below a path.
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

// Ongoing reports whether steps are left to do.
func (o onboarding) Ongoing() bool { return o.Status == "NOT_STARTED" || o.Status == "IN_PROGRESS" }

// companyStep is the form of a step, for the people of the organization itself.
type companyStep struct {
	onboarding
	Step     int
	Name     string
	Form     htmlForm
	Track    []trackStep
	Faults   []fault
	Warnings []warning // about what was just saved
	Onward   onward
}

// Saved reports whether anything was saved of the step.
func (p companyStep) Saved() bool { return slices.ContainsFunc(p.Form.Groups, fieldGroup.Open) }

// warning is what the API doubts of something that it saved.
type warning struct {
	Message string `json:"message"`
}

// Text is what the API doubts, with codes in words.
func (w warning) Text() string {
	words := strings.Split(w.Message, " ")
	for i, word := range words {
		if core := strings.TrimRight(word, "."); len(core) > 3 && codeInText.MatchString(core) {
			words[i] = strings.ToLower(sentence(core)) + word[len(core):]
		}
	}
	return strings.Join(words, " ")
}

// onward is where somebody goes who has saved a step.
type onward struct{ Address, Label string }

func companyPath(org string) string { return "/o/" + url.PathEscape(org) + "/company" }

// company shows how far the onboarding is, and what keeps it.
func (c *Console) company(v *pageRequest) error {
	if err := v.requireMember(); err != nil {
		return err
	}
	v.followEvents()
	var o onboarding
	if err := v.get("/v1/onboarding", v.org, &o); err != nil {
		return err
	}
	for i := range o.Steps {
		step := &o.Steps[i]
		step.Name = strconv.Itoa(step.Number) + ". " + stepNames(step.Number)
		if o.Opens(step.Number) && v.session.readsCompany(v.org) {
			step.Address = companyPath(v.org) + "/" + strconv.Itoa(step.Number)
		}
	}
	return v.show("Company", o)
}

// formStep is the step of an address, and its form. Errors: *problem.
func (v *pageRequest) formStep() (int, htmlForm, error) {
	step, _ := strconv.Atoi(v.PathValue("step"))
	form, known := stepForms[step]
	if !known {
		return 0, form, &problem{Status: http.StatusNotFound, Title: "There is no such step"}
	}
	return step, form, nil
}

// readAs reads as the person what was saved of a step.
func (v *pageRequest) readAs(path string, into any) error { return v.get(path, v.org, into) }

// companyStep shows the form of a step with what was saved of it, or with what was typed where that was refused.
func (c *Console) companyStep(v *pageRequest) error {
	_, form, err := v.formStep()
	if err != nil {
		return err
	}
	stored, err := form.stored(v.readAs)
	if err != nil {
		return err
	}
	typed := url.Values(nil)
	if v.fault != nil {
		typed = v.PostForm
	}
	return v.showStep(http.StatusOK, companyStep{Form: form.changing().filled(stored, typed)})
}

// showStep shows the form of a step that can be opened. Errors: *problem.
func (v *pageRequest) showStep(status int, page companyStep) error {
	step, _, err := v.formStep()
	if err == nil {
		err = v.get("/v1/onboarding", v.org, &page.onboarding)
	}
	if err == nil && !page.Opens(step) {
		v.backToParent = true
		err = &problem{Status: http.StatusConflict, Title: "This step is not to be done now",
			Detail: "The steps are done one after the other, until the onboarding has ended."}
	}
	if err != nil {
		return err
	}
	page.Step, page.Name = step, stepNames(step)
	page.Track = page.track(companyPath(v.org), step)
	page.Onward = v.afterStep(step, page.onboarding)
	v.render(status, titled(page.Name, page.Faults), page)
	return nil
}

// afterStep leads to the next step while there is one to do, else back to the company.
func (v *pageRequest) afterStep(step int, o onboarding) onward {
	if o.Ongoing() && o.Opens(step+1) {
		next := strconv.Itoa(step + 1)
		return onward{companyPath(v.org) + "/" + next, "Continue with step " + next + ": " + stepNames(step+1)}
	}
	return onward{companyPath(v.org), "Back to the company"}
}

// saveCompanyStep sends what was typed to the API, which decides whether it is right and in its order, and goes on.
func (c *Console) saveCompanyStep(v *pageRequest) error {
	step, form, err := v.formStep()
	if err != nil {
		return err
	}
	stored, err := form.stored(v.readAs)
	if err != nil {
		return err
	}
	saved, form := savedStep{}, form.changing()
	if err = form.outdated(stored, v.PostForm); err == nil {
		err = v.call(http.MethodPut, form.saves(v.PostForm), v.org, form.body(stored, v.PostForm), &saved)
	}
	var refused *problem
	if errors.As(err, &refused) && refused.isValidation() {
		page := companyStep{Form: form.filled(stored, v.PostForm)}
		page.Faults = page.Form.mark(refused)
		return v.showStep(refused.Status, page)
	}
	if err != nil {
		return err
	}
	if len(saved.Warnings) == 0 {
		return v.goTo(v.afterStep(step, saved.Onboarding).Address)
	}
	if stored, err = form.stored(v.readAs); err != nil {
		return err
	}
	return v.showStep(http.StatusOK, companyStep{Form: form.filled(stored, nil), Warnings: saved.Warnings})
}

// savedStep is the answer to a step.
type savedStep struct {
	Onboarding onboarding `json:"onboarding"`
	Warnings   []warning  `json:"warnings"`
}

// readsCompany reports whether the person may read what an organization said of itself in its onboarding: its own
// people, and operators.
func (s *session) readsCompany(organization string) bool {
	people := session{Organizations: s.Organizations}
	return s.StaffRole == "operator" || people.may(organization, "viewer")
}

// Trouble is why the last call of a step was refused, in words; empty where none was.
func (s onboardingStep) Trouble() string {
	fields := make([]string, 0, len(s.Errors))
	for _, e := range s.Errors {
		fields = append(fields, strings.ToLower(e.Field()))
	}
	if len(fields) == 0 {
		return s.Error
	}
	return "To correct: " + strings.Join(fields, ", ")
}

// Shown is what is in a field, in words; empty for nothing.
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
