package work

import (
	"context"
	"fmt"
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
	figureClient    = "CLIENT"
	figurePlace     = "PLACE"
)

// selectFigures reads the figures of the visible organizations: @since is the first of the months. Its last rows are the
// organizations with the most that is overdue, exposed or cannot be taxed. Returns that wait are read from an index alone, and
// everything that is due is added up by day first.
var selectFigures = pg.Prepare("WITH"+visibleOrganizations+`,
	owed AS MATERIALIZED (
	  SELECT f.organization_id, f.due_date, f.currency, a.amount
	    FROM filings f
	    JOIN seen s ON s.id = f.organization_id
	    LEFT JOIN filing_amounts a ON a.organization_id = f.organization_id AND a.filing_id = f.id
	   WHERE f.status IN ('UNFILED', 'PAUSED') AND f.due_date <= @today::date + 30
	  UNION ALL
	  SELECT f.organization_id, f.due_date, f.currency, `+filings.AmountOf+`
	    FROM filings f
	    JOIN seen s ON s.id = f.organization_id
	   WHERE f.status IN ('FILING', 'ISSUE') AND f.due_date <= @today::date + 30),
	due AS MATERIALIZED (
	  SELECT due_date AS day, currency, coalesce(sum(amount), 0) AS amount, count(*) AS n FROM owed GROUP BY 1, 2),
	exposed AS MATERIALIZED (
	  SELECT n.organization_id, n.country_code, n.state_code, n.currency, n.tax_liability
	    FROM nexus_records n JOIN seen s ON s.id = n.organization_id WHERE `+unregistered+`),
	kept AS MATERIALIZED (
	  SELECT k.kind, k.month, k.currency, sum(k.amount) AS amount, sum(k.n) AS n
	    FROM organization_figures k JOIN seen s ON s.id = k.organization_id
	   WHERE k.month >= @since OR k.kind = '`+figureUntaxable+`'
	   GROUP BY 1, 2, 3),
	signs AS (
	  SELECT organization_id, count(*) AS overdue, 0 AS exposed, 0 AS untaxable FROM owed WHERE due_date < @today GROUP BY 1
	  UNION ALL
	  SELECT organization_id, 0, count(*), 0 FROM exposed GROUP BY 1
	  UNION ALL
	  SELECT k.organization_id, 0, 0, sum(k.n) FROM organization_figures k JOIN seen s ON s.id = k.organization_id
	   WHERE k.kind = '`+figureUntaxable+`' GROUP BY 1),
	clients AS (
	  SELECT organization_id, sum(overdue)::bigint AS overdue, sum(exposed)::bigint AS exposed, sum(untaxable)::bigint AS untaxable
	    FROM signs GROUP BY 1 ORDER BY 2 DESC, 3 DESC, 4 DESC, 1 LIMIT 10),
	figures (kind, day, currency, amount, n) AS (
	  SELECT '`+figureNow+`', NULL::date, currency, sum(amount)::numeric(20,2)::text, sum(n)::bigint
	    FROM due WHERE day <= @today GROUP BY 3
	  UNION ALL
	  SELECT '`+figureSoon+`', NULL, currency, sum(amount)::numeric(20,2)::text, sum(n)::bigint
	    FROM due WHERE day > @today AND day <= @today::date + 14 GROUP BY 3
	  UNION ALL
	  SELECT '`+figureDay+`', day, currency, amount::numeric(20,2)::text, n FROM due WHERE day >= @today
	  UNION ALL
	  SELECT '`+figureDue+`', d.month, d.currency, sum(d.amount)::numeric(20,2)::text, sum(d.n)::bigint
	    FROM (SELECT date_trunc('month', day)::date AS month, currency, amount, n FROM due
	           WHERE day >= @since AND day < date_trunc('month', @today::date) + interval '1 month'
	          UNION ALL
	          SELECT month, currency, amount, n FROM kept WHERE kind = '`+figureFiled+`' AND month >= @since
	             AND month < date_trunc('month', @today::date) + interval '1 month') d
	   GROUP BY 2, 3
	  UNION ALL
	  SELECT '`+figureUnreg+`', NULL, currency, sum(tax_liability)::text, count(*) FROM exposed GROUP BY 3
	  UNION ALL
	  SELECT kind, month, currency, amount::text, n::bigint FROM kept WHERE month >= @since AND kind <> '`+figureFiled+`'
	  UNION ALL
	  SELECT kind, NULL, currency, sum(amount)::text, sum(n)::bigint
	    FROM kept WHERE kind = '`+figureUntaxable+`' GROUP BY 1, 3
	  UNION ALL
	  SELECT '`+figurePending+`', NULL, '', '0', 1
	   WHERE EXISTS (SELECT FROM owed WHERE amount IS NULL)
	      OR EXISTS (SELECT FROM figure_changes c JOIN seen s ON s.id = c.organization_id))
	SELECT kind, day, currency, amount, n, '' AS id, '' AS name, 0::bigint AS overdue, 0::bigint AS exposed, 0::bigint AS untaxable
	  FROM figures
	UNION ALL
	SELECT '`+figureClient+`', NULL, '', '0', 0, s.id, coalesce(s.name, ''), c.overdue, c.exposed, c.untaxable
	  FROM clients c JOIN seen s ON s.id = c.organization_id
	UNION ALL
	SELECT '`+figurePlace+`', NULL, currency, sum(tax_liability)::text, count(*), country_code, state_code,
	       row_number() OVER (ORDER BY sum(tax_liability), country_code, state_code), 0, 0
	  FROM exposed GROUP BY 3, 6, 7
	 ORDER BY kind, day, currency, overdue DESC, exposed DESC, untaxable DESC, id`, viewer.And("today", "since"))

// figureRow is a row of selectFigures.
type figureRow struct {
	Kind     string
	Day      *time.Time
	Currency string
	Amount   string
	Count    int64
	Client   models.ClientHealth // of a client; empty for a figure. A place has its country and state for id and name.
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
	case figureClient:
		all.Clients = append(all.Clients, r.Client)
		return nil
	case figurePlace:
		all.Places = append(all.Places, models.OverviewPlace{Country: r.Client.OrganizationID, State: r.Client.Name, OverviewFigure: row})
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
	rows, err := s.db.Query(ctx, selectFigures.SQL, append(viewedBy(visible, organizationID), today, all.Since)...)
	found, err := pg.Collect(rows, err, scanFigure)
	if err != nil {
		return all, err
	}
	for i := range found {
		if err := found[i].addTo(&all); err != nil {
			return all, err
		}
	}
	return all, nil
}

func scanFigure(row pgx.CollectableRow) (f figureRow, err error) {
	c := &f.Client
	err = row.Scan(&f.Kind, &f.Day, &f.Currency, &f.Amount, &f.Count,
		&c.OrganizationID, &c.Name, &c.Overdue, &c.Exposed, &c.Untaxable)
	return f, err
}
