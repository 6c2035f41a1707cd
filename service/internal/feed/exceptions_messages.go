package feed

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"
	"time"

	"levy/models"
	"levy/service/internal/convert"
	"levy/tax/calendar"
)

// inWords returns the title of an exception and its reason, for people.
func inWords(e *models.Exception) (title, reason string) {
	place := strings.TrimSuffix(e.Place+", "+e.Country, ", ")
	period := ""
	if e.From != nil && e.To != nil {
		period = e.From.Format("2 January 2006") + " to " + e.To.Format("2 January 2006")
	}
	filing := fmt.Sprintf("%s for %s, %s", kindOfReturn(e.Category), place, period)
	switch e.Type {
	case models.ExceptionTransaction:
		return "Transaction " + e.Name, transactionReason(e)
	case models.ExceptionFilingIssue:
		return filing, "An issue was reported: " + e.Code + "."
	case models.ExceptionToApprove:
		if e.Code == models.ApprovalBlocked {
			return filing, "Its approval is blocked."
		}
		if e.Category == string(models.FilingAmendment) {
			return filing, "It has what came after the return and is waiting for " + approval(e) + "."
		}
		return filing, "The period is over and the return is waiting for " + approval(e) + "."
	case models.ExceptionOverdue:
		return filing, overdueReason(e)
	case models.ExceptionFilingWaiting:
		if e.Code == models.ToConfirm {
			return filing, "It is approved. " + toFile
		}
		return filing, notAnswered(e) + " To be on time, ask the authority whether it has the return, or file it there " +
			"and enter the confirmation."
	case models.ExceptionRegistration:
		return "Registration in " + e.Name, registrationReason(e)
	case models.ExceptionImport:
		return strings.TrimSpace("Import " + e.Name), "The import failed: " + e.Code + "."
	case models.ExceptionOnboarding:
		step := models.StepOf(int(strings.TrimPrefix(e.Code, "STEP_")[0] - '0'))
		return "Onboarding of " + cmp.Or(convert.ValueOf(e.OrganizationName), e.OrganizationID),
			fmt.Sprintf("Step %d of 8, %s, has not been done.", step.Number,
				strings.ToLower(strings.ReplaceAll(step.Name, "_", " ")))
	case models.ExceptionNexus:
		return "Nexus in " + e.Name, nexusReason(e)
	case models.ExceptionRefund:
		return refundToClaim(e, filing)
	case models.ExceptionNotice:
		kind := models.NoticeKind(e.Code).Label()
		return "Notice of " + e.Name + ": " + kind, noticeReason(e, time.Now())
	case models.ExceptionWebhook:
		said := "nothing arrived there for five days."
		if e.Code == models.WebhookGone {
			said = "it answered that it no longer exists."
		}
		return "Webhook endpoint", "Levy switched it off: " + said
	}
	return e.Type, e.Code
}

// noticeReason returns what an authority waits for, and whether that is late.
func noticeReason(e *models.Exception, now time.Time) string {
	waits := "It is not answered."
	if e.Status == string(models.NoticeInProgress) {
		waits = "Its answer is in progress."
	}
	if e.Due == nil {
		return waits + " The letter sets no day."
	}
	// guard: notices: a notice is overdue from the day after its last one
	if late := int(now.UTC().Sub(*e.Due).Hours() / 24); late > 0 {
		return overdue(late) + " " + waits
	}
	return waits + " The answer is due on " + e.Due.Format("2 January 2006") + "."
}

// overdue returns the sentence about days that have passed since a due day.
func overdue(days int) string {
	if days == 1 {
		return "It is 1 day overdue."
	}
	return fmt.Sprintf("It is %d days overdue.", days)
}

// refundToClaim returns the title and the reason of what an authority owes back and no return takes off.
func refundToClaim(e *models.Exception, filing string) (title, reason string) {
	how := " Claim it from the authority, and then set done. Until when it takes a claim is not known here."
	if e.Due != nil {
		how = " Claim it from the authority by " + e.Due.Format("2 January 2006") + ", counted from the end of its period, and then " +
			"set done. What refunds an earlier sale may have less time."
	}
	switch e.Code {
	case models.NoReturn:
		return "Refund of " + e.Name, "The tax of its sale was filed, and no return covers the day of the refund." + how
	case models.ClaimRequired:
		return "Credit of " + filing, "The authority takes no credit off later returns." + how
	}
	return "Credit of " + filing, "The registration has ended, and no return takes the credit off." + how
}

