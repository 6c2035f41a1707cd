package people

import (
	"context"

	"gorm.io/gorm"

	"levy/models"
	"levy/store/makers"
	"levy/store/pg"
)

// lockOfLink locks the onboarding of a link that is valid. Calls with one link so wait for each other, and for its last step.
const lockOfLink = `
	SELECT l.id FROM onboarding_links l JOIN onboardings o ON o.organization_id = l.organization_id
	 WHERE l.organization_id = ? AND l.id = ? AND l.expires_at > now() AND o.status = 'IN_PROGRESS' FOR UPDATE OF o`

// InviteByLink invites the first admin of an organization by an onboarding link, which is the actor. linkHash is that of the
// invitation, and follows from the link; nil for an invitation by e-mail. A repeated call invites nobody else, and another
// name or address replaces the person whom the link invited before, until that person has signed in. u becomes the person.
// Errors: models.ErrUnauthenticated for a link that has ended, models.ErrNotFirstAdmin, models.ErrLinkInvitesNobody.
func (s *Store) InviteByLink(
	ctx context.Context, actor models.Actor, u *models.User, m *models.Membership, linkHash []byte,
) error {
	err := s.inTx(ctx, func(tx *gorm.DB) error {
		var link string
		err := tx.Raw(lockOfLink, m.OrganizationID, actor.UserID).Scan(&link).Error
		if err == nil && link == "" {
			err = models.ErrUnauthenticated
		}
		if err != nil {
			return err
		}
		var own []models.User
		if err := usersOf(tx, m.OrganizationID).Preload("Memberships").Limit(2).Find(&own).Error; err != nil {
			return err
		}
		if len(own) > 0 {
			repeated, err := replaceInvited(tx, actor, own, u, m, linkHash)
			if err != nil || repeated {
				return err
			}
		}
		if err := lockAddress(tx, u.Email); err != nil {
			return err
		}
		if err := createAccount(tx, u); err != nil {
			return err
		}
		if err := addMembership(tx, u, m); err != nil {
			return err
		}
		made := models.Maker{OrganizationID: m.OrganizationID, Kind: models.MadeInvitation, ID: u.ID}
		if err := makers.RecordForLink(tx, link, made); err != nil {
			return err
		}
		if linkHash == nil {
			err = addMail(tx, m.OrganizationID, u.ID, models.MailInvitation, "")
		} else {
			err = addLink(tx, u.ID, linkHash)
		}
		if err != nil {
			return err
		}
		return auditInvitation(tx, actor, u, m)
	})
	return pg.Translate(err)
}

// replaceInvited renews the invitation of the person whom the link invited before, and reports whether it is the same
// person. Another one's invitation ends. Errors: models.ErrNotFirstAdmin if the organization has anybody else.
func replaceInvited(
	tx *gorm.DB, actor models.Actor, own []models.User, u *models.User, m *models.Membership, linkHash []byte,
) (repeated bool, err error) {
	before := own[0]
	same := models.EmailKey(before.Email) == models.EmailKey(u.Email) && before.Name == u.Name
	byLink := false
	if linkHash != nil {
		err = tx.Raw("SELECT EXISTS (SELECT FROM sign_in_links WHERE hash = ? AND user_id = ? AND used_at IS NULL)",
			linkHash, before.ID).Scan(&byLink).Error
	}
	switch {
	case err != nil:
		return false, err
	// guard: first admin: a link invites no one where an organization has people
	case len(own) > 1 || before.Status != models.UserInvited || !byLink:
		return false, models.ErrNotFirstAdmin
	}
	if !same {
		if _, err := makers.EndInvitation(tx, m.OrganizationID, before.ID); err != nil {
			return false, err
		}
		if _, err := makers.Forget(tx, m.OrganizationID, models.MadeInvitation, before.ID); err != nil {
			return false, err
		}
		entry := actor.Entry(trailOf(m.OrganizationID), models.AuditRemove, "user", before.ID)
		if err := pg.Audit(tx, entry); err != nil {
			return false, err
		}
	}
	if err := tx.Where("hash = ?", linkHash).Delete(&Link{}).Error; err != nil || !same {
		return false, err
	}
	*u = before
	return true, addLink(tx, u.ID, linkHash)
}

// FirstAdmin returns the address of a person of an organization; "" for none. It leaves out a person whom the link with the
// hash invited and who has not signed in.
func (s *Store) FirstAdmin(ctx context.Context, scope models.Scope, linkHash []byte) (email string, err error) {
	err = usersOf(s.db.OpenTables().GORM(ctx).Model(&models.User{}), scope.OrganizationID).
		Where(`users.status <> 'INVITED' OR NOT EXISTS (
			SELECT FROM sign_in_links l WHERE l.user_id = users.id AND l.hash = ? AND l.used_at IS NULL)`, linkHash).
		Order("users.created_at, users.id").Limit(1).Select("users.email").Scan(&email).Error
	return email, pg.Translate(err)
}
