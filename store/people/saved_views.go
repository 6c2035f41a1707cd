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
		if err := tx.Clauses(clause.OnConflict{UpdateAll: true}).Create(&v).Error; err != nil {
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
		return viewOf(tx, actor.UserID, list, name).Delete(&models.SavedView{}).Error
	})
}

func viewOf(tx *gorm.DB, userID, list, name string) *gorm.DB {
	return tx.Model(&models.SavedView{}).
		Where("user_id = ? AND list = ? AND name_key = ?", userID, list, models.NormalizeName(name))
}

// changeOwn changes records of the actor that are about the console, one change at a time, and audits it. Otherwise two
// concurrent ones could both find room for the last view, or one could take back the other's preference.
func (s *Store) changeOwn(ctx context.Context, actor models.Actor, field string, change func(tx *gorm.DB) error) error {
	err := s.inTx(ctx, func(tx *gorm.DB) error {
		locked := tx.Clauses(clause.Locking{Strength: "NO KEY UPDATE"}).
			Select("id").Take(&models.User{}, "id = ?", actor.UserID)
		if locked.Error != nil {
			return locked.Error
		}
		if err := change(tx); err != nil {
			return err
		}
		return pg.Audit(tx, actor.Entry(trailOf(""), models.AuditUpdate, "user", actor.UserID).
			With(map[string]any{"fields": []string{field}}))
	})
	return pg.Translate(err)
}
