package filings

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"levy/internal/failpoint"
	"levy/models"
	"levy/models/ledger"
	"levy/rules"
	"levy/store/pg"
)

// UpdateFiling reads a filing, calls change and writes the result in one database transaction. It also changes its
// lines as the new status requires. The second of two concurrent changes sees the first, and a repetition changes
// nothing. change gets the filing with the pending transactions of its period, but without its live sums.
//
// Errors: models.ErrNotFound; *models.TransitionError; *models.FilingNotReadyError if a line has no reference rate;
// *models.FilingUnresolvedError if a transaction became unresolved meanwhile; *models.FilingAmountError;
// *models.FilingLiabilityError; and those of change.
func (s *Store) UpdateFiling(
	ctx context.Context, scope models.Scope, actor models.Actor, id string, change func(*models.Filing) error,
) (models.Filing, error) {
	u := &filingUpdate{scope: scope, actor: actor}
	if err := s.update(ctx, u, id, change); err != nil {
		return models.Filing{}, err
	}
	s.freezeAfterClaim(ctx, u)
	return u.next, nil
}

// update is UpdateFiling without what follows the commit.
func (s *Store) update(ctx context.Context, u *filingUpdate, id string, change func(*models.Filing) error) error {
	conn, err := s.db.Pipeline(ctx)
	if err != nil {
		return fmt.Errorf("%w: no database connection: %w", models.ErrUnavailable, err)
	}
	defer conn.Release()
	err = u.read(ctx, conn, id)
	if err == nil {
		u.next = u.stored
		now := s.db.Now()
		u.next.UpdatedAt, u.next.NextCheckAt = now, &now
		err = change(&u.next)
		if u.next.MadeChange != nil { // the workflow has no part in it, and may be over
			u.next.NextCheckAt = u.stored.NextCheckAt
		}
	}
	if err == nil {
		err = u.readMakers(ctx, conn)
	}
	if err == nil {
		err = rules.CheckFilingChange(u.change(), u.second)
	}
	if err == nil {
		err = failpoint.Hit("before_filing_write")
	}
	if err == nil {
		err = u.write(ctx, s.db, conn)
	}
	if err != nil {
		conn.Rollback(context.WithoutCancel(ctx))
		if u.before.Undecided || u.after.Undecided {
			_, _ = s.db.Exec(ctx, evaluateAgain, u.scope.OrganizationID) // if this fails, the next refusal repeats it
		}
		if taken, ok := errors.AsType[*models.DuplicateError](err); ok && taken.ExistingID == "" {
			return s.nameEntry(ctx, u, taken)
		}
		return u.before.explain(pg.Translate(err))
	}
	return nil
}

// filingUpdate is a change of a filing in progress: the stored filing, locked, and the next one.
type filingUpdate struct {
	scope        models.Scope
	actor        models.Actor
	stored, next models.Filing
	open         string // the open amendment of the period, if one is asked for
	action       string // for the audit trail; "" means update
	claims       bool   // whether it claims lines

	before, after obligations // when the filing was read, and when its lines were claimed
	check         claimCheck
	second        rules.SecondPersonFacts
}

// change returns the change for the rules to decide.
func (u *filingUpdate) change() rules.FilingChange {
	return rules.FilingChange{
		Before: &u.stored, After: &u.next, Created: u.action == models.AuditCreate, By: u.actor,
	}
}

// secondPersonOf reads whether the organization $1 requires a second person.
const secondPersonOf = `SELECT coalesce(bool_or(require_second_person), false) FROM organization_settings
	 WHERE organization_id = $1`

// queueSecondPerson adds the statement that reads whether a second person is required. Levy needs none.
func (u *filingUpdate) queueSecondPerson(batch *pgx.Batch) {
	if !u.actor.IsLevy() {
		batch.Queue(secondPersonOf, u.scope.OrganizationID).
			QueryRow(func(row pgx.Row) error { return row.Scan(&u.second.Required) })
	}
}

