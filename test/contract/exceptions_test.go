package contract_test

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// Nexus without a registration is an exception from its first day, also where it makes no obligation; not while all
// of it is disregarded, but again after that.
func TestNexusWithoutARegistrationNeedsSomebody(t *testing.T) {
	t.Parallel()
	in := install(t)
	shop := in.client()
	become := func(columns string) {
		in.execute("UPDATE nexus_records SET "+columns+" WHERE id = $1", in.nexusOf(shop.organization, "NY"))
	}
	every := func(field string) []any {
		all := []any{}
		for _, e := range in.get(shop, "/v1/exceptions").list("items") {
			all = append(all, e.(map[string]any)[field])
		}
		return all
	}
	since := func() []any { return every("since") }
	require.Empty(t, since())
	become("status = 'EXPOSED', nexus_met = true, nexus_met_date = '2026-03-01', period_start_date = '2025-09-01'")
	require.Equal(t, []any{"2026-03-01T00:00:00Z"}, since(), "met by tax that was collected")
	require.Equal(t, []any{"The organization collected tax there and has to remit it but is not registered."},
		every("reason"))
	become("obliged_from = '2026-04-20'")
	require.Equal(t, []any{"2026-04-20T00:00:00Z"}, since())
	require.Equal(t, []any{"The organization has to collect tax there but is not registered."}, every("reason"))

	become(`nexus_met = false, nexus_met_date = NULL, disregarded_at = '2026-05-01', disregarded_by = 'Ada',
		disregarded_until = '2026-06-01', disregarded_nexus_types = '["ECONOMIC","PHYSICAL","COLLECTED_TAX"]'`)
	require.Empty(t, since())
	become("nexus_met = true, nexus_met_date = '2026-03-01'")
	require.Equal(t, []any{"2026-04-20T00:00:00Z"}, since(), "evaluated again after the day on which that ends")
}
