package people

import (
	"context"
	"errors"
	"net/url"
	"slices"
	"strings"

	"levy/contract"
	"levy/contract/problem"
	"levy/models"
	"levy/service/internal/call"
	"levy/service/internal/convert"
)

// savedLists are the operations of the lists with saved views.
var savedLists = map[contract.SavedViewOf]string{
	contract.SavedViewOfFilings: "listDueFilings", contract.SavedViewOfExceptions: "listExceptions",
	contract.SavedViewOfTransactions: "listTransactions", contract.SavedViewOfClients: "listOnboardings",
}

// ListSavedViews lists the saved views of the person.
func (o *Operations) ListSavedViews(ctx context.Context, _ contract.ListSavedViewsRequest) (contract.SavedViewList, error) {
	c := call.Of(ctx)
	if c.Person == nil {
		return contract.SavedViewList{}, notAPerson()
	}
	own, err := o.deps.People.SavedViews(ctx, c.Person.ID)
	if err != nil {
		return contract.SavedViewList{}, err
	}
	shared, err := o.deps.People.SharedViews(ctx, c.Person.ID)
	return contract.SavedViewList{
		Items: convert.ConvertAll(own, viewAnswer),
		Shared: convert.ConvertAll(shared, func(v models.SharedView) contract.SharedView {
			of := viewAnswer(v.SavedView)
			return contract.SharedView{ID: of.ID, List: of.List, Name: of.Name, Query: of.Query, SharedWith: v.SharedWith,
				SharedBy: v.SharedBy, UpdatedAt: of.UpdatedAt}
		}),
	}, err
}

func viewAnswer(v models.SavedView) contract.SavedView {
	return contract.SavedView{ID: v.ID, List: contract.SavedViewOf(v.List), Name: v.Name, Query: v.Query,
		SharedWith: v.SharedWith, UpdatedAt: convert.Instant(v.UpdatedAt)}
}

// SetSavedView saves, renames, shares or removes a saved view of the person.
func (o *Operations) SetSavedView(ctx context.Context, r contract.SetSavedViewRequest) (contract.SavedViewList, error) {
	c, b := call.Of(ctx), &r.Body
	if c.Person == nil {
		return contract.SavedViewList{}, notAPerson()
	}
	query, err := o.ViewQuery(ctx, b)
	if err != nil {
		return contract.SavedViewList{}, err
	}
	list, name, to := string(b.List), strings.TrimSpace(b.Name), strings.TrimSpace(b.NewName)
	switch {
	case to != "":
		err = o.deps.People.RenameView(ctx, c.Actor(), list, name, to)
	case b.SharedWith.IsNull():
		err = o.deps.People.ShareView(ctx, c.Actor(), list, name, nil)
	case b.SharedWith.IsSpecified():
		err = o.deps.People.ShareView(ctx, c.Actor(), list, name, new(b.SharedWith.MustGet()))
	case b.Query.IsNull():
		err = o.deps.People.RemoveView(ctx, c.Actor(), list, name)
	default:
		err = o.deps.People.SaveView(ctx, c.Actor(), models.SavedView{List: list, Name: name, Query: query})
	}
	if errors.Is(err, models.ErrNotFound) {
		err = problem.New(problem.CodeResourceNotFound, "You have no view of this name.")
	}
	if err != nil {
		return contract.SavedViewList{}, err
	}
	return o.ListSavedViews(ctx, contract.ListSavedViewsRequest{})
}

func notAPerson() error {
	return problem.New(problem.CodeForbiddenForKey, "Only a person with a session has views and preferences.")
}

// ViewQuery returns the query of a view in its stored form. Errors: *models.InvalidError for a query that the list refuses
// and for an organization that the person does not belong to. A request with no action or two has the same error.
func (o *Operations) ViewQuery(ctx context.Context, b *contract.SavedViewUpdate) (string, error) {
	wrong := &models.InvalidError{}
	fault := func(code, field, message string) {
		wrong.Faults = append(wrong.Faults, models.Fault{Code: code, Path: field, Message: message})
	}
	var sent string
	switch {
	case b.Query.IsSpecified() && b.NewName != "":
		fault(models.FieldNotAllowed, "new_name",
			"A view is saved or removed with query, or renamed with new_name, not both.")
	case b.SharedWith.IsSpecified() && (b.Query.IsSpecified() || b.NewName != ""):
		fault(models.FieldNotAllowed, "shared_with", "A view is shared by itself: first save or rename it.")
	case b.SharedWith.IsSpecified():
		// guard: views: a person shares a view only with an organization of its own
		if !b.SharedWith.IsNull() && !belongsTo(call.Of(ctx).Person, b.SharedWith.MustGet()) {
			fault(models.FieldNotAllowed, "shared_with", "You have no role in this organization.")
		}
	case !b.Query.IsSpecified() && b.NewName == "":
		fault(models.FieldMissing, "query",
			"Send query to save or remove the view, new_name to rename it, or shared_with to share it.")
	case b.NewName == "" && !b.Query.IsNull():
		sent = o.acceptedQuery(ctx, b.List, b.Query.MustGet(), fault)
	}
	if len(wrong.Faults) > 0 {
		return "", wrong
	}
	return sent, nil
}

// acceptedQuery checks a query with the checks of its list and adds the faults.
func (o *Operations) acceptedQuery(
	ctx context.Context, list contract.SavedViewOf, query string, fault func(code, field, message string),
) string {
	values, err := url.ParseQuery(query)
	if err != nil {
		fault(models.FieldInvalidFormat, "query", "The query is not properly percent-encoded.")
		return ""
	}
	for _, name := range []string{"page", "size"} {
		if values.Has(name) {
			fault(models.FieldNotAllowed, "query", "A view has no "+name+": it begins at its first page.")
			values.Del(name)
		}
	}
	if refusal := o.checkQuery(ctx, savedLists[list], values.Encode()); refusal != nil {
		for _, e := range refusal.Errors {
			fault(e.Code, "query", e.Message)
		}
	}
	return values.Encode()
}

// belongsTo reports whether a person has a role in an organization itself, and not by its partner or the operator.
func belongsTo(person *models.User, organizationID string) bool {
	return person != nil && slices.ContainsFunc(person.Memberships, func(m models.Membership) bool {
		return m.OrganizationID == organizationID
	})
}
