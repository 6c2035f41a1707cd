package service

import (
	"context"
	"fmt"
	"log/slog"
	"regexp"
	"strings"
	"time"

	"levy/contract/problem"
	"levy/models"
	"levy/service/internal/call"
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

// recordRefusal records on a step of an onboarding which fields of a call were refused, so that its partner sees why a
// client does not get on. A key that may not do the step leaves no record.
func (s *Service) recordRefusal(ctx context.Context, op *Operation, err error) {
	step := stepsByOperation[op.ID]
	if err == nil || step == 0 {
		return
	}
	c, refusal := call.Of(ctx), problem.Of(err)
	if refusal == nil || refusal.Code != problem.CodeValidationFailed || op.Rule.allowed&c.Class() == 0 ||
		step == models.StepAPIKey && c.Class()&call.ClassChild == 0 {
		return
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), refusalTime)
	defer cancel()
	summary, faults := refusalOf(refusal)
	if err := s.deps.Onboardings.NoteRefusal(ctx, c.Scope, step, summary, faults); err != nil {
		s.log.LogAttrs(ctx, slog.LevelWarn, "refusal of a step not noted",
			slog.String("request_id", c.RequestID), slog.String("operation", op.ID), slog.String("error", err.Error()))
	}
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
