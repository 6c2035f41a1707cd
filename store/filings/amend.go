package filings

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"

	"levy/models"
	"levy/store/pg"
)

const (
	amendRows    = 1000 // bounds what one database transaction amends
	amendPause   = 2 * time.Second
	amendTimeout = 5 * time.Second // what a stage waits for its amendments at most
)

const (
	// lateRegistrations are those with transactions that came late, of all organizations or of some.
	lateRegistrations = `
	SELECT DISTINCT organization_id, registration_id FROM late_transactions
	 WHERE at <= now() AND ($1::text[] IS NULL OR organization_id = ANY ($1)) ORDER BY organization_id, registration_id`

	selectLateFiling = `
	SELECT f.organization_id, f.id, f.registration_id, f.country_code, f.state_code, f.state_name, f.start_date,
	       f.end_date, f.filing_frequency, f.currency`
)

// takeLate takes transactions of a registration that nobody else has taken, unless a claim
// holds that. No claim and no change of a filing of it can come in between until
// the end of the database transaction. They are deleted before they are looked at: who notes one of
// them again meanwhile waits, and notes it for the next time.
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

// lateReturnLines finds those that the return of their period would have claimed: with
// that return, the amendment that is open for it, and the reason.
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

// lateRows are ids of transactions that came late.
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

// AmendFilings opens amendments for transactions that came too late for the return of
// their period, or adds them to the one that is open, opens another return for a period that
// was skipped and owes something now, cancels amendments for which nothing is left, and returns how many it checked.
// It crosses organizations, can be repeated at will, and several may run at once.
func (s *Store) AmendFilings(ctx context.Context) (int, error) { return s.amendAll(ctx, nil) }

// KeepFilingsAmended amends every few seconds until ctx ends, for whatever a stage could
// not do itself. Several processes may do so at once.
func (s *Store) KeepFilingsAmended(ctx context.Context) {
	pg.Repeat(ctx, "amending returns", amendPause, func(ctx context.Context) (bool, error) {
		_, err := s.AmendFilings(ctx)
		return false, err
	})
}

// AmendAfter amends at once what a stage of some transactions has noted. What it cannot do, because a claim
// is under way, it takes too long or the database has gone, is done by the next call of AmendFilings.
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

// amendAll amends the returns of one registration after the other, in database transactions of their own: one whose
// returns are being claimed, or cannot be amended, keeps no other waiting. Those with much are in rotation. The error is the
// first one.
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

// amending is what one database transaction amends.
type amending struct {
	transactionIDs []string // taken

	causes   []cause
	opened   []*models.Filing
	reopened []*models.Filing // for periods that were skipped
	empty    []string         // amendments for which nothing is left
}

func (a *amending) amend(ctx context.Context, conn *pg.Pipeline, s *Store, of lateRegistration) error {
	batch := &pgx.Batch{}
	conn.Begin(batch, "")
	batch.Queue(takeLate, of.OrganizationID, of.ID, amendRows).Query(pg.All(&a.transactionIDs, pgx.RowTo[string]))
	if err := conn.Send(ctx, batch); err != nil {
		return err
	}
	if len(a.transactionIDs) == 0 { // a claim is under way, or another process was faster
		conn.Rollback(ctx)
		return nil
	}
	batch = &pgx.Batch{}
	batch.Queue(longWork) // another return of a period is owed for all of its sales
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
		if taken { // the next time sees which days are left
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

// read takes the returns to amend; those without an open amendment get one.
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
