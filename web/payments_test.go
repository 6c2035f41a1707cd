package web

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// aPayment is the payment of the return file_1; more replaces the end of the object.
func aPayment(payable string, findings string) string {
	return `{"filing_id":"file_1","country_code":"US","state_code":"CA","state_name":"California","status":"FILED","start_date":"2026-04-01",
		"end_date":"2026-06-30","method":"CREDIT","amount":"1234.56","currency":"USD","paid":"0.00","open":"1234.56","payments":[],
		"due_date":"2026-07-31","settlement_date":"2026-07-30",
		"bank_name":"First Bank","account_number":"****6789","receiver_name":"CDTFA","receiver_account_number":"****7890","payable":` + payable +
		`,"findings":[` + findings + `]}`
}

// paying answers about one filed return.
func paying(payment, file string) map[string]string {
	return map[string]string{
		"GET /v1/session": anAdmin, "GET /v1/filing_payments": `{"items":[` + payment + `],"total":1}`,
		"GET /v1/filings/file_1/payment": payment, "POST /v1/payment_files": file,
	}
}

// The page of payments says what to pay, until when and how. Approvers get the form of the file for the bank, others do not.
func TestThePageOfPayments(t *testing.T) {
	t.Parallel()
	const finding = `{"code":"FIELD_MISSING","severity":"ERROR","line":null,"message":"The registration has no field.","count":1,
		"amount":"0.00"}`
	page := func(query, payment, role string) string {
		answers := paying(payment, "")
		answers["GET /v1/session"] = strings.Replace(anAdmin, `"admin"`, `"`+role+`"`, 1)
		shown := visitedWith(t, answers, "/o/org_1/payments"+query, nil)
		require.Equal(t, http.StatusOK, shown.Code)
		return strings.Join(strings.Fields(shown.Body.String()), " ")
	}
	body := page("", aPayment("true", ""), "approver")
	for _, says := range []string{"1,234.56 USD", "31 Jul 2026", "arrives on 30 Jul 2026", "from ****6789", "to <bdi>CDTFA</bdi>",
		`value="file_1"`, "Download the file"} {
		require.Contains(t, body, says)
	}
	require.NotContains(t, page("", aPayment("true", ""), "preparer"), "Download the file")
	body = page("?filing_id=file_1", aPayment("false", finding), "approver")
	require.Contains(t, body, "The registration has no field.")
	require.NotContains(t, body, "Download the file")
	require.NotContains(t, body, `value="file_1"`)
}

// The form downloads the file, or says why there is none.
func TestTheFileForTheBankIsDownloaded(t *testing.T) {
	t.Parallel()
	form := url.Values{"action": {"file"}, "filing_ids": {"file_1"}, "file_modifier": {"B"}, "offset": {"true"}}
	file := `{"file_name":"payments-2026-07-10-B.ach","media_type":"text/plain","content":"101 0210\r\n","sha256":"ab","layout":"L",
		"payments":[],"findings":[]}`
	sent := visitedWith(t, paying(aPayment("true", ""), file), "/o/org_1/payments", form)
	require.Equal(t, http.StatusOK, sent.Code)
	require.Equal(t, "101 0210\r\n", sent.Body.String())
	require.Contains(t, sent.Header().Get("Content-Disposition"), "payments-2026-07-10-B.ach")
	none := `{"file_name":null,"media_type":null,"content":null,"sha256":null,"layout":"L","payments":[],"findings":[{"code":"PAYMENT_MADE",
		"severity":"ERROR","line":"California, 2026-04-01 to 2026-06-30","message":"It is paid.","count":1,"amount":"1.00"}]}`
	sent = visitedWith(t, paying(aPayment("true", ""), none), "/o/org_1/payments", form)
	require.Equal(t, http.StatusOK, sent.Code)
	require.Contains(t, sent.Body.String(), "There is no file")
	require.Contains(t, sent.Body.String(), "It is paid.")
}

