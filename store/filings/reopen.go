package filings

import (
	"context"

	"github.com/jackc/pgx/v5"

	"levy/models"
	"levy/store/pg"
	"levy/tax/calendar"
)

// A return is skipped if nothing is owed for its period. A transaction that is processed later, such as one that could
// not be processed in time, may owe something. No return was filed that could be amended, so the period gets another
// regular return with all its transactions. It is found like late transactions of a filed return, and under the same
// locks.

// owesAfterSkipReason is the reason of another return in its history.
const owesAfterSkipReason = "OWES_AFTER_SKIP"

// processingCheckPause is the pause before a period with transactions in processing is checked again.
const processingCheckPause = "10 seconds"

// lockPlans prevents other transactions from writing returns of organizations for days that several of their
// registrations may have. A trigger takes the same lock (filings_planned_apart).
var lockPlans = pg.Prepare(`
	SELECT `+pg.LockPlans.Wait("o.id")+`
	  FROM (SELECT DISTINCT id FROM {organization} ORDER BY id) o`, nil, organizationRows)

// organizationRows are the ids of organizations as rows of a statement.
var organizationRows = pg.RowsOf("organization", pg.Col("id", "text", func(id *string) *string { return id }))

// skippedThatOwe selects skipped returns for which something is owed now, with the days around the transactions.
// They end at other regular returns of the authority; without any they are the whole period. If the new transaction
// owes nothing, the period is not summed up. Neither is it while a transaction of it is in processing,
// such as the refund of a sale. In that case one of the transactions is recorded again for later.
var skippedThatOwe = pg.Prepare(`
	WITH found AS (
	  SELECT DISTINCT ON (f.organization_id, f.registration_id, k.start_date, k.end_date)
	         f.organization_id, f.id, f.registration_id, x.transaction_id, k.start_date, k.end_date
	    FROM {late}
	    JOIN filings f ON f.organization_id = @organization_id AND f.registration_id = @registration_id
	     AND f.filing_category = 'REGULAR' AND f.status = 'SKIPPED'`+returnLinesOf+`
	     AND x.transaction_id = late.id AND (x.liability <> 0 OR t.epoch > 1)
	    JOIN registrations r ON r.organization_id = f.organization_id AND r.id = f.registration_id
	         AND r.status <> 'CANCELLED'
	   CROSS JOIN LATERAL (
	     SELECT greatest(f.start_date, max(g.end_date + 1) FILTER (WHERE g.end_date < x.tax_date)) AS start_date,
	            least(f.end_date, min(g.start_date - 1) FILTER (WHERE g.start_date > x.tax_date)) AS end_date,
	            count(*) FILTER (WHERE x.tax_date BETWEEN g.start_date AND g.end_date) AS returned
	       FROM filings g
	      WHERE g.organization_id = f.organization_id AND g.country_code = f.country_code AND g.state_code = f.state_code
	        AND g.filing_category = 'REGULAR' AND g.status NOT IN ('CANCELLED', 'SKIPPED')
	        AND g.start_date BETWEEN f.start_date - 366 AND f.end_date -- none has more days, which an index can tell
	        AND g.end_date >= f.start_date) k
	   WHERE`+ofOneStopShop+` AND k.returned = 0
	   ORDER BY f.organization_id, f.registration_id, k.start_date, k.end_date,
	         f.id DESC),
	skipped AS MATERIALIZED (
	  SELECT f.*, `+mayBePending("f.organization_id", "f.start_date", "f.end_date")+` AS waits
	    FROM found f),
	waiting AS (
	  INSERT INTO late_transactions (organization_id, registration_id, transaction_id, at)
	  SELECT organization_id, registration_id, transaction_id, now() + interval '`+processingCheckPause+`'
	    FROM skipped WHERE waits
	  ON CONFLICT DO NOTHING)`+selectLateFiling+`, f.due_date
	  FROM (SELECT * FROM skipped WHERE NOT waits) s
	 CROSS JOIN LATERAL (
	   SELECT k.organization_id, k.id, k.registration_id, k.country_code, k.state_code, k.state_name, s.start_date,
	          s.end_date, k.filing_frequency, k.currency, k.claims_as, k.due_date
	     FROM filings k WHERE k.organization_id = s.organization_id AND k.id = s.id) f
	 CROSS JOIN LATERAL (
	   SELECT coalesce(sum(l.liability), 0) AS owed FROM (
	     SELECT`+lineSums+` FROM (SELECT f.*) f`+returnLinesOf+`
	      WHERE`+ofOneStopShop+` AND`+notClaimed+`) l) o
	 WHERE o.owed <> 0`, pg.Names{"organization_id", "registration_id"}, lateRows)

// daysTaken reads whether another return has days of a return to be opened.
var daysTaken = pg.Prepare(`
	SELECT EXISTS (
	  SELECT FROM (SELECT * FROM {reopened}) r
	    JOIN filings g ON g.organization_id = r.organization_id AND g.country_code = r.country_code
	     AND g.state_code = r.state_code
	     AND g.filing_category = 'REGULAR' AND g.status NOT IN ('CANCELLED', 'SKIPPED')
	     AND g.start_date BETWEEN r.start_date - 366 AND r.end_date AND g.end_date >= r.start_date)`, nil, reopenedRows)

var reopenedRows = pg.RowsOf("reopened",
	pg.Col("organization_id", "text", func(f **models.Filing) *string { return &(*f).OrganizationID }),
	pg.Col("id", "text", func(f **models.Filing) *string { return &(*f).ID }),
	pg.Col("country_code", "text", func(f **models.Filing) *string { return &(*f).CountryCode }),
	pg.Col("state_code", "text", func(f **models.Filing) *string { return &(*f).StateCode }),
	pg.Col("start_date", "date", func(f **models.Filing) *string { return pg.Date((*f).StartDate) }),
	pg.Col("end_date", "date", func(f **models.Filing) *string { return pg.Date((*f).EndDate) }),
)

// daysTaken prevents other transactions from writing returns of the organization until the database transaction ends.
// It reports whether another registration at the authority has got a return meanwhile for days of the returns to be
// opened.
func (a *amending) daysTaken(ctx context.Context, conn *pg.Pipeline, of lateRegistration) (taken bool, err error) {
	batch := &pgx.Batch{}
	lockPlans.Queue(batch, nil, organizationRows.Of([]string{of.OrganizationID}))
	daysTaken.Queue(batch, nil, reopenedRows.Of(a.reopened)).QueryRow(func(row pgx.Row) error {
		return row.Scan(&taken)
	})
	return taken, conn.Send(ctx, batch)
}

// recordReopened writes to the history of each return why it exists.
var recordReopened = pg.Prepare(`
	INSERT INTO filing_history (organization_id, filing_id, to_status, action, actor_type, reason, attempt)
	SELECT f.organization_id, f.id, f.status, 'CREATED', 'SYSTEM', @reason, 0
	  FROM {reopened}
	  JOIN filings f ON f.organization_id = reopened.organization_id AND f.id = reopened.id`,
	pg.Names{"reason"}, reopenedRows)

// readSkipped collects the returns for skipped periods.
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

// queueReopened adds the statements that write the returns for skipped periods.
func (a *amending) queueReopened(batch *pgx.Batch) {
	if a.reopened == nil {
		return
	}
	pg.Queue(batch, insertFiling, filingRecord.Created, a.reopened)
	recordReopened.Queue(batch, []any{owesAfterSkipReason}, reopenedRows.Of(a.reopened))
}
