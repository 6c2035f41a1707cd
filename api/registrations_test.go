package api_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"levy/models"
	"levy/store/storetest"
	"levy/tax/calendar"
)

const inNewYork = `{"country_code":"US","state_code":"NY","filing_frequency":"MONTHLY"}`

func (in *installation) registration(as credentials, body string) answer {
	in.t.Helper()
	return in.do(as, "POST", "/v1/registrations", body).expect(200)
}

func days(n int) string { return time.Now().UTC().AddDate(0, 0, n).Format("2006-01-02") }

func TestCreateRegistration(t *testing.T) {
	t.Parallel()
	in, from := install(t), days(-3600)
	a := in.registration(in.root,
		`{"country_code":"US","state_code":"new york","filing_frequency":"ANNUAL","amount_fees":"999999999999999999.99",
			"username":"acme",
		"password_plain_text":"pw-canary-1","password_metadata_plain_text":"pw-canary-2",
		"jurisdiction_specific_fields":{"b":[1,{"c":null}]},"comment":"",
		"status":"REGISTERED","auto_registered":true,"third_party_enabled":true,"organization_id":"org_x",
		"create_filings_from":"`+from+`"}`)
	for name, want := range map[string]any{
		"organization_id": in.root.organizationID, "country_code": "US", "state_code": "NY", "state_name": "New York",
		"filing_frequency": "ANNUALLY",
		"status":           "PROCESSING", "registration_import_type": "REGULAR", "registration_category": "REGULAR",
		"registration_type": "OTHER",
		"registration_date": nil, "registration_email": nil, "registration_requested": nil, "registration_completed": nil,
		"deregistration_requested": nil, "deregistration_completed": nil, "auto_registered": false, "do_not_file": false,
		"registrations_regime": "STANDARD", "change_regime_status": nil, "create_filings_from": from,
		"imported": false, "initial_sync": false,
		"vda": false, "sst_import": false, "amount_fees": "999999999999999999.99", "username": "acme", "sales_tax_id": nil,
		"tax_id": nil, "comment": nil,
		"jurisdiction_specific_fields": map[string]any{"b": []any{json.Number("1"), map[string]any{"c": nil}}},
		"oss_type":                     nil, "oss_member_state_of_identification_code": nil,
		"third_party_enabled": false, "two_factor_enabled": false, "marked_collecting": false, "marked_collecting_date": nil,
		"needs_mark_as_collecting": false,
		"credits_total_available":  "0.00", "next_filing_due_date": nil,
	} {
		require.Equal(t, fmt.Sprint(want), fmt.Sprint(a.member(name)), name)
	}
	require.NotContains(t, a.Body.String(), "password")
	require.JSONEq(
		t, a.Body.String(),
		in.do(in.root, "GET", "/v1/registrations/"+a.text("id"), "").expect(200).Body.String(),
	)
	stranger := in.client("Client")
	in.do(stranger, "GET", "/v1/registrations/"+a.text("id"), "").expect(404, "resource_not_found")
	in.do(stranger, "PUT", "/v1/registrations/"+a.text("id"), "{}").expect(404, "resource_not_found")
	in.do(stranger, "POST", "/v1/registrations/"+a.text("id")+"/deregister", "").expect(404, "resource_not_found")
}

