package nexus

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"

	"levy/models"
	"levy/store/pg"
	"levy/tax/calendar"
	taxnexus "levy/tax/nexus"
)

// selectNexus reads records with computed columns: the changes that wait for evaluation, and their registration,
// the open one before closed ones.
const selectNexus = `r.*, r.xmin::text AS version,
	CASE WHEN r.evaluated IS NULL THEN 'NOT_READY' WHEN r.evaluated < c.n OR r.without_rate THEN 'NEEDS_RERUN'
	  ELSE 'UP_TO_DATE' END AS processing_status,
	g.body AS registration`

// joinNexus sums up the changes of the places of each record of @organization (see models.NexusChange.touches),
// once for all records. @union has the members of the Union.
const joinNexus = `nexus_records r
	CROSS JOIN (
	  SELECT coalesce(sum(x.n) FILTER (WHERE x.country_code = ''), 0) AS everywhere,
	         coalesce(sum(x.n) FILTER (WHERE x.country_code IN @union), 0) AS in_union
	    FROM nexus_changes x WHERE x.organization_id = @organization) a
	LEFT JOIN (
	  SELECT x.country_code || '/' || coalesce(x.state_code, '*') AS place, sum(x.n) AS n
	    FROM nexus_changes x WHERE x.organization_id = @organization
	      GROUP BY GROUPING SETS ((x.country_code), (x.country_code, x.state_code))) p
	  ON p.place = r.country_code || '/' || CASE WHEN r.state_code = r.country_code THEN '*' ELSE r.state_code END
	CROSS JOIN LATERAL (
	  SELECT a.everywhere + coalesce(p.n, 0) + CASE WHEN r.nexus_type = 'EU_AGGREGATOR' THEN a.in_union
	         ELSE 0 END AS n) c
	LEFT JOIN LATERAL (
	  SELECT jsonb_build_object('id', x.id, 'status', x.status, 'filing_frequency', x.filing_frequency,
	         'registration_date', x.registration_date,
	         'deregistration_date', x.deregistration_date,
	         'sales_tax_id', x.sales_tax_id, 'registrations_regime', x.registrations_regime,
	         'earlier', (
	           SELECT jsonb_agg(jsonb_build_object('status', e.status, 'registration_date', e.registration_date,
	                  'deregistration_date', e.deregistration_date) ORDER BY e.id)
	             FROM registrations e
	            WHERE e.organization_id = x.organization_id AND e.country_code = x.country_code
	              AND e.state_code = x.state_code AND e.status = 'DEREGISTERED' AND e.id <> x.id)) AS body
	    FROM registrations x
	   WHERE x.organization_id = r.organization_id AND x.country_code = r.country_code AND x.state_code = r.state_code
	     AND x.status <> 'CANCELLED'
	   ORDER BY x.status = 'DEREGISTERED', x.id DESC LIMIT 1) g ON true`

// LoadNexus returns the data that the nexus of an organization depends on. It reads the changes first,
// so later ones are for the next evaluation. Unless all is set, it reads only records that changed since they were
// evaluated.
func (s *Store) LoadNexus(
	ctx context.Context, organizationID string, day calendar.Date, all bool,
) (models.NexusCase, error) {
	return s.loadNexus(ctx, organizationID, "", day, all)
}

// LoadNexusPlace is LoadNexus for one record. Errors: models.ErrNotFound.
func (s *Store) LoadNexusPlace(
	ctx context.Context, scope models.Scope, id string, day calendar.Date,
) (models.NexusCase, error) {
	c, err := s.loadNexus(ctx, scope.OrganizationID, id, day, true)
	if err == nil && len(c.Records) == 0 {
		err = models.ErrNotFound
	}
	return c, err
}

// loadNexus reads all records, or that with the id.
func (s *Store) loadNexus(
	ctx context.Context, organizationID, id string, day calendar.Date, all bool,
) (models.NexusCase, error) {
	c := models.NexusCase{OrganizationID: organizationID}
	db, open := s.db.GORM(ctx), s.db.OpenTables().GORM(ctx)
	err := open.Raw(`SELECT country_code, state_code, n, pending FROM nexus_changes WHERE organization_id = ?`,
		organizationID).Scan(&c.Changes).Error
	if err != nil {
		return c, pg.Translate(err)
	}
	err = db.Raw(`SELECT coalesce(place->>'country', '') FROM organization_details WHERE organization_id = ?`,
		organizationID).Scan(&c.Home).Error
	if err != nil {
		return c, pg.Translate(err)
	}
	err = db.Raw("SELECT "+selectNexus+" FROM "+joinNexus+
		" WHERE r.organization_id = @organization AND r.enabled AND @id IN ('', r.id)"+
		" AND (@all OR r.evaluated IS DISTINCT FROM c.n) ORDER BY r.country_code, r.state_code",
		map[string]any{
			"organization": organizationID, "id": id, "all": all, "union": taxnexus.UnionMembers(day),
		}).Scan(&c.Records).Error
	if err != nil {
		return c, pg.Translate(err)
	}
	if !all {
		c.Pending(day) // changes after the first statement are for the next evaluation
	}
	if len(c.Records) == 0 {
		return c, nil
	}
	if err := open.Where("organization_id = ?",
		organizationID).Order("country_code, state_code, start_date, id").Find(&c.Presences).Error; err != nil {
		return c, pg.Translate(err)
	}
	c.Days, err = s.nexusDays(ctx, &c)
	return c, pg.Translate(err)
}

