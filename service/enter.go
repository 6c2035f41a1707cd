package service

import (
	"context"
	"errors"
	"strings"

	"levy/contract"
	"levy/contract/problem"
	"levy/models"
	"levy/service/internal/call"
	"levy/service/internal/convert"
	"levy/service/internal/feed"
)

// Session is a caller whom Enter has admitted to an organization. It serves any number of operations, one after the
// other or at once, and counts as one call against the quota. Its user must close it.
type Session struct {
	service *Service
	who     Caller // the caller before a session was about an organization
	call    call.Call
	reach   *models.Reach
	partner *models.Partner
	limits  Limits
	visitor bool  // the session was admitted only to operations that need no caller
	named   bool  // the caller named the organization
	refusal error // refusal of the organization
	close   func()

	// These functions are for typed calls.
	key, form string         // idempotency key of each call, or of a form with any number of calls
	query     *string        // replaces the parameters of the request; nil for none
	body      []byte         // replaces the body of the request; nil for none
	file      *contract.File // of an upload
	outcome   *sharedOutcome
}

var _ contract.CallerSession = (*Session)(nil)

// Enter admits a caller to an organization for an operation. It counts the call against the quota and checks that the
// caller reaches the organization. The session puts reach and partner into the context of each operation. An empty id
// means the organization of the key, or no organization for a person; a blank id is a header without a value. With an
// error the session has only its limits. Errors: *problem.Problem, models.ErrUnavailable.
func (s *Service) Enter(ctx context.Context, who Caller, operation, organizationID string) (*Session, error) {
	op := s.validator.byID[operation]
	session := s.sessionOf(who)
	if session.visitor = op.Rule.open(); session.visitor {
		return session, nil
	}
	if err := s.countCall(ctx, session, op); err != nil {
		return session, err
	}
	session.named = organizationID != ""
	err := session.admits(op)
	if err == nil {
		session.enterOrganization(ctx, organizationID)
		err = session.refusal
	}
	if err != nil {
		session.Close()
	}
	return session, err
}

// sessionOf returns a session of a caller who has not entered an organization.
func (s *Service) sessionOf(who Caller) *Session {
	session := &Session{service: s, who: who, call: who.call, close: func() {}, outcome: &sharedOutcome{}}
	session.call.StillAdmitted, session.call.Admits = s.stillAdmitted, admits
	session.beginReach()
	return session
}

// admits checks that the session may use an operation. A visitor may not use operations that need a caller.
// No caller may use operations about an organization that it does not reach or has not named. Errors:
// models.ErrUnauthenticated, *problem.Problem, models.ErrUnavailable.
func (s *Session) admits(op *Operation) error {
	switch {
	case op.Rule.open():
		return nil
	case s.visitor:
		return models.ErrUnauthenticated
	case s.refusal != nil:
		return s.refusal
	case op.Rule.staffAlone && s.call.IsStaff():
		return nil
	case !s.named && !op.Rule.keyAlone && !s.call.IsLink() && !s.call.IsFeed():
		return organizationMissing()
	}
	return nil
}

// Serve carries out the operation with an id for a door that passes the request on as it arrived.
// The answer is nil if the operation has none. Errors: *problem.Problem, and those of the operation.
func (s *Session) Serve(ctx context.Context, operation string, in *Input) (any, error) {
	return endpoints[operation](ctx, s, in)
}

// Close ends the call and releases its slot in the quota.
func (s *Session) Close() { s.close() }

// Limits returns the quota of the caller after this call, or the zero value if no quota applies.
func (s *Session) Limits() Limits { return s.limits }

// beginReach lets the caller reach only its own organization until enterOrganization adds another.
// A visitor reaches none.
func (s *Session) beginReach() {
	c := &s.call
	if c.Person == nil && c.Principal.OrganizationID == "" {
		return
	}
	s.reach, s.partner = models.NewReach(c.Principal.OrganizationID), &models.Partner{ID: c.Partner()}
}

// Context adds the caller to a context. Row security and the shares of the database read the caller from there.
func (s *Session) Context(ctx context.Context) context.Context { return s.within(ctx, &s.call) }

// within adds the call of one operation to a context.
func (s *Session) within(ctx context.Context, c *call.Call) context.Context {
	if s.reach != nil {
		// Operations of a session may run at once. Each counts its own connections, so that only a second one of it is additional.
		counted := &models.Partner{ID: s.partner.ID, Organization: s.partner.Organization}
		ctx = models.WithReachAndPartner(ctx, s.reach, counted)
	}
	return call.With(ctx, c)
}

