package api

import (
	"cmp"
	"context"
	"fmt"
	"strconv"
	"strings"
	"time"

	"levy/api/openapi"
	"levy/models"
	"levy/tax/calendar"
	"levy/workflows"
)

// Work is what needs a person, over all subjects, and what a search finds.
type Work interface {
	// ListExceptions lists what needs a person, the oldest first.
	ListExceptions(ctx context.Context, visible models.Visibility, f models.ExceptionFilter,
		page models.Page) (models.ExceptionList, error)
	// Exception reads what needs a person at one object. Errors: models.ErrNotFound.
	Exception(ctx context.Context, scope models.Scope, kind, objectID string) (models.Exception, error)
	// NoteException says who takes care of one. Errors: models.ErrNotFound.
	NoteException(ctx context.Context, scope models.Scope, actor models.Actor, kind, objectID string,
		change func(*models.ExceptionNote)) (models.Exception, error)
	// Search finds records by what a person remembers of them.
	Search(ctx context.Context, visible models.Visibility, text string) (models.SearchResults, error)
}

// visibility is the organizations whose records the caller sees in lists: that of the header with its clients, or
// without a header of all that the person belongs to.
func (c *call) visibility() models.Visibility {
	switch {
	case c.scope.OrganizationID != "":
		return models.Visibility{OrganizationIDs: []string{c.scope.OrganizationID}}
	case c.person.IsStaff():
		return models.Visibility{All: true}
	}
	visible := models.Visibility{OrganizationIDs: []string{}}
	for _, m := range c.person.Memberships {
		visible.OrganizationIDs = append(visible.OrganizationIDs, m.OrganizationID)
	}
	return visible
}

// ListExceptions lists what needs a person.
func (s *Server) ListExceptions(ctx context.Context, r openapi.ListExceptionsRequest) (openapi.ExceptionList, error) {
	p, call := r.Params, callOf(ctx)
	filter := models.ExceptionFilter{Types: texts[string](p.TypeIn), OrganizationID: p.OrganizationID,
		Assignee: p.Assignee}
	if p.AgeDaysGte > 0 {
		filter.Until = s.now().AddDate(0, 0, -p.AgeDaysGte)
	}
	list, err := s.deps.Work.ListExceptions(ctx, call.visibility(), filter, pageOf(p.Page, p.Size))
	if err != nil {
		return openapi.ExceptionList{}, err
	}
	answer := openapi.ExceptionList{
		Items: make([]openapi.Exception, len(list.Items)), Counts: make([]openapi.ExceptionCount, len(list.Counts)),
		Total: list.Total, Page: p.Page, Size: p.Size, Pages: pages(list.Total, p.Size),
	}
	if err := s.sumUp(ctx, list.Items); err != nil {
		return openapi.ExceptionList{}, err
	}
	for i := range list.Items {
		answer.Items[i] = exceptionAnswer(call, &list.Items[i])
	}
	for i, c := range list.Counts {
		answer.Counts[i] = openapi.ExceptionCount{Type: openapi.ExceptionType(c.Type), Count: c.Count}
	}
	return answer, nil
}

// AssignException says who takes care of an exception.
func (s *Server) AssignException(ctx context.Context, r openapi.AssignExceptionRequest) (openapi.Exception, error) {
	call := callOf(ctx)
	e, err := s.deps.Work.NoteException(ctx, call.scope, call.actor(), r.Type, r.ObjectID, func(n *models.ExceptionNote) {
		changeOptional(&n.Assignee, r.Body.Assignee)
		changeOptional(&n.Note, r.Body.Note)
	})
	if err != nil {
		return openapi.Exception{}, err
	}
	one := []models.Exception{e}
	if err := s.sumUp(ctx, one); err != nil {
		return openapi.Exception{}, err
	}
	return exceptionAnswer(call, &one[0]), nil
}

// sumUp writes the amounts of returns whose transactions nobody has claimed yet, what they add up to now, and how many
// transactions have to be corrected before they can be approved.
func (s *Server) sumUp(ctx context.Context, exceptions []models.Exception) error {
	var organizations, ids []string
	for _, e := range exceptions {
		if models.FilingStatus(e.Status).Live() {
			organizations, ids = append(organizations, e.OrganizationID), append(ids, e.ObjectID)
		}
	}
	if ids == nil {
		return nil
	}
	returns, err := s.deps.Filings.LiveReturns(ctx, organizations, ids)
	for i := range exceptions {
		if live, ok := returns[exceptions[i].ObjectID]; ok {
			exceptions[i].Amount, exceptions[i].Unresolved = &live.Amount, live.Unresolved
		}
	}
	return err
}

// Search finds records.
func (s *Server) Search(ctx context.Context, r openapi.SearchRequest) (openapi.SearchResults, error) {
	found, err := s.deps.Work.Search(ctx, callOf(ctx).visibility(), strings.TrimSpace(r.Params.Q))
	if err != nil {
		return openapi.SearchResults{}, err
	}
	more := texts[openapi.SearchResultType](found.More)
	return openapi.SearchResults{More: more, Items: convertAll(found.Items, func(f models.Found) openapi.SearchResult {
		return openapi.SearchResult{
			Type: openapi.SearchResultType(f.Type), OrganizationID: f.OrganizationID, OrganizationName: f.OrganizationName,
			ObjectID: f.ID, Title: f.Title, Place: f.Place, Status: f.Status,
			StartDate: dayOf(valueOf(f.Start)), EndDate: dayOf(valueOf(f.End)),
		}
	})}, nil
}

