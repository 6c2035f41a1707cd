package api_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"levy/models"
)

// Every transition is requested. Those of the table that clients may make succeed. The others are refused
// with the allowed ones.
func TestTheStatusOfARegistrationFollowsItsTransitions(t *testing.T) {
	t.Parallel()
	in := install(t)
	byClients := map[string][]string{
		"UNREGISTERED":           {"PROCESSING", "CANCELLED"},
		"PROCESSING":             {"AWAITING_CLARIFICATION", "REGISTERED", "CANCELLED"},
		"VALIDATING":             {"AWAITING_CLARIFICATION", "REGISTERED", "CANCELLED"},
		"AWAITING_CLARIFICATION": {"PROCESSING", "REGISTERED", "CANCELLED"},
		"REGISTERED":             {},
		"DEREGISTERING":          {"DEREGISTERED"},
		"DEREGISTERED":           {},
		"CANCELLED":              {},
	}
	path := "/v1/registrations/" + in.registration(in.root, inNewYork).text("id")
	for _, from := range models.RegistrationTransitions.States {
		for _, to := range models.RegistrationTransitions.States {
			in.execute("SET session_replication_role = replica; UPDATE registrations SET registration_date = '2026-01-01', " +
				"deregistration_date = '2026-10-01', status = '" + from + "'")
			a := in.do(in.root, "PUT", path, `{"status":"`+to+`"}`)
			allowed := byClients[from]
			switch {
			case from == to:
				require.Equal(t, 200, a.Code, "%s stays", from)
			case contains(allowed, to):
				require.Equal(t, to, a.expect(200).text("status"), "%s to %s", from, to)
			default:
				a.expect(409, "invalid_status_transition")
				require.Equal(t, []any{from, to}, []any{a.member("from"), a.member("to")})
				require.ElementsMatch(t, allowed, a.member("allowed"), from)
			}
		}
	}
}

func contains(list []string, s string) bool {
	for _, x := range list {
		if x == s {
			return true
		}
	}
	return false
}

func TestUpdateRegistration(t *testing.T) {
	t.Parallel()
	in := install(t)
	path := "/v1/registrations/" + in.registration(
		in.root,
		strings.TrimSuffix(inNewYork,
			"}")+`,"username":"u","comment":"c","amount_fees":5,"registrations_regime":"SIMPLIFIED"}`,
	).text("id")
	for _, c := range []struct {
		body string
		want map[string]any
	}{
		{
			`{}`,
			map[string]any{
				"username": "u", "comment": "c", "amount_fees": "5.00", "registrations_regime": "SIMPLIFIED",
				"status": "PROCESSING",
			},
		},
		{`{"country_code":"CA","state_code":"ON","imported":true,"oss_type":"UNION","auto_registered":true}`,
			map[string]any{
				"country_code": "US", "state_code": "NY", "imported": false, "oss_type": nil,
				"auto_registered": false,
			}},
		{`{"third_party_enabled":true,"two_factor_enabled":true,"marked_collecting":true,"vda":true,"initial_sync":true,
			"do_not_file":true,"change_regime_status":"REQUESTED",
			"sales_tax_id":"S","tax_id":"T","registration_requested":"2026-01-02T03:04:05Z","create_filings_from":"2026-01-01",
			"registration_email":"a@example.com","jurisdiction_specific_fields":{"a":1}}`,
			map[string]any{"third_party_enabled": true, "two_factor_enabled": true, "marked_collecting": true,
				"vda": true, "initial_sync": true, "do_not_file": true,
				"change_regime_status": "REQUESTED", "sales_tax_id": "S", "tax_id": "T",
				"registration_requested": "2026-01-02T03:04:05Z", "create_filings_from": "2026-01-01",
				"registration_email": "a@example.com"}},
		{`{"third_party_enabled":null,"two_factor_enabled":null,"marked_collecting":null,"vda":null,"initial_sync":null,
			"do_not_file":null,"change_regime_status":null,
			"sales_tax_id":null,"tax_id":null,"registration_requested":null,"create_filings_from":null,"registration_email":null,
			"jurisdiction_specific_fields":null,
			"username":null,"comment":null,"amount_fees":null,"registrations_regime":null,"password_plain_text":null}`,
			map[string]any{"third_party_enabled": false, "two_factor_enabled": false, "marked_collecting": false,
				"marked_collecting_date": nil, "vda": false, "initial_sync": false, "do_not_file": false,
				"change_regime_status": nil, "sales_tax_id": nil, "tax_id": nil, "registration_requested": nil,
				"create_filings_from": nil, "registration_email": nil,
				"jurisdiction_specific_fields": nil, "username": nil, "comment": nil, "amount_fees": "0.00",
				"registrations_regime": "STANDARD"}},
		{
			`{"registration_date":"` + days(3) + `"}`,
			map[string]any{"status": "PROCESSING", "registration_date": days(3)},
		},
		{`{"status":"AWAITING_CLARIFICATION"}`, map[string]any{"status": "AWAITING_CLARIFICATION"}},
		{`{"start_date":"` + days(-3) + `"}`, map[string]any{"status": "REGISTERED", "registration_date": days(-3)}},
		{`{"registration_date":null}`, map[string]any{"status": "REGISTERED", "registration_date": days(0)}},
		{`{"filing_frequency":"ANNUAL"}`, map[string]any{"filing_frequency": "ANNUALLY"}},
	} {
		a := in.do(in.root, "PUT", path, c.body).expect(200)
		for name, want := range c.want {
			require.Equal(t, want, a.member(name), "%s: %s", c.body, name)
		}
		require.JSONEq(t, a.Body.String(), in.do(in.root, "GET", path, "").expect(200).Body.String())
	}
	for body, location := range map[string]string{
		`{"status":"X"}`:                                               "body.status",
		`{"filing_frequency":"WEEKLY"}`:                                "body.filing_frequency",
		`{"create_filings_from":"1999-01-01"}`:                         "body.create_filings_from",
		`{"start_date":"2026-01-01","registration_date":"2026-01-01"}`: "body.start_date",
	} {
		require.Contains(
			t, in.do(in.root, "PUT", path, body).expect(400, "validation_failed").Body.String(),
			`"location":"`+location+`"`, body,
		)
	}
}