// Fields that the scheme of a registration determines need not be sent.
func TestASchemeFixesPlaceAndFrequency(t *testing.T) {
	t.Parallel()
	in := install(t)
	for body, want := range map[string][]string{
		`{"registration_import_type":"OSS","oss_type":"UNION","oss_member_state_of_identification_code":"IE"}`: {"ZZ_EU",
			"ZZ_EU", "QUARTERLY"},
		`{"registration_import_type":"SST","state_code":"MN"}`: {"US",
			"MN", "MONTHLY"},
		`{"registration_import_type":"SST","state_code":"WI","filing_frequency":"ANNUALLY"}`: {"US",
			"WI", "ANNUALLY"},
	} {
		a := in.registration(in.root, body)
		require.Equal(t, want, []string{a.text("country_code"), a.text("state_code"), a.text("filing_frequency")}, body)
		require.NotContains(t, a.Body.String(), "null", "absent values are left out")
	}
	for body, missing := range map[string][]string{
		`{}`: {"country_code", "state_code", "filing_frequency"},
		`{"registration_import_type":"REGULAR","country_code":"US"}`: {"state_code", "filing_frequency"},
		`{"registration_import_type":"SST"}`:                         {"state_code"},
	} {
		a := in.do(in.root, "POST", "/v1/registrations", body).expect(400, "validation_failed")
		for _, name := range missing {
			require.Contains(t, a.Body.String(), `"code":"missing_field","location":"body.`+name+`"`, body)
		}
	}
}

func TestARegistrationThatExistsIsRegisteredAtOnce(t *testing.T) {
	t.Parallel()
	in := install(t)
	for state, c := range map[string]struct{ body, status, date string }{
		"CA": {`"imported":true`, "REGISTERED", days(0)},
		"TX": {`"registration_date":"` + days(-40) + `"`, "REGISTERED", days(-40)},
		"FL": {`"start_date":"` + days(0) + `"`, "REGISTERED", days(0)},
		"WA": {`"registration_date":"` + days(1) + `"`, "PROCESSING", days(1)},
		"NV": {
			`"imported":true,"marked_collecting":true,"registration_date":"` + days(-1) + `"`, "REGISTERED",
			days(-1),
		},
	} {
		a := in.registration(
			in.root, `{"country_code":"US","state_code":"`+state+`","filing_frequency":"MONTHLY",`+c.body+`}`,
		)
		require.Equal(t, []any{c.status, c.date}, []any{a.member("status"), a.member("registration_date")}, state)
		registered := c.status == "REGISTERED"
		require.Equal(t, registered, a.member("registration_completed") != nil, state)
		require.Equal(t, registered, a.member("next_filing_due_date") != nil, state)
		require.Equal(t, registered && state != "NV", a.member("needs_mark_as_collecting"), state)
		require.Equal(t, state == "NV", a.member("marked_collecting_date") != nil, state)
		require.Equal(t, map[bool]string{
			true: "IMPORTED", false: "REGULAR",
		}[strings.Contains(c.body, "imported")], a.text("registration_category"))
	}
}

// Alaska has no state tax, but taxes of its boroughs and cities.
func TestAJurisdictionWithoutSalesTaxHasNoRegistrations(t *testing.T) {
	t.Parallel()
	in := install(t)
	body := func(state, more string) string {
		return `{"country_code":"US","state_code":"` + state + `","filing_frequency":"MONTHLY"` + more + `}`
	}
	for code, name := range map[string]string{
		"OR": "Oregon", "new hampshire": "New Hampshire", "MT": "Montana", "DE": "Delaware",
	} {
		a := in.do(in.root, "POST", "/v1/registrations", body(code, `,"imported":true`)).expect(409, "no_sales_tax")
		require.Contains(t, a.text("detail"), "There is no sales tax in "+name+", ")
	}
	in.do(in.root, "POST", "/v1/registrations", body("OR", `,"create_filings_from":"1999-01-01"`)).
		expect(400, "validation_failed")
	in.registration(in.root, body("AK", ""))
}

// The next due return of a registration that ends is its last one, until its due day.
func TestTheNextReturnOfARegistrationThatEnds(t *testing.T) {
	t.Parallel()
	in := install(t)
	for state, c := range map[string]struct {
		last string
		next bool
	}{"NY": {days(0), true}, "NJ": {days(-150), false}} {
		a := in.registration(
			in.root,
			`{"country_code":"US","state_code":"`+state+
				`","filing_frequency":"MONTHLY","registration_date":"`+days(-200)+`"}`,
		)
		ended := in.do(
			in.root, "POST", "/v1/registrations/"+a.text("id")+"/deregister",
			`{"deregistration_date":"`+c.last+`"}`,
		).expect(200)
		require.Equal(t, c.next, ended.member("next_filing_due_date") != nil, state)
		require.NotZero(t, ended.member("filing_days"), state)
	}
}

