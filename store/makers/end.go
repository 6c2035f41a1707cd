package makers

import (
	"gorm.io/gorm"

	"levy/models"
	"levy/store/pg"
)

// leakedKeys selects a key with all keys that it, or a key of the selection, was replaced by or has made.
// The keys that clients got in step 2 of their onboarding are left out: they are the clients' own.
const leakedKeys = `
	WITH RECURSIVE gone(organization_id, id) AS (
	  SELECT ?::ident, ?::ident
	   UNION
	  SELECT n.organization_id, n.id FROM gone g CROSS JOIN LATERAL (
	    SELECT k.organization_id, k.rotated_to::ident AS id FROM api_keys k
	     WHERE k.organization_id = g.organization_id AND k.id = g.id AND k.rotated_to IS NOT NULL
	     UNION ALL
	    SELECT m.organization_id, m.id FROM makers m
	     WHERE m.key_id = g.id AND m.kind = 'api_key' AND NOT m.own) n)
	SELECT k.organization_id, k.id, k.revoked_at IS NULL AS active
	  FROM gone g JOIN api_keys k ON k.organization_id = g.organization_id AND k.id = g.id ORDER BY 1, 2`

type leakedKey struct {
	OrganizationID, ID string
	Active             bool
}

// EndKey ends or names what a revoked key has made. Its keys and endpoints go on, because those who create a new key
// before they revoke the old one use them. A leaked key ends them, and all keys that follow from it. The database
// transaction must reach all organizations.
func EndKey(
	tx *gorm.DB, actor models.Actor, id, organizationID string, leaked bool,
) (after models.Aftermath, err error) {
	if !leaked {
		return endThings(tx, actor, false, "key_id = ?", id)
	}
	for {
		var keys []leakedKey
		if err := tx.Raw(leakedKeys, organizationID, id).Scan(&keys).Error; err != nil {
			return after, err
		}
		ids, revoked := make([]string, len(keys)), false
		for i, k := range keys {
			ids[i] = k.ID
			if !k.Active {
				continue
			}
			revoked = true
			if err := revokeFollowing(tx, actor, k, id); err != nil {
				return after, err
			}
			after.Ended = append(after.Ended, models.Made{
				Kind: models.MadeAPIKey, OrganizationID: k.OrganizationID, ID: k.ID,
			})
		}
		if revoked {
			continue // one of them may have made another key meanwhile
		}
		rest, err := endThings(tx, actor, true, "key_id IN ?", ids)
		after.Ended, after.ToDecide = append(after.Ended, rest.Ended...), rest.ToDecide
		return after, err
	}
}

// revokeFollowing revokes a key that follows from a leaked one.
func revokeFollowing(tx *gorm.DB, actor models.Actor, k leakedKey, leaked string) error {
	err := tx.Exec("UPDATE api_keys SET revoked_at = ? WHERE organization_id = ? AND id = ? AND revoked_at IS NULL",
		tx.NowFunc(), k.OrganizationID, k.ID).Error
	if err != nil {
		return err
	}
	entry := actor.Entry(models.Scope{OrganizationID: k.OrganizationID}, models.AuditRevoke, "api_key", k.ID)
	return pg.Audit(tx, entry.With(map[string]any{"leaked": leaked}))
}

// EndPerson ends or names what a person has made for an organization and for its clients.
func EndPerson(tx *gorm.DB, actor models.Actor, organizationID, userID string) (models.Aftermath, error) {
	return endThings(tx, actor, false, `user_id = ? AND organization_id IN (
		SELECT o.id FROM organizations o WHERE o.id = ? OR o.parent_organization_id = ?)`,
		userID, organizationID, organizationID)
}

// EndGrant ends or names what the people and keys of a partner have made for a client under its grant.
func EndGrant(tx *gorm.DB, actor models.Actor, organizationID string) (models.Aftermath, error) {
	return endThings(tx, actor, false, "organization_id = ? AND granted AND kind <> ?", organizationID, models.MadeAPIKey)
}

// endThings ends or names the things of ended makers.
func endThings(
	tx *gorm.DB, actor models.Actor, leaked bool, of string, args ...any,
) (after models.Aftermath, err error) {
	var things []models.Maker
	err = tx.Where(of, args...).Order("organization_id, kind, id").Find(&things).Error
	if err != nil || len(things) == 0 {
		return after, err
	}
	err = tx.Model(&models.Maker{}).Where(of, args...).Where("maker_ended_at IS NULL").
		Update("maker_ended_at", tx.NowFunc()).Error
	if err != nil {
		return after, err
	}
	for i := range things {
		if err := endThing(tx, actor, &things[i], leaked, &after); err != nil {
			return after, err
		}
	}
	return after, nil
}