// selectNexusDays reads the counters of an organization $1 in countries $2: all of those in $3, and the states in $4 of
// the others. Refunds of other days are separate rows, by the days of their sales. It reads counters and refunds once
// for any number of places and sums them up instead of joining, so no plan compares each with each.
const selectNexusDays = `
	WITH refunds AS MATERIALIZED (
	  SELECT x.* FROM nexus_refunds x WHERE x.organization_id = $1` + inPlaces + `)
	SELECT country_code, state_code, currency, day, marketplace, sum(n)::bigint, sum(amount), sum(exempt_n)::bigint,
	       sum(exempt_amount), sum(resale_n)::bigint, sum(resale_amount), sum(collected_tax), sold_on
	  FROM (
	    SELECT x.country_code, x.state_code, x.currency, x.day, x.marketplace, x.n, x.amount, x.exempt_n, x.exempt_amount,
	           x.resale_n, x.resale_amount, x.collected_tax, NULL::date AS sold_on
	      FROM nexus_counters x WHERE x.organization_id = $1` + inPlaces + `
	    UNION ALL
	    SELECT country_code, state_code, currency, day, marketplace, 0, -amount, 0, -exempt_amount, 0, -resale_amount, 0, NULL
	      FROM refunds
	    UNION ALL
	    SELECT country_code, state_code, currency, day, marketplace, 0, amount, 0, exempt_amount, 0, resale_amount, 0, sold_on
	      FROM refunds) k
	 GROUP BY 1, 2, 3, 4, 5, sold_on
	 ORDER BY day, marketplace, country_code, state_code, currency, sold_on NULLS FIRST`

const inPlaces = ` AND x.country_code = ANY ($2)
	    AND (x.country_code = ANY ($3) OR x.country_code || '/' || x.state_code = ANY ($4))`

// nexusDays reads the counters of the places of the records.
func (s *Store) nexusDays(ctx context.Context, c *models.NexusCase) ([]models.NexusDay, error) {
	countries, whole, states := []string{}, []string{}, []string{}
	for i := range c.Records {
		place := c.Records[i].Place()
		members := []string{place.Country}
		switch {
		case place.Country == taxnexus.EuropeanUnion:
			members = taxnexus.UnionMembers(calendar.DateOf(c.Records[i].PeriodEndDate))
			whole = append(whole, members...)
		case place.State == "":
			whole = append(whole, place.Country)
		default:
			states = append(states, place.Country+"/"+place.State)
		}
		countries = append(countries, members...)
	}
	rows, err := s.db.OpenTables().Query(ctx, selectNexusDays, c.OrganizationID, countries, whole, states)
	return pg.Collect(rows, err, func(row pgx.CollectableRow) (d models.NexusDay, err error) {
		return d, row.Scan(&d.CountryCode, &d.StateCode, &d.Currency, &d.Day, &d.Marketplace, &d.N, &d.Amount,
			&d.ExemptN, &d.ExemptAmount,
			&d.ResaleN, &d.ResaleAmount, &d.CollectedTax, &d.SoldOn)
	})
}

// salesPage is how many sales are read at a time.
const salesPage = 2000

// placesOf selects the places in countries and a state ("" for all) with counted sales of an organization.
const placesOf = `
	SELECT p.country_code, p.state_code FROM nexus_changes p
	 WHERE p.organization_id = @organization_id AND p.country_code = ANY (@countries) AND @state IN ('', p.state_code)`

var selectNexusSales = pg.Prepare(`
	SELECT c.transaction_id, c.sold_at, c.country_code, c.state_code, c.currency, c.day, c.marketplace, c.n, c.amount,
	       c.exempt_n, c.exempt_amount,
	       c.resale_n, c.resale_amount, c.sold_on
	  FROM (`+placesOf+`) p
	 CROSS JOIN LATERAL (
	   SELECT * FROM nexus_contributions x
	    WHERE x.organization_id = @organization_id AND x.country_code = p.country_code
	      AND x.state_code = p.state_code AND x.day = @day
	      AND (x.sold_at, x.transaction_id) > (@after_sold_at, @after_transaction)
	    ORDER BY x.sold_at, x.transaction_id LIMIT @at_most) c
	 ORDER BY c.sold_at, c.transaction_id LIMIT @at_most`, pg.Names{
	"organization_id", "countries", "state", "day", "after_sold_at", "after_transaction", "at_most",
})