// A pending return may be due before that of the running period. After the end of a registration a return is due
// until it is filed, skipped or cancelled.
func TestTheNextReturnIsTheFirstThatIsOpen(t *testing.T) {
	t.Parallel()
	in := install(t)
	a := in.registration(
		in.root, `{"country_code":"US","state_code":"NY","filing_frequency":"MONTHLY","registration_date":"`+days(-200)+`"}`,
	)
	registration := "/v1/registrations/" + a.text("id")
	next := func() any { return in.do(in.root, "GET", registration, "").expect(200).member("next_filing_due_date") }
	post := func(start, end, status string) string {
		return "/v1/filings/" + in.do(in.root, "POST", "/v1/filings", `{"registration_id":"`+a.text("id")+
			`","country_code":"US","state_code":"NY","state_name":"New York","start_date":"`+start+`","end_date":"`+end+
			`","status":"`+status+`"}`).expect(200).text("id")
	}
	running := next()
	waits := post(days(-90), days(-61), "UNFILED")
	in.do(in.root, "PUT", waits, `{"due_date":"`+days(1)+`"}`).expect(200)
	require.Equal(t, days(1), next())
	in.do(in.root, "PUT", waits, `{"status":"CANCELLED","cancelled_reason":"test"}`).expect(200)
	require.Equal(t, running, next())

	in.do(in.root, "POST", registration+"/deregister", `{}`).expect(200)
	due, last := next(), models.NewID(models.PrefixFiling)
	require.NotNil(t, due)
	in.do(in.root, "PUT", registration, `{"filing_frequency":"MONTHLY","status":"DEREGISTERED"}`).expect(200)
	require.Equal(t, due, next(), "its last return is planned when its last day is over")
	_, err := in.store.Filings.PlanRegistration(
		t.Context(), models.Scope{OrganizationID: in.root.organizationID}, a.text("id"),
		func(r models.Registration) []models.Filing {
			due := *r.DeregistrationDate
			due = due.AddDate(0, 0, 3)
			return []models.Filing{{
				OrganizationID: r.OrganizationID, ID: last, RegistrationID: r.ID, CountryCode: "US", StateCode: "NY",
				StartDate: *r.DeregistrationDate, EndDate: *r.DeregistrationDate, DueDate: &due,
				FilingCategory: calendar.FilingRegular, Currency: "USD",
			}}
		})
	require.NoError(t, err)
	require.Equal(t, days(3), next())
	in.do(in.root, "PUT", "/v1/filings/"+last, `{"status":"SKIPPED","skip_reason":"test"}`).expect(200)
	require.Nil(t, next(), "nothing is left")
}

func TestARegistrationAtTheOneStopShop(t *testing.T) {
	t.Parallel()
	in := install(t)
	oss := in.registration(
		in.root,
		`{"country_code":"ZZ_EU","state_code":"ZZ_EU","filing_frequency":"QUARTERLY","registration_import_type":"OSS",`+
			`"oss_type":"UNION","oss_member_state_of_identification_code":"IE"}`,
	)
	require.Equal(t, []any{"EU_OSS", "OSS", "UNION", "IE", "European Union"},
		[]any{
			oss.member("registration_type"), oss.member("registration_import_type"), oss.member("oss_type"),
			oss.member("oss_member_state_of_identification_code"), oss.member("state_name"),
		})
	in.registration(in.root, `{"country_code":"DE","state_code":"DE","filing_frequency":"MONTHLY"}`)
	in.registration(in.root, `{"country_code":"CA","state_code":"CA","filing_frequency":"MONTHLY"}`)
	in.registration(in.root, `{"country_code":"CA","state_code":"QC","filing_frequency":"MONTHLY"}`)
}

