package people

import (
	"context"

	"levy/contract"
	"levy/contract/problem"
	"levy/internal/secret"
	"levy/models"
	"levy/service/internal/call"
	"levy/service/internal/convert"
)

// SignInPath is the path of the page on which a link sets a password. The token follows it.
const SignInPath = "/sign-in/"

// ListUsers lists the people of the organization, or of staff.
func (o *Operations) ListUsers(ctx context.Context, r contract.ListUsersRequest) (contract.UserList, error) {
	p, organizationID := r.Params, call.Of(ctx).Scope.OrganizationID
	list, err := o.deps.People.ListUsers(ctx, organizationID, convert.PageOf(p.Page, p.Size))
	answer, err := convert.ListAnswer(list, err, p.Page, p.Size,
		func(u models.User) contract.User { return userAnswer(&u, organizationID) })
	return contract.UserList(answer), err
}

// InviteUser creates a person and the link with which that person sets a password.
func (o *Operations) InviteUser(ctx context.Context, r contract.InviteUserRequest) (contract.InvitedUser, error) {
	if call.Of(ctx).IsLink() {
		return o.inviteByLink(ctx, &r.Body)
	}
	organizationID := call.Of(ctx).Scope.OrganizationID
	u := models.User{Email: r.Body.Email, Name: r.Body.Name}
	var m *models.Membership
	if organizationID == "" {
		u.StaffRole = convert.Optional(models.StaffRole(r.Body.StaffRole))
	} else if r.Body.Role != "" {
		m = &models.Membership{OrganizationID: organizationID, Role: models.Role(r.Body.Role)}
	}
	if m == nil && u.StaffRole == nil {
		return contract.InvitedUser{}, RoleMissing(organizationID)
	}
	if m != nil {
		if err := call.Of(ctx).MayGiveRole(m.Role); err != nil {
			return contract.InvitedUser{}, err
		}
	}
	var token string
	var err error
	// guard: mails: only the person gets the link of an invitation
	if o.Mails {
		err = o.deps.People.CreateUserByMail(ctx, call.Of(ctx).Actor(), &u, m)
	} else {
		token = secret.NewToken()
		err = o.deps.People.CreateUser(ctx, call.Of(ctx).Actor(), &u, m, LinkHash(o.keys, token))
	}
	if err != nil {
		return contract.InvitedUser{}, err
	}
	answer := o.invitedAnswer(&u, organizationID, token)
	answer.Mailed = o.Mails
	return answer, nil
}

// inviteByLink invites the first admin of an organization by its onboarding link. Repeated calls have the same sign-in link.
func (o *Operations) inviteByLink(ctx context.Context, b *contract.UserCreate) (contract.InvitedUser, error) {
	c := call.Of(ctx)
	// guard: first admin: a link gives no role but admin
	if models.Role(b.Role) != models.RoleAdmin || b.StaffRole != "" {
		return contract.InvitedUser{}, models.ErrNotFirstAdmin
	}
	u := models.User{Email: b.Email, Name: b.Name}
	m := models.Membership{OrganizationID: c.Scope.OrganizationID, Role: models.RoleAdmin}
	token, hash := "", []byte(nil)
	// guard: mails: an onboarding link hands over no invitation that is sent
	if !o.Mails {
		token = o.keys.FirstSignIn(c.Token)
		hash = LinkHash(o.keys, token)
	}
	if err := o.deps.People.InviteByLink(ctx, c.Actor(), &u, &m, hash); err != nil {
		return contract.InvitedUser{}, err
	}
	answer := o.invitedAnswer(&u, m.OrganizationID, token)
	answer.Mailed = o.Mails
	return answer, nil
}

// RoleMissing returns the fault of a person without the role that is needed here, of the organization or of staff.
func RoleMissing(organizationID string) error {
	field, message := "role", "role is required: what the person may do in the organization."
	if organizationID == "" {
		field, message = "staff_role", "staff_role is required without x-organization-id."
	}
	return problem.Invalid(models.FieldMissing, field, message)
}

