package contract_test

import "strings"

// class is an access class of the contract, section 3.3.
type class uint8

const (
	self  class = 1 << iota // any key, its own organization
	root                    // a root organization's key, that organization
	child                   // a root organization's key, one of its clients

	prepares // a root organization's key, one of its clients with the grant preparer

	reads = self | child // a partner reads the transactions, nexus and filings of its clients
)

// beyondPreparer are the operations of an organization itself that take more than the grant preparer.
var beyondPreparer = map[string]bool{
	"changeOrganizationSettings": true, "getOrganizationDetails": true, "putBusinessDetails": true,
	"putBusinessAddress": true, "putBusinessInformation": true, "putBusinessContact": true, "putBusinessOwners": true,
	"getBankDetails": true, "putBankDetails": true, "approveFiling": true, "approveFilings": true, "retryFiling": true,
	"makePaymentFile": true, "acknowledgeFiling": true,
	"createWebhookEndpoint": true, "updateWebhookEndpoint": true, "deleteWebhookEndpoint": true,
	"rotateWebhookSecret": true, "testWebhookEndpoint": true, "replayWebhookEvents": true, "redeliverWebhook": true,
	"listUsers": true, "exportUsers": true, "inviteUser": true, "updateUser": true, "removeUser": true,
	// For people, who reach clients by their roles:
	"getSession": true, "signOut": true, "listExceptions": true, "listDueFilings": true, "exportDueFilings": true, "assignException": true,
	"listExceptionGroups": true, "getFigures": true, "changeExceptions": true,
	"listColleagues": true,
	"search":         true, "streamExceptions": true, "streamSearch": true,
}

// may reports whether a principal may use an operation that some classes may.
func (p principal) may(op operation, allowed class) bool {
	return p.classes&allowed != 0 ||
		p.classes&prepares != 0 && allowed&self != 0 && !beyondPreparer[strings.TrimSuffix(op.OperationID, "Alias")]
}

