package people

import (
	"context"

	"gorm.io/gorm"

	"levy/models"
)

// ChangePreferences reads the preferences of the actor, calls change and writes the result.
func (s *Store) ChangePreferences(
	ctx context.Context, actor models.Actor, change func(*models.Preferences),
) (stored models.Preferences, err error) {
	err = s.changeOwn(ctx, actor, "preferences", func(tx *gorm.DB) (err error) {
		stored, err = changePreferences(tx, actor.UserID, change)
		return err
	})
	return stored, err
}
