package workflows

import (
	"fmt"
	"time"

	"go.temporal.io/sdk/workflow"

	"levy/activities"
)

// ExpireExemptionsInput says where to go on. The schedule starts with an empty one.
type ExpireExemptionsInput struct {
	Today   string `json:"today,omitempty"` // 2006-01-02; the day of the start unless given
	After   string `json:"after,omitempty"` // organization behind which to go on
	Expired int    `json:"expired,omitempty"`
}

// ExpireExemptionsResult says what was done.
type ExpireExemptionsResult struct {
	Today   string `json:"today"`
	Expired int    `json:"expired"`
}

var exemptions *activities.Exemptions

// ExpireExemptions sets exemptions EXPIRED whose last day lies before today. A run
// that comes late finds all that has ended since; one that comes twice finds
// nothing. Taxes do not depend on it: an exemption is good for its days, whether it
// is ACTIVE or EXPIRED.
func ExpireExemptions(ctx workflow.Context, in ExpireExemptionsInput) (ExpireExemptionsResult, error) {
	if in.Today == "" {
		in.Today = workflow.Now(ctx).UTC().Format(time.DateOnly)
	}
	for range stepsPerRun {
		step, err := expireSome(ctx, in)
		if err != nil {
			return ExpireExemptionsResult{}, err
		}
		in.After, in.Expired = step.Next, in.Expired+step.Expired
		workflow.SetCurrentDetails(ctx, fmt.Sprintf("**%s**: %s expired", in.Today, count(in.Expired, "exemption")))
		if step.Done {
			return ExpireExemptionsResult{Today: in.Today, Expired: in.Expired}, nil
		}
	}
	return ExpireExemptionsResult{}, workflow.NewContinueAsNewError(ctx, ExpireExemptionsName, in)
}

func expireSome(ctx workflow.Context, in ExpireExemptionsInput) (activities.ExpiryResult, error) {
	summary := "Exemptions that ended before " + in.Today
	if in.After != "" {
		summary += ", organizations after " + in.After
	}
	var step activities.ExpiryResult
	err := execute(ctx, summarized(expiryOptions, summary), exemptions.ExpireEndedExemptions,
		activities.ExpiryInput{Today: in.Today, After: in.After}, &step)
	return step, err
}
