package store

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"

	"levy/models"
	"levy/tax"
)

// selectNexus reads records with what is computed of them: how far their evaluation
// is, and their registration, the open one before those that are over.
const selectNexus = `r.*, r.xmin::text AS version,
	CASE WHEN r.evaluated IS NULL THEN 'NOT_READY' WHEN r.evaluated < c.n THEN 'NEEDS_RERUN' ELSE 'UP_TO_DATE' END AS processing_status,
	g.body AS registration`

// joinNexus counts the changes of the places that belong to a record (see
// models.NexusChange.Touches; the members of the Union are an argument).
const joinNexus = `nexus_records r
	CROSS JOIN LATERAL (
	  SELECT coalesce(sum(x.n), 0) AS n FROM nexus_changes x
	   WHERE x.organization_id = r.organization_id AND (
	         x.country_code = '' OR x.country_code = r.country_code AND (r.state_code = r.country_code OR x.state_code = r.state_code)
	      OR r.nexus_type = 'EU_AGGREGATOR' AND x.country_code IN @union)) c
	LEFT JOIN LATERAL (
	  SELECT jsonb_build_object('id', x.id, 'status', x.status, 'filing_frequency', x.filing_frequency, 'registration_date', x.registration_date,
	         'deregistration_date', x.deregistration_date,
	         'sales_tax_id', x.sales_tax_id, 'registrations_regime', x.registrations_regime) AS body
	    FROM registrations x
	   WHERE x.organization_id = r.organization_id AND x.country_code = r.country_code AND x.state_code = r.state_code AND x.status <> 'CANCELLED'
	   ORDER BY x.status = 'DEREGISTERED', x.id DESC LIMIT 1) g ON true`

// LoadNexus reads what the nexus of an organization depends on. The changes are read
// first: whatever comes later is noticed by the next evaluation. Unless all is asked
// for, only records are read that changed since they were evaluated.
func (s *Store) LoadNexus(ctx context.Context, organizationID string, day tax.Date, all bool) (models.NexusCase, error) {
	c := models.NexusCase{OrganizationID: organizationID}
	db := s.db.WithContext(ctx)
	err := db.Raw(`SELECT country_code, state_code, n, pending FROM nexus_changes WHERE organization_id = ?`, organizationID).Scan(&c.Changes).Error
	if err != nil {
		return c, translate(err)
	}
	err = db.Raw(`SELECT coalesce(place->>'country', '') FROM organization_details WHERE organization_id = ?`, organizationID).Scan(&c.Home).Error
	if err != nil {
		return c, translate(err)
	}
	err = db.Raw("SELECT "+selectNexus+" FROM "+joinNexus+" WHERE r.organization_id = @organization AND r.enabled ORDER BY r.country_code, r.state_code",
		map[string]any{"organization": organizationID, "union": tax.UnionMembers(day)}).Scan(&c.Records).Error
	if err != nil {
		return c, translate(err)
	}
	if !all {
		c.Pending(day)
	}
	if len(c.Records) == 0 {
		return c, nil
	}
	if err := db.Where("organization_id = ?", organizationID).Order("country_code, state_code, start_date, id").Find(&c.Presences).Error; err != nil {
		return c, translate(err)
	}
	c.Days, err = s.nexusDays(ctx, &c)
	return c, translate(err)
}

// nexusDays reads the counters of the places that the records are about.
func (s *Store) nexusDays(ctx context.Context, c *models.NexusCase) ([]models.NexusDay, error) {
	var countries, states []string // a state is empty where all of the country count
	for i := range c.Records {
		place := c.Records[i].Place()
		if place.Country == tax.EuropeanUnion {
			for _, member := range tax.UnionMembers(tax.DateOf(c.Records[i].PeriodEndDate)) {
				countries, states = append(countries, member), append(states, "")
			}
			continue
		}
		countries, states = append(countries, place.Country), append(states, place.State)
	}
	rows, err := s.pool.Query(ctx, `
		SELECT DISTINCT k.country_code, k.state_code, k.currency, k.day, k.marketplace, k.n, k.amount, k.exempt_n, k.exempt_amount, k.resale_n,
		       k.resale_amount, k.collected_tax
		  FROM unnest($2::text[], $3::text[]) AS p(country_code, state_code)
		 CROSS JOIN LATERAL (
		   SELECT x.* FROM nexus_counters x WHERE x.organization_id = $1 AND x.country_code = p.country_code AND p.state_code IN ('', x.state_code) OFFSET 0) k
		 ORDER BY k.day, k.marketplace, k.country_code, k.state_code, k.currency`, c.OrganizationID, countries, states)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, func(row pgx.CollectableRow) (d models.NexusDay, err error) {
		return d, row.Scan(&d.CountryCode, &d.StateCode, &d.Currency, &d.Day, &d.Marketplace, &d.N, &d.Amount, &d.ExemptN, &d.ExemptAmount,
			&d.ResaleN, &d.ResaleAmount, &d.CollectedTax)
	})
}

