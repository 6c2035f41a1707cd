package pg

import (
	"context"

	"gorm.io/gorm"

	"levy/models"
)

// SentMails selects how many e-mails each organization without a partner has sent in 24 hours with its clients, as id and n.
const SentMails = `
	SELECT coalesce(o.parent_organization_id, o.id) AS id, count(*) AS n
	  FROM (SELECT organization_id FROM mails WHERE status = 'SENT' AND sent_at > now() - interval '24 hours'
	         UNION ALL
	        SELECT organization_id FROM onboarding_mails WHERE status = 'SENT' AND sent_at > now() - interval '24 hours') m
	  JOIN organizations o ON o.id = m.organization_id
	 GROUP BY 1`

// PrepareMailLease prepares a statement that takes the mail of a table that is due next, and selects from it as leased. The mail
// is of an organization that has not sent as many as it may in 24 hours. Those of a partner and all its clients count together,
// and mails about work leave a fifth of them to mails about access. A mail has failed if the lease of its last attempt ended
// without a result, and one that is too old is dropped.
func PrepareMailLease(table, selected string) Statement {
	const lasts = "CASE m.status WHEN 'PLANNED' THEN @work_waits::interval ELSE @waits::interval END"
	return Prepare(`
	WITH ended AS (
	  UPDATE `+table+` SET next_attempt_at = NULL, status = CASE WHEN tries >= @attempts THEN 'FAILED' ELSE 'DROPPED' END,
	         failure = CASE WHEN tries >= @attempts THEN 'The last attempt did not end.' ELSE failure END
	   WHERE id IN (SELECT id FROM `+table+` m
	                 WHERE next_attempt_at <= now() AND (tries >= @attempts OR created_at <= now() - `+lasts+`)
	                   FOR NO KEY UPDATE SKIP LOCKED)),
	sent AS (`+SentMails+`),
	due AS (
	  SELECT m.id
	    FROM `+table+` m
	    LEFT JOIN organizations o ON o.id = m.organization_id
	    LEFT JOIN sent s ON s.id = coalesce(o.parent_organization_id, o.id)
	   WHERE m.next_attempt_at <= now() AND m.tries < @attempts AND m.created_at > now() - `+lasts+`
	     /* guard: mails: an organization sends as many as it may */ AND coalesce(s.n, 0) < CASE m.status
	       /* guard: mails: those about work leave room for those about access */ WHEN 'PLANNED' THEN @most_work::int
	       ELSE @most::int END
	   ORDER BY m.status, m.next_attempt_at LIMIT 1 FOR NO KEY UPDATE OF m SKIP LOCKED),
	leased AS (
	  UPDATE `+table+` m SET tries = m.tries + 1, next_attempt_at = now() + @lease::interval
	    FROM due WHERE m.id = due.id
	  RETURNING m.*)`+selected, Names{"most", "most_work", "lease", "attempts", "waits", "work_waits"})
}

// LeaseMail reads the mail that is due next into the fields of into; no other caller gets it for models.MailLease. perDay is the
// number of mails of an organization with its clients in 24 hours. ok is false if none is due.
func (db *DB) LeaseMail(ctx context.Context, statement Statement, perDay int, into []any) (ok bool, err error) {
	err = db.InTx(models.AcrossOrganizations(ctx), func(ctx context.Context) error {
		rows, err := db.Query(ctx, statement.SQL, statement.Values([]any{
			perDay, perDay - perDay/5, models.MailLease, models.MailAttempts, models.MailWaits, models.WorkMailWaits,
		})...)
		return ForEach(rows, err, into, func() error {
			ok = true
			return nil
		})
	})
	return ok, Translate(err)
}

// EndMail writes the result of an attempt at a mail of a table. A late attempt changes nothing. failed reports whether the mail
// has failed for good: after its last attempt or a permanent refusal.
func EndMail(tx *gorm.DB, table string, m models.Mail, r models.MailResult) (failed bool, err error) {
	status, pause := m.StatusAfter(&r)
	done := tx.Exec(`UPDATE `+table+`
		SET status = CASE @status WHEN 'PENDING' THEN status ELSE @status END, failure = nullif(@failure, ''),
		    sent_at = CASE WHEN @status = 'SENT' THEN now() END,
		    next_attempt_at = CASE WHEN @status = 'PENDING' THEN now() + CAST(@pause AS interval) END
		WHERE id = @id AND tries = @attempt AND next_attempt_at IS NOT NULL`, map[string]any{
		"status": status, "failure": r.Failure, "pause": pause, "id": m.ID, "attempt": m.Attempt,
	})
	return status == models.MailFailed && done.RowsAffected > 0, done.Error
}
