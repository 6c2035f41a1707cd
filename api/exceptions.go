package api

import (
	"context"
	"strings"

	"levy/contract"
	"levy/models"
	"levy/workflows"
)

// Work is what needs a person, over all subjects, and what a search finds.
type Work interface {
	// ListExceptions lists what needs a person, the oldest first.
	ListExceptions(ctx context.Context, visible models.Visibility, f models.ExceptionFilter,
		page models.Page) (models.ExceptionList, error)
	// Exception reads what needs a person at one object. Errors: models.ErrNotFound.
	Exception(ctx context.Context, scope models.Scope, ref models.ExceptionRef) (models.Exception, error)
	// NoteException says who takes care of one. Errors: models.ErrNotFound.
	NoteException(ctx context.Context, scope models.Scope, actor models.Actor, ref models.ExceptionRef,
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
func (s *Server) ListExceptions(ctx context.Context, r contract.ListExceptionsRequest) (contract.ExceptionList, error) {
	p, call := r.Params, callOf(ctx)
	filter := models.ExceptionFilter{Types: texts[string](p.TypeIn), OrganizationID: p.OrganizationID,
		Assignee: p.Assignee}
	if p.AgeDaysGte > 0 {
		filter.Until = s.now().AddDate(0, 0, -p.AgeDaysGte)
	}
	list, err := s.deps.Work.ListExceptions(ctx, call.visibility(), filter, pageOf(p.Page, p.Size))
	if err != nil {
		return contract.ExceptionList{}, err
	}
	answer := contract.ExceptionList{
		Items: make([]contract.Exception, len(list.Items)), Counts: make([]contract.ExceptionCount, len(list.Counts)),
		Total: list.Total, Page: p.Page, Size: p.Size, Pages: pages(list.Total, p.Size),
	}
	if err := s.sumUp(ctx, list.Items); err != nil {
		return contract.ExceptionList{}, err
	}
	for i := range list.Items {
		answer.Items[i] = exceptionAnswer(call, &list.Items[i])
	}
	for i, c := range list.Counts {
		answer.Counts[i] = contract.ExceptionCount{Type: contract.ExceptionType(c.Type), Count: c.Count}
	}
	return answer, nil
}

// AssignException says who takes care of an exception.
func (s *Server) AssignException(ctx context.Context, r contract.AssignExceptionRequest) (contract.Exception, error) {
	call := callOf(ctx)
	ref := models.ExceptionRef{Type: r.Type, ObjectID: r.ObjectID}
	e, err := s.deps.Work.NoteException(ctx, call.scope, call.actor(), ref, func(n *models.ExceptionNote) {
		changeOptional(&n.Assignee, r.Body.Assignee)
		changeOptional(&n.Note, r.Body.Note)
	})
	if err != nil {
		return contract.Exception{}, err
	}
	one := []models.Exception{e}
	if err := s.sumUp(ctx, one); err != nil {
		return contract.Exception{}, err
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
func (s *Server) Search(ctx context.Context, r contract.SearchRequest) (contract.SearchResults, error) {
	found, err := s.deps.Work.Search(ctx, callOf(ctx).visibility(), strings.TrimSpace(r.Params.Q))
	if err != nil {
		return contract.SearchResults{}, err
	}
	more := texts[contract.SearchResultType](found.More)
	return contract.SearchResults{More: more, Items: convertAll(found.Items, func(f models.Found) contract.SearchResult {
		return contract.SearchResult{
			Type: contract.SearchResultType(f.Type), OrganizationID: f.OrganizationID,
			OrganizationName: f.OrganizationName,
			ObjectID:         f.ID, Title: f.Title, Place: f.Place, Status: f.Status,
			StartDate: dayOf(valueOf(f.Start)), EndDate: dayOf(valueOf(f.End)),
		}
	})}, nil
}

func exceptionAnswer(c *call, e *models.Exception) contract.Exception {
	answer := contract.Exception{
		Type: contract.ExceptionType(e.Type), OrganizationID: e.OrganizationID, OrganizationName: e.OrganizationName,
		ObjectID: e.ObjectID, Since: instant(e.Since), Amount: e.Amount,
		Currency: e.Currency, Assignee: e.Assignee, Note: e.Note,
		ReasonCode: optional(e.Code), Actions: c.actionsOf(e), Due: optionalDate(e.Due),
	}
	answer.Title, answer.Reason = inWords(e)
	switch e.Type {
	case models.ExceptionFilingIssue, models.ExceptionToApprove, models.ExceptionOverdue,
		models.ExceptionFilingWaiting:
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
	case models.ExceptionFilingWaiting:
		actions = []string{"updateFiling"}
	case models.ExceptionRegistration:
		if e.Code != models.Unanswered {
			actions = []string{"updateRegistration"}
		}
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
		if c.admits(about, action) {
			mine = append(mine, action)
		}
	}
	return mine
}
