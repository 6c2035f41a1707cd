package web

import (
	"cmp"
	"slices"
	"strconv"

	"levy/contract"
	"levy/models"
)

// onboardingPage is the data of the live list of onboardings.
type onboardingPage struct{ Steps []step }

// board shows the onboardings of a partner's clients while they change. Its script reads them.
func (c *Console) board(v *pageRequest) error {
	return v.show("Onboarding", onboardingPage{Steps: steps})
}

// Filters returns the fields by which the script of the page filters clients. They are not sent.
func (onboardingPage) Filters() []field {
	return []field{
		{Label: "Find a client", Kind: "search", Max: 200, Unseen: true, Placeholder: "Find a client", Auto: "off",
			Native: true, id: "search"},
		{Label: "Include ended", Kind: "check", Value: "true", id: "ended"},
	}
}

// step is the number and the label of a step of an onboarding.
type step struct {
	Number int
	Label  string
}

var steps = []step{
	{1, "Organization"},
	{2, "API key"},
	{3, "Details"},
	{4, "Address"},
	{5, "Information"},
	{6, "Contact"},
	{7, "Owners"},
	{8, "Bank account"},
}

// onboarding is the onboarding of an organization.
type onboarding struct {
	contract.Onboarding
	Steps []onboardingStep
}

// onboardingStep is a step of an onboarding.
type onboardingStep struct {
	contract.OnboardingStep
	Label  string         // with its number
	Errors []problemField // why the last call of the step was refused, by field; empty after an accepted one

	Address string // of its form; empty if the person cannot open it
}

// onboardingOf returns an onboarding with the labels of its steps.
func onboardingOf(o contract.Onboarding) onboarding {
	all := make([]onboardingStep, len(o.Steps))
	for i, s := range o.Steps {
		all[i] = onboardingStep{OnboardingStep: s, Label: strconv.Itoa(s.Number) + ". " + stepNames(s.Number)}
		for _, e := range s.Errors {
			all[i].Errors = append(all[i].Errors, problemField{e.Location, e.Message})
		}
	}
	return onboarding{o, all}
}

// is reports whether the onboarding has one of some statuses.
func (o onboarding) is(statuses ...models.OnboardingStatus) bool {
	return slices.Contains(statuses, models.OnboardingStatus(o.Status))
}

// Next returns the number of the next step; 0 if there is none.
func (o onboarding) Next() int { return valueOf(o.NextStep) }

// Started reports whether the first step is done and others are left.
func (o onboarding) Started() bool { return o.is(models.OnboardingInProgress) }

// Completed reports whether all steps are done.
func (o onboarding) Completed() bool { return o.is(models.OnboardingCompleted) }

// LastRefusal returns the last step whose latest call was refused; nil if there is none.
func (o onboarding) LastRefusal() *onboardingStep {
	for i := range o.Steps {
		if step := &o.Steps[len(o.Steps)-1-i]; step.Error != nil {
			return step
		}
	}
	return nil
}

// Ended returns how the onboarding ended before its last step; "" if it did not.
func (o onboarding) Ended() string {
	return map[models.OnboardingStatus]string{
		models.OnboardingCancelled: "It was cancelled", models.OnboardingExpired: "It expired", models.OnboardingFailed: "It failed",
	}[models.OnboardingStatus(o.Status)]
}

// Shown returns the name of the client, else its id.
func (o onboarding) Shown() string { return cmp.Or(valueOf(o.OrganizationName), o.OrganizationID) }

// stepNames returns the label of a step; "" for an unknown number.
func stepNames(n int) string {
	if n >= 1 && n <= len(steps) {
		return steps[n-1].Label
	}
	return ""
}
