package work

import (
	"context"

	"github.com/jackc/pgx/v5"

	"levy/models"
	"levy/store/pg"
)

// mostStale is the most organizations whose exceptions a list of causes evaluates beside kept counts. An upgrade and the first
// minutes of a day leave many.
const mostStale = 2000

// mostGroups is the number of causes that a list has.
const mostGroups = 200

// countsOfChosen adds up exceptions as they are kept: by organization, type, reason and currency. The first exception is the one
// that is due first, and of those the oldest.
const countsOfChosen = `
	SELECT organization_id, type, code, coalesce(currency, '') AS currency, count(*) AS n, count(amount) AS with_amount,
	       sum(amount)::numeric(20,2) AS amount, min(since) AS since, min(due) AS due,
	       (array_agg(since ORDER BY due, since, object_id))[1] AS first_since,
	       (array_agg(object_id ORDER BY due, since, object_id))[1] AS first_object_id
	  FROM chosen GROUP BY 1, 2, 3, 4`

// keptCounts are the columns of organization_exceptions, in the order of countsOfChosen.
const keptCounts = `organization_id, type, code, currency, n, with_amount, amount, since, due, first_since, first_object_id`

// selectGroups groups exceptions by type and reason: overdue ones first, then by the money at risk. It adds up kept
// amounts of returns, because those of all would take seconds. Groups of each organization come first, so that
// organizations are counted without sorting the exceptions. With @kept it reads counts of all organizations but those of @stale.
var selectGroups = pg.Prepare("WITH"+visibleOrganizations+","+
	filteredExceptions("e.type, e.organization_id, e.object_id, e.code, e.since, e.due, e.currency, e.amount")+`,
	chosen AS NOT MATERIALIZED (SELECT * FROM found WHERE cardinality(@types::text[]) = 0 OR type = ANY (@types)),
	counts AS MATERIALIZED (`+countsOfChosen+`
	  UNION ALL
	  SELECT `+keptCounts+`
	    FROM organization_exceptions k
	   WHERE `+inSeen("k")+` AND @kept
	     /* guard: exceptions: no exception is both evaluated and counted */ AND NOT k.organization_id = ANY (@stale)
	     AND (cardinality(@types::text[]) = 0 OR k.type = ANY (@types)) AND (@only = '' OR k.type = @only)
	     AND (@reason = '' OR k.code = @reason)),
	sums AS (
	  SELECT type, code, currency, sum(amount) AS amount, sum(with_amount)::bigint AS n
	    FROM counts WHERE with_amount > 0 GROUP BY 1, 2, 3),
	amounts AS (
	  SELECT type, code, sum(amount) AS risk,
	         jsonb_agg(jsonb_build_object('Currency', currency, 'Amount', amount::text, 'Count', n)
	           ORDER BY amount DESC, currency) AS figures
	    FROM sums GROUP BY 1, 2),
	clients AS (
	  SELECT type, code, organization_id, sum(n) AS n, min(since) AS since, min(due) AS due FROM counts GROUP BY 1, 2, 3),
	groups AS (
	  SELECT type, code, sum(n)::bigint AS n, count(*) AS organizations, min(since) AS since, min(due) AS due
	    FROM clients GROUP BY 1, 2),
	urgent AS (
	  SELECT g.type, g.code, g.due, min(c.first_since) AS since
	    FROM groups g JOIN counts c ON c.type = g.type AND c.code = g.code AND c.due IS NOT DISTINCT FROM g.due GROUP BY 1, 2, 3),
	first AS (
	  SELECT u.type, u.code, min(ARRAY[c.organization_id, c.first_object_id]) AS ids
	    FROM urgent u
	    JOIN counts c ON c.type = u.type AND c.code = u.code AND c.due IS NOT DISTINCT FROM u.due AND c.first_since = u.since
	   GROUP BY 1, 2)
	SELECT g.type, g.code, g.n, g.organizations, f.ids[1], f.ids[2], g.since, g.due, coalesce(a.figures, '[]')
	  FROM groups g
	  JOIN first f ON f.type = g.type AND f.code = g.code
	  LEFT JOIN amounts a ON a.type = g.type AND a.code = g.code
	 ORDER BY coalesce(g.due < (now() AT TIME ZONE 'UTC')::date, false) DESC, a.risk DESC NULLS LAST, g.since, g.type, g.code
	 LIMIT @at_most`, exceptionFilter.And("at_most"))

// selectStale reads at most @at_most of the visible organizations whose counts do not hold.
var selectStale = pg.Prepare("WITH"+visibleOrganizations+`
	SELECT s.id FROM seen s
	  LEFT JOIN exception_counts x ON x.organization_id = s.id
	 WHERE coalesce(x.until <= now(), true) OR s.id IN (SELECT organization_id FROM exception_changes)
	 LIMIT @at_most`, viewer.And("at_most"))

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
	if err := s.useCounts(ctx, visible, f, args); err != nil {
		return nil, err
	}
	rows, err := s.db.Query(ctx, selectGroups.SQL, append(args, mostGroups)...)
	return pg.Collect(rows, err, pgx.RowToStructByPos[models.ExceptionGroup])
}

// useCounts has the statement read kept counts. It does not if the filter asks for what they do not distinguish. Nor does it if few
// organizations are read, or if the counts of many do not hold. Counts that stop to hold before the statement runs are still read.
func (s *Store) useCounts(ctx context.Context, visible models.Visibility, f models.ExceptionFilter, args []any) error {
	few, kept, stale := args[len(args)-3].([]string), len(args)-2, len(args)-1
	if len(few) > 0 || f.Assignee != "" || !f.Until.IsZero() || f.ObjectID != "" || f.After != nil {
		return nil
	}
	rows, err := s.db.Query(ctx, selectStale.SQL, append(viewedBy(visible, f.OrganizationID), mostStale+1)...)
	found, err := pg.Collect(rows, err, pgx.RowTo[string])
	if err == nil && len(found) <= mostStale {
		args[kept], args[stale] = true, append([]string{}, found...)
	}
	return err
}
