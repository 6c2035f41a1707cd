package people

import (
	"context"
	"errors"
	"slices"

	"gorm.io/gorm"
	"gorm.io/gorm/clause"

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

// changePreferences reads the preferences of a person, calls change and writes the result. When the person turns a kind
// on, the addresses in earlier mails of it end. A copy of such a mail elsewhere cannot turn it off again.
func changePreferences(tx *gorm.DB, userID string, change func(*models.Preferences)) (stored models.Preferences, err error) {
	err = tx.Take(&stored, "user_id = ?", userID).Error
	if errors.Is(err, gorm.ErrRecordNotFound) {
		stored, err = models.DefaultPreferences(userID), nil
	}
	if err != nil {
		return stored, err
	}
	off := slices.Clone(stored.MailsOff)
	change(&stored)
	for _, kind := range off {
		// guard: mails: turning a kind on ends the addresses in its mails
		if slices.Contains(stored.MailsOff, kind) {
			continue
		}
		if err := tx.Exec("DELETE FROM mail_stops WHERE user_id = ? AND kind = ?", userID, kind).Error; err != nil {
			return stored, err
		}
	}
	stored.UpdatedAt = tx.NowFunc()
	return stored, tx.Clauses(clause.OnConflict{UpdateAll: true}).Create(&stored).Error
}
