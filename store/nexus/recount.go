package nexus

import (
	"context"

	"github.com/jackc/pgx/v5"

	"levy/models"
	"levy/store/pg"
)

// selectCounterDifferences compares counters with contributions. Both are written together, so one statement sees only
// real differences.
const selectCounterDifferences = `
	WITH sums AS (
	  SELECT organization_id, country_code, state_code, currency, day, marketplace, sum(n) AS n, sum(amount) AS amount,
	         sum(exempt_n) AS exempt_n,
	         sum(exempt_amount) AS exempt_amount, sum(resale_n) AS resale_n, sum(resale_amount) AS resale_amount,
	         sum(collected_tax) AS collected_tax
	    FROM nexus_contributions WHERE organization_id = $1 GROUP BY 1, 2, 3, 4, 5, 6),
	both_sides AS (
	  SELECT organization_id, country_code, state_code, currency, day, marketplace, coalesce(s.n, 0) AS n,
	         coalesce(s.amount, 0) AS amount,
	         coalesce(s.exempt_n, 0) AS exempt_n, coalesce(s.exempt_amount, 0) AS exempt_amount,
	         coalesce(s.resale_n, 0) AS resale_n,
	         coalesce(s.resale_amount, 0) AS resale_amount, coalesce(s.collected_tax, 0) AS collected_tax,
	         coalesce(k.n, 0) AS kn, coalesce(k.amount, 0) AS kamount, coalesce(k.exempt_n, 0) AS kexempt_n,
	         coalesce(k.exempt_amount, 0) AS kexempt_amount,
	         coalesce(k.resale_n, 0) AS kresale_n, coalesce(k.resale_amount, 0) AS kresale_amount,
	         coalesce(k.collected_tax, 0) AS kcollected_tax
	    FROM sums s FULL JOIN (SELECT * FROM nexus_counters WHERE organization_id = $1) k
	   USING (organization_id, country_code, state_code, currency, day, marketplace)),
	wrong AS (
	  SELECT * FROM both_sides
	   WHERE (n, amount, exempt_n, exempt_amount, resale_n, resale_amount, collected_tax)
	      <> (kn, kamount, kexempt_n, kexempt_amount, kresale_n, kresale_amount, kcollected_tax))`

const listCounterDifferences = selectCounterDifferences + selectWrong

const selectWrong = `
	SELECT organization_id, country_code, state_code, currency, day, marketplace,
	       jsonb_build_object('n', kn, 'amount', kamount, 'exempt_n', kexempt_n, 'exempt_amount', kexempt_amount,
	       'resale_n', kresale_n,
	                          'resale_amount', kresale_amount, 'collected_tax', kcollected_tax),
	       jsonb_build_object('n', n, 'amount', amount, 'exempt_n', exempt_n, 'exempt_amount', exempt_amount,
	       'resale_n', resale_n,
	                          'resale_amount', resale_amount, 'collected_tax', collected_tax)
	  FROM wrong ORDER BY country_code, state_code, currency, day, marketplace`

// repairCounters adds the missing amounts, so concurrent counts remain.
const repairCounters = selectCounterDifferences + `,
	deltas AS (
	  SELECT organization_id, country_code, state_code, currency, day, marketplace, n - kn AS n,
	         amount - kamount AS amount, exempt_n - kexempt_n AS exempt_n,
	         exempt_amount - kexempt_amount AS exempt_amount, resale_n - kresale_n AS resale_n,
	         resale_amount - kresale_amount AS resale_amount,
	         collected_tax - kcollected_tax AS collected_tax
	    FROM wrong)` + CountDeltas + selectWrong