// The form for the data of returns has what the registration has, and keeps fields that it does not ask for.
func TestTheDataThatReturnsAskForIsEntered(t *testing.T) {
	t.Parallel()
	answers := ofARegistration("admin", "REGISTERED")
	answers["GET /v1/registrations/regs_1"] = strings.Replace(answers["GET /v1/registrations/regs_1"], "{",
		`{"jurisdiction_specific_fields":{"certificate_county":"Duval","own":7,"sites":["1"],"payment_method":"CREDIT"},`, 1)
	field := func(name string) string {
		return `{"country_code":"US","state_code":null,"field":"` + name + `","expected":"as it is written","source":"S","confidence":"HIGH"}`
	}
	answers["GET /v1/meta/return-formats"] = `{"fields":[` + strings.Join([]string{field("sales_tax_id"),
		field("jurisdiction_specific_fields.certificate_county"), field("jurisdiction_specific_fields.sites"),
		field("jurisdiction_specific_fields.payment_method")}, ",") + `]}`
	body := visitedWith(t, answers, "/o/org_1/registrations/regs_1", nil).Body.String()
	require.Contains(t, body, `name="data_certificate_county"`)
	require.Contains(t, body, `value="Duval"`)
	require.Contains(t, body, "as it is written")
	require.NotContains(t, body, `name="data_sites"`)
	require.NotContains(t, body, `name="data_sales_tax_id"`)
}

// A payment that was made later is recorded on the page of its return, and deleted there. A refusal stands beside its field.
func TestAPaymentThatWasMadeIsRecorded(t *testing.T) {
	t.Parallel()
	payment := strings.NewReplacer(`"payments":[]`, `"payments":[{"id":"fpay_1","filing_id":"file_1","amount":"234.56",
		"paid_on":"2026-08-03","method":"CHECK","reference":"1187","created_by":"Ada","created_at":"2026-08-04T10:00:00Z"}]`,
		`"paid":"0.00","open":"1234.56"`, `"paid":"234.56","open":"1000.00"`).Replace(aPayment("false", ""))
	answers := paying(payment, "")
	shown := visitedWith(t, answers, "/o/org_1/payments?filing_id=file_1", nil).Body.String()
	for _, says := range []string{"3 Aug 2026", "<bdi>1187</bdi>", "Remove this payment", "1,000.00 if empty", ">Record<"} {
		require.Contains(t, shown, says)
	}
	viewer := paying(payment, "")
	viewer["GET /v1/session"] = strings.Replace(anAdmin, `"admin"`, `"viewer"`, 1)
	shown = visitedWith(t, viewer, "/o/org_1/payments?filing_id=file_1", nil).Body.String()
	require.Contains(t, shown, "<bdi>1187</bdi>")
	require.NotContains(t, shown, "Remove this payment")
	require.NotContains(t, shown, ">Record<")
	paid := paying(strings.Replace(payment, `"open":"1000.00"`, `"open":"0.00"`, 1), "")
	require.NotContains(t, visitedWith(t, paid, "/o/org_1/payments?filing_id=file_1", nil).Body.String(), ">Record<")

	answers["POST /v1/filings/file_1/payments"] = `{"status":400,"code":"invalid_request","title":"No","detail":"No.","errors":[
		{"code":"out_of_range","location":"body.amount","message":"Only 1000.00 is open."}]}`
	form := url.Values{"action": {"record"}, "amount": {"1,234.56"}, "paid_on": {"2026-08-05"}, "method": {"WIRE"}, "reference": {"FT-1"}}
	refused := visitedWith(t, answers, "/o/org_1/payments?filing_id=file_1", form)
	require.Equal(t, http.StatusBadRequest, refused.Code)
	require.Contains(t, refused.Body.String(), "Only 1000.00 is open.")
	require.Contains(t, refused.Body.String(), `value="FT-1"`)
	paid["POST /v1/filings/file_1/payments"] = answers["POST /v1/filings/file_1/payments"]
	refused = visitedWith(t, paid, "/o/org_1/payments?filing_id=file_1", form)
	require.Equal(t, http.StatusBadRequest, refused.Code)
	require.Contains(t, refused.Body.String(), "Only 1000.00 is open.", "somebody else has paid the rest")
	answers["POST /v1/filings/file_1/payments"] = `{}`
	require.Equal(t, http.StatusSeeOther, visitedWith(t, answers, "/o/org_1/payments?filing_id=file_1", form).Code)
}
