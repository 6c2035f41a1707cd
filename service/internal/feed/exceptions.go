package feed

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"levy/contract"
	"levy/models"
	"levy/service/internal/call"
	"levy/service/internal/convert"
	"levy/workflows"
)

// ListExceptions lists the exceptions of the worklist.
func (o *Operations) ListExceptions(ctx context.Context, r contract.ListExceptionsRequest) (contract.ExceptionList, error) {
	p, caller := r.Params, call.Of(ctx)
	filter := models.ExceptionFilter{Types: convert.Texts[string](p.TypeIn), OrganizationID: p.OrganizationID,
		Assignee: p.Assignee, Code: p.ReasonCode, Wants: o.deps.ReturnWants()}
	if p.AgeDaysGte > 0 {
		filter.Until = o.now().AddDate(0, 0, -p.AgeDaysGte)
	}
	if p.After != "" {
		place, err := placeOf(p.After)
		if err != nil {
			return contract.ExceptionList{}, err
		}
		filter.After = &place
	}
	list, err := o.deps.Work.ListExceptions(ctx, caller.Visibility(), filter, convert.PageOf(p.Page, p.Size))
	if err != nil {
		return contract.ExceptionList{}, err
	}
	answer := contract.ExceptionList{
		Items: make([]contract.Exception, len(list.Items)), Counts: make([]contract.ExceptionCount, len(list.Counts)),
		Total: list.Total, Page: p.Page, Size: p.Size, Pages: convert.Pages(list.Total, p.Size),
	}
	if err := o.sumUp(ctx, list.Items); err != nil {
		return contract.ExceptionList{}, err
	}
	for i := range list.Items {
		answer.Items[i] = exceptionAnswer(caller, &list.Items[i])
	}
	for i, c := range list.Counts {
		answer.Counts[i] = contract.ExceptionCount{Type: contract.ExceptionType(c.Type), Count: c.Count}
	}
	return answer, nil
}

// AssignException sets the person who works on an exception.
func (o *Operations) AssignException(ctx context.Context, r contract.AssignExceptionRequest) (contract.Exception, error) {
	c := call.Of(ctx)
	ref := models.ExceptionRef{Type: r.Type, ObjectID: r.ObjectID, Wants: o.deps.ReturnWants()}
	if r.Body.Done && ref.Type != models.ExceptionRefund {
		return contract.Exception{}, &models.InvalidError{Faults: []models.Fault{{
			Code: models.FieldNotAllowed, Path: "done",
			Message: "Only a REFUND_TO_CLAIM is closed so: the others close themselves when their cause is gone.",
		}}}
	}
	e, err := o.deps.Work.NoteException(ctx, c.Scope, c.Actor(), ref, func(n *models.ExceptionNote) {
		convert.ChangeOptional(&n.Assignee, r.Body.Assignee)
		convert.ChangeOptional(&n.Note, r.Body.Note)
		n.Done = r.Body.Done
	})
	if err != nil {
		return contract.Exception{}, err
	}
	one := []models.Exception{e}
	if err := o.sumUp(ctx, one); err != nil {
		return contract.Exception{}, err
	}
	return exceptionAnswer(c, &one[0]), nil
}

// sumUp adds to exceptions of unclaimed returns their current sums and the number of transactions to correct before the
// approval.
func (o *Operations) sumUp(ctx context.Context, exceptions []models.Exception) error {
	var organizations, ids []string
	for _, e := range exceptions {
		if models.FilingStatus(e.Status).Live() {
			organizations, ids = append(organizations, e.OrganizationID), append(ids, e.ObjectID)
		}
	}
	if ids == nil {
		return nil
	}
	returns, err := o.deps.Filings.LiveReturns(ctx, organizations, ids)
	for i := range exceptions {
		if live, ok := returns[exceptions[i].ObjectID]; ok {
			exceptions[i].Amount, exceptions[i].Unresolved = &live.Amount, live.Unresolved
		}
	}
	return err
}

// Search finds records by a text.
func (o *Operations) Search(ctx context.Context, r contract.SearchRequest) (contract.SearchResults, error) {
	found, err := o.deps.Work.Search(ctx, call.Of(ctx).Visibility(), strings.TrimSpace(r.Params.Q))
	if err != nil {
		return contract.SearchResults{}, err
	}
	more := convert.Texts[contract.SearchResultType](found.More)
	items := convert.ConvertAll(found.Items, func(f models.SearchRecord) contract.FoundRecord {
		return contract.FoundRecord{
			Type: contract.SearchResultType(f.Type), OrganizationID: f.OrganizationID,
			OrganizationName: f.OrganizationName,
			ObjectID:         f.ID, Title: f.Title, Place: f.Place, Status: f.Status,
			StartDate: convert.DayOf(convert.ValueOf(f.Start)), EndDate: convert.DayOf(convert.ValueOf(f.End)),
			Amount: convert.ValueOf(f.Amount), Currency: convert.ValueOf(f.Currency), Date: convert.Instant(convert.ValueOf(f.Date)),
		}
	})
	return contract.SearchResults{More: more, Items: items}, nil
}

