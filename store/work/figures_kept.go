package work

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"

	"levy/models"
	"levy/store/filings"
	"levy/store/pg"
)

// figureSums adds up the figures of the organizations $1.
var figureSums = liveAmountsOf("") + "," + monthSums

// liveAmountsOf adds up the live returns of the organizations $1 for which a condition on filings f holds.
func liveAmountsOf(and string) string {
	return `
	live AS MATERIALIZED (
	  SELECT f.organization_id, array_agg(f.id) AS ids FROM filings f
	   WHERE f.organization_id = ANY ($1) AND f.status IN ('UNFILED', 'PAUSED')` + and + ` GROUP BY 1),
	amounts AS MATERIALIZED (` + filings.LiveAmounts("live") + `)`
}

// monthSums adds up the figures of months of the organizations $1.
var monthSums = `
	figures AS MATERIALIZED (
	  SELECT f.organization_id, '` + figureFiled + `' AS kind, date_trunc('month', f.due_date)::date AS month, f.currency,
	         sum(` + filings.AmountOf + `)::numeric(20,2) AS amount, count(*) AS n
	    FROM filings f
	   WHERE f.organization_id = ANY ($1) AND f.status = 'FILED' AND f.due_date IS NOT NULL
	   GROUP BY 1, 2, 3, 4
	  UNION ALL
	  SELECT k.organization_id, '` + figureExposed + `', date_trunc('month', k.day)::date, k.currency, sum(k.liability), count(*)
	    FROM nexus_records n
	    JOIN (SELECT organization_id, country_code, state_code, day, currency, liability FROM nexus_taxes
	           WHERE organization_id = ANY ($1)
	          UNION ALL
	          SELECT organization_id, country_code, state_code, day, currency, liability FROM nexus_tax_changes
	           WHERE organization_id = ANY ($1)) k
	         ON k.organization_id = n.organization_id AND k.country_code = n.country_code AND k.state_code = n.state_code
	   WHERE n.organization_id = ANY ($1) AND ` + unregistered + `
	   GROUP BY 1, 2, 3, 4 HAVING sum(k.liability) <> 0
	  UNION ALL
	  SELECT r.organization_id, '` + figureUntaxable + `', date_trunc('month', r.at AT TIME ZONE 'UTC')::date, t.currency,
	         coalesce(sum(` + filings.DocumentTotal + `), 0), count(*)
	    FROM transaction_refetches r
	    JOIN transactions t ON t.organization_id = r.organization_id AND t.id = r.transaction_id
	   WHERE r.organization_id = ANY ($1)
	   GROUP BY 1, 2, 3, 4)`

// unregistered is the condition on a nexus record n that tax is owed there without a registration.
const unregistered = `n.enabled AND n.nexus_met AND n.status IN ('EXPOSED', 'PENDING_REGISTRATION')`

// saveFigures replaces the kept figures of the organizations $1. Figures that stay are not written.
var saveFigures = "WITH" + figureSums + `,
	gone AS (
	  DELETE FROM filing_amounts o WHERE o.organization_id = ANY ($1)
	     AND NOT EXISTS (SELECT FROM amounts a WHERE a.organization_id = o.organization_id AND a.id = o.filing_id)),
	past AS (
	  DELETE FROM organization_figures o WHERE o.organization_id = ANY ($1)
	     AND NOT EXISTS (SELECT FROM figures f WHERE f.organization_id = o.organization_id AND f.kind = o.kind
	           AND f.month = o.month AND f.currency = o.currency)),
	written AS (
	  INSERT INTO filing_amounts AS o (organization_id, filing_id, amount)
	  SELECT organization_id, id, amount FROM amounts ORDER BY 1, 2
	  ON CONFLICT (organization_id, filing_id) DO UPDATE SET amount = excluded.amount WHERE o.amount <> excluded.amount)
	INSERT INTO organization_figures AS o (organization_id, kind, month, currency, amount, n)
	SELECT organization_id, kind, month, currency, amount, n FROM figures ORDER BY 1, 2, 3, 4
	ON CONFLICT (organization_id, kind, month, currency) DO UPDATE SET amount = excluded.amount, n = excluded.n
	 WHERE (o.amount, o.n) <> (excluded.amount, excluded.n)`

