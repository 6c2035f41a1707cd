package api

import (
	"github.com/gin-gonic/gin"

	"levy/api/problem"
	"levy/models"
)

// accessClass says whose key reaches which organization. A key of a root
// organization that names its own organization is in two classes.
type accessClass uint8

const (
	classSelf  accessClass = 1 << iota // any key, its own organization
	classRoot                          // a root organization's key, that root organization
	classChild                         // a root organization's key, one of its clients
)

// classAny is for operations of every authenticated caller.
const classAny = classSelf | classRoot | classChild

// classReader is for reading what an organization sells, owes and files: a partner reads it of
// its clients too, and never writes for them.
const classReader = classSelf | classChild

// accessRule says who may use an operation. The zero rule refuses every key.
type accessRule struct {
	allowed accessClass
	public  bool // no key and no organization
	signIn  bool // likewise, and with a body: it is how a session begins
	// keyAlone: the header x-organization-id may be missing, and means the key's own then.
	keyAlone bool
	link     bool // the link of an onboarding may, for the organization whose it is
	// person: it is for people, who reach what their roles allow; a key only what is its own.
	person bool
	role   operationRole      // of a person
	scope  models.APIKeyScope // of a key; empty for any
	// object finds what the path names. A key that may not use the operation still
	// learns first that the object does not exist: the contract answers 404 before 403.
	object func(s *Server, c *gin.Context) error
}

