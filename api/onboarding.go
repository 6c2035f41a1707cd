package api

import (
	"context"
	"errors"

	"levy/contract"
	"levy/models"
	"levy/rules"
	"levy/workflows"
)

// GetOwnOnboarding reads the onboarding of the organization of the header.
func (s *Server) GetOwnOnboarding(
	ctx context.Context, _ contract.GetOwnOnboardingRequest,
) (contract.Onboarding, error) {
	return s.readOnboarding(ctx, callOf(ctx).scope)
}

// GetOnboarding reads the onboarding of the organization of the key or, for a key
// of a root organization, of one of its clients, archived ones included.
func (s *Server) GetOnboarding(ctx context.Context, r contract.GetOnboardingRequest) (contract.Onboarding, error) {
	scope, err := s.within(ctx, r.OrganizationID)
	if err != nil {
		return contract.Onboarding{}, err
	}
	return s.readOnboarding(ctx, scope)
}

// ListOnboardings lists the onboardings of the clients of a root organization.
func (s *Server) ListOnboardings(
	ctx context.Context, r contract.ListOnboardingsRequest,
) (contract.OnboardingList, error) {
	p := r.Params
	list, err := s.deps.Onboardings.ListOnboardings(
		ctx, callOf(ctx).scope, s.onboardingFilter(&p), orderOf(p.OrderBy), pageOf(p.Page, p.Size),
	)
	if err != nil {
		return contract.OnboardingList{}, err
	}
	return contract.OnboardingList{
		Items: convertAll(list.Items, s.onboardingAnswer),
		Total: list.Total, Page: p.Page, Size: p.Size, Pages: pages(list.Total, p.Size),
		Counts: convertAll(list.Counts, func(c models.OnboardingCount) contract.OnboardingCount {
			return contract.OnboardingCount{
				Status: contract.OnboardingStatus(c.Status), NextStep: optional(c.Next), Count: c.Count,
			}
		}),
	}, nil
}

func (s *Server) onboardingFilter(p *contract.ListOnboardingsParams) models.OnboardingFilter {
	filter := models.OnboardingFilter{
		Text: p.Query, IsTest: p.IsTest, Statuses: texts[models.OnboardingStatus](p.StatusIn), Next: p.NextStepIn,
	}
	if p.AgeDaysGte > 0 {
		filter.Until = s.now().UTC().AddDate(0, 0, -p.AgeDaysGte)
	}
	return filter
}

// RemindOnboarding reminds a client of its onboarding.
func (s *Server) RemindOnboarding(
	ctx context.Context, r contract.RemindOnboardingRequest,
) (contract.Onboarding, error) {
	scope, err := s.within(ctx, r.OrganizationID)
	if err != nil {
		return contract.Onboarding{}, err
	}
	o, err := s.deps.Onboardings.RemindOnboarding(ctx, scope, callOf(ctx).actor())
	return answered(o, err, s.onboardingAnswer)
}

// CancelOnboarding ends an onboarding that is in progress. What was done is undone
// after the answer.
func (s *Server) CancelOnboarding(
	ctx context.Context, r contract.CancelOnboardingRequest,
) (contract.Onboarding, error) {
	scope, err := s.within(ctx, r.OrganizationID)
	if err != nil {
		return contract.Onboarding{}, err
	}
	onboarding, err := s.deps.Onboardings.Onboarding(ctx, scope)
	if err != nil {
		return contract.Onboarding{}, err
	}
	return s.cancelOnboarding(ctx, scope, onboarding, rules.WithoutNumbers(r.Body.Reason))
}

func (s *Server) cancelOnboarding(
	ctx context.Context, scope models.Scope, onboarding models.Onboarding, reason string,
) (contract.Onboarding, error) {
	switch {
	case onboarding.Status.Undone():
		return s.onboardingAnswer(onboarding), nil
	case onboarding.Root, onboarding.Status != models.OnboardingInProgress:
		return contract.Onboarding{}, &models.OnboardingInactiveError{Status: onboarding.Status}
	}
	err := s.deps.Steps.Cancel(ctx, onboarding, callOf(ctx).actor(), reason)
	var inactive *models.OnboardingInactiveError
	endedBefore := errors.As(err, &inactive) && inactive.Status.Undone()
	if err != nil && !endedBefore {
		return contract.Onboarding{}, err
	}
	answer, err := s.readOnboarding(ctx, scope)
	return answer, unknownAfterWrite(err)
}

