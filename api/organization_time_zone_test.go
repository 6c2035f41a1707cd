package api_test

import (
	"net/http"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// An organization may have a time zone. The session has it, a wrong name is refused with an example, and the audit trail
// has the old and the new one.
func TestTheTimeZoneOfAnOrganization(t *testing.T) {
	t.Parallel()
	in := install(t)
	client := in.client("Shop")
	path := "/v1/organizations/" + client.organizationID + "/settings"
	ofSession := func() any {
		session := in.do(client, http.MethodGet, "/v1/session", "").expect(200)
		return session.member("organizations").([]any)[0].(map[string]any)["time_zone"]
	}
	require.Nil(t, ofSession())
	for body, want := range map[string]string{
		`{"time_zone":"America/Springfield"}`: "invalid_format body.time_zone", `{"time_zone":"../UTC"}`: "invalid_format body.time_zone",
		`{"time_zone":"Local"}`: "invalid_format body.time_zone", `{"time_zone":-5}`: "invalid_type body.time_zone",
	} {
		require.Equal(t, []string{want}, in.do(client, http.MethodPost, path, body).bodyFaults(), body)
	}
	require.Contains(t, in.do(client, http.MethodPost, path, `{"time_zone":"America/Springfield"}`).expect(400).Body.String(),
		"such as America/New_York")
	set := func(zone string) {
		t.Helper()
		in.do(client, http.MethodPost, path, `{"time_zone":`+zone+`}`).expect(200)
	}
	set(`"America/Chicago"`)
	require.Equal(t, "America/Chicago", ofSession())
	in.do(client, http.MethodPost, path, `{"prefer_collected_tax_amounts":true}`).expect(200)
	require.Equal(t, "America/Chicago", in.do(client, http.MethodGet, path, "").expect(200).text("time_zone"))
	viewer := in.memberOf(client, "vi@example.com", "viewer")
	seen := in.asPerson(viewer, client.organizationID, http.MethodGet, "/v1/session", "").expect(200).member("organizations")
	require.Equal(t, "America/Chicago", seen.([]any)[0].(map[string]any)["time_zone"])
	in.asPerson(viewer, client.organizationID, http.MethodPost, path, `{"time_zone":"UTC"}`).expect(403)
	set("null")
	require.Nil(t, in.do(client, http.MethodGet, path, "").expect(200).member("time_zone"))
	trail := in.do(client, http.MethodGet, "/v1/audit?object_type__in=organization_settings", "").expect(200).Body.String()
	require.Contains(t, trail, `"time_zone":{"from":null,"to":"America/Chicago"}`)
	require.Contains(t, trail, `"time_zone":{"from":"America/Chicago","to":null}`)
}

// A return is filed until today by the time zone of its organization. A pause ends by the day in UTC, and by neither day at once.
func TestDaysOfAFilingInTheTimeZoneOfAnOrganization(t *testing.T) {
	t.Parallel()
	in := install(t)
	client := in.client("Shop")
	registration := in.registration(client, strings.TrimSuffix(inNewYork, "}")+`,"registration_date":"2024-05-01"}`)
	for n, name := range []string{"Pacific/Kiritimati", "Pacific/Auckland", "Pacific/Honolulu"} {
		in.do(client, http.MethodPost, "/v1/organizations/"+client.organizationID+"/settings", `{"time_zone":"`+name+`"}`).expect(200)
		zone, err := time.LoadLocation(name)
		require.NoError(t, err)
		today := func(more int) string { return time.Now().In(zone).AddDate(0, 0, more).Format(time.DateOnly) }
		file := func(day string) answer {
			return in.do(client, http.MethodPost, "/v1/filings", `{"registration_id":"`+registration.text("id")+`","status":"FILED",
				"start_date":"2026-0`+strconv.Itoa(n+1)+`-01","end_date":"2026-0`+strconv.Itoa(n+1)+`-28","country_code":"US",
				"state_code":"NY","state_name":"New York","return_confirmation_id":"C","date_filed":"`+day+`"}`)
		}
		require.Equal(t, []string{"out_of_range body.date_filed"}, file(today(1)).bodyFaults(), name)
		file(today(0)).expect(200)
		filing := in.do(client, http.MethodPost, "/v1/filings", `{"registration_id":"`+registration.text("id")+`","status":"UNFILED",
			"start_date":"2025-0`+strconv.Itoa(n+1)+`-01","end_date":"2025-0`+strconv.Itoa(n+1)+`-28","country_code":"US",
			"state_code":"NY","state_name":"New York"}`).expect(200).text("id")
		pause := func(day string) answer {
			return in.do(client, http.MethodPut, "/v1/filings/"+filing, `{"status":"PAUSED","paused_until_date":"`+day+`"}`)
		}
		for _, day := range []string{today(0), days(0)} {
			require.Equal(t, []string{"out_of_range body.paused_until_date"}, pause(day).bodyFaults(), name)
		}
		pause(max(today(1), days(1))).expect(200)
	}
}

// The time zone of an organization decides no tax date, period or due date, whether it is set before or after them.
func TestNoDayFollowsFromTheTimeZoneOfAnOrganization(t *testing.T) {
	t.Parallel()
	in := install(t)
	client := in.client("Shop")
	in.product(client, "P-1")
	registration := in.registration(client, strings.TrimSuffix(inNewYork, "}")+`,"registration_date":"2024-05-01"}`)
	filing := in.filing(client, registration, "UNFILED")
	const late = "2026-05-31T20:30:00Z" // in Kiritimati already in June
	sell := func(id string) string {
		sale := strings.Replace(saleOf(lines(`"amount":10,"external_id":"A"`)), "ORDER-1", id, 1)
		return record(t, in, client, strings.Replace(sale, "2026-05-15T10:00:00Z", late, 1)).text("id")
	}
	days := func(sale string) []any {
		sold := in.do(client, http.MethodGet, "/v1/transactions/"+sale, "").expect(200)
		in.do(client, http.MethodPut, filing, `{"due_date":"2026-12-24"}`).expect(200)
		due := in.do(client, http.MethodPut, filing, `{"due_date":null}`).expect(200) // that of the law again
		estimate := in.do(client, http.MethodPost, "/v1/tax/estimate", `{"amount":100,"date":"`+late+`",
			"shipping_address":{"city":"New York","state":"NY","postal_code":"10118","country":"US"}}`).expect(200)
		return []any{sold.text("tax_date"), estimate.text("tax_date"), due.text("start_date"), due.text("end_date"), due.text("due_date")}
	}
	before := sell("BEFORE")
	want := []any{"2026-05-31", "2026-05-31", "2026-01-01", "2026-01-31", "2026-02-20"}
	require.Equal(t, want, days(before))
	in.do(client, http.MethodPost, "/v1/organizations/"+client.organizationID+"/settings", `{"time_zone":"Pacific/Kiritimati"}`).expect(200)
	require.Equal(t, want, days(before))
	require.Equal(t, want, days(sell("AFTER")))
}
