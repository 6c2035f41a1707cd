package web

import (
	"net/http"

	"levy/contract"
	"levy/models"
)

// user is who is signed in. User is never nil.
type user struct{ contract.Session }

// userOf returns the person of a session.
func userOf(session contract.Session) *user {
	if session.User == nil {
		session.User = &contract.SessionUser{}
	}
	return &user{session}
}

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

// may reports whether the person has a role in an organization, or a higher one. People of a partner only read their
// clients.
func (u *user) may(organization string, role models.Role) bool {
	return u.roles().RoleIn(organization, "").Includes(role)
}

// isStaff reports whether the person is of the operator.
func (u *user) isStaff() bool { return u.StaffRole != nil }

// isOperator reports whether the person is of the operator and may do more than read.
func (u *user) isOperator() bool {
	return u.isStaff() && *u.StaffRole == string(models.StaffOperator)
}

// managesKeys reports whether the person may create and revoke keys of an organization: its admins may, and admins of a
// partner for it and its clients. The service checks which clients those are.
func (u *user) managesKeys(organization string) bool {
	return organization != "" && u.may(organization, models.RoleAdmin) || u.managesRecord(organization)
}

// managesRecord reports whether the person may change the record of an organization: admins of a partner may, for it and
// its clients.
func (u *user) managesRecord(organization string) bool {
	for _, o := range u.Organizations {
		if o.Root && models.Role(o.Role) == models.RoleAdmin {
			return organization != ""
		}
	}
	return false
}

// requireMember refuses people of a partner a form of their client whose calls the service would refuse. Errors:
// *problem.
func (v *pageRequest) requireMember() error {
	if v.user.may(v.org, models.RoleViewer) {
		return nil
	}
	return &problem{Status: http.StatusForbidden, Title: "You may not do this",
		Detail: "This is for people of the organization itself and for staff."}
}
