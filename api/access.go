package api

import (
	"context"
	"errors"

	"levy/contract/problem"
	"levy/models"
)

// accessRule says who may use an operation. The zero rule refuses every key.
type accessRule struct {
	allowed accessClass
	public  bool // no key and no organization
	signIn  bool // likewise, and with a body: it is how a session begins
	// keyAlone: the header x-organization-id may be missing, and means the key's own then.
	keyAlone bool
	link     bool // the link of an onboarding may, for the organization whose it is
	// person: it is for people, who reach what their roles allow; a key only what is its own.
	person bool
	role   operationRole      // of a person
	scope  models.APIKeyScope // of a key
	// object finds what the path names. A key that may not use the operation still
	// learns first that the object does not exist: the contract answers 404 before 403.
	object func(ctx context.Context, s *Server, path map[string]string) error
	names  []reference // of the body: likewise
}

// anyScope is the scope of operations that every key may use: they are about its own organization or person.
const anyScope models.APIKeyScope = "any"

// check refuses a rule that forgets whose the operation is.
func (r accessRule) check() error {
	if !r.public && !r.signIn && (r.allowed == 0 || r.scope == "" || r.role.role == "") {
		return errors.New("it needs a class, a scope and a role")
	}
	return nil
}

// open reports whether an operation needs no caller.
func (r accessRule) open() bool { return r.public || r.signIn }

// AllowFile refuses the file of an upload before it is received. Of other operations the contract wants to know first
// what is wrong with the body. Errors: those of the access rule.
func (s *Session) AllowFile(ctx context.Context, operation string, path map[string]string) error {
	op := s.server.validator.byID[operation]
	if !op.upload && !op.form {
		return nil
	}
	c := s.call
	return s.server.allow(s.within(ctx, &c), op, &Input{Path: path})
}

// reaches reports whether an operation is for the caller, whatever the role of a person or the scopes of a key.
func (r accessRule) reaches(call *call) bool {
	if call.isLink() {
		return r.link
	}
	allowed := r.allowed
	if r.person && call.person == nil {
		allowed = classSelf
	}
	return allowed&call.class() != 0
}

// admits reports whether a key or a person may use an operation for the organization of the call.
func (r accessRule) admits(call *call, body []byte) bool {
	return r.reaches(call) && call.lacks(r.scope) == "" && (call.person == nil || call.may(r.needs(body)))
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
func (s *Server) allow(ctx context.Context, op *operation, in *Input) error {
	c, rule := callOf(ctx), op.rule
	if rule.open() || rule.admits(c, in.Body) {
		return nil
	}
	if rule.object != nil {
		if err := rule.object(ctx, s, in.Path); err != nil {
			return err
		}
	}
	if err := s.findReferences(ctx, rule.names, in.Body); err != nil {
		return err
	}
	switch {
	case c.person != nil:
		return forbiddenByRole(rule.reaches(c))
	case rule.reaches(c):
		return &models.ScopeError{Scope: c.lacks(rule.scope)}
	}
	return models.ErrForbidden
}

// admits reports whether a caller may use an operation, by its id.
func admits(c *call, operation string) bool { return accessRules[operation].admits(c, nil) }
