package api

import (
	"context"
	"fmt"
	"regexp"
	"strings"
	"time"

	"levy/contract/problem"
	"levy/models"
)

// stepsByOperation are the steps whose refusals are remembered. Step 1 has no onboarding yet.
var stepsByOperation = map[string]int{
	"createAPIKey": models.StepAPIKey, "createAPIKeyAlias": models.StepAPIKey,
	"putBusinessDetails": models.StepBusinessDetails, "putBusinessDetailsAlias": models.StepBusinessDetails,
	"putBusinessAddress": models.StepBusinessAddress, "putBusinessAddressAlias": models.StepBusinessAddress,
	"putBusinessInformation":      models.StepBusinessInformation,
	"putBusinessInformationAlias": models.StepBusinessInformation,
	"putBusinessContact":          models.StepBusinessContact, "putBusinessContactAlias": models.StepBusinessContact,
	"putBusinessOwners": models.StepBusinessOwners, "putBusinessOwnersAlias": models.StepBusinessOwners,
	"putBankDetails": models.StepBankDetails, "putBankDetailsAlias": models.StepBankDetails,
}

// refusalTime bounds how long the note of a refusal takes, which the answer waits for.
const refusalTime = 2 * time.Second

// rememberRefusal notes on the step which fields of a call were refused, so that its partner
// sees why a client does not get on. A key that may not do the step leaves no note.
func (s *Server) rememberRefusal(ctx context.Context, step int, rule accessRule, refusal *problem.Problem) error {
	call := callOf(ctx)
	if refusal == nil || refusal.Code != problem.CodeValidationFailed || rule.allowed&call.class() == 0 ||
		step == models.StepAPIKey && call.class()&classChild == 0 {
		return nil
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), refusalTime)
	defer cancel()
	summary, faults := refusalOf(refusal)
	return s.deps.Onboardings.NoteRefusal(ctx, call.scope, step, summary, faults)
}

// maxNamedFields is how many fields the summary of a refusal names.
const maxNamedFields = 5

// longNumber is what in the name of a field is no name: somebody may send a number there.
var longNumber = regexp.MustCompile(`[0-9]{4,}`)

// refusalOf is what is remembered of a refusal: places and sentences, which never repeat what
// was sent.
func refusalOf(p *problem.Problem) (summary string, faults []models.StepFault) {
	var names []string
	for i, e := range p.Errors {
		if i == problem.MaxFieldErrors {
			break
		}
		path := longNumber.ReplaceAllString(e.Path, "****")
		faults = append(faults, models.StepFault{
			Code: e.Code, Location: problem.Location(e.In, path), Message: e.Message,
		})
		if i < maxNamedFields {
			names = append(names, path)
		}
	}
	summary = strings.TrimSuffix(p.Detail, ".") + ": " + strings.Join(names, ", ")
	if more := len(p.Errors) - len(names); more > 0 {
		summary += fmt.Sprintf(" and %d more", more)
	}
	return summary + ".", faults
}
