package api

import "levy/models"

// accessRules is the only place that lets a key or a person do something. An operation that is not listed, or that says
// no scope or no role, keeps the server from starting. docs/roles.md is made of the roles. Where a comment says so the
// handler bounds or refuses more.
var accessRules = func() map[string]accessRule {
	const read, write, people = models.ScopeRead, models.ScopeWrite, models.ScopePeople
	viewer, preparer := operationRole{role: models.RoleViewer}, operationRole{role: models.RolePreparer}
	approver, admin := operationRole{role: models.RoleApprover}, operationRole{role: models.RoleAdmin}
	decider := operationRole{role: models.RolePreparer, decides: true}
	personal := operationRole{role: models.RoleViewer, personal: true}
	viewerOrStaff := operationRole{role: models.RoleViewer, staff: true}
	adminOrStaff := operationRole{role: models.RoleAdmin, staff: true}
	rules := map[string]accessRule{
		"getHealth":    {public: true},
		"getReadiness": {public: true},

		"signIn":          {signIn: true},
		"getSession":      {allowed: classAny, keyAlone: true, person: true, scope: anyScope, role: viewerOrStaff},
		"signOut":         {allowed: classAny, keyAlone: true, person: true, scope: anyScope, role: viewerOrStaff},
		"setSecondFactor": {allowed: classAny, keyAlone: true, person: true, scope: anyScope, role: viewerOrStaff}, // for a person
		"listSavedViews":  {allowed: classAny, keyAlone: true, person: true, scope: anyScope, role: viewerOrStaff}, // likewise
		"setSavedView":    {allowed: classAny, keyAlone: true, person: true, scope: anyScope, role: viewerOrStaff},
		"listUsers":       {allowed: classSelf, keyAlone: true, scope: people, role: adminOrStaff},
		"inviteUser":      {allowed: classSelf, keyAlone: true, scope: people, role: adminOrStaff},
		"updateUser":      {allowed: classSelf, keyAlone: true, scope: people, role: adminOrStaff, object: userOfPath},
		"removeUser":      {allowed: classSelf, keyAlone: true, scope: people, role: adminOrStaff, object: userOfPath},

		"listExceptions":   {allowed: classAny, keyAlone: true, person: true, scope: read, role: viewerOrStaff},
		"assignException":  {allowed: classAny, person: true, scope: write, role: preparer, object: exceptionOfPath},
		"search":           {allowed: classAny, keyAlone: true, person: true, scope: read, role: viewerOrStaff},
		"streamExceptions": {allowed: classAny, keyAlone: true, person: true, scope: read, role: viewerOrStaff},
		"streamSearch":     {allowed: classAny, keyAlone: true, person: true, scope: read, role: viewerOrStaff},

		"getStatus":         {allowed: classAny, keyAlone: true, person: true, scope: read, role: viewerOrStaff}, // for staff
		"getContentChanges": {allowed: classAny, keyAlone: true, person: true, scope: read, role: viewerOrStaff}, // likewise

		"listOrganizations":  {allowed: classRoot, scope: read, role: viewer},
		"createOrganization": {allowed: classRoot, scope: write, role: admin},
		"getOrganization":    {allowed: classAny, scope: read, role: viewer}, // the handler bounds the id

		"checkOrganizationName":      {allowed: classRoot, scope: read, role: viewer},
		"updateOrganization":         {allowed: classPartner, scope: write, role: admin, object: organizationOfPath},
		"archiveOrganization":        {allowed: classPartner, scope: write, role: admin, object: organizationOfPath},
		"getOrganizationSettings":    {allowed: classSelf, scope: read, role: viewer, object: organizationOfHeader},
		"changeOrganizationSettings": {allowed: classSelf, scope: write, role: admin, object: organizationOfHeader},

		"createAPIKey": {allowed: classPartner, link: true, scope: people, role: admin},
		"listAPIKeys":  {allowed: classReader, scope: people, role: viewer},
		"getAPIKey":    {allowed: classReader, scope: people, role: viewer},
		// The handlers bound a client's key to itself.
		"updateAPIKey": {allowed: classAny, scope: people, role: admin},
		"rotateAPIKey": {allowed: classAny, scope: people, role: admin},
		"revokeAPIKey": {allowed: classAny, scope: people, role: admin},

		"getOrganizationDetails": {allowed: classSelf, link: true, scope: people, role: personal},
		"putBusinessDetails":     {allowed: classSelf, link: true, scope: write, role: admin},
		"putBusinessAddress":     {allowed: classSelf, link: true, scope: write, role: admin},
		"putBusinessInformation": {allowed: classSelf, link: true, scope: write, role: admin},
		"putBusinessContact":     {allowed: classSelf, link: true, scope: write, role: admin},
		"putBusinessOwners":      {allowed: classSelf, link: true, scope: write, role: admin},
		"getBankDetails":         {allowed: classSelf, link: true, scope: people, role: personal},
		"putBankDetails":         {allowed: classSelf, link: true, scope: write, role: admin},
		"getOwnOnboarding":       {allowed: classAny, link: true, scope: read, role: viewer},
		"getOnboarding":          {allowed: classAny, scope: read, role: viewer}, // the handlers bound the id
		"streamOnboarding":       {allowed: classAny, scope: read, role: viewer},
		"cancelOnboarding":       {allowed: classAny, scope: write, role: admin},
		"listOnboardings":        {allowed: classRoot, scope: read, role: viewer},
		"exportOnboardings":      {allowed: classRoot, scope: read, role: viewer},
		"remindOnboarding":       {allowed: classPartner, scope: write, role: admin, object: organizationOfPath},
		"getOnboardingLink":      {allowed: classPartner, scope: people, role: viewer, object: organizationOfPath},
		"makeOnboardingLink":     {allowed: classPartner, scope: people, role: admin, object: organizationOfPath},
		"endOnboardingLink":      {allowed: classPartner, scope: people, role: admin, object: organizationOfPath},

		"listProducts":           {allowed: classSelf, scope: read, role: viewer},
		"createProduct":          {allowed: classSelf, scope: write, role: preparer},
		"listProductCategories":  {allowed: classSelf, scope: read, role: viewer},
		"getProduct":             {allowed: classSelf, scope: read, role: viewer, object: productOfPath},
		"getProductByExternalID": {allowed: classSelf, scope: read, role: viewer, object: productByExternalIDOfPath},
		"updateProduct":          {allowed: classSelf, scope: write, role: preparer, object: productOfPath},
		"archiveProduct":         {allowed: classSelf, scope: write, role: preparer, object: productOfPath},

		"previewReclassification": {allowed: classSelf, scope: read, role: viewer, object: productOfPath},
		"getProductTaxability":    {allowed: classSelf, scope: read, role: viewer, object: productOfPath},

		"listCustomers":            {allowed: classSelf, scope: read, role: viewer},
		"createCustomer":           {allowed: classSelf, scope: write, role: preparer},
		"getCustomer":              {allowed: classSelf, scope: read, role: viewer, object: customerOfPath},
		"getCustomerByExternalID":  {allowed: classSelf, scope: read, role: viewer, object: customerByExternalIDOfPath},
		"updateCustomer":           {allowed: classSelf, scope: write, role: preparer, object: customerOfPath},
		"listCustomerTransactions": {allowed: classSelf, scope: read, role: viewer, object: customerOfPath},

		"createCustomerTransaction": {allowed: classSelf, scope: write, role: preparer, object: customerOfPath, names: ofSale},
		"listTransactionsOfFiling":  {allowed: classSelf, scope: read, role: viewer, object: filingOfPath},

		"listExemptions":  {allowed: classSelf, scope: read, role: viewer},
		"createExemption": {allowed: classSelf, scope: write, role: preparer, names: ofExemption},
		"getExemption":    {allowed: classSelf, scope: read, role: viewer, object: exemptionOfPath},
		"updateExemption": {allowed: classSelf, scope: write, role: preparer, object: exemptionOfPath},

		"createTransactionImport": {allowed: classSelf, scope: write, role: preparer},
		"listTransactionImports":  {allowed: classReader, scope: read, role: viewer},
		"getTransactionImport":    {allowed: classReader, scope: read, role: viewer, object: importOfPath},
		"exportRejectedRows":      {allowed: classReader, scope: read, role: viewer, object: importOfPath},
		"pauseTransactionImport":  {allowed: classSelf, scope: write, role: preparer, object: importOfPath},
		"resumeTransactionImport": {allowed: classSelf, scope: write, role: preparer, object: importOfPath},
		"cancelTransactionImport": {allowed: classSelf, scope: write, role: preparer, object: importOfPath},

		"uploadExemptionAttachment": {allowed: classSelf, scope: write, role: preparer, object: exemptionOfPath},
		"listExemptionAttachments":  {allowed: classSelf, scope: read, role: viewer, object: exemptionOfPath},
		"getExemptionAttachment":    {allowed: classSelf, scope: read, role: viewer, object: attachmentOfPath},

		"listRegistrations":  {allowed: classReader, scope: read, role: viewer},
		"createRegistration": {allowed: classSelf, scope: write, role: preparer},
		"getRegistration":    {allowed: classReader, scope: read, role: viewer, object: registrationOfPath},
		"updateRegistration": {allowed: classSelf, scope: write, role: preparer, object: registrationOfPath},
		"deregister":         {allowed: classSelf, scope: write, role: preparer, object: registrationOfPath},
		"registerNexus":      {allowed: classSelf, scope: write, role: preparer, object: nexusOfPath},

		"estimateTax": {allowed: classSelf, scope: read, role: viewer, names: ofEstimate},

		"searchAddress":    {allowed: classSelf, keyAlone: true, scope: read, role: viewer},
		"suggestAddresses": {allowed: classSelf, keyAlone: true, scope: read, role: viewer},

		"listNexus":                   {allowed: classReader, scope: read, role: viewer},
		"getNexus":                    {allowed: classReader, scope: read, role: viewer, object: nexusOfPath},
		"listNexusMonths":             {allowed: classReader, scope: read, role: viewer, object: nexusOfPath},
		"disregardNexus":              {allowed: classSelf, scope: write, role: preparer, object: nexusOfPath},
		"undisregardNexus":            {allowed: classSelf, scope: write, role: preparer, object: nexusOfPath},
		"simulateNexus":               {allowed: classSelf, scope: read, role: viewer},
		"listRateOverrides":           {allowed: classReader, scope: read, role: viewer},
		"createRateOverride":          {allowed: classSelf, scope: write, role: preparer},
		"getRateOverride":             {allowed: classReader, scope: read, role: viewer, object: rateOverrideOfPath},
		"deleteRateOverride":          {allowed: classSelf, scope: write, role: preparer, object: rateOverrideOfPath},
		"listPhysicalNexus":           {allowed: classReader, scope: read, role: viewer},
		"createPhysicalNexus":         {allowed: classSelf, scope: write, role: preparer},
		"listPhysicalNexusCategories": {allowed: classReader, scope: read, role: viewer},
		"getPhysicalNexus":            {allowed: classReader, scope: read, role: viewer, object: physicalNexusOfPath},
		"updatePhysicalNexus":         {allowed: classSelf, scope: write, role: preparer, object: physicalNexusOfPath},
		"deletePhysicalNexus":         {allowed: classSelf, scope: write, role: preparer, object: physicalNexusOfPath},

		"listTransactions":           {allowed: classReader, scope: read, role: viewer},
		"createTransaction":          {allowed: classSelf, scope: write, role: preparer, names: ofSale},
		"getTransaction":             {allowed: classReader, scope: read, role: viewer, object: transactionOfPath},
		"getTransactionByExternalID": {allowed: classReader, scope: read, role: viewer, object: transactionByExternalIDOfPath},
		"updateTransaction":          {allowed: classSelf, scope: write, role: preparer, object: transactionOfPath, names: ofSale},
		"listAudit":                  {allowed: classSelf, scope: read, role: viewer},
		"listEvents":                 {allowed: classReader, scope: read, role: viewer},
		"getEvent":                   {allowed: classReader, scope: read, role: viewer, object: eventOfPath},
		"streamEvents":               {allowed: classReader, scope: read, role: viewer},
		"listStateMachines":          {allowed: classAny, scope: read, role: viewer}, // nothing of any organization

		"exportTransactions":        {allowed: classReader, scope: read, role: viewer},
		"createTransactionBatch":    {allowed: classSelf, scope: write, role: preparer},
		"archiveTransactions":       {allowed: classSelf, scope: write, role: preparer},
		"archiveTransactionsByDate": {allowed: classSelf, scope: write, role: preparer, names: ofArchiveByDate},
		"listRelatedTransactions":   {allowed: classReader, scope: read, role: viewer, object: transactionOfPath},
		"listTransactionHistory":    {allowed: classReader, scope: read, role: viewer, object: transactionOfPath},
		"reprocessTransaction":      {allowed: classSelf, scope: write, role: preparer, object: transactionOfPath},
		"listTransactionRevisions":  {allowed: classReader, scope: read, role: viewer, object: transactionOfPath},
		"getTransactionRevision":    {allowed: classReader, scope: read, role: viewer, object: revisionOfPath},
		"getTransactionExplanation": {allowed: classReader, scope: read, role: viewer, object: transactionOfPath},
		"createWebhookEndpoint":     {allowed: classSelf, scope: write, role: admin},
		"listWebhookEndpoints":      {allowed: classSelf, scope: read, role: viewer},
		"getWebhookEndpoint":        {allowed: classSelf, scope: read, role: viewer, object: webhookEndpointOfPath},
		"updateWebhookEndpoint":     {allowed: classSelf, scope: write, role: admin, object: webhookEndpointOfPath},
		"deleteWebhookEndpoint":     {allowed: classSelf, scope: write, role: admin, object: webhookEndpointOfPath},
		"rotateWebhookSecret":       {allowed: classSelf, scope: write, role: admin, object: webhookEndpointOfPath},
		"testWebhookEndpoint":       {allowed: classSelf, scope: write, role: admin, object: webhookEndpointOfPath},
		"replayWebhookEvents":       {allowed: classSelf, scope: write, role: admin, object: webhookEndpointOfPath},
		"listWebhookDeliveries":     {allowed: classSelf, scope: read, role: viewer, object: webhookEndpointOfPath},
		"redeliverWebhook":          {allowed: classSelf, scope: write, role: admin, object: webhookEndpointOfPath},
		"createFiling":              {allowed: classSelf, scope: write, role: decider, names: ofFiling},
		"listFilings":               {allowed: classReader, scope: read, role: viewer},
		"listDueFilings":            {allowed: classAny, keyAlone: true, person: true, scope: read, role: viewerOrStaff},
		"listRegistrationFilings":   {allowed: classReader, scope: read, role: viewer, object: registrationOfPath},
		"getFiling":                 {allowed: classReader, scope: read, role: viewer, object: filingOfPath},
		"updateFiling":              {allowed: classSelf, scope: write, role: decider, object: filingOfPath},
		"approveFiling":             {allowed: classSelf, scope: write, role: approver, object: filingOfPath},
		"retryFiling":               {allowed: classSelf, scope: write, role: approver, object: filingOfPath},
		"listFilingTransactions":    {allowed: classReader, scope: read, role: viewer, object: filingOfPath},
		"listFilingHistory":         {allowed: classReader, scope: read, role: viewer, object: filingOfPath},

		"listUnresolvedFilingTransactions": {allowed: classReader, scope: read, role: viewer, object: filingOfPath},

		"getFilingReport":  {allowed: classReader, scope: read, role: viewer, object: filingOfPath},
		"verifyFiling":     {allowed: classSelf, scope: read, role: viewer, object: filingOfPath},
		"createCreditNote": {allowed: classSelf, scope: write, role: preparer, object: transactionOfPath, names: ofLines},
		"updateCreditNote": {allowed: classSelf, scope: write, role: preparer, object: creditNoteOfPath, names: ofLines},
	}
	for alias, operation := range map[string]string{
		"createAPIKeyAlias":          "createAPIKey",
		"listAPIKeysAlias":           "listAPIKeys",
		"getAPIKeyAlias":             "getAPIKey",
		"updateAPIKeyAlias":          "updateAPIKey",
		"rotateAPIKeyAlias":          "rotateAPIKey",
		"revokeAPIKeyAlias":          "revokeAPIKey",
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
