// Package makers stores who made what gives access, and ends or names it when its maker ends.
package makers

import (
	"errors"
	"time"

	"gorm.io/gorm"
	"gorm.io/gorm/clause"

	"levy/models"
)

// keyOf selects the key ? of an organization ? or of its partner, by the primary key.
const keyOf = `
	SELECT k.expires_at, k.revoked_at IS NOT NULL AS revoked FROM api_keys k
	 WHERE k.organization_id IN (SELECT unnest(ARRAY[o.id, o.parent_organization_id]) FROM organizations o WHERE o.id = ?)
	   AND k.id = ?`

type makingKey struct {
	ExpiresAt *time.Time
	Revoked   bool
}

// EndOf returns the end of the key that makes something for an organization; nil for none, and for people.
func EndOf(tx *gorm.DB, actor models.Actor, organizationID string) (*time.Time, error) {
	var key makingKey
	if actor.APIKeyID == "" || actor.UserID != "" {
		return nil, nil
	}
	err := tx.Raw(keyOf, organizationID, actor.APIKeyID).Scan(&key).Error
	return key.ExpiresAt, err
}

// Record stores that the actor made a thing, and returns that record; nil for staff and workflows, whose things stay. The
// maker cannot end before the database transaction does, so its end finds the thing. Errors: models.ErrMakerEnded if the
// maker has ended.
func Record(tx *gorm.DB, actor models.Actor, thing models.Maker) (*models.Maker, error) {
	if !thing.MadeBy(actor) {
		return nil, nil
	}
	if err := checkMaker(tx, &thing); err != nil {
		return nil, err
	}
	if actor.Granted {
		if err := checkGrant(tx, thing.OrganizationID); err != nil {
			return nil, err
		}
	}
	thing.MadeAt = tx.NowFunc()
	return &thing, tx.Clauses(clause.OnConflict{UpdateAll: true}).Create(&thing).Error
}

// These select whether a key, or a person, may invite an admin of a client.
const (
	keyMayInvite = `
	SELECT k.scopes @> '["read", "write", "people"]' AND k.expires_at IS NULL
	   AND coalesce(jsonb_array_length(k.allowed_addresses), 0) = 0 FROM api_keys k
	 WHERE k.organization_id IN (SELECT unnest(ARRAY[o.id, o.parent_organization_id]) FROM organizations o WHERE o.id = ?)
	   AND k.id = ?`
	personMayInvite = `
	SELECT EXISTS (SELECT FROM users WHERE id = @user AND staff_role = 'operator') OR EXISTS (
	  SELECT FROM memberships m JOIN organizations o ON m.organization_id IN (o.id, o.parent_organization_id)
	   WHERE o.id = @organization AND m.user_id = @user AND m.role = 'admin')`
)

// RecordForLink stores that the maker of an onboarding link invited a person by it. The invitation ends with that maker,
// and gives no more than the maker may give now. Errors: those of Record, models.ErrLinkInvitesNobody.
func RecordForLink(tx *gorm.DB, linkID string, thing models.Maker) error {
	by, err := OfOne(tx, thing.OrganizationID, models.MadeOnboardingLink, linkID)
	if err != nil || by == nil {
		return err
	}
	thing.KeyID, thing.UserID, thing.Granted = by.KeyID, by.UserID, by.Granted
	if err := checkMaker(tx, &thing); err != nil {
		return err
	}
	if thing.Granted {
		if err := checkGrant(tx, thing.OrganizationID); err != nil {
			return err
		}
	}
	var may bool
	if thing.KeyID != nil {
		err = tx.Raw(keyMayInvite, thing.OrganizationID, *thing.KeyID).Scan(&may).Error
	} else {
		err = tx.Raw(personMayInvite, map[string]any{"organization": thing.OrganizationID, "user": thing.UserID}).Scan(&may).Error
	}
	// guard: first admin: a link gives no more than its maker may
	if err == nil && !may {
		err = models.ErrLinkInvitesNobody
	}
	if err != nil {
		return err
	}
	thing.MadeAt = tx.NowFunc()
	return tx.Clauses(clause.OnConflict{UpdateAll: true}).Create(&thing).Error
}

