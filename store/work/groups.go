package work

import (
	"context"

	"github.com/jackc/pgx/v5"

	"levy/models"
	"levy/store/pg"
)

// mostGroups is the number of causes that a list has.
const mostGroups = 200

// selectGroups groups exceptions by type and reason: overdue ones first, then by the money at risk. It adds up kept
// amounts of returns, because those of all would take seconds. Groups of each organization come first, so that
// organizations are counted without sorting the exceptions. The most urgent exception of a group is the one that is due first, and
// of those the oldest.
var selectGroups = pg.Prepare("WITH"+visibleOrganizations+","+
	filteredExceptions("e.type, e.organization_id, e.object_id, e.code, e.since, e.due, e.currency, e.amount")+`,
	chosen AS NOT MATERIALIZED (SELECT * FROM found WHERE cardinality(@types::text[]) = 0 OR type = ANY (@types)),
	sums AS (
	  SELECT type, code, currency, sum(amount)::numeric(20,2) AS amount, count(*) AS n
	    FROM chosen WHERE amount IS NOT NULL GROUP BY 1, 2, 3),
	amounts AS (
	  SELECT type, code, sum(amount) AS risk,
	         jsonb_agg(jsonb_build_object('Currency', currency, 'Amount', amount::text, 'Count', n)
	           ORDER BY amount DESC, currency) AS figures
	    FROM sums GROUP BY 1, 2),
	clients AS (
	  SELECT type, code, organization_id, count(*) AS n, min(since) AS since, min(due) AS due FROM chosen GROUP BY 1, 2, 3),
	groups AS (
	  SELECT type, code, sum(n)::bigint AS n, count(*) AS organizations, min(since) AS since, min(due) AS due
	    FROM clients GROUP BY 1, 2),
	urgent AS (
	  SELECT g.type, g.code, g.due, min(c.since) AS since
	    FROM groups g JOIN chosen c ON c.type = g.type AND c.code = g.code AND c.due IS NOT DISTINCT FROM g.due GROUP BY 1, 2, 3),
	first AS (
	  SELECT u.type, u.code, min(ARRAY[c.organization_id, c.object_id]) AS ids
	    FROM urgent u
	    JOIN chosen c ON c.type = u.type AND c.code = u.code AND c.due IS NOT DISTINCT FROM u.due AND c.since = u.since GROUP BY 1, 2)
	SELECT g.type, g.code, g.n, g.organizations, f.ids[1], f.ids[2], g.since, g.due, coalesce(a.figures, '[]')
	  FROM groups g
	  JOIN first f ON f.type = g.type AND f.code = g.code
	  LEFT JOIN amounts a ON a.type = g.type AND a.code = g.code
	 ORDER BY coalesce(g.due < (now() AT TIME ZONE 'UTC')::date, false) DESC, a.risk DESC NULLS LAST, g.since, g.type, g.code
	 LIMIT @at_most`, exceptionFilter.And("at_most"))

// ListExceptionGroups returns the causes of the exceptions that pass the filter.
func (s *Store) ListExceptionGroups(
	ctx context.Context, visible models.Visibility, f models.ExceptionFilter,
) ([]models.ExceptionGroup, error) {
	ctx = models.AcrossOrganizations(ctx) // the statement selects the organizations
	if len(f.Types) == 1 {
		f.Only = f.Types[0]
	}
	args, err := s.arguments(ctx, visible, f)
	if err != nil {
		return nil, err
	}
	rows, err := s.db.Query(ctx, selectGroups.SQL, append(args, mostGroups)...)
	return pg.Collect(rows, err, pgx.RowToStructByPos[models.ExceptionGroup])
}
