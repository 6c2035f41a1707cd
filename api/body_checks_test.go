package api_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"levy/models"
)

// lines are lines of a sale, a sale with them, and a credit note.
func lines(each ...string) string {
	for i := range each {
		each[i] = `{"external_product_id":"P-1","date":"2026-05-15T10:00:00Z",` + each[i] + `}`
	}
	return `"transaction_items":[` + strings.Join(each, ",") + `]`
}

const saleHead = `{"external_id":"ORDER-1","date":"2026-05-15T10:00:00Z","customer":{"external_id":"C-1","name":"Ada"},
	"addresses":[],`

func saleOf(more string) string { return saleHead + `"type":"SALE",` + more + "}" }

const aboveTheLine = `"amount":10,"discount_builder":{"applied_to":"TRANSACTION_ITEM","discount_amount":12}`

// The answer reports all faults of a body, whichever check finds them: first those of single fields, then those that
// follow from several. Each is reported once.
func TestFaultsOfRulesStandBesideThoseOfFields(t *testing.T) {
	t.Parallel()
	in := install(t)
	client := in.client("Shop")
	unknown := "/v1/%s/" + models.NewID(models.PrefixTransaction)
	discount := "out_of_range body.transaction_items[0].discount_builder.discount_amount"
	for _, c := range []struct {
		call, body string
		want       []string
	}{
		{
			"POST /v1/transactions", saleOf(lines(aboveTheLine) + `,"currency":"XXX"`),
			[]string{"invalid_enum body.currency", discount},
		},
		{
			"POST /v1/transactions", saleOf(lines(aboveTheLine, `"amount":"1,5"`) +
				`,"customer_id":"cust_1","exemptions":[{"exemption_type":"wholesale","customer_id":"cust_2","end_date":"2026-01-01"}]`),
			[]string{
				"invalid_format body.transaction_items[1].amount", discount,
				"mismatch body.exemptions[0].customer_id", "mismatch body.exemptions[0].end_date",
			},
		},
		{
			"POST /v1/transactions", saleHead + `"type":"TAX_REFUND","status":"INVALID","related_to":7,` +
				lines(`"amount":-1,"discount_builder":{"applied_to":"TRANSACTION","discount_amount":0}`) + `}`,
			[]string{
				"invalid_type body.related_to", "out_of_range body.total_amount", "invalid_enum body.status",
				"not_allowed body.transaction_items[0].discount_builder",
			},
		},
		{
			"POST /v1/transactions/archive", `{"transaction_ids":["a",7,"b","a",8]}`,
			[]string{
				"invalid_type body.transaction_ids[1]", "invalid_type body.transaction_ids[4]",
				"duplicate_value body.transaction_ids[3]",
			},
		},
		{
			"POST " + strings.Replace(unknown, "%s", "transactions", 1) + "/credit_notes",
			`{"external_id":7,"date":"2026-05-15T10:00:00Z","status":"COMMITTED","currency":"USD","total_amount":0,` +
				lines(`"external_id":"1","quantity":1,"amount":1`) + `}`,
			[]string{"invalid_type body.external_id", "out_of_range body.total_amount"},
		},
		{
			"PUT " + strings.Replace(unknown, "%s", "transactions", 1) + "/credit_notes/" +
				models.NewID(models.PrefixTransaction), `{"currency":"XXX","total_amount":0}`,
			[]string{"invalid_enum body.currency", "out_of_range body.total_amount"},
		},
		{
			"PUT " + strings.Replace(unknown, "%s", "transactions", 1) + "/credit_notes/" +
				models.NewID(models.PrefixTransaction), `{"currency":"XXX"}`,
			[]string{"invalid_enum body.currency"}, // a total that is not sent is not 0
		},
		{
			"POST /v1/tax/estimate",
			`{"currency":"XXX","addresses":[{"type":"SHIP_TO"}],"transaction_items":[{"product_category":"PHYSICAL",` + aboveTheLine + `}]}`,
			[]string{"invalid_enum body.currency", discount},
		},
		{
			"POST /v1/filings", `{"registration_id":"r","country_code":"US","state_code":7,"state_name":"New York",
				"status":"FILED","start_date":"2024-01-01","end_date":"2025-06-30","date_filed":"` + days(2) + `"}`,
			[]string{"invalid_type body.state_code", "out_of_range body.end_date", "out_of_range body.date_filed"},
		},
		{
			"POST /v1/registrations", `{"country_code":"US","state_code":"NY","filing_frequency":"DAILY",
				"create_filings_from":"2010-01-01","oss_type":"UNION"}`,
			[]string{
				"invalid_enum body.filing_frequency", "not_allowed body.oss_type", "out_of_range body.create_filings_from",
			},
		},
		{
			"POST /v1/rate_overrides", strings.NewReplacer("0.05", "5", "new york", "Gotham", `"A notice"`, "7").
				Replace(overrideOfNewYork),
			[]string{
				"invalid_type body.reason", "invalid_enum body.jurisdiction_name", "out_of_range body.rate",
			},
		},
		{
			"POST /v1/webhook_endpoints", `{"url":7,"include_clients":true}`,
			[]string{"invalid_type body.url", "not_allowed body.include_clients"},
		},
		{
			"PUT /v1/webhook_endpoints/" + models.NewID(models.PrefixWebhook), `{"url":7,"include_clients":true}`,
			[]string{"invalid_type body.url", "not_allowed body.include_clients"},
		},
		{
			"POST /v1/webhook_endpoints/" + models.NewID(models.PrefixWebhook) + "/replay",
			`{"since":"2026-05-15T10:00:00Z","until":"2026-05-15T09:00:00Z","types":7}`,
			[]string{"invalid_type body.types", "mismatch body.until"},
		},
		{"POST /v1/users", `{"email":"x","name":"Ada"}`, []string{"invalid_format body.email", "missing_field body.role"}},
		{
			"PUT /v1/users/" + models.NewID(models.PrefixUser), `{"name":7,"role":null,"staff_role":"auditor"}`,
			[]string{"invalid_type body.name", "missing_field body.role", "not_allowed body.staff_role"},
		},
		{
			"PUT /v1/session/views", `{"list":"filings","name":7,"query":"page=2&due_days__lte=x"}`,
			[]string{"invalid_type body.name", "not_allowed body.query", "invalid_format body.query"},
		},
		{
			"POST /v1/session", `{"email":"ada@example.com","token":"t","password":"short"}`,
			[]string{"not_allowed body.token", "out_of_range body.password"},
		},
		{
			"PUT /v1/organization_details/business_address", `{"company_country_code":"US","company_city":7}`,
			[]string{
				"invalid_type body.company_city", "missing_field body.company_state", "missing_field body.company_postal_code",
			},
		},
		{
			"PUT /v1/organization_details/business_owners", `{"business_owner1_name":"Ada",
				"business_owner1_percent_ownership":60,"business_owner2_name":"Bob","business_owner2_percent_ownership":50,
				"business_owner2_email":"x"}`,
			[]string{"invalid_format body.business_owner2_email", "mismatch body.business_owner2_percent_ownership"},
		},
		{
			"PUT /v1/bank_details", `{"account_type":"x","routing_number":"021000021","account_number":"****7890",
				"account_holder_name":"Acme"}`,
			[]string{"invalid_enum body.account_type", "invalid_format body.account_number"},
		},
	} {
		t.Run(c.call, func(t *testing.T) {
			method, path, _ := strings.Cut(c.call, " ")
			require.Equal(t, c.want, in.do(client, method, path, c.body).bodyFaults(), c.body)
		})
	}
}

