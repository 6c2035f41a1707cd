package main

import (
	"context"
	"errors"
	"fmt"
	"net/mail"
	"time"

	"levy/internal/secret"
	"levy/models"
	"levy/service"
	"levy/store"
)

type userCmd struct {
	Invite userInviteCmd `cmd:"" help:"Give a person a role, and print the link by which that person sets a password."`
}

type userInviteCmd struct {
	Email        string `arg:"" help:"E-mail address of the person."`
	Name         string `name:"name" help:"Name of the person; a new person needs one."`
	Staff        string `name:"staff" enum:",auditor,operator" default:"" help:"Role at the operator: auditor or operator."`
	Organization string `name:"organization" help:"Organization in which the person gets a role."`
	Role         string `name:"role" enum:",viewer,preparer,approver,admin" default:"" help:"Role in that organization: viewer, preparer, approver or admin."`
}

// Run makes the person, or finds it, and gives it the role, at once or with the link. It prints the link, which is
// never shown again.
func (c userInviteCmd) Run(p *program) error {
	if (c.Staff == "") == (c.Organization == "") || (c.Role == "") != (c.Organization == "") {
		return errors.New("say either --staff, or --organization with --role")
	}
	if address, err := mail.ParseAddress(c.Email); err != nil || address.Address != c.Email {
		return fmt.Errorf("%q is no e-mail address", c.Email)
	}
	if err := p.config.validate(needDatabase, needMasterKeys); err != nil {
		return err
	}
	s, hasher, err := openForKeys(p.ctx, p.config)
	if err != nil {
		return err
	}
	defer s.Close()
	invited, err := c.invite(p.ctx, s, hasher)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(p.stdout, "%s%s signs in once, until %s, at this path of the service:\n%s\n", invited.known(),
		invited.name, time.Now().Add(models.SignInLinkLasts).Format("2 January 15:04"), invited.path)
	return err
}

// invitation is a person with a new link.
type invitation struct {
	name, path string
	waits      bool // accounts of the address exist already
	passkeys   int  // of the address, which end with the opening of the link
}

// known returns the note about a person who is known already; empty for others.
func (i invitation) known() string {
	if !i.waits {
		return ""
	}
	passkeys := "passkeys"
	if i.passkeys > 0 {
		passkeys = fmt.Sprintf("passkeys (%d)", i.passkeys)
	}
	return "This e-mail address is known already. A new role waits until the link is opened. Opening it ends the\n" +
		"sessions, passwords, second steps, " + passkeys + " and other links of this address, whoever has them.\n"
}

// invite gives the role and returns the path of the link.
func (c userInviteCmd) invite(
	ctx context.Context, s *store.Store, hasher *secret.KeyHasher,
) (invited invitation, err error) {
	u := models.User{Email: c.Email, Name: c.Name}
	var m *models.Membership
	if c.Staff != "" {
		role := models.StaffRole(c.Staff)
		u.StaffRole = &role
	} else {
		if _, err := s.Organizations.Organization(ctx, models.Scope{OrganizationID: c.Organization}); err != nil {
			return invited, fmt.Errorf("organization %s: %w", c.Organization, err)
		}
		m = &models.Membership{OrganizationID: c.Organization, Role: models.Role(c.Role)}
	}
	token := secret.NewToken()
	u, invited.waits, err = s.People.Ensure(ctx, staff(), u, m, service.LinkHash(hasher, token))
	if errors.Is(err, models.ErrNotFound) {
		err = errors.New("no person has this e-mail address yet: say --name")
	}
	invited.name, invited.path, invited.passkeys = u.Name, service.SignInPath+token, u.Passkeys
	return invited, err
}

// devLinks are the paths by which the two people of `levy dev` sign in.
type devLinks struct{ Staff, StaffEmail, Partner, PartnerEmail string }

// inviteDevPeople makes one person of staff and one of the partner, each with a new link.
func inviteDevPeople(ctx context.Context, cfg Config, organizationID string) (links devLinks, err error) {
	s, hasher, err := openForKeys(ctx, cfg)
	if err != nil {
		return links, err
	}
	defer s.Close()
	links.StaffEmail, links.PartnerEmail = "staff@levy.example", "partner@levy.example"
	sam, err := userInviteCmd{
		Email: links.StaffEmail, Name: "Sam Staff", Staff: string(models.StaffOperator),
	}.invite(ctx, s, hasher)
	if err != nil {
		return links, err
	}
	pat, err := userInviteCmd{
		Email: links.PartnerEmail, Name: "Pat Partner", Organization: organizationID, Role: string(models.RoleAdmin),
	}.invite(ctx, s, hasher)
	links.Staff, links.Partner = sam.path, pat.path
	return links, err
}
