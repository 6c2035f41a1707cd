package filings

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"

	"levy/models"
	"levy/rules"
	"levy/store/pg"
	"levy/tax/calendar"
)

// CheckPause is the pause before a filing's workflow is checked again after it has seen its record.
const CheckPause = "1 day"

const selectWatch = "SELECT " + watchColumns + `
	  FROM filings f` + watchJoins + `
	 WHERE f.organization_id = $1 AND f.id = $2`

// watchColumns are the columns of scanWatch. watchJoins joins the tables of the other deciding columns to filings f.
const (
	watchColumns = `
	       f.status, f.start_date, f.end_date, f.due_date, f.paused_until_date, f.block_approval,
	       coalesce(d.auto_file, false), coalesce(s.special_tax_circumstances, false),
	       coalesce(s.filing_lookback_periods, 1),
	       f.attempt, f.country_code, f.state_code, f.reminders, coalesce(f.issue_reason, ''), f.locked_at IS NOT NULL,
	       CASE WHEN` + isLateFiling + ` THEN f.created_at END,
	       EXISTS (SELECT 1 FROM filings k WHERE k.organization_id = f.organization_id AND k.id = f.amends_filing_id
	         AND k.status <> 'FILED'),
	       CASE WHEN f.country_code = '` + models.EuropeanUnion + `' THEN ` + periodEnd + ` END`
	watchJoins = `
	  LEFT JOIN organization_details d ON d.organization_id = f.organization_id
	  LEFT JOIN organization_settings s ON s.organization_id = f.organization_id`
)

// isLateFiling is the condition on a filing f that was created for late transactions.
const isLateFiling = `
	       (f.filing_category = 'AMENDMENT' OR EXISTS (
	         SELECT 1 FROM filings k
	          WHERE k.organization_id = f.organization_id AND k.registration_id = f.registration_id AND k.status = 'SKIPPED'
	            AND k.filing_category = f.filing_category AND k.start_date <= f.start_date AND k.end_date >= f.end_date))`

// lockFiling is a statement of its own. selectWatch must read other tables after the lock. Otherwise it could miss a
// change that made the filing due while it waited for the lock.
const lockFiling = "SELECT 1 FROM filings WHERE organization_id = $1 AND id = $2 FOR NO KEY UPDATE"

// recordFilingObserved is written under the row lock, so a later change makes the filing due again. A filing that waits for
// its approval is announced once.
const recordFilingObserved = `
	UPDATE filings SET reminders = $3, next_check_at = CASE WHEN $4 THEN NULL ELSE now() + interval '` +
	CheckPause + `' END, announced_at = CASE WHEN $5 THEN coalesce(announced_at, now()) ELSE announced_at END
	 WHERE organization_id = $1 AND id = $2`

// insertReminderEvent writes a reminder to the event feed of the organization.
const insertReminderEvent = `
	INSERT INTO events (organization_id, type, object_id, record)
	SELECT f.organization_id, $3, f.id, to_jsonb(f) FROM filings f WHERE f.organization_id = $1 AND f.id = $2`

// notifyLastFilingOver notifies a registration that ends that its last filing is over. It is not part of a change of
// the filing, because a transaction that has locked a filing must not wait for a registration.
const notifyLastFilingOver = `
	UPDATE registrations r SET changed = true, next_check_at = now()
	  FROM filings f
	 WHERE f.organization_id = $1 AND f.id = $2 AND r.organization_id = f.organization_id AND r.id = f.registration_id
	   AND r.status = 'DEREGISTERING'
	   AND NOT EXISTS (
	     SELECT 1 FROM filings o
	      WHERE o.organization_id = r.organization_id AND o.registration_id = r.id
	        AND o.status NOT IN ('FILED', 'SKIPPED', 'CANCELLED'))`

// RefreshFiling returns the next step of a filing at a moment. It records the reminder that is due in the audit trail,
// and that the workflow has seen the current record. Errors: models.ErrNotFound.
func (s *Store) RefreshFiling(
	ctx context.Context, scope models.Scope, id string, now time.Time, policy rules.FilingPolicy,
) (rules.FilingSnapshot, error) {
	var snapshot rules.FilingSnapshot
	err := s.db.InTx(ctx, func(ctx context.Context) error {
		w, err := watchFiling(ctx, s.db, scope, id)
		if err != nil {
			return err
		}
		snapshot = rules.FilingSnapshot{FilingFacts: w, FilingStep: rules.NextFilingAction(w, now, policy)}
		step := snapshot.FilingStep
		if step.Reminders > w.Reminders {
			if snapshot.Reminded, err = s.recordReminder(ctx, scope, id, policy, step.Reminders); err != nil {
				return err
			}
		}
		_, err = s.db.Exec(ctx, recordFilingObserved, scope.OrganizationID, id, step.Reminders, step.Action == rules.FilingEnds,
			step.Waits == rules.WaitsForApproval)
		return err
	})
	if err == nil && snapshot.Action == rules.FilingEnds {
		_, err = s.db.Exec(ctx, notifyLastFilingOver, scope.OrganizationID, id)
	}
	return snapshot, pg.Translate(err)
}

// watchFiling locks a filing and reads it.
func watchFiling(ctx context.Context, tx pg.Querier, scope models.Scope, id string) (models.FilingFacts, error) {
	if _, err := tx.Exec(ctx, lockFiling, scope.OrganizationID, id); err != nil {
		return models.FilingFacts{}, err
	}
	return scanWatch(tx.QueryRow(ctx, selectWatch, scope.OrganizationID, id))
}

