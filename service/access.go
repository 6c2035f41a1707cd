package service

import (
	"context"
	"errors"

	"levy/contract/problem"
	"levy/models"
	"levy/service/internal/call"
)

// accessRule is the rule of who may use an operation. The zero rule refuses every key.
type accessRule struct {
	allowed call.AccessClass
	Public  bool // no key and no organization
	SignIn  bool // as Public, and with a body, because it begins a session or names a link to one
	// keyAlone means that the header x-organization-id may be missing; then the key's own organization counts.
	keyAlone bool
	// staffAlone means that staff may leave out that header; then all organizations count.
	staffAlone bool
	link       bool // an onboarding link may use it for its own organization
	feed       bool // the address of a calendar feed may use it for the organization of the feed
	// person means that it is for people, who reach organizations by their roles. A key reaches only its own
	// organization.
	person bool
	// book means that a partner may use it for a client also without a grant: it is about the partner's own list.
	book bool
	// ownPeople means that people of the organization itself may use it, and keys of the organization may not.
	ownPeople bool
	role      call.OperationRole // of a person
	scope     models.APIKeyScope // of a key
	// object finds the object of the path. A caller who may not use the operation still gets 404 for an unknown object,
	// because the contract answers 404 before 403.
	object func(ctx context.Context, s *Service, path map[string]string) error
	// names lists the records that a request names. Unknown ones are answered before 403, too.
	names func(request any) []mention
	// decides reports whether a request decides about a return, which needs an approver; nil for no such request.
	decides func(request any) bool
	proof   proof       // of a person with an older session
	audit   auditedRead // of a read that the audit trail records like a change
}

// check returns an error for a rule without a class, a scope or a role.
func (r accessRule) check() error {
	if !r.Public && !r.SignIn && (r.allowed == 0 && !r.ownPeople || r.scope == "" || r.role.Role == "") {
		return errors.New("it needs a class, a scope and a role")
	}
	return nil
}

// open reports whether an operation needs no caller.
func (r accessRule) open() bool { return r.Public || r.SignIn }

// AllowFile checks the access before the file of an upload is received. For other operations the contract reports
// faults of the body first. Errors: those of the access rule.
func (s *Session) AllowFile(ctx context.Context, operation string, path map[string]string) error {
	op := s.service.validator.byID[operation]
	if !op.Upload && !op.Form {
		return nil
	}
	c := s.call
	return s.service.allow(s.within(ctx, &c), op, path, nil)
}

// reaches reports whether an operation is for the caller, whatever role or scopes the caller has.
func (r accessRule) reaches(c *call.Call, request any) bool {
	if c.IsLink() {
		return r.link
	}
	// guard: feeds: the address of a calendar feed reads the calendar alone
	if c.IsFeed() {
		return r.feed
	}
	class, allowed := c.Class(), r.allowed
	if r.person && c.Person == nil {
		return class&call.ClassSelf != 0
	}
	if r.ownPeople && c.Person != nil {
		allowed |= call.ClassSelf
	}
	if class == call.ClassChild {
		return r.reachesClient(c, request)
	}
	return allowed&class != 0
}

// reachesClient reports whether a partner may use an operation for its client. Operations of the organization itself need
// a grant that includes their role.
func (r accessRule) reachesClient(c *call.Call, request any) bool {
	switch {
	case r.allowed&call.ClassChild != 0:
		// guard: grants: without one a partner reads nothing of its client
		return r.book || c.Granted() != ""
	case r.allowed&call.ClassSelf == 0, r.person && c.Person == nil:
		return false
	case r.role.Personal:
		return c.Granted() == models.GrantAdmin
	}
	// guard: grants: a partner does no more for its client than the grant says
	return c.Granted().Role().Includes(r.needs(request).Role)
}

// admits reports whether a key or a person may use an operation for the organization of the call.
// request points to the request of the operation; nil for one that decides nothing.
func (r accessRule) admits(c *call.Call, request any) bool {
	return r.reaches(c, request) && c.Lacks(r.scope) == "" && !r.exceedsGrant(c, request) &&
		(c.Person == nil || c.May(r.needs(request)))
}

// exceedsGrant reports whether the key of a call was made under a grant that does not include the operation.
func (r accessRule) exceedsGrant(c *call.Call, request any) bool {
	ofClient := c.IsKey() && c.Class() == call.ClassSelf
	// guard: grants: a key does no more than the grant under which it was made
	return ofClient && r.scope != call.AnyScope && c.Principal.Grant.Bounds(r.needs(request).Role, r.scope)
}

// forbiddenByRole returns the problem of a person whose role does not include the operation. another means
// that another role would suffice.
func forbiddenByRole(another bool) *problem.Problem {
	detail := "Your role does not include this function for this organization."
	if another {
		detail += " An admin of the organization can give you a role that does."
	}
	return problem.New(problem.CodeForbiddenForKey, detail)
}

// allow checks class, scope, role and proof of the caller. A caller who is refused first learns which records do not exist,
// because 404 comes before 403. Errors: those of reading the records, *models.ScopeError, models.ErrForbidden,
// *problem.Problem.
func (s *Service) allow(ctx context.Context, op *Operation, path map[string]string, request any) error {
	c, rule := call.Of(ctx), op.Rule
	admitted := rule.open() || rule.admits(c, request)
	if admitted && rule.proof.given(c, request) {
		return nil
	}
	if rule.object != nil {
		if err := rule.object(ctx, s, path); err != nil {
			return err
		}
	}
	if rule.names != nil && request != nil {
		if err := s.findReferences(ctx, rule.names(request)); err != nil {
			return err
		}
	}
	switch reaches := rule.reaches(c, request); {
	case admitted:
		return s.proofMissing()
	case !reaches && c.Class() == call.ClassChild && !c.IsLink() && rule.needsGrant(c):
		return forbiddenByGrant(c, rule.needs(request))
	case c.Person != nil:
		return forbiddenByRole(reaches)
	case reaches && c.Lacks(rule.scope) != "":
		return &models.ScopeError{Scope: c.Lacks(rule.scope)}
	case reaches && rule.exceedsGrant(c, request):
		return beyondGrant(c.Principal.Grant, rule.needs(request).Role,
			"This key was made under the grant of the partner, which is "+string(c.Principal.Grant)+".")
	}
	return models.ErrForbidden
}

// admits reports whether a caller may use the operation with an id.
func admits(c *call.Call, operation string) bool { return accessRules[operation].admits(c, nil) }

// ProblemOf returns the problem of an error for the caller of a context; nil for an error without a code
// in the contract. The refusal of a person names the role, never a key.
func ProblemOf(ctx context.Context, err error) *problem.Problem {
	if _, detailed := errors.AsType[*models.GiverError](err); detailed {
		return problem.Of(err)
	}
	if errors.Is(err, models.ErrForbidden) && call.Of(ctx).Person != nil {
		return forbiddenByRole(false)
	}
	return problem.Of(err)
}
