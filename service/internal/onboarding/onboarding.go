package onboarding

import (
	"context"
	"errors"
	"strings"

	"levy/contract"
	"levy/models"
	"levy/rules"
	"levy/service/internal/call"
	"levy/service/internal/convert"
	"levy/workflows"
)

// GetOwnOnboarding reads the onboarding of the organization of the header.
func (o *Operations) GetOwnOnboarding(
	ctx context.Context, _ contract.GetOwnOnboardingRequest,
) (contract.Onboarding, error) {
	c := call.Of(ctx)
	answer, err := o.readOnboarding(ctx, c.Scope)
	if err != nil || !c.IsLink() {
		return answer, err
	}
	invitation := o.keys.SignInHash(o.keys.FirstSignIn(c.Token))
	email, err := o.deps.People.FirstAdmin(ctx, c.Scope, invitation)
	answer.FirstAdmin = maskedAddress(email)
	return answer, err
}

// maskedAddress returns an e-mail address with the first letter of its name; "" for none.
func maskedAddress(email string) string {
	name, domain, _ := strings.Cut(email, "@")
	for _, first := range name {
		return string(first) + "***@" + domain
	}
	return ""
}

// GetOnboarding reads the onboarding of the key's organization. A key of a root organization also reads those
// of its clients, archived ones included.
func (o *Operations) GetOnboarding(ctx context.Context, r contract.GetOnboardingRequest) (contract.Onboarding, error) {
	scope, err := o.within(ctx, r.OrganizationID)
	if err != nil {
		return contract.Onboarding{}, err
	}
	return o.readOnboarding(ctx, scope)
}

// ListOnboardings lists the onboardings of the clients of a root organization.
func (o *Operations) ListOnboardings(
	ctx context.Context, r contract.ListOnboardingsRequest,
) (contract.OnboardingList, error) {
	p := r.Params
	list, err := o.deps.Onboardings.ListOnboardings(
		ctx, call.Of(ctx).Scope, o.onboardingFilter(&p), convert.OrderOf(p.OrderBy), convert.PageOf(p.Page, p.Size),
	)
	if err != nil {
		return contract.OnboardingList{}, err
	}
	return contract.OnboardingList{
		Items: convert.ConvertAll(list.Items, o.Answer),
		Total: list.Total, Page: p.Page, Size: p.Size, Pages: convert.Pages(list.Total, p.Size),
		Counts: convert.ConvertAll(list.Counts, func(c models.OnboardingCount) contract.OnboardingCount {
			return contract.OnboardingCount{
				Status: contract.OnboardingStatus(c.Status), NextStep: convert.Optional(c.Next), Count: c.Count,
				WithoutProgress: &c.Long,
			}
		}),
	}, nil
}

// daysWithoutProgress are the days after which the counts of onboardings name one apart.
const daysWithoutProgress = 7

func (o *Operations) onboardingFilter(p *contract.ListOnboardingsParams) models.OnboardingFilter {
	filter := models.OnboardingFilter{
		Text: p.Query, IsTest: p.IsTest, Statuses: convert.Texts[models.OnboardingStatus](p.StatusIn), Next: p.NextStepIn,
		Long: o.now().UTC().AddDate(0, 0, -daysWithoutProgress),
	}
	if p.AgeDaysGte > 0 {
		filter.Until = o.now().UTC().AddDate(0, 0, -p.AgeDaysGte)
	}
	return filter
}

// RemindOnboarding reminds a client of its onboarding.
func (s *Operations) RemindOnboarding(
	ctx context.Context, r contract.RemindOnboardingRequest,
) (contract.Onboarding, error) {
	scope, err := s.withinGrant(ctx, r.OrganizationID)
	if err != nil {
		return contract.Onboarding{}, err
	}
	o, err := s.deps.Onboardings.RemindOnboarding(ctx, scope, call.Of(ctx).Actor())
	return convert.Answered(o, err, s.Answer)
}

// CancelOnboarding cancels an onboarding that is in progress. The workflow undoes its steps after the answer.
func (o *Operations) CancelOnboarding(
	ctx context.Context, r contract.CancelOnboardingRequest,
) (contract.Onboarding, error) {
	scope, err := o.withinGrant(ctx, r.OrganizationID)
	if err != nil {
		return contract.Onboarding{}, err
	}
	onboarding, err := o.deps.Onboardings.Onboarding(ctx, scope)
	if err != nil {
		return contract.Onboarding{}, err
	}
	return o.cancelOnboarding(ctx, scope, onboarding, rules.WithoutNumbers(r.Body.Reason))
}

