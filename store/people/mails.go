package people

import (
	"context"
	"time"

	"gorm.io/gorm"

	"levy/models"
	"levy/store/pg"
)

// addMail writes a mail to a person, unless the same one exists or a link of the organization waits already. An empty
// organization means the operator.
func addMail(tx *gorm.DB, organizationID, userID string, kind models.MailKind, occasion string) error {
	return tx.Exec(`INSERT INTO mails (id, organization_id, user_id, kind, occasion)
		VALUES (?, nullif(?, ''), ?, ?, ?)
		ON CONFLICT DO NOTHING`,
		models.NewID(models.PrefixMail), organizationID, userID, kind, occasion).Error
}

// leaseMail takes the mail that is due next. An archived organization sends none.
var leaseMail = pg.PrepareMailLease("mails", `
	SELECT m.id, coalesce(m.organization_id, ''), coalesce(o.name, ''), m.user_id, u.email, m.kind, m.occasion, m.tries, m.created_at,
	       CASE WHEN m.status = 'PLANNED' THEN u.status = 'ACTIVE' AND (u.staff_role IS NOT NULL OR r.ids IS NOT NULL)
	         /* guard: mails: a person gets no kind that was turned off */ AND NOT coalesce(p.mails_off @> to_jsonb(m.kind), false)
	       WHEN m.organization_id IS NULL THEN u.status <> 'DISABLED' AND u.staff_role IS NOT NULL
	       ELSE u.status <> 'DISABLED' AND m.organization_id = ANY (coalesce(r.ids, '{}')) END,
	       u.name, u.staff_role IS NOT NULL, coalesce(r.ids, '{}'), `+zoneOfPerson+`, coalesce(p.date_format, 'DAY_MONTH_YEAR')
	  FROM leased m JOIN users u ON u.id = m.user_id
	  LEFT JOIN organizations o ON o.id = m.organization_id
	  LEFT JOIN preferences p ON p.user_id = m.user_id
	 CROSS JOIN LATERAL (SELECT array_agg(b.organization_id::text) AS ids
	         FROM memberships b
	         /* guard: mails: an archived organization sends none */ JOIN organizations a ON a.id = b.organization_id AND a.status = 'ACTIVE'
	         LEFT JOIN organizations x ON x.id = a.parent_organization_id
	        WHERE b.user_id = m.user_id AND (x.id IS NULL OR x.status = 'ACTIVE')) r`)

// LeaseMail returns the mail that is due next; no other caller gets it for models.MailLease. perDay is the number of mails of
// an organization with its clients in 24 hours. ok is false if none is due.
func (s *Store) LeaseMail(ctx context.Context, perDay int) (m models.Mail, ok bool, err error) {
	ok, err = s.db.LeaseMail(ctx, leaseMail, perDay, []any{
		&m.ID, &m.OrganizationID, &m.Organization, &m.UserID, &m.Email, &m.Kind, &m.Occasion, &m.Attempt, &m.CreatedAt, &m.Reached,
		&m.Person.Name, &m.Person.Visible.All, &m.Person.Visible.OrganizationIDs, &m.Person.Zone, &m.Person.DateFormat,
	})
	m.Person.Visible.Mailed = true
	return m, ok, err
}

// LinkMail adds the link that an attempt sends. Errors: models.ErrNotFound if the attempt has lost its mail.
func (s *Store) LinkMail(ctx context.Context, m models.Mail, hash []byte) error {
	return pg.Translate(s.inTx(ctx, func(tx *gorm.DB) error {
		var id string
		// guard: mails: a late attempt makes no link
		err := tx.Raw(`SELECT id FROM mails WHERE id = ? AND status = 'PENDING' AND tries = ? FOR NO KEY UPDATE`,
			m.ID, m.Attempt).Scan(&id).Error
		if err != nil {
			return err
		}
		if id == "" {
			return models.ErrNotFound
		}
		return addLink(tx, m.UserID, hash)
	}))
}

// EndMail writes the result of an attempt. The link of a mail that has failed ends. A late attempt changes nothing.
func (s *Store) EndMail(ctx context.Context, m models.Mail, r models.MailResult) error {
	return pg.Translate(s.inTx(ctx, func(tx *gorm.DB) error {
		failed, err := pg.EndMail(tx, "mails", m, r)
		if err != nil || !failed || r.LinkHash == nil {
			return err
		}
		return tx.Exec("DELETE FROM sign_in_links WHERE hash = ?", r.LinkHash).Error
	}))
}

// ForgetMails deletes mails that ended a month ago, and the addresses in mails that have ended, until ctx ends.
func (s *Store) ForgetMails(ctx context.Context) {
	pg.Repeat(ctx, "removing old mails", time.Hour, func(ctx context.Context) (bool, error) {
		return false, s.inTx(ctx, func(tx *gorm.DB) error {
			err := tx.Exec("DELETE FROM mails WHERE next_attempt_at IS NULL AND created_at < ?", tx.NowFunc().Add(-models.MailsKept)).Error
			if err != nil {
				return err
			}
			return tx.Exec("DELETE FROM mail_stops WHERE created_at < ?", tx.NowFunc().Add(-models.MailStopLasts)).Error
		})
	})
}

// mailState counts mails. One that waits because its organization has sent as many as it may is late, too.
const mailState = `
	WITH all_mails AS (
	  SELECT status, next_attempt_at, created_at, failure FROM mails
	   UNION ALL SELECT status, next_attempt_at, created_at, failure FROM onboarding_mails)
	SELECT count(*) FILTER (WHERE next_attempt_at IS NOT NULL),
	       count(*) FILTER (WHERE next_attempt_at < now() - interval '15 minutes'),
	       count(*) FILTER (WHERE status = 'FAILED'),
	       coalesce((SELECT m.failure FROM all_mails m WHERE m.status = 'FAILED' AND m.created_at > now() - interval '7 days'
	                  ORDER BY m.created_at DESC LIMIT 1), '')
	  FROM all_mails WHERE next_attempt_at IS NOT NULL OR status = 'FAILED' AND created_at > now() - interval '7 days'`

// MailState returns what waits to be sent. It is nil for the login of workers, which may not read mails.
func (s *Store) MailState(ctx context.Context) (*models.MailState, error) {
	var may bool
	if err := s.db.QueryRow(ctx, "SELECT has_table_privilege('mails', 'SELECT')").Scan(&may); err != nil || !may {
		return nil, pg.Translate(err)
	}
	state := new(models.MailState)
	err := s.db.QueryRow(ctx, mailState).Scan(&state.Waiting, &state.Late, &state.Failed, &state.Failure)
	return state, pg.Translate(err)
}