// accessRules is the only place that lets a key do something. An operation that
// is not listed keeps the server from starting.
var accessRules = func() map[string]accessRule {
	rules := map[string]accessRule{
		"getHealth":    {public: true},
		"getReadiness": {public: true},

		"signIn":          {signIn: true},
		"getSession":      {allowed: classAny, keyAlone: true, person: true},
		"signOut":         {allowed: classAny, keyAlone: true, person: true},
		"setSecondFactor": {allowed: classAny, keyAlone: true, person: true}, // the handler asks for a person
		"listSavedViews":  {allowed: classAny, keyAlone: true, person: true}, // likewise
		"setSavedView":    {allowed: classAny, keyAlone: true, person: true},
		"listUsers":       {allowed: classSelf, keyAlone: true},
		"inviteUser":      {allowed: classSelf, keyAlone: true},
		"updateUser":      {allowed: classSelf, keyAlone: true, object: userOfPath},
		"removeUser":      {allowed: classSelf, keyAlone: true, object: userOfPath},

		"listExceptions":   {allowed: classAny, keyAlone: true, person: true},
		"assignException":  {allowed: classAny, person: true, object: exceptionOfPath},
		"search":           {allowed: classAny, keyAlone: true, person: true},
		"streamExceptions": {allowed: classAny, keyAlone: true, person: true},
		"streamSearch":     {allowed: classAny, keyAlone: true, person: true},

		"getStatus":         {allowed: classAny, keyAlone: true, person: true}, // the handler asks for staff
		"getContentChanges": {allowed: classAny, keyAlone: true, person: true}, // likewise

		"listOrganizations":  {allowed: classRoot},
		"createOrganization": {allowed: classRoot},
		"getOrganization":    {allowed: classSelf | classRoot | classChild}, // the handler bounds the id

		"checkOrganizationName":      {allowed: classRoot},
		"updateOrganization":         {allowed: classRoot | classChild, object: organizationOfPath},
		"archiveOrganization":        {allowed: classRoot | classChild, object: organizationOfPath},
		"getOrganizationSettings":    {allowed: classSelf, object: organizationOfHeader},
		"changeOrganizationSettings": {allowed: classSelf, object: organizationOfHeader},

		"createAPIKey": {allowed: classRoot | classChild, link: true},
		"listAPIKeys":  {allowed: classSelf | classChild},
		"getAPIKey":    {allowed: classSelf | classChild},
		// The handlers bound a client's key to itself.
		"updateAPIKey": {allowed: classSelf | classRoot | classChild},
		"rotateAPIKey": {allowed: classSelf | classRoot | classChild},
		"revokeAPIKey": {allowed: classSelf | classRoot | classChild},

		"getOrganizationDetails": {allowed: classSelf, link: true},
		"putBusinessDetails":     {allowed: classSelf, link: true},
		"putBusinessAddress":     {allowed: classSelf, link: true},
		"putBusinessInformation": {allowed: classSelf, link: true},
		"putBusinessContact":     {allowed: classSelf, link: true},
		"putBusinessOwners":      {allowed: classSelf, link: true},
		"getBankDetails":         {allowed: classSelf, link: true},
		"putBankDetails":         {allowed: classSelf, link: true},
		"getOwnOnboarding":       {allowed: classSelf | classRoot | classChild, link: true},
		"getOnboarding":          {allowed: classSelf | classRoot | classChild}, // the handlers bound the id
		"streamOnboarding":       {allowed: classSelf | classRoot | classChild},
		"cancelOnboarding":       {allowed: classSelf | classRoot | classChild},
		"listOnboardings":        {allowed: classRoot},
		"exportOnboardings":      {allowed: classRoot},
		"remindOnboarding":       {allowed: classRoot | classChild, object: organizationOfPath},
		"getOnboardingLink":      {allowed: classRoot | classChild, object: organizationOfPath},
		"makeOnboardingLink":     {allowed: classRoot | classChild, object: organizationOfPath},
		"endOnboardingLink":      {allowed: classRoot | classChild, object: organizationOfPath},

		"listProducts":           {allowed: classSelf},
		"createProduct":          {allowed: classSelf},
		"listProductCategories":  {allowed: classSelf},
		"getProduct":             {allowed: classSelf, object: productOfPath},
		"getProductByExternalID": {allowed: classSelf, object: productByExternalIDOfPath},
		"updateProduct":          {allowed: classSelf, object: productOfPath},
		"archiveProduct":         {allowed: classSelf, object: productOfPath},

		"previewReclassification": {allowed: classSelf, object: productOfPath},
		"getProductTaxability":    {allowed: classSelf, object: productOfPath},

		"listCustomers":            {allowed: classSelf},
		"createCustomer":           {allowed: classSelf},
		"getCustomer":              {allowed: classSelf, object: customerOfPath},
		"getCustomerByExternalID":  {allowed: classSelf, object: customerByExternalIDOfPath},
		"updateCustomer":           {allowed: classSelf, object: customerOfPath},
		"listCustomerTransactions": {allowed: classSelf, object: customerOfPath},

		"createCustomerTransaction": {allowed: classSelf, object: customerOfPath},
		"listTransactionsOfFiling":  {allowed: classSelf, object: filingOfPath},

		"listExemptions":  {allowed: classSelf},
		"createExemption": {allowed: classSelf},
		"getExemption":    {allowed: classSelf, object: exemptionOfPath},
		"updateExemption": {allowed: classSelf, object: exemptionOfPath},

		"createTransactionImport": {allowed: classSelf},
		"listTransactionImports":  {allowed: classReader},
		"getTransactionImport":    {allowed: classReader, object: importOfPath},
		"exportRejectedRows":      {allowed: classReader, object: importOfPath},
		"pauseTransactionImport":  {allowed: classSelf, object: importOfPath},
		"resumeTransactionImport": {allowed: classSelf, object: importOfPath},
		"cancelTransactionImport": {allowed: classSelf, object: importOfPath},

		"uploadExemptionAttachment": {allowed: classSelf, object: exemptionOfPath},
		"listExemptionAttachments":  {allowed: classSelf, object: exemptionOfPath},
		"getExemptionAttachment":    {allowed: classSelf, object: attachmentOfPath},

		"listRegistrations":  {allowed: classReader},
		"createRegistration": {allowed: classSelf},
		"getRegistration":    {allowed: classReader, object: registrationOfPath},
		"updateRegistration": {allowed: classSelf, object: registrationOfPath},
		"deregister":         {allowed: classSelf, object: registrationOfPath},
		"registerNexus":      {allowed: classSelf, object: nexusOfPath},

		"estimateTax": {allowed: classSelf},

		"searchAddress":    {allowed: classSelf, keyAlone: true},
		"suggestAddresses": {allowed: classSelf, keyAlone: true},

		"listNexus":                   {allowed: classReader},
		"getNexus":                    {allowed: classReader, object: nexusOfPath},
		"listNexusMonths":             {allowed: classReader, object: nexusOfPath},
		"disregardNexus":              {allowed: classSelf, object: nexusOfPath},
		"undisregardNexus":            {allowed: classSelf, object: nexusOfPath},
		"simulateNexus":               {allowed: classSelf},
		"listRateOverrides":           {allowed: classReader},
		"createRateOverride":          {allowed: classSelf},
		"getRateOverride":             {allowed: classReader, object: rateOverrideOfPath},
		"deleteRateOverride":          {allowed: classSelf, object: rateOverrideOfPath},
		"listPhysicalNexus":           {allowed: classReader},
		"createPhysicalNexus":         {allowed: classSelf},
		"listPhysicalNexusCategories": {allowed: classReader},
		"getPhysicalNexus":            {allowed: classReader, object: physicalNexusOfPath},
		"updatePhysicalNexus":         {allowed: classSelf, object: physicalNexusOfPath},
		"deletePhysicalNexus":         {allowed: classSelf, object: physicalNexusOfPath},

		"listTransactions":           {allowed: classReader},
		"createTransaction":          {allowed: classSelf},
		"getTransaction":             {allowed: classReader, object: transactionOfPath},
		"getTransactionByExternalID": {allowed: classReader, object: transactionByExternalIDOfPath},
		"updateTransaction":          {allowed: classSelf, object: transactionOfPath},
		"listAudit":                  {allowed: classSelf},
		"listEvents":                 {allowed: classReader},
		"getEvent":                   {allowed: classReader, object: eventOfPath},
		"streamEvents":               {allowed: classReader},
		"listStateMachines":          {allowed: classSelf | classRoot | classChild}, // nothing of any organization

		"exportTransactions":        {allowed: classReader},
		"createTransactionBatch":    {allowed: classSelf},
		"archiveTransactions":       {allowed: classSelf},
		"archiveTransactionsByDate": {allowed: classSelf},
		"listRelatedTransactions":   {allowed: classReader, object: transactionOfPath},
		"listTransactionHistory":    {allowed: classReader, object: transactionOfPath},
		"reprocessTransaction":      {allowed: classSelf, object: transactionOfPath},
		"listTransactionRevisions":  {allowed: classReader, object: transactionOfPath},
		"getTransactionRevision":    {allowed: classReader, object: revisionOfPath},
		"getTransactionExplanation": {allowed: classReader, object: transactionOfPath},
		"createWebhookEndpoint":     {allowed: classSelf},
		"listWebhookEndpoints":      {allowed: classSelf},
		"getWebhookEndpoint":        {allowed: classSelf, object: webhookEndpointOfPath},
		"updateWebhookEndpoint":     {allowed: classSelf, object: webhookEndpointOfPath},
		"deleteWebhookEndpoint":     {allowed: classSelf, object: webhookEndpointOfPath},
		"rotateWebhookSecret":       {allowed: classSelf, object: webhookEndpointOfPath},
		"testWebhookEndpoint":       {allowed: classSelf, object: webhookEndpointOfPath},
		"replayWebhookEvents":       {allowed: classSelf, object: webhookEndpointOfPath},
		"listWebhookDeliveries":     {allowed: classSelf, object: webhookEndpointOfPath},
		"redeliverWebhook":          {allowed: classSelf, object: webhookEndpointOfPath},
		"createFiling":              {allowed: classSelf},
		"listFilings":               {allowed: classReader},
		"listDueFilings":            {allowed: classAny, keyAlone: true, person: true},
		"listRegistrationFilings":   {allowed: classReader, object: registrationOfPath},
		"getFiling":                 {allowed: classReader, object: filingOfPath},
		"updateFiling":              {allowed: classSelf, object: filingOfPath},
		"approveFiling":             {allowed: classSelf, object: filingOfPath},
		"retryFiling":               {allowed: classSelf, object: filingOfPath},
		"listFilingTransactions":    {allowed: classReader, object: filingOfPath},
		"listFilingHistory":         {allowed: classReader, object: filingOfPath},

		"listUnresolvedFilingTransactions": {allowed: classReader, object: filingOfPath},

		"getFilingReport":  {allowed: classReader, object: filingOfPath},
		"verifyFiling":     {allowed: classSelf, object: filingOfPath},
		"createCreditNote": {allowed: classSelf, object: transactionOfPath},
		"updateCreditNote": {allowed: classSelf, object: creditNoteOfPath},
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
		scopesOfOperations[alias], rolesOfOperations[alias] = scopesOfOperations[operation], rolesOfOperations[operation]
	}
	for operation, rule := range rules {
		rule.role, rule.scope = rolesOfOperations[operation], scopesOfOperations[operation]
		rules[operation] = rule
	}
	return rules
}()

