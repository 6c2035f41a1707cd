package api

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"

	"levy/contract/problem"
	"levy/models"
	"levy/tax/money"
)

// problemFor is the only place that turns errors of the domain into answers; nil for an error that it does not know.
func problemFor(err error) *problem.Problem {
	var (
		ready      *problem.Problem
		duplicate  *models.DuplicateError
		limit      *models.LimitError
		invalid    *models.InvalidError
		products   *models.ProductsNotFoundError
		references *models.ReferencesNotFoundError
		transition *models.TransitionError
		notActive  *models.RegistrationNotActiveError
		unscoped   *models.ScopeError
	)
	switch {
	case errors.As(err, &ready):
		return ready
	case errors.As(err, &duplicate):
		return problem.New(duplicateCode(duplicate), "").With("existing_id", duplicate.ExistingID)
	case errors.As(err, &limit):
		return limitProblem(limit)
	case errors.As(err, &invalid):
		return problem.ValidationFailed(invalid.Faults...)
	case errors.As(err, &products):
		return &problem.Problem{Code: problem.CodeProductNotFound, Errors: products.Faults}
	case errors.As(err, &references):
		return &problem.Problem{Code: problem.CodeReferenceNotFound, Errors: references.Faults}
	case errors.As(err, &transition):
		return problem.New(problem.CodeInvalidStatusTransition, "").
			With("from", transition.From).With("to", transition.To).With("allowed", transition.Allowed)
	case errors.As(err, &notActive):
		return problem.New(problem.CodeRegistrationNotActive, "").With("current_status", notActive.CurrentStatus)
	case models.IsFilingRefusal(err):
		return filingProblem(err)
	case errors.Is(err, models.ErrTooManyImports):
		return problem.New(problem.CodeRateLimited, "Too many imports are under way.").With("limit_type", "concurrency")
	case errors.As(err, &unscoped):
		return problem.New(problem.CodeForbiddenForKey, "The key lacks the scope "+string(unscoped.Scope)+".").
			With("scope", unscoped.Scope)
	}
	return cmp.Or(transactionProblem(err), onboardingProblem(err), plainProblem(err))
}

// transactionProblem is why a transaction or a credit note is refused; nil where it is not.
func transactionProblem(err error) *problem.Problem {
	var (
		unready  *models.NotProcessedError
		original *models.OriginalNotCommittedError
		exceeds  *models.CreditExceedsError
		locked   *models.LockedError
		credit   *models.CreditEndpointError
		credited *models.HasCreditNotesError
	)
	switch {
	case errors.As(err, &unready):
		p := problem.New(problem.CodeNotProcessed, "").With("processing_status", unready.ProcessingStatus)
		if unready.Reason != "" {
			p = p.With("processing_reason", unready.Reason)
		}
		return p
	case errors.As(err, &original):
		return problem.New(problem.CodeOriginalNotCommitted, "").With("current_status", original.Status)
	case errors.As(err, &exceeds):
		return problem.New(problem.CodeCreditExceedsOriginal, "").
			With("remaining_amount", money.Format(exceeds.Remaining)).With("currency", exceeds.Currency)
	case errors.As(err, &locked):
		return lockedProblem(locked)
	case errors.As(err, &credit):
		return problem.New(problem.CodeCreditNoteEndpointRequired, "").With("related_to", credit.RelatedTo)
	case errors.As(err, &credited):
		return problem.New(problem.CodeHasCreditNotes, "")
	}
	return nil
}

// onboardingProblem is why a step is refused; nil where it is not.
func onboardingProblem(err error) *problem.Problem {
	var (
		order    *models.StepOrderError
		inactive *models.OnboardingInactiveError
		failed   *models.StepFailedError
	)
	switch {
	case errors.As(err, &order):
		next := models.StepOf(order.Next)
		return problem.New(problem.CodeOnboardingStepOutOfOrder, "").
			With("next_step", next.Number).With("next_step_name", next.Name).With("next_step_path", next.Path)
	case errors.As(err, &inactive):
		return problem.New(problem.CodeOnboardingNotActive, "").With("onboarding_status", inactive.Status)
	case errors.As(err, &failed):
		return problem.New(problem.CodeOnboardingStepFailed, "").With("step", failed.Step).With("reason", failed.Reason)
	}
	return nil
}

// plainErrors are those that carry nothing to say, in the order in which they are looked for.
var plainErrors = []struct {
	err    error
	code   problem.Code
	detail string
}{
	{models.ErrChangedMeanwhile, problem.CodeServiceUnavailable, ""}, // others were faster, again and again
	{models.ErrOriginalIsRefund, problem.CodeOriginalIsCreditNote, ""},
	{models.ErrNotFound, problem.CodeResourceNotFound, ""},
	{models.ErrLastAdmin, problem.CodeLastAdmin, ""},
	{models.ErrArchived, problem.CodeOrganizationArchived, ""},
	{models.ErrForbidden, problem.CodeForbiddenForKey, ""},
	{models.ErrUnauthenticated, problem.CodeUnauthenticated, ""},
	{models.ErrKeyReused, problem.CodeIdempotencyKeyReused, ""},
	{models.ErrKeyInUse, problem.CodeIdempotencyKeyInUse, ""},
	{models.ErrAnswerErased, problem.CodeIdempotencyAnswerErased, ""},
	{models.ErrOutcomeUnknown, problem.CodeOutcomeUnknown, ""},
	// What is under way takes longer than it should: whether because of it or of the database, nobody knows.
	{models.ErrShareUsed, problem.CodeServiceUnavailable,
		"Your calls that are under way take up your share of the service. Nothing was written."},
	{models.ErrUnavailable, problem.CodeServiceUnavailable, ""},
	{context.Canceled, problem.CodeServiceUnavailable, ""}, // where the outcome is unknown, the store says so itself
	{context.DeadlineExceeded, problem.CodeServiceUnavailable, ""},
}

