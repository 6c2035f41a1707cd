package service

import (
	"slices"

	"levy/contract"
	"levy/models"
	"levy/service/internal/call"
)

// needs returns the role that a person needs for a request; nil for one that decides nothing.
func (r accessRule) needs(request any) call.OperationRole {
	needed := r.role
	if r.decides != nil && request != nil && r.decides(request) {
		needed.Role = models.RoleApprover
	}
	return needed
}

// createsDecision and updatesDecision report whether a request sets a status of a return that is a decision.
func createsDecision(request any) bool {
	return isDecision(request.(*contract.CreateFilingRequest).Body.Status)
}
func updatesDecision(request any) bool {
	return isDecision(request.(*contract.UpdateFilingRequest).Body.Status)
}

func isDecision(status contract.FilingStatus) bool {
	return slices.Contains(call.Deciding, models.FilingStatus(status))
}
