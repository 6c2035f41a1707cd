package service

import (
	"context"
	"errors"

	"levy/contract/problem"
	"levy/models"
	"levy/service/internal/call"
)

// accessRule says who may use an operation. The zero rule refuses every key.
type accessRule struct {
	allowed call.AccessClass
	Public  bool // no key and no organization
	SignIn  bool // likewise, and with a body: it is how a session begins
	// keyAlone: the header x-organization-id may be missing, and means the key's own then.
	keyAlone bool
	link     bool // the link of an onboarding may, for the organization whose it is
	// person: it is for people, who reach what their roles allow; a key only what is its own.
	person bool
	role   call.OperationRole // of a person
	scope  models.APIKeyScope // of a key
	// object finds what the path names. A key that may not use the operation still
	// learns first that the object does not exist: the contract answers 404 before 403.
	object func(ctx context.Context, s *Service, path map[string]string) error
	// names lists the records that a request names: likewise.
	names func(request any) []mention
	// decides reports whether a request decides about a return, which needs an approver; nil for none that does.
	decides func(request any) bool
}

// check refuses a rule that forgets whose the operation is.
func (r accessRule) check() error {
	if !r.Public && !r.SignIn && (r.allowed == 0 || r.scope == "" || r.role.Role == "") {
		return errors.New("it needs a class, a scope and a role")
	}
	return nil
}

// open reports whether an operation needs no caller.
func (r accessRule) open() bool { return r.Public || r.SignIn }

// AllowFile refuses the file of an upload before it is received. Of other operations the contract wants to know first
// what is wrong with the body. Errors: those of the access rule.
func (s *Session) AllowFile(ctx context.Context, operation string, path map[string]string) error {
	op := s.service.validator.byID[operation]
	if !op.Upload && !op.Form {
		return nil
	}
	c := s.call
	return s.service.allow(s.within(ctx, &c), op, path, nil)
}

// reaches reports whether an operation is for the caller, whatever the role of a person or the scopes of a key.
func (r accessRule) reaches(c *call.Call) bool {
	if c.IsLink() {
		return r.link
	}
	allowed := r.allowed
	if r.person && c.Person == nil {
		allowed = call.ClassSelf
	}
	return allowed&c.Class() != 0
}

// admits reports whether a key or a person may use an operation for the organization of the call. request points to the
// request of the operation; nil for any that decides nothing.
func (r accessRule) admits(c *call.Call, request any) bool {
	return r.reaches(c) && c.Lacks(r.scope) == "" && (c.Person == nil || c.May(r.needs(request)))
}

// forbiddenByRole refuses what the role of a person does not include. Another role may, where the operation is for the
// organization at all.
func forbiddenByRole(another bool) *problem.Problem {
	detail := "Your role does not include this function for this organization."
	if another {
		detail += " An admin of the organization can give you a role that does."
	}
	return problem.New(problem.CodeForbiddenForKey, detail)
}

// allow refuses keys outside the classes of the operation, or without its scope, and people without its role. Such a
// caller learns first which records do not exist: 404 comes before 403. Errors: those of the look-ups,
// *models.ScopeError, models.ErrForbidden, *problem.Problem.
func (s *Service) allow(ctx context.Context, op *Operation, path map[string]string, request any) error {
	c, rule := call.Of(ctx), op.Rule
	if rule.open() || rule.admits(c, request) {
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
	switch {
	case c.Person != nil:
		return forbiddenByRole(rule.reaches(c))
	case rule.reaches(c):
		return &models.ScopeError{Scope: c.Lacks(rule.scope)}
	}
	return models.ErrForbidden
}

// admits reports whether a caller may use an operation, by its id.
func admits(c *call.Call, operation string) bool { return accessRules[operation].admits(c, nil) }

// ProblemOf is the problem that an error means to the caller of a context; nil for an error that the contract has no code
// for. The refusal of a person names the role, never a key.
func ProblemOf(ctx context.Context, err error) *problem.Problem {
	if errors.Is(err, models.ErrForbidden) && call.Of(ctx).Person != nil {
		return forbiddenByRole(false)
	}
	return problem.Of(err)
}
