package call

import (
	"context"

	"levy/contract"
	"levy/contract/validate"
	"levy/models"
)

// Call is what the gate has found out about a request. It travels in the context of its operation.
type Call struct {
	*Outcome
	RequestID string
	Principal models.Principal      // of the key, or of the organization for which a person acts
	Person    *models.User          // with a session; nil for a key
	Key       string                // that was sent; empty for a person and a link
	Token     string                // of that session
	Link      string                // id of the link of an onboarding, which takes the place of a key
	Role      models.Role           // of the person in the organization of the header
	Address   string                // of the peer, for who signs in
	Scope     models.Scope          // the organization of the header
	Path      map[string]string     // identifiers in the path; nil when no objects can have them
	File      *contract.File        // of a request that is a form
	Upload    *SentUpload           // of a request that is a file
	Refused   []validate.RefusedRow // of a list whose entries stand alone
	Claim     *models.Claim         // of a request with an idempotency key
	Commit    *Commit               // of a request with an idempotency key, while it is carried out

	// StillAdmitted reports whether the caller of a request that lasts long still reaches an organization.
	StillAdmitted func(ctx context.Context, scope models.Scope) bool
	// Admits reports whether a caller may use an operation, by its id.
	Admits func(c *Call, operation string) bool
}

// Commit is the commit that the answer to an idempotency key is part of.
type Commit struct{ Afterwards []func() }

// AfterCommit does something once the effects of a request are committed: now, unless its commit waits for the answer.
func AfterCommit(ctx context.Context, do func()) {
	if commit := Of(ctx).Commit; commit != nil {
		commit.Afterwards = append(commit.Afterwards, do)
		return
	}
	do()
}

type CallKey struct{}

// With returns a context that carries the call.
func With(ctx context.Context, c *Call) context.Context {
	return context.WithValue(ctx, CallKey{}, c)
}

// Of returns the call of a request; outside a request an empty one, which
// reaches nothing.
func Of(ctx context.Context) *Call {
	if c, ok := ctx.Value(CallKey{}).(*Call); ok {
		return c
	}
	return &Call{Outcome: &Outcome{}}
}

// Actor names the key and the request for the audit trail.
func (c *Call) Actor() models.Actor {
	a := models.Actor{APIKeyID: c.Principal.APIKeyID, RequestID: c.RequestID}
	if c.Person != nil {
		a.UserID, a.UserName = c.Person.ID, c.Person.Name
	}
	if c.IsLink() {
		a.UserID, a.UserName = c.Link, "Onboarding link"
	}
	return a
}

// ActorOf names a person, who need not be signed in yet, for the audit trail.
func ActorOf(ctx context.Context, u *models.User) models.Actor {
	return models.Actor{UserID: u.ID, UserName: u.Name, RequestID: Of(ctx).RequestID}
}

// Submission is a step of an onboarding, as this request submits it.
func (c *Call) Submission(organizationID string, step int) models.StepSubmission {
	by := c.Actor()
	return models.StepSubmission{
		OrganizationID: organizationID, Step: step, ID: models.NewID(models.PrefixSubmission),
		APIKeyID: by.APIKeyID, RequestID: by.RequestID, UserID: by.UserID, UserName: by.UserName,
	}
}

// Payer is whose limits of calls count: the organization that owns the key, or the person.
func (c *Call) Payer() string {
	if c.Person != nil {
		return c.Person.ID
	}
	return c.Principal.OrganizationID
}

// Partner is whose share of the machine the call uses: the partner of the key's organization, or the
// person.
func (c *Call) Partner() string {
	if c.Person != nil {
		return c.Person.ID
	}
	return c.Principal.PartnerID()
}

// About is the call as it would be about an organization that its caller sees in a list.
func (c *Call) About(organizationID string) *Call {
	other := *c
	other.Scope = models.Scope{OrganizationID: organizationID}
	if c.Person == nil {
		return &other
	}
	if role := c.Person.RoleIn(organizationID, ""); role != "" {
		// Whether it is a root organization is not known here: what only those may is left out.
		other.Role, other.Principal = role,
			models.Principal{OrganizationID: organizationID, ParentOrganizationID: new(string)}
	}
	return &other
}

// Visibility is the organizations whose records the caller sees in lists: that of the header with its clients, or
// without a header of all that the person belongs to.
func (c *Call) Visibility() models.Visibility {
	switch {
	case c.Scope.OrganizationID != "":
		return models.Visibility{OrganizationIDs: []string{c.Scope.OrganizationID}}
	case c.Person.IsStaff():
		return models.Visibility{All: true}
	}
	visible := models.Visibility{OrganizationIDs: []string{}}
	for _, m := range c.Person.Memberships {
		visible.OrganizationIDs = append(visible.OrganizationIDs, m.OrganizationID)
	}
	return visible
}

// IsLink reports whether a link of an onboarding takes the place of a key.
func (c *Call) IsLink() bool { return c.Link != "" }

// IsStaff reports whether a person of staff calls.
func (c *Call) IsStaff() bool { return c.Person != nil && c.Person.IsStaff() }
