package service

import (
	"levy/models"
	"levy/service/internal/call"
)

// accessRules are the only permissions of keys and people. An operation without a rule, or with a rule without class,
// scope or role, keeps the server from starting. docs/roles.md is generated from the roles. A comment names operations
// that limit the access further.
var accessRules = func() map[string]accessRule {
	const read, write, people = models.ScopeRead, models.ScopeWrite, models.ScopePeople
	viewer, preparer := call.OperationRole{Role: models.RoleViewer}, call.OperationRole{Role: models.RolePreparer}
	approver, admin := call.OperationRole{Role: models.RoleApprover}, call.OperationRole{Role: models.RoleAdmin}
	personal := call.OperationRole{Role: models.RoleViewer, Personal: true}
	viewerOrStaff := call.OperationRole{Role: models.RoleViewer, Staff: true}
	adminOrStaff := call.OperationRole{Role: models.RoleAdmin, Staff: true}
	rules := map[string]accessRule{
		"getHealth":    {Public: true},
		"getReadiness": {Public: true},

		"signIn":     {SignIn: true},
		"getSession": {allowed: call.ClassAny, book: true, keyAlone: true, person: true, scope: call.AnyScope, role: viewerOrStaff},
		"signOut":    {allowed: call.ClassAny, book: true, keyAlone: true, person: true, scope: call.AnyScope, role: viewerOrStaff},
		// The operations say that these are for a person.
		"proveSession": {allowed: call.ClassAny, book: true, keyAlone: true, person: true, scope: call.AnyScope, role: viewerOrStaff},
		"setSecondFactor": {allowed: call.ClassAny, book: true, keyAlone: true, person: true, scope: call.AnyScope,
			role: viewerOrStaff, proof: always},
		"changePassword": {allowed: call.ClassAny, book: true, keyAlone: true, person: true, scope: call.AnyScope,
			role: viewerOrStaff, proof: always},
		"getSignInLink":       {SignIn: true},
		"getPasskeyChallenge": {Public: true},
		"listPasskeys":        {allowed: call.ClassAny, book: true, keyAlone: true, person: true, scope: call.AnyScope, role: viewerOrStaff},
		"setPasskey": {allowed: call.ClassAny, book: true, keyAlone: true, person: true, scope: call.AnyScope,
			role: viewerOrStaff, proof: always},
		"getPreferences": {allowed: call.ClassAny, book: true, keyAlone: true, person: true, scope: call.AnyScope, role: viewerOrStaff},
		"setPreferences": {allowed: call.ClassAny, book: true, keyAlone: true, person: true, scope: call.AnyScope, role: viewerOrStaff},
		"listSavedViews": {allowed: call.ClassAny, book: true, keyAlone: true, person: true, scope: call.AnyScope, role: viewerOrStaff},
		"setSavedView":   {allowed: call.ClassAny, book: true, keyAlone: true, person: true, scope: call.AnyScope, role: viewerOrStaff},
		"listUsers":      {allowed: call.ClassSelf, keyAlone: true, scope: people, role: adminOrStaff, audit: readOf("user")},
		"exportUsers":    {allowed: call.ClassSelf, keyAlone: true, scope: people, role: adminOrStaff, audit: exportOf("user")},
		"inviteUser":     {allowed: call.ClassSelf, keyAlone: true, link: true, scope: people, role: adminOrStaff, proof: always},
		"updateUser":     {allowed: call.ClassSelf, keyAlone: true, scope: people, role: adminOrStaff, object: userOfPath, proof: ofUser},
		"removeUser":     {allowed: call.ClassSelf, keyAlone: true, scope: people, role: adminOrStaff, object: userOfPath},

		"listExceptions":      {allowed: call.ClassAny, keyAlone: true, person: true, scope: read, role: viewerOrStaff},
		"listExceptionGroups": {allowed: call.ClassAny, keyAlone: true, person: true, scope: read, role: viewerOrStaff},
		"getFigures":          {allowed: call.ClassAny, keyAlone: true, person: true, scope: read, role: viewerOrStaff},
		// The operation asks for each exception whether the caller may do it.
		"changeExceptions": {allowed: call.ClassAny, person: true, scope: write, role: preparer},
		"assignException":  {allowed: call.ClassAny, person: true, scope: write, role: preparer, object: exceptionOfPath},
		"listComments":     {allowed: call.ClassAny, scope: read, role: viewer, object: subjectOfComments},
		// The operations say that these are for a person.
		"createComment":    {allowed: call.ClassAny, scope: write, role: preparer, object: subjectOfComments},
		"updateComment":    {allowed: call.ClassAny, scope: write, role: preparer, object: commentOfPath},
		"listMentions":     {allowed: call.ClassAny, book: true, keyAlone: true, person: true, scope: call.AnyScope, role: viewerOrStaff},
		"endMention":       {allowed: call.ClassAny, book: true, keyAlone: true, person: true, scope: call.AnyScope, role: viewerOrStaff},
		"listColleagues":   {allowed: call.ClassAny, keyAlone: true, person: true, scope: people, role: viewerOrStaff},
		"search":           {allowed: call.ClassAny, keyAlone: true, person: true, scope: read, role: viewerOrStaff},
		"streamExceptions": {allowed: call.ClassAny, keyAlone: true, person: true, scope: read, role: viewerOrStaff},
		"streamSearch":     {allowed: call.ClassAny, keyAlone: true, person: true, scope: read, role: viewerOrStaff},

		"getStatus":         {allowed: call.ClassAny, book: true, keyAlone: true, person: true, scope: read, role: viewerOrStaff}, // for staff
		"getContentChanges": {allowed: call.ClassAny, book: true, keyAlone: true, person: true, scope: read, role: viewerOrStaff}, // likewise
		"getMasterKeys":     {allowed: call.ClassAny, book: true, keyAlone: true, person: true, scope: read, role: viewerOrStaff}, // likewise

		// Staff without an organization read all.
		"listOrganizations": {allowed: call.ClassRoot, scope: read, role: viewerOrStaff, staffAlone: true},
		"exportOrganizations": {allowed: call.ClassRoot, scope: read, role: viewerOrStaff, staffAlone: true,
			audit: exportOf("organization")},
		"createOrganization": {allowed: call.ClassRoot, scope: write, role: admin},
		// The operation bounds the id.
		"getOrganization": {allowed: call.ClassAny, book: true, scope: read, role: viewer, object: organizationOfPath},

		"checkOrganizationName":      {allowed: call.ClassRoot, scope: read, role: viewer},
		"updateOrganization":         {allowed: call.ClassPartner, scope: write, role: admin, object: organizationOfPath},
		"archiveOrganization":        {allowed: call.ClassPartner, scope: write, role: admin, object: organizationOfPath},
		"getOrganizationSettings":    {allowed: call.ClassSelf, scope: read, role: viewer, object: organizationOfHeader},
		"changeOrganizationSettings": {allowed: call.ClassSelf, scope: write, role: admin, object: organizationOfHeader},

		"changeGrant": {ownPeople: true, scope: people, role: admin, object: grantOfPath, proof: always},
		"endGrant":    {ownPeople: true, scope: people, role: admin, object: grantOfPath},

		"createAPIKey":  {allowed: call.ClassPartner, ownPeople: true, link: true, scope: people, role: admin, proof: always},
		"listAPIKeys":   {allowed: call.ClassReader, scope: people, role: viewer},
		"exportAPIKeys": {allowed: call.ClassReader, scope: people, role: viewer, audit: exportOf("api_key")},
		"getAPIKey":     {allowed: call.ClassReader, scope: people, role: viewer, object: apiKeyOfPath},
		// The operations bound a client's key to itself.
		"updateAPIKey": {allowed: call.ClassAny, scope: people, role: admin, object: apiKeyOfPath, proof: ofKey},
		"rotateAPIKey": {allowed: call.ClassAny, scope: people, role: admin, object: apiKeyOfPath, proof: always},
		"revokeAPIKey": {allowed: call.ClassAny, scope: people, role: admin, object: apiKeyOfPath},
		"endAPIKey":    {allowed: call.ClassAny, scope: people, role: admin, object: apiKeyOfPath},

		"listCalendarFeeds":  {allowed: call.ClassReader, scope: people, role: viewer},
		"createCalendarFeed": {allowed: call.ClassAny, scope: people, role: admin, proof: always},
		// The operation bounds a partner to the feeds of its grant.
		"deleteCalendarFeed": {allowed: call.ClassAny, scope: people, role: admin, object: calendarFeedOfPath},

		"listAuthorityConnections": {allowed: call.ClassReader, scope: read, role: viewer},
		// The operation says that it is for a person.
		"changeAuthorityConnection": {allowed: call.ClassSelf, scope: write, role: admin},

		"getOrganizationDetails": {allowed: call.ClassSelf, link: true, scope: people, role: personal, audit: readOf("organization_details")},
		"putBusinessDetails":     {allowed: call.ClassSelf, link: true, scope: write, role: admin},
		"putBusinessAddress":     {allowed: call.ClassSelf, link: true, scope: write, role: admin},
		"putBusinessInformation": {allowed: call.ClassSelf, link: true, scope: write, role: admin},
		"putBusinessContact":     {allowed: call.ClassSelf, link: true, scope: write, role: admin},
		"putBusinessOwners":      {allowed: call.ClassSelf, link: true, scope: write, role: admin},
		"getBankDetails":         {allowed: call.ClassSelf, link: true, scope: people, role: personal, audit: readOf("bank_details")},
		"putBankDetails":         {allowed: call.ClassSelf, link: true, scope: write, role: admin, proof: always},
		"getOwnOnboarding":       {allowed: call.ClassAny, book: true, link: true, scope: read, role: viewer},
		// The operations bound the id of these.
		"getOnboarding":      {allowed: call.ClassAny, book: true, scope: read, role: viewer, object: onboardingOfPath},
		"streamOnboarding":   {allowed: call.ClassAny, book: true, scope: read, role: viewer, object: onboardingOfPath},
		"cancelOnboarding":   {allowed: call.ClassAny, scope: write, role: admin, object: onboardingOfPath},
		"listOnboardings":    {allowed: call.ClassRoot, scope: read, role: viewer},
		"exportOnboardings":  {allowed: call.ClassRoot, scope: read, role: viewer, audit: exportOf("onboarding")},
		"remindOnboarding":   {allowed: call.ClassPartner, scope: write, role: admin, object: organizationOfPath},
		"getOnboardingLink":  {allowed: call.ClassPartner, scope: people, role: viewer, object: organizationOfPath},
		"makeOnboardingLink": {allowed: call.ClassPartner, scope: people, role: admin, object: organizationOfPath, proof: always},
		"endOnboardingLink":  {allowed: call.ClassPartner, scope: people, role: admin, object: organizationOfPath},

		"listProducts":           {allowed: call.ClassSelf, scope: read, role: viewer},
		"exportProducts":         {allowed: call.ClassSelf, scope: read, role: viewer, audit: exportOf("product")},
		"createProduct":          {allowed: call.ClassSelf, scope: write, role: preparer},
		"listProductCategories":  {allowed: call.ClassSelf, scope: read, role: viewer},
		"getProduct":             {allowed: call.ClassSelf, scope: read, role: viewer, object: productOfPath},
		"getProductByExternalID": {allowed: call.ClassSelf, scope: read, role: viewer, object: productByExternalIDOfPath},
		"updateProduct":          {allowed: call.ClassSelf, scope: write, role: preparer, object: productOfPath},
		"archiveProduct":         {allowed: call.ClassSelf, scope: write, role: preparer, object: productOfPath},

		"previewReclassification": {allowed: call.ClassSelf, scope: read, role: viewer, object: productOfPath},
		"getProductTaxability":    {allowed: call.ClassSelf, scope: read, role: viewer, object: productOfPath},

		"listCustomers":            {allowed: call.ClassSelf, scope: read, role: viewer},
		"exportCustomers":          {allowed: call.ClassSelf, scope: read, role: viewer, audit: exportOf("customer")},
		"createCustomer":           {allowed: call.ClassSelf, scope: write, role: preparer},
		"getCustomer":              {allowed: call.ClassSelf, scope: read, role: viewer, object: customerOfPath},
		"getCustomerByExternalID":  {allowed: call.ClassSelf, scope: read, role: viewer, object: customerByExternalIDOfPath},
		"updateCustomer":           {allowed: call.ClassSelf, scope: write, role: preparer, object: customerOfPath},
		"listCustomerTransactions": {allowed: call.ClassSelf, scope: read, role: viewer, object: customerOfPath},

		"createCustomerTransaction": {
			allowed: call.ClassSelf, scope: write, role: preparer,
			object: customerOfPath, names: namesOfCustomerTransaction,
		},
		"listTransactionsOfFiling": {allowed: call.ClassSelf, scope: read, role: viewer, object: filingOfPath},

		"listExemptions":   {allowed: call.ClassSelf, scope: read, role: viewer},
		"exportExemptions": {allowed: call.ClassSelf, scope: read, role: viewer, audit: exportOf("exemption")},
		"createExemption":  {allowed: call.ClassSelf, scope: write, role: preparer, names: namesOfExemption},
		"getExemption":     {allowed: call.ClassSelf, scope: read, role: viewer, object: exemptionOfPath},
		"updateExemption":  {allowed: call.ClassSelf, scope: write, role: preparer, object: exemptionOfPath},

		"createTransactionImport":  {allowed: call.ClassSelf, scope: write, role: preparer},
		"listTransactionImports":   {allowed: call.ClassReader, scope: read, role: viewer},
		"exportTransactionImports": {allowed: call.ClassReader, scope: read, role: viewer, audit: exportOf("transaction_import")},
		"getTransactionImport":     {allowed: call.ClassReader, scope: read, role: viewer, object: importOfPath},
		"exportRejectedRows": {
			allowed: call.ClassReader, scope: read, role: viewer, object: importOfPath,
			audit: exportOf("transaction_import").by("import_id", models.PrefixBatch),
		},
		"pauseTransactionImport":  {allowed: call.ClassSelf, scope: write, role: preparer, object: importOfPath},
		"resumeTransactionImport": {allowed: call.ClassSelf, scope: write, role: preparer, object: importOfPath},
		"cancelTransactionImport": {allowed: call.ClassSelf, scope: write, role: preparer, object: importOfPath},

		"uploadExemptionAttachment": {allowed: call.ClassSelf, scope: write, role: preparer, object: exemptionOfPath},
		"listExemptionAttachments":  {allowed: call.ClassSelf, scope: read, role: viewer, object: exemptionOfPath},
		"getExemptionAttachment": {
			allowed: call.ClassSelf, scope: read, role: viewer, object: attachmentOfPath,
			audit: readOf("exemption_attachment").by("attachment_id", models.PrefixAttachment),
		},

		"listNotices":   {allowed: call.ClassSelf, scope: read, role: viewer},
		"exportNotices": {allowed: call.ClassSelf, scope: read, role: viewer, audit: exportOf("notice")},
		"createNotice":  {allowed: call.ClassSelf, scope: write, role: preparer, names: namesOfNotice},
		"getNotice":     {allowed: call.ClassSelf, scope: read, role: viewer, object: noticeOfPath},
		"updateNotice":  {allowed: call.ClassSelf, scope: write, role: preparer, object: noticeOfPath},

		"uploadNoticeDocument": {allowed: call.ClassSelf, scope: write, role: preparer, object: noticeOfPath},
		"getNoticeDocument": {
			allowed: call.ClassSelf, scope: read, role: viewer, object: noticeDocumentOfPath,
			audit: readOf("notice_document").by("document_id", models.PrefixNoticeDocument),
		},

		"listRegistrations":   {allowed: call.ClassReader, scope: read, role: viewer},
		"exportRegistrations": {allowed: call.ClassReader, scope: read, role: viewer, audit: exportOf("registration")},
		"createRegistration":  {allowed: call.ClassSelf, scope: write, role: preparer},
		"getRegistration":     {allowed: call.ClassReader, scope: read, role: viewer, object: registrationOfPath},
		"updateRegistration":  {allowed: call.ClassSelf, scope: write, role: preparer, object: registrationOfPath},
		"deregister":          {allowed: call.ClassSelf, scope: write, role: preparer, object: registrationOfPath},
		"registerNexus":       {allowed: call.ClassSelf, scope: write, role: preparer, object: nexusOfPath},

		"estimateTax": {allowed: call.ClassSelf, scope: read, role: viewer, names: namesOfEstimate},

		"searchAddress":    {allowed: call.ClassSelf, keyAlone: true, scope: read, role: viewer},
		"suggestAddresses": {allowed: call.ClassSelf, keyAlone: true, scope: read, role: viewer},

		"listNexus":                   {allowed: call.ClassReader, scope: read, role: viewer},
		"exportNexus":                 {allowed: call.ClassReader, scope: read, role: viewer, audit: exportOf("nexus")},
		"getNexus":                    {allowed: call.ClassReader, scope: read, role: viewer, object: nexusOfPath},
		"listNexusMonths":             {allowed: call.ClassReader, scope: read, role: viewer, object: nexusOfPath},
		"disregardNexus":              {allowed: call.ClassSelf, scope: write, role: preparer, object: nexusOfPath},
		"undisregardNexus":            {allowed: call.ClassSelf, scope: write, role: preparer, object: nexusOfPath},
		"simulateNexus":               {allowed: call.ClassSelf, scope: read, role: viewer},
		"listRateOverrides":           {allowed: call.ClassReader, scope: read, role: viewer},
		"exportRateOverrides":         {allowed: call.ClassReader, scope: read, role: viewer, audit: exportOf("rate_override")},
		"createRateOverride":          {allowed: call.ClassSelf, scope: write, role: preparer},
		"getRateOverride":             {allowed: call.ClassReader, scope: read, role: viewer, object: rateOverrideOfPath},
		"deleteRateOverride":          {allowed: call.ClassSelf, scope: write, role: preparer, object: rateOverrideOfPath},
		"listPhysicalNexus":           {allowed: call.ClassReader, scope: read, role: viewer},
		"exportPhysicalNexus":         {allowed: call.ClassReader, scope: read, role: viewer, audit: exportOf("physical_nexus")},
		"createPhysicalNexus":         {allowed: call.ClassSelf, scope: write, role: preparer},
		"listPhysicalNexusCategories": {allowed: call.ClassReader, scope: read, role: viewer},
		"getPhysicalNexus":            {allowed: call.ClassReader, scope: read, role: viewer, object: physicalNexusOfPath},
		"updatePhysicalNexus":         {allowed: call.ClassSelf, scope: write, role: preparer, object: physicalNexusOfPath},
		"deletePhysicalNexus":         {allowed: call.ClassSelf, scope: write, role: preparer, object: physicalNexusOfPath},

		"listTransactions":           {allowed: call.ClassReader, scope: read, role: viewer},
		"createTransaction":          {allowed: call.ClassSelf, scope: write, role: preparer, names: namesOfTransaction},
		"getTransaction":             {allowed: call.ClassReader, scope: read, role: viewer, object: transactionOfPath},
		"getTransactionByExternalID": {allowed: call.ClassReader, scope: read, role: viewer, object: transactionByExternalIDOfPath},
		"updateTransaction": {
			allowed: call.ClassSelf, scope: write, role: preparer,
			object: transactionOfPath, names: namesOfTransactionUpdate,
		},
		"listAudit":         {allowed: call.ClassSelf, scope: read, role: viewer},
		"exportAudit":       {allowed: call.ClassSelf, scope: read, role: viewer, audit: exportOf("audit")},
		"listEvents":        {allowed: call.ClassReader, scope: read, role: viewer},
		"getEvent":          {allowed: call.ClassReader, scope: read, role: viewer, object: eventOfPath},
		"streamEvents":      {allowed: call.ClassReader, scope: read, role: viewer},
		"listReturnFormats": {allowed: call.ClassAny, book: true, scope: read, role: viewer}, // without data of an organization
		"listStateMachines": {allowed: call.ClassAny, book: true, scope: read, role: viewer}, // without data of an organization

		"exportTransactions":        {allowed: call.ClassReader, scope: read, role: viewer, audit: exportOf("transaction")},
		"createTransactionBatch":    {allowed: call.ClassSelf, scope: write, role: preparer},
		"archiveTransactions":       {allowed: call.ClassSelf, scope: write, role: preparer},
		"archiveTransactionsByDate": {allowed: call.ClassSelf, scope: write, role: preparer, names: namesOfArchiveByDate},
		"listRelatedTransactions":   {allowed: call.ClassReader, scope: read, role: viewer, object: transactionOfPath},
		"listTransactionHistory":    {allowed: call.ClassReader, scope: read, role: viewer, object: transactionOfPath},
		"reprocessTransaction":      {allowed: call.ClassSelf, scope: write, role: preparer, object: transactionOfPath},
		"listTransactionRevisions":  {allowed: call.ClassReader, scope: read, role: viewer, object: transactionOfPath},
		"getTransactionRevision":    {allowed: call.ClassReader, scope: read, role: viewer, object: revisionOfPath},
		"getTransactionExplanation": {allowed: call.ClassReader, scope: read, role: viewer, object: transactionOfPath},
		"createWebhookEndpoint":     {allowed: call.ClassSelf, scope: write, role: admin, proof: always},
		"listWebhookEndpoints":      {allowed: call.ClassSelf, scope: read, role: viewer},
		"exportWebhookEndpoints":    {allowed: call.ClassSelf, scope: read, role: viewer, audit: exportOf("webhook_endpoint")},
		"getWebhookEndpoint":        {allowed: call.ClassSelf, scope: read, role: viewer, object: webhookEndpointOfPath},
		"updateWebhookEndpoint":     {allowed: call.ClassSelf, scope: write, role: admin, object: webhookEndpointOfPath},
		"deleteWebhookEndpoint":     {allowed: call.ClassSelf, scope: write, role: admin, object: webhookEndpointOfPath},
		"rotateWebhookSecret":       {allowed: call.ClassSelf, scope: write, role: admin, object: webhookEndpointOfPath, proof: always},
		"testWebhookEndpoint":       {allowed: call.ClassSelf, scope: write, role: admin, object: webhookEndpointOfPath},
		"replayWebhookEvents":       {allowed: call.ClassSelf, scope: write, role: admin, object: webhookEndpointOfPath},
		"listWebhookDeliveries":     {allowed: call.ClassSelf, scope: read, role: viewer, object: webhookEndpointOfPath},
		"exportWebhookDeliveries": {allowed: call.ClassSelf, scope: read, role: viewer, object: webhookEndpointOfPath,
			audit: exportOf("webhook_endpoint").by("webhook_endpoint_id", models.PrefixWebhook)},
		"redeliverWebhook":        {allowed: call.ClassSelf, scope: write, role: admin, object: webhookEndpointOfPath},
		"createFiling":            {allowed: call.ClassSelf, scope: write, role: preparer, decides: createsDecision, names: namesOfFiling},
		"listFilings":             {allowed: call.ClassReader, scope: read, role: viewer},
		"exportFilings":           {allowed: call.ClassReader, scope: read, role: viewer, audit: exportOf("filing")},
		"exportDueFilings":        {allowed: call.ClassAny, keyAlone: true, feed: true, person: true, scope: read, role: viewerOrStaff},
		"listDueFilings":          {allowed: call.ClassAny, keyAlone: true, person: true, scope: read, role: viewerOrStaff},
		"listRegistrationFilings": {allowed: call.ClassReader, scope: read, role: viewer, object: registrationOfPath},
		"getFiling":               {allowed: call.ClassReader, scope: read, role: viewer, object: filingOfPath},
		"updateFiling":            {allowed: call.ClassSelf, scope: write, role: preparer, decides: updatesDecision, object: filingOfPath},
		"approveFiling":           {allowed: call.ClassSelf, scope: write, role: approver, object: filingOfPath},
		"approveFilings":          {allowed: call.ClassSelf, scope: write, role: approver},
		"retryFiling":             {allowed: call.ClassSelf, scope: write, role: approver, object: filingOfPath},
		"amendFiling":             {allowed: call.ClassSelf, scope: write, role: preparer, object: filingOfPath},
		"listFilingTransactions":  {allowed: call.ClassReader, scope: read, role: viewer, object: filingOfPath},
		"listFilingHistory":       {allowed: call.ClassReader, scope: read, role: viewer, object: filingOfPath},

		"listUnresolvedFilingTransactions": {allowed: call.ClassReader, scope: read, role: viewer, object: filingOfPath},

		"getFilingReport": {allowed: call.ClassReader, scope: read, role: viewer, object: filingOfPath},

		"acknowledgeFiling": {allowed: call.ClassSelf, scope: write, role: approver, object: filingOfPath},

		"listFilingEntries": {allowed: call.ClassReader, scope: read, role: viewer, object: filingOfPath},
		"createFilingEntry": {allowed: call.ClassSelf, scope: write, role: preparer, object: filingOfPath},
		"deleteFilingEntry": {allowed: call.ClassSelf, scope: write, role: preparer, object: filingOfPath},

		"getFilingReturn": {
			allowed: call.ClassSelf, scope: read, role: preparer, object: filingOfPath,
			audit: readOf("filing_document").by("filing_id", models.PrefixFiling),
		},
		"getFilingPayment":    {allowed: call.ClassSelf, scope: read, role: viewer, object: filingOfPath},
		"listFilingPayments":  {allowed: call.ClassSelf, scope: read, role: viewer},
		"recordFilingPayment": {allowed: call.ClassSelf, scope: write, role: preparer, object: filingOfPath},
		"deleteFilingPayment": {allowed: call.ClassSelf, scope: write, role: preparer, object: filingOfPath},
		// The operation records each payment of a file.
		"makePaymentFile": {
			allowed: call.ClassSelf, scope: people, role: call.OperationRole{Role: models.RoleApprover, Personal: true}, proof: always,
			audit: readOf("bank_details"),
		},
		"getFilingReview":       {allowed: call.ClassReader, scope: read, role: viewer, object: filingOfPath},
		"getFilingWorksheet":    {allowed: call.ClassReader, scope: read, role: viewer, object: filingOfPath},
		"exportFilingWorksheet": {allowed: call.ClassReader, scope: read, role: viewer, object: filingOfPath},

		// A partner's are also about its clients with a grant.
		"getReport":    {allowed: call.ClassReader, scope: read, role: viewer},
		"exportReport": {allowed: call.ClassReader, scope: read, role: viewer, audit: exportOf("report")},

		"verifyFiling":     {allowed: call.ClassSelf, scope: read, role: viewer, object: filingOfPath},
		"createCreditNote": {allowed: call.ClassSelf, scope: write, role: preparer, object: transactionOfPath, names: namesOfCreditNote},
		"updateCreditNote": {allowed: call.ClassSelf, scope: write, role: preparer, object: creditNoteOfPath, names: namesOfCreditNoteUpdate},
	}
	for alias, operation := range map[string]string{
		"createAPIKeyAlias":          "createAPIKey",
		"listAPIKeysAlias":           "listAPIKeys",
		"getAPIKeyAlias":             "getAPIKey",
		"updateAPIKeyAlias":          "updateAPIKey",
		"rotateAPIKeyAlias":          "rotateAPIKey",
		"revokeAPIKeyAlias":          "revokeAPIKey",
		"endAPIKeyAlias":             "endAPIKey",
		"listProductCategoriesAlias": "listProductCategories",

		"getOrganizationDetailsAlias": "getOrganizationDetails",
		"putBusinessDetailsAlias":     "putBusinessDetails",
		"putBusinessAddressAlias":     "putBusinessAddress",
		"putBusinessInformationAlias": "putBusinessInformation",
		"putBusinessContactAlias":     "putBusinessContact",
		"putBusinessOwnersAlias":      "putBusinessOwners",
		"getBankDetailsAlias":         "getBankDetails",
		"putBankDetailsAlias":         "putBankDetails",
	} {
		rules[alias] = rules[operation]
	}
	return rules
}()
