package work

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"

	"levy/models"
	"levy/store/filings"
	"levy/store/pg"
)

// Kinds of rows that selectFigures returns. Those of kept months are those of the table organization_figures.
const (
	figureNow       = "NOW"
	figureSoon      = "SOON"
	figureDay       = "DAY"
	figureDue       = "DUE"
	figureFiled     = "FILED"
	figureExposed   = "EXPOSED"
	figureUnreg     = "UNREGISTERED"
	figureUntaxable = "UNTAXABLE"
	figurePending   = "PENDING"
)

// selectFigures reads the figures of the visible organizations: @since is the first of the months.
var selectFigures = pg.Prepare("WITH"+visibleOrganizations+`,
	owed AS MATERIALIZED (
	  SELECT f.organization_id, f.due_date, f.currency,
	         CASE WHEN f.status IN ('UNFILED', 'PAUSED') THEN a.amount ELSE `+filings.AmountOf+` END AS amount
	    FROM filings f
	    JOIN seen s ON s.id = f.organization_id
	    LEFT JOIN filing_amounts a ON a.organization_id = f.organization_id AND a.filing_id = f.id
	   WHERE f.status IN ('UNFILED', 'PAUSED', 'FILING', 'ISSUE') AND f.due_date <= @today::date + 30),
	kept AS MATERIALIZED (
	  SELECT k.kind, k.month, k.currency, sum(k.amount) AS amount, sum(k.n) AS n
	    FROM organization_figures k JOIN seen s ON s.id = k.organization_id
	   GROUP BY 1, 2, 3)
	SELECT '`+figureNow+`', NULL::date, o.currency, coalesce(sum(o.amount), 0)::numeric(20,2)::text, count(*)
	  FROM owed o WHERE o.due_date <= @today GROUP BY 3
	UNION ALL
	SELECT '`+figureSoon+`', NULL, o.currency, coalesce(sum(o.amount), 0)::numeric(20,2)::text, count(*)
	  FROM owed o WHERE o.due_date > @today AND o.due_date <= @today::date + 14 GROUP BY 3
	UNION ALL
	SELECT '`+figureDay+`', o.due_date, o.currency, coalesce(sum(o.amount), 0)::numeric(20,2)::text, count(*)
	  FROM owed o WHERE o.due_date >= @today GROUP BY 2, 3
	UNION ALL
	SELECT '`+figureDue+`', d.month, d.currency, sum(d.amount)::numeric(20,2)::text, sum(d.n)::bigint
	  FROM (SELECT date_trunc('month', o.due_date)::date AS month, o.currency, coalesce(sum(o.amount), 0) AS amount, count(*) AS n
	          FROM owed o
	         WHERE o.due_date >= @since AND o.due_date < date_trunc('month', @today::date) + interval '1 month' GROUP BY 1, 2
	        UNION ALL
	        SELECT k.month, k.currency, k.amount, k.n FROM kept k WHERE k.kind = '`+figureFiled+`' AND k.month >= @since
	           AND k.month < date_trunc('month', @today::date) + interval '1 month') d
	 GROUP BY 2, 3
	UNION ALL
	SELECT '`+figureUnreg+`', NULL, n.currency, sum(n.tax_liability)::text, count(*)
	  FROM nexus_records n JOIN seen s ON s.id = n.organization_id WHERE `+unregistered+` GROUP BY 3
	UNION ALL
	SELECT k.kind, k.month, k.currency, k.amount::text, k.n::bigint FROM kept k
	 WHERE k.month >= @since AND k.kind <> '`+figureFiled+`'
	UNION ALL
	SELECT k.kind, NULL, k.currency, sum(k.amount)::text, sum(k.n)::bigint
	  FROM kept k WHERE k.kind = '`+figureUntaxable+`' GROUP BY 1, 3
	UNION ALL
	SELECT '`+figurePending+`', NULL, '', '0', 1
	 WHERE EXISTS (SELECT FROM owed WHERE amount IS NULL)
	    OR EXISTS (SELECT FROM figure_changes c JOIN seen s ON s.id = c.organization_id)
	 ORDER BY 1, 2, 3`, viewer.And("today", "since"))

