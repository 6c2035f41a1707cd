package api

import (
	"context"

	"levy/contract"
	"levy/contract/validate"
	"levy/models"
)

// call is what the gate has found out about a request. It travels in the context of its operation.
type call struct {
	*Outcome
	requestID string
	principal models.Principal      // of the key, or of the organization for which a person acts
	person    *models.User          // with a session; nil for a key
	key       string                // that was sent; empty for a person and a link
	token     string                // of that session
	link      string                // id of the link of an onboarding, which takes the place of a key
	role      models.Role           // of the person in the organization of the header
	address   string                // of the peer, for who signs in
	scope     models.Scope          // the organization of the header
	path      map[string]string     // identifiers in the path; nil when no objects can have them
	file      *contract.File        // of a request that is a form
	upload    *sentUpload           // of a request that is a file
	refused   []validate.RefusedRow // of a list whose entries stand alone
	claim     *models.Claim         // of a request with an idempotency key
	commit    *commit               // of a request with an idempotency key, while it is carried out

	// stillAdmitted reports whether the caller of a request that lasts long still reaches an organization.
	stillAdmitted func(ctx context.Context, scope models.Scope) bool
	// admits reports whether a caller may use an operation, by its id.
	admits func(c *call, operation string) bool
}

// commit is the commit that the answer to an idempotency key is part of.
type commit struct{ afterwards []func() }

// afterCommit does something once the effects of a request are committed: now, unless its commit waits for the answer.
func afterCommit(ctx context.Context, do func()) {
	if commit := callOf(ctx).commit; commit != nil {
		commit.afterwards = append(commit.afterwards, do)
		return
	}
	do()
}

type callKey struct{}

// withCall returns a context that carries the call.
func withCall(ctx context.Context, c *call) context.Context {
	return context.WithValue(ctx, callKey{}, c)
}

// callOf returns the call of a request; outside a request an empty one, which
// reaches nothing.
func callOf(ctx context.Context) *call {
	if c, ok := ctx.Value(callKey{}).(*call); ok {
		return c
	}
	return &call{Outcome: &Outcome{}}
}

// actor names the key and the request for the audit trail.
func (c *call) actor() models.Actor {
	a := models.Actor{APIKeyID: c.principal.APIKeyID, RequestID: c.requestID}
	if c.person != nil {
		a.UserID, a.UserName = c.person.ID, c.person.Name
	}
	if c.isLink() {
		a.UserID, a.UserName = c.link, "Onboarding link"
	}
	return a
}

// actorOf names a person, who need not be signed in yet, for the audit trail.
func actorOf(ctx context.Context, u *models.User) models.Actor {
	return models.Actor{UserID: u.ID, UserName: u.Name, RequestID: callOf(ctx).requestID}
}

// submission is a step of an onboarding, as this request submits it.
func (c *call) submission(organizationID string, step int) models.StepSubmission {
	by := c.actor()
	return models.StepSubmission{
		OrganizationID: organizationID, Step: step, ID: models.NewID(models.PrefixSubmission),
		APIKeyID: by.APIKeyID, RequestID: by.RequestID, UserID: by.UserID, UserName: by.UserName,
	}
}

// payer is whose limits of calls count: the organization that owns the key, or the person.
func (c *call) payer() string {
	if c.person != nil {
		return c.person.ID
	}
	return c.principal.OrganizationID
}

// partner is whose share of the machine the call uses: the partner of the key's organization, or the
// person.
func (c *call) partner() string {
	if c.person != nil {
		return c.person.ID
	}
	return c.principal.PartnerID()
}

// about is the call as it would be about an organization that its caller sees in a list.
func (c *call) about(organizationID string) *call {
	other := *c
	other.scope = models.Scope{OrganizationID: organizationID}
	if c.person == nil {
		return &other
	}
	if role := c.person.RoleIn(organizationID, ""); role != "" {
		// Whether it is a root organization is not known here: what only those may is left out.
		other.role, other.principal = role,
			models.Principal{OrganizationID: organizationID, ParentOrganizationID: new(string)}
	}
	return &other
}
