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

// isOperator reports whether the person is of staff and may do more than read.
func (c *Call) isOperator() bool {
	return c.Person.StaffRole != nil && *c.Person.StaffRole == models.StaffOperator
}
