package organizations

import (
	"context"

	"gorm.io/gorm"
	"gorm.io/gorm/clause"

	"levy/models"
	"levy/store/makers"
	"levy/store/pg"
)

// MakeOnboardingLink creates the link of an onboarding in progress, and the e-mail with it; mail is nil for none. It ends
// the previous link. Errors: models.ErrNotFound, *models.OnboardingInactiveError, *models.LimitError.
func (s *Store) MakeOnboardingLink(
	ctx context.Context, scope models.Scope, actor models.Actor, hash []byte, mail *models.LinkMailRequest,
) (models.OnboardingLink, error) {
	link := models.OnboardingLink{
		OrganizationID: scope.OrganizationID, ID: models.NewID(models.PrefixOnboardingLink), Hash: hash, MadeBy: actor.Name(),
	}
	err := s.db.InTx(ctx, func(ctx context.Context) error {
		tx := s.db.GORM(ctx)
		o, err := lockOnboarding(tx, scope)
		if err != nil {
			return err
		}
		if o.Status != models.OnboardingInProgress {
			return &models.OnboardingInactiveError{Status: o.Status}
		}
		if mail != nil {
			if err := checkLinkMails(tx, scope, mail.PerDay); err != nil {
				return err
			}
		}
		link.CreatedAt = tx.NowFunc()
		link.ExpiresAt = link.CreatedAt.Add(models.OnboardingLinkLasts)
		made := models.Maker{OrganizationID: scope.OrganizationID, Kind: models.MadeOnboardingLink, ID: link.ID}
		// It locks the key, whose end is read after that.
		if _, err := makers.Record(tx, actor, made); err != nil {
			return err
		}
		if err := forgetLinks(tx, scope, link.ID); err != nil {
			return err
		}
		end, err := makers.EndOf(tx, actor, scope.OrganizationID)
		if err != nil {
			return err
		}
		// guard: makers: a link ends with the key that makes it
		if later(&link.ExpiresAt, end) {
			link.ExpiresAt = *end
		}
		replace := clause.OnConflict{ // UpdateAll would keep the time when the previous link was made
			Columns:   []clause.Column{{Name: "organization_id"}},
			DoUpdates: clause.AssignmentColumns([]string{"id", "hash", "made_by", "created_at", "expires_at", "opened_at"}),
		}
		if err := tx.Clauses(replace).Create(&link).Error; err != nil {
			return err
		}
		if err := voidLinkMails(tx, scope); err != nil {
			return err
		}
		entry := actor.Entry(scope, models.AuditCreate, "onboarding_link", link.ID)
		if mail != nil {
			entry = entry.With(map[string]any{"mailed": true})
			link.Mail = &models.LinkMail{Email: mail.Email, Status: models.MailPending}
			if err := addLinkMail(tx, &link); err != nil {
				return err
			}
		}
		return pg.Audit(tx, entry)
	})
	return link, pg.Translate(err)
}

// forgetLinks deletes the records of the makers of an organization's links, except of one.
func forgetLinks(tx *gorm.DB, scope models.Scope, except string) error {
	return tx.Where("organization_id = ? AND kind = ? AND id <> ?", scope.OrganizationID, models.MadeOnboardingLink, except).
		Delete(&models.Maker{}).Error
}

// OnboardingLink returns the link of an organization, also an expired one. Errors: models.ErrNotFound.
func (s *Store) OnboardingLink(ctx context.Context, scope models.Scope) (models.OnboardingLink, error) {
	var link models.OnboardingLink
	tx := s.db.OpenTables().GORM(ctx)
	err := tx.Where("organization_id = ?", scope.OrganizationID).Take(&link).Error
	if err == nil {
		link.Mail, err = linkMail(tx, link.ID)
	}
	return link, pg.Translate(err)
}

// EndOnboardingLink ends the link of an organization at once. Without a link it changes nothing.
func (s *Store) EndOnboardingLink(ctx context.Context, scope models.Scope, actor models.Actor) error {
	err := s.db.InTx(ctx, func(ctx context.Context) error {
		tx := s.db.GORM(ctx)
		// The maker comes first, as where its end ends the link.
		if err := forgetLinks(tx, scope, ""); err != nil {
			return err
		}
		var ended []models.OnboardingLink
		err := tx.Clauses(clause.Returning{}).Where("organization_id = ?", scope.OrganizationID).Delete(&ended).Error
		if err != nil || len(ended) == 0 {
			return err
		}
		if err := voidLinkMails(tx, scope); err != nil {
			return err
		}
		return pg.Audit(tx, actor.Entry(scope, models.AuditRevoke, "onboarding_link", ended[0].ID))
	})
	return pg.Translate(err)
}

// findOnboardingLink finds an active link of an onboarding in progress, and records its first use.
const findOnboardingLink = `
	WITH found AS (
	  SELECT l.organization_id, l.id, l.opened_at
	    FROM onboarding_links l JOIN onboardings o ON o.organization_id = l.organization_id AND o.status = 'IN_PROGRESS'
	   WHERE l.expires_at > now() AND l.id IN (
	         SELECT id FROM onboarding_links WHERE hash = ANY ($1)
	          UNION ALL /* of the e-mails with it */ SELECT link_id FROM onboarding_mails WHERE hashes && $1)
	), opened AS (
	  UPDATE onboarding_links l SET opened_at = now() FROM found f WHERE l.id = f.id AND f.opened_at IS NULL)
	SELECT organization_id, id FROM found`

// FindOnboardingLink returns the link of a token, which is that of its maker or of an e-mail with it. hashes are those of the
// token under every master key. Errors:
// models.ErrNotFound for a link that is unknown, replaced or expired, or whose onboarding is not in progress.
func (s *Store) FindOnboardingLink(ctx context.Context, hashes [][]byte) (models.OnboardingLink, error) {
	var link models.OnboardingLink
	err := s.db.OpenTables().QueryRow(ctx, findOnboardingLink, hashes).Scan(&link.OrganizationID, &link.ID)
	return link, pg.Translate(err)
}
