package service

import (
	"cmp"
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"levy/models"
	"levy/service/internal/call"
)

var update = flag.Bool("update", false, "write the roles of docs/roles.md anew: make generate")

// rolesPage is the page of the docs with the role that each operation needs.
const rolesPage = "../docs/roles.md"

// position is the relation of a person to the organization that a request is about.
type position struct {
	name  string
	roles []string // from the least privileged one
	call  func(role string) *call.Call
}

// positions returns all relations of a person to an organization. It may be a client of a partner, a partner, or the
// partner of the organization, with each grant. Staff have a relation with and without an organization in the request.
func positions() []position {
	const client, partner = "org_client", "org_partner"
	roles := []string{"viewer", "preparer", "approver", "admin"}
	staff := []string{"auditor", "operator"}
	ofGrant := func(name string, grant models.GrantRole) position {
		return position{name, roles, func(role string) *call.Call {
			c := &call.Call{
				Person: &models.User{}, Role: models.Role(role), Scope: models.Scope{OrganizationID: client},
				Principal: models.Principal{OrganizationID: partner},
			}
			c.ActFor(models.Principal{OrganizationID: client, ParentOrganizationID: new(partner), Grant: grant})
			return c
		}}
	}
	ofStaff := func(role string) *models.User { return &models.User{StaffRole: new(models.StaffRole(role))} }
	return []position{
		{"its own", roles, func(role string) *call.Call {
			return &call.Call{
				Person: &models.User{}, Role: models.Role(role), Scope: models.Scope{OrganizationID: client},
				Principal: models.Principal{OrganizationID: client, ParentOrganizationID: new(partner)},
			}
		}},
		{"a partner, itself", roles, func(role string) *call.Call {
			return &call.Call{
				Person: &models.User{}, Role: models.Role(role), Scope: models.Scope{OrganizationID: partner},
				Principal: models.Principal{OrganizationID: partner},
			}
		}},
		ofGrant("a partner, onboarding", models.GrantAdmin), ofGrant("a partner, approver", models.GrantApprover),
		ofGrant("a partner, preparer", models.GrantPreparer), ofGrant("a partner, as before", models.GrantAsBefore),
		ofGrant("a partner, ended", ""),
		{"staff, any", staff, func(role string) *call.Call {
			return &call.Call{
				Person: ofStaff(role), Role: models.StaffRole(role).OrganizationRole(), Scope: models.Scope{OrganizationID: client},
				Principal: models.Principal{OrganizationID: client, ParentOrganizationID: new(partner)},
			}
		}},
		{"staff, none", staff, func(role string) *call.Call { return &call.Call{Person: ofStaff(role)} }},
	}
}

// The docs state the role that every operation needs in every position of a person. A new operation fails this test
// until its roles are decided.
func TestTheRolesOfTheDocsAreThoseOfTheServer(t *testing.T) {
	t.Parallel()
	at := positions()
	rows := []string{}
	say := func(name, operation, body string) {
		cells := []string{name}
		for _, p := range at {
			cells = append(cells, leastRole(t, p, operation, body))
		}
		cells = append(cells, cmp.Or(accessRules[operation].proof.words, "–"))
		rows = append(rows, "| "+strings.Join(cells, " | ")+" |")
	}
	for _, route := range everyOperation(t) {
		rule := accessRules[route.ID]
		require.NoError(t, rule.check(), route.ID)
		if rule.Public || rule.SignIn || strings.HasSuffix(route.ID, "Alias") {
			continue
		}
		name := "`" + route.ID + "`"
		say(name, route.ID, "")
		if rule.decides != nil {
			say(name+" with a status that a person sets", route.ID, `{"status":"FILED"}`)
		}
	}
	slices.Sort(rows)
	rows = slices.Compact(rows)
	var table strings.Builder
	names, lines := []string{"operation"}, []string{"---"}
	for _, p := range at {
		names, lines = append(names, p.name), append(lines, "---")
	}
	names, lines = append(names, "proof"), append(lines, "---")
	fmt.Fprintf(&table, "| %s |\n|%s|\n%s\n", strings.Join(names, " | "), strings.Join(lines, "|"),
		strings.Join(rows, "\n"))
	page, err := os.ReadFile(rolesPage)
	require.NoError(t, err)
	head, _, found := strings.Cut(string(page), "| operation |")
	require.True(t, found)
	want := head + table.String()
	if *update {
		require.NoError(t, os.WriteFile(rolesPage, []byte(want), 0o644))
		return
	}
	require.Equal(t, want, string(page), "decide which role it needs, then make generate")
}

// leastRole returns the first role of a position that may use an operation. All later roles may use it,
// and no earlier one.
func leastRole(t *testing.T, p position, operation, body string) string {
	t.Helper()
	least := "–"
	for _, role := range p.roles {
		if !accessRules[operation].admits(p.call(role), filingRequest(t, operation, body)) {
			require.Equal(t, "–", least, "%s: %s may, and %s may not, %s", operation, least, role, p.name)
			continue
		}
		if least == "–" {
			least = role
		}
	}
	return least
}
