package people

import (
	"context"
	"errors"

	"gorm.io/gorm"
	"gorm.io/gorm/clause"

	"levy/models"
	"levy/store/pg"
)

// UserOfIdentity returns the person of an account at the provider. An unused account is bound to the person who was
// invited with its e-mail address. From then on the address does not matter, so a later owner of the address is not
// that person. Errors: models.SignInUnknown, models.SignInDisabled, models.SignInOtherOne.
func (s *Store) UserOfIdentity(ctx context.Context, who models.Identity, requestID string) (models.User, error) {
	var u models.User
	err := s.inTx(ctx, func(tx *gorm.DB) error {
		locked := func() *gorm.DB { return tx.Clauses(clause.Locking{Strength: "UPDATE"}) }
		err := locked().Where("provider_issuer = ? AND provider_subject = ?", who.Issuer, who.Subject).Take(&u).Error
		known := err == nil
		if errors.Is(err, gorm.ErrRecordNotFound) {
			err = locked().Where("email_key = ?", models.EmailKey(who.Email)).Take(&u).Error
		}
		switch {
		case errors.Is(err, gorm.ErrRecordNotFound):
			return models.SignInUnknown
		case err != nil:
			return err
		case u.Status == models.UserDisabled:
			return models.SignInDisabled
		case known:
			return nil
		case u.ProviderIssuer != nil && *u.ProviderIssuer == who.Issuer:
			return models.SignInOtherOne
		}
		return bind(tx, &u, who, requestID)
	})
	return u, err
}

// bind binds the account to a person. It ends unused links.
func bind(tx *gorm.DB, u *models.User, who models.Identity, requestID string) error {
	now := tx.NowFunc()
	u.Status, u.ProviderIssuer, u.ProviderSubject, u.UpdatedAt = models.UserActive, &who.Issuer, &who.Subject, now
	err := tx.Model(&models.User{}).Where("id = ?", u.ID).
		Select("status", "provider_issuer", "provider_subject", "updated_at").UpdateColumns(u).Error
	if err != nil {
		return err
	}
	if err := tx.Model(&Link{}).Where("user_id = ? AND used_at IS NULL", u.ID).Update("used_at", now).Error; err != nil {
		return err
	}
	actor := models.Actor{UserID: u.ID, UserName: u.Name, RequestID: requestID}
	return pg.Audit(tx, actor.Entry(trailOf(""), models.AuditUpdate, "user", u.ID).
		With(map[string]any{"fields": []string{"provider_account"}}))
}
