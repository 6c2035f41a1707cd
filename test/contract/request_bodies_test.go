package contract_test

import (
	"fmt"
	"strings"

	"github.com/stretchr/testify/require"

	"levy/models"
	"levy/service"
)

// paymentBody is a part of what is open of a filed return.
func (in *installation) paymentBody() string {
	return fmt.Sprintf(`{"amount":"1.00","paid_on":"2026-02-02","method":"WIRE","reference":%q}`, in.next("FT-"))
}

// entryBody is an entry of any filing.
const entryBody = `{"kind":"CREDIT","amount":"1.00","note":"Letter of May"}`

// feedBody is a calendar feed.
const feedBody = `{"name":"Office"}`

// noticeBody is a letter about a registration of the organization.
func (in *installation) noticeBody(as credentials) string {
	return fmt.Sprintf(`{"registration_id":%q,"kind":"PENALTY","authority":"Department of Revenue","amount":"12.50",`+
		`"currency":"USD","received_date":"2026-06-02","due_date":"2026-07-01"}`, in.registration(as))
}

func customerBody(externalID string) string {
	return fmt.Sprintf(`{"external_id":%q,"name":"Ada","city":"New York","state":"NY","postal_code":"10118",`+
		`"country":"US"}`, externalID)
}

func exemptionBody(customer string) string {
	return fmt.Sprintf(`{"exemption_type":"wholesale","customer_id":%q,"start_date":"2026-01-01","jurisdiction":"NY",`+
		`"sales_tax_id":"NY-1"}`, customer)
}

func productBody(externalID string) string {
	return fmt.Sprintf(`{"external_id":%q,"name":"Widget","product_category":"PHYSICAL"}`, externalID)
}

// creditNoteBody is a credit note of an amount of P-1 without tax.
func creditNoteBody(externalID, amount string) string {
	return fmt.Sprintf(`{"external_id":%q,"date":"2026-06-01T10:00:00Z","status":"COMMITTED","total_amount":%[2]q,
		"currency":"USD",
		"transaction_items":[{"external_id":"L1","external_product_id":"P-1","quantity":0,"amount":%[2]q}]}`, externalID,
		amount)
}

func saleBody(externalID, product string, lines int) string {
	line := fmt.Sprintf(`{"external_product_id":%q,"date":"2026-05-15T10:00:00Z","amount":"100.00",`+
		`"tax_amount_imported":"8.88"}`, product)
	return fmt.Sprintf(`{"external_id":%q,"type":"SALE","date":"2026-05-15T10:00:00Z","currency":"USD",
		"customer":{"external_id":"C-1"},
		"addresses":[{"type":"SHIP_TO","street_1":"350 5th Ave","city":"New York","state":"NY","postal_code":"10118",
			"country":"US"}],
		"transaction_items":[%s]}`, externalID, strings.TrimSuffix(strings.Repeat(line+",", lines), ","))
}

// versionBody is a new version of a sale.
func versionBody(externalID, product string, lines int) string {
	return strings.Replace(saleBody(externalID, product, lines), `"type":"SALE",`, "", 1)
}

// formBody is a form with a file.
func formBody(content string) string {
	return formStart + "Content-Disposition: form-data; name=\"file\"; filename=\"certificate.pdf\"\r\n\r\n" + content +
		formEnd
}

const (
	formStart = "--levy\r\n"
	formEnd   = "\r\n--levy--\r\n"
	formType  = "multipart/form-data; boundary=levy"
)

// isForm reports whether the body of an operation is a form and not JSON.
func (op operation) isForm() bool {
	return op.RequestBody != nil && op.RequestBody.Value.Content["multipart/form-data"] != nil
}

// isFile reports whether the body of an operation is a file.
func (op operation) isFile() bool {
	return op.RequestBody != nil && op.RequestBody.Value.Content["text/csv"] != nil
}

