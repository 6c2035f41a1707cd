package filings

import (
	"github.com/jackc/pgx/v5"

	"levy/models"
	"levy/store/pg"
	"levy/tax/calendar"
)

// A return is skipped while nothing is owed for its period. What is processed later, such as a
// sale that could not be processed then, may owe something: nothing was handed in that could be
// amended, so the period gets another regular return, with all that belongs to it. It is found
// like what comes too late for a return that was filed, and under the same locks.

// owesAfterSkip is why there is another return, in its history.
const owesAfterSkip = "OWES_AFTER_SKIP"

// skippedThatOwe finds the returns that were skipped, whose period has no other regular return at
// the authority, and for whose period something is owed now. A new transaction that owes nothing changes
// nothing: the period is not added up for it.
var skippedThatOwe = `
	WITH skipped AS MATERIALIZED (
	  SELECT DISTINCT ON (f.organization_id, f.registration_id, f.start_date, f.end_date) f.organization_id, f.id
	    FROM unnest($1::text[], $2::text[], $3::text[]) AS i(organization_id, registration_id, transaction_id)
	    JOIN filings f ON f.organization_id = i.organization_id AND f.registration_id = i.registration_id
	     AND f.filing_category = 'REGULAR' AND f.status = 'SKIPPED'` + returnLinesOf + `
	     AND x.transaction_id = i.transaction_id AND (x.liability <> 0 OR t.epoch > 1)
	    JOIN registrations r ON r.organization_id = f.organization_id AND r.id = f.registration_id
	         AND r.status <> 'CANCELLED'
	   WHERE` + ofOneStopShop + ` AND NOT EXISTS (
	     SELECT 1 FROM filings g
	      WHERE g.organization_id = f.organization_id AND g.country_code = f.country_code AND g.state_code = f.state_code
	        AND g.filing_category = 'REGULAR' AND g.status NOT IN ('CANCELLED', 'SKIPPED')
	        AND g.start_date <= f.end_date AND g.end_date >= f.start_date)
	   ORDER BY f.organization_id, f.registration_id, f.start_date, f.end_date,
	         f.id DESC)` + selectLateFiling + `, f.due_date
	  FROM skipped s JOIN filings f ON f.organization_id = s.organization_id AND f.id = s.id
	 CROSS JOIN LATERAL (
	   SELECT coalesce(sum(l.liability), 0) AS owed FROM (
	     SELECT` + lineSums + ` FROM (SELECT f.*) f` + returnLinesOf + `
	      WHERE` + ofOneStopShop + ` AND` + notClaimed + `) l) o
	 WHERE o.owed <> 0`

// noteReopened says in the history of each return why there is another one.
const noteReopened = `
	INSERT INTO filing_history (organization_id, filing_id, to_status, action, actor_type, reason, attempt)
	SELECT f.organization_id, f.id, f.status, 'CREATED', 'SYSTEM', $3, 0
	  FROM unnest($1::text[], $2::text[]) AS i(organization_id, id)
	  JOIN filings f ON f.organization_id = i.organization_id AND f.id = i.id`

// readSkipped takes the returns that a period needs which was skipped.
func (a *amending) readSkipped(rows pgx.Rows, s *Store) error {
	for rows.Next() {
		var f models.Filing
		err := rows.Scan(&f.OrganizationID, &f.ID, &f.RegistrationID, &f.CountryCode, &f.StateCode, &f.StateName,
			&f.StartDate, &f.EndDate,
			&f.FilingFrequency, &f.Currency, &f.DueDate)
		if err != nil {
			return err
		}
		now := s.db.Now()
		f.ID, f.FilingCategory, f.Status = models.NewID(models.PrefixFiling), calendar.FilingRegular, models.FilingUnfiled
		f.CreatedAt, f.UpdatedAt, f.NextCheckAt = now, now, &now
		a.reopened = append(a.reopened, &f)
	}
	return rows.Err()
}

// queueReopened writes them.
func (a *amending) queueReopened(batch *pgx.Batch) {
	if a.reopened == nil {
		return
	}
	pg.Queue(batch, insertFiling, filingRecord.Created, a.reopened)
	organizationIDs, ids := make([]string, len(a.reopened)), make([]string, len(a.reopened))
	for i, f := range a.reopened {
		organizationIDs[i], ids[i] = f.OrganizationID, f.ID
	}
	batch.Queue(noteReopened, organizationIDs, ids, owesAfterSkip)
}
