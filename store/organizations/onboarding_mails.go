package organizations

import (
	"context"
	"time"

	"gorm.io/gorm"

	"levy/models"
	"levy/store/pg"
)

// checkLinkMails refuses another link by e-mail where the client has as many as it may in 24 hours, sent or waiting. The same
// holds for its partner with all clients. The lock of the onboarding keeps calls for one client apart.
// Errors: *models.LimitError.
func checkLinkMails(tx *gorm.DB, scope models.Scope, perDay int) error {
	var taken struct{ OfClient, OfPartner int }
	err := tx.Raw(`
		WITH partner AS (SELECT coalesce(parent_organization_id, id) AS id FROM organizations WHERE id = @client),
		sent AS (`+pg.SentMails+`)
		SELECT (SELECT count(*) FROM onboarding_mails
		         WHERE organization_id = @client AND kind = 'ONBOARDING_LINK' AND created_at > now() - interval '24 hours') AS of_client,
		       (SELECT coalesce(sum(n), 0) FROM sent WHERE id = p.id)
		       + (SELECT count(*) FROM onboarding_mails m JOIN organizations o ON o.id = m.organization_id
		           WHERE m.next_attempt_at IS NOT NULL AND coalesce(o.parent_organization_id, o.id) = p.id) AS of_partner
		  FROM partner p`, map[string]any{"client": scope.OrganizationID}).Take(&taken).Error
	switch {
	case err != nil:
		return err
	// guard: mails: a client gets as many links as it may
	case taken.OfClient >= models.MaxLinkMails:
		return &models.LimitError{What: models.LimitLinkMails, Limit: models.MaxLinkMails}
	// guard: mails: a partner sends as many links as it may
	case taken.OfPartner >= perDay:
		return &models.LimitError{What: models.LimitLinkMails, Limit: perDay}
	}
	return nil
}

// addLinkMail writes the e-mail with a link. Its token is made when it is sent.
func addLinkMail(tx *gorm.DB, link *models.OnboardingLink) error {
	return tx.Exec("INSERT INTO onboarding_mails (id, organization_id, link_id, kind, email) VALUES (?, ?, ?, ?, ?)",
		models.NewID(models.PrefixMail), link.OrganizationID, link.ID, models.MailOnboardingLink, link.Mail.Email).Error
}

// voidMails erases addresses and hashes of the mails that a condition names, and drops those that wait.
const voidMails = `UPDATE onboarding_mails m SET email = '', hashes = '{}', next_attempt_at = NULL,
	status = CASE status WHEN 'PENDING' THEN 'DROPPED' ELSE status END WHERE email <> '' AND `

// voidLinkMails erases the addresses in the mails about earlier links of an organization.
func voidLinkMails(tx *gorm.DB, scope models.Scope) error {
	return tx.Exec(voidMails+"organization_id = ?", scope.OrganizationID).Error
}

// linkMail returns the e-mail with a link; nil for none.
func linkMail(tx *gorm.DB, linkID string) (*models.LinkMail, error) {
	var found []models.LinkMail
	err := tx.Raw(`
		SELECT m.email, m.status, coalesce(m.failure, '') AS failure, m.sent_at, r.sent_at AS reminded_at
		  FROM onboarding_mails m LEFT JOIN onboarding_mails r ON r.link_id = m.link_id AND r.kind = 'ONBOARDING_REMINDER'
		 WHERE m.link_id = ? AND m.kind = 'ONBOARDING_LINK'`, linkID).Scan(&found).Error
	if err != nil || len(found) == 0 {
		return nil, err
	}
	return &found[0], nil
}

// leaseLinkMail takes the mail with a link that is due next.
var leaseLinkMail = pg.PrepareMailLease("onboarding_mails", `
	SELECT m.id, m.organization_id, o.name, m.email, m.kind, m.tries, m.created_at,
	       l.id IS NOT NULL AND l.expires_at > now() AND b.status = 'IN_PROGRESS'
	       AND o.status = 'ACTIVE' AND (x.id IS NULL OR x.status = 'ACTIVE')
	       /* guard: mails: a link that was opened is not reminded of */ AND (m.kind = 'ONBOARDING_LINK' OR l.opened_at IS NULL),
	       coalesce(x.name, o.name), coalesce(l.created_at, m.created_at), coalesce(l.expires_at, m.created_at)
	  FROM leased m
	  JOIN organizations o ON o.id = m.organization_id
	  JOIN onboardings b ON b.organization_id = m.organization_id
	  LEFT JOIN organizations x ON x.id = o.parent_organization_id
	  LEFT JOIN onboarding_links l ON l.organization_id = m.organization_id AND l.id = m.link_id`)

// LinkMails are the e-mails with links of onboardings that wait. They cross organizations.
type LinkMails struct{ db *pg.DB }

// LinkMails returns the e-mails with links.
func (s *Store) LinkMails() *LinkMails { return &LinkMails{s.db} }

