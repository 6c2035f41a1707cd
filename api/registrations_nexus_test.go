package api_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"levy/models"
	"levy/tax/calendar"
)

func TestRegisterNexus(t *testing.T) {
	t.Parallel()
	in := install(t)
	in.knowNexus()
	client := in.client("Client")
	nexus := func(as credentials, country, state string) string {
		var id string
		in.read(
			&id,
			"SELECT id FROM nexus_records WHERE organization_id = $1 AND country_code = $2 AND state_code = $3",
			as.organizationID, country, state,
		)
		return id
	}
	register := func(id, body string) answer { return in.do(client, "PUT", "/v1/nexus/"+id+"/register", body) }

	newYork := nexus(client, "US", "NY")
	a := register(newYork, "").expect(200)
	require.Equal(t, []any{"US", "NY", "New York", "PROCESSING", newYork, "QUARTERLY", "REGULAR"},
		[]any{
			a.member("country_code"), a.member("state_code"), a.member("state_name"), a.member("status"),
			a.member("nexus_id"), a.member("filing_frequency"), a.member("registration_import_type"),
		})
	require.Equal(t, a.text("id"), register(newYork, "{}").expect(409, "duplicate_registration").text("existing_id"))
	b := register(
		nexus(client, "US", "TX"),
		`{"filing_frequency":"ANNUAL","imported":true,"country_code":"CA","state_code":"ON","comment":"c"}`,
	).expect(200)
	require.Equal(t, []any{
		"US", "TX", "REGISTERED", "ANNUALLY", "c",
	}, []any{
		b.member("country_code"), b.member("state_code"), b.member("status"), b.member("filing_frequency"),
		b.member("comment"),
	})

	union := nexus(client, "ZZ_EU", "ZZ_EU")
	require.Contains(
		t, register(union, "").expect(400, "validation_failed").Body.String(),
		"body.oss_member_state_of_identification_code",
	)
	require.Contains(t, register(
		nexus(client, "US", "WA"),
		`{"registration_import_type":"OSS","oss_type":"UNION","oss_member_state_of_identification_code":"IE"}`,
	).
		expect(400, "validation_failed").Body.String(), "body.registration_import_type")
	in.execute(
		`UPDATE organization_details SET place = '{"country": "IE"}' WHERE organization_id = $1`,
		client.organizationID,
	)
	c := register(union, `{"filing_frequency":"MONTHLY"}`).expect(200)
	require.Equal(t, []any{"OSS", "UNION", "IE", "MONTHLY"},
		[]any{
			c.member("registration_import_type"), c.member("oss_type"),
			c.member("oss_member_state_of_identification_code"), c.member("filing_frequency"),
		})

	register(nexus(in.root, "US", "NY"), "").expect(404, "resource_not_found")
	register(models.NewID(models.PrefixNexus), "").expect(404, "resource_not_found")
	register(newYork, `{"filing_frequency":"WEEKLY"}`).expect(400, "validation_failed")
}

// knowNexus stores the jurisdictions in which organizations can have nexus.
func (in *installation) knowNexus() {
	in.t.Helper()
	require.NoError(
		in.t,
		in.store.Nexus.RecordNexusJurisdictions(
			in.t.Context(), models.NexusJurisdictionsOf(in.contentCache.Current(), calendar.DateOf(time.Now())),
		),
	)
	_, _, err := in.store.Nexus.EnsureNexusRecords(in.t.Context(), "")
	require.NoError(in.t, err)
}