func exceptionAnswer(c *call.Call, e *models.Exception) contract.Exception {
	answer := contract.Exception{
		Type: contract.ExceptionType(e.Type), OrganizationID: e.OrganizationID, OrganizationName: e.OrganizationName,
		ObjectID: e.ObjectID, Since: convert.Instant(e.Since), Amount: e.Amount,
		Currency: e.Currency, AmountFromLines: convert.ValueOf(e.FromLines), Assignee: e.Assignee, Note: e.Note,
		ReasonCode: convert.Optional(e.Code), Actions: ActionsOf(c, e), DecidedBy: DecidersOf(c, e), Due: convert.OptionalDate(e.Due),
		Cursor: cursorOf(e),
	}
	answer.Title, answer.Reason = inWords(e)
	switch e.Type {
	case models.ExceptionFilingIssue, models.ExceptionToApprove, models.ExceptionOverdue,
		models.ExceptionFilingWaiting:
		answer.WorkflowID = convert.Optional(workflows.FilingID(e.ObjectID))
	case models.ExceptionRegistration:
		answer.WorkflowID = convert.Optional(workflows.RegistrationID(e.ObjectID))
	case models.ExceptionImport:
		answer.WorkflowID = convert.Optional(workflows.ImportID(e.ObjectID))
	case models.ExceptionOnboarding:
		answer.WorkflowID = convert.Optional(workflows.OnboardingID(e.OrganizationID))
	}
	return answer
}

// ActionsOf returns the operations with which the caller can resolve an exception.
func ActionsOf(c *call.Call, e *models.Exception) []string {
	mine, about := []string{}, aboutException(c, e)
	for _, action := range resolving(e) {
		if c.Admits(about, action) {
			mine = append(mine, action)
		}
	}
	return mine
}

// aboutException returns the call as if it were about the organization of an exception.
func aboutException(c *call.Call, e *models.Exception) *call.Call {
	return c.About(e.OrganizationID, e.PartnerID, models.GrantRole(e.Granted))
}

// DecidersOf returns whose people can do the first thing that resolves an exception. A client that has ended the grant of
// its partner decides alone.
func DecidersOf(c *call.Call, e *models.Exception) []contract.ExceptionDecider {
	deciders, actions := []contract.ExceptionDecider{}, resolving(e)
	if len(actions) == 0 {
		return deciders
	}
	operator := models.StaffOperator
	for _, each := range []struct {
		decider contract.ExceptionDecider
		person  models.User
	}{
		{contract.ExceptionDeciderORGANIZATION, adminOf(e.OrganizationID)},
		{contract.ExceptionDeciderPARTNER, adminOf(e.PartnerID)},
		{contract.ExceptionDeciderSTAFF, models.User{StaffRole: &operator}},
	} {
		someone := *c
		someone.Person = &each.person
		if c.Admits(aboutException(&someone, e), actions[0]) {
			deciders = append(deciders, each.decider)
		}
	}
	return deciders
}

// adminOf returns a person who is admin of an organization.
func adminOf(organizationID string) (person models.User) {
	if organizationID != "" {
		person.Memberships = []models.Membership{{OrganizationID: organizationID, Role: models.RoleAdmin}}
	}
	return person
}

// resolving returns the operations that resolve an exception, that which decides first.
func resolving(e *models.Exception) (actions []string) {
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
			if e.Code == models.ApprovalBlocked {
				actions = []string{"updateFiling"}
			}
		case models.FilingPaused, models.FilingFiling:
			actions = []string{"updateFiling"}
		case models.FilingFiled, models.FilingIssue, models.FilingSkipped, models.FilingCancelled:
		}
	case models.ExceptionFilingWaiting:
		actions = []string{"updateFiling"}
	case models.ExceptionRegistration:
		actions = resolvingRegistration(e)
	case models.ExceptionImport:
		actions = []string{"resumeTransactionImport", "cancelTransactionImport"}
	case models.ExceptionOnboarding:
		actions = []string{"cancelOnboarding"}
	case models.ExceptionNexus:
		actions = []string{"registerNexus", "disregardNexus"}
	case models.ExceptionRefund:
		actions = []string{"assignException"}
	case models.ExceptionNotice:
		actions = []string{"updateNotice"}
	case models.ExceptionWebhook:
		actions = []string{"updateWebhookEndpoint", "deleteWebhookEndpoint"}
	}
	return actions
}

// dataActions are the operations that enter the kinds of data that returns lack.
var dataActions = map[string]string{
	models.LacksNumber: "updateRegistration", models.LacksField: "updateRegistration", models.LacksBank: "putBankDetails",
}

// taxpayerActions are those for the parts of the taxpayer.
var taxpayerActions = map[string]string{
	models.WantedEIN: "putBusinessDetails", models.WantedContact: "putBusinessContact", models.WantedShared: "changeOrganizationSettings",
}

// resolvingRegistration returns the operations that resolve the exception of a registration.
func resolvingRegistration(e *models.Exception) (actions []string) {
	switch e.Code {
	case models.Unanswered:
		return nil
	case models.AccessEnding:
		return []string{"changeAuthorityConnection"}
	case models.ReturnDataMissing:
		for _, data := range e.Lacking {
			action := cmp.Or(dataActions[models.LackOf(data)], taxpayerActions[data])
			if !slices.Contains(actions, action) {
				actions = append(actions, action)
			}
		}
		return actions
	}
	return []string{"updateRegistration"}
}
