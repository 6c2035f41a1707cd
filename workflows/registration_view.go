package workflows

import (
	"fmt"
	"strings"

	"go.temporal.io/sdk/workflow"

	"levy/models"
	"levy/rules"
)

// RegistrationProgress is the answer to ProgressQuery of a registration.
type RegistrationProgress struct {
	Status      models.RegistrationStatus `json:"status"`
	WaitsFor    string                    `json:"waits_for,omitempty"`
	Attempt     int                       `json:"attempt,omitempty"`
	OpenFilings int                       `json:"open_filings,omitempty"`
	Confirmed   bool                      `json:"end_confirmed,omitempty"`
}

func (r *registration) progress() (RegistrationProgress, error) {
	return RegistrationProgress{
		Status: r.now.Status, WaitsFor: r.now.Waits, Attempt: r.now.Attempt, OpenFilings: r.now.OpenFilings,
		Confirmed: r.run.Confirmed,
	}, nil
}

// show shows staff where the registration is: in the current details, and in the
// search attributes by which they find those that wait for them.
func (r *registration) show(ctx workflow.Context) {
	workflow.SetCurrentDetails(ctx, r.details(ctx))
	shown := [2]string{string(r.now.Status), r.now.Waits}
	if shown == r.shown {
		return
	}
	r.shown = shown
	setAttributes(ctx, registrationStatus.ValueSet(shown[0]), waitsFor.ValueSet(shown[1]))
}

// registrationWaits is what a registration waits for, in the words of staff.
var registrationWaits = map[string]string{
	rules.RegistrationWaitsForOnboarding:    "the onboarding of its organization to be completed",
	rules.RegistrationWaitsForAuthority:     "the authority",
	rules.RegistrationWaitsForConfirmation:  "people to hand it over and to enter the confirmation",
	rules.RegistrationWaitsForClarification: "a person to clarify it with the authority",
	rules.RegistrationWaitsForLastDay:       "its last day to be over",
	rules.RegistrationWaitsForFilings:       "its last filings",
}

// timerOf says what a timer is for.
var timerOf = map[string]string{
	rules.RegistrationWaitsForLastDay: "The last day is over everywhere",
	rules.RegistrationWaitsForFilings: "Next check of the last filings",
}

func (r *registration) details(ctx workflow.Context) string {
	lines := []string{fmt.Sprintf("**%s**", r.now.Status)}
	if waits := registrationWaits[r.now.Waits]; waits != "" {
		lines[0] += ", waiting for " + waits
	}
	if r.refusal != "" && r.now.Waits == rules.RegistrationWaitsForClarification {
		lines = append(lines, "Reason: "+r.refusal)
	}
	if r.now.OpenFilings > 0 {
		lines = append(lines, count(r.now.OpenFilings, "return")+" not over")
	}
	if r.run.Confirmed {
		lines = append(lines, "The authority has confirmed the end")
	}
	if r.now.Attempt > 0 {
		lines = append(lines, fmt.Sprintf("Attempt %d", r.now.Attempt))
	}
	return strings.Join(append(lines, nextCheck(ctx, r.now.Next)...), "\n\n")
}