// The differences of kept figures of the organizations $1. and is a condition on the kept amounts of live returns.
func wrongAmounts(and string) string {
	return `
	differences AS (
	  (SELECT organization_id, id, amount FROM amounts
	   EXCEPT SELECT organization_id, filing_id, amount FROM filing_amounts WHERE organization_id = ANY ($1))
	  UNION ALL
	  (SELECT organization_id, filing_id, amount FROM filing_amounts WHERE organization_id = ANY ($1)` + and + `
	   EXCEPT SELECT organization_id, id, amount FROM amounts))`
}

const (
	wrongMonths = `
	others AS (
	  (SELECT organization_id, kind, month, currency, amount, n FROM figures
	   EXCEPT SELECT organization_id, kind, month, currency, amount, n FROM organization_figures WHERE organization_id = ANY ($1))
	  UNION ALL
	  (SELECT organization_id, kind, month, currency, amount, n FROM organization_figures WHERE organization_id = ANY ($1)
	   EXCEPT SELECT organization_id, kind, month, currency, amount, n FROM figures))`

	// unlessChanged omits organizations whose figures d wait to be added up anew.
	unlessChanged = `
	 WHERE NOT EXISTS (SELECT FROM figure_changes c WHERE c.organization_id = d.organization_id)
	   AND NOT EXISTS (SELECT FROM transaction_count_changes c WHERE c.organization_id = d.organization_id)
	 ORDER BY 1`
)

var (
	// wrongFigures names the organizations among $1 whose kept figures differ, unless they wait to be added up anew.
	wrongFigures = "WITH" + figureSums + "," + wrongAmounts("") + "," + wrongMonths + `
	SELECT d.organization_id FROM (SELECT organization_id FROM differences UNION SELECT organization_id FROM others) d` +
		unlessChanged

	// wrongReturns names the returns among $2 whose kept amounts differ.
	wrongReturns = "WITH" + liveAmountsOf(" AND f.id = ANY ($2)") + "," + wrongAmounts(" AND filing_id = ANY ($2)") + `
	SELECT DISTINCT d.id FROM differences d` + unlessChanged

	// wrongMonthsOf names the months whose kept figures differ.
	wrongMonthsOf = "WITH" + monthSums + "," + wrongMonths + `
	SELECT DISTINCT d.kind || ' ' || d.month || ' ' || d.currency FROM others d` + unlessChanged
)

// WrongAmounts returns the live returns among some whose kept amounts differ from the sums of their transactions.
func (s *Store) WrongAmounts(ctx context.Context, organizationID string, filings []string) ([]string, error) {
	return s.wrong(ctx, wrongReturns, []string{organizationID}, filings)
}

// WrongMonths returns the kept figures of months of an organization that differ from their sums.
func (s *Store) WrongMonths(ctx context.Context, organizationID string) ([]string, error) {
	return s.wrong(ctx, wrongMonthsOf, []string{organizationID})
}

// wrong returns what a statement names. It adds up as much as an organization has, so only the deadline of ctx limits it.
func (s *Store) wrong(ctx context.Context, sql string, args ...any) (names []string, err error) {
	err = s.db.InSnapshot(ctx, func(ctx context.Context, tx pg.Querier) error {
		rows, err := tx.Query(ctx, sql, args...)
		names, err = pg.Collect(rows, err, pgx.RowTo[string])
		return err
	})
	return names, err
}

// figuresAtOnce is the most organizations that one database transaction adds up. figureChangesAtOnce is the most changes
// that are read to find them.
const (
	figuresAtOnce       = 200
	figureChangesAtOnce = 2000
)

// CountFigures adds up the figures of all organizations that changed, each once, and then their exceptions. An organization whose
// figures cannot be added up is logged and stays changed.
func (s *Store) CountFigures(ctx context.Context) error {
	return errors.Join(s.countFigures(ctx, map[string]bool{}), s.countExceptions(ctx, map[string]bool{}))
}

// countFigures adds up figures. Organizations of failed, which failed before, come last and each by itself. It adds to
// failed and removes from it.
func (s *Store) countFigures(ctx context.Context, failed map[string]bool) error {
	return s.count(ctx, figuresOfMonths, failed)
}

// countExceptions is countFigures for exceptions, also of organizations whose counts hold no longer.
func (s *Store) countExceptions(ctx context.Context, failed map[string]bool) error {
	if _, err := s.db.Exec(models.AcrossOrganizations(ctx), nameExpired, figureChangesAtOnce); err != nil {
		return pg.Translate(err)
	}
	return s.count(ctx, countsOfExceptions, failed)
}

