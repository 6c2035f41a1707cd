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
// other, and counts as one call against the quota. Close it.
type Session struct {
	service *Service
	who     Caller // before it was admitted to an organization
	call    call.Call
	reach   *models.Reach
	partner *models.Partner
	limits  Limits
	visitor bool  // it was admitted to operations that need no caller, and to no others
	named   bool  // the caller has named the organization
	refusal error // of the organization
	close   func()

	// Of typed calls.
	key, form string         // of idempotency: of each call, or of a form with any number of calls
	query     *string        // in place of the parameters of the request; nil for none
	body      []byte         // in place of that of the request; nil for none
	file      *contract.File // of an upload
	outcome   *contract.Outcome
}

var _ contract.CallerSession = (*Session)(nil)

// Enter admits a caller to an organization for an operation: it counts the call against the quota, finds out whether the
// caller reaches the organization, and keeps reach and partner for the context of each operation. An empty id means the
// key's own organization, and none for a person; a blank one was sent without a value. With an error the session has just
// its limits. Errors: *problem.Problem, models.ErrUnavailable.
func (s *Service) Enter(ctx context.Context, who Caller, operation, organizationID string) (*Session, error) {
	op := s.validator.byID[operation]
	session := s.sessionOf(ctx, who)
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

// sessionOf is a session of a caller that has not entered an organization.
func (s *Service) sessionOf(ctx context.Context, who Caller) *Session {
	session := &Session{service: s, who: who, call: who.call, close: func() {}, outcome: &contract.Outcome{}}
	session.call.StillAdmitted, session.call.Admits = s.stillAdmitted, admits
	session.beginReach(ctx)
	return session
}

// admits refuses operations that the session was not entered for: those that need a caller to a visitor, and those about
// an organization that the caller does not reach or has not named. Errors: models.ErrUnauthenticated, *problem.Problem,
// models.ErrUnavailable.
func (s *Session) admits(op *Operation) error {
	switch {
	case op.Rule.open():
		return nil
	case s.visitor:
		return models.ErrUnauthenticated
	case s.refusal != nil:
		return s.refusal
	case !s.named && !op.Rule.keyAlone && !s.call.IsLink():
		return organizationMissing()
	}
	return nil
}

// Serve carries out an operation of the contract by its id, for a door that has a request as it arrived. The answer is nil
// for an operation without one. Errors: *problem.Problem, and those of the operation.
func (s *Session) Serve(ctx context.Context, operation string, in *Input) (any, error) {
	return endpoints[operation](ctx, s, in)
}

// Close ends the call: its place in the quota is free again.
func (s *Session) Close() { s.close() }

// Limits are the quota of the caller after this call; the zero value where none counts.
func (s *Session) Limits() Limits { return s.limits }

// beginReach lets the caller reach its own organization, and no other before enterOrganization. A visitor reaches none.
func (s *Session) beginReach(ctx context.Context) {
	c := &s.call
	if c.Person == nil && c.Principal.OrganizationID == "" {
		return
	}
	ctx = models.WithPartner(models.WithReach(ctx, c.Principal.OrganizationID), c.Partner())
	s.reach, s.partner = models.ReachOf(ctx), models.PartnerOf(ctx)
}

// Context is the context of what the caller does: row security and the shares of the database go by it.
func (s *Session) Context(ctx context.Context) context.Context { return s.within(ctx, &s.call) }

// within is the context of an operation with its own call.
func (s *Session) within(ctx context.Context, c *call.Call) context.Context {
	if s.reach != nil {
		ctx = models.SharedPartner(models.SharedReach(ctx, s.reach), s.partner)
	}
	return call.With(ctx, c)
}

// enterOrganization finds out which organization the session is about. refusal is why it cannot be about that one: whether
// one that the caller does not reach exists makes no difference to it.
func (s *Session) enterOrganization(ctx context.Context, id string) {
	c := &s.call
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

// organizationMissing refuses a call that does not say which organization it is about.
func organizationMissing() error {
	return problem.New(problem.CodeOrganizationHeaderMissing, "").
		At(models.Fault{
			Code: models.FieldMissing, In: models.InHeader, Path: "x-organization-id",
			Message: "x-organization-id is required.",
		})
}

// enterAlone is for a person who names no organization: the one that there is, else none. Staff who belong to none act
// for the operator.
func (s *Session) enterAlone(ctx context.Context) error {
	person := s.call.Person
	if person.IsStaff() || len(person.Memberships) != 1 {
		return nil
	}
	return s.actIn(ctx, person.Memberships[0].OrganizationID)
}

// reachOrganization finds out whether a key or a person reaches an organization. Errors: models.ErrNotFound.
func (s *Session) reachOrganization(ctx context.Context, id string) error {
	c := &s.call
	if c.Person != nil {
		return s.actIn(ctx, id)
	}
	if err := s.service.reaches(s.Context(ctx), c.Principal, id); err != nil {
		return err
	}
	c.Scope = models.Scope{OrganizationID: id}
	return nil
}

// reaches returns models.ErrNotFound for an organization that a key does not reach.
func (s *Service) reaches(ctx context.Context, p models.Principal, id string) error {
	if id == p.OrganizationID {
		return nil
	}
	if !p.IsRoot() || !models.IsID(models.PrefixOrganization, id) {
		return models.ErrNotFound
	}
	o, err := s.deps.Organizations.Reachable(ctx, models.Scope{OrganizationID: p.OrganizationID}, id)
	if err != nil {
		return err
	}
	if o.Status != models.OrganizationActive {
		return models.ErrNotFound
	}
	return nil
}

// actIn lets a person act for an organization: as one of its own, as one of its partner, or as staff. Errors:
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
	parent := convert.ValueOf(principal.ParentOrganizationID)
	c.Role = c.Person.RoleIn(id, parent)
	if c.Role == "" {
		return models.ErrNotFound
	}
	if parent != "" && c.Person.RoleIn(id, "") == "" { // by the partner alone
		principal = models.Principal{OrganizationID: parent}
	}
	c.Principal, c.Scope = principal, models.Scope{OrganizationID: id}
	s.reach.Add(principal.OrganizationID)
	s.reach.Add(id)
	return nil
}

// stillAdmitted reports whether the key or the session of a request that lasts long still reaches an organization.
func (s *Service) stillAdmitted(ctx context.Context, scope models.Scope) bool {
	c := call.Of(ctx)
	if c.Person == nil {
		_, err := s.principals.find(ctx, s.keys, c.Key, s.keys.Hash(c.Key))
		return err == nil
	}
	person, err := s.deps.People.FindSession(ctx, s.subjects.SessionHashes(c.Token))
	if err != nil || scope.OrganizationID == "" { // about all that the person sees
		return err == nil && feed.SameRoles(&person, c.Person)
	}
	return person.RoleIn(scope.OrganizationID, c.Principal.OrganizationID) != ""
}
