package people

import (
	"context"
	"errors"
	"time"

	"gorm.io/gorm"
	"gorm.io/gorm/clause"

	"levy/models"
	"levy/store/pg"
)

// Link is a link to set a password.
type Link struct {
	Hash      []byte `gorm:"primaryKey"`
	UserID    string
	CreatedAt time.Time
	ExpiresAt time.Time
	UsedAt    *time.Time
}

// TableName returns the name of the table of links.
func (Link) TableName() string { return "sign_in_links" }

func addLink(tx *gorm.DB, userID string, hash []byte) error {
	if hash == nil {
		return nil
	}
	now := tx.NowFunc()
	if err := tx.Where("user_id = ? AND expires_at < ?", userID, now).Delete(&Link{}).Error; err != nil {
		return err
	}
	return tx.Create(&Link{Hash: hash, UserID: userID, CreatedAt: now, ExpiresAt: now.Add(models.SignInLinkLasts)}).Error
}

// UseLink sets the password of the owner of a link. It ends the link, all other links and all sessions of that person.
// hashes are those of the link under every master key. Errors: models.ErrUnauthenticated for a link that is unknown,
// used or expired, or of a disabled person.
func (s *Store) UseLink(ctx context.Context, hashes [][]byte, passwordHash, requestID string) (models.User, error) {
	var u models.User
	err := s.inTx(ctx, func(tx *gorm.DB) error {
		// The second of two concurrent uses of a link finds it used.
		err := tx.Clauses(clause.Locking{Strength: "UPDATE"}).
			Joins("JOIN sign_in_links l ON l.user_id = users.id").
			Where("l.hash IN ? AND l.used_at IS NULL AND l.expires_at > now() AND users.status <> ?", hashes,
				models.UserDisabled).
			Take(&u).Error
		if err != nil {
			return err
		}
		now := tx.NowFunc()
		err = tx.Model(&Link{}).Where("user_id = ? AND used_at IS NULL", u.ID).Update("used_at", now).Error
		if err != nil {
			return err
		}
		if err := endSessions(tx, u.ID); err != nil {
			return err
		}
		u.Status, u.PasswordHash, u.UpdatedAt = models.UserActive, &passwordHash, now
		err = tx.Model(&models.User{}).Where("id = ?", u.ID).Select("status", "password_hash",
			"updated_at").UpdateColumns(&u).Error
		if err != nil {
			return err
		}
		actor := models.Actor{UserID: u.ID, UserName: u.Name, RequestID: requestID}
		return pg.Audit(tx, actor.Entry(trailOf(""), models.AuditUpdate, "user", u.ID).
			With(map[string]any{"fields": []string{"password"}}))
	})
	if errors.Is(err, models.ErrNotFound) {
		err = models.ErrUnauthenticated
	}
	return u, err
}