// endThing ends a thing, or names it if it still works.
func endThing(tx *gorm.DB, actor models.Actor, m *models.Maker, leaked bool, after *models.Aftermath) (err error) {
	made := models.Made{Kind: m.Kind, OrganizationID: m.OrganizationID, ID: m.ID}
	var ended, works bool
	action := models.AuditRevoke
	switch m.Kind {
	case models.MadeOnboardingLink:
		ended, err = changes(tx, "DELETE FROM onboarding_links WHERE organization_id = ? AND id = ?", m)
	case models.MadeCalendarFeed:
		ended, err = changes(tx, "DELETE FROM calendar_feeds WHERE organization_id = ? AND id = ?", m)
	case models.MadeInvitation:
		action = models.AuditRemove
		if ended, err = EndInvitation(tx, m.OrganizationID, m.ID); err == nil && !ended {
			works, err = exists(tx, "SELECT FROM memberships WHERE organization_id = ? AND user_id = ?", m)
		}
	case models.MadeWebhook:
		action = models.AuditDelete
		if leaked {
			ended, err = changes(tx, `UPDATE webhook_endpoints SET deleted_at = now(), status = 'DISABLED',
				disabled_reason = coalesce(disabled_reason, 'MANUAL'), next_check_at = now(), rests_until = NULL
				WHERE organization_id = ? AND id = ? AND deleted_at IS NULL`, m)
		} else {
			works, err = exists(tx,
				"SELECT FROM webhook_endpoints WHERE organization_id = ? AND id = ? AND deleted_at IS NULL", m)
		}
	case models.MadeAPIKey:
		works, err = exists(tx, `SELECT FROM api_keys WHERE organization_id = ? AND id = ? AND revoked_at IS NULL
			AND (expires_at IS NULL OR expires_at > now())`, m)
	}
	if err != nil {
		return err
	}
	if works {
		after.ToDecide = append(after.ToDecide, made)
	}
	if !ended {
		return nil
	}
	after.Ended = append(after.Ended, made)
	if m.Kind == models.MadeOnboardingLink || m.Kind == models.MadeCalendarFeed { // nothing stays of them
		if _, err := Forget(tx, m.OrganizationID, m.Kind, m.ID); err != nil {
			return err
		}
	}
	entity := string(m.Kind)
	if m.Kind == models.MadeInvitation {
		entity = "user"
	}
	entry := actor.Entry(models.Scope{OrganizationID: m.OrganizationID}, action, entity, m.ID)
	return pg.Audit(tx, entry.With(map[string]any{"maker_ended": m.By()}))
}

// EndInvitation removes the role of a person who has never signed in, with the unused links of that person. ended is
// false for a person who has.
func EndInvitation(tx *gorm.DB, organizationID, userID string) (ended bool, err error) {
	removed := tx.Exec(`
		DELETE FROM memberships m USING users u
		 WHERE m.organization_id = ? AND m.user_id = ? AND u.id = m.user_id AND u.status = 'INVITED'`,
		organizationID, userID)
	if removed.Error != nil || removed.RowsAffected == 0 {
		return false, removed.Error
	}
	left := tx.Exec(`
		UPDATE users u SET status = 'DISABLED', updated_at = ?
		 WHERE u.id = ? AND u.staff_role IS NULL AND NOT EXISTS (SELECT FROM memberships m WHERE m.user_id = u.id)`,
		tx.NowFunc(), userID)
	if left.Error != nil || left.RowsAffected == 0 {
		return true, left.Error
	}
	return true, tx.Exec("UPDATE sign_in_links SET used_at = ? WHERE user_id = ? AND used_at IS NULL",
		tx.NowFunc(), userID).Error
}

// changes reports whether a statement changed the row of a thing.
func changes(tx *gorm.DB, statement string, m *models.Maker) (bool, error) {
	done := tx.Exec(statement, m.OrganizationID, m.ID)
	return done.RowsAffected > 0, done.Error
}

// exists reports whether a statement selects the row of a thing.
func exists(tx *gorm.DB, statement string, m *models.Maker) (found bool, err error) {
	err = tx.Raw("SELECT EXISTS ("+statement+")", m.OrganizationID, m.ID).Scan(&found).Error
	return found, err
}
