package web

import (
	"strings"

	"levy/contract"
)

// grantPage is the page of what partners may do for an organization.
type grantPage struct {
	Name   string
	Grants []grant
}

// grant is what a partner may do for the organization, with the field of its form.
type grant struct {
	contract.Grant
	Chosen field // the role that is given
}

// May returns what the partner may do now, in words.
func (g grant) May() string { return grantWords[string(valueOf(g.Role))] }

// Ended reports whether the grant has ended.
func (g grant) Ended() bool { return g.EndedAt != nil }

// grantWords say what a role of a grant allows; "" is that of an ended one.
var grantWords = map[string]string{
	"":          "nothing: the grant has ended",
	"admin":     "everything, until the onboarding is over, except to change this grant",
	"approver":  "read, correct, prepare and approve returns",
	"preparer":  "read, correct and prepare returns, but not approve them",
	"as_before": "read, and manage keys and the record, as before there were grants",
}

// grantField returns the list of roles that an admin can give. One from before there were grants is only confirmed.
func grantField(g contract.Grant) field {
	roles := []contract.GrantRole{contract.GrantRolePreparer, contract.GrantRoleApprover}
	if g.RoleAfterOnboarding == contract.GrantRoleAsBefore {
		roles = append(roles, contract.GrantRoleAsBefore)
	}
	f := as("role-"+g.Partner, field{Name: "role", Label: "May do", Kind: "select", NoBlank: true, Native: true,
		Value: string(g.RoleAfterOnboarding)})
	for _, role := range roles {
		f.Options = append(f.Options, option{string(role), sentence(string(role)) + ": " + grantWords[string(role)]})
	}
	return f
}

// grants shows what partners may do for the organization.
func (c *Console) grants(v *pageRequest) error {
	read, err := v.readOrganization()
	if err != nil {
		return err
	}
	page := grantPage{Name: valueOf(read.Name)}
	for _, each := range read.Grants {
		page.Grants = append(page.Grants, grant{each, grantField(each)})
	}
	return v.show("Partners", page)
}

// changeGrant confirms, changes or gives a grant, or ends it. The page after its end says what ended with it.
func (c *Console) changeGrant(v *pageRequest) error {
	partner := v.PostFormValue("id")
	switch v.PostFormValue("action") {
	case "give":
		session, err := v.sending(map[string]any{"role": v.PostFormValue("role")})
		if err == nil {
			_, err = session.ChangeGrant(v.Context(), contract.ChangeGrantRequest{OrganizationID: v.org, PartnerID: partner})
		}
		return v.goBack(err)
	case "end":
		done, err := v.session.EndGrant(v.Context(), contract.EndGrantRequest{OrganizationID: v.org, PartnerID: partner})
		if err != nil || len(done.Ended) == 0 && len(done.ToDecide) == 0 {
			return v.goBack(err)
		}
		v.created = &shownOnce{Title: "The grant has ended", Says: strings.TrimSpace(thingsInWords("With it ended: ", done.Ended) +
			" " + thingsInWords("Still working, decide about each: ", done.ToDecide))}
		return c.grants(v)
	default:
		return unknownAction()
	}
}
