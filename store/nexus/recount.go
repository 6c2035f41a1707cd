package nexus

import (
	"context"
	"errors"
	"time"

	"github.com/jackc/pgx/v5"

	"levy/models"
	"levy/store/pg"
)

// sliceRows is about how many contributions or totals one slice of a full pass reads. The last day of a slice is read to
// its end.
const sliceRows = 20_000

// inSlice is the condition on rows of a table that their day is in a slice. The slice begins after $2 to $4, and ends with
// $5 to $7. The last slice ($8) has no end.
func inSlice(table, day string) string {
	place := "(" + table + ".country_code, " + table + ".state_code, " + table + "." + day + ")"
	return table + ".organization_id = $1 AND " + place + " > ($2, $3, $4::date) AND ($8 OR " + place + " <= ($5, $6, $7::date))"
}

// The contributions and counters of a slice, and those of the days of some transactions, $2. A counter is found by its
// currency, so the currencies of a place come first, each by one step in the index.
const (
	placesOfTransactions = `
	WITH RECURSIVE wanted AS (
	  SELECT DISTINCT country_code, state_code, day FROM nexus_contributions
	   WHERE organization_id = $1 AND transaction_id = ANY ($2)),
	currencies AS (
	  SELECT p.country_code, p.state_code, (SELECT min(k.currency) FROM nexus_counters k WHERE k.organization_id = $1
	         AND k.country_code = p.country_code AND k.state_code = p.state_code) AS currency
	    FROM (SELECT DISTINCT country_code, state_code FROM wanted) p
	  UNION ALL
	  SELECT c.country_code, c.state_code, (SELECT min(k.currency) FROM nexus_counters k WHERE k.organization_id = $1
	         AND k.country_code = c.country_code AND k.state_code = c.state_code AND k.currency > c.currency)
	    FROM currencies c WHERE c.currency IS NOT NULL),`

	contributionsOfTransactions = `wanted w CROSS JOIN LATERAL (
	    SELECT x.* FROM nexus_contributions x WHERE x.organization_id = $1 AND x.country_code = w.country_code
	       AND x.state_code = w.state_code AND x.day = w.day OFFSET 0) c`
	countersOfTransactions = `wanted w JOIN currencies u ON u.country_code = w.country_code
	     AND u.state_code = w.state_code AND u.currency IS NOT NULL
	   CROSS JOIN LATERAL (
	    SELECT x.* FROM nexus_counters x WHERE x.organization_id = $1 AND x.country_code = w.country_code
	       AND x.state_code = w.state_code AND x.currency = u.currency AND x.day = w.day OFFSET 0) k`
)

// counterDifferences compares counters with contributions. Contributions and counters are written together, so one
// statement sees only real differences.
func counterDifferences(places, contributions, counters string) string {
	return places + `
	sums AS (
	  SELECT c.organization_id, c.country_code, c.state_code, c.currency, c.day, c.marketplace, sum(c.n) AS n,
	         sum(c.amount) AS amount, sum(c.exempt_n) AS exempt_n, sum(c.exempt_amount) AS exempt_amount,
	         sum(c.resale_n) AS resale_n, sum(c.resale_amount) AS resale_amount, sum(c.collected_tax) AS collected_tax
	    FROM ` + contributions + ` GROUP BY 1, 2, 3, 4, 5, 6),
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
	    FROM sums s FULL JOIN (SELECT k.* FROM ` + counters + `) k
	   USING (organization_id, country_code, state_code, currency, day, marketplace)),
	wrong AS (
	  SELECT * FROM both_sides
	   WHERE (n, amount, exempt_n, exempt_amount, resale_n, resale_amount, collected_tax)
	      <> (kn, kamount, kexempt_n, kexempt_amount, kresale_n, kresale_amount, kcollected_tax))`
}

// recount is a pair of statements that find the differences of some days. The second also corrects them.
type recount struct {
	kind         string
	list, repair string
	end          string // selects the last day of a slice
}

var (
	countersOfSlice = recount{
		kind: models.NexusDifferenceCounter,
		list: counterDifferences("WITH", "nexus_contributions c WHERE "+inSlice("c", "day"),
			"nexus_counters k WHERE "+inSlice("k", "day")),
		end: endOfSlice("nexus_contributions", "day"),
	}.with(repairCounters, selectWrong)
	countersOf = recount{
		kind: models.NexusDifferenceCounter,
		list: counterDifferences(placesOfTransactions, contributionsOfTransactions, countersOfTransactions),
	}.with(repairCounters, selectWrong)
)

// with completes the statements: what repair does with the wrong sums, and which differences are returned.
func (r recount) with(repair, selectWrong string) recount {
	r.list, r.repair = r.list+selectWrong, r.list+repair+selectWrong
	return r
}

