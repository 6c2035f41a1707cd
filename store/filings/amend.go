package filings

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"

	"levy/models"
	"levy/store/pg"
)

const (
	amendRows    = 1000 // the most transactions that one database transaction amends
	amendPause   = 2 * time.Second
	amendTimeout = 5 * time.Second // the longest time that a stage waits for its amendments
)

const (
	// lateRegistrations selects the registrations with late transactions, of all organizations or of some.
	lateRegistrations = `
	SELECT DISTINCT organization_id, registration_id FROM late_transactions
	 WHERE at <= now() AND ($1::text[] IS NULL OR organization_id = ANY ($1)) ORDER BY organization_id, registration_id`

	selectLateFiling = `
	SELECT f.organization_id, f.id, f.registration_id, f.country_code, f.state_code, f.state_name, f.start_date,
	       f.end_date, f.filing_frequency, f.currency`
)

// takeLate takes late transactions of a registration, unless a claim has locked the registration. It skips transactions
// that another process takes. Until the end of the database transaction no claim and no change of a filing can come in
// between. It deletes the rows before they are processed: a statement that records one of them again waits,
// and its row is for the next call.
var takeLate = `
	WITH held AS MATERIALIZED (SELECT ` + pg.LockRegistration.TryShared("$2") + ` AS free),
	taken AS MATERIALIZED (
	  SELECT organization_id, registration_id, transaction_id FROM late_transactions
	   WHERE organization_id = $1 AND registration_id = $2 AND at <= now() AND (SELECT free FROM held)
	   ORDER BY transaction_id LIMIT $3 FOR UPDATE SKIP LOCKED)
	DELETE FROM late_transactions l USING taken t
	 WHERE l.organization_id = t.organization_id AND l.registration_id = t.registration_id
	   AND l.transaction_id = t.transaction_id
	RETURNING l.transaction_id`

// lateReturnLines selects the late transactions that the return of their period would have claimed, with that return,
// its open amendment, and the reason.
var lateReturnLines = pg.Prepare(selectLateFiling+`, coalesce(a.id, ''), late.id,
	       CASE WHEN t.type IN ('FULL_CREDIT_NOTE', 'PARTIAL_CREDIT_NOTE', 'TAX_REFUND') THEN 'CREDIT_NOTE'
	            WHEN t.created_at <= f.claimed_at AND t.epoch > 1 THEN 'CHANGED' ELSE 'LATE' END
	  FROM {late}
	  JOIN filings f ON f.organization_id = @organization_id AND f.registration_id = @registration_id
	   AND f.filing_category = 'REGULAR' AND f.claimed_at IS NOT NULL`+returnLinesOf+`
	   AND x.transaction_id = late.id
	  LEFT JOIN filings a ON a.organization_id = f.organization_id AND a.amends_filing_id = f.id
	   AND a.filing_category = 'AMENDMENT' AND a.status IN ('UNFILED', 'PAUSED')
	 WHERE`+ofOneStopShop+` AND`+notClaimed, pg.Names{"organization_id", "registration_id"}, lateRows)

// lateRows are the ids of late transactions as rows of a statement.
var lateRows = pg.RowsOf("late", pg.Col("id", "text", func(id *string) *string { return id }))

// cause is a transaction for which a return is amended.
type cause struct{ organizationID, amends, transactionID, reason string }

var causeRows = pg.RowsOf("cause",
	pg.Col("organization_id", "text", func(c *cause) *string { return &c.organizationID }),
	pg.Col("amends", "text", func(c *cause) *string { return &c.amends }),
	pg.Col("transaction_id", "text", func(c *cause) *string { return &c.transactionID }),
	pg.Col("reason", "text", func(c *cause) *string { return &c.reason }),
)

var recordCauses = pg.Prepare(`
	WITH causes AS (
	  SELECT a.organization_id, a.id, cause.transaction_id, cause.reason
	    FROM {cause}
	    JOIN filings a ON a.organization_id = cause.organization_id AND a.amends_filing_id = cause.amends
	     AND a.filing_category = 'AMENDMENT' AND a.status IN ('UNFILED', 'PAUSED')),
	noted AS (
	  INSERT INTO filing_causes (organization_id, filing_id, transaction_id, reason)
	  SELECT organization_id, id, transaction_id, reason FROM causes ORDER BY 1, 2, 3
	  ON CONFLICT DO NOTHING)
	SELECT count(*) FROM causes`, nil, causeRows)

// AmendFilings amends returns for late transactions and returns how many transactions it checked. It opens an amendment
// of the return of their period, or adds them to the open one. It opens another return for a period that was skipped
// and owes something now, and cancels amendments without transactions. It crosses organizations, can be repeated,
// and several processes may call it at once.
func (s *Store) AmendFilings(ctx context.Context) (int, error) { return s.amendAll(ctx, nil) }

// KeepFilingsAmended calls AmendFilings every few seconds until ctx ends, for transactions that a stage could not
// amend. Several processes may do so at once.
func (s *Store) KeepFilingsAmended(ctx context.Context) {
	pg.Repeat(ctx, "amending returns", amendPause, func(ctx context.Context) (bool, error) {
		_, err := s.AmendFilings(ctx)
		return false, err
	})
}