func (o *Operations) cancelOnboarding(
	ctx context.Context, scope models.Scope, onboarding models.Onboarding, reason string,
) (contract.Onboarding, error) {
	switch {
	case onboarding.Status.Undone():
		return o.Answer(onboarding), nil
	case onboarding.Root, onboarding.Status != models.OnboardingInProgress:
		return contract.Onboarding{}, &models.OnboardingInactiveError{Status: onboarding.Status}
	}
	err := o.deps.Steps.Cancel(ctx, onboarding, call.Of(ctx).Actor(), reason)
	var inactive *models.OnboardingInactiveError
	endedBefore := errors.As(err, &inactive) && inactive.Status.Undone()
	if err != nil && !endedBefore {
		return contract.Onboarding{}, err
	}
	answer, err := o.readOnboarding(ctx, scope)
	return answer, call.UnknownAfterWrite(err)
}

// within returns the scope of an organization in a path: that of the header, or a client for a key
// of a root organization. Errors: models.ErrNotFound.
func (s *Operations) within(ctx context.Context, organizationID string) (models.Scope, error) {
	c := call.Of(ctx)
	if organizationID == c.Scope.OrganizationID {
		return c.Scope, nil
	}
	if c.Class()&call.ClassRoot == 0 {
		return models.Scope{}, models.ErrNotFound
	}
	o, err := s.deps.Organizations.Reachable(ctx, c.Scope, organizationID)
	return models.Scope{OrganizationID: o.ID}, err
}

// withinGrant is within for a change: a partner changes no client that has ended its grant. Errors: those of within,
// models.ErrGrantEnded.
func (s *Operations) withinGrant(ctx context.Context, organizationID string) (models.Scope, error) {
	c := call.Of(ctx)
	if organizationID == c.Scope.OrganizationID {
		return c.Scope, nil // access was checked for that of the header
	}
	if c.Class()&call.ClassRoot == 0 {
		return models.Scope{}, models.ErrNotFound
	}
	o, err := s.deps.Organizations.Reachable(ctx, c.Scope, organizationID)
	// guard: grants: without one a partner changes nothing of its client
	if err == nil && o.Granted() == "" {
		err = models.ErrGrantEnded
	}
	return models.Scope{OrganizationID: o.ID}, err
}

func (s *Operations) readOnboarding(ctx context.Context, scope models.Scope) (contract.Onboarding, error) {
	o, err := s.deps.Onboardings.Onboarding(ctx, scope)
	return convert.Answered(o, err, s.Answer)
}

// Answer returns an onboarding in the form of the contract.
func (s *Operations) Answer(o models.Onboarding) contract.Onboarding {
	answer := contract.Onboarding{
		OrganizationID: o.OrganizationID,
		Status:         contract.OnboardingStatus(o.Status),
		CurrentStep:    o.Completed,
		NextStep:       convert.Optional(o.Next()),
		CompletedSteps: []int{},
		Steps:          make([]contract.OnboardingStep, 0, models.LastStep),
		WorkflowID:     workflows.OnboardingID(o.OrganizationID),

		OrganizationName: o.OrganizationName, Since: convert.Instant(o.Since()),
		Reason:     convert.Optional(convert.ValueOf(o.Reason)),
		RemindedAt: convert.OptionalInstant(o.RemindedAt),
		UpdatedAt:  convert.Instant(o.UpdatedAt),
	}
	if o.Expires() {
		answer.ExpiresAt = convert.OptionalInstant(new(o.ProgressAt.Add(s.rules.Expiry)))
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
		answer.StartedAt, answer.CompletedAt = new(convert.Instant(record.StartedAt)), convert.OptionalInstant(record.CompletedAt)
		answer.Attempts, answer.Refused, answer.Error = record.Attempts, record.Refused, record.Error
		answer.Errors = convert.ConvertAll(record.Errors, func(f models.StepFault) contract.ProblemError {
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
		Reason: contract.OnboardingCompensationReason(o.Status), FinishedAt: convert.OptionalInstant(o.CompensationFinishedAt),
	}
	if o.CompensationStartedAt != nil {
		answer.StartedAt = convert.Instant(*o.CompensationStartedAt)
	}
	if o.CompensationFinishedAt != nil {
		answer.Status = contract.OnboardingCompensationStatusDONE
	}
	return answer
}

// isOver reports whether an onboarding has reached its last state.
func isOver(o models.Onboarding) bool {
	return o.Status == models.OnboardingCompleted || o.CompensationFinishedAt != nil
}
