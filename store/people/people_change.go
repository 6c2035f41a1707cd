package people

import (
	"context"
	"slices"

	"gorm.io/gorm"
	"gorm.io/gorm/clause"

	"levy/models"
	"levy/store/makers"
	"levy/store/pg"
)

// UpdateUser reads a person of an organization, or of the operator for "". It calls change to alter name, status,
// staff role, account at the provider and the roles of memberships. It writes them and signs out a person that is not
// ACTIVE. Errors: models.ErrNotFound, models.ErrLastAdmin and those of change.
func (s *Store) UpdateUser(
	ctx context.Context, actor models.Actor, organizationID, id string, change models.UserChange,
) (models.User, error) {
	var u models.User
	err := s.inTx(ctx, func(tx *gorm.DB) error {
		var err error
		if u, err = lockedUser(tx, organizationID, id); err != nil {
			return err
		}
		before := u
		before.Memberships = slices.Clone(u.Memberships)
		if err := change.Record(&u); err != nil {
			return err
		}
		after := u
		if change.NewLink() && u.Status == models.UserInvited {
			after.Status = models.UserActive // a person that gets a role again is not disabled
		}
		if err := checkLastAdmin(tx, organizationID, &before, &after); err != nil {
			return err
		}
		if err := writeUser(tx, &before, &u, change); err != nil {
			return err
		}
		for _, kind := range change.Mails {
			if err := addMail(tx, organizationID, id, kind, models.NewID(models.PrefixMail)); err != nil {
				return err
			}
		}
		changes := pg.Changed(&before, &u)
		if names, ok := changes["fields"].([]string); ok {
			changes["fields"] = append(names, changedAccess(&before, change)...)
		}
		if was, is := roleIn(&before, organizationID), roleIn(&u, organizationID); was != is {
			changes["role"] = map[string]string{"from": was, "to": is}
		}
		return pg.Audit(tx, actor.Entry(trailOf(organizationID), models.AuditUpdate, "user", id).With(changes))
	})
	return u, err
}

// lockedUser locks and reads a person of an organization, or of the operator for "". Errors: gorm.ErrRecordNotFound.
func lockedUser(tx *gorm.DB, organizationID, id string) (u models.User, err error) {
	locked := tx.Clauses(clause.Locking{Strength: "UPDATE", Table: clause.Table{Name: "users"}})
	if err := usersOf(locked, organizationID).Where("users.id = ?", id).Take(&u).Error; err != nil {
		return u, err
	}
	one := []models.User{u}
	if err := withSecondFactor(tx, one); err != nil {
		return u, err
	}
	return one[0], tx.Where("user_id = ?", id).Find(&one[0].Memberships).Error
}

func writeUser(tx *gorm.DB, before, u *models.User, with models.UserChange) error {
	u.UpdatedAt = tx.NowFunc()
	err := tx.Model(&models.User{}).Where("id = ?", u.ID).Select(
		"name", "status", "staff_role", "provider_issuer", "provider_subject", "updated_at").UpdateColumns(u).Error
	if err != nil {
		return err
	}
	for i, m := range u.Memberships {
		if m.Role == before.Memberships[i].Role {
			continue
		}
		err := tx.Model(&models.Membership{}).Where("organization_id = ? AND user_id = ?", m.OrganizationID, u.ID).
			Update("role", m.Role).Error
		if err != nil {
			return err
		}
	}
	if u.Status != models.UserActive || with.EndSessions {
		if err := endSessions(tx, u.ID); err != nil {
			return err
		}
	}
	if err := addLink(tx, u.ID, with.LinkHash); err != nil {
		return err
	}
	if with.ResetSecondFactor {
		if _, err := dropSecondFactor(tx, u.ID); err != nil {
			return err
		}
		u.SecondFactor, u.Passkeys = false, 0
		// guard: sign-in: a reset of the second step ends the other sessions
		return endSessions(tx, u.ID, with.Session...)
	}
	return nil
}

// changedAccess returns the names of the changed ways to sign in of a person as it was before.
func changedAccess(before *models.User, with models.UserChange) (names []string) {
	if with.NewLink() {
		names = append(names, "sign_in_link")
	}
	if with.EndSessions {
		names = append(names, "sessions")
	}
	if with.ResetSecondFactor {
		names = append(names, "second_factor")
		if before.Passkeys > 0 {
			names = append(names, "passkeys")
		}
	}
	return names
}

// roleIn returns the role of a person in an organization, or with the operator for ""; "" for none.
func roleIn(u *models.User, organizationID string) string {
	if organizationID == "" {
		if u.StaffRole == nil {
			return ""
		}
		return string(*u.StaffRole)
	}
	for _, m := range u.Memberships {
		if m.OrganizationID == organizationID {
			return string(m.Role)
		}
	}
	return ""
}

// RemoveUser removes the role in an organization, or with the operator for "". It disables and signs out a person
// without any other role. Errors: models.ErrNotFound for a person without a role there, models.ErrLastAdmin.
func (s *Store) RemoveUser(ctx context.Context, actor models.Actor, organizationID, id string) error {
	return s.inTx(ctx, func(tx *gorm.DB) error {
		u, err := lockedUser(tx, organizationID, id)
		if err != nil {
			return err
		}
		if err := checkLastAdmin(tx, organizationID, &u, &models.User{}); err != nil {
			return err
		}
		var removed *gorm.DB
		if organizationID == "" {
			removed = tx.Model(&models.User{}).Where("id = ? AND staff_role IS NOT NULL", id).Update("staff_role", nil)
		} else {
			removed = tx.Where("organization_id = ? AND user_id = ?", organizationID, id).Delete(&models.Membership{})
		}
		if removed.Error != nil {
			return removed.Error
		}
		if removed.RowsAffected == 0 {
			return models.ErrNotFound
		}
		ended := tx.Model(&models.User{}).
			Where("id = ? AND staff_role IS NULL AND NOT EXISTS (SELECT FROM memberships m WHERE m.user_id = users.id)", id).
			Updates(map[string]any{"status": models.UserDisabled, "updated_at": tx.NowFunc()})
		if ended.Error != nil {
			return ended.Error
		}
		if ended.RowsAffected > 0 {
			if err := endSessions(tx, id); err != nil {
				return err
			}
			// guard: passkeys: those of a removed person end
			if _, err := dropPasskeys(tx, id); err != nil {
				return err
			}
		}
		// guard: makers: what a person made ends with the person
		after, err := makers.EndPerson(tx, actor, organizationID, id)
		if err != nil {
			return err
		}
		entry := actor.Entry(trailOf(organizationID), models.AuditRemove, "user", id)
		return pg.Audit(tx, entry.With(after.Detail()))
	})
}
