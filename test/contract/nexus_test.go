package contract_test

import (
	"fmt"

	"github.com/stretchr/testify/require"
)

const presenceBody = `{"country_code":"US","state_code":"NY","start_date":"2026-03-01","category":"WAREHOUSE_AND_INVENTORY_PRESENCE"}`

// exposed is a nexus record of the organization that can be disregarded.
func (in *installation) exposed(as credentials) string {
	in.t.Helper()
	var list struct {
		Items []struct {
			ID string `json:"id"`
		} `json:"items"`
	}
	_, _, err := in.store.EnsureNexusRecords(in.t.Context(), "") // some organizations of the tests are made by hand
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
