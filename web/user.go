package web

import (
	"net/http"

	"levy/contract"
	"levy/models"
)

// user is who is signed in. User is never nil.
type user struct {
	contract.Session
	lent  map[string]models.Role // by client of a partner: what its grant lets the person do there
	ended map[string]bool        // the clients of a partner whose grant has ended
}

// userOf returns the person of a session.
func userOf(session contract.Session) *user {
	if session.User == nil {
		session.User = &contract.SessionUser{}
	}
	return &user{Session: session}
}

// preferences returns the preferences of the person. A visitor, who is nil, has the defaults.
func (u *user) preferences() *contract.Preferences {
	if u == nil || u.Preferences == nil {
		return defaultPreferences()
	}
	return u.Preferences
}

// theme returns the theme of the pages of the person.
func (u *user) theme() models.Theme { return models.Theme(u.preferences().Theme) }

// roles are the roles of the person, as models know them.
func (u *user) roles() *models.User {
	all := &models.User{StaffRole: (*models.StaffRole)(u.StaffRole)}
	for _, o := range u.Organizations {
		all.Memberships = append(all.Memberships, models.Membership{
			OrganizationID: o.OrganizationID, Role: models.Role(o.Role),
		})
	}
	return all
}

// may reports whether the person has a role in an organization, or a higher one. People of a partner have one in the client
// of the page, as far as its grant goes.
func (u *user) may(organization string, role models.Role) bool {
	return u.belongs(organization, role) || u.lent[organization].Includes(role)
}

// belongs reports whether the person has a role in an organization, or a higher one, without the grant of a partner.
func (u *user) belongs(organization string, role models.Role) bool {
	return u.roles().RoleIn(organization, "").Includes(role)
}

// partners returns the roles of the person at partners, by their ids.
func (u *user) partners() map[string]models.Role {
	roles := map[string]models.Role{}
	for _, o := range u.Organizations {
		if o.Root {
			roles[o.OrganizationID] = models.Role(o.Role)
		}
	}
	return roles
}

// assigns reports whether the person may assign and note the exceptions of an organization. People of a partner may those
// of its clients.
func (u *user) assigns(organization string) bool { return u.reaches(organization, models.RolePreparer) }

// reaches reports whether the person has a role in an organization, or a higher one, or has it at a partner, which may have
// a grant there. The service checks the grant.
func (u *user) reaches(organization string, least models.Role) bool {
	if u.roles().RoleIn(organization, "") != "" {
		return u.belongs(organization, least)
	}
	for _, role := range u.partners() {
		if role.Includes(least) {
			return true
		}
	}
	return false
}

// lend reads what the grant of a partner lets the person do for the client of the page. Steps of an onboarding, people and
// settings stay with the client's own people. A client that cannot be read lends nothing: the page says why.
func (v *pageRequest) lend() {
	if v.org == "" || v.user.roles().RoleIn(v.org, "") != "" || len(v.user.partners()) == 0 {
		return
	}
	read, err := v.readOrganization()
	if err != nil {
		return
	}
	for _, grant := range read.Grants {
		own := v.user.partners()[grant.Partner]
		lent := models.GrantRole(valueOf(grant.Role)).Role().AtMost(own).AtMost(models.RoleApprover)
		v.user.lent = map[string]models.Role{v.org: lent}
		v.user.ended = map[string]bool{v.org: grant.Role == nil}
	}
}

// isStaff reports whether the person is of the operator.
func (u *user) isStaff() bool { return u.StaffRole != nil }

// isOperator reports whether the person is of the operator and may do more than read.
func (u *user) isOperator() bool {
	return u.isStaff() && *u.StaffRole == string(models.StaffOperator)
}

// managesKeys reports whether the person may create and revoke keys of an organization. Its admins may, and admins of a
// partner for it and its clients. The service checks which clients those are.
func (u *user) managesKeys(organization string) bool {
	return organization != "" && u.may(organization, models.RoleAdmin) || u.managesRecord(organization)
}

// managesRecord reports whether the person may change the record of an organization: admins of a partner may, for it and
// its clients until the grant ends.
func (u *user) managesRecord(organization string) bool {
	if u.ended[organization] {
		return false
	}
	for _, o := range u.Organizations {
		if o.Root && models.Role(o.Role) == models.RoleAdmin {
			return organization != ""
		}
	}
	return false
}

// requireReader refuses people of a partner a form of their client whose calls the service would refuse. Errors:
// *problem.
func (v *pageRequest) requireReader() error {
	if v.user.may(v.org, models.RoleViewer) {
		return nil
	}
	return v.requireMember()
}

// requireMember refuses people from outside of the organization and the operator. Errors: *problem.
func (v *pageRequest) requireMember() error {
	if v.user.belongs(v.org, models.RoleViewer) {
		return nil
	}
	return &problem{Status: http.StatusForbidden, Title: "You may not do this",
		Detail: "This is for people of the organization itself and for staff."}
}
