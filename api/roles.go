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

// rolesOfOperations is the only place that lets a person do something: every operation of the contract is in it, or the
// server does not start. docs/roles.md is made of it. Aliases need the role of what they are an alias of.
var rolesOfOperations = func() map[string]operationRole {
	roles := map[string]operationRole{}
	add := func(role models.Role, operations ...string) {
		for _, operation := range operations {
			roles[operation] = operationRole{role: role}
		}
	}
	add("", "getHealth", "getReadiness", "signIn") // nobody is asked for there
	add(models.RoleViewer, "listOrganizations", "getOrganization", "checkOrganizationName", "getOrganizationSettings",
		"getOwnOnboarding", "getOnboarding", "streamOnboarding", "listOnboardings", "exportOnboardings",
		"getOnboardingLink", "listAPIKeys", "getAPIKey",
		"listProducts", "listProductCategories", "getProduct", "getProductByExternalID", "previewReclassification",
		"getProductTaxability", "listCustomers", "getCustomer", "getCustomerByExternalID", "listCustomerTransactions",
		"listTransactionsOfFiling", "listExemptions", "getExemption", "listExemptionAttachments", "getExemptionAttachment",
		"listTransactionImports", "getTransactionImport", "exportRejectedRows", "listRegistrations", "getRegistration",
		"estimateTax", "searchAddress", "suggestAddresses", "listNexus", "getNexus", "listNexusMonths", "simulateNexus",
		"listPhysicalNexus", "listPhysicalNexusCategories", "getPhysicalNexus", "listRateOverrides", "getRateOverride",
		"listTransactions", "getTransaction", "getTransactionByExternalID", "exportTransactions", "listRelatedTransactions",
		"listTransactionHistory", "listTransactionRevisions", "getTransactionRevision", "getTransactionExplanation",
		"listAudit",
		"listEvents", "getEvent", "streamEvents", "listStateMachines", "listWebhookEndpoints", "getWebhookEndpoint",
		"listWebhookDeliveries", "listFilings", "listRegistrationFilings", "getFiling", "listFilingTransactions",
		"listFilingHistory",
		"listUnresolvedFilingTransactions", "getFilingReport", "verifyFiling")
	add(models.RolePreparer, "createTransaction", "updateTransaction", "createTransactionBatch", "archiveTransactions",
		"archiveTransactionsByDate", "createCustomerTransaction", "reprocessTransaction", "createCreditNote",
		"updateCreditNote",
		"createRegistration", "updateRegistration", "deregister", "registerNexus", "disregardNexus", "undisregardNexus",
		"createPhysicalNexus", "updatePhysicalNexus", "deletePhysicalNexus", "createRateOverride", "deleteRateOverride",
		"createExemption", "updateExemption",
		"uploadExemptionAttachment", "createTransactionImport", "pauseTransactionImport", "resumeTransactionImport",
		"cancelTransactionImport", "createCustomer", "updateCustomer", "createProduct", "updateProduct", "archiveProduct",
		"assignException")
	add(models.RoleApprover, "approveFiling", "retryFiling")
	add(models.RoleAdmin, "createOrganization", "updateOrganization", "archiveOrganization", "changeOrganizationSettings",
		"createAPIKey", "updateAPIKey", "rotateAPIKey", "revokeAPIKey", "putBusinessDetails", "putBusinessAddress",
		"putBusinessInformation", "putBusinessContact", "putBusinessOwners", "putBankDetails", "cancelOnboarding",
		"remindOnboarding",
		"makeOnboardingLink", "endOnboardingLink", "createWebhookEndpoint", "updateWebhookEndpoint", "deleteWebhookEndpoint",
		"rotateWebhookSecret", "testWebhookEndpoint", "replayWebhookEvents", "redeliverWebhook")
	for _, operation := range []string{"createFiling", "updateFiling"} {
		roles[operation] = operationRole{role: models.RolePreparer, decides: true}
	}
	for _, operation := range []string{"getOrganizationDetails", "getBankDetails"} {
		roles[operation] = operationRole{role: models.RoleViewer, personal: true}
	}
	for role, operations := range map[models.Role][]string{
		models.RoleViewer: {
			"getSession", "signOut", "setSecondFactor", "listSavedViews", "setSavedView", // of one's own
			"listExceptions", "streamExceptions", "listDueFilings", "getStatus", "getContentChanges", "search", "streamSearch",
		},
		models.RoleAdmin: {"listUsers", "inviteUser", "updateUser", "removeUser"},
	} {
		for _, operation := range operations {
			roles[operation] = operationRole{role: role, staff: true}
		}
	}
	return roles
}()

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
