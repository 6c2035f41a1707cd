package models

import (
	"strconv"
	"strings"
)

// Title returns what the exceptions of a group wait for, in words.
func (g *ExceptionGroup) Title() string {
	switch g.Type {
	case ExceptionTransaction:
		switch g.Code {
		case NoRate:
			return "Sales that wait for conversion rates"
		case "ADDRESS":
			return "Sales whose address does not say where they are taxed"
		case "STRUGGLING":
			return "Sales whose processing keeps failing"
		}
		return "Sales that cannot be calculated"
	case ExceptionFilingIssue:
		return "Returns with an issue: " + g.Code
	case ExceptionToApprove:
		if g.Code == ApprovalBlocked {
			return "Returns whose approval is blocked"
		}
		return "Returns to approve"
	case ExceptionOverdue:
		return "Returns overdue: " + overdueCause(g.Code)
	case ExceptionFilingWaiting:
		if g.Code == ToConfirm {
			return "Approved returns to file by hand and to confirm"
		}
		return "Returns whose authority does not answer"
	case ExceptionRegistration:
		return "Registrations that wait: " + registrationCause(g.Code)
	case ExceptionImport:
		return "Imports that failed"
	case ExceptionOnboarding:
		return "Onboardings without progress for a week: " + stepCause(g.Code)
	case ExceptionNexus:
		return "Places with nexus and no registration"
	case ExceptionRefund:
		return "Refunds to claim from an authority"
	case ExceptionNotice:
		return "Notices of authorities to answer: " + NoticeKind(g.Code).Label()
	case ExceptionWebhook:
		return "Webhook endpoints that Levy switched off"
	}
	return g.Type
}

// stepCause returns the step that an onboarding waits for, such as "business contact" of "STEP_6". It returns the code if it
// names no step.
func stepCause(code string) string {
	number, err := strconv.Atoi(strings.TrimPrefix(code, "STEP_"))
	if err != nil || number < 1 || number > LastStep {
		return code
	}
	return StepOf(number).Title
}

func overdueCause(code string) string {
	switch code {
	case string(FilingPaused):
		return "paused"
	case ApprovalBlocked:
		return "their approval is blocked"
	case ToConfirm:
		return "to file by hand and to confirm"
	case Unanswered:
		return "their authority does not answer"
	case string(FilingFiling):
		return "with the authority"
	}
	return "they wait for approval"
}

func registrationCause(code string) string {
	switch code {
	case BackTax:
		return "tax of earlier days is in no return"
	case FiscalYearUnknown:
		return "the fiscal year is not known"
	case ReturnDataMissing:
		return "their returns lack data"
	case AccessEnding:
		return "access at the authority ends"
	case ToConfirm:
		return "to register by hand and to confirm"
	case Unanswered:
		return "the authority does not answer"
	}
	return "the authority has a question"
}