// UpdateUser changes the submitted fields of a person.
func (o *Operations) UpdateUser(ctx context.Context, r contract.UpdateUserRequest) (contract.InvitedUser, error) {
	c := call.Of(ctx)
	organizationID, b := c.Scope.OrganizationID, &r.Body
	if faults := append(RoleFaults(organizationID, b), o.StatusFaults(ctx, r.UserID, b)...); faults != nil {
		return contract.InvitedUser{}, &models.InvalidError{Faults: faults}
	}
	token := ""
	var hash []byte
	var mails []models.MailKind
	if b.NewLink {
		// guard: mails: only the person gets a new link
		if o.Mails {
			mails = append(mails, models.MailSignInLink)
		} else {
			token = secret.NewToken()
			hash = LinkHash(o.keys, token)
		}
	}
	if b.ResetSecondFactor && o.Mails {
		mails = append(mails, models.MailSecondFactorReset)
	}
	u, err := o.deps.People.UpdateUser(ctx, c.Actor(), organizationID, r.UserID, models.UserChange{
		Record: func(u *models.User) error {
			if err := mayGive(c, u, b); err != nil {
				return err
			}
			return updatePerson(u, b, organizationID)
		},
		LinkHash: hash, EndSessions: b.EndSessions, ResetSecondFactor: b.ResetSecondFactor,
		Session: o.SessionHashes(c.Token), Mails: mails,
	})
	if err != nil {
		return contract.InvitedUser{}, err
	}
	answer := o.invitedAnswer(&u, organizationID, token)
	answer.Mailed = o.Mails && b.NewLink
	return answer, nil
}

// mayGive checks that a change gives the person no more than the caller has. A new way to sign in gives the present role.
// Errors: those of call.Call.MayGiveRole.
func mayGive(c *call.Call, u *models.User, b *contract.UserUpdate) error {
	had, has := models.Role(""), models.Role("")
	for _, m := range u.Memberships {
		if m.OrganizationID == c.Scope.OrganizationID {
			had, has = m.Role, m.Role
		}
	}
	if b.Role.IsSpecified() && !b.Role.IsNull() {
		has = models.Role(b.Role[true])
	}
	enabled := b.Status == contract.UserStatusACTIVE && u.Status == models.UserDisabled
	if has == "" || has == had && !b.NewLink && !b.ResetSecondFactor && !enabled {
		return nil
	}
	return c.MayGiveRole(has)
}

// updatePerson applies the submitted fields to a person. A repeated value changes nothing.
func updatePerson(u *models.User, b *contract.UserUpdate, organizationID string) error {
	shown := userAnswer(u, organizationID)
	name, status := b.Name, b.Status
	if name == shown.Name {
		name = ""
	}
	if status == shown.Status {
		status = ""
	}
	if status == contract.UserStatusINVITED { // until now the person was invited
		return &models.InvalidError{Faults: []models.Fault{invitedByService}}
	}
	if (name != "" || status != "" || b.NewLink || b.EndSessions || b.ResetSecondFactor) &&
		!belongsOnlyTo(u, organizationID) {
		return problem.New(problem.CodeForbiddenForKey,
			"This person belongs to another organization too: here only the role can change.")
	}
	if name != "" {
		u.Name = name
	}
	if b.NewLink {
		u.ForgetAccount()
	}
	if b.Role.IsSpecified() && !b.Role.IsNull() {
		for i := range u.Memberships {
			if u.Memberships[i].OrganizationID == organizationID {
				u.Memberships[i].Role = models.Role(b.Role[true])
			}
		}
	}
	if b.StaffRole.IsSpecified() && !b.StaffRole.IsNull() {
		u.StaffRole = convert.Optional(models.StaffRole(b.StaffRole[true]))
	}
	switch {
	case status == contract.UserStatusDISABLED:
		u.Status = models.UserDisabled
	case status == contract.UserStatusACTIVE && u.MaySignIn():
		u.Status = models.UserActive
	case status == contract.UserStatusACTIVE:
		u.Status = models.UserInvited
	}
	return nil
}

