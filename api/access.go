package api

import (
	"errors"

	"levy/contract/problem"
	"levy/models"
)

// accessClass says whose key reaches which organization. A key of a root
// organization that names its own organization is in two classes.
type accessClass uint8

const (
	classSelf  accessClass = 1 << iota // any key, its own organization
	classRoot                          // a root organization's key, that root organization
	classChild                         // a root organization's key, one of its clients
)

const (
	classAny     = classSelf | classRoot | classChild // every authenticated caller
	classPartner = classRoot | classChild
	// classReader is for reading what an organization sells, owes and files: a partner reads it of its clients too, and
	// never writes for them.
	classReader = classSelf | classChild
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
	object finder
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
	return r.reaches(call) && call.lacks(r) == "" && (call.person == nil || call.may(r.needs(body)))
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
