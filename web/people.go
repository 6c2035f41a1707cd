package web

import (
	"net/http"
	"net/url"
	"strconv"
)

// person is a user with a role.
type person struct {
	ID        string `json:"id"`
	Email     string `json:"email"`
	Name      string `json:"name"`
	Status    string `json:"status"`
	Role      string `json:"role"`
	StaffRole string `json:"staff_role"`
	Second    bool   `json:"second_factor"`
	Path      string `json:"sign_in_path"` // only in the answer that creates a link

	RoleField field // to change the role
}

// Holds returns the role of the person in the organization, or as staff.
func (p person) Holds() string {
	if p.StaffRole != "" {
		return p.StaffRole
	}
	return p.Role
}

type peopleList struct {
	listPage

	Items []person `json:"items"`

	Invite []field // the fields of the form of an invitation
	Second bool    `json:"require_second_person"` // the last person who changed a return may not decide about it
}

// roleChoice is a role with its rights.
type roleChoice struct{ Role, May string }

var (
	organizationRoles = []roleChoice{
		{"viewer", "reads"},
		{"preparer", "also corrects, and prepares returns"},
		{"approver", "also decides about returns"},
		{"admin", "also manages people, keys and settings"},
	}
	staffRoles = []roleChoice{
		{"auditor", "reads every organization, but no personal data"},
		{"operator", "also decides about returns of every organization, and manages staff"},
	}
)

const peoplePath = "/v1/users"

// people lists the people of an organization, or of staff if the path has none.
func (c *Console) people(v *pageRequest) error {
	if v.org == "" && !v.user.isStaff() {
		return &problem{Status: http.StatusNotFound, Title: "There is no such page"}
	}
	list, roles := peopleList{listPage: v.listPage()}, organizationRoles
	if err := v.get(peoplePath+"?"+pick(list.Query, "page"), v.org, &list); err != nil {
		return err
	}
	if v.org == "" {
		roles = staffRoles
	} else if err := v.get(settingsPath(v.org), v.org, &list); err != nil {
		return err
	}
	list.Invite = v.inputs("invite",
		field{Name: "email", Label: "E-mail address", Kind: "email", Required: true, Max: 320, Auto: "off", AsTyped: true},
		required(text("name", "Name", 200, "off")), roleField(roles, true))
	for i := range list.Items {
		list.Items[i].setRoleField(v, roles)
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

// setRoleField sets the list with the role of the person.
func (p *person) setRoleField(v *pageRequest, roles []roleChoice) {
	p.RoleField = as("role-"+p.ID, roleField(roles, false))
	p.RoleField.Label, p.RoleField.Unseen, p.RoleField.Value = "Role of "+p.Name, true, p.Holds()
	if v.fault != nil && v.PostFormValue("action") == "role" && v.PostFormValue("id") == p.ID {
		p.RoleField.refusedBy(v.fault)
	}
}

func settingsPath(org string) string { return "/v1/organizations/" + url.PathEscape(org) + "/settings" }

// changePeople invites, changes or removes a person. A new link is shown once.
func (c *Console) changePeople(v *pageRequest) error {
	var created person
	if err := c.applyToPerson(v, &created); err != nil {
		return err
	}
	if action := v.PostFormValue("action"); action != "invite" && action != "link" {
		return v.goTo(v.URL.Path)
	}
	return v.showOnce(shownOnce{Title: "The link for " + created.Name, Address: v.absolute(created.Path),
		Says: "Send this address to the person. It is shown only now, works once, and expires after 7 days."}, c.people)
}

// applyToPerson calls the operation of an action.
func (c *Console) applyToPerson(v *pageRequest, created *person) error {
	role := "role"
	if v.org == "" {
		role = "staff_role"
	}
	one := peoplePath + "/" + url.PathEscape(v.PostFormValue("id"))
	switch action := v.PostFormValue("action"); action {
	case "invite":
		return v.call(http.MethodPost, peoplePath, v.org, map[string]any{
			"email": v.PostFormValue("email"), "name": v.PostFormValue("name"), role: v.PostFormValue("role"),
		}, created)
	case "role":
		return v.call(http.MethodPut, one, v.org, map[string]any{role: v.PostFormValue("role")}, nil)
	case "link":
		return v.call(http.MethodPut, one, v.org, map[string]any{"new_link": true}, created)
	case "sign_out":
		return v.call(http.MethodPut, one, v.org, map[string]any{"end_sessions": true}, nil)
	case "reset_second_factor":
		return v.call(http.MethodPut, one, v.org, map[string]any{"reset_second_factor": true}, nil)
	case "DISABLED", "ACTIVE":
		return v.call(http.MethodPut, one, v.org, map[string]any{"status": action}, nil)
	case "remove":
		return v.call(http.MethodDelete, one, v.org, nil, nil)
	case "second":
		required, err := strconv.ParseBool(v.PostFormValue("required"))
		if err != nil {
			return &problem{Status: http.StatusBadRequest, Title: "The form is incomplete", Detail: "The form is incomplete."}
		}
		return v.call(http.MethodPost, settingsPath(v.org), v.org, map[string]any{"require_second_person": required}, nil)
	}
	return &problem{Status: http.StatusBadRequest, Title: "There is no such action", Detail: "There is no such action."}
}
