package web

import "time"

// onboardingPage is the data of the page of onboardings.
type onboardingPage struct {
	Base  string // path of the page, below which its assets are
	Steps []step
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

type onboarding struct {
	Org     string    `json:"organization_id"`
	Name    string    `json:"organization_name"`
	Status  string    `json:"status"`
	Done    []int     `json:"completed_steps"`
	Next    int       `json:"next_step"`
	Since   time.Time `json:"since"`
	Expires time.Time `json:"expires_at"`
	Reason  string    `json:"reason"`

	Undoing *struct {
		Status string `json:"status"`
	} `json:"compensation"`

	Reminded *time.Time       `json:"reminded_at"`
	Steps    []onboardingStep `json:"steps"`
}

type onboardingStep struct {
	Number      int            `json:"number"`
	Name        string         `json:"name"`
	Status      string         `json:"status"`
	StartedAt   time.Time      `json:"started_at"`
	CompletedAt time.Time      `json:"completed_at"`
	Attempts    int            `json:"attempts"`
	Refused     int            `json:"refused"`
	Error       string         `json:"error"`  // why the last call of the step was refused; empty after an accepted one
	Errors      []problemField `json:"errors"` // the same by field

	Address string // of its form; empty if the person cannot open it
}

// LastRefusal returns the last step whose latest call was refused; nil if there is none.
func (o onboarding) LastRefusal() *onboardingStep {
	for i := range o.Steps {
		if step := &o.Steps[len(o.Steps)-1-i]; step.Error != "" {
			return step
		}
	}
	return nil
}

// Ended returns how the onboarding ended before its last step; "" if it did not.
func (o onboarding) Ended() string {
	return map[string]string{"CANCELLED": "It was cancelled", "EXPIRED": "It expired", "FAILED": "It failed"}[o.Status]
}

// Shown returns the name of the client, else its id.
func (o onboarding) Shown() string {
	if o.Name != "" {
		return o.Name
	}
	return o.Org
}

// stepNames returns the label of a step; "" for an unknown number.
func stepNames(n int) string {
	if n >= 1 && n <= len(steps) {
		return steps[n-1].Label
	}
	return ""
}
