package api

import (
	"levy/api/openapi"
	"levy/models"
)

// scopesOfOperations is the only place that says which scope a key needs for an operation: every operation
// of the contract is in it exactly once, or the server does not start. Aliases need the scope of what they
// are an alias of.
var scopesOfOperations = func() map[string]models.APIKeyScope {
	scopes := map[string]models.APIKeyScope{}
	add := func(scope models.APIKeyScope, operations ...string) {
		for _, operation := range operations {
			scopes[operation] = scope
		}
	}
	add("", "getHealth", "getReadiness", "signIn", "signOut", "getSession", "setSecondFactor", "listSavedViews",
		"setSavedView") // about oneself, or about nobody
	add(models.ScopeRead, "listExceptions", "streamExceptions", "search", "streamSearch", "listOrganizations",
		"getOrganization", "checkOrganizationName",
		"getOrganizationSettings", "getOwnOnboarding", "getOnboarding", "streamOnboarding", "listOnboardings",
		"exportOnboardings",
		"listProducts", "listProductCategories", "getProduct", "getProductByExternalID", "previewReclassification",
		"getProductTaxability",
		"listCustomers", "getCustomer", "getCustomerByExternalID", "listCustomerTransactions", "listTransactionsOfFiling",
		"listExemptions", "getExemption", "listExemptionAttachments", "getExemptionAttachment",
		"listTransactionImports", "getTransactionImport",
		"exportRejectedRows", "listRegistrations", "getRegistration", "estimateTax", "searchAddress", "suggestAddresses",
		"listNexus", "getNexus", "listNexusMonths", "simulateNexus", "listPhysicalNexus", "listPhysicalNexusCategories",
		"getPhysicalNexus",
		"listTransactions", "getTransaction", "getTransactionByExternalID", "listAudit", "listEvents", "getEvent",
		"streamEvents", "listStateMachines", "exportTransactions", "listRelatedTransactions", "listTransactionHistory",
		"listTransactionRevisions", "getTransactionRevision", "getTransactionExplanation", "listWebhookEndpoints",
		"getWebhookEndpoint", "listWebhookDeliveries", "listFilings", "listDueFilings", "listRegistrationFilings",
		"getFiling",
		"getStatus", "getContentChanges", "listRateOverrides", "getRateOverride",
		"listFilingTransactions", "listFilingHistory", "listUnresolvedFilingTransactions", "getFilingReport", "verifyFiling")
	add(models.ScopeWrite, "assignException", "createOrganization", "updateOrganization", "archiveOrganization",
		"changeOrganizationSettings", "putBusinessDetails", "putBusinessAddress", "putBusinessInformation",
		"putBusinessContact", "putBusinessOwners", "putBankDetails", "cancelOnboarding", "remindOnboarding",
		"createProduct", "updateProduct",
		"archiveProduct", "createCustomer", "updateCustomer", "createCustomerTransaction", "createExemption",
		"updateExemption", "uploadExemptionAttachment", "createTransactionImport", "pauseTransactionImport",
		"resumeTransactionImport", "cancelTransactionImport", "createRegistration", "updateRegistration", "deregister",
		"registerNexus", "disregardNexus", "undisregardNexus", "createPhysicalNexus", "updatePhysicalNexus",
		"deletePhysicalNexus", "createTransaction", "updateTransaction", "createTransactionBatch", "archiveTransactions",
		"archiveTransactionsByDate", "reprocessTransaction", "createWebhookEndpoint", "updateWebhookEndpoint",
		"deleteWebhookEndpoint", "rotateWebhookSecret", "testWebhookEndpoint", "replayWebhookEvents", "redeliverWebhook",
		"createRateOverride", "deleteRateOverride", "createFiling", "updateFiling", "approveFiling", "retryFiling",
		"createCreditNote", "updateCreditNote")
	add(models.ScopePeople, "listUsers", "inviteUser", "updateUser", "removeUser", "createAPIKey", "listAPIKeys",
		"getOnboardingLink", "makeOnboardingLink", "endOnboardingLink",
		"getAPIKey", "updateAPIKey", "rotateAPIKey", "revokeAPIKey", "getOrganizationDetails", "getBankDetails")
	return scopes
}()

// isKey reports whether the call is by a key, which has scopes. A person has a role instead, and the link of an
// onboarding what its rule says.
func (c *call) isKey() bool { return c.person == nil && !c.isLink() }

// lacks is the scope that an operation needs and the key of the call has not; empty for none.
func (c *call) lacks(rule accessRule) models.APIKeyScope {
	if !c.isKey() || rule.scope == "" {
		return ""
	}
	return c.principal.Scopes.Missing(rule.scope)
}

// mayGive refuses to make a key that may do more than the one that asks for it. Errors: *models.ScopeError.
func (c *call) mayGive(scopes models.APIKeyScopes) error {
	if !c.isKey() {
		return nil
	}
	if missing := c.principal.Scopes.Missing(scopes...); missing != "" {
		return &models.ScopeError{Scope: missing}
	}
	return nil
}

// scopesFor are those of a key to be made: what was sent, else what the caller has.
func (c *call) scopesFor(sent []openapi.APIKeyScope) models.APIKeyScopes {
	switch {
	case len(sent) > 0:
		return models.NewAPIKeyScopes(convertAll(sent, func(s openapi.APIKeyScope) models.APIKeyScope {
			return models.APIKeyScope(s)
		})...)
	case !c.isKey():
		return models.AllAPIKeyScopes()
	}
	return c.principal.Scopes
}
