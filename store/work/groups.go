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
// amounts of returns, because those of all would take seconds.
var selectGroups = "WITH" + visibleOrganizations + "," + filteredExceptions + `,
	priced AS MATERIALIZED (
	  SELECT p.type, p.code, p.organization_id, p.object_id, p.since, p.due,
	         coalesce(f.currency, t.currency, n.currency, l.currency) AS currency,
	         CASE WHEN f.status IN ('UNFILED', 'PAUSED') THEN a.amount WHEN f.id IS NOT NULL THEN ` + filings.AmountOf + `
	              WHEN t.id IS NOT NULL THEN ` + filings.DocumentTotal + ` ELSE coalesce(n.tax_liability, l.amount) END AS amount
	    FROM found p
	    LEFT JOIN filings f ON p.type LIKE 'FILING%' AND f.organization_id = p.organization_id AND f.id = p.object_id
	    LEFT JOIN filing_amounts a ON a.organization_id = f.organization_id AND a.filing_id = f.id
	    LEFT JOIN transactions t ON p.type = '` + models.ExceptionTransaction + `' AND t.organization_id = p.organization_id
	         AND t.id = p.object_id
	    LEFT JOIN nexus_records n ON p.type = '` + models.ExceptionNexus + `' AND n.organization_id = p.organization_id
	         AND n.id = p.object_id
	    LEFT JOIN notices l ON p.type = '` + models.ExceptionNotice + `' AND l.organization_id = p.organization_id
	         AND l.id = p.object_id
	   WHERE cardinality($4::text[]) = 0 OR p.type = ANY ($4)),
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
	          FROM priced GROUP BY 1, 2) g
	  LEFT JOIN amounts a ON a.type = g.type AND a.code = g.code
	 ORDER BY coalesce(g.due < (now() AT TIME ZONE 'UTC')::date, false) DESC, a.risk DESC NULLS LAST, g.since, g.type, g.code
	 LIMIT $10`

// ListExceptionGroups returns the causes of the exceptions that pass the filter.
func (s *Store) ListExceptionGroups(
	ctx context.Context, visible models.Visibility, f models.ExceptionFilter,
) ([]models.ExceptionGroup, error) {
	ctx = models.AcrossOrganizations(ctx) // the statement selects the organizations
	rows, err := s.db.Query(ctx, selectGroups, append(arguments(visible, f), mostGroups)...)
	return pg.Collect(rows, err, pgx.RowToStructByPos[models.ExceptionGroup])
}
