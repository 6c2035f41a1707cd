package people

import (
	"context"

	"gorm.io/gorm"
	"gorm.io/gorm/clause"

	"levy/models"
	"levy/store/pg"
)

// savedViews is the name of views in the audit trail.
const savedViews = "saved_views"

// SavedViews returns the views of a person, by list and name.
func (s *Store) SavedViews(ctx context.Context, userID string) (views []models.SavedView, err error) {
	err = s.db.OpenTables().GORM(ctx).Where("user_id = ?", userID).Order("list, name_key").Find(&views).Error
	return views, pg.Translate(err)
}

// SaveView saves a view of the actor. It replaces one of the same name. Errors: *models.LimitError.
func (s *Store) SaveView(ctx context.Context, actor models.Actor, v models.SavedView) error {
	return s.changeOwn(ctx, actor, savedViews, func(tx *gorm.DB) error {
		v.UserID, v.NameKey, v.UpdatedAt = actor.UserID, models.NormalizeName(v.Name), tx.NowFunc()
		v.ID = models.NewID(models.PrefixView)
		err := tx.Clauses(clause.OnConflict{
			Columns:   []clause.Column{{Name: "user_id"}, {Name: "list"}, {Name: "name_key"}},
			DoUpdates: clause.AssignmentColumns([]string{"name", "query", "updated_at"}), // its id and readers stay
		}).Create(&v).Error
		if err != nil {
			return err
		}
		var n int64
		if err := tx.Model(&models.SavedView{}).Where("user_id = ?", v.UserID).Count(&n).Error; err != nil {
			return err
		}
		if n > models.MaxSavedViews {
			return &models.LimitError{What: models.LimitSavedViews, Limit: models.MaxSavedViews}
		}
		return nil
	})
}

// RenameView gives a view of the actor another name. Errors: models.ErrNotFound, *models.DuplicateError (name).
func (s *Store) RenameView(ctx context.Context, actor models.Actor, list, name, to string) error {
	return s.changeOwn(ctx, actor, savedViews, func(tx *gorm.DB) error {
		var taken int64
		err := viewOf(tx, actor.UserID, list, to).Where("name_key <> ?", models.NormalizeName(name)).Count(&taken).Error
		if err != nil {
			return err
		}
		if taken > 0 {
			return &models.DuplicateError{Field: "name"}
		}
		renamed := viewOf(tx, actor.UserID, list, name).
			Updates(map[string]any{"name": to, "name_key": models.NormalizeName(to), "updated_at": tx.NowFunc()})
		if renamed.Error == nil && renamed.RowsAffected == 0 {
			return models.ErrNotFound
		}
		return renamed.Error
	})
}

// RemoveView deletes a view of the actor. A repetition changes nothing.
func (s *Store) RemoveView(ctx context.Context, actor models.Actor, list, name string) error {
	return s.changeOwn(ctx, actor, savedViews, func(tx *gorm.DB) error {
		var removed []models.SavedView
		if err := viewOf(tx, actor.UserID, list, name).Find(&removed).Error; err != nil {
			return err
		}
		for _, v := range removed {
			if err := auditUnshared(tx, actor, v); err != nil {
				return err
			}
		}
		return viewOf(tx, actor.UserID, list, name).Delete(&models.SavedView{}).Error
	})
}

func viewOf(tx *gorm.DB, userID, list, name string) *gorm.DB {
	return tx.Model(&models.SavedView{}).
		Where("user_id = ? AND list = ? AND name_key = ?", userID, list, models.NormalizeName(name))
}

// sharedViews finds the views that other people share with the organizations of a person. A view of a person with no role
// there any more is not shared.
const sharedViews = `
	SELECT v.*, u.name AS shared_by
	  FROM memberships mine
	  JOIN organizations o ON o.id = mine.organization_id AND o.status = 'ACTIVE'
	  JOIN saved_views v ON v.shared_with = o.id AND v.user_id <> mine.user_id
	  JOIN memberships theirs ON theirs.organization_id = o.id AND theirs.user_id = v.user_id
	  JOIN users u ON u.id = v.user_id AND u.status = 'ACTIVE'
	 WHERE mine.user_id = ?
	 ORDER BY v.list, v.name_key, v.id`