// RecountCounters compares the counters of an organization with the sums of its contributions, and the taxes of days
// with the totals of its transactions. With repair it also corrects them and records the differences.
func (s *Store) RecountCounters(
	ctx context.Context, run models.StageRun, organizationID string, repair bool,
) (differences []models.NexusDifference, err error) {
	err = s.db.InTx(ctx, func(ctx context.Context) error {
		statement := listCounterDifferences
		if repair {
			statement = repairCounters
		}
		differences, err = collectDifferences(ctx, s.db, models.NexusDifferenceCounter, statement, organizationID)
		if err != nil {
			return err
		}
		taxes, err := recountTaxes(ctx, s.db, organizationID, repair)
		if err != nil {
			return err
		}
		differences = append(differences, taxes...)
		if !repair || len(differences) == 0 {
			return nil
		}
		return SaveRepairs(ctx, s.db, run, differences)
	})
	return differences, err
}

func collectDifferences(
	ctx context.Context, tx pg.Querier, kind, statement, organizationID string,
) ([]models.NexusDifference, error) {
	rows, err := tx.Query(ctx, statement, organizationID)
	return pg.Collect(rows, err, func(row pgx.CollectableRow) (d models.NexusDifference, err error) {
		d.Kind = kind
		return d, row.Scan(
			&d.OrganizationID, &d.CountryCode, &d.StateCode, &d.Currency, &d.Day, &d.Marketplace, &d.Found,
			&d.Expected,
		)
	})
}

// SaveRepairs records the differences that were found and corrected.
func SaveRepairs(ctx context.Context, tx pg.Querier, run models.StageRun, differences []models.NexusDifference) error {
	_, err := tx.Exec(ctx, `
		INSERT INTO nexus_repairs (organization_id, workflow_id, run_id, kind, transaction_id, country_code, state_code,
		       currency, day, marketplace, found, expected)
		SELECT organization_id, $2, $3, kind, transaction_id, country_code, state_code, currency, day, marketplace,
		       coalesce(found, 'null'), coalesce(expected, 'null')
		  FROM jsonb_to_recordset($1) AS d(organization_id text, kind text, transaction_id text, country_code text,
		    state_code text, currency text,
		       day timestamptz, marketplace boolean, found jsonb, expected jsonb)`,
		*pg.JSON(differences), run.WorkflowID, run.RunID)
	return err
}

// CountDeltas adds deltas to the counters, and records the changed places for evaluation. It is due at once,
// or after a pause if many sales are added, because the next ones follow soon. Counters come first, changes after them,
// each in key order, so no two statements wait for each other.
const CountDeltas = `,
	counted AS (
	  INSERT INTO nexus_counters AS k (organization_id, country_code, state_code, currency, day, marketplace,
	         n, amount, exempt_n, exempt_amount, resale_n, resale_amount, collected_tax)
	  SELECT organization_id, country_code, state_code, currency, day, marketplace,
	         sum(n), sum(amount), sum(exempt_n), sum(exempt_amount), sum(resale_n), sum(resale_amount),
	         sum(collected_tax)
	    FROM deltas GROUP BY 1, 2, 3, 4, 5, 6 ORDER BY 1, 2, 3, 4, 5, 6
	  ON CONFLICT (organization_id, country_code, state_code, currency, day, marketplace) DO UPDATE SET
	         n = k.n + excluded.n, amount = k.amount + excluded.amount, exempt_n = k.exempt_n + excluded.exempt_n,
	         exempt_amount = k.exempt_amount + excluded.exempt_amount, resale_n = k.resale_n + excluded.resale_n,
	         resale_amount = k.resale_amount + excluded.resale_amount,
	         collected_tax = k.collected_tax + excluded.collected_tax
	  RETURNING k.organization_id, k.country_code, k.state_code),
	changed AS (
	  INSERT INTO nexus_changes AS k (organization_id, country_code, state_code, n, pending, due_at)
	  SELECT DISTINCT organization_id, country_code, state_code, 1, true, now() + CASE
	         WHEN (SELECT count(*) FROM deltas) > 100 THEN ` + evaluationPause + ` ELSE interval '0' END
	    FROM counted ORDER BY 1, 2, 3
	  ON CONFLICT (organization_id, country_code, state_code) DO UPDATE SET n = k.n + 1, pending = true,
	     due_at = CASE WHEN k.pending THEN k.due_at ELSE greatest(k.due_at, excluded.due_at) END)`