// enterOrganization sets the organization of the session, or refusal if the caller does not reach it.
// The refusal is the same whether that organization exists or not.
func (s *Session) enterOrganization(ctx context.Context, id string) {
	c := &s.call
	defer s.countFor()
	switch {
	case id == "" && c.Person != nil:
		s.refusal = s.enterAlone(ctx)
	case id == "":
		c.Scope = models.Scope{OrganizationID: c.Principal.OrganizationID}
	case strings.TrimSpace(id) == "":
		s.refusal = organizationMissing()
	case strings.Contains(id, ","):
		s.refusal = invalidHeader("x-organization-id", "The header x-organization-id must have exactly one value.")
	default:
		if s.refusal = s.reachOrganization(ctx, id); errors.Is(s.refusal, models.ErrNotFound) {
			s.refusal = problem.New(problem.CodeOrganizationNotFound, "")
		}
	}
}

// countFor lets the connections of the request count for the organization of the session.
func (s *Session) countFor() {
	if s.partner != nil {
		s.partner = &models.Partner{ID: s.partner.ID, Organization: s.call.Scope.OrganizationID}
	}
}

// organizationMissing returns the problem of a call that names no organization.
func organizationMissing() error {
	return problem.New(problem.CodeOrganizationHeaderMissing, "").
		At(models.Fault{
			Code: models.FieldMissing, In: models.InHeader, Path: "x-organization-id",
			Message: "x-organization-id is required.",
		})
}

// enterAlone sets the organization of a person who names none: the only one of the person, else none. Staff without an
// organization act for the operator.
func (s *Session) enterAlone(ctx context.Context) error {
	person := s.call.Person
	if person.IsStaff() || len(person.Memberships) != 1 {
		return nil
	}
	return s.actIn(ctx, person.Memberships[0].OrganizationID)
}

// reachOrganization sets the organization if the key or the person reaches it. Errors: models.ErrNotFound.
func (s *Session) reachOrganization(ctx context.Context, id string) error {
	c := &s.call
	if c.Person != nil {
		return s.actIn(ctx, id)
	}
	if id != c.Principal.OrganizationID {
		client, err := s.service.clientOf(s.Context(ctx), c.Principal, id)
		if err != nil {
			return err
		}
		c.ActFor(client)
		s.reach.Add(id)
	}
	c.Scope = models.Scope{OrganizationID: id}
	return nil
}

// clientOf returns a client of a partner, with what the partner may do for it. Errors: models.ErrNotFound.
func (s *Service) clientOf(ctx context.Context, partner models.Principal, id string) (models.Principal, error) {
	if !partner.IsRoot() || !models.IsID(models.PrefixOrganization, id) {
		return models.Principal{}, models.ErrNotFound
	}
	client, err := s.deps.Organizations.PrincipalOf(ctx, id)
	if err == nil && convert.ValueOf(client.ParentOrganizationID) != partner.OrganizationID {
		err = models.ErrNotFound
	}
	return client, err
}

// actIn lets a person act for an organization, by a role there, by a role in its partner or as staff. Errors:
// models.ErrNotFound.
func (s *Session) actIn(ctx context.Context, id string) error {
	if !models.IsID(models.PrefixOrganization, id) {
		return models.ErrNotFound
	}
	principal, err := s.service.deps.Organizations.PrincipalOf(s.Context(ctx), id)
	if err != nil {
		return err
	}
	c := &s.call
	if !c.ActIn(principal) {
		return models.ErrNotFound
	}
	c.Scope = models.Scope{OrganizationID: id}
	s.reach.Add(c.Principal.OrganizationID)
	s.reach.Add(id)
	return nil
}

// stillAdmitted reports whether the key or the session of a long request, such as a stream,
// still reaches an organization.
func (s *Service) stillAdmitted(ctx context.Context, scope models.Scope) bool {
	c := call.Of(ctx)
	if scope.OrganizationID != "" && c.Granted() != "" {
		client, err := s.clientOf(ctx, models.Principal{OrganizationID: c.Principal.OrganizationID}, scope.OrganizationID)
		// guard: grants: a long request ends with the grant
		if err != nil || client.Grant == "" {
			return false
		}
	}
	if c.IsFeed() {
		_, err := s.deps.CalendarFeeds.FindCalendarFeed(ctx, s.subjects.FeedHashes(c.Token))
		return err == nil
	}
	if c.Person == nil {
		principal, err := s.principals.find(ctx, s.keys, c.Key, s.keys.Hash(c.Key))
		return err == nil && principal.Networks.Admit(netipOf(c.Address))
	}
	person, err := s.deps.People.FindSession(ctx, s.subjects.SessionHashes(c.Token))
	if err != nil || scope.OrganizationID == "" { // a request about all organizations of the person
		return err == nil && feed.SameRoles(&person, c.Person)
	}
	return person.RoleIn(scope.OrganizationID, c.Principal.OrganizationID) != ""
}
