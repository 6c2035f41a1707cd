package work

import (
	"context"

	"github.com/jackc/pgx/v5"

	"levy/models"
	"levy/store/filings"
	"levy/store/pg"
)

// mostGroups is the number of causes that a list has.
const mostGroups = 200

// selectGroups groups exceptions by type and reason: overdue ones first, then by the money at risk. It adds up kept
// amounts of returns, because those of all would take seconds. Each kind of record has a join of its own, so that a row
// is looked up in one table alone.
var selectGroups = pg.Prepare("WITH"+visibleOrganizations+","+filteredExceptions+`,
	chosen AS NOT MATERIALIZED (SELECT * FROM found WHERE cardinality(@types::text[]) = 0 OR type = ANY (@types)),
	priced AS (
	  SELECT p.type, p.code, f.currency, CASE WHEN f.status IN ('UNFILED', 'PAUSED') THEN a.amount ELSE `+filings.AmountOf+` END AS amount
	    FROM chosen p JOIN filings f ON f.organization_id = p.organization_id AND f.id = p.object_id
	    LEFT JOIN filing_amounts a ON a.organization_id = f.organization_id AND a.filing_id = f.id
	   WHERE p.type LIKE 'FILING%'
	  UNION ALL
	  SELECT p.type, p.code, t.currency, `+filings.DocumentTotal+`
	    FROM chosen p JOIN transactions t ON t.organization_id = p.organization_id AND t.id = p.object_id
	   WHERE p.type = '`+models.ExceptionTransaction+`'
	  UNION ALL
	  SELECT p.type, p.code, n.currency, n.tax_liability
	    FROM chosen p JOIN nexus_records n ON n.organization_id = p.organization_id AND n.id = p.object_id
	   WHERE p.type = '`+models.ExceptionNexus+`'
	  UNION ALL
	  SELECT p.type, p.code, l.currency, l.amount
	    FROM chosen p JOIN notices l ON l.organization_id = p.organization_id AND l.id = p.object_id
	   WHERE p.type = '`+models.ExceptionNotice+`'),
	sums AS (
	  SELECT type, code, currency, sum(amount)::numeric(20,2) AS amount, count(*) AS n
	    FROM priced WHERE amount IS NOT NULL GROUP BY 1, 2, 3),
	amounts AS (
	  SELECT type, code, sum(amount) AS risk,
	         jsonb_agg(jsonb_build_object('Currency', currency, 'Amount', amount::text, 'Count', n)
	           ORDER BY amount DESC, currency) AS figures
	    FROM sums GROUP BY 1, 2)
	SELECT g.type, g.code, g.n, g.organizations, g.first[3], g.first[4], g.since, g.due, coalesce(a.figures, '[]')
	  FROM (SELECT type, code, count(*) AS n, count(DISTINCT organization_id) AS organizations,
	               min(ARRAY[coalesce(due::text, '9'), since::text, organization_id, object_id]) AS first,
	               min(since) AS since, min(due) AS due
	          FROM chosen GROUP BY 1, 2) g
	  LEFT JOIN amounts a ON a.type = g.type AND a.code = g.code
	 ORDER BY coalesce(g.due < (now() AT TIME ZONE 'UTC')::date, false) DESC, a.risk DESC NULLS LAST, g.since, g.type, g.code
	 LIMIT @at_most`, exceptionFilter.And("at_most"))

// ListExceptionGroups returns the causes of the exceptions that pass the filter.
func (s *Store) ListExceptionGroups(
	ctx context.Context, visible models.Visibility, f models.ExceptionFilter,
) ([]models.ExceptionGroup, error) {
	ctx = models.AcrossOrganizations(ctx) // the statement selects the organizations
	rows, err := s.db.Query(ctx, selectGroups.SQL, append(arguments(visible, f), mostGroups)...)
	return pg.Collect(rows, err, pgx.RowToStructByPos[models.ExceptionGroup])
}
