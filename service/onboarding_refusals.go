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

// stepsByOperation are the steps whose refusals are recorded. Step 1 has no onboarding yet.
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

// refusalTime bounds the write of a refusal, because the answer waits for it.
const refusalTime = 2 * time.Second

// recordRefusal records the refused fields of a call at its step of an onboarding. The partner sees there why its
// client does not proceed. A key that may not submit the step leaves no record.
func (s *Service) recordRefusal(ctx context.Context, op *Operation, err error) {
	step := stepsByOperation[op.ID]
	if err == nil || step == 0 {
		return
	}
	c, refusal := call.Of(ctx), problem.Of(err)
	if refusal == nil || refusal.Code != problem.CodeValidationFailed || !op.Rule.reaches(c, nil) ||
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

// longNumber matches long numbers in the name of a field. A client may submit an account number where a name belongs.
var longNumber = regexp.MustCompile(`[0-9]{4,}`)

// refusalOf returns the summary and the faults of a refusal: paths and messages, without submitted values.
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
