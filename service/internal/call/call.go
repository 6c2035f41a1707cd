package call

import (
	"context"

	"levy/contract"
	"levy/contract/validate"
	"levy/models"
)

// Call is a request that the gate has admitted. The context of its operation carries it.
type Call struct {
	*Outcome
	RequestID string
	Principal models.Principal      // the organization of the key, or that for which a person acts
	Person    *models.User          // the signed-in user; nil for a key
	Key       string                // the submitted key; empty for a person and a link
	Token     string                // the token of the session
	Link      string                // id of the onboarding link that replaces a key
	Role      models.Role           // the role of the person in the organization of the header
	Address   string                // address of the peer, for sign-in
	Device    string                // cookie of the device, for sign-in
	Scope     models.Scope          // the organization of the header
	Path      map[string]string     // identifiers in the path; nil if no record can have them
	File      *contract.File        // the file of a form
	Upload    *SentUpload           // the file that is the body of the request
	Refused   []validate.RefusedRow // refused entries of a list whose entries are independent
	Claim     *models.Claim         // for a request with an idempotency key
	Commit    *Commit               // for a request with an idempotency key, until its commit

	// StillAdmitted reports whether the caller of a long request, such as a stream, still reaches an organization.
	StillAdmitted func(ctx context.Context, scope models.Scope) bool
	// Admits reports whether a caller may use the operation with an id.
	Admits func(c *Call, operation string) bool
}

// Commit is the database commit that contains the answer to an idempotency key.
type Commit struct{ Afterwards []func() }

// AfterCommit calls do once the effects of a request are committed. It calls do now if no commit is pending.
func AfterCommit(ctx context.Context, do func()) {
	if commit := Of(ctx).Commit; commit != nil {
		commit.Afterwards = append(commit.Afterwards, do)
		return
	}
	do()
}

type callKey struct{}

// With returns a context that carries the call.
func With(ctx context.Context, c *Call) context.Context {
	return context.WithValue(ctx, callKey{}, c)
}

// Of returns the call of a context, or an empty call, which reaches nothing.
func Of(ctx context.Context) *Call {
	if c, ok := ctx.Value(callKey{}).(*Call); ok {
		return c
	}
	return &Call{Outcome: &Outcome{}}
}

// Actor returns the key, person or link and the request for the audit trail.
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

// ActorOf returns a person for the audit trail. The person need not be signed in.
func ActorOf(ctx context.Context, u *models.User) models.Actor {
	return models.Actor{UserID: u.ID, UserName: u.Name, RequestID: Of(ctx).RequestID}
}

// Submission returns a step of an onboarding as this request submits it.
func (c *Call) Submission(organizationID string, step int) models.StepSubmission {
	by := c.Actor()
	return models.StepSubmission{
		OrganizationID: organizationID, Step: step, ID: models.NewID(models.PrefixSubmission),
		APIKeyID: by.APIKeyID, RequestID: by.RequestID, UserID: by.UserID, UserName: by.UserName,
	}
}

// Payer returns the id whose call limits count: the organization that owns the key, or the person.
func (c *Call) Payer() string {
	if c.Person != nil {
		return c.Person.ID
	}
	return c.Principal.OrganizationID
}

// Partner returns the id whose share of the machine the call uses: the partner of the key's organization,
// or the person.
func (c *Call) Partner() string {
	if c.Person != nil {
		return c.Person.ID
	}
	return c.Principal.PartnerID()
}

// About returns the call as if it were about an organization that its caller sees in a list.
func (c *Call) About(organizationID string) *Call {
	other := *c
	other.Scope = models.Scope{OrganizationID: organizationID}
	if c.Person == nil {
		return &other
	}
	if role := c.Person.RoleIn(organizationID, ""); role != "" {
		// It is not known here whether this is a root organization, so operations for roots are left out.
		other.Role, other.Principal = role,
			models.Principal{OrganizationID: organizationID, ParentOrganizationID: new(string)}
	}
	return &other
}

// Visibility returns the organizations whose records the caller sees in lists: that of the header with its clients.
// Without a header they are all organizations of the person.
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

// IsLink reports whether an onboarding link replaces the key.
func (c *Call) IsLink() bool { return c.Link != "" }

// IsStaff reports whether the caller is a person of staff.
func (c *Call) IsStaff() bool { return c.Person != nil && c.Person.IsStaff() }
