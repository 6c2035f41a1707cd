package problem

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"

	"levy/models"
	"levy/tax/money"
)

// Of turns an error of the domain into an answer. No other function does this. It returns nil for an error that it does
// not know.
func Of(err error) *Problem {
	var (
		ready      *Problem
		duplicate  *models.DuplicateError
		limit      *models.LimitError
		invalid    *models.InvalidError
		products   *models.ProductsNotFoundError
		references *models.ReferencesNotFoundError
		transition *models.TransitionError
		notActive  *models.RegistrationNotActiveError
		unscoped   *models.ScopeError
		giver      *models.GiverError

		documentless *models.FilingDocumentError
		outdated     *models.NoticeChangedError
	)
	switch {
	case errors.As(err, &ready):
		return ready
	case errors.As(err, &duplicate):
		return New(duplicateCode(duplicate), duplicateDetail(duplicate)).With("existing_id", duplicate.ExistingID)
	case errors.As(err, &limit):
		return limitProblem(limit)
	case errors.As(err, &invalid):
		return ValidationFailed(invalid.Faults...)
	case errors.As(err, &products):
		return &Problem{Code: CodeProductNotFound, Errors: products.Faults}
	case errors.As(err, &references):
		return &Problem{Code: CodeReferenceNotFound, Errors: references.Faults}
	case errors.As(err, &transition):
		return New(CodeInvalidStatusTransition, "").
			With("from", transition.From).With("to", transition.To).With("allowed", transition.Allowed)
	case errors.As(err, &outdated):
		return New(CodeNoticeChanged, "").With("revision", outdated.Revision)
	case errors.As(err, &notActive):
		return New(CodeRegistrationNotActive, "").With("current_status", notActive.CurrentStatus)
	case models.IsFilingRefusal(err):
		return filingProblem(err)
	case errors.As(err, &documentless):
		return New(CodeFilingWithoutDocument, documentless.Said).With("findings", append([]string{}, documentless.Findings...))
	case errors.Is(err, models.ErrTooManyImports):
		return New(CodeRateLimited, "Too many imports are under way.").With("limit_type", "concurrency")
	case errors.As(err, &unscoped):
		return New(CodeForbiddenForKey, "The key lacks the scope "+string(unscoped.Scope)+".").
			With("scope", unscoped.Scope)
	case errors.As(err, &giver):
		return New(CodeForbiddenForKey, giver.Detail)
	}
	return cmp.Or(transactionProblem(err), onboardingProblem(err), plainProblem(err))
}

// transactionProblem returns the answer when a transaction or a credit note is refused, and nil for other errors.
func transactionProblem(err error) *Problem {
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
		p := New(CodeNotProcessed, "").With("processing_status", unready.ProcessingStatus)
		if unready.Reason != "" {
			p = p.With("processing_reason", unready.Reason)
		}
		return p
	case errors.As(err, &original):
		return New(CodeOriginalNotCommitted, "").With("current_status", original.Status)
	case errors.As(err, &exceeds):
		return New(CodeCreditExceedsOriginal, "").
			With("remaining_amount", money.Format(exceeds.Remaining)).With("currency", exceeds.Currency)
	case errors.As(err, &locked):
		return lockedProblem(locked)
	case errors.As(err, &credit):
		return New(CodeCreditNoteEndpointRequired, "").With("related_to", credit.RelatedTo)
	case errors.As(err, &credited):
		return New(CodeHasCreditNotes, "")
	}
	return nil
}

// onboardingProblem returns the answer when a step is refused, and nil for other errors.
func onboardingProblem(err error) *Problem {
	var (
		order    *models.StepOrderError
		inactive *models.OnboardingInactiveError
		failed   *models.StepFailedError
	)
	switch {
	case errors.As(err, &order):
		next := models.StepOf(order.Next)
		return New(CodeOnboardingStepOutOfOrder, "").
			With("next_step", next.Number).With("next_step_name", next.Name).With("next_step_path", next.Path)
	case errors.As(err, &inactive):
		return New(CodeOnboardingNotActive, "").With("onboarding_status", inactive.Status)
	case errors.As(err, &failed):
		return New(CodeOnboardingStepFailed, "").With("step", failed.Step).With("reason", failed.Reason)
	}
	return nil
}

// plainErrors are the errors without data, in the order in which Of looks for them.
var plainErrors = []struct {
	err    error
	code   Code
	detail string
}{
	{models.ErrChangedMeanwhile, CodeServiceUnavailable, ""}, // other writers were faster at every attempt
	{models.ErrOriginalIsRefund, CodeOriginalIsCreditNote, ""},
	{models.ErrNotFound, CodeResourceNotFound, ""},
	{models.ErrLastAdmin, CodeLastAdmin, ""},
	{models.ErrArchived, CodeOrganizationArchived, ""},
	{models.ErrForbidden, CodeForbiddenForKey, ""},
	{models.ErrUnauthenticated, CodeUnauthenticated, ""},
	{models.ErrKeyReused, CodeIdempotencyKeyReused, ""},
	{models.ErrKeyInUse, CodeIdempotencyKeyInUse, ""},
	{models.ErrAnswerErased, CodeIdempotencyAnswerErased, ""},
	{models.ErrOutcomeUnknown, CodeOutcomeUnknown, ""},
	// The running calls take longer than expected. Levy does not know whether the caller or the database is the cause.
	{models.ErrShareUsed, CodeServiceUnavailable,
		"Your calls that are under way take up your share of the service. Nothing was written."},
	{models.ErrUnavailable, CodeServiceUnavailable, ""},
	{context.Canceled, CodeServiceUnavailable, ""}, // where the outcome is unknown, the store returns ErrOutcomeUnknown
	{context.DeadlineExceeded, CodeServiceUnavailable, ""},
}