// within is the scope of an organization named in a path: that of the header, or
// for a key of a root organization that of one of its clients. Errors:
// models.ErrNotFound.
func (s *Server) within(ctx context.Context, organizationID string) (models.Scope, error) {
	call := callOf(ctx)
	if organizationID == call.scope.OrganizationID {
		return call.scope, nil
	}
	if call.class()&classRoot == 0 {
		return models.Scope{}, models.ErrNotFound
	}
	o, err := s.deps.Organizations.Reachable(ctx, call.scope, organizationID)
	return models.Scope{OrganizationID: o.ID}, err
}

func (s *Server) readOnboarding(ctx context.Context, scope models.Scope) (contract.Onboarding, error) {
	o, err := s.deps.Onboardings.Onboarding(ctx, scope)
	return answered(o, err, s.onboardingAnswer)
}

func (s *Server) onboardingAnswer(o models.Onboarding) contract.Onboarding {
	answer := contract.Onboarding{
		OrganizationID: o.OrganizationID,
		Status:         contract.OnboardingStatus(o.Status),
		CurrentStep:    o.Completed,
		NextStep:       optional(o.Next()),
		CompletedSteps: []int{},
		Steps:          make([]contract.OnboardingStep, 0, models.LastStep),
		WorkflowID:     workflows.OnboardingID(o.OrganizationID),

		OrganizationName: o.OrganizationName, Since: instant(o.Since()),
		Reason:     optional(valueOf(o.Reason)),
		RemindedAt: optionalInstant(o.RemindedAt),
		UpdatedAt:  instant(o.UpdatedAt),
	}
	if o.Expires() {
		answer.ExpiresAt = optionalInstant(new(o.ProgressAt.Add(s.rules.Expiry)))
	}
	undoing := o.Undoing()
	if o.Status.Undone() {
		answer.CurrentStep = undoing
		answer.Compensation = compensationAnswer(o)
	}
	for _, step := range models.OnboardingSteps {
		if step.Number <= o.Completed {
			answer.CompletedSteps = append(answer.CompletedSteps, step.Number)
		}
		answer.Steps = append(answer.Steps, stepAnswer(o, step, undoing))
	}
	return answer
}

func stepAnswer(o models.Onboarding, step models.OnboardingStep, undoing int) contract.OnboardingStep {
	answer := contract.OnboardingStep{
		Number: step.Number, Name: contract.OnboardingStepName(step.Name), Status: contract.OnboardingStepStatusPENDING,
		Errors: []contract.ProblemError{},
	}
	for _, record := range o.Steps {
		if record.Number != step.Number {
			continue
		}
		answer.StartedAt, answer.CompletedAt = new(instant(record.StartedAt)), optionalInstant(record.CompletedAt)
		answer.Attempts, answer.Refused, answer.Error = record.Attempts, record.Refused, record.Error
		answer.Errors = convertAll(record.Errors, func(f models.StepFault) contract.ProblemError {
			return contract.ProblemError(f)
		})
		switch {
		case record.CompensatedAt != nil:
			answer.Status = contract.OnboardingStepStatusCOMPENSATED
		case undoing > 0 && step.Number == undoing:
			answer.Status = contract.OnboardingStepStatusCOMPENSATING
		case record.CompletedAt != nil:
			answer.Status = contract.OnboardingStepStatusCOMPLETED
		case step.Number == o.Next():
			answer.Status = contract.OnboardingStepStatusINPROGRESS
		}
	}
	return answer
}

func compensationAnswer(o models.Onboarding) *contract.OnboardingCompensation {
	answer := &contract.OnboardingCompensation{
		Status: contract.OnboardingCompensationStatusRUNNING,
		Reason: contract.OnboardingCompensationReason(o.Status), FinishedAt: optionalInstant(o.CompensationFinishedAt),
	}
	if o.CompensationStartedAt != nil {
		answer.StartedAt = instant(*o.CompensationStartedAt)
	}
	if o.CompensationFinishedAt != nil {
		answer.Status = contract.OnboardingCompensationStatusDONE
	}
	return answer
}

// isOver reports whether nothing will change any more.
func isOver(o models.Onboarding) bool {
	return o.Status == models.OnboardingCompleted || o.CompensationFinishedAt != nil
}