// SharedViews returns the views that others share with a person, by list and name.
func (s *Store) SharedViews(ctx context.Context, userID string) (views []models.SharedView, err error) {
	err = s.db.OpenTables().GORM(ctx).Raw(sharedViews, userID).Scan(&views).Error
	return views, pg.Translate(err)
}

// ShareView shares a view of the actor with the people of an organization; nil makes it private. The trails of the
// organizations that see it, or no longer do, have it as well. Errors: models.ErrNotFound, *models.LimitError.
func (s *Store) ShareView(ctx context.Context, actor models.Actor, list, name string, with *string) error {
	err := s.inTx(ctx, func(tx *gorm.DB) error {
		if with != nil { // before the lock of the person, and so that two people do not both find room for the last view
			locked := tx.Clauses(clause.Locking{Strength: "NO KEY UPDATE"}).Select("id").
				Take(&models.Organization{}, "id = ?", *with)
			if locked.Error != nil {
				return locked.Error
			}
		}
		return changeOwnIn(tx, actor, savedViews, func(tx *gorm.DB) error {
			if with != nil { // the role may have ended since the operation checked it
				err := tx.Clauses(clause.Locking{Strength: "KEY SHARE"}).Select("user_id").
					Take(&models.Membership{}, "organization_id = ? AND user_id = ?", *with, actor.UserID).Error
				if err != nil {
					return err
				}
			}
			return shareView(tx, actor, list, name, with)
		})
	})
	return pg.Translate(err)
}

// shareView shares a view under the locks of its person and the organization.
func shareView(tx *gorm.DB, actor models.Actor, list, name string, with *string) error {
	var v models.SavedView
	if err := viewOf(tx, actor.UserID, list, name).Take(&v).Error; err != nil {
		return err
	}
	if with == nil || v.SharedWith != nil && *v.SharedWith != *with {
		if err := auditUnshared(tx, actor, v); err != nil {
			return err
		}
	}
	shared := viewOf(tx, actor.UserID, list, name).Updates(map[string]any{"shared_with": with, "updated_at": tx.NowFunc()})
	if shared.Error != nil || with == nil {
		return shared.Error
	}
	var n int64
	// Views of disabled people count: they are shared again when the person is enabled. The end of a role ends its views.
	if err := tx.Model(&models.SavedView{}).Where("shared_with = ?", *with).Count(&n).Error; err != nil {
		return err
	}
	// guard: views: an organization has a limit of shared views
	if n > models.MaxSharedViews {
		return &models.LimitError{What: models.LimitSharedViews, Limit: models.MaxSharedViews}
	}
	return pg.Audit(tx, actor.Entry(trailOf(*with), models.AuditUpdate, "user", actor.UserID).
		With(map[string]any{"fields": []string{savedViews}, "shared_view": v.ID}))
}

// auditUnshared writes to the trail of the organization that sees a view, if there is one, that it no longer does.
func auditUnshared(tx *gorm.DB, actor models.Actor, v models.SavedView) error {
	if v.SharedWith == nil {
		return nil
	}
	return pg.Audit(tx, actor.Entry(trailOf(*v.SharedWith), models.AuditUpdate, "user", actor.UserID).
		With(map[string]any{"fields": []string{savedViews}, "unshared_view": v.ID}))
}

// changeOwn changes records of the actor that are about the console, one change at a time, and audits it. Otherwise two
// concurrent ones could both find room for the last view, or one could take back the other's preference.
func (s *Store) changeOwn(ctx context.Context, actor models.Actor, field string, change func(tx *gorm.DB) error) error {
	return pg.Translate(s.inTx(ctx, func(tx *gorm.DB) error { return changeOwnIn(tx, actor, field, change) }))
}

// changeOwnIn is changeOwn in a database transaction.
func changeOwnIn(tx *gorm.DB, actor models.Actor, field string, change func(tx *gorm.DB) error) error {
	locked := tx.Clauses(clause.Locking{Strength: "NO KEY UPDATE"}).Select("id").Take(&models.User{}, "id = ?", actor.UserID)
	if locked.Error != nil {
		return locked.Error
	}
	if err := change(tx); err != nil {
		return err
	}
	return pg.Audit(tx, actor.Entry(trailOf(""), models.AuditUpdate, "user", actor.UserID).
		With(map[string]any{"fields": []string{field}}))
}
