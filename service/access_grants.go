package service

import (
	"levy/contract/problem"
	"levy/models"
	"levy/service/internal/call"
)

// needsGrant reports whether a partner could use an operation for a client under some grant.
func (r accessRule) needsGrant(c *call.Call) bool {
	return r.allowed&(call.ClassSelf|call.ClassChild) != 0 && (!r.person || c.Person != nil)
}

// forbiddenByGrant returns the problem of a partner whose grant for a client does not include an operation. It says who
// can act, and who can give the grant.
func forbiddenByGrant(c *call.Call, needed call.OperationRole) *problem.Problem {
	if c.Granted() == "" {
		return problem.Of(models.ErrGrantEnded).With("grant", nil)
	}
	role := needed.Role
	if needed.Personal {
		role = models.RoleAdmin
	}
	return beyondGrant(c.Granted(), role, "The grant of your organization for this client is "+string(c.Granted())+".")
}

// beyondGrant returns the problem of a call that needs another grant.
func beyondGrant(granted models.GrantRole, needed models.Role, detail string) *problem.Problem {
	switch needed {
	case models.RoleAdmin:
		detail += " This function is for admins of the client."
	case models.RoleApprover:
		detail += " This function needs approver, which an admin of the client can grant. Approvers of the client can act."
	case models.RoleViewer, models.RolePreparer:
		detail += " This function needs preparer, which an admin of the client can grant. People of the client can act."
	}
	p := problem.New(problem.CodeForbiddenForKey, detail).With("grant", granted)
	if needed != models.RoleAdmin {
		least := models.RolePreparer
		if needed == models.RoleApprover {
			least = needed
		}
		p = p.With("needed_grant", least)
	}
	return p
}