// checkMaker locks the maker and checks that it has not ended. Errors: models.ErrMakerEnded.
func checkMaker(tx *gorm.DB, m *models.Maker) error {
	var ended bool
	var err error
	switch {
	case m.KeyID != nil:
		var key makingKey
		err = tx.Raw(keyOf+" FOR SHARE OF k", m.OrganizationID, *m.KeyID).Scan(&key).Error
		ended = key.Revoked
	case m.UserID != nil:
		// A person is removed under a lock that the function takes, too.
		err = tx.Raw("SELECT coalesce(person_has_ended(?, ?), false)", m.OrganizationID, *m.UserID).Scan(&ended).Error
	}
	// guard: makers: one that has ended makes nothing more
	if err == nil && ended {
		return models.ErrMakerEnded
	}
	return err
}

// checkGrant locks the grant under which a partner makes something for its client, and checks that it has not ended.
// Errors: models.ErrGrantEnded.
func checkGrant(tx *gorm.DB, organizationID string) error {
	var ended bool
	err := tx.Raw("SELECT g.ended_at IS NOT NULL FROM client_grants g WHERE g.organization_id = ? FOR SHARE OF g",
		organizationID).Scan(&ended).Error
	// guard: grants: one that has ended makes nothing more
	if err == nil && ended {
		return models.ErrGrantEnded
	}
	return err
}

// endWithKey gives the things of the key @key its end @end, unless they end before it. A link ends after it was made.
const endWithKey = `
	WITH made AS (
	  SELECT organization_id, kind, id FROM makers WHERE key_id = @key AND kind IN ('calendar_feed', 'onboarding_link')
	), feeds AS (
	  UPDATE calendar_feeds f SET expires_at = @end FROM made m
	   WHERE m.kind = 'calendar_feed' AND f.organization_id = m.organization_id AND f.id = m.id
	     AND (f.expires_at IS NULL OR f.expires_at > @end))
	UPDATE onboarding_links l SET expires_at = greatest(@end, l.created_at + interval '1 microsecond') FROM made m
	 WHERE m.kind = 'onboarding_link' AND l.organization_id = m.organization_id AND l.id = m.id AND l.expires_at > @end`

// EndWithKey makes what a key has made end no later than the key, whose end was changed in the same database transaction.
// A nil end changes nothing.
func EndWithKey(tx *gorm.DB, keyID string, end *time.Time) error {
	if end == nil {
		return nil
	}
	return tx.Exec(endWithKey, map[string]any{"key": keyID, "end": *end}).Error
}

// Forget deletes the record of the maker of a thing, and returns it; nil if its maker is not known.
func Forget(tx *gorm.DB, organizationID string, kind models.MadeKind, id string) (*models.Maker, error) {
	var gone []models.Maker
	err := tx.Clauses(clause.Returning{}).
		Where("organization_id = ? AND kind = ? AND id = ?", organizationID, kind, id).Delete(&gone).Error
	if err != nil || len(gone) == 0 {
		return nil, err
	}
	return &gone[0], nil
}

// Of returns the makers of things of one kind of an organization, by the id of the thing.
func Of(tx *gorm.DB, organizationID string, kind models.MadeKind, ids ...string) (map[string]models.Maker, error) {
	var found []models.Maker
	err := tx.Where("organization_id = ? AND kind = ? AND id IN ?", organizationID, kind, ids).Find(&found).Error
	byID := make(map[string]models.Maker, len(found))
	for _, m := range found {
		byID[m.ID] = m
	}
	return byID, err
}

// OfOne is Of for one thing; nil if its maker is not known.
func OfOne(tx *gorm.DB, organizationID string, kind models.MadeKind, id string) (*models.Maker, error) {
	var m models.Maker
	err := tx.Where("organization_id = ? AND kind = ? AND id = ?", organizationID, kind, id).Take(&m).Error
	if errors.Is(err, gorm.ErrRecordNotFound) {
		return nil, nil
	}
	return &m, err
}
