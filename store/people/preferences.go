package people

import (
	"context"
	"errors"

	"gorm.io/gorm"
	"gorm.io/gorm/clause"

	"levy/models"
)

// ChangePreferences reads the preferences of the actor, calls change and writes the result.
func (s *Store) ChangePreferences(
	ctx context.Context, actor models.Actor, change func(*models.Preferences),
) (stored models.Preferences, err error) {
	err = s.changeOwn(ctx, actor, "preferences", func(tx *gorm.DB) error {
		err := tx.Take(&stored, "user_id = ?", actor.UserID).Error
		if errors.Is(err, gorm.ErrRecordNotFound) {
			stored, err = models.DefaultPreferences(actor.UserID), nil
		}
		if err != nil {
			return err
		}
		change(&stored)
		stored.UpdatedAt = tx.NowFunc()
		return tx.Clauses(clause.OnConflict{UpdateAll: true}).Create(&stored).Error
	})
	return stored, err
}
