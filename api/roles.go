package api

import (
	"encoding/json"
	"slices"

	"levy/models"
)

// operationRole says which role a person needs for an operation.
type operationRole struct {
	role     models.Role
	personal bool // it shows personal data of an onboarding, which auditors do not see
	// decides: a status in the body that is one of deciding needs an approver.
	decides bool
	staff   bool // staff without an organization may use it, for people of staff
}

// deciding are the statuses of a filing that somebody decides about.
var deciding = []models.FilingStatus{
	models.FilingFiling, models.FilingFiled, models.FilingSkipped, models.FilingCancelled, models.FilingIssue,
}

// needs is what a person needs for a request with a body.
func (r accessRule) needs(body []byte) operationRole {
	needed := r.role
	if !needed.decides {
		return needed
	}
	var sent struct {
		Status models.FilingStatus `json:"status"`
	}
	_ = json.Unmarshal(body, &sent) // the validator has read it
	if slices.Contains(deciding, sent.Status) {
		needed.role = models.RoleApprover
	}
	return needed
}

// may reports whether the person of a call has what is needed.
func (c *call) may(needed operationRole) bool {
	if c.scope.OrganizationID == "" { // of no organization: about oneself, about all, or about staff
		return needed.staff && (needed.role != models.RoleAdmin || c.isOperator())
	}
	if needed.personal && c.person.IsStaff() && !c.isOperator() {
		return false
	}
	return c.role.Includes(needed.role)
}

// isOperator reports whether the person is of staff and may do more than read.
func (c *call) isOperator() bool {
	return c.person.StaffRole != nil && *c.person.StaffRole == models.StaffOperator
}