// read locks the registration and then, with later statements, reads the filing. From then on the time depends on the
// number of sales in the period.
func (u *filingUpdate) read(ctx context.Context, conn *pg.Pipeline, id string) error {
	batch := &pgx.Batch{}
	conn.Begin(batch, "")
	awaitStages(batch, u.scope.OrganizationID)
	// guard: filing: a change of one locks its registration
	batch.Queue(lockRegistrationOf, u.scope.OrganizationID, id)
	batch.Queue(selectFilings+" WHERE f.organization_id = $1 AND f.id = $2 FOR NO KEY UPDATE OF f",
		u.scope.OrganizationID, id).
		QueryRow(func(row pgx.Row) (err error) {
			u.stored, err = scanFiling(row)
			return err
		})
	batch.Queue(selectEntries+ofFiling, u.scope.OrganizationID, id).Query(pg.All(&u.stored.Entries, scanEntry))
	batch.Queue(selectMade, u.scope.OrganizationID, []string{id}).Query(pg.All(&u.stored.Made, scanMade))
	batch.Queue(LongWork)
	queueObligations(batch, obligationsOfFiling, u.scope, id, &u.before)
	batch.Queue("SELECT coalesce(sum(p.n), 0) FROM ("+pendingOf+") p (id, n)", u.scope.OrganizationID, []string{id}).
		QueryRow(func(row pgx.Row) error { return row.Scan(&u.stored.Pending) })
	queueUnresolved(batch, u.scope, map[string]*models.Filing{id: &u.stored}, []string{id})
	batch.Queue("SELECT coalesce(array_agg(u.id::text), '{}') FROM ("+unresolvedIDsOf+") u",
		u.scope.OrganizationID, id, UnionReturns()).
		QueryRow(func(row pgx.Row) error { return row.Scan(&u.check.before) })
	u.queueSecondPerson(batch)
	err := conn.Send(ctx, batch)
	u.before.postpone(&u.stored)
	return err
}

// write writes the next filing and commits.
func (u *filingUpdate) write(ctx context.Context, db *pg.DB, conn *pg.Pipeline) error {
	batch := &pgx.Batch{}
	u.queueLines(batch)
	u.queueFields(batch)
	u.queueEntry(batch)
	u.queueMade(batch)
	u.queueSettle(batch)
	u.queueRemitted(batch)
	if err := u.queueConnection(ctx, db, batch); err != nil {
		return err
	}
	entry := u.auditEntry()
	if !u.isFiled() {
		pg.QueueAudit(batch, entry)
	}
	u.queueTransition(batch)
	list := []models.Filing{{}}
	batch.Queue(selectFilings+" WHERE f.organization_id = $1 AND f.id = $2", u.scope.OrganizationID,
		u.next.ID).QueryRow(func(row pgx.Row) (err error) {
		list[0], err = scanFiling(row)
		return err
	})
	if err := conn.Send(ctx, batch); err != nil {
		switch {
		case lacksRate(err):
			return &models.FilingNotReadyError{WaitsForRate: true}
		// guard: payments: what a return has taken off stays paid
		case u.next.MadeChange != nil && pg.Violates(err, "filings_credit_used"):
			return &models.FilingImmutableError{Fields: []string{"payments"}}
		// The entry of another filing took the number at the same moment.
		case u.next.EntryChange != nil && pg.Violates(err, "filing_entries_external_id"):
			return &models.DuplicateError{Field: "external_id"}
		case pg.NumberTooLarge(err):
			return u.next.AmountTooLarge(&u.stored)
		}
		return err
	}
	if err := rules.CheckFilingClaim(u.change(), rules.FilingClaim{
		Read: u.before.FilingObligations, Claimed: u.after.FilingObligations, Unresolved: u.check.after, Written: &list[0],
	}); err != nil {
		return err
	}
	parts := &pgx.Batch{}
	if u.isFiled() {
		hash, err := sealReport(ctx, db, conn.Conn(), u.scope, u.next.ID)
		if err != nil {
			return err
		}
		list[0].ReportHash = &hash
		// guard: ledger: a filed return has its leaf
		entry.Leaf, err = db.Leaf(ctx, ledger.Return(u.scope.OrganizationID, u.next.ID, hash))
		if err != nil {
			return err
		}
		pg.QueueAudit(parts, entry)
	}
	queueFilingParts(parts, u.scope, list)
	conn.Commit(parts)
	if err := conn.SendLast(ctx, parts); err != nil {
		return err
	}
	u.next = list[0]
	return failpoint.Hit("after_filing_commit")
}

