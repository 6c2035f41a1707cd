package filings

import (
	"context"

	"github.com/jackc/pgx/v5"

	"levy/models"
	"levy/store/pg"
)

// insertHistory writes an entry of the history. It copies the current name of an API key, because the name must be
// readable after the key is deleted.
var insertHistory = pg.Prepare(`
	INSERT INTO filing_history (organization_id, filing_id, from_status, to_status, action, actor_type, actor_id,
	                            actor_name, reason, attempt, authority, authority_code, authority_message, confirmation_id,
	                            attestation)
	SELECT @organization_id::text, @filing_id::text, nullif(@from_status::text, ''), @to_status::text, @action::text,
	       @actor_type::text, nullif(@actor_id::text, ''),
	       coalesce(nullif(@actor_name::text, ''), (
	         SELECT k.name FROM organizations o
	           JOIN api_keys k ON k.organization_id IN (o.id, o.parent_organization_id) AND k.id = @actor_id::text
	          WHERE o.id = @organization_id::text)),
	       nullif(@reason::text, ''), @attempt::integer, nullif(@authority::text, ''), nullif(@authority_code::text, ''),
	       nullif(@authority_message::text, ''), nullif(@confirmation_id::text, ''),
	       nullif(@attestation::text, '')
	ON CONFLICT (organization_id, filing_id, attempt) WHERE action = 'SUBMITTED' DO NOTHING`, pg.Names{
	"organization_id", "filing_id", "from_status", "to_status", "action", "actor_type", "actor_id", "actor_name", "reason",
	"attempt", "authority", "authority_code", "authority_message", "confirmation_id", "attestation",
})

func queueHistory(batch *pgx.Batch, scope models.Scope, filingID string, e models.FilingEvent) {
	var a models.FilingAuthority
	if e.Authority != nil {
		a = *e.Authority
	}
	insertHistory.Queue(batch, []any{
		scope.OrganizationID, filingID, string(e.From), string(e.To), string(e.Action), string(e.Actor.Type), e.Actor.ID,
		e.Actor.Name, e.Reason, e.Attempt, a.Name, a.Code, a.Message, a.ConfirmationID, e.Attestation,
	})
}

// queueTransition adds the entry for a change of status; nothing if the status is the same.
func (u *filingUpdate) queueTransition(batch *pgx.Batch) {
	from, f := u.stored.Status, &u.next
	created := u.action == models.AuditCreate
	if from == f.Status && !created {
		return
	}
	if created {
		from = ""
	}
	e := models.FilingEvent{
		From: from, To: f.Status, Action: models.FilingTransitioned(from, f.Status),
		Actor: u.actorOf(), Attempt: f.Attempt,
	}
	switch f.Status {
	case models.FilingIssue:
		e.Reason = valueOf(f.IssueReason)
	case models.FilingSkipped:
		e.Reason = valueOf(f.SkipReason)
	case models.FilingCancelled:
		e.Reason = valueOf(f.CancelledReason)
	case models.FilingFiled:
		e.Authority = &models.FilingAuthority{ConfirmationID: valueOf(f.ReturnConfirmationID)}
	case models.FilingUnfiled, models.FilingFiling, models.FilingPaused:
	}
	if f.Status == models.FilingFiling && f.Approval != nil {
		e.Attestation = f.Approval.Attestation
	}
	if created && f.OnDemand {
		e.Reason = valueOf(f.InternalNotes)
	}
	if answer := f.Answer; answer != nil {
		e.Authority = &models.FilingAuthority{
			Name: answer.Authority, Code: answer.Reason, Message: answer.Message, ConfirmationID: answer.Confirmation,
		}
	}
	queueHistory(batch, u.scope, f.ID, e)
}

// queueRemark adds the line of an action that leaves the status, with a sentence about its effect.
func (u *filingUpdate) queueRemark(batch *pgx.Batch, action models.FilingAction, said string) {
	queueHistory(batch, u.scope, u.next.ID, models.FilingEvent{
		From: u.next.Status, To: u.next.Status, Action: action, Actor: u.actorOf(), Attempt: u.next.Attempt, Reason: said,
	})
}

// actorOf returns the actor of the change. An approval by an API key may name another person.
func (u *filingUpdate) actorOf() models.FilingActor {
	approval := u.next.Approval
	switch {
	case u.actor.UserID != "":
		return models.FilingActor{Type: models.ActorUser, ID: u.actor.UserID, Name: u.actor.UserName}
	case u.actor.APIKeyID != "":
		who := models.FilingActor{Type: models.ActorAPIKey, ID: u.actor.APIKeyID}
		if approval != nil && approval.By != who.ID {
			who.Name = approval.By
		}
		return who
	case u.actor.Staff != "":
		return models.FilingActor{Type: models.ActorStaff, Name: u.actor.Staff}
	case approval != nil:
		return models.FilingActor{Type: models.ActorSystem, Name: approval.By}
	}
	return models.FilingActor{Type: models.ActorSystem}
}

