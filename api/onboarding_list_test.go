package api_test

import (
	"encoding/csv"
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// stepOf returns a step of the onboarding that a key reads of its own organization.
func (in *installation) stepOf(as credentials, number int) map[string]any {
	in.t.Helper()
	return in.do(as, "GET", "/v1/onboarding", "").expect(200).member("steps").([]any)[number-1].(map[string]any)
}

func TestARefusedStepIsRecordedWithoutItsContent(t *testing.T) {
	t.Parallel()
	in := install(t)
	client := in.client("Client")
	const step3 = "/v1/organization_details/business_details/"
	in.do(client, "PUT", step3, `{"entity_type":"LLP","incorporation_country":"US","ein":"canary-123"}`).expect(400)
	step := in.stepOf(client, 3)
	require.Equal(t, []any{0.0, 1.0}, []any{step["attempts"], step["refused"]})
	require.Equal(t, "3 fields are invalid: entity_type, ein, company_country_code.", step["error"])
	var codes []any
	for _, fault := range step["errors"].([]any) {
		codes = append(codes, fault.(map[string]any)["code"], fault.(map[string]any)["location"])
	}
	require.Equal(t, []any{
		"invalid_enum", "body.entity_type", "invalid_format", "body.ein", "missing_field", "body.company_country_code",
	}, codes)

	in.do(client, "PUT", step3, `{"entity_type":"LLC","incorporation_country":"US",`+
		`"company_country_code":"US"}`).expect(200)
	step = in.stepOf(client, 3)
	require.Equal(t, []any{1.0, 1.0, nil, []any{}, "COMPLETED"},
		[]any{step["attempts"], step["refused"], step["error"], step["errors"], step["status"]})

	// Neither a personal number nor one that is sent as the name of a field is stored.
	in.do(client, "PUT", "/v1/organization_details/business_contact/",
		`{"business_contact_ssn":"666-12-3456","business_contact_dob":"2999-12-31"}`).expect(400)
	in.do(client, "PUT", "/v1/organization_details/business_address/",
		`{"company_city":"x"}`).expect(400, "validation_failed")
	require.InDelta(t, 1, in.stepOf(client, 4)["refused"], 0)
	require.InDelta(t, 0, in.stepOf(client, 6)["refused"], 0, "the onboarding has not come to it")
	in.execute(`INSERT INTO onboarding_steps (organization_id, number, started_at)
		VALUES ($1, 6, '2026-01-01'), ($1, 7, '2026-01-01')`,
		client.organizationID)
	in.do(client, "PUT", "/v1/organization_details/business_contact/",
		`{"business_contact_ssn":"666-12-3456","business_contact_dob":"2999-12-31"}`).expect(400)
	in.do(client, "PUT", "/v1/organization_details/business_owners/",
		`{"business_owner66612345_123456789":1}`).expect(400)
	for _, number := range []int{6, 7} {
		kept, err := json.Marshal(in.stepOf(client, number))
		require.NoError(t, err)
		require.Contains(t, string(kept), `"refused":1`)
		require.NotRegexp(t, `666-|owner66|-3456|2999-|_1234|canary`, string(kept),
			"three digits alone occur in times, too")
	}
	// A key that may not submit a step leaves no record.
	in.execute("UPDATE client_grants SET ended_at = now() WHERE organization_id = $1", client.organizationID)
	in.do(in.partnerFor(client), "PUT", step3, `{}`).expect(400)
	require.InDelta(t, 1, in.stepOf(client, 3)["refused"], 0)
}

// Rows written by other versions of the service are read and answered without conversion.
func TestFaultsOfAStepAreStoredWithTheLocationOfTheContract(t *testing.T) {
	t.Parallel()
	in := install(t)
	client := in.client("Client")
	in.do(client, "PUT", "/v1/organization_details/business_details/",
		`{"entity_type":"LLC","incorporation_country":"US"}`).expect(400)
	var stored string
	in.read(&stored, "SELECT errors::text FROM onboarding_steps WHERE organization_id = $1 AND number = 3",
		client.organizationID)
	require.JSONEq(t, `[{"code":"missing_field","location":"body.company_country_code",
		"message":"company_country_code is required."}]`, stored)
	const before = `[{"code":"invalid_format","location":"body.ein","message":"Must be 9 digits."}]`
	in.execute("UPDATE onboarding_steps SET errors = $2 WHERE organization_id = $1 AND number = 3",
		client.organizationID, before)
	answered, err := json.Marshal(in.stepOf(client, 3)["errors"])
	require.NoError(t, err)
	require.JSONEq(t, before, string(answered))
}

func TestTheReasonOfACancellationIsReadable(t *testing.T) {
	t.Parallel()
	in := install(t)
	client := in.client("Client")
	require.Nil(t, in.do(in.root, "GET", "/v1/onboarding/"+client.organizationID, "").expect(200).member("reason"))
	a := in.do(in.root, "POST", "/v1/onboarding/"+client.organizationID+"/cancel",
		`{"reason":"Went elsewhere, account 12-345 678901"}`).expect(200)
	require.Equal(t, "Went elsewhere, account ****", a.member("reason"))
	require.Equal(t, "Client", a.member("organization_name"))
}

func TestListOnboardings(t *testing.T) {
	t.Parallel()
	in := install(t)
	ids := map[string]string{}
	for _, name := range []string{"Alpha", "Beta", "Gamma", "Delta", "Gone"} {
		ids[name] = in.do(in.root, "POST", "/v1/organizations", `{"name":"`+name+`"}`).expect(200).text("id")
	}
	move := func(name string, completed int, status string, days int) {
		in.execute(`UPDATE onboardings SET completed = $2, status = $3,
			compensation_started_at = CASE WHEN $3 = 'CANCELLED' THEN now() - make_interval(days => $4, hours => 1) END
			WHERE organization_id = $1`, ids[name], completed, status, days)
		in.execute("UPDATE organizations SET onboarding_status = $2 WHERE id = $1", ids[name], status)
		in.execute(`INSERT INTO onboarding_steps (organization_id, number, started_at, completed_at)
			SELECT $1, n, now() - make_interval(days => $3, hours => 1),
			       CASE WHEN n <= $2 THEN now() - make_interval(days => $3, hours => 1) END
			  FROM generate_series(1, least($2 + 1, 8)) n
			ON CONFLICT (organization_id, number) DO UPDATE SET started_at = excluded.started_at,
			   completed_at = excluded.completed_at`, ids[name], completed, days)
	}
	move("Alpha", 2, "IN_PROGRESS", 10)
	move("Beta", 2, "IN_PROGRESS", 3)
	move("Gamma", 5, "IN_PROGRESS", 40)
	move("Delta", 8, "COMPLETED", 5)
	move("Gone", 4, "CANCELLED", 7)
	for query, want := range map[string][]any{
		"":                                          {"Gamma", "Alpha", "Gone", "Delta", "Beta"},
		"?order_by=-since":                          {"Beta", "Delta", "Gone", "Alpha", "Gamma"},
		"?order_by=next_step,since":                 {"Gone", "Delta", "Alpha", "Beta", "Gamma"},
		"?status__in=IN_PROGRESS":                   {"Gamma", "Alpha", "Beta"},
		"?status=CANCELLED,COMPLETED":               {"Gone", "Delta"},
		"?next_step__in=3":                          {"Alpha", "Beta"},
		"?next_step__in=3,6&age_days__gte=10":       {"Gamma", "Alpha"},
		"?age_days__gte=11":                         {"Gamma"},
		"?age_days__gte=5&status=IN_PROGRESS":       {"Gamma", "Alpha"},
		"?query=lt":                                 {"Delta"},
		"?query=" + ids["Gone"]:                     {"Gone"},
		"?is_test=false":                            {},
		"?page=2&size=2":                            {"Gone", "Delta"},
		"?page=9&size=2":                            {},
		"?status=NOT_STARTED&next_step__in=1,2,4,8": {},
	} {
		a := in.do(in.root, "GET", "/v1/onboardings"+query, "").expect(200)
		require.Equal(t, want, a.list("organization_name"), query)
		if strings.Contains(query, "size=") {
			continue
		}
		file := in.do(in.root, "GET", "/v1/onboardings/export?format=csv&"+strings.TrimPrefix(query, "?"), "").expect(200)
		rows, err := csv.NewReader(strings.NewReader(file.Body.String())).ReadAll()
		require.NoError(t, err)
		names := []any{}
		for _, row := range rows[1:] {
			names = append(names, row[1])
		}
		require.Equal(t, want, names, query)
	}
	a := in.do(in.root, "GET", "/v1/onboardings?status=IN_PROGRESS&next_step__in=3&size=1", "").expect(200)
	require.Equal(t, []any{2.0, 2.0}, []any{a.member("total"), a.member("pages")})
	count := func(status string, next any, n, long float64) any {
		return map[string]any{"status": status, "next_step": next, "count": n, "without_progress": long}
	}
	require.Equal(t, []any{
		count("CANCELLED", nil, 1, 0), count("COMPLETED", nil, 1, 0),
		count("IN_PROGRESS", 3.0, 2, 1), count("IN_PROGRESS", 6.0, 1, 1),
	}, a.member("counts"), "whatever status and step are requested")
	require.Equal(t, []any{count("IN_PROGRESS", 6.0, 1, 1)},
		in.do(in.root, "GET", "/v1/onboardings?age_days__gte=30", "").expect(200).member("counts"))

	item := in.do(in.root, "GET", "/v1/onboardings?query=Gamma", "").expect(200).member("items").([]any)[0]
	alone := map[string]any{}
	require.NoError(t, json.Unmarshal(
		in.do(in.root, "GET", "/v1/onboarding/"+ids["Gamma"], "").expect(200).Body.Bytes(), &alone,
	))
	require.Equal(t, alone, item, "the same as alone")

	for query, fault := range map[string]string{
		"next_step__in=9": "out_of_range", "next_step__in=x": "invalid_format", "status=OVER": "invalid_enum",
		"age_days__gte=-1": "out_of_range", "order_by=name": "unknown_order_field",
	} {
		require.Contains(t, in.do(in.root, "GET", "/v1/onboardings?"+query, "").expect(400).Body.String(), fault)
	}
	client := in.client("Client")
	in.do(client, "GET", "/v1/onboardings", "").expect(403, "forbidden_for_key")
	in.do(credentials{client.organizationID, in.root.key}, "GET", "/v1/onboardings", "").expect(403, "forbidden_for_key")

	for query, want := range map[string][]any{
		"onboarding_status=COMPLETED":             {"Delta"},
		"onboarding_status=COMPLETED,CANCELLED":   {"Gone", "Delta"},
		"onboarding_status=NOT_STARTED":           {"Partner"},
		"onboarding_status=EXPIRED&status=ACTIVE": {},
	} {
		a := in.do(in.root, "GET", "/v1/organizations?order_by=-name&"+query, "").expect(200)
		require.Equal(t, want, a.list("name"), query)
	}

	// A cell that a spreadsheet would read as a formula is text.
	in.execute("UPDATE organizations SET name = '=HYPERLINK(\"http://example.com\")' WHERE id = $1", ids["Gone"])
	in.execute("UPDATE onboardings SET reason = '+1' WHERE organization_id = $1", ids["Gone"])
	in.execute("UPDATE onboarding_steps SET refused = 2, error = '@SUM(A1)' WHERE organization_id = $1 AND number = 6",
		ids["Gamma"])
	file := in.do(in.root, "GET", "/v1/onboardings/export?format=csv&status=CANCELLED,IN_PROGRESS",
		"").expect(200).Body.String()
	for _, cell := range []string{`"'=HYPERLINK(""http://example.com"")"`, ",'+1,", ",BUSINESS_CONTACT,",
		",2,'@SUM(A1),"} {
		require.Contains(t, file, cell)
	}
}