// RoleFaults returns faults for roles that do not exist here, of the organization or of staff, and for a missing one.
func RoleFaults(organizationID string, b *contract.UserUpdate) (faults []models.Fault) {
	field, cleared := "role", b.Role.IsNull()
	other, message := "staff_role", "A role at the operator is changed without x-organization-id."
	sent := b.StaffRole.IsSpecified() && !b.StaffRole.IsNull()
	if organizationID == "" {
		field, cleared = "staff_role", b.StaffRole.IsNull()
		other, message = "role", "A role in an organization is changed with x-organization-id."
		sent = b.Role.IsSpecified() && !b.Role.IsNull()
	}
	if cleared {
		faults = append(faults, models.Fault{
			Code: models.FieldMissing, Path: field, Message: field + " cannot be cleared.",
		})
	}
	if sent {
		faults = append(faults, models.Fault{
			Code: models.FieldNotAllowed, Path: other, Message: message,
		})
	}
	return faults
}

var invitedByService = models.Fault{
	Code: models.FieldNotAllowed, Path: "status", Message: "The status INVITED is set by the service only.",
}

// StatusFaults returns a fault for the status INVITED unless the person has it.
func (o *Operations) StatusFaults(ctx context.Context, id string, b *contract.UserUpdate) []models.Fault {
	if b.Status != contract.UserStatusINVITED {
		return nil
	}
	u, err := o.deps.People.User(ctx, call.Of(ctx).Scope.OrganizationID, id)
	if err != nil || u.Status == models.UserInvited {
		return nil // the change will report the same error
	}
	return []models.Fault{invitedByService}
}

// belongsOnlyTo reports whether a person belongs to this organization alone. A link for a person gives all permissions
// of that person, so no other organization may create it.
func belongsOnlyTo(u *models.User, organizationID string) bool {
	if organizationID == "" {
		return len(u.Memberships) == 0
	}
	return !u.IsStaff() && len(u.Memberships) == 1
}

// RemoveUser removes the role of a person.
func (o *Operations) RemoveUser(ctx context.Context, r contract.RemoveUserRequest) error {
	c := call.Of(ctx)
	return o.deps.People.RemoveUser(ctx, c.Actor(), c.Scope.OrganizationID, r.UserID)
}

func userAnswer(u *models.User, organizationID string) contract.User {
	answer := contract.User{
		ID: u.ID, Email: u.Email, Name: u.Name, Status: contract.UserStatus(u.Status), CreatedAt: convert.Instant(u.CreatedAt),
		SecondFactor: u.SecondFactor, Passkeys: u.Passkeys, Memberships: []contract.UserMembership{},
	}
	for _, m := range u.Memberships {
		if m.OrganizationID == organizationID {
			answer.Role = convert.Optional(string(m.Role))
			answer.Memberships = append(answer.Memberships,
				contract.UserMembership{OrganizationID: organizationID, Role: contract.Role(m.Role)})
		}
	}
	if organizationID == "" && u.StaffRole != nil {
		answer.StaffRole = convert.Optional(string(*u.StaffRole))
		answer.Memberships = append(answer.Memberships,
			contract.UserMembership{StaffRole: contract.StaffRole(*u.StaffRole)})
	}
	return answer
}

// invitedAnswer returns a person with a link; an empty token means no link, or one that is mailed.
func (o *Operations) invitedAnswer(u *models.User, organizationID, token string) contract.InvitedUser {
	shown := userAnswer(u, organizationID)
	answer := contract.InvitedUser{
		ID: shown.ID, Email: shown.Email, Name: shown.Name,
		Status: shown.Status, Role: shown.Role, StaffRole: shown.StaffRole, Memberships: shown.Memberships,
		CreatedAt: shown.CreatedAt, SecondFactor: shown.SecondFactor, Passkeys: shown.Passkeys,
	}
	if token != "" {
		ends := convert.Instant(o.now().Add(models.SignInLinkLasts))
		answer.SignInPath, answer.SignInPathExpiresAt, answer.SecretAvailable = convert.Optional(SignInPath+token), &ends, true
	}
	return answer
}