// endOfSlice selects the day on which the slice after $2 to $4 ends.
func endOfSlice(table, day string) string {
	return "SELECT x.country_code, x.state_code, x." + day + " FROM " + table + ` x
	 WHERE x.organization_id = $1 AND (x.country_code, x.state_code, x.` + day + `) > ($2, $3, $4::date)
	 ORDER BY x.country_code, x.state_code, x.` + day + ` OFFSET $5 LIMIT 1`
}

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
const repairCounters = `,
	deltas AS (
	  SELECT organization_id, country_code, state_code, currency, day, marketplace, n - kn AS n,
	         amount - kamount AS amount, exempt_n - kexempt_n AS exempt_n,
	         exempt_amount - kexempt_amount AS exempt_amount, resale_n - kresale_n AS resale_n,
	         resale_amount - kresale_amount AS resale_amount,
	         collected_tax - kcollected_tax AS collected_tax
	    FROM wrong)` + CountDeltas

// RecountCounters compares all counters of an organization with the sums of its contributions. It also compares the taxes
// of days with the totals of transactions. Both comparisons read in slices. With repair it corrects and records
// differences.
func (s *Store) RecountCounters(
	ctx context.Context, run models.StageRun, organizationID string, repair bool,
) (differences []models.NexusDifference, err error) {
	for _, stage := range []models.RecountStage{models.RecountCounters, models.RecountTaxes} {
		for at := (&models.NexusRecountPlace{}); at != nil; {
			var found []models.NexusDifference
			if found, at, err = s.RecountSlice(ctx, run, organizationID, stage, *at, repair); err != nil {
				return differences, err
			}
			differences = append(differences, found...)
		}
	}
	return differences, nil
}

// RecountSlice is RecountCounters for the days after a day, counters or taxes. It returns the last day of the slice; nil
// if there are no more. It locks nothing unless it corrects.
func (s *Store) RecountSlice(
	ctx context.Context, run models.StageRun, organizationID string, stage models.RecountStage,
	after models.NexusRecountPlace, repair bool,
) ([]models.NexusDifference, *models.NexusRecountPlace, error) {
	of := countersOfSlice
	if stage == models.RecountTaxes {
		of = taxesOfSlice
	}
	var end models.NexusRecountPlace
	from := []any{organizationID, after.CountryCode, after.StateCode, dayOf(after.Day)}
	err := s.db.QueryRow(ctx, of.end, append(from, s.sliceRows)...).Scan(&end.CountryCode, &end.StateCode, &end.Day)
	last := errors.Is(err, pgx.ErrNoRows)
	if err != nil && !last {
		return nil, nil, pg.Translate(err)
	}
	found, err := s.recount(ctx, of, run, repair,
		append(from, end.CountryCode, end.StateCode, dayOf(end.Day), last)...)
	if last {
		return found, nil, err
	}
	return found, &end, err
}

func dayOf(day time.Time) string { return day.Format(time.DateOnly) }

// RecountDaysOf is RecountCounters for the days on which some transactions count.
func (s *Store) RecountDaysOf(
	ctx context.Context, run models.StageRun, organizationID string, transactions []string, repair bool,
) ([]models.NexusDifference, error) {
	differences, err := s.recount(ctx, countersOf, run, repair, organizationID, transactions)
	if err != nil {
		return nil, err
	}
	taxes, err := s.recount(ctx, taxesOf, run, repair, organizationID, transactions)
	return append(differences, taxes...), err
}

// recount finds differences. It locks only if there are some. One repair of an organization at a time then compares once
// more, because two would both add what is missing.
func (s *Store) recount(
	ctx context.Context, of recount, run models.StageRun, repair bool, args ...any,
) (differences []models.NexusDifference, err error) {
	differences, err = collectDifferences(ctx, s.db, of.kind, of.list, args)
	if err != nil || len(differences) == 0 || !repair {
		return differences, err
	}
	err = s.db.InTx(ctx, func(ctx context.Context) error {
		// guard: nexus: two repairs at once do not add the same difference twice
		if _, err := s.db.Exec(ctx, lockRecount, args[0]); err != nil {
			return err
		}
		if differences, err = collectDifferences(ctx, s.db, of.kind, of.repair, args); err != nil || len(differences) == 0 {
			return err
		}
		return SaveRepairs(ctx, s.db, run, differences)
	})
	return differences, err
}

func collectDifferences(
	ctx context.Context, tx pg.Querier, kind, statement string, args []any,
) ([]models.NexusDifference, error) {
	rows, err := tx.Query(ctx, statement, args...)
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