func TestDeregister(t *testing.T) {
	t.Parallel()
	in := install(t)
	path := "/v1/registrations/" + in.registration(in.root, inNewYork).text("id")
	refused := in.do(in.root, "POST", path+"/deregister", "").expect(409, "invalid_status_transition")
	require.Equal(t, []any{"PROCESSING", "DEREGISTERING"}, []any{refused.member("from"), refused.member("to")})
	in.do(in.root, "PUT", path, `{"status":"REGISTERED","registration_date":"`+days(-10)+`"}`).expect(200)
	require.Contains(
		t,
		in.do(in.root, "POST", path+"/deregister", `{"deregistration_date":"`+days(-11)+`"}`).
			expect(400, "validation_failed").Body.String(),
		"body.deregistration_date",
	)
	a := in.do(in.root, "POST", path+"/deregister", `{"reason":"closed"}`).expect(200)
	require.Equal(t, []any{"DEREGISTERING", days(0), "closed", "DEREGISTRATION", nil},
		[]any{
			a.member("status"), a.member("deregistration_date"), a.member("deregistration_reason"),
			a.member("registration_category"), a.member("deregistration_completed"),
		})
	require.NotNil(t, a.member("deregistration_requested"))
	in.do(in.root, "POST", path+"/deregister", "").expect(409, "invalid_status_transition")
	in.do(in.root, "PUT", path, `{"comment":"still possible"}`).expect(200)
	ended := in.do(in.root, "PUT", path, `{"status":"DEREGISTERED"}`).expect(200)
	require.NotNil(t, ended.member("deregistration_completed"))
	in.registration(in.root, inNewYork)
}

// Passwords are stored only in their encrypted columns, and can be decrypted only there.
func TestPasswordsOfPortalsAreSealed(t *testing.T) {
	t.Parallel()
	in := install(t)
	id := in.registration(
		in.root,
		strings.TrimSuffix(inNewYork,
			"}")+`,"password_plain_text":"pw-canary-1","password_metadata_plain_text":"pw-canary-2"}`,
	).text("id")
	scope := models.Scope{OrganizationID: in.root.organizationID}
	sealed, err := in.store.Registrations.Registration(t.Context(), scope, id)
	require.NoError(t, err)
	key, err := in.steps.Vault.KeyOrNew(t.Context(), scope.OrganizationID)
	require.NoError(t, err)
	plain, err := key.Open("password of "+id, sealed.Password)
	require.NoError(t, err)
	require.Equal(t, "pw-canary-1", string(plain))
	_, err = key.Open("password metadata of "+id, sealed.Password)
	require.Error(t, err)

	in.do(in.root, "PUT", "/v1/registrations/"+id, `{"password_plain_text":"pw-canary-3"}`).expect(200)
	in.do(
		in.root, "PUT", "/v1/registrations/"+id,
		`{"password_plain_text":"`+strings.Repeat("pw-canary-4", 50)+`"}`,
	).expect(400)
	changed, err := in.store.Registrations.Registration(t.Context(), scope, id)
	require.NoError(t, err)
	require.NotEqual(t, sealed.Password, changed.Password)
	require.Equal(t, sealed.PasswordMetadata, changed.PasswordMetadata)
	in.do(
		in.root, "PUT", "/v1/registrations/"+id,
		`{"password_plain_text":null,"password_metadata_plain_text":null}`,
	).expect(200)
	cleared, err := in.store.Registrations.Registration(t.Context(), scope, id)
	require.NoError(t, err)
	require.Nil(t, cleared.Password)
	require.Nil(t, cleared.PasswordMetadata)
	require.NotContains(t, in.log.String(), "pw-canary")
	require.NotContains(t, in.do(in.root, "GET", "/v1/registrations", "").Body.String(), "canary")
}

// A future day changes no status. On the way to the authority it is the requested day. For a registration
// in force it is the day from which it counts.
func TestADayToComeChangesNoStatusOfARegistration(t *testing.T) {
	t.Parallel()
	in := install(t)
	for state, c := range map[string]struct{ made, status string }{
		"WA": {"", "PROCESSING"}, "TX": {`,"imported":true`, "REGISTERED"},
	} {
		path := "/v1/registrations/" + in.registration(in.root,
			`{"country_code":"US","state_code":"`+state+`","filing_frequency":"MONTHLY"`+c.made+`}`).text("id")
		a := in.do(in.root, "PUT", path, `{"registration_date":"`+days(30)+`"}`).expect(200)
		require.Equal(t, []string{c.status, days(30)}, []string{a.text("status"), a.text("registration_date")}, state)
	}
}
