package web

import (
	"net/url"
	"slices"

	"levy/models"
)

// act is an action of an exception in its line: a link to a page, or a form with one button.
type act struct {
	Label  string
	Page   string // address of the page; empty for a form
	Action string // the value that the form sends; empty for none
}

// acts returns the actions that the person has for the record of the exception. The first one is the usual one.
func (e *exception) acts(user *user) (all []act) {
	code, record := e.Code(), e.Link()
	add := func(may bool, a act) {
		if may {
			all = append(all, a)
		}
	}
	blocked := code == models.ApprovalBlocked && e.May("updateFiling")
	add(e.May("retryFiling"), act{Label: "Retry", Action: "retry"})
	add(blocked, act{Label: "Review and unblock", Page: record})
	add(!blocked && e.May("approveFiling"), act{Label: "Review and approve", Page: record})
	add(e.May("updateTransaction") && !slices.Contains([]string{string(models.RefetchCalculation), models.NoRate}, code),
		act{Label: "Correct the address", Page: record})
	add(e.May("reprocessTransaction"), act{Label: "Process again"})
	add(e.May("updateFiling") && e.Type == models.ExceptionOverdue && code == string(models.FilingPaused),
		act{Label: "Resume", Action: "resume"})
	add(e.Type == models.ExceptionOnboarding && user.may(e.OrganizationID, models.RoleAdmin),
		act{Label: "Do the next step", Page: "/o/" + url.PathEscape(e.OrganizationID) + "/company"})
	review := act{Label: "Review and answer", Page: record}
	if code == models.Unanswered {
		review.Label = "Review"
	}
	add(e.May("updateRegistration"), review)
	add(e.May("updateNotice"), act{Label: "Review and answer", Page: record})
	add(e.May("resumeTransactionImport"), act{Label: "Resume", Action: "resume"})
	add(e.May("registerNexus"), act{Label: "Review and register", Page: record + "#register"})
	add(e.May("updateWebhookEndpoint"), act{Label: "Switch on", Action: "enable"})
	return all
}

// confirms reports whether the person may enter the confirmation number of the return.
func (e *exception) confirms(user *user) bool {
	return slices.Contains([]string{string(models.FilingFiling), models.ToConfirm, models.Unanswered}, e.Code()) && e.May("updateFiling") &&
		user.may(e.OrganizationID, models.RoleApprover)
}

// First returns the action whose button stands in the line; nil if there is none.
func (e exception) First() *act {
	if len(e.Acts) == 0 {
		return nil
	}
	return &e.Acts[0]
}

// Rest returns the actions behind the menu of the line.
func (e exception) Rest() []act {
	if len(e.Acts) == 0 {
		return nil
	}
	return e.Acts[1:]
}

// Menu returns the label of the menu of the line; "" if the line has none.
func (e exception) Menu() string {
	switch {
	case len(e.Acts) > 1, e.Confirms && (len(e.Acts) > 0 || e.Assigns), e.Assigns && len(e.Acts) > 0:
		return "More"
	case e.Confirms:
		return "Enter the confirmation"
	case e.Assigns && e.Address.Value != "" && e.Assignee == nil:
		return "Ask the client"
	case e.Assigns:
		return "Assign"
	}
	return ""
}