// inTx runs fn in a database transaction across organizations.
func (s *LinkMails) inTx(ctx context.Context, fn func(tx *gorm.DB) error) error {
	return pg.Translate(s.db.InTx(models.AcrossOrganizations(ctx), func(ctx context.Context) error { return fn(s.db.GORM(ctx)) }))
}

// LeaseMail returns the mail that is due next; no other caller gets it for models.MailLease. perDay is the number of mails
// of a partner with its clients in 24 hours. ok is false if none is due.
func (s *LinkMails) LeaseMail(ctx context.Context, perDay int) (m models.Mail, ok bool, err error) {
	ok, err = s.db.LeaseMail(ctx, leaseLinkMail, perDay, []any{
		&m.ID, &m.OrganizationID, &m.Organization, &m.Email, &m.Kind, &m.Attempt, &m.CreatedAt, &m.Reached,
		&m.Link.Partner, &m.Link.MadeAt, &m.Link.ExpiresAt,
	})
	return m, ok, err
}

// LinkMail adds the hash of the token that an attempt sends. Errors: models.ErrNotFound if the attempt has lost its mail, or
// the link has ended.
func (s *LinkMails) LinkMail(ctx context.Context, m models.Mail, hash []byte) error {
	return s.inTx(ctx, func(tx *gorm.DB) error {
		added := tx.Exec(`UPDATE onboarding_mails m SET hashes = hashes || ?::bytea FROM onboarding_links l
			WHERE m.id = ? AND m.status = 'PENDING' AND m.tries = ? AND l.organization_id = m.organization_id AND l.id = m.link_id`,
			hash, m.ID, m.Attempt)
		if added.Error == nil && added.RowsAffected == 0 {
			return models.ErrNotFound
		}
		return added.Error
	})
}

// EndMail writes the result of an attempt. The tokens of a mail that has failed end. A late attempt changes nothing.
func (s *LinkMails) EndMail(ctx context.Context, m models.Mail, r models.MailResult) error {
	return s.inTx(ctx, func(tx *gorm.DB) error {
		failed, err := pg.EndMail(tx, "onboarding_mails", m, r)
		if err != nil || !failed {
			return err
		}
		return tx.Exec("UPDATE onboarding_mails SET hashes = '{}' WHERE id = ?", m.ID).Error
	})
}

// planReminders writes a mail for each link that was sent, was not opened and ends soon. An organization without e-mails or
// reminders gets none.
var planReminders = pg.Prepare(`
	INSERT INTO onboarding_mails (id, organization_id, link_id, kind, email)
	SELECT 'mail_' || replace(gen_random_uuid()::text, '-', ''), m.organization_id, m.link_id, 'ONBOARDING_REMINDER', m.email
	  FROM onboarding_mails m
	  JOIN onboarding_links l ON l.organization_id = m.organization_id AND l.id = m.link_id
	  JOIN onboardings b ON b.organization_id = m.organization_id AND b.status = 'IN_PROGRESS'
	  JOIN organizations o ON o.id = m.organization_id AND NOT o.disable_emails
	  JOIN organization_settings s ON s.organization_id = m.organization_id AND NOT s.disable_onboarding
	 WHERE m.kind = 'ONBOARDING_LINK' AND m.status = 'SENT' AND l.opened_at IS NULL AND l.expires_at > now()
	   AND l.expires_at - now() <= least(@before::interval, (l.expires_at - l.created_at) / 2)
	ON CONFLICT DO NOTHING`, pg.Names{"before"})

// PlanMails writes the reminders that are due, each of them once. All processes may plan mails at the same time.
func (s *LinkMails) PlanMails(ctx context.Context) error {
	return pg.Translate(s.db.InTx(models.AcrossOrganizations(ctx), func(ctx context.Context) error {
		_, err := s.db.Exec(ctx, planReminders.SQL, planReminders.Values([]any{models.LinkReminderBefore})...)
		return err
	}))
}

// ForgetMails erases the addresses of mails whose link has ended, and deletes mails of a month ago.
func (s *LinkMails) ForgetMails(ctx context.Context) error {
	return s.inTx(ctx, func(tx *gorm.DB) error {
		err := tx.Exec(voidMails + `NOT EXISTS (
			SELECT FROM onboarding_links l JOIN onboardings b ON b.organization_id = l.organization_id
			 WHERE l.organization_id = m.organization_id AND l.id = m.link_id AND l.expires_at > now() AND b.status = 'IN_PROGRESS')`).Error
		if err != nil {
			return err
		}
		return tx.Exec("DELETE FROM onboarding_mails WHERE email = '' AND created_at < ?", tx.NowFunc().Add(-models.MailsKept)).Error
	})
}

// Keep plans and forgets mails until ctx ends.
func (s *LinkMails) Keep(ctx context.Context) {
	pg.Repeat(ctx, "planning reminders of links", 5*time.Minute, func(ctx context.Context) (bool, error) {
		if err := s.PlanMails(ctx); err != nil {
			return false, err
		}
		return false, s.ForgetMails(ctx)
	})
}
