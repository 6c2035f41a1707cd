package transactions

import (
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"levy/models"
	"levy/store/pg"
)

// A transaction that is processed after the return of its period was claimed belongs to an amendment.
// The stage records it in its own database transaction; AmendFilings does the rest. Three statements make sure that no
// transaction is lost between a concurrent claim and stage.
//
// The first announces the stage of the organization until it commits. Every claim waits for announced stages
// (awaitStages). So if a registration is created after the stage searched for it, its claim runs after the stage.
// If the claim is already waiting, its registration is committed and the next statement sees it.
//
// The second locks the registrations that may report the transactions, shared and without waiting,
// until the stage commits. A claim locks its registration exclusively. A later claim waits for the stage and sees its
// rows. The stage does not wait for a running claim: its transactions are recorded, and checked after the claim.
//
// The third, with everything committed until then, records the transactions whose return is claimed,
// or was skipped because nothing was owed.
var announceStage = pg.Prepare(`
	SELECT count(`+pg.LockStages.TryShared("organization_id")+`)
	  FROM (SELECT DISTINCT organization_id FROM {organization}) d`, nil, organizationRows)

const processedTotals = `
	  SELECT x.organization_id, x.transaction_id, x.country_code, x.state_code, x.tax_date,
	         x.liability <> 0 OR x.epoch > 1 AS may_owe
	    FROM {ref}
	   CROSS JOIN LATERAL (
	     SELECT 1 FROM transactions t
	      WHERE t.organization_id = ref.organization_id AND t.id = ref.id AND t.epoch = ref.epoch
	        AND t.processing_status = 'PROCESSED' OFFSET 0) t
	   CROSS JOIN LATERAL (
	     SELECT * FROM transaction_totals x
	      WHERE x.organization_id = ref.organization_id AND x.transaction_id = ref.id AND x.epoch = ref.epoch OFFSET 0) x`

var lockRegistrations = pg.Prepare(`
	WITH totals AS MATERIALIZED (`+processedTotals+`),
	registered AS MATERIALIZED (
	  SELECT r.organization_id, r.id, r.country_code, r.state_code
	    FROM (SELECT DISTINCT organization_id, country_code, state_code FROM totals) j
	   CROSS JOIN LATERAL (
	     SELECT * FROM registrations x
	      WHERE x.organization_id = j.organization_id AND x.country_code = j.country_code
	        AND x.state_code = j.state_code OFFSET 0) r),
	held AS MATERIALIZED (
	  SELECT *, `+pg.LockRegistration.TryShared("id")+` AS free FROM registered)
	INSERT INTO late_transactions (organization_id, registration_id, transaction_id)
	SELECT h.organization_id, h.id, x.transaction_id
	  FROM held h JOIN totals x USING (organization_id, country_code, state_code)
	 WHERE /* guard: amendment: a stage notes what a claim under way may not see */ NOT h.free
	ON CONFLICT DO NOTHING`, nil, refRows)

var recordLate = pg.Prepare(`
	INSERT INTO late_transactions (organization_id, registration_id, transaction_id)
	SELECT r.organization_id, r.id, x.transaction_id
	  FROM (`+processedTotals+`) x
	 CROSS JOIN LATERAL (
	   SELECT * FROM registrations y
	    WHERE y.organization_id = x.organization_id AND y.country_code = x.country_code
	      AND y.state_code = x.state_code OFFSET 0) r
	 CROSS JOIN LATERAL (
	   SELECT 1 FROM filings f
	    WHERE f.organization_id = r.organization_id AND f.registration_id = r.id AND f.filing_category = 'REGULAR'
	      /* guard: amendment: a stage notes what comes late */ AND (f.claimed_at IS NOT NULL OR f.status = 'SKIPPED' AND x.may_owe)
	      AND NOT (f.status = 'SKIPPED' AND EXISTS (
	        SELECT 1 FROM filings g
	         WHERE g.organization_id = f.organization_id AND g.registration_id = f.registration_id
	           AND g.filing_category = 'REGULAR' AND g.status NOT IN ('SKIPPED', 'CANCELLED')
	           AND x.tax_date BETWEEN g.start_date AND g.end_date))
	      AND x.tax_date BETWEEN f.start_date AND f.end_date LIMIT 1) f
	ON CONFLICT DO NOTHING`, nil, refRows)

// queueLate adds the three statements. They add the number of recorded transactions to late.
func queueLate(batch *pgx.Batch, changed []models.Ref, late *int64) {
	announceStage.Queue(batch, nil, organizationRows.Of(changed))
	refs := refRows.Of(changed)
	for _, statement := range []pg.Statement{lockRegistrations, recordLate} {
		statement.Queue(batch, nil, refs).Exec(func(tag pgconn.CommandTag) error {
			*late += tag.RowsAffected()
			return nil
		})
	}
}