// NoteSubmission records that an attempt was submitted to an authority. A repetition changes nothing.
func (s *Store) NoteSubmission(
	ctx context.Context, scope models.Scope, attempt models.Attempt, authority string,
) error {
	batch := &pgx.Batch{}
	queueHistory(batch, scope, attempt.RecordID, models.FilingEvent{
		From: models.FilingFiling, To: models.FilingFiling, Action: models.FilingWasSubmitted, Attempt: attempt.Number,
		Actor: models.FilingActor{Type: models.ActorSystem}, Authority: &models.FilingAuthority{Name: authority},
	})
	return pg.Translate(s.db.SendBatch(ctx, batch).Close())
}

// NoteManualFiling records since when people have to file an attempt. A repetition changes nothing.
func (s *Store) NoteManualFiling(ctx context.Context, scope models.Scope, attempt models.Attempt) error {
	_, err := s.db.Exec(ctx, `
		UPDATE filings SET manual_since = now()
		 WHERE organization_id = $1 AND id = $2 AND attempt = $3 AND manual_since IS NULL`,
		scope.OrganizationID, attempt.RecordID, attempt.Number)
	return pg.Translate(err)
}

// NoteFilingContact records since when the authority does not answer for an attempt, or that it answers again. Usually
// nothing changes.
func (s *Store) NoteFilingContact(ctx context.Context, scope models.Scope, attempt models.Attempt, answered bool) error {
	_, err := s.db.Exec(ctx, `
		UPDATE filings SET unanswered_since = CASE WHEN NOT $4 THEN now() END
		 WHERE organization_id = $1 AND id = $2 AND attempt = $3 AND (unanswered_since IS NOT NULL) = $4`,
		scope.OrganizationID, attempt.RecordID, attempt.Number, answered)
	return pg.Translate(err)
}

const selectHistory = `
	SELECT h.at, coalesce(h.from_status, ''), h.to_status, h.action, h.actor_type, coalesce(h.actor_id, ''),
	       coalesce(h.actor_name, ''), coalesce(h.reason, ''), h.attempt, coalesce(h.authority, ''),
	       coalesce(h.authority_code, ''), coalesce(h.authority_message, ''), coalesce(h.confirmation_id, ''),
	       coalesce(h.attestation, ''),
	       e.n, e.amount, e.ids
	  FROM filing_history h
	 CROSS JOIN LATERAL (
	   SELECT count(*) AS n, coalesce(sum(x.amount), 0)::numeric(20,2) AS amount,
	          array_agg(x.transaction_id::text ORDER BY x.transaction_id) AS ids
	     FROM filing_exclusions x
	    WHERE x.organization_id = h.organization_id AND x.filing_id = h.filing_id AND x.claimed_at = h.at
	      AND h.to_status = 'FILING') e
	 WHERE h.organization_id = $1 AND h.filing_id = $2 ORDER BY h.seq`

func scanEvent(row pgx.CollectableRow) (models.FilingEvent, error) {
	var e models.FilingEvent
	var a models.FilingAuthority
	var excluded models.FilingExclusion
	err := row.Scan(&e.At, &e.From, &e.To, &e.Action, &e.Actor.Type, &e.Actor.ID, &e.Actor.Name, &e.Reason, &e.Attempt,
		&a.Name, &a.Code, &a.Message, &a.ConfirmationID, &e.Attestation, &excluded.Transactions, &excluded.Amount, &excluded.TransactionIDs)
	if a != (models.FilingAuthority{}) {
		e.Authority = &a
	}
	if excluded.Transactions > 0 {
		e.Excluded = &excluded
	}
	return e, err
}

var historyList = pg.PartsList[models.FilingEvent]{
	Exists: filingExists,
	Count:  "SELECT count(*) FROM filing_history WHERE organization_id = $1 AND filing_id = $2",
	Select: selectHistory,
	Scan:   scanEvent,
}

// FilingHistory returns a page of the history of a filing, the oldest entry first. Errors: models.ErrNotFound.
func (s *Store) FilingHistory(
	ctx context.Context, scope models.Scope, id string, page models.Page,
) (models.List[models.FilingEvent], error) {
	return historyList.Read(ctx, s.db, scope, id, page)
}

// claimCheck has the unresolved transactions to compare when the lines are claimed.
type claimCheck struct {
	before []string // the unresolved transactions at the time of the approval
	after  models.UnresolvedTransactions
}

func (u *filingUpdate) queueClaimCheck(batch *pgx.Batch) {
	union := UnionReturns()
	if u.excludes() {
		batch.Queue(excludeUnresolved, u.scope.OrganizationID, u.next.ID, union, u.check.before)
		return
	}
	var id string
	batch.Queue(unresolvedOf, u.scope.OrganizationID, []string{u.next.ID}, union).Query(pg.Each(
		[]any{&id, &u.check.after.Transactions, &u.check.after.Amount}, func() error { return nil }))
}

// excludes reports whether the approval excludes unresolved transactions.
func (u *filingUpdate) excludes() bool {
	return u.next.Approval != nil && u.next.Approval.ExcludeUnresolved
}

func valueOf(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}