func TestAllFaultsOfARegistrationAreReportedAtOnce(t *testing.T) {
	t.Parallel()
	in := install(t)
	with := func(fields string) string {
		return strings.TrimSuffix(inNewYork, "}") + "," + fields + "}"
	}
	for body, locations := range map[string][]string{
		`{}`: {"country_code", "state_code", "filing_frequency"},
		`{"country_code":"us","state_code":" ","filing_frequency":"WEEKLY"}`: {
			"country_code", "state_code", "filing_frequency",
		},
		`{"country_code":"US","state_code":"ON","filing_frequency":"MONTHLY"}`: {"state_code"},
		`{"country_code":"EG","state_code":"EG","filing_frequency":"MONTHLY"}`: {"state_code"},
		`{"country_code":"US","state_code":"ON","filing_frequency":"WEEKLY"}`:  {"state_code", "filing_frequency"},
		`{"country_code":"US","state_code":"ON","registration_import_type":"SST","registration_email":"x"}`: {
			"state_code", "registration_email",
		},
		with(`"registration_import_type":"OSS"`): {
			"oss_member_state_of_identification_code", "registration_import_type",
		},
		with(`"oss_type":"UNION","oss_member_state_of_identification_code":"IE"`): {
			"oss_type", "oss_member_state_of_identification_code",
		},
		with(`"oss_member_state_of_identification_code":"IE","member_state_of_identification_code":"IE"`): {
			"member_state_of_identification_code",
		},
		with(`"registration_date":"2026-01-01","start_date":"2026-01-01"`): {"start_date"},
		with(`"create_filings_from":"` + days(-3700) +
			`"`): {"create_filings_from"},
		with(`"amount_fees":"-1","registration_email":"x","username":"` + strings.Repeat("x", 101) + `"`): {
			"amount_fees", "registration_email", "username",
		},
		with(`"amount_fees":"1.001"`):               {"amount_fees"},
		with(`"amount_fees":"1000000000000000000"`): {"amount_fees"},
		with(`"password_plain_text":"` + strings.Repeat("x", 501) + `","password_metadata_plain_text":7`): {
			"password_plain_text", "password_metadata_plain_text",
		},
		with(`"jurisdiction_specific_fields":[]`): {
			"jurisdiction_specific_fields",
		},
		with(`"jurisdiction_specific_fields":{"a":"` + strings.Repeat("x", 8200) + `"}`): {
			"jurisdiction_specific_fields",
		},
		with(`"registrations_regime":"X","change_regime_status":"X","registration_requested":"2026-01-01",` +
			`"registration_date":"2026-02-30"`): {
			"registrations_regime", "change_regime_status", "registration_requested", "registration_date"},
		`{"country_code":"ZZ_EU","state_code":"ZZ_EU","filing_frequency":"MONTHLY"}`: {"registration_import_type"},
		`{"country_code":"DE","state_code":"DE","filing_frequency":"MONTHLY","registration_import_type":"OSS",` +
			`"oss_type":"UNION","oss_member_state_of_identification_code":"US"}`: {
			"registration_import_type", "oss_member_state_of_identification_code"},
	} {
		refused := in.do(in.root, "POST", "/v1/registrations", body).expect(400, "validation_failed").Body.String()
		for _, location := range locations {
			require.Contains(t, refused, `"location":"body.`+location+`"`, body)
		}
		require.Equal(t, len(locations), strings.Count(refused, `"location":`), "%s: %s", body, refused)
	}
	require.NotContains(t, in.log.String(), strings.Repeat("x", 101))
}