// Faults that follow from an invalid field are not reported: they are unknown before that field is valid.
func TestFaultsThatFollowFromAWrongFieldAreNotReported(t *testing.T) {
	t.Parallel()
	in := install(t)
	client := in.client("Shop")
	in.product(client, "P-1")
	sale := "PUT /v1/transactions/" + record(t, in, client, saleOf(lines(`"amount":10,"external_id":"A",
		"discount_builder":{"applied_to":"TRANSACTION_ITEM","discount_amount":8}`)+`,
		"exemptions":[{"exemption_type":"wholesale","end_date":"2026-06-30"}]`)).text("id")
	short := `"amount":7,"external_id":"A"`
	exemption := "PUT /v1/exemptions/" + in.do(client, "POST", "/v1/exemptions", `{"exemption_type":"customer",
		"start_date":"2026-02-01","customer_id":"`+in.customer(client, "C-2")+`"}`).expect(200).text("id")
	presence := "PUT /v1/nexus/physical_nexus/" + in.do(client, "POST", "/v1/nexus/physical_nexus", `{"country_code":"US",
		"state_code":"NY","start_date":"2026-02-01","end_date":"2026-04-30",
		"category":"PHYSICAL_BUSINESS_LOCATION"}`).expect(200).text("id")
	filing := "PUT " + in.filing(client, in.registration(client, inNewYork), "UNFILED")
	for _, c := range []struct{ call, body, want string }{
		{exemption, `{"end_date":"2026-01-31","start_date":7}`, "invalid_type body.start_date"},
		{exemption, `{"jurisdiction":"ON","country_code":7}`, "invalid_type body.country_code"},
		{presence, `{"end_date":7,"start_date":"2026-05-01"}`, "invalid_type body.end_date"},
		{filing, `{"status":"WAITS","paused_until_date":"` + days(2) + `"}`, "invalid_enum body.status"},
		{filing, `{"status":"ISSUE","issue_reason":7}`, "invalid_type body.issue_reason"},
		{sale, saleOf(lines(short + `,"discount_builder":7`)), "invalid_type body.transaction_items[0].discount_builder"},
		{sale, saleOf(lines(short + `,"id":7`)), "invalid_type body.transaction_items[0].id"},
		{
			sale, strings.Replace(saleHead, "2026-05", "2026-07", 1) + lines(`"amount":10`) + `,"revision":"x"}`,
			"invalid_type body.revision",
		},
		{
			sale, saleHead + lines(`"amount":10`) +
				`,"exemptions":[{"exemption_type":"wholesale","id":7,"end_date":"2026-01-01"}]}`,
			"invalid_type body.exemptions[0].id",
		},
		{
			"POST /v1/transactions", saleOf(lines(strings.Replace(aboveTheLine, "10", `"x"`, 1))),
			"invalid_format body.transaction_items[0].amount",
		},
		{ // the second line could make up for the discount of the whole
			"POST /v1/transactions", saleOf(lines(
				`"amount":1,"discount_builder":{"applied_to":"TRANSACTION","discount_amount":2}`, `"amount":"x"`,
			)), "invalid_format body.transaction_items[1].amount",
		},
		{
			"POST /v1/filings", `{"registration_id":"r","country_code":"US","state_code":"NY","state_name":"New York",
				"status":"FILED","start_date":"yesterday","end_date":"2025-06-30","return_confirmation_id":"c"}`,
			"invalid_format body.start_date",
		},
		{
			"POST /v1/rate_overrides", strings.Replace(overrideOfNewYork, `"US"`, `"XX"`, 1),
			"invalid_enum body.country_code",
		},
		{
			"PUT /v1/organization_details/business_owners", `{"business_owner1_name":"Ada",
				"business_owner1_percent_ownership":60,"business_owner2_name":"Bob","business_owner2_percent_ownership":"x"}`,
			"invalid_format body.business_owner2_percent_ownership",
		},
	} {
		method, path, _ := strings.Cut(c.call, " ")
		require.Equal(t, []string{c.want}, in.do(client, method, path, c.body).bodyFaults(), "%s %s", c.call, c.body)
	}
}

