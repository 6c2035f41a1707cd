package work

import (
	"context"

	"levy/models"
	"levy/store/pg"
)

// countsOf adds up the exceptions of the organizations $1, as counts.
var countsOf = `
	chosen AS MATERIALIZED (SELECT * FROM (` + keptExceptions + `) e WHERE e.organization_id = ANY ($1)),
	counts AS MATERIALIZED (` + countsOfChosen + `)`

// saveCounts replaces the kept counts of the organizations $1. Counts that stay are not written. They hold until the next day that
// makes a return late, or the time when an authority has not answered for too long.
var saveCounts = "WITH" + countsOf + `,
	gone AS (
	  DELETE FROM organization_exceptions o WHERE o.organization_id = ANY ($1)
	     AND NOT EXISTS (SELECT FROM counts c WHERE c.organization_id = o.organization_id AND c.type = o.type
	           AND c.code = o.code AND c.currency = o.currency)),
	counted AS (
	  INSERT INTO exception_counts AS x (organization_id, until)
	  SELECT o.id, coalesce(min(v.at), 'infinity')
	    FROM unnest($1::text[]) AS o (id)
	    LEFT JOIN filings f ON f.organization_id = o.id AND f.status IN ('UNFILED', 'PAUSED', 'FILING', 'ISSUE')
	    LEFT JOIN LATERAL (VALUES ((f.due_date + 1)::timestamp AT TIME ZONE 'UTC'), ((f.end_date + 1)::timestamp AT TIME ZONE 'UTC'),
	         (f.unanswered_since + ` + unansweredAfter + `)) v (at) ON v.at >= now()
	   GROUP BY 1 ORDER BY 1
	  ON CONFLICT (organization_id) DO UPDATE SET until = excluded.until WHERE x.until <> excluded.until)
	INSERT INTO organization_exceptions AS o (` + keptCounts + `)
	SELECT ` + keptCounts + ` FROM counts ORDER BY 1, 2, 3, 4
	ON CONFLICT (organization_id, type, code, currency) DO UPDATE SET n = excluded.n, with_amount = excluded.with_amount,
	       amount = excluded.amount, since = excluded.since, due = excluded.due, first_since = excluded.first_since,
	       first_object_id = excluded.first_object_id
	 WHERE (o.n, o.with_amount, o.amount, o.since, o.due, o.first_since, o.first_object_id) IS DISTINCT FROM
	       (excluded.n, excluded.with_amount, excluded.amount, excluded.since, excluded.due, excluded.first_since,
	        excluded.first_object_id)`

// wrongCounts selects the kept counts d of the organizations $1 that differ, unless they do not hold.
var wrongCounts = countsOf + `,
	differences AS (
	  (SELECT ` + keptCounts + ` FROM counts
	   EXCEPT SELECT ` + keptCounts + ` FROM organization_exceptions WHERE organization_id = ANY ($1))
	  UNION ALL
	  (SELECT ` + keptCounts + ` FROM organization_exceptions WHERE organization_id = ANY ($1)
	   EXCEPT SELECT ` + keptCounts + ` FROM counts)),
	d AS (
	  SELECT d.* FROM differences d JOIN exception_counts x ON x.organization_id = d.organization_id AND x.until > now()
	   WHERE NOT EXISTS (SELECT FROM exception_changes c WHERE c.organization_id = d.organization_id))`

var (
	// wrongExceptions names the organizations among $1 with such counts.
	wrongExceptions = "WITH" + wrongCounts + " SELECT DISTINCT organization_id FROM d ORDER BY 1"

	// wrongExceptionsOf names such counts.
	wrongExceptionsOf = "WITH" + wrongCounts + " SELECT DISTINCT type || ' ' || code || ' ' || currency FROM d ORDER BY 1"
)

// nameExpired has counts added up anew whose time has come, at most $1 at once.
const nameExpired = `
	INSERT INTO exception_changes (organization_id)
	SELECT x.organization_id FROM exception_counts x
	 WHERE x.until <= now() AND NOT EXISTS (SELECT FROM exception_changes c WHERE c.organization_id = x.organization_id)
	 ORDER BY x.until LIMIT $1`

// figuresOfMonths and countsOfExceptions are the kinds of figures that are added up after changes.
var (
	figuresOfMonths    = keptFigures{changes: "figure_changes", save: saveFigures}
	countsOfExceptions = keptFigures{changes: "exception_changes", save: saveCounts}
)

// keptFigures are figures that a statement adds up anew for organizations $1, which a table of changes names.
type keptFigures struct{ changes, save string }

// takeSome takes all changes of the next organizations after $1, but those of $2. It reads $3 changes to find at
// most $4 organizations. A change that is committed later than this statement adds another row.
func (k keptFigures) takeSome() string {
	return `
	WITH taken AS (
	  DELETE FROM ` + k.changes + ` WHERE organization_id = ANY (ARRAY (
	    SELECT DISTINCT organization_id FROM (
	      SELECT organization_id FROM ` + k.changes + ` WHERE organization_id > $1 AND organization_id <> ALL ($2)
	       ORDER BY organization_id LIMIT $3) x
	     ORDER BY organization_id LIMIT $4))
	  RETURNING organization_id)
	SELECT DISTINCT organization_id FROM taken ORDER BY 1`
}

// takeOf takes all changes of the organization $1.
func (k keptFigures) takeOf() string {
	return `
	WITH taken AS (DELETE FROM ` + k.changes + ` WHERE organization_id = $1 RETURNING organization_id)
	SELECT DISTINCT organization_id FROM taken`
}

// leaveOne leaves one change of the organization $1.
func (k keptFigures) leaveOne() string {
	return `
	WITH taken AS (DELETE FROM ` + k.changes + ` WHERE organization_id = $1 RETURNING organization_id)
	INSERT INTO ` + k.changes + ` (organization_id) SELECT DISTINCT organization_id FROM taken`
}

// WrongCounts returns the kept counts of exceptions of an organization that differ from their sums, and has them added up anew.
func (s *Store) WrongCounts(ctx context.Context, organizationID string) ([]string, error) {
	wrong, err := s.wrong(ctx, wrongExceptionsOf, []string{organizationID})
	if err == nil && len(wrong) > 0 {
		_, err = s.db.Exec(models.AcrossOrganizations(ctx), "INSERT INTO exception_changes (organization_id) VALUES ($1)", organizationID)
	}
	return wrong, pg.Translate(err)
}