// selectClients finds the visible organizations with the most that is overdue, exposed or cannot be taxed.
var selectClients = pg.Prepare("WITH"+visibleOrganizations+`,
	signs AS (
	  SELECT f.organization_id, count(*) AS overdue, 0 AS exposed, 0 AS untaxable
	    FROM filings f JOIN seen s ON s.id = f.organization_id
	   WHERE f.status IN ('UNFILED', 'PAUSED', 'FILING', 'ISSUE') AND f.due_date < @today GROUP BY 1
	  UNION ALL
	  SELECT n.organization_id, 0, count(*), 0 FROM nexus_records n JOIN seen s ON s.id = n.organization_id
	   WHERE `+unregistered+` GROUP BY 1
	  UNION ALL
	  SELECT k.organization_id, 0, 0, sum(k.n) FROM organization_figures k JOIN seen s ON s.id = k.organization_id
	   WHERE k.kind = '`+figureUntaxable+`' GROUP BY 1)
	SELECT s.id, coalesce(s.name, ''), sum(g.overdue)::bigint, sum(g.exposed)::bigint, sum(g.untaxable)::bigint
	  FROM signs g JOIN seen s ON s.id = g.organization_id
	 GROUP BY 1, 2 ORDER BY 3 DESC, 4 DESC, 5 DESC, 1 LIMIT 10`, viewer.And("today"))

// figureRow is a row of selectFigures.
type figureRow struct {
	Kind     string
	Day      *time.Time
	Currency string
	Amount   string
	Count    int64
}

// addTo adds the row to the figures of its kind. A row without a day is a sum over all days.
func (r *figureRow) addTo(all *models.Overview) error {
	row := models.OverviewFigure{Currency: r.Currency, Amount: r.Amount, Count: r.Count}
	var sums *[]models.OverviewFigure
	var days *[]models.OverviewDay
	switch r.Kind {
	case figurePending:
		all.UpToDate = false
		return nil
	case figureNow:
		sums = &all.OwedNow
	case figureSoon:
		sums = &all.DueSoon
	case figureUnreg:
		sums = &all.Exposed
	case figureDay:
		days = &all.Days
	case figureDue:
		days = &all.DueMonths
	case figureExposed:
		days = &all.ExposedMonths
	case figureUntaxable:
		sums, days = &all.Untaxable, &all.UntaxableMonths
	}
	switch {
	case r.Day != nil && days != nil:
		*days = append(*days, models.OverviewDay{Day: *r.Day, OverviewFigure: row})
	case r.Day == nil && sums != nil:
		*sums = append(*sums, row)
	default:
		return fmt.Errorf("unknown kind of figures: %s", r.Kind)
	}
	return nil
}

// Figures reads the figures of the visible organizations as of a day, with those of the 13 months until then.
func (s *Store) Figures(ctx context.Context, visible models.Visibility, organizationID string, today time.Time) (models.Overview, error) {
	ctx = models.AcrossOrganizations(ctx) // the statements select the organizations
	all := models.Overview{Since: time.Date(today.Year(), today.Month()-12, 1, 0, 0, 0, 0, time.UTC), UpToDate: true}
	args := append(viewedBy(visible, organizationID), today)
	err := s.db.Snapshot(ctx, func(conn *pg.Pipeline, batch *pgx.Batch) error {
		var found []figureRow
		selectFigures.Queue(batch, append(slices.Clip(args), all.Since)).Query(pg.All(&found, pgx.RowToStructByPos[figureRow]))
		selectClients.Queue(batch, args).Query(pg.All(&all.Clients, pgx.RowToStructByPos[models.ClientHealth]))
		conn.Commit(batch)
		if err := conn.Send(ctx, batch); err != nil {
			return err
		}
		for i := range found {
			if err := found[i].addTo(&all); err != nil {
				return err
			}
		}
		return nil
	})
	return all, err
}
