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
	Token     string                // the token of the session or of the calendar feed
	Link      string                // id of the onboarding link that replaces a key
	Feed      string                // id of the calendar feed that replaces a key
	Role      models.Role           // the role of the person in the organization of the header, or in its partner
	client    *models.Principal     // of a partner: the client for which it acts; else nil
	Address   string                // address of the peer
	Port      int                   // port of the peer; 0 if it is not known
	Device    string                // cookie of the device
	UserAgent string                // how the program of the peer names itself
	Scope     models.Scope          // the organization of the header
	Path      map[string]string     // identifiers in the path; nil if no record can have them
	File      *contract.File        // the file of a form
	Upload    *StoredUpload         // the file that is the body of the request
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
	a.Granted = c.client != nil
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
		APIKeyID: by.APIKeyID, RequestID: by.RequestID, UserID: by.UserID, UserName: by.UserName, Granted: by.Granted,
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

// About returns the call as if it were about an organization that its caller sees in a list. partner is that of the
// organization, with what the partner may do there; "" for a root organization.
func (c *Call) About(organizationID, partner string, granted models.GrantRole) *Call {
	other := *c
	other.Scope = models.Scope{OrganizationID: organizationID}
	// It is not known here whether this is a root organization, so operations for roots are left out.
	about := models.Principal{OrganizationID: organizationID, ParentOrganizationID: &partner, Grant: granted}
	switch {
	case c.Person != nil:
		other.ActIn(about)
	case organizationID != c.Principal.OrganizationID:
		other.ActFor(about)
	}
	return &other
}

// ActIn lets the person act for an organization: by the role there, or as one of the partner's people where that allows
// more. It reports whether the person has a role.
func (c *Call) ActIn(organization models.Principal) bool {
	own, partner := c.Person.RoleIn(organization.OrganizationID, ""), ""
	if organization.ParentOrganizationID != nil {
		partner = *organization.ParentOrganizationID
	}
	c.Role, c.Principal, c.client = own, organization, nil
	if partner == "" {
		return own != ""
	}
	there := c.Person.RoleIn(partner, "")
	lent := organization.Grant.Role().AtMost(there)
	if there == "" || own != "" && (lent == "" || own.Includes(lent)) {
		return own != ""
	}
	c.Role, c.Principal = there, models.Principal{OrganizationID: partner}
	c.ActFor(organization)
	return true
}

// ActFor lets a partner act for its client.
func (c *Call) ActFor(client models.Principal) { c.client = &client }

// Granted returns what the partner of the call may do for the client of the call; "" for nothing, and for calls of other
// organizations.
func (c *Call) Granted() models.GrantRole {
	if c.client == nil {
		return ""
	}
	return c.client.Grant
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

// Seller returns the organization of the header with the data by which its tax is calculated.
func (c *Call) Seller() models.Principal {
	// guard: grants: a partner calculates by the data of its client
	if c.client != nil {
		return *c.client
	}
	return c.Principal
}

// IsLink reports whether an onboarding link replaces the key.
func (c *Call) IsLink() bool { return c.Link != "" }

// IsFeed reports whether the address of a calendar feed replaces a key.
func (c *Call) IsFeed() bool { return c.Feed != "" }

// IsStaff reports whether the caller is a person of staff.
func (c *Call) IsStaff() bool { return c.Person != nil && c.Person.IsStaff() }
