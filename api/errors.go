package api

import (
	"context"
	"errors"
	"log/slog"
	"strings"

	"github.com/gin-gonic/gin"

	"levy/models"
	"levy/tax"
)

// fail answers with the problem that an error means. What the contract has no
// code for is a defect: it goes to the log, and the client learns the request id.
func (s *Server) fail(c *gin.Context, err error) {
	p := problemFor(err)
	if p == nil {
		s.note(c, slog.LevelError, "internal error", err)
		p = NewProblem(CodeInternalError, "")
	} else if StatusOf(p.Code) >= 500 {
		s.note(c, slog.LevelWarn, "request not served", err)
	}
	WriteProblem(c, p)
}

func (s *Server) note(c *gin.Context, level slog.Level, message string, err error) {
	s.log.LogAttrs(c.Request.Context(), level, message,
		slog.String("request_id", callOf(c.Request.Context()).requestID),
		slog.String("route", c.FullPath()),
		slog.String("error", err.Error()),
	)
}

// problemFor is the only table from errors of the domain to answers; nil for an
// error that is not in it.
func problemFor(err error) *Problem {
	var (
		ready      *Problem
		duplicate  *models.DuplicateError
		limit      *models.LimitError
		invalid    *models.InvalidError
		products   *models.ProductsNotFoundError
		references *models.ReferencesNotFoundError
		unready    *models.NotProcessedError
		transition *models.TransitionError
		order      *models.StepOrderError
		inactive   *models.OnboardingInactiveError
		failed     *models.StepFailedError
		original   *models.OriginalNotCommittedError
		exceeds    *models.CreditExceedsError
		locked     *models.LockedError
		credit     *models.CreditEndpointError
		credited   *models.HasCreditNotesError
		notActive  *models.RegistrationNotActiveError
	)
	switch {
	case errors.As(err, &ready):
		return ready
	case errors.As(err, &duplicate):
		return NewProblem(duplicateCode(duplicate), "").With("existing_id", duplicate.ExistingID)
	case errors.As(err, &limit):
		return NewProblem(CodeAPIKeyLimitReached, "").With("limit", limit.Limit)
	case errors.As(err, &invalid):
		return ValidationFailed(located(invalid.Faults)...)
	case errors.As(err, &products):
		return &Problem{Code: CodeProductNotFound, Errors: located(products.Faults)}
	case errors.As(err, &references):
		return &Problem{Code: CodeReferenceNotFound, Errors: located(references.Faults)}
	case errors.As(err, &unready):
		p := NewProblem(CodeNotProcessed, "").With("processing_status", unready.ProcessingStatus)
		if unready.Reason != "" {
			p = p.With("processing_reason", unready.Reason)
		}
		return p
	case errors.As(err, &transition):
		return NewProblem(CodeInvalidStatusTransition, "").
			With("from", transition.From).With("to", transition.To).With("allowed", transition.Allowed)
	case errors.As(err, &order):
		next := models.StepOf(order.Next)
		return NewProblem(CodeOnboardingStepOutOfOrder, "").
			With("next_step", next.Number).With("next_step_name", next.Name).With("next_step_path", next.Path)
	case errors.As(err, &inactive):
		return NewProblem(CodeOnboardingNotActive, "").With("onboarding_status", inactive.Status)
	case errors.As(err, &failed):
		return NewProblem(CodeOnboardingStepFailed, "").With("step", failed.Step).With("reason", failed.Reason)
	case errors.Is(err, models.ErrChangedMeanwhile):
		return NewProblem(CodeServiceUnavailable, "") // others were faster, again and again
	case errors.As(err, &original):
		return NewProblem(CodeOriginalNotCommitted, "").With("current_status", original.Status)
	case errors.As(err, &exceeds):
		return NewProblem(CodeCreditExceedsOriginal, "").
			With("remaining_amount", tax.FormatMoney(exceeds.Remaining)).With("currency", exceeds.Currency)
	case errors.Is(err, models.ErrOriginalIsRefund):
		return NewProblem(CodeOriginalIsCreditNote, "")
	case errors.As(err, &locked):
		return lockedProblem(locked)
	case errors.As(err, &credit):
		return NewProblem(CodeCreditNoteEndpointRequired, "").With("related_to", credit.RelatedTo)
	case errors.As(err, &credited):
		return NewProblem(CodeHasCreditNotes, "")
	case errors.As(err, &notActive):
		return NewProblem(CodeRegistrationNotActive, "").With("current_status", notActive.CurrentStatus)
	case models.IsFilingRefusal(err):
		return filingProblem(err)
	case errors.Is(err, models.ErrTooManyImports):
		return NewProblem(CodeRateLimited, "Too many imports are under way.").With("limit_type", "concurrency")
	case errors.Is(err, models.ErrNotFound):
		return NewProblem(CodeResourceNotFound, "")
	case errors.Is(err, models.ErrArchived):
		return NewProblem(CodeOrganizationArchived, "")
	case errors.Is(err, models.ErrForbidden):
		return NewProblem(CodeForbiddenForKey, "")
	case errors.Is(err, models.ErrUnauthenticated):
		return NewProblem(CodeUnauthenticated, "")
	case errors.Is(err, models.ErrKeyReused):
		return NewProblem(CodeIdempotencyKeyReused, "")
	case errors.Is(err, models.ErrKeyInUse):
		return NewProblem(CodeIdempotencyKeyInUse, "")
	case errors.Is(err, models.ErrOutcomeUnknown):
		return NewProblem(CodeOutcomeUnknown, "")
	case errors.Is(err, models.ErrUnavailable):
		return NewProblem(CodeServiceUnavailable, "")
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		return NewProblem(CodeServiceUnavailable, "") // the store says so itself when it cannot tell
	}
	return nil
}

func lockedProblem(locked *models.LockedError) *Problem {
	detail := ""
	if locked.FilingID == "" {
		detail = "The transaction is archived and cannot change."
	}
	return NewProblem(CodeTransactionLocked, detail).With("filing_id", optional(locked.FilingID))
}

// filingProblem is why a filing cannot be moved or changed.
func filingProblem(err error) *Problem {
	var open *models.FilingPeriodOpenError
	var unready *models.FilingNotReadyError
	var owed *models.FilingLiabilityError
	switch {
	case errors.As(err, &open):
		return NewProblem(CodeFilingPeriodOpen, "").With("available_at", open.AvailableAt)
	case errors.As(err, &unready):
		return NewProblem(CodeFilingNotReady, "").With("pending_transactions", unready.Pending)
	case errors.As(err, &owed):
		return NewProblem(CodeFilingHasLiability, "").With("total_tax_liability", owed.Liability.String())
	case errors.Is(err, models.ErrFilingBlocked):
		return NewProblem(CodeFilingApprovalBlocked, "")
	}
	detail := ""
	var immutable *models.FilingImmutableError
	if errors.As(err, &immutable) && immutable.Fields != nil {
		detail = "In this status these cannot change: " + strings.Join(immutable.Fields, ", ") + "."
	}
	return NewProblem(CodeFilingImmutable, detail)
}

func duplicateCode(d *models.DuplicateError) Code {
	switch d.Field {
	case "name":
		return CodeDuplicateName
	case "registration":
		return CodeDuplicateRegistration
	case "filing":
		return CodeDuplicateFiling
	}
	return CodeDuplicateExternalID
}

func located(faults []models.Fault) []FieldError {
	return convertAll(faults, func(f models.Fault) FieldError { return FieldError(f) })
}