// AmendAfter amends the returns for the transactions that a stage has just recorded. It ignores failures,
// such as a running claim, a timeout or a lost database: the next call of AmendFilings repeats it.
func (s *Store) AmendAfter(ctx context.Context, late int64, refs []models.Ref) {
	if late == 0 {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, amendTimeout)
	defer cancel()
	organizationIDs := make([]string, len(refs))
	for i, ref := range refs {
		organizationIDs[i] = ref.OrganizationID
	}
	_, _ = s.amendAll(ctx, organizationIDs)
}

// amendAll amends the returns of one registration after the other, each in a database transaction of its own.
// So a registration with a running claim or a failure does not delay the others. Registrations with many transactions
// take turns. It returns the first error.
func (s *Store) amendAll(ctx context.Context, organizationIDs []string) (total int, err error) {
	rows, err := s.db.Query(ctx, lateRegistrations, organizationIDs)
	registrations, err := pg.Collect(rows, err, pgx.RowToStructByPos[lateRegistration])
	if err != nil {
		return 0, err
	}
	for len(registrations) > 0 {
		var more []lateRegistration
		for _, r := range registrations {
			n, failure := s.amendSome(ctx, r)
			total += n
			if err == nil {
				err = pg.Translate(failure)
			}
			if n == amendRows {
				more = append(more, r)
			}
		}
		registrations = more
	}
	return total, err
}

type lateRegistration struct{ OrganizationID, ID string }

func (s *Store) amendSome(ctx context.Context, of lateRegistration) (int, error) {
	a := &amending{}
	if err := s.amendInTx(ctx, a, of); err != nil {
		return 0, err
	}
	return len(a.transactionIDs), s.cancelEmpty(ctx, of.OrganizationID, a.empty)
}

func (s *Store) amendInTx(ctx context.Context, a *amending, of lateRegistration) error {
	conn, err := s.db.Pipeline(ctx)
	if err != nil {
		return err
	}
	defer conn.Release()
	if err = a.amend(ctx, conn, s, of); err != nil {
		conn.Rollback(context.WithoutCancel(ctx))
	}
	return err
}

// amending is the work of one database transaction.
type amending struct {
	transactionIDs []string // the taken transactions

	causes   []cause
	opened   []*models.Filing
	reopened []*models.Filing // returns for periods that were skipped
	empty    []string         // amendments without transactions
}

func (a *amending) amend(ctx context.Context, conn *pg.Pipeline, s *Store, of lateRegistration) error {
	batch := &pgx.Batch{}
	conn.Begin(batch, "")
	batch.Queue(takeLate, of.OrganizationID, of.ID, amendRows).Query(pg.All(&a.transactionIDs, pgx.RowTo[string]))
	if err := conn.Send(ctx, batch); err != nil {
		return err
	}
	if len(a.transactionIDs) == 0 { // a claim is running, or another process was faster
		conn.Rollback(ctx)
		return nil
	}
	batch = &pgx.Batch{}
	batch.Queue(LongWork) // another return of a period reads all of its sales
	registration, late := []any{of.OrganizationID, of.ID}, lateRows.Of(a.transactionIDs)
	lateReturnLines.Queue(batch, registration, late).Query(func(rows pgx.Rows) error { return a.read(rows, s) })
	skippedThatOwe.Queue(batch, registration, late).Query(func(rows pgx.Rows) error { return a.readSkipped(rows, s) })
	batch.Queue(emptyAmendments, of.OrganizationID, of.ID, a.transactionIDs).Query(
		pg.All(&a.empty, pgx.RowTo[string]))
	if err := conn.Send(ctx, batch); err != nil {
		return err
	}
	if a.reopened != nil {
		taken, err := a.daysTaken(ctx, conn, of)
		if err != nil {
			return err
		}
		if taken { // the next call reads the days that are left
			a.transactionIDs = nil
			conn.Rollback(ctx)
			return nil
		}
	}
	batch = &pgx.Batch{}
	pg.Queue(batch, insertFiling, filingRecord.Created, a.opened)
	a.queueReopened(batch)
	recordCauses.Queue(batch, nil, causeRows.Of(a.causes))
	conn.Commit(batch)
	return conn.Send(ctx, batch)
}

// read collects the causes, and creates an amendment for each return without an open one.
func (a *amending) read(rows pgx.Rows, s *Store) error {
	opened := map[string]bool{}
	for rows.Next() {
		var f models.Filing
		var open, transactionID, reason string
		err := rows.Scan(&f.OrganizationID, &f.ID, &f.RegistrationID, &f.CountryCode, &f.StateCode, &f.StateName,
			&f.StartDate, &f.EndDate,
			&f.FilingFrequency, &f.Currency, &open, &transactionID, &reason)
		if err != nil {
			return err
		}
		a.causes = append(a.causes, cause{f.OrganizationID, f.ID, transactionID, reason})
		if open == "" && !opened[f.ID] {
			opened[f.ID] = true
			amends, now := f.ID, s.db.Now()
			f.ID, f.AmendsFilingID = models.NewID(models.PrefixFiling), &amends
			f.FilingCategory, f.Status = models.FilingAmendment, models.FilingUnfiled
			f.CreatedAt, f.UpdatedAt, f.NextCheckAt = now, now, &now
			a.opened = append(a.opened, &f)
		}
	}
	return rows.Err()
}