// kindOfReturn returns the name of a filing of a category.
func kindOfReturn(category string) string {
	switch calendar.FilingCategory(category) {
	case models.FilingAmendment:
		return "Amendment"
	case calendar.FilingPrepayment:
		return "Prepayment"
	case calendar.FilingRegular:
	}
	return "Return"
}

// nexusReason distinguishes an obligation to collect from tax that was collected without one.
func nexusReason(e *models.Exception) string {
	if e.Obliged {
		return "The organization has to collect tax there but is not registered."
	}
	return "The organization collected tax there and has to remit it but is not registered."
}

// registrationReason returns what a registration waits for.
func registrationReason(e *models.Exception) string {
	switch {
	case e.Code == models.BackTax && e.From != nil && e.To != nil:
		return fmt.Sprintf("Tax is owed from %s on, and the first return begins with %s. An earlier create_filings_from "+
			"has it filed, and vda says that it is disclosed voluntarily.",
			e.From.Format("2 January 2006"), e.To.Format("2 January 2006"))
	case e.Code == models.FiscalYearUnknown:
		return "Nothing is filed: its periods follow the fiscal year, of which business_fiscal_year_end is not known."
	case e.Code == models.ReturnDataMissing:
		return dataReason(e)
	case e.Code == models.AccessEnding && e.Due != nil:
		return "The access of Levy at the authority ends on " + e.Due.Format("2 January 2006") + ". After that no return is sent until a " +
			"person connects again."
	case e.Code == models.Unanswered:
		return notAnswered(e)
	case e.Code == models.ToConfirm && e.Status == string(models.RegistrationDeregistering):
		return "It is to end: tell the authority, and enter that it has confirmed that."
	case e.Code == models.ToConfirm:
		return "Register with the authority, and enter what it confirms: Levy has no connection to it."
	case e.Code == string(models.RegistrationDeregistering):
		return "The authority did not end it: " + e.Said
	case e.Said != "":
		return "The authority asks: " + e.Said
	}
	return "The authority has a question."
}

// dataWords say of data that returns lack what it is, and where people enter it.
var dataWords = map[string]string{
	models.WantedNumber:  "the number of the authority (enter it in the registration, as its sales tax ID)",
	models.WantedEIN:     "the federal tax ID of the organization (business details)",
	models.WantedShared:  "the Streamlined ID of the organization (settings, sst_id)",
	models.WantedContact: "the person whom the authority may ask (business contact)",
	models.WantedBank:    "the bank account of the organization (bank details)",
}

// dataReason returns what returns of a registration lack. Fields have their names.
func dataReason(e *models.Exception) string {
	parts := make([]string, len(e.Lacking))
	for i, data := range e.Lacking {
		parts[i] = cmp.Or(dataWords[data], "the field "+data+" (enter it in the registration, in jurisdiction_specific_fields)")
	}
	return "Its returns lack " + strings.Join(parts, "; ") + "."
}

// toFile is the instruction for a return that no adapter files.
const toFile = "File it with the authority, and enter the confirmation: Levy has no connection to it."

// notAnswered returns the message for a record whose authority does not answer.
func notAnswered(e *models.Exception) string {
	return "The authority has not answered since " + convert.ValueOf(e.Unanswered).UTC().Format("2 January 2006, 15:04 UTC") +
		". Levy tries again automatically."
}

func transactionReason(e *models.Exception) string {
	switch e.Code {
	case "ADDRESS":
		return "Its address does not say where it is taxed: correct the address, which processes it again."
	case "STRUGGLING":
		return "Processing keeps failing: " + e.Said
	}
	return "It cannot be calculated: " + e.Said
}

// approval returns the reason that blocks the approval of a return. Transactions that cannot be processed come first.
func approval(e *models.Exception) string {
	switch e.Unresolved {
	case 0:
		return "approval"
	case 1:
		return "1 transaction to be corrected"
	}
	return strconv.Itoa(e.Unresolved) + " transactions to be corrected"
}

func overdueReason(e *models.Exception) string {
	waits := "It is waiting for " + approval(e) + "."
	switch models.FilingStatus(e.Status) {
	case models.FilingPaused:
		waits = "It is paused."
	case models.FilingFiling:
		waits = "It is with the authority."
		switch {
		case e.Code == models.ToConfirm:
			waits = toFile
		case e.Unanswered != nil:
			waits = notAnswered(e)
		}
	case models.FilingUnfiled:
		if e.Code == models.ApprovalBlocked {
			waits = "Its approval is blocked."
		}
	case models.FilingFiled, models.FilingIssue, models.FilingSkipped, models.FilingCancelled:
	}
	return overdue(int(time.Since(e.Since).Hours()/24)+1) + " " + waits
}
