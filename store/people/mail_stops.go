package people

import (
	"context"
	"slices"

	"gorm.io/gorm"

	"levy/models"
	"levy/store/pg"
)

// AddMailStop adds the address of a mail that turns off its kind. Errors: models.ErrNotFound if the attempt has lost its
// mail.
func (s *Store) AddMailStop(ctx context.Context, m models.Mail, hash []byte) error {
	return pg.Translate(s.inTx(ctx, func(tx *gorm.DB) error {
		added := tx.Exec(`INSERT INTO mail_stops (user_id, kind, hash)
			SELECT user_id, kind, ? FROM mails WHERE id = ? AND status = 'PLANNED' AND tries = ? FOR NO KEY UPDATE`,
			hash, m.ID, m.Attempt)
		if added.Error == nil && added.RowsAffected == 0 {
			return models.ErrNotFound
		}
		return added.Error
	}))
}

// StopMails turns off the kind of e-mail whose address has one of the hashes, which are those of the same token. A
// repetition changes nothing. It returns the kind. Errors: models.ErrNotFound for an address that is unknown or has ended.
func (s *Store) StopMails(ctx context.Context, hashes [][]byte, requestID string) (kind models.MailKind, err error) {
	err = s.inTx(ctx, func(tx *gorm.DB) error {
		var stop struct {
			UserID, Name string
			Kind         models.MailKind
		}
		err := tx.Raw(`SELECT s.user_id, u.name, s.kind FROM mail_stops s JOIN users u ON u.id = s.user_id
			WHERE s.hash IN ? AND s.created_at > ?`, hashes, tx.NowFunc().Add(-models.MailStopLasts)).Scan(&stop).Error
		if err == nil && stop.UserID == "" {
			err = models.ErrNotFound
		}
		if err != nil {
			return err
		}
		kind = stop.Kind
		var off bool
		err = tx.Raw("SELECT EXISTS (SELECT FROM preferences WHERE user_id = ? AND jsonb_exists(mails_off, ?))",
			stop.UserID, kind).Scan(&off).Error
		if err != nil || off {
			return err
		}
		actor := models.Actor{UserID: stop.UserID, UserName: stop.Name, RequestID: requestID}
		return changeOwnIn(tx, actor, "preferences", func(tx *gorm.DB) error {
			_, err := changePreferences(tx, actor.UserID, func(p *models.Preferences) {
				if !slices.Contains(p.MailsOff, kind) {
					p.MailsOff = append(p.MailsOff, kind)
				}
			})
			return err
		})
	})
	return kind, err
}