func exceptionAnswer(c *call, e *models.Exception) openapi.Exception {
	answer := openapi.Exception{
		Type: openapi.ExceptionType(e.Type), OrganizationID: e.OrganizationID, OrganizationName: e.OrganizationName,
		ObjectID: e.ObjectID, Since: instant(e.Since), Amount: e.Amount,
		Currency: e.Currency, Assignee: e.Assignee, Note: e.Note,
		ReasonCode: optional(e.Code), Actions: c.actionsOf(e), Due: optionalDate(e.Due),
	}
	answer.Title, answer.Reason = inWords(e)
	switch e.Type {
	case models.ExceptionFilingIssue, models.ExceptionToApprove, models.ExceptionOverdue:
		answer.WorkflowID = optional(workflows.FilingID(e.ObjectID))
	case models.ExceptionRegistration:
		answer.WorkflowID = optional(workflows.RegistrationID(e.ObjectID))
	case models.ExceptionImport:
		answer.WorkflowID = optional(workflows.ImportID(e.ObjectID))
	case models.ExceptionOnboarding:
		answer.WorkflowID = optional(workflows.OnboardingID(e.OrganizationID))
	}
	return answer
}

// approvalBlocked is the code of an exception about a return that nobody may approve.
const approvalBlocked = "APPROVAL_BLOCKED"

// inWords is what an exception is and why, for people.
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
		if e.Code == approvalBlocked {
			return filing, "Its approval is blocked."
		}
		if e.Category == string(models.FilingAmendment) {
			return filing, "It has what came after the return and is waiting for " + approval(e) + "."
		}
		return filing, "The period is over and the return is waiting for " + approval(e) + "."
	case models.ExceptionOverdue:
		return filing, overdueReason(e)
	case models.ExceptionRegistration:
		return "Registration in " + e.Name, registrationReason(e)
	case models.ExceptionImport:
		return strings.TrimSpace("Import " + e.Name), "The import failed: " + e.Code + "."
	case models.ExceptionOnboarding:
		step := models.StepOf(int(strings.TrimPrefix(e.Code, "STEP_")[0] - '0'))
		return "Onboarding of " + cmp.Or(valueOf(e.OrganizationName), e.OrganizationID),
			fmt.Sprintf("Step %d of 8, %s, has not been done.", step.Number,
				strings.ToLower(strings.ReplaceAll(step.Name, "_", " ")))
	case models.ExceptionNexus:
		return "Nexus in " + e.Name, nexusReason(e)
	case models.ExceptionWebhook:
		said := "nothing arrived there for five days."
		if e.Code == models.WebhookGone {
			said = "it answered that it no longer exists."
		}
		return "Webhook endpoint", "Levy switched it off: " + said
	}
	return e.Type, e.Code
}

// kindOfReturn is what a filing of a category is called.
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

// nexusReason tells an obligation to collect from tax that was collected without one.
func nexusReason(e *models.Exception) string {
	if e.Obliged {
		return "The organization has to collect tax there but is not registered."
	}
	return "The organization collected tax there and has to remit it but is not registered."
}

// registrationReason is what a registration waits for.
func registrationReason(e *models.Exception) string {
	switch {
	case e.Code == models.BackTax && e.From != nil && e.To != nil:
		return fmt.Sprintf("Tax is owed from %s on, and the first return begins with %s: an earlier create_filings_from "+
			"has it filed, and vda says that it is disclosed voluntarily.",
			e.From.Format("2 January 2006"), e.To.Format("2 January 2006"))
	case e.Code == models.FiscalYearUnknown:
		return "Nothing is filed: its periods follow the fiscal year, of which business_fiscal_year_end is not known."
	case e.Said != "":
		return "The authority asks: " + e.Said
	}
	return "The authority has a question."
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

// approval is what a return waits for that nobody has approved: transactions that cannot be processed come first.
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
	case models.FilingUnfiled:
		if e.Code == approvalBlocked {
			waits = "Its approval is blocked."
		}
	case models.FilingFiled, models.FilingIssue, models.FilingSkipped, models.FilingCancelled:
	}
	days := int(time.Since(e.Since).Hours()/24) + 1
	if days == 1 {
		return "It is 1 day overdue. " + waits
	}
	return fmt.Sprintf("It is %d days overdue. %s", days, waits)
}

// actionsOf are the operations by which the caller can do something about an exception.
func (c *call) actionsOf(e *models.Exception) []string {
	var actions []string
	switch e.Type {
	case models.ExceptionTransaction:
		actions = []string{"updateTransaction", "reprocessTransaction"}
	case models.ExceptionFilingIssue:
		actions = []string{"retryFiling", "updateFiling"}
	case models.ExceptionToApprove:
		actions = []string{"approveFiling", "updateFiling"}
	case models.ExceptionOverdue:
		switch models.FilingStatus(e.Status) {
		case models.FilingUnfiled:
			actions = []string{"approveFiling"}
			if e.Code == approvalBlocked {
				actions = []string{"updateFiling"}
			}
		case models.FilingPaused, models.FilingFiling:
			actions = []string{"updateFiling"}
		case models.FilingFiled, models.FilingIssue, models.FilingSkipped, models.FilingCancelled:
		}
	case models.ExceptionRegistration:
		actions = []string{"updateRegistration"}
	case models.ExceptionImport:
		actions = []string{"resumeTransactionImport", "cancelTransactionImport"}
	case models.ExceptionOnboarding:
		actions = []string{"cancelOnboarding"}
	case models.ExceptionNexus:
		actions = []string{"registerNexus", "disregardNexus"}
	case models.ExceptionWebhook:
		actions = []string{"updateWebhookEndpoint", "deleteWebhookEndpoint"}
	}
	mine, about := []string{}, c.about(e.OrganizationID)
	for _, action := range actions {
		if accessRules[action].admits(about, nil) {
			mine = append(mine, action)
		}
	}
	return mine
}