// functions is the table of section 3.3. An operation that is not in it fails the
// test: access is never decided by default.
var functions = map[string]class{
	"createOrganization": root,
	"listOrganizations":  root,

	"exportOrganizations": root,

	"getOrganization": self | root | child,

	"checkOrganizationName":      root,
	"updateOrganization":         root | child,
	"getOrganizationSettings":    self,
	"changeOrganizationSettings": self,

	"createAPIKey":  root | child,
	"listAPIKeys":   self | child,
	"exportAPIKeys": self | child,
	"getAPIKey":     self | child,
	"changeGrant":   0, // for people of the client
	"endGrant":      0,

	"updateAPIKey": root | child, // these four, and a client's key itself
	"rotateAPIKey": root | child,
	"revokeAPIKey": root | child,
	"endAPIKey":    root | child,

	"getOrganizationDetails": self,
	"putBusinessDetails":     self,
	"putBusinessAddress":     self,
	"putBusinessInformation": self,
	"putBusinessContact":     self,
	"putBusinessOwners":      self,
	"getBankDetails":         self,
	"putBankDetails":         self,
	"getOwnOnboarding":       self | root | child,
	"getOnboarding":          self | root | child,
	"streamOnboarding":       self | root | child,
	"cancelOnboarding":       self | root | child,
	"listOnboardings":        root,
	"exportOnboardings":      root,
	"remindOnboarding":       root | child,
	"getOnboardingLink":      root | child,
	"makeOnboardingLink":     root | child,
	"endOnboardingLink":      root | child,

	"createProduct":          self,
	"listProducts":           self,
	"exportProducts":         self,
	"getProduct":             self,
	"getProductByExternalID": self,
	"updateProduct":          self,
	"archiveProduct":         self,

	"previewReclassification": self,
	"getProductTaxability":    self,
	"listProductCategories":   self,

	"createCustomer":           self,
	"listCustomers":            self,
	"exportCustomers":          self,
	"getCustomer":              self,
	"getCustomerByExternalID":  self,
	"updateCustomer":           self,
	"listCustomerTransactions": self,

	"createCustomerTransaction": self,
	"listTransactionsOfFiling":  self,

	"createExemption":  self,
	"listExemptions":   self,
	"exportExemptions": self,
	"getExemption":     self,
	"updateExemption":  self,

	"uploadExemptionAttachment": self,
	"listExemptionAttachments":  self,
	"getExemptionAttachment":    self,

	"createNotice":         self,
	"listNotices":          self,
	"exportNotices":        self,
	"getNotice":            self,
	"updateNotice":         self,
	"uploadNoticeDocument": self,
	"getNoticeDocument":    self,

	"createFiling":            self,
	"listFilings":             reads,
	"exportFilings":           reads,
	"listRegistrationFilings": reads,
	"getFiling":               reads,
	"updateFiling":            self,
	"approveFiling":           self,
	"approveFilings":          self,
	"retryFiling":             self,
	"amendFiling":             self,

	"createRegistration":  self,
	"listRegistrations":   reads,
	"exportRegistrations": reads,
	"getRegistration":     reads,
	"updateRegistration":  self,
	"deregister":          self,
	"registerNexus":       self,

	"estimateTax": self,

	"listNexus":                   reads,
	"exportNexus":                 reads,
	"getNexus":                    reads,
	"listNexusMonths":             reads,
	"disregardNexus":              self,
	"undisregardNexus":            self,
	"simulateNexus":               self,
	"createPhysicalNexus":         self,
	"listPhysicalNexus":           reads,
	"exportPhysicalNexus":         reads,
	"listPhysicalNexusCategories": reads,
	"getPhysicalNexus":            reads,
	"updatePhysicalNexus":         self,
	"deletePhysicalNexus":         self,
	"listRateOverrides":           reads,
	"exportRateOverrides":         reads,
	"createRateOverride":          self,
	"getRateOverride":             reads,
	"deleteRateOverride":          self,

	"searchAddress":    self,
	"suggestAddresses": self,

	"createTransaction":          self,
	"listTransactions":           reads,
	"getTransaction":             reads,
	"getTransactionByExternalID": reads,
	"updateTransaction":          self,
	"createTransactionBatch":     self,
	"exportTransactions":         reads,
	"archiveTransactions":        self,
	"reprocessTransaction":       self,
	"createTransactionImport":    self,
	"archiveTransactionsByDate":  self,
	"listTransactionImports":     reads,
	"exportTransactionImports":   reads,
	"getTransactionImport":       reads,
	"exportRejectedRows":         reads,
	"pauseTransactionImport":     self,
	"resumeTransactionImport":    self,
	"cancelTransactionImport":    self,
	"listAudit":                  self,
	"exportAudit":                self,
	"listEvents":                 reads,
	"getEvent":                   reads,
	"streamEvents":               reads,
	"createWebhookEndpoint":      self,
	"listWebhookEndpoints":       self,
	"exportWebhookEndpoints":     self,
	"getWebhookEndpoint":         self,
	"updateWebhookEndpoint":      self,
	"deleteWebhookEndpoint":      self,
	"rotateWebhookSecret":        self,
	"testWebhookEndpoint":        self,
	"replayWebhookEvents":        self,
	"listWebhookDeliveries":      self,
	"exportWebhookDeliveries":    self,
	"redeliverWebhook":           self,
	"listReturnFormats":          self | root | child,
	"listStateMachines":          self | root | child,
	"listRelatedTransactions":    reads,
	"listTransactionHistory":     reads,
	"listTransactionRevisions":   reads,
	"getTransactionRevision":     reads,
	"getTransactionExplanation":  reads,
	"listFilingTransactions":     reads,
	"listFilingHistory":          reads,
	"getFilingReview":            reads,

	"listUnresolvedFilingTransactions": reads,

	"getSession":       self, // a key; people reach what their roles allow
	"signOut":          self,
	"listUsers":        self,
	"exportUsers":      self,
	"inviteUser":       self,
	"updateUser":       self,
	"removeUser":       self,
	"listExceptions":   self,
	"listDueFilings":   self,
	"exportDueFilings": self,

	"listAuthorityConnections":  reads,
	"changeAuthorityConnection": 0, // people only

	"listCalendarFeeds":  reads,
	"createCalendarFeed": self | root | child,
	"deleteCalendarFeed": self | root | child,

	"proveSession":    0, // likewise
	"setSecondFactor": 0,
	"changePassword":  0,
	"listPasskeys":    0,
	"setPasskey":      0,
	"getPreferences":  0,
	"setPreferences":  0,
	"listSavedViews":  0,
	"setSavedView":    0,
	"listMentions":    0,
	"endMention":      0,
	"createComment":   0,
	"updateComment":   0,
	"listComments":    reads,
	"listColleagues":  self,
	"getStatus":       0, // no key, only people of staff

	"getContentChanges": 0, // likewise
	"getMasterKeys":     0, // likewise

	"assignException": self,

	"listExceptionGroups": self,
	"getFigures":          self,
	"changeExceptions":    self,

	"search": self,

	"streamExceptions": self,
	"streamSearch":     self,

	"getFilingReport":       reads,
	"listFilingEntries":     reads,
	"acknowledgeFiling":     self,
	"createFilingEntry":     self,
	"deleteFilingEntry":     self,
	"getFilingReturn":       self,
	"getFilingPayment":      self,
	"listFilingPayments":    self,
	"recordFilingPayment":   self,
	"deleteFilingPayment":   self,
	"makePaymentFile":       self,
	"getFilingWorksheet":    reads,
	"exportFilingWorksheet": reads,
	"getReport":             reads,
	"exportReport":          reads,
	"verifyFiling":          self,
	"createCreditNote":      self,
	"updateCreditNote":      self,
}

// public are the operations without a key.
var public = map[string]bool{"getHealth": true, "getReadiness": true, "signIn": true, "getSignInLink": true,
	"getPasskeyChallenge": true}