const (
	fileStart = "external_id,type,date,customer_external_id,external_product_id"
	// importLimit is the largest file that these installations take, in bytes.
	importLimit = 64 << 10
)

// fileBody is a file that no earlier call sent.
func (in *installation) fileBody() string {
	return fileStart + ",amount\n" + in.next("ORDER") + ",SALE,2026-05-15T10:00:00Z,C-1,P-1,1.00\n"
}

// endImports ends the open imports, so that more are accepted.
func (in *installation) endImports(as credentials) {
	in.execute(`UPDATE transaction_imports
		SET status = 'CANCELLED', finished_at = now()
		WHERE organization_id = $1 AND status IN ('QUEUED', 'PAUSED')`, as.organization)
}

// body is a body that the operation accepts, "" for an operation without one.
func (in *installation) body(op operation, as credentials) string {
	in.t.Helper()
	switch strings.TrimSuffix(op.OperationID, "Alias") {
	case "createTransaction":
		return saleBody(in.next("ORDER"), "P-1", 1)
	case "createCustomerTransaction":
		return strings.Replace(saleBody(in.next("ORDER"), "P-1", 1), `"customer":`, `"of_the_path":`, 1)
	case "createTransactionBatch":
		return `{"transactions":[` + saleBody(in.next("ORDER"), "P-1", 1) + `]}`
	case "createTransactionImport":
		in.endImports(as)
		return in.fileBody()
	case "estimateTax":
		return `{"addresses":[{"type":"SHIP_TO","state":"NY","postal_code":"10118"}],` +
			`"transaction_items":[{"external_product_id":"P-1","amount":100}],"customer":{"external_id":"C-1"}}`
	case "createCreditNote":
		return creditNoteBody(in.next("REFUND"), "-0.01")
	case "updateCreditNote":
		return `{"description":"Another reason"}`
	case "archiveTransactions":
		return fmt.Sprintf(`{"transaction_ids":[%q]}`, models.NewID(models.PrefixTransaction))
	case "archiveTransactionsByDate":
		return `{"start_date":"1990-01-01","end_date":"1990-01-02"}`
	case "updateTransaction":
		return versionBody(in.next("ORDER"), "P-1", 1)
	case "searchAddress":
		return `{"city":"New York","state":"NY","postal_code":"10118"}`
	case "suggestAddresses":
		return `{"city":"Aus","state":"TX"}`
	case "createProduct":
		return productBody(in.next("P"))
	case "createExemption":
		customer, _ := in.customer(as)
		return exemptionBody(customer)
	case "createRegistration":
		return in.registrationBody("")
	case "updateRegistration":
		return `{"comment":"Better known","filing_frequency":"QUARTERLY"}`
	case "createWebhookEndpoint":
		in.endWebhooks(as)
		return `{"url":"https://example.com/levy"}`
	case "updateWebhookEndpoint":
		return `{"description":"Shop"}`
	case "replayWebhookEvents":
		return `{"since":"2026-05-15T00:00:00Z"}`
	case "registerNexus":
		return `{"filing_frequency":"MONTHLY"}`
	case "deregister":
		return `{"reason":"No more sales there"}`
	case "simulateNexus":
		return `{"sales_change_percent":50}`
	case "createPhysicalNexus":
		return presenceBody
	case "createRateOverride":
		return overrideBody
	case "updatePhysicalNexus":
		return `{"end_date":"2099-12-31"}`
	case "disregardNexus":
		return `{"reason":"Resale only","nexus_types":["ECONOMIC"]}`
	case "createFiling":
		return in.filingBody(as, in.next("CATEGORY"))
	case "updateFiling":
		return `{"internal_notes":"Better known","amount_discounts":12.5}`
	case "approveFiling":
		return `{"approved_by":"controller@example.com"}`
	case "approveFilings":
		return fmt.Sprintf(`{"attestation":"I have reviewed this return.","filings":[{"filing_id":%q,"expected_amount":"0.00"}]}`,
			models.NewID(models.PrefixFiling))
	case "makePaymentFile":
		return fmt.Sprintf(`{"filing_ids":[%q]}`, in.object(anyFiling, as).id)
	case "changeAuthorityConnection":
		return `{"authority":"hmrc","action":"BEGIN"}`
	case "createCalendarFeed":
		return feedBody
	case "acknowledgeFiling":
		return acknowledgementBody
	case "createFilingEntry":
		return entryBody
	case "recordFilingPayment":
		return in.paymentBody()
	case "amendFiling":
		return `{"reason":"A letter of the authority","amount_penalties":"25.00"}`
	case "createCustomer":
		return customerBody(in.next("C"))
	case "updateCustomer":
		return `{"phone":"555 0100","customer_tax_registrations":[{"country_code":"DE","tax_type":"vat",` +
			`"tax_id":"DE136695976"}]}`
	case "createNotice":
		return in.noticeBody(as)
	case "updateNotice":
		return `{"assignee":"Ada Example","reference":"L-1"}`
	case "uploadExemptionAttachment", "uploadNoticeDocument":
		return formBody("%PDF-1.7 " + in.next("certificate"))
	case "updateExemption":
		return `{"end_date":"2099-12-31"}`
	case "previewReclassification":
		return `{"product_category":"FOOD"}`
	case "updateProduct":
		return `{"name":"Better widget"}`
	case "createOrganization":
		return fmt.Sprintf(`{"name":%q}`, in.next("Client"))
	case "updateOrganization":
		return `{"promo":"SPRING"}`
	case "changeOrganizationSettings":
		return `{"prefer_collected_tax_amounts":false}`
	case "updateAPIKey":
		return `{"metadata":{"shop":7}}`
	case "rotateAPIKey":
		return `{"overlap_seconds":60}`
	case "makeOnboardingLink": // the installation sends no e-mail
		return `{"to_contact":false}`
	case "endAPIKey":
		return `{"leaked":true}`
	case "signIn":
		return in.signIn()
	case "getSignInLink":
		in.linked.Do(func() { in.person(in.root, "linked@example.com", service.LinkHash(in.hasher, "not opened")) })
		return `{"token":"not opened"}`
	case "proveSession", "changePassword":
		return `{"password":"` + ownPassword + `"}`
	case "setSecondFactor":
		return `{}`
	case "setPasskey":
		return `{"remove":"AAAA"}`
	case "changeGrant":
		return `{"role":"approver"}`
	case "setPreferences":
		return `{"theme":"DARK","time_zone":"America/Chicago","page_size":20,"emails_off":["MENTIONS"],"digest_day":"FRIDAY"}`
	case "setSavedView":
		return `{"list":"filings","name":"Overdue in Texas","query":"due_days__lte=-1&state_code=TX"}`
	case "inviteUser":
		return fmt.Sprintf(`{"email":%q,"name":"Ada Example","role":"approver"}`, in.next("ada")+"@example.com")
	case "updateUser":
		return `{"name":"Ada Lovelace","role":"preparer"}`
	case "changeExceptions":
		return fmt.Sprintf(`{"action":"ASSIGN","assignee":"Ada Example","exceptions":[{"type":"FILING_OVERDUE","object_id":%q}]}`,
			models.NewID(models.PrefixFiling))
	case "createComment", "updateComment":
		return `{"text":"Did the shop close in May?"}`
	case "assignException":
		return `{"assignee":"Ada Example","note":"Asked the client"}`
	case "createAPIKey":
		return `{"name":"Shop backend","metadata":{"a":[1,{"b":null}]},"expires_at":"2100-01-01T00:00:00Z"}`
	}
	if body, ok := stepBodies[strings.TrimSuffix(op.OperationID, "Alias")]; ok {
		return body
	}
	if op.OperationID == "cancelOnboarding" {
		return `{"reason":"Changed their mind"}`
	}
	require.Nil(in.t, op.RequestBody, "the test has no body for %s", op.OperationID)
	return ""
}
