package nexus_test

import (
	"testing"

	"github.com/jackc/pgx/v5/pgconn"
	"github.com/stretchr/testify/require"

	"levy/store/storetest"
)

// Each guard of the database refuses a statement that no code may execute, and nothing else refuses it: without the
// guard the statement is executed.
func TestEveryGuardOfNexusIsNeeded(t *testing.T) {
	t.Parallel()
	b := storetest.Setup(t, 1, 8)
	storetest.BeginNexus(t, b.Store)
	b.Processed(t, b.Accepted(t, 1))
	_, err := b.SQL.Exec(t.Context(), `INSERT INTO physical_nexus (organization_id, id, country_code, state_code,
		  start_date, category, source, created_at, updated_at)
		VALUES ($1, 'phys_1', 'US', 'NY', '2026-01-01', 'OTHER', 'USER', now(), now())`, b.Scope.OrganizationID)
	require.NoError(t, err)
	const ofNewYork = " WHERE country_code = 'US' AND state_code = 'NY'"
	for name, c := range map[string]struct{ statement, table, guard string }{
		"a second record of a jurisdiction": {
			`INSERT INTO nexus_records SELECT (jsonb_populate_record(r, '{"id": "nexs_other"}')).*
			   FROM nexus_records r` + ofNewYork, "nexus_records", "nexus_records_jurisdiction",
		},
		"a disregard without a kind": {
			"UPDATE nexus_records SET disregarded_at = now()" + ofNewYork, "nexus_records",
			"nexus_records_disregarded",
		},
		"kinds without a disregard": {
			`UPDATE nexus_records SET disregarded_nexus_types = '["ECONOMIC"]'` + ofNewYork, "nexus_records",
			"nexus_records_disregarded",
		},
		"an obligation that ends before it begins": {
			"UPDATE nexus_records SET obliged_from = '2026-02-01', obliged_until = '2026-01-01'" + ofNewYork,
			"nexus_records", "nexus_records_obliged",
		},
		"gaps of no obligation": {
			`UPDATE nexus_records SET obliged_gaps = '[{}]'` + ofNewYork, "nexus_records", "nexus_records_gaps",
		},
		"nine periods": {
			`UPDATE nexus_records SET periods = '[1, 2, 3, 4, 5, 6, 7, 8, 9]'` + ofNewYork, "nexus_records",
			"nexus_records_periods",
		},
		"an unknown type": {
			"UPDATE nexus_records SET nexus_type = 'CITY'" + ofNewYork, "nexus_records",
			"nexus_records_nexus_type_check",
		},
		"an unknown treatment of exempt sales": {
			"UPDATE nexus_records SET treatment_of_exempt_transactions = 'SOME'" + ofNewYork, "nexus_records",
			"nexus_records_treatment_of_exempt_transactions_check",
		},
		"an unknown test": {
			"UPDATE nexus_records SET sales_or_transactions = 'NONE'" + ofNewYork, "nexus_records",
			"nexus_records_sales_or_transactions_check",
		},
		"an unknown regime": {
			"UPDATE nexus_records SET registration_regime = 'NONE'" + ofNewYork, "nexus_records",
			"nexus_records_registration_regime_check",
		},
		"a liability that is no number": {
			"UPDATE nexus_records SET tax_liability = 'NaN'" + ofNewYork, "nexus_records",
			"nexus_records_tax_liability_check",
		},
		"a counter that is no number": {
			"UPDATE nexus_counters SET amount = 'NaN'", "nexus_counters", "nexus_counters_amount_check",
		},
		"taxes of a day that are no number": {
			`INSERT INTO nexus_taxes SELECT id, 'US', 'NY', 'US', 'USD', '2026-01-01'::date, 'NaN'::numeric, 0, 0
			   FROM organizations`,
			"nexus_taxes", "nexus_taxes_tax_check",
		},
		"two counters of a day": {
			"INSERT INTO nexus_counters SELECT * FROM nexus_counters", "nexus_counters", "nexus_counters_pkey",
		},
		"a sale that contributes twice": {
			"INSERT INTO nexus_contributions SELECT * FROM nexus_contributions", "nexus_contributions",
			"nexus_contributions_pkey",
		},
		"a sale without its time": {
			"UPDATE nexus_contributions SET sold_at = NULL", "nexus_contributions", "",
		},
		"a presence that ends before it begins": {
			"UPDATE physical_nexus SET end_date = '2025-12-31'", "physical_nexus", "physical_nexus_days",
		},
		"a repair of something else": {
			`INSERT INTO nexus_repairs (organization_id, workflow_id, run_id, kind, country_code, state_code, currency, day,
			        marketplace, found, expected)
			 SELECT id, '', '', 'X', '', '', '', '2026-01-01', false, '{}', '{}'
			   FROM organizations`,
			"nexus_repairs", "nexus_repairs_kind_check",
		},
		"an unknown transition of the status": {
			"UPDATE nexus_records SET status = 'PENDING_REGISTRATION'" + ofNewYork, "nexus_records",
			"nexus_records_status_moves",
		},
	} {
		t.Run(name, func(t *testing.T) {
			tx, err := b.SQL.Begin(t.Context())
			require.NoError(t, err)
			defer func() { _ = tx.Rollback(t.Context()) }()
			exec := func(sql string) error {
				_, err := tx.Exec(t.Context(), sql)
				return err
			}
			trigger := c.guard == "nexus_records_status_moves"
			if trigger {
				require.NoError(t, exec("UPDATE nexus_records SET status = 'REGISTERED'"+ofNewYork))
			}
			require.NoError(t, exec("SAVEPOINT before"))
			var refused *pgconn.PgError
			require.ErrorAs(t, exec(c.statement), &refused, "it is refused")
			require.NoError(t, exec("ROLLBACK TO before"))
			drop := "DROP CONSTRAINT " + c.guard
			switch {
			case trigger:
				drop = "DISABLE TRIGGER " + c.guard
			case c.guard == "":
				drop = "ALTER COLUMN sold_at DROP NOT NULL"
			default:
				require.Equal(t, c.guard, refused.ConstraintName)
			}
			require.NoError(t, exec("ALTER TABLE "+c.table+" "+drop))
			require.NoError(t, exec(c.statement), "without the guard it is executed")
		})
	}
}