func TestOfTwoRegistrationsForAJurisdictionTheSecondIsADuplicate(t *testing.T) {
	t.Parallel()
	in := install(t)
	statuses := make([]answer, 6)
	var all sync.WaitGroup
	for i := range statuses {
		all.Go(func() { statuses[i] = in.do(in.root, "POST", "/v1/registrations", inNewYork) })
	}
	all.Wait()
	made := ""
	for _, a := range statuses {
		if a.Code == 200 {
			require.Empty(t, made, "one is made")
			made = a.text("id")
		}
	}
	for _, a := range statuses {
		if a.Code != 200 {
			require.Equal(t, made, a.expect(409, "duplicate_registration").text("existing_id"))
		}
	}
	in.do(in.root, "PUT", "/v1/registrations/"+made, `{"status":"CANCELLED"}`).expect(200)
	in.registration(in.root, inNewYork)
}

func TestListRegistrations(t *testing.T) {
	t.Parallel()
	in := install(t)
	in.registration(in.root, inNewYork)
	in.registration(
		in.root,
		`{"country_code":"US","state_code":"CA","filing_frequency":"QUARTERLY","imported":true,`+
			`"registration_date":"2026-01-01"}`,
	)
	in.registration(in.root, `{"country_code":"CA","state_code":"ON","filing_frequency":"ANNUALLY"}`)
	in.registration(in.client("Client"), `{"country_code":"US","state_code":"TX","filing_frequency":"MONTHLY"}`)
	for query, want := range map[string]string{
		"":                                       "ON CA NY",
		"?order_by=-created_at":                  "ON CA NY",
		"?order_by=registration_date":            "CA NY ON",
		"?order_by=-state_code":                  "ON NY CA",
		"?status__in=REGISTERED,CANCELLED":       "CA",
		"?status=PROCESSING&order_by=state_code": "NY ON",
		"?state_code=ny":                         "NY",
		"?state_code=California":                 "CA",
		"?state_code=%20ontario":                 "ON",
		"?country_code__in=CA,DE":                "ON",
		"?filing_frequency__in=MONTHLY,ANNUALLY": "ON NY",
		"?page=2&size=2":                         "NY",
	} {
		var got []string
		for _, item := range in.do(in.root, "GET", "/v1/registrations"+query, "").expect(200).member("items").([]any) {
			got = append(got, item.(map[string]any)["state_code"].(string))
		}
		require.Equal(t, want, strings.Join(got, " "), query)
	}
	in.do(in.root, "GET", "/v1/registrations?order_by=nothing", "").expect(400, "validation_failed")
	in.do(in.root, "GET", "/v1/registrations?status__in=X", "").expect(400, "validation_failed")
}

// read reads one value directly from the database.
func (in *installation) read(to any, sql string, args ...any) {
	in.t.Helper()
	require.NoError(in.t, storetest.SQL(in.t, in.address).QueryRow(in.t.Context(), sql, args...).Scan(to))
}

// The name of another place than the codes name is refused, for a registration and for a return,
// because it would be printed. Any other name is stored.
func TestTheNameOfAPlaceDoesNotContradictItsCodes(t *testing.T) {
	t.Parallel()
	in := install(t)
	body := `{"country_code":"US","state_code":"NY","filing_frequency":"MONTHLY","imported":true,"state_name":%q}`
	for _, name := range []string{"Texas", "Canada"} {
		require.Equal(t, []string{"mismatch body.state_name"},
			in.do(in.root, "POST", "/v1/registrations", fmt.Sprintf(body, name)).bodyFaults())
	}
	a := in.registration(in.root, fmt.Sprintf(body, "State of New York"))
	require.Equal(t, "State of New York", a.text("state_name"))
	filing := `{"registration_id":"` + a.text("id") + `","country_code":"US","state_code":"NY","state_name":%q,` +
		`"start_date":"` + days(-90) + `","end_date":"` + days(-61) + `","status":"UNFILED"}`
	require.Equal(t, []string{"mismatch body.state_name"},
		in.do(in.root, "POST", "/v1/filings", fmt.Sprintf(filing, "New Jersey")).bodyFaults())
	in.do(in.root, "POST", "/v1/filings", fmt.Sprintf(filing, "New York")).expect(200)
}