// scanWatch reads watchColumns, and the columns after them into more.
func scanWatch(row pgx.Row, more ...any) (models.FilingFacts, error) {
	var w models.FilingFacts
	var start, end time.Time
	var due, until, late, converted *time.Time
	err := row.Scan(append([]any{&w.Status, &start, &end, &due, &until, &w.BlockApprove,
		&w.AutoFile, &w.Special, &w.Lookback, &w.Attempt, &w.Country, &w.State, &w.Reminders, &w.Reason,
		&w.Locked, &late, &w.AmendsUnfiled, &converted}, more...)...)
	if late != nil {
		w.LateSince = late.UTC()
	}
	w.Period, w.Due, w.PausedUntil = calendar.Period{
		Start: calendar.DateOf(start), End: calendar.DateOf(end),
	}, calendar.OptionalDateOf(due), calendar.OptionalDateOf(until)
	w.ConvertedOn = calendar.OptionalDateOf(converted)
	return w, err
}

func (s *Store) recordReminder(
	ctx context.Context, scope models.Scope, id string, policy rules.FilingPolicy, n int,
) (event string, err error) {
	event, days := policy.ReminderEvent(n)
	detail := map[string]any{"event": event}
	if event == models.EventFilingDueSoon {
		detail["days"] = days
	}
	_, err = s.db.Exec(ctx, `INSERT INTO audit (organization_id, id, action, entity_type, entity_id, detail)
		VALUES ($1, $2, $3, 'filing', $4, $5)`,
		scope.OrganizationID, models.NewID(models.PrefixAudit), models.AuditRemind, id, detail)
	if err == nil {
		_, err = s.db.Exec(ctx, insertReminderEvent, scope.OrganizationID, id, event)
	}
	return event, err
}

// ResumeFiling ends a pause whose last day has come. It does not change a pause that was extended or has ended.
func (s *Store) ResumeFiling(ctx context.Context, scope models.Scope, id string, now time.Time) error {
	return s.changeFiling(ctx, scope, id, func(f *models.Filing) error {
		return rules.ResumeFiling(f, now)
	})
}

// leaseFilings only leases. The deciding columns are read afterwards, so a later change makes the filing due again.
const leaseFilings = `
	WITH due AS (
	  SELECT organization_id, id FROM filings
	   WHERE next_check_at <= now() ORDER BY next_check_at LIMIT $1 FOR NO KEY UPDATE SKIP LOCKED)
	UPDATE filings f SET next_check_at = now() + interval '1 minute' FROM due
	 WHERE f.organization_id = due.organization_id AND f.id = due.id
	RETURNING f.organization_id, f.id, f.next_check_at`

var watchLeased = pg.Prepare("SELECT "+watchColumns+`, f.organization_id, f.id, f.filing_category, lease.leased
	  FROM {lease}
	 CROSS JOIN LATERAL (SELECT * FROM filings x
	                      WHERE x.organization_id = lease.organization_id AND x.id = lease.id OFFSET 0) f`+watchJoins,
	nil, leaseRows)

var postponeFilings = pg.Prepare(`
	WITH seen AS (
	  SELECT f.organization_id, f.id, lease.ready
	    FROM {lease}
	   CROSS JOIN LATERAL (
	     SELECT x.organization_id, x.id FROM filings x
	      WHERE x.organization_id = lease.organization_id AND x.id = lease.id AND x.next_check_at = lease.leased
	        FOR NO KEY UPDATE SKIP LOCKED) f)
	UPDATE filings f SET next_check_at = now() + interval '`+CheckPause+`',
	       announced_at = CASE WHEN seen.ready THEN coalesce(f.announced_at, now()) ELSE f.announced_at END FROM seen
	 WHERE f.organization_id = seen.organization_id AND f.id = seen.id`, nil, leaseRows)

var leaseRows = pg.RowsOf("lease",
	pg.Col("organization_id", "text", func(f *models.FilingDue) *string { return &f.OrganizationID }),
	pg.Col("id", "text", func(f *models.FilingDue) *string { return &f.ID }),
	pg.Col("leased", "timestamptz", func(f *models.FilingDue) *string { return pg.Timestamp(f.Leased) }),
	pg.Col("ready", "boolean", func(f *models.FilingDue) *string { return pg.Bool(f.Ready) }),
)

// LeaseFilings leases up to limit filings whose workflow has something to do, or must be started or notified.
// It postpones their next time by a minute: the commit is the lease. It is one of the few queries across organizations.
func (s *Store) LeaseFilings(ctx context.Context, limit int) ([]models.FilingDue, error) {
	if due, err := s.db.Exists(ctx, "filings WHERE next_check_at <= now()"); err != nil || !due {
		return nil, err
	}
	rows, err := s.db.Query(ctx, leaseFilings, limit)
	leased, err := pg.Collect(rows, err, func(row pgx.CollectableRow) (f models.FilingDue, err error) {
		return f, row.Scan(&f.OrganizationID, &f.ID, &f.Leased)
	})
	if err != nil || len(leased) == 0 {
		return nil, err
	}
	rows, err = s.db.Query(ctx, watchLeased.SQL, watchLeased.Values(nil, leaseRows.Of(leased))...)
	return pg.Collect(rows, err, func(row pgx.CollectableRow) (f models.FilingDue, err error) {
		f.FilingFacts, err = scanWatch(row, &f.OrganizationID, &f.ID, &f.Category, &f.Leased)
		return f, err
	})
}

// PutOffFilings records that the workflows of filings have seen them as they were when leased. It announces each that
// waits for its approval once. Filings that changed since stay due.
func (s *Store) PutOffFilings(ctx context.Context, seen []models.FilingDue) error {
	_, err := s.db.Exec(ctx, postponeFilings.SQL, postponeFilings.Values(nil, leaseRows.Of(seen))...)
	return pg.Translate(err)
}