// authorizeFile is authorize for operations whose body is a file: large, and without fields that could be
// wrong. Of others the contract wants to know first what is wrong with the body.
func (s *Server) authorizeFile(operation *operation, rule accessRule) gin.HandlerFunc {
	if !operation.upload && !operation.form {
		return func(*gin.Context) {}
	}
	return s.authorize(rule)
}

// reaches reports whether an operation is for the caller, whatever the role of a person or the scopes of a key.
func (r accessRule) reaches(call *call) bool {
	if call.isLink() {
		return r.link
	}
	allowed := r.allowed
	if r.person && call.person == nil {
		allowed = classSelf
	}
	return allowed&call.class() != 0
}

// admits reports whether a key or a person may use an operation for the organization of the call.
func (r accessRule) admits(call *call, body []byte) bool {
	return r.reaches(call) && call.lacks(r) == "" && (call.person == nil || call.may(r.needs(body)))
}

// forbiddenByRole refuses what the role of a person does not include. Another role may, where the operation is for the
// organization at all.
func forbiddenByRole(another bool) *problem.Problem {
	detail := "Your role does not include this function for this organization."
	if another {
		detail += " An admin of the organization can give you a role that does."
	}
	return problem.New(problem.CodeForbiddenForKey, detail)
}

// authorize refuses keys outside the classes of the rule, or without its scope.
func (s *Server) authorize(rule accessRule) gin.HandlerFunc {
	return func(c *gin.Context) {
		call := callOf(c.Request.Context())
		if rule.admits(call, RawBody(c)) {
			return
		}
		if rule.object != nil {
			if err := rule.object(s, c); err != nil {
				s.fail(c, err)
				return
			}
		}
		if call.person != nil {
			problem.Write(c, forbiddenByRole(rule.reaches(call)))
			return
		}
		if rule.reaches(call) {
			s.fail(c, &models.ScopeError{Scope: call.lacks(rule)})
			return
		}
		s.fail(c, models.ErrForbidden)
	}
}
