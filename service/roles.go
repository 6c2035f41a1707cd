package service

import (
	"encoding/json"
	"slices"

	"levy/models"
	"levy/service/internal/call"
)

// needs is what a person needs for a request with a body.
func (r accessRule) needs(body []byte) call.OperationRole {
	needed := r.role
	if !needed.Decides {
		return needed
	}
	var sent struct {
		Status models.FilingStatus `json:"status"`
	}
	_ = json.Unmarshal(body, &sent) // the validator has read it
	if slices.Contains(call.Deciding, sent.Status) {
		needed.Role = models.RoleApprover
	}
	return needed
}
