package workflows

import (
	"fmt"
	"time"

	"go.temporal.io/sdk/workflow"

	"levy/activities"
	"levy/models"
)

// PlanFilingsInput says where to go on. The schedule starts with an empty one.
type PlanFilingsInput struct {
	Now           time.Time         `json:"now,omitzero"` // the moment of the start unless given
	After         models.PlanCursor `json:"after"`
	Registrations int               `json:"registrations,omitempty"`
	Planned       int               `json:"planned,omitempty"`
}

// PlanFilingsResult says what was done.
type PlanFilingsResult struct {
	Registrations int `json:"registrations"` // that were read
	Planned       int `json:"planned"`       // filings that did not exist before
}

var planning *activities.FilingPlan

// PlanFilings gives every registration the filings of its periods that have ended. A
// run that comes late finds all that have ended since; one that comes twice finds
// nothing. A sweeper starts a FileReturn for each new filing.
func PlanFilings(ctx workflow.Context, in PlanFilingsInput) (PlanFilingsResult, error) {
	if in.Now.IsZero() {
		in.Now = workflow.Now(ctx).UTC()
	}
	for range stepsPerRun {
		page, err := planPage(ctx, in)
		if err != nil {
			return PlanFilingsResult{}, err
		}
		in.After, in.Registrations, in.Planned = page.Next, in.Registrations+page.Registrations, in.Planned+page.Planned
		workflow.SetCurrentDetails(ctx, fmt.Sprintf("**%s**: %s planned for %s", in.Now.Format(time.DateOnly),
			count(in.Planned, "filing"), count(in.Registrations, "registration")))
		if page.Done {
			return PlanFilingsResult{Registrations: in.Registrations, Planned: in.Planned}, nil
		}
	}
	return PlanFilingsResult{}, workflow.NewContinueAsNewError(ctx, PlanFilingsName, in)
}

func planPage(ctx workflow.Context, in PlanFilingsInput) (activities.PlanResult, error) {
	summary := "Periods that ended before " + in.Now.Format(time.DateOnly)
	if in.After != (models.PlanCursor{}) {
		summary += ", registrations after " + in.After.RegistrationID
	}
	var page activities.PlanResult
	err := execute(ctx, summarized(planOptions, summary), planning.PlanFilings,
		activities.PlanInput{Now: in.Now, After: in.After}, &page)
	return page, err
}
