package web

import (
	"cmp"
	"fmt"
	"html/template"
	"net/http"
	"strconv"

	"github.com/oapi-codegen/nullable"

	"levy/contract"
	"levy/models"
)

// person is a user with the field of the form that changes the role.
type person struct {
	contract.User
	RoleField field
}

// Active reports whether the person can sign in.
func (p person) Active() bool { return models.UserStatus(p.Status) == models.UserActive }

// Disabled reports whether the person was disabled.
func (p person) Disabled() bool { return models.UserStatus(p.Status) == models.UserDisabled }

type peopleList struct {
	listPage

	Items []person
	File  template.URL

	Invite []field // the fields of the form of an invitation
	Second bool    // who made what a return rests on may not decide about it
	Ending string  // the admin who asked to end that; empty for none
}

// roleChoice is a role with its rights.
type roleChoice struct{ Role, May string }

var (
	organizationRoles = []roleChoice{
		{string(models.RoleViewer), "reads"},
		{string(models.RolePreparer), "also corrects, and prepares returns"},
		{string(models.RoleApprover), "also decides about returns"},
		{string(models.RoleAdmin), "also manages people, keys and settings"},
	}
	staffRoles = []roleChoice{
		{string(models.StaffAuditor), "reads every organization, but no personal data"},
		{string(models.StaffOperator), "also decides about returns of every organization, and manages staff"},
	}
)

// people lists the people of an organization, or of staff if the path has none.
func (c *Console) people(v *pageRequest) error {
	if v.org == "" && !v.user.isStaff() {
		return &problem{Status: http.StatusNotFound, Title: "There is no such page"}
	}
	found, err := v.session.WithQuery(v.sized(pick(v.URL.Query(), "page"))).ListUsers(v.Context(), contract.ListUsersRequest{})
	if err != nil {
		return err
	}
	list, roles := peopleList{listPage: v.pageOf(found.Total, found.Page, found.Pages), File: v.fileOf("people", nil)}, staffRoles
	if v.org != "" {
		settings, err := v.session.GetOrganizationSettings(v.Context(), contract.GetOrganizationSettingsRequest{OrganizationID: v.org})
		if err != nil {
			return err
		}
		list.Second, roles = settings.RequireSecondPerson, organizationRoles
		if by := settings.SecondPersonEndRequestedBy; by != nil {
			list.Ending = *by
		}
	}
	list.Invite = v.inputs("invite",
		field{Name: "email", Label: "E-mail address", Kind: "email", Required: true, Max: 320, Auto: "off", AsTyped: true},
		required(text("name", "Name", 200, "off")), roleField(roles, true))
	for _, user := range found.Items {
		list.Items = append(list.Items, person{user, v.roleFieldOf(user, roles)})
	}
	return v.show("People", list)
}

// roleField returns a list of roles; explained adds the rights of each.
func roleField(roles []roleChoice, explained bool) field {
	f := field{Name: "role", Label: "Role", Kind: "select", Required: explained, NoBlank: true, Native: true}
	for _, each := range roles {
		label := sentence(each.Role)
		if explained {
			label += ": " + each.May
		}
		f.Options = append(f.Options, option{each.Role, label})
	}
	return f
}

// roleFieldOf returns the list with the role of a person in the organization, or as staff.
func (v *pageRequest) roleFieldOf(user contract.User, roles []roleChoice) field {
	f := as("role-"+user.ID, roleField(roles, false))
	f.Label, f.Unseen, f.Value = "Role of "+isolated(user.Name), true, cmp.Or(valueOf(user.StaffRole), valueOf(user.Role))
	if v.fault != nil && v.PostFormValue("action") == "role" && v.PostFormValue("id") == user.ID {
		f.refusedBy(v.fault)
	}
	return f
}

// changePeople invites, changes or removes a person. A new link is shown once.
func (c *Console) changePeople(v *pageRequest) error {
	changed, err := v.applyToPerson()
	if err != nil {
		return err
	}
	if action := v.PostFormValue("action"); action != "invite" && action != "link" {
		return v.goBack(nil)
	}
	return v.showLink(changed, "Send this address to the person. It is shown only now, works once, and expires after 7 days."+
		passkeysToEnd(changed.Passkeys), c.people)
}

// showLink shows the new link of a person once. Where it is mailed, the page says to whom, and does not have it.
func (v *pageRequest) showLink(user contract.InvitedUser, says string, show handler) error {
	title := "The link for " + isolated(user.Name)
	if user.Mailed {
		v.created = &shownOnce{Title: title, Says: "It is sent to " + user.Email +
			" only. It works once, and expires after 7 days."}
		return show(v)
	}
	return v.showOnce(shownOnce{Title: title, Address: v.absolute(valueOf(user.SignInPath)), Says: says}, show)
}

// passkeysToEnd returns the sentence about the passkeys that end with a new link, after a space; empty for none.
func passkeysToEnd(n int) string {
	switch n {
	case 0:
		return ""
	case 1:
		return " Opening it ends the passkey of the person."
	}
	return fmt.Sprintf(" Opening it ends the %d passkeys of the person.", n)
}

// applyToPerson carries out the operation of an action.
func (v *pageRequest) applyToPerson() (changed contract.InvitedUser, err error) {
	role, id := "role", v.PostFormValue("id")
	if v.org == "" {
		role = "staff_role"
	}
	update := contract.UserUpdate{}
	switch action := v.PostFormValue("action"); action {
	case "invite":
		session, err := v.sending(map[string]any{
			"email": v.PostFormValue("email"), "name": v.PostFormValue("name"), role: v.PostFormValue("role"),
		})
		if err != nil {
			return changed, err
		}
		return session.InviteUser(v.Context(), contract.InviteUserRequest{})
	case "role":
		session, err := v.sending(map[string]any{role: v.PostFormValue("role")})
		if err != nil {
			return changed, err
		}
		return session.UpdateUser(v.Context(), contract.UpdateUserRequest{UserID: id})
	case "link":
		update.NewLink = true
	case "sign_out":
		update.EndSessions = true
	case "reset_second_factor":
		update.ResetSecondFactor = true
	case string(models.UserDisabled), string(models.UserActive):
		update.Status = contract.UserStatus(action)
	case "remove":
		return changed, v.session.RemoveUser(v.Context(), contract.RemoveUserRequest{UserID: id})
	case "second":
		return changed, v.requireSecondPerson()
	default:
		return changed, unknownAction()
	}
	return v.session.UpdateUser(v.Context(), contract.UpdateUserRequest{UserID: id, Body: update})
}

// requireSecondPerson sets whether who made what a return rests on may decide about it. Two admins end it.
func (v *pageRequest) requireSecondPerson() error {
	required, err := strconv.ParseBool(v.PostFormValue("required"))
	if err != nil {
		return &problem{Status: http.StatusBadRequest, Title: "The form is incomplete", Detail: "Open the page and send it again."}
	}
	_, err = v.session.ChangeOrganizationSettings(v.Context(), contract.ChangeOrganizationSettingsRequest{
		OrganizationID: v.org, Body: contract.OrganizationSettingsUpdate{RequireSecondPerson: nullable.NewNullableWithValue(required)},
	})
	return err
}