// A step is merged into the stored record. A caller who may not submit the step does not learn that record.
func TestFaultsOfAStepFollowFromWhatIsStored(t *testing.T) {
	t.Parallel()
	in := install(t)
	client := in.client("Shop")
	const path = "/v1/organization_details/business_address"
	in.execute(`UPDATE organization_details SET business_address = '{"company_state":"NY"}' WHERE organization_id = $1`,
		client.organizationID)
	body := `{"company_country_code":"US","company_city":7}`
	require.Equal(t, []string{"invalid_type body.company_city", "missing_field body.company_postal_code"},
		in.do(client, "PUT", path, body).bodyFaults())
	partner := in.reader(client)
	require.Equal(t, []string{"invalid_type body.company_city"}, in.do(partner, "PUT", path, body).bodyFaults())
}

// filing creates a return for New York and returns its path.
func (in *installation) filing(as credentials, registration answer, status string) string {
	in.t.Helper()
	return "/v1/filings/" + in.do(as, "POST", "/v1/filings", `{"registration_id":"`+registration.text("id")+`",
		"status":"`+status+`","start_date":"2026-01-01","end_date":"2026-01-31","country_code":"US","state_code":"NY",
		"state_name":"New York"}`).expect(200).text("id")
}

// Faults of a change that follow from the stored record are reported with all its other faults.
func TestFaultsOfAChangeFollowFromWhatIsStored(t *testing.T) {
	t.Parallel()
	in := install(t)
	client := in.client("Shop")
	registration := in.registration(client, strings.TrimSuffix(inNewYork, "}")+`,"registration_date":"2024-05-01"}`)
	path := "/v1/registrations/" + registration.text("id")
	in.product(client, "P-1")
	sale := "/v1/transactions/" + record(t, in, client, saleOf(lines(`"amount":10,"external_id":"A",
		"discount_builder":{"applied_to":"TRANSACTION_ITEM","discount_amount":8}`)+`,"shop_date":"2026-05-14",
		"exemptions":[{"exemption_type":"wholesale","end_date":"2026-06-30"}]`)).text("id")
	version := func(date, more string) string { return strings.Replace(saleHead, "2026-05-15", date, 1) + more + "}" }
	line := lines(`"amount":10,"external_id":"A"`)
	exemption := "/v1/exemptions/" + in.do(client, "POST", "/v1/exemptions", `{"exemption_type":"customer",
		"start_date":"2026-02-01","customer_id":"`+in.customer(client, "C-2")+`"}`).expect(200).text("id")
	presence := "/v1/nexus/physical_nexus/" + in.do(client, "POST", "/v1/nexus/physical_nexus", `{"country_code":"US",
		"state_code":"NY","start_date":"2026-02-01","category":"PHYSICAL_BUSINESS_LOCATION"}`).expect(200).text("id")
	filing := in.filing(client, registration, "UNFILED")
	const tooMuch = `"amount_adjusted":"999999999999999999.99","amount_fees":"0.01"`
	invite := func(email string) string {
		return "/v1/users/" + in.do(client, "POST", "/v1/users",
			`{"email":"`+email+`","name":"Vi","role":"viewer"}`).expect(200).text("id")
	}
	person, invited := invite("vi@example.com"), invite("ada@example.com")
	in.do(client, "PUT", person, `{"status":"DISABLED"}`).expect(200)
	in.knowNexus()
	nexus := func(state string) (path string) {
		in.read(&path, "SELECT '/v1/nexus/' || id || '/register' FROM nexus_records"+
			" WHERE organization_id = $1 AND state_code = $2", client.organizationID, state)
		return path
	}
	for _, c := range []struct {
		call, body string
		want       []string
	}{
		{
			"PUT " + path, `{"filing_frequency":"DAILY","create_filings_from":"2010-01-01"}`,
			[]string{"invalid_enum body.filing_frequency", "out_of_range body.create_filings_from"},
		},
		{
			"PUT " + path, `{"status":"PROCESSING","create_filings_from":"2010-01-01"}`,
			[]string{"out_of_range body.create_filings_from"}, // it is reported before what the status forbids
		},
		{
			"POST " + path + "/deregister", `{"deregistration_date":"2024-04-30","reason":7}`,
			[]string{"invalid_type body.reason", "mismatch body.deregistration_date"},
		},
		{
			"PUT " + sale, version("2026-05-15", lines(aboveTheLine+`,"quantity":-1`)+`,"total_amount":-1,"currency":7`),
			[]string{
				"invalid_type body.currency", "out_of_range body.total_amount",
				"out_of_range body.transaction_items[0].quantity",
				"out_of_range body.transaction_items[0].discount_builder.discount_amount",
			},
		},
		{
			"PUT " + sale, version("2026-05-17", line+`,"total_amount":-1`),
			[]string{"out_of_range body.total_amount"}, // the stored shop_date falls away with its instant
		},
		{
			"PUT " + sale, version("2026-07-01", line+`,"shop_date":null,"currency":7`), // the exemption is still requested
			[]string{"invalid_type body.currency", "mismatch body.exemptions[0].end_date"},
		},
		{
			"PUT " + sale, version("2026-05-15", line+`,"currency":7,"customer_id":"cust_1",
				"exemptions":[{"exemption_type":"wholesale","customer_id":"cust_2","end_date":"2026-01-01"}]`),
			[]string{
				"invalid_type body.currency", "mismatch body.exemptions[0].customer_id", "mismatch body.exemptions[0].end_date",
			},
		},
		{
			"PUT " + filing,
			`{"amount_fees":"x","status":"PAUSED","date_filed":"` + days(2) + `","paused_until_date":"` + days(0) + `"}`,
			[]string{
				"invalid_format body.amount_fees", "out_of_range body.date_filed", "out_of_range body.paused_until_date",
			},
		},
		{
			"PUT " + filing, `{"amount_fees":"x","status":"ISSUE","paused_until_date":"` + days(2) + `"}`,
			[]string{
				"invalid_format body.amount_fees", "not_allowed body.paused_until_date", "missing_field body.issue_reason",
			},
		},
		{"PUT " + filing, `{"status":"FILED","issue_reason":7}`, []string{
			"invalid_type body.issue_reason", "missing_field body.return_confirmation_id",
		}},
		{
			"POST /v1/customers/" + in.customer(client, "C-3") + "/transactions", saleOf(lines(aboveTheLine) + `,"currency":7`),
			[]string{
				"invalid_type body.currency", "mismatch body.customer.external_id",
				"out_of_range body.transaction_items[0].discount_builder.discount_amount",
			},
		},
		{
			"POST /v1/customers/" + in.customer(client, "C-4") + "/transactions", saleOf(lines(aboveTheLine)),
			[]string{
				"mismatch body.customer.external_id",
				"out_of_range body.transaction_items[0].discount_builder.discount_amount",
			},
		},
		{
			"PUT " + exemption, `{"end_date":"2026-01-31","status":"EXPIRED","jurisdiction":"ZZ","reseller":7}`,
			[]string{
				"invalid_type body.reseller", "mismatch body.end_date", "invalid_enum body.jurisdiction",
			},
		},
		{
			"PUT " + presence, `{"end_date":"2026-01-31","state_code":"TX","street_1":7}`,
			[]string{"invalid_type body.street_1", "not_allowed body.state_code", "mismatch body.end_date"},
		},
		{
			"PUT /v1/api-keys/" + in.do(client, "GET", "/v1/api-keys", "").list("id")[0].(string),
			`{"expires_at":"2020-01-01T00:00:00Z","name":7}`, []string{"invalid_type body.name", "out_of_range body.expires_at"},
		},
		{
			"PUT /v1/products/" + in.product(client, "P-2"), `{"external_id":"P-3","name":7}`,
			[]string{"invalid_type body.name", "not_allowed body.external_id"},
		},
		{
			"PUT " + filing, `{"jira_issue_key":7,` + tooMuch + `}`,
			[]string{"invalid_type body.jira_issue_key", "out_of_range body.amount_adjusted"},
		},
		{
			"PUT " + filing, `{"date_filed":"` + days(2) + `",` + tooMuch + `}`,
			[]string{"out_of_range body.date_filed", "out_of_range body.amount_adjusted"},
		},
		{
			"PUT " + filing, `{"amount_penalties":"x",` + tooMuch + `}`, // it could be less than 0
			[]string{"invalid_format body.amount_penalties"},
		},
		{
			"PUT " + filing, `{"amount_penalties":"0.01","amount_fees":"999999999999999999.99"}`,
			[]string{"out_of_range body.amount_fees"},
		},
		{
			"PUT " + filing, `{"amount_penalties":"0.01","amount_fees":"999999999999999999.99","jira_issue_key":7}`,
			[]string{"invalid_type body.jira_issue_key", "out_of_range body.amount_fees"},
		},
		{
			"PUT " + filing, `{"amount_fees":"x","amount_penalties":"999999999999999999.99"}`,
			[]string{"invalid_format body.amount_fees"},
		},
		{
			"PUT " + person, `{"name":7,"status":"INVITED","staff_role":"auditor"}`,
			[]string{"invalid_type body.name", "not_allowed body.staff_role", "not_allowed body.status"},
		},
		{
			"PUT " + person, `{"role":null,"status":"INVITED"}`,
			[]string{"missing_field body.role", "not_allowed body.status"},
		},
		{
			"PUT " + invited, `{"name":7,"status":"INVITED"}`, // as it is
			[]string{"invalid_type body.name"},
		},
		{
			"PUT " + nexus("NY"), `{"filing_frequency":"DAILY","create_filings_from":"2010-01-01","oss_type":"UNION"}`,
			[]string{
				"invalid_enum body.filing_frequency", "not_allowed body.oss_type", "out_of_range body.create_filings_from",
			},
		},
		{
			"PUT " + nexus("ZZ_EU"), `{"comment":7}`,
			[]string{"invalid_type body.comment", "missing_field body.oss_member_state_of_identification_code"},
		},
		{
			"PUT " + nexus("ZZ_EU"), `{"create_filings_from":"2010-01-01"}`,
			[]string{
				"missing_field body.oss_member_state_of_identification_code", "out_of_range body.create_filings_from",
			},
		},
		{
			"PUT " + nexus("ZZ_EU"), `{"create_filings_from":"2010-01-01","oss_member_state_of_identification_code":"US"}`,
			[]string{
				"invalid_enum body.oss_member_state_of_identification_code", "out_of_range body.create_filings_from",
			},
		},
		{ // the line has the discount of the one that it continues
			"PUT " + sale, version("2026-05-15", lines(`"amount":7,"external_id":"A"`)+`,"currency":7`),
			[]string{
				"invalid_type body.currency", "out_of_range body.transaction_items[0].discount_builder.discount_amount",
			},
		},
	} {
		method, path, _ := strings.Cut(c.call, " ")
		require.Equal(t, c.want, in.do(client, method, path, c.body).bodyFaults(), "%s %s", c.call, c.body)
	}
}

