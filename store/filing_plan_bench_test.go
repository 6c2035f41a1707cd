package store_test

import (
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"levy/store"
	"levy/store/storetest"
)

// BenchmarkPlanFilings is the plan of one day for 10,000 registrations: the first of
// a month, on which each of them gets a filing, and a day on which there is nothing
// to plan although three years of filings stand behind each.
func BenchmarkPlanFilings(b *testing.B) {
	const registrations = 10_000
	url := storetest.URL(b)
	s := storetest.Open(b, store.Options{URL: url})
	conn, err := pgx.Connect(b.Context(), url)
	require.NoError(b, err)
	for range 100 {
		scope := storetest.Organization(b, url)
		_, err := conn.Exec(b.Context(), `
			WITH made AS (
			  INSERT INTO registrations (organization_id, id, country_code, state_code, state_name, status, filing_frequency, registration_import_type,
			         registration_date, auto_registered, do_not_file, registrations_regime, imported, initial_sync, vda, sst_import, amount_fees,
			         third_party_enabled, two_factor_enabled, marked_collecting, created_at, updated_at)
			  SELECT $1::text, 'regs_' || substr($1::text, 5, 20) || lpad(n::text, 6, '0'), 'US', 'S' || n, 'S', 'REGISTERED', 'MONTHLY', 'REGULAR',
			         '2023-01-01', false, false, 'STANDARD', true, false, false, false, 0, false, false, false, now(), now()
			    FROM generate_series(1, 100) n RETURNING organization_id, id)
			INSERT INTO registration_frequencies SELECT organization_id, id, '1900-01-01', 'MONTHLY' FROM made`, scope.OrganizationID)
		require.NoError(b, err)
	}
	for _, day := range []struct {
		name, last string
		planned    int
	}{
		{"three years at once", "2025-12-31", 36 * registrations}, {"the first of a month", "2026-01-31", registrations}, {"nothing to plan", "2026-01-31", 0},
	} {
		b.Run(day.name, func(b *testing.B) {
			for b.Loop() {
				planned, err := planAll(b.Context(), s, day.last)
				require.NoError(b, err)
				require.Equal(b, day.planned, planned)
				day.planned = 0
			}
		})
	}
}