func (s *Store) count(ctx context.Context, kept keptFigures, failed map[string]bool) error {
	if changed, err := s.db.Exists(ctx, kept.changes); err != nil || !changed {
		return err
	}
	ctx = models.AcrossOrganizations(ctx) // the statements name the organizations
	last := append([]string{}, slices.Sorted(maps.Keys(failed))...)
	for after := ""; ; {
		taken, err := s.countSome(ctx, kept.save, kept.takeSome(), after, last, figureChangesAtOnce, figuresAtOnce)
		switch {
		case err == nil && len(taken) == 0:
			return s.countEach(ctx, kept, last, failed)
		case len(taken) == 0:
			return err
		case err != nil:
			if err := s.countEach(ctx, kept, taken, failed); err != nil {
				return err
			}
		}
		after = taken[len(taken)-1]
	}
}

// countEach adds up the figures of each of some organizations by itself.
func (s *Store) countEach(ctx context.Context, kept keptFigures, organizations []string, failed map[string]bool) error {
	for _, id := range organizations {
		taken, err := s.countSome(ctx, kept.save, kept.takeOf(), id)
		if err == nil {
			if len(taken) > 0 { // otherwise another process may count
				delete(failed, id)
			}
			continue
		}
		if ctx.Err() != nil {
			return err
		}
		if _, err := s.db.Exec(ctx, kept.leaveOne(), id); err != nil {
			return pg.Translate(err)
		}
		failed[id] = true
		slog.WarnContext(ctx, "figures of an organization cannot be added up", "organization_id", id, "error", err.Error())
	}
	return nil
}

// countSome takes changes by a statement, adds up the figures of their organizations, and returns these, also if it fails.
// One process does so at a time, others take none. Otherwise figures that were read earlier could replace those that were
// read later. Events wait for the end of the database transaction, so there is one for each call.
func (s *Store) countSome(ctx context.Context, save, take string, args ...any) (taken []string, err error) {
	err = s.db.InTx(ctx, func(ctx context.Context) error {
		var alone bool
		if err := s.db.QueryRow(ctx, "SELECT "+pg.LockFigures.Try()).Scan(&alone); err != nil || !alone {
			return err
		}
		rows, err := s.db.Query(ctx, take, args...)
		if taken, err = pg.Collect(rows, err, pgx.RowTo[string]); err != nil || len(taken) == 0 {
			return err
		}
		if _, err := s.db.Exec(ctx, filings.LongWork); err != nil {
			return err
		}
		_, err = s.db.Exec(ctx, save, taken)
		return err
	})
	return taken, err
}

// Pauses between two counts of figures. A count is followed by a pause of so many times its duration. So counting takes at
// most 2 % of the time of one processor, unless the pause would be longer than figuresLongest.
const (
	figuresPause   = 2 * time.Second
	figuresShare   = 50
	figuresLongest = 10 * time.Minute
)

// KeepFiguresCounted calls CountFigures until ctx ends.
func (s *Store) KeepFiguresCounted(ctx context.Context) {
	var next time.Time
	failed, uncounted := map[string]bool{}, map[string]bool{}
	pg.Repeat(ctx, "adding up figures of the first page", figuresPause, func(ctx context.Context) (bool, error) {
		began := time.Now()
		if began.Before(next) {
			return false, nil
		}
		err := errors.Join(s.countFigures(ctx, failed), s.countExceptions(ctx, uncounted))
		next = time.Now().Add(min(figuresShare*time.Since(began), figuresLongest))
		return false, err
	})
}

// WrongFigures adds up all figures, of one organization or with "" of all, and returns the organizations whose kept
// figures differ.
func (s *Store) WrongFigures(ctx context.Context, organizationID string) (wrong []string, err error) {
	ctx = models.AcrossOrganizations(ctx)
	err = s.db.InSnapshot(ctx, func(ctx context.Context, tx pg.Querier) error {
		rows, err := tx.Query(ctx, "SELECT id FROM organizations WHERE $1 IN ('', id) ORDER BY id", organizationID)
		all, err := pg.Collect(rows, err, pgx.RowTo[string])
		if err != nil {
			return err
		}
		for some := range slices.Chunk(all, figuresAtOnce) {
			for _, sql := range []string{wrongFigures, wrongExceptions} {
				rows, err := tx.Query(ctx, sql, some)
				found, err := pg.Collect(rows, err, pgx.RowTo[string])
				if err != nil {
					return fmt.Errorf("figures: %w", err)
				}
				wrong = append(wrong, found...)
			}
		}
		slices.Sort(wrong)
		wrong = slices.Compact(wrong)
		return nil
	})
	return wrong, pg.Translate(err)
}