func plainProblem(err error) *Problem {
	for _, plain := range plainErrors {
		if errors.Is(err, plain.err) {
			return New(plain.code, plain.detail)
		}
	}
	return nil
}

// retryOfADay is the time in seconds after which a caller may try again what is limited in 24 hours.
const retryOfADay = 3600

// ofADay returns the problem of a limit on what is done in 24 hours.
func ofADay(limitType string, most int, detail string) *Problem {
	p := New(CodeRateLimited, fmt.Sprintf("%s The limit is %d.", detail, most)).With("limit_type", limitType).With("limit", most)
	p.RetryAfter = retryOfADay
	return p
}

func limitProblem(limit *models.LimitError) *Problem {
	code, unit := CodeAPIKeyLimitReached, ""
	switch limit.What {
	case models.LimitWebhookEndpoints:
		code = CodeWebhookEndpointLimitReached
	case models.LimitRateOverrides:
		code = CodeRateOverrideLimitReached
	case models.LimitFilingEntries:
		code = CodeFilingEntryLimitReached
	case models.LimitSavedViews:
		code = CodeSavedViewLimitReached
	case models.LimitSharedViews:
		code = CodeSharedViewLimitReached
	case models.LimitCalendarFeeds:
		code = CodeCalendarFeedLimitReached
	case models.LimitComments, models.LimitCommentVersions:
		code = CodeCommentLimitReached
	case models.LimitNotices, models.LimitNoticeDocuments:
		code = CodeNoticeLimitReached
	case models.LimitStorage, models.LimitOwnStorage:
		code, unit = CodeStorageLimitReached, " bytes"
	case models.LimitOrganizations:
		return ofADay("organizations", limit.Limit, "You have made as many organizations in 24 hours as you may.")
	case models.LimitLinkMails:
		return ofADay("onboarding_mails", limit.Limit, "As many e-mails were sent in 24 hours as may be, to this client or by you. "+
			"Make the link without an address, and hand it over yourself.")
	}
	detail := fmt.Sprintf("%s The limit is %d%s.", Table[code].Detail, limit.Limit, unit)
	return New(code, detail).With("limit", limit.Limit)
}

// OfRow returns the problem of an error that refuses one row of a bulk call. It returns nil for an error that ends the
// call: one of the service, or an unknown outcome.
func OfRow(err error) *Problem {
	p := Of(err)
	if p == nil || StatusOf(p.Code) >= 500 {
		return nil
	}
	return p
}

func lockedProblem(locked *models.LockedError) *Problem {
	if locked.FilingID == "" {
		return New(CodeTransactionLocked, "The transaction is archived and cannot change.").With("filing_id", nil)
	}
	return New(CodeTransactionLocked, "").With("filing_id", locked.FilingID)
}

// filingProblem returns the answer when a filing cannot be changed.
func filingProblem(err error) *Problem {
	var open *models.FilingPeriodOpenError
	var unready *models.FilingNotReadyError
	var owed *models.FilingLiabilityError
	var unresolved *models.FilingUnresolvedError
	var amount *models.FilingAmountError
	var second *models.SecondPersonError
	switch {
	case errors.As(err, &unresolved):
		return unresolvedProblem(unresolved)
	case errors.As(err, &amount):
		return New(CodeAmountChanged,
			fmt.Sprintf("The amount of the filing is %s, not %s.", amount.Amount, amount.Expected)).
			With("amount", amount.Amount.String()).With("expected_amount", amount.Expected.String())
	case errors.As(err, &open):
		return New(CodeFilingPeriodOpen, "").With("available_at", open.AvailableAt)
	case errors.As(err, &unready):
		// Transactions that wait for a rate or an obligation are not counted, but there is at least one.
		return New(CodeFilingNotReady, unready.Error()).
			With("pending_transactions", max(1, unready.Pending))
	case errors.As(err, &owed):
		return New(CodeFilingHasLiability, "").With("total_tax_liability", owed.Liability.String())
	case errors.As(err, &second):
		return New(CodeFilingApprovalBlocked, second.Error())
	case errors.Is(err, models.ErrFilingBlocked):
		return New(CodeFilingApprovalBlocked, "")
	}
	detail := ""
	var immutable *models.FilingImmutableError
	if errors.As(err, &immutable) && immutable.Fields != nil {
		detail = "In this status these cannot change: " + strings.Join(immutable.Fields, ", ") + "."
	}
	return New(CodeFilingImmutable, detail)
}

func unresolvedProblem(e *models.FilingUnresolvedError) *Problem {
	what := fmt.Sprintf("%d transactions of the period, %s in all, cannot", e.Transactions, e.Amount)
	if e.Transactions == 1 {
		what = fmt.Sprintf("One transaction of the period, of %s, cannot", e.Amount)
	}
	return New(CodeFilingHasUnresolved, what+" be processed.").
		With("unresolved_transaction_count", e.Transactions).With("unresolved_amount", e.Amount.String())
}

func duplicateCode(d *models.DuplicateError) Code {
	switch d.Field {
	case "name":
		return CodeDuplicateName
	case "registration":
		return CodeDuplicateRegistration
	case "filing", "amendment":
		return CodeDuplicateFiling
	case "email":
		return CodeDuplicateEmail
	}
	return CodeDuplicateExternalID
}

// duplicateDetail returns the words for what exists; "" for those of the code.
func duplicateDetail(d *models.DuplicateError) string {
	if d.Field == "amendment" {
		return "An amendment of this return is open: change that one, or file it first."
	}
	return ""
}

// Invalid returns the error for a request with one fault.
func Invalid(code, path, message string) error {
	return &models.InvalidError{Faults: []models.Fault{{Code: code, Path: path, Message: message}}}
}
