package call

import (
	"levy/models"
)

// OperationRole is the role that a person needs for an operation.
type OperationRole struct {
	Role     models.Role
	Personal bool // the answer has personal data of an onboarding, which auditors do not see
	Staff    bool // staff may use it without an organization, for people of staff
}

// Deciding are the statuses of a filing that are a decision.
var Deciding = []models.FilingStatus{
	models.FilingFiling, models.FilingFiled, models.FilingSkipped, models.FilingCancelled, models.FilingIssue,
}

// May reports whether the person of a call has the needed role.
func (c *Call) May(needed OperationRole) bool {
	if c.Scope.OrganizationID == "" { // about the caller, all organizations or staff
		return needed.Staff && (needed.Role != models.RoleAdmin || c.isOperator())
	}
	if needed.Personal && c.Person.IsStaff() && !c.isOperator() {
		return false
	}
	return c.Role.Includes(needed.Role)
}

// MayDecide reports whether the caller may decide about returns: by the role, and for a partner by the grant.
func (c *Call) MayDecide() bool {
	const decider, scope = models.RoleApprover, models.ScopeWrite
	switch {
	case c.Person != nil && !c.Role.Includes(decider):
		return false
	case c.client != nil:
		return c.Granted().Role().Includes(decider)
	}
	// guard: grants: a key decides no more than the grant under which it was made
	return c.Person != nil || !c.Principal.Grant.Bounds(decider, scope)
}

// isOperator reports whether the person is of staff and may do more than read.
func (c *Call) isOperator() bool {
	return c.Person.StaffRole != nil && *c.Person.StaffRole == models.StaffOperator
}
