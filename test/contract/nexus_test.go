package contract_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"
)

const overrideBody = `{"country_code":"US","state_code":"NY","jurisdiction_type":"STATE","jurisdiction_name":"New ` +
	`York","rate":0.0475,"start_date":"2099-01-01","reason":"A notice"}`

const presenceBody = `{"country_code":"US","state_code":"NY","start_date":"2026-03-01",` +
	`"category":"WAREHOUSE_AND_INVENTORY_PRESENCE"}`

// exposed is a nexus record of the organization that can be disregarded.
func (in *installation) exposed(as credentials) string {
	in.t.Helper()
	var list struct {
		Items []struct {
			ID string `json:"id"`
		} `json:"items"`
	}
	_, _, err := in.store.Nexus.EnsureNexusRecords(in.t.Context(), "") // some organizations of the tests are created manually
	require.NoError(in.t, err)
	in.call(as, "GET", "/v1/nexus?state_code=NY", "", 200).decode(in.t, &list)
	in.expose(list.Items[0].ID)
	return list.Items[0].ID
}

// expose brings a nexus record to EXPOSED, as an evaluation would.
func (in *installation) expose(id string) {
	in.t.Helper()
	in.execute(fmt.Sprintf(`UPDATE nexus_records SET status = 'EXPOSED' WHERE id = '%s'`, id))
}

// A simulation with faults of every kind reports all of them, also those that follow from the law.
func TestASimulationReportsAllFaultsAtOnce(t *testing.T) {
	t.Parallel()
	in := install(t)
	a := in.call(in.client(), "POST", "/v1/nexus/simulate",
		`{"on":"2099-01-01","sales_change_percent":-101,"marketplace_share":"much",
		"jurisdictions":[{"country_code":"US","state_code":"NY"},{"country_code":"US","state_code":"Atlantis"},
			{"country_code":"QQ","state_code":"NY"}],
		"additional_sales":[{"country_code":"US","state_code":"XX","date":"2026-02-30","amount":1},{"country_code":"CA",
			"state_code":"TX","date":"2026-02-01","amount":1}],
		"thresholds":[{"country_code":"US","state_code":"Gondor","threshold_sales":-1},{"country_code":"US"}]}`, 400)
	var found []string
	for _, e := range a.problem(t).Errors {
		found = append(found, e.Code+" "+e.Location)
	}
	require.ElementsMatch(t, []string{
		"out_of_range body.on", "out_of_range body.sales_change_percent", "invalid_type body.marketplace_share",
		"invalid_enum body.jurisdictions[1].state_code", "invalid_enum body.jurisdictions[2].country_code",
		"invalid_enum body.additional_sales[0].state_code", "invalid_format body.additional_sales[0].date",
		"invalid_enum body.additional_sales[1].state_code",
		"invalid_enum body.thresholds[0].state_code", "out_of_range body.thresholds[0].threshold_sales",
		"missing_field body.thresholds[1].state_code",
	}, found)
	for _, same := range []string{`"ny"`, `"New York"`, `" NY "`} {
		in.call(in.root, "POST", "/v1/nexus/simulate", `{"jurisdictions":[{"country_code":"US","state_code":`+same+`}]}`, 200)
	}
}

// A refused disregard gives the reason, and names no status that was not requested.
func TestARefusedDisregardGivesTheReason(t *testing.T) {
	t.Parallel()
	in := install(t)
	client := in.client()
	id := in.exposed(client)
	for _, status := range []string{"NOT_EXPOSED", "PENDING_REGISTRATION", "REGISTERED"} {
		in.execute("UPDATE nexus_records SET status = $2 WHERE id = $1", id, status)
		a := in.call(client, "POST", "/v1/nexus/"+id+"/disregard", `{"reason":"Resale only"}`, 409)
		require.Equal(t, "invalid_status_transition", a.problem(t).Code)
		require.Equal(t, "Only nexus that is APPROACHING or EXPOSED can be disregarded, and this is "+status+".",
			a.problem(t).Detail)
		require.Equal(t, []any{status, nil, []any{"APPROACHING", "EXPOSED"}},
			[]any{a.member(t, "from"), a.member(t, "to"), a.member(t, "allowed")})
		if status == "NOT_EXPOSED" {
			in.expose(id) // from where it can be registered
		}
	}
}
