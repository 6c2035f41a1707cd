package nexus

import (
	"encoding/json"
	"time"

	"gorm.io/gorm"

	"levy/models"
	"levy/tax/calendar"
	taxnexus "levy/tax/nexus"
)

// insertNexus writes the first records, with the terms of their jurisdictions. For each organization with a new record
// it marks the nexus as changed.
const insertNexus = `
	WITH added AS (
	  INSERT INTO nexus_records (organization_id, id, country_code, state_code, state_name, enabled, status, nexus_type,
	         registration_regime,
	         currency, treatment_of_exempt_transactions, trigger, sales_or_transactions, threshold_sales,
	         threshold_transactions, start_date,
	         period_model, marketplace_included, period_start_date, period_end_date, previous_period_start_date,
	         previous_period_end_date,
	         created_at, updated_at)
	  SELECT b.organization_id, b.id, j.country_code, j.state_code, j.state_name, b.enabled, @status, t.nexus_type,
	         t.registration_regime,
	         t.currency, t.treatment_of_exempt_transactions, t.trigger, t.sales_or_transactions, t.threshold_sales,
	         t.threshold_transactions, t.start_date,
	         t.period_model, t.marketplace_included, b.period_start_date, b.period_end_date,
	         b.previous_period_start_date, b.previous_period_end_date,
	         @now, @now
	    FROM jsonb_to_recordset(@begun) AS b (organization_id text, id text, country_code text, state_code text,
	      enabled boolean,
	         period_start_date date, period_end_date date, previous_period_start_date date,
	         previous_period_end_date date)
	    JOIN nexus_jurisdictions j ON j.country_code = b.country_code AND j.state_code = b.state_code
	   CROSS JOIN LATERAL jsonb_to_record(j.terms) AS t (nexus_type text, registration_regime text, currency text,
	         treatment_of_exempt_transactions text, trigger text, sales_or_transactions text, threshold_sales numeric,
	         threshold_transactions integer,
	         start_date date, period_model text, marketplace_included boolean)
	      ON CONFLICT (organization_id, country_code, state_code) DO NOTHING
	  RETURNING organization_id),
	noted AS (
	  INSERT INTO nexus_changes AS k (organization_id, country_code, state_code, n, pending, due_at)
	  SELECT DISTINCT organization_id, '', '', 1, true, now() + make_interval(secs => @wait) FROM added
	    ORDER BY organization_id
	      ON CONFLICT (organization_id, country_code, state_code) DO UPDATE SET n = k.n + 1, pending = true,
	        due_at = now())
	SELECT count(*) FROM added`

// Begin creates the missing nexus records of organizations. It is part of the database transaction that creates the
// organizations or detects missing records. It returns how many records it created. wait is how long their evaluation
// may wait.
func Begin(tx *gorm.DB, wait time.Duration, organizations ...models.OrganizationSettings) (created int, err error) {
	var places []struct {
		CountryCode, StateCode string
		PeriodModel            taxnexus.PeriodModel
	}
	err = tx.Raw(`SELECT country_code, state_code, terms->>'period_model' AS period_model
		FROM nexus_jurisdictions
		ORDER BY 1, 2`).Scan(&places).Error
	if err != nil || len(places) == 0 || len(organizations) == 0 {
		return 0, err
	}
	now := tx.NowFunc()
	records := make([]models.NexusBeginning, 0, len(organizations)*len(places))
	for i := range organizations {
		for _, p := range places {
			records = append(records, models.BeginNexus(
				&organizations[i], p.CountryCode, p.StateCode, p.PeriodModel, calendar.DateOf(now),
			))
		}
	}
	list, err := json.Marshal(records)
	if err != nil {
		return 0, err
	}
	err = tx.Raw(insertNexus, map[string]any{
		"begun": string(list), "now": now, "status": models.NexusNotExposed, "wait": wait.Seconds(),
	}).Scan(&created).Error
	return created, err
}