// NexusSales calls yield with the sales of a day in a place, in the order of their time, until yield wants no more.
func (s *Store) NexusSales(
	ctx context.Context, organizationID string, q models.NexusSalesQuery,
	yield func(models.NexusSale) (more bool, err error),
) error {
	var last models.NexusSale
	for {
		rows, err := s.db.Query(ctx, selectNexusSales.SQL, selectNexusSales.Values([]any{
			organizationID, q.Countries, q.State, q.Day, last.Date, last.TransactionID, salesPage,
		})...)
		sales, err := pg.Collect(rows, err, func(row pgx.CollectableRow) (sale models.NexusSale, err error) {
			d := &sale.NexusDay
			return sale, row.Scan(&sale.TransactionID, &sale.Date, &d.CountryCode, &d.StateCode, &d.Currency, &d.Day,
				&d.Marketplace, &d.N, &d.Amount,
				&d.ExemptN, &d.ExemptAmount, &d.ResaleN, &d.ResaleAmount, &d.SoldOn)
		})
		if err != nil {
			return err
		}
		for _, sale := range sales {
			if more, err := yield(sale); err != nil || !more {
				return err
			}
		}
		if len(sales) < salesPage {
			return nil
		}
		last = sales[len(sales)-1]
	}
}

// TransactionContributes reports whether a transaction still contributes to a day.
func (s *Store) TransactionContributes(
	ctx context.Context, organizationID, transactionID string, on time.Time,
) (contributes bool, err error) {
	err = s.db.QueryRow(ctx, `SELECT EXISTS (SELECT FROM nexus_contributions
		   WHERE organization_id = $1 AND transaction_id = $2 AND day = $3)`,
		organizationID, transactionID, on).Scan(&contributes)
	return contributes, pg.Translate(err)
}

// selectNexusDetail gets the place as countries and a state ("" for all). The taxes are those of the authority of the
// record alone. The first sale with collected tax is of the first day on which more was collected than given back. A day
// before it on which tax was given back may have an earlier one. Taxes in another currency are converted as one sum, at
// the rate of their last day, or of the last day with rates. So a refund takes back the amount that its sale added.
var selectNexusDetail = pg.Prepare(`
	WITH places AS (`+placesOf+`),
	taxes AS (
	  SELECT x.currency, CASE WHEN x.currency <> @currency THEN least(max(x.day),
	           (SELECT max(r.day) FROM fx_rates r WHERE r.currency = x.currency),
	           (SELECT max(r.day) FROM fx_rates r WHERE r.currency = @currency))::timestamp AT TIME ZONE 'UTC' END AS day,
	         sum(x.tax) AS calculated,
	         sum(x.collected) AS imported, sum(x.liability) AS liability
	    FROM nexus_taxes x
	   WHERE x.organization_id = @organization_id AND x.country_code = @country
	     AND x.state_code = @authority_state AND x.day >= @obliged_from AND x.member_code = ANY (@countries)
	   GROUP BY 1)
	SELECT (SELECT min(c.sold_at) FROM places p CROSS JOIN LATERAL (
	          SELECT x.sold_at FROM nexus_contributions x
	           WHERE x.organization_id = @organization_id AND x.country_code = p.country_code
	             AND x.state_code = p.state_code AND x.day = @first AND x.n > 0
	           ORDER BY x.sold_at LIMIT 1) c),
	       (SELECT max(c.sold_at) FROM places p CROSS JOIN LATERAL (
	          SELECT x.sold_at FROM nexus_contributions x
	           WHERE x.organization_id = @organization_id AND x.country_code = p.country_code
	             AND x.state_code = p.state_code AND x.day = @last AND x.n > 0
	           ORDER BY x.sold_at DESC LIMIT 1) c),
	       (SELECT min(c.sold_at) FROM places p CROSS JOIN LATERAL (
	          SELECT @collected::date AS day UNION ALL
	          SELECT r.day FROM nexus_returned_days r
	           WHERE r.organization_id = @organization_id AND r.country_code = p.country_code
	             AND r.state_code = p.state_code AND (@collected::date IS NULL OR r.day < @collected)) d
	         CROSS JOIN LATERAL (
	          SELECT x.sold_at FROM nexus_contributions x
	           WHERE x.organization_id = @organization_id AND x.country_code = p.country_code
	             AND x.state_code = p.state_code AND x.day = d.day
	             AND x.collected_tax > 0 AND NOT x.marketplace
	           ORDER BY x.sold_at LIMIT 1) c),
	       coalesce((SELECT jsonb_agg(jsonb_build_object('currency', currency, 'day', day, 'calculated',
	       calculated::text, 'imported', imported::text,
	         'liability', liability::text)) FROM taxes), '[]')`, pg.Names{
	"organization_id", "countries", "state", "first", "last", "collected", "obliged_from", "currency", "country",
	"authority_state",
})

// NexusDetail returns data of a place that the counters lack: when sales were made, and their taxes.
func (s *Store) NexusDetail(
	ctx context.Context, organizationID string, q models.NexusDetailQuery,
) (models.NexusDetail, error) {
	var d models.NexusDetail
	err := s.db.QueryRow(ctx, selectNexusDetail.SQL, selectNexusDetail.Values([]any{
		organizationID, q.Countries, q.State, q.First, q.Last, q.Collected, q.ObligedFrom, q.Currency, q.Country,
		q.AuthorityState,
	})...).Scan(&d.Earliest, &d.MostRecent, &d.EarliestCollected, &d.Taxes)
	return d, pg.Translate(err)
}