// A request may repeat a stored value together with an invalid one. A caller who may not change the record learns
// nothing of it.
func TestFaultsOfAChangeRevealNothingElseThatIsStored(t *testing.T) {
	t.Parallel()
	in := install(t)
	client := in.client("Shop")
	registration := in.registration(client, inNewYork)
	path := "/v1/registrations/" + registration.text("id")
	body := `{"filing_frequency":"DAILY","create_filings_from":"2010-01-01"}`
	frequency := []string{"invalid_enum body.filing_frequency"}
	partner := in.reader(client)
	require.Equal(t, frequency, in.do(partner, "PUT", path, body).bodyFaults())
	require.Equal(t, frequency, in.do(in.client("Another"), "PUT", path, body).bodyFaults())
	require.Equal(t, frequency, in.do(client, "PUT", "/v1/registrations/none%00", body).bodyFaults())
	in.product(client, "P-1")
	sale := record(t, in, client, saleOf(lines(`"amount":1`)+`,"exemptions":[{"exemption_type":"wholesale"}]`))
	require.Equal(t, []string{"invalid_enum body.currency"}, in.do(client, "PUT", "/v1/transactions/"+sale.text("id"),
		strings.Replace(sale.Body.String(), `"USD"`, `"XXX"`, 1)).bodyFaults())
	filing := in.filing(client, registration, "PAUSED")
	in.execute("UPDATE filings SET issue_reason = 'Rejected', paused_until_date = '2020-01-01'")
	require.Equal(t, []string{"invalid_format body.amount_fees"}, in.do(client, "PUT", filing,
		`{"amount_fees":"x","status":"PAUSED","paused_until_date":"2020-01-01"}`).bodyFaults())
	require.Equal(t, []string{"invalid_format body.amount_fees"}, in.do(client, "PUT", filing,
		`{"amount_fees":"x","status":"ISSUE"}`).bodyFaults())
	in.execute("UPDATE registrations SET create_filings_from = '2010-01-01'")
	require.Equal(t, frequency, in.do(client, "PUT", path, body).bodyFaults())
}