func plainProblem(err error) *problem.Problem {
	for _, plain := range plainErrors {
		if errors.Is(err, plain.err) {
			return problem.New(plain.code, plain.detail)
		}
	}
	return nil
}

// retryOrganizations is after how many seconds another organization may be tried: each makes room 24 hours after it
// was made.
const retryOrganizations = 3600

func limitProblem(limit *models.LimitError) *problem.Problem {
	code, unit := problem.CodeAPIKeyLimitReached, ""
	switch limit.What {
	case models.LimitWebhookEndpoints:
		code = problem.CodeWebhookEndpointLimitReached
	case models.LimitRateOverrides:
		code = problem.CodeRateOverrideLimitReached
	case models.LimitSavedViews:
		code = problem.CodeSavedViewLimitReached
	case models.LimitStorage:
		code, unit = problem.CodeStorageLimitReached, " bytes"
	case models.LimitOrganizations:
		detail := fmt.Sprintf("You have made as many organizations in 24 hours as you may. The limit is %d.", limit.Limit)
		p := problem.New(problem.CodeRateLimited, detail).
			With("limit_type", "organizations").With("limit", limit.Limit)
		p.RetryAfter = retryOrganizations
		return p
	}
	detail := fmt.Sprintf("%s The limit is %d%s.", problem.Table[code].Detail, limit.Limit, unit)
	return problem.New(code, detail).With("limit", limit.Limit)
}

func lockedProblem(locked *models.LockedError) *problem.Problem {
	detail := ""
	if locked.FilingID == "" {
		detail = "The transaction is archived and cannot change."
	}
	return problem.New(problem.CodeTransactionLocked, detail).With("filing_id", optional(locked.FilingID))
}

// filingProblem is why a filing cannot be changed.
func filingProblem(err error) *problem.Problem {
	var open *models.FilingPeriodOpenError
	var unready *models.FilingNotReadyError
	var owed *models.FilingLiabilityError
	var unresolved *models.FilingUnresolvedError
	var amount *models.FilingAmountError
	switch {
	case errors.As(err, &unresolved):
		return unresolvedProblem(unresolved)
	case errors.As(err, &amount):
		return problem.New(problem.CodeAmountChanged,
			fmt.Sprintf("The amount of the filing is %s, not %s.", amount.Amount, amount.Expected)).
			With("amount", amount.Amount.String()).With("expected_amount", amount.Expected.String())
	case errors.As(err, &open):
		return problem.New(problem.CodeFilingPeriodOpen, "").With("available_at", open.AvailableAt)
	case errors.As(err, &unready):
		// What waits for a rate or an obligation is at least one, of which nobody knows the number.
		return problem.New(problem.CodeFilingNotReady, unready.Error()).
			With("pending_transactions", max(1, unready.Pending))
	case errors.As(err, &owed):
		return problem.New(problem.CodeFilingHasLiability, "").With("total_tax_liability", owed.Liability.String())
	case errors.Is(err, models.ErrSecondPersonNeeded):
		return problem.New(problem.CodeFilingApprovalBlocked,
			"You made this filing or its last change: another person has to decide.")
	case errors.Is(err, models.ErrFilingBlocked):
		return problem.New(problem.CodeFilingApprovalBlocked, "")
	}
	detail := ""
	var immutable *models.FilingImmutableError
	if errors.As(err, &immutable) && immutable.Fields != nil {
		detail = "In this status these cannot change: " + strings.Join(immutable.Fields, ", ") + "."
	}
	return problem.New(problem.CodeFilingImmutable, detail)
}

func unresolvedProblem(e *models.FilingUnresolvedError) *problem.Problem {
	what := fmt.Sprintf("%d transactions of the period, %s in all, cannot", e.Transactions, e.Amount)
	if e.Transactions == 1 {
		what = fmt.Sprintf("One transaction of the period, of %s, cannot", e.Amount)
	}
	return problem.New(problem.CodeFilingHasUnresolved, what+" be processed.").
		With("unresolved_transaction_count", e.Transactions).With("unresolved_amount", e.Amount.String())
}

func duplicateCode(d *models.DuplicateError) problem.Code {
	switch d.Field {
	case "name":
		return problem.CodeDuplicateName
	case "registration":
		return problem.CodeDuplicateRegistration
	case "filing":
		return problem.CodeDuplicateFiling
	case "email":
		return problem.CodeDuplicateEmail
	}
	return problem.CodeDuplicateExternalID
}

// invalid refuses a request because of one fault.
func invalid(code, path, message string) error {
	return &models.InvalidError{Faults: []models.Fault{{Code: code, Path: path, Message: message}}}
}
