package api

import (
	"encoding/json"
	"slices"
	"strings"

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

// rolesOfOperations is the only place that lets a person write something. Operations that only
// read, by their names, need a viewer; one that is not listed and writes needs an admin.
var rolesOfOperations = func() map[string]operationRole {
	roles := map[string]operationRole{}
	add := func(role models.Role, operations ...string) {
		for _, operation := range operations {
			roles[operation] = operationRole{role: role}
		}
	}
	add(models.RoleViewer, "checkOrganizationName", "verifyFiling", "exportTransactions", "exportOnboardings", "exportRejectedRows", "simulateNexus",
		"estimateTax", "searchAddress", "suggestAddresses", "previewReclassification", "search", "signOut",
		"streamOnboarding", "streamEvents")
	add(models.RolePreparer, "createTransaction", "updateTransaction", "createTransactionBatch", "archiveTransactions",
		"archiveTransactionsByDate", "createCustomerTransaction", "reprocessTransaction", "createCreditNote", "updateCreditNote",
		"createRegistration", "updateRegistration", "deregister", "registerNexus", "disregardNexus", "undisregardNexus",
		"createPhysicalNexus", "updatePhysicalNexus", "deletePhysicalNexus", "createRateOverride", "deleteRateOverride", "createExemption", "updateExemption",
		"uploadExemptionAttachment", "createTransactionImport", "pauseTransactionImport", "resumeTransactionImport",
		"cancelTransactionImport", "createCustomer", "updateCustomer", "createProduct", "updateProduct", "archiveProduct",
		"assignException")
	add(models.RoleApprover, "approveFiling", "retryFiling")
	roles["createFiling"] = operationRole{role: models.RolePreparer, decides: true}
	roles["updateFiling"] = operationRole{role: models.RolePreparer, decides: true}
	for _, operation := range []string{"getOrganizationDetails", "getBankDetails", "getOrganizationDetailsAlias", "getBankDetailsAlias"} {
		roles[operation] = operationRole{role: models.RoleViewer, personal: true}
	}
	roles["getSession"] = operationRole{role: models.RoleViewer, staff: true}
	for _, operation := range []string{"signOut", "setSecondFactor", "listSavedViews", "setSavedView"} { // of one's own
		roles[operation] = operationRole{role: models.RoleViewer, staff: true}
	}
	for _, operation := range []string{"inviteUser", "updateUser", "removeUser"} {
		roles[operation] = operationRole{role: models.RoleAdmin, staff: true}
	}
	roles["listUsers"] = operationRole{role: models.RoleAdmin, staff: true}
	for _, operation := range []string{"listExceptions", "streamExceptions", "listDueFilings", "getStatus", "getContentChanges", "search", "streamSearch"} {
		roles[operation] = operationRole{role: models.RoleViewer, staff: true}
	}
	return roles
}()

// roleFor is the role that a person needs for an operation.
func roleFor(operation string) operationRole {
	if known, ok := rolesOfOperations[operation]; ok {
		return known
	}
	if strings.HasPrefix(operation, "get") || strings.HasPrefix(operation, "list") {
		return operationRole{role: models.RoleViewer}
	}
	return operationRole{role: models.RoleAdmin}
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