// queueLines adds the statements that claim or release the lines of the return, as its transition requires.
func (u *filingUpdate) queueLines(batch *pgx.Batch) {
	change := u.change()
	switch rules.LinesOfFiling(change) {
	case rules.FilingClaimsLines:
		to := models.ProcessingFilingStarted
		if u.next.Status == models.FilingFiled {
			to = models.ProcessingFilingDone
		}
		queueClaim(batch, &u.next, to)
		u.claims = true
		if rules.ApprovesLines(change) {
			queueObligations(batch, obligationsOfFiling, u.scope, u.next.ID, &u.after)
			u.queueClaimCheck(batch)
		}
	case rules.FilingFinishesLines:
		batch.Queue(
			moveReturnLines, u.scope.OrganizationID, u.next.ID, string(models.ProcessingFilingStarted),
			string(models.ProcessingFilingDone),
		)
	case rules.FilingReleasesLines:
		u.queueRelease(batch)
	case rules.FilingFreezesSums:
		batch.Queue(freezeSums("$2"), u.scope.OrganizationID, []string{u.next.ID})
	case rules.FilingKeepsLines:
	}
}

func changedOne(tag pgconn.CommandTag) error {
	if tag.RowsAffected() != 1 {
		return models.ErrChangedMeanwhile
	}
	return nil
}

// updateFiling writes the fields of a filing.
var updateFiling = func() string {
	set := make([]string, len(filingRecord.Updated))
	for i, c := range filingRecord.Updated {
		set[i] = fmt.Sprintf("%s = $%d::text::%s", c.Name, i+3, c.Cast)
	}
	return "UPDATE filings f SET " + strings.Join(set, ", ") + " WHERE f.organization_id = $1 AND f.id = $2"
}()

// remitAll sets the paid amount of returns that are filed without one. The claimed amount is known in the database
// alone. A refused payment pays nothing.
const remitAll = `
	UPDATE filings f SET tax_remitted = ` + AmountOf + `
	 WHERE f.organization_id = $1 AND f.id = $2 AND f.tax_remitted = 0`

// makeAmendmentDue makes the amendment due that waited for its return.
const makeAmendmentDue = `
	UPDATE filings SET next_check_at = now()
	 WHERE organization_id = $1 AND amends_filing_id = $2 AND filing_category = 'AMENDMENT'
	   AND status IN ('UNFILED', 'PAUSED')`

func (u *filingUpdate) queueFields(batch *pgx.Batch) {
	args := []any{u.scope.OrganizationID, u.next.ID}
	for _, c := range filingRecord.Updated {
		args = append(args, c.Value(&u.next))
	}
	batch.Queue(updateFiling, args...).Exec(changedOne)
}

// queueRemitted adds what becomes of a return when it is filed.
func (u *filingUpdate) queueRemitted(batch *pgx.Batch) {
	if !u.isFiled() {
		return
	}
	if answer := u.next.Answer; u.next.TaxRemitted.IsZero() && (answer == nil || !answer.Unpaid()) {
		batch.Queue(remitAll, u.scope.OrganizationID, u.next.ID)
	}
	batch.Queue(makeAmendmentDue, u.scope.OrganizationID, u.next.ID)
}

// isFiled reports whether the change files the return.
func (u *filingUpdate) isFiled() bool {
	return u.next.Status == models.FilingFiled && u.stored.Status != models.FilingFiled
}

// auditEntry returns the row of the audit trail of the change.
func (u *filingUpdate) auditEntry() *models.AuditEntry {
	if change := u.next.EntryChange; change != nil {
		return u.auditOfEntry(change)
	}
	if change := u.next.MadeChange; change != nil {
		return u.auditOfMade(change)
	}
	action := u.action
	if action == "" {
		action = models.AuditUpdate
	}
	changed := pg.Changed(&u.stored, &u.next)
	changed["from"], changed["to"] = u.stored.Status, u.next.Status
	delete(changed, "status") // from and to say it
	return u.actor.Entry(u.scope, action, "filing", u.next.ID).With(changed)
}