// NexusSales hands the sales of a day in a place to yield, as they were made, until
// it has enough.
func (s *Store) NexusSales(ctx context.Context, organizationID string, countries []string, state string, on time.Time, yield func(models.NexusSale) (more bool, err error)) error {
	rows, err := s.pool.Query(ctx, `
		SELECT t.id, t.date, c.country_code, c.state_code, c.currency, c.day, c.marketplace, c.n, c.amount, c.exempt_n, c.exempt_amount, c.resale_n, c.resale_amount
		  FROM nexus_contributions c
		 CROSS JOIN LATERAL (
		   SELECT x.id, x.date FROM transactions x WHERE x.organization_id = c.organization_id AND x.id = c.transaction_id OFFSET 0) t
		 WHERE c.organization_id = $1 AND c.country_code = ANY ($2) AND $3 IN ('', c.state_code) AND c.day = $4
		 ORDER BY t.date, t.id`, organizationID, countries, state, on)
	if err != nil {
		return translate(err)
	}
	defer rows.Close()
	for rows.Next() {
		var sale models.NexusSale
		d := &sale.NexusDay
		err := rows.Scan(&sale.TransactionID, &sale.Date, &d.CountryCode, &d.StateCode, &d.Currency, &d.Day, &d.Marketplace, &d.N, &d.Amount,
			&d.ExemptN, &d.ExemptAmount, &d.ResaleN, &d.ResaleAmount)
		if err != nil {
			return translate(err)
		}
		if more, err := yield(sale); err != nil || !more {
			return err
		}
	}
	return translate(rows.Err())
}

// selectNexusDetail takes the place as countries and a state, empty for all; the taxes
// are those of the authority of the record alone.
const selectNexusDetail = `
	WITH sales AS MATERIALIZED (
	  SELECT c.day, c.n, c.collected_tax, c.marketplace, t.date
	    FROM nexus_contributions c
	   CROSS JOIN LATERAL (
	     SELECT x.date FROM transactions x WHERE x.organization_id = c.organization_id AND x.id = c.transaction_id OFFSET 0) t
	   WHERE c.organization_id = $1 AND c.country_code = ANY ($2) AND $3 IN ('', c.state_code) AND (c.day = $4 OR c.day = $5 OR c.day = $6)),
	taxes AS (
	  SELECT x.currency, CASE WHEN x.currency <> $9 THEN x.tax_date::timestamp AT TIME ZONE 'UTC' END AS day, sum(x.tax) AS calculated,
	         sum(x.collected) AS imported, sum(x.liability) AS liability
	    FROM transaction_totals x
	   CROSS JOIN LATERAL (
	     SELECT y.epoch, y.processing_status FROM transactions y WHERE y.organization_id = x.organization_id AND y.id = x.transaction_id OFFSET 0) t
	   WHERE x.organization_id = $1 AND x.country_code = $10 AND x.state_code = $11 AND x.tax_date >= $7 AND x.member_code = ANY ($2)
	     AND t.epoch = x.epoch AND t.processing_status = ANY ($8)
	   GROUP BY 1, 2)
	SELECT (SELECT min(date) FROM sales WHERE day = $4 AND n > 0),
	       (SELECT max(date) FROM sales WHERE day = $5 AND n > 0),
	       (SELECT min(date) FROM sales WHERE day = $6 AND collected_tax > 0 AND NOT marketplace),
	       EXISTS (SELECT FROM outbox o WHERE o.organization_id = $1 AND o.kind = 1 AND o.waits_for IS NULL AND o.created_at > now() - interval '1 minute'),
	       coalesce((SELECT jsonb_agg(jsonb_build_object('currency', currency, 'day', day, 'calculated', calculated::text, 'imported', imported::text,
	         'liability', liability::text)) FROM taxes), '[]')`

// NexusDetail reads what only the transactions themselves tell of a place.
func (s *Store) NexusDetail(ctx context.Context, organizationID string, q models.NexusDetailQuery) (models.NexusDetail, error) {
	var d models.NexusDetail
	err := s.pool.QueryRow(ctx, selectNexusDetail, organizationID, q.Countries, q.State, q.First, q.Last, q.Collected, q.ObligedFrom,
		models.CalculatedStates, q.Currency, q.Country, q.AuthorityState).Scan(&d.Earliest, &d.MostRecent, &d.EarliestCollected, &d.InProgress, &d.Taxes)
	return d, translate(err)
}
