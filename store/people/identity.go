package people

import (
	"context"
	"slices"
	"time"

	"gorm.io/gorm"
	"gorm.io/gorm/clause"

	"levy/models"
)

// UserOfIdentity returns the person of an account at the provider, who is known by issuer and subject. With the first
// sign-in that is the account that was invited with the verified address, exactly as it is spelled. From then on the
// address does not matter, so a later owner of the address is not that person. Later invitations of the address that
// the provider has verified come to the same person. A link of the operator admits another account of the provider.
// Errors: models.SignInUntrusted, models.SignInUnknown, models.SignInDisabled, models.SignInOtherOne.
func (s *Store) UserOfIdentity(ctx context.Context, who models.Identity, requestID string) (models.User, error) {
	var u models.User
	// guard: identity: an account without a subject belongs to no identity
	if who.Issuer == "" || who.Subject == "" {
		return u, models.SignInUntrusted
	}
	err := s.inTx(ctx, func(tx *gorm.DB) error {
		if err := lockAddress(tx, who.Email); err != nil {
			return err
		}
		var bound []models.User
		err := tx.Clauses(clause.Locking{Strength: "UPDATE"}).Preload("Memberships").
			Where("provider_issuer = ? AND provider_subject = ?", who.Issuer, who.Subject).Find(&bound).Error
		if err != nil {
			return err
		}
		accounts, err := accountsOf(tx, who.Email)
		if err != nil {
			return err
		}
		invited, err := bindable(tx, accounts, who)
		if err != nil {
			return err
		}
		switch {
		case len(bound) > 0 && bound[0].Status != models.UserDisabled:
			u = bound[0]
			if len(invited) == 0 {
				return nil
			}
		case len(invited) > 0:
			u = invited[0]
		case len(bound) > 0:
			return models.SignInDisabled
		default:
			return refusalOf(accounts)
		}
		return bind(tx, &u, invited, who, requestID)
	})
	return u, err
}

// bindable returns those accounts of an address that may be bound to an account at the provider. They are bound to none
// of that provider, or have an open link of the operator.
func bindable(tx *gorm.DB, accounts []models.User, who models.Identity) (free []models.User, err error) {
	var recovered []string
	err = tx.Model(&Link{}).Joins("JOIN users ON users.id = sign_in_links.user_id").
		Where(ofAddress+" AND by_operator AND used_at IS NULL AND expires_at > now()", models.EmailKey(who.Email)).
		Pluck("user_id", &recovered).Error
	for i := range accounts {
		a := &accounts[i]
		other := a.ProviderIssuer == nil || *a.ProviderIssuer != who.Issuer
		if a.Answers() && (other || slices.Contains(recovered, a.ID)) {
			free = append(free, *a)
		}
	}
	return free, err
}

// refusalOf returns why none of the accounts of an address can be bound.
func refusalOf(accounts []models.User) models.SignInRefusal {
	switch {
	case whoIs(accounts) != nil:
		return models.SignInOtherOne
	case len(accounts) > 0:
		return models.SignInDisabled
	}
	return models.SignInUnknown
}

// bind binds the account at the provider to a person, who has proved the address with it. The other accounts that were
// invited with the address end, and so do passwords and unused links.
func bind(tx *gorm.DB, u *models.User, invited []models.User, who models.Identity, requestID string) error {
	err := tx.Model(&models.User{}).
		Where("provider_issuer = ? AND provider_subject = ? AND id <> ?", who.Issuer, who.Subject, u.ID).
		Updates(map[string]any{"provider_issuer": nil, "provider_subject": nil}).Error
	if err != nil {
		return err
	}
	if now := tx.NowFunc(); models.SameAddress(u.Email, who.Email) {
		u.ProvenAt = &now
	}
	if err := prove(tx, u, invited, requestID); err != nil {
		return err
	}
	u.PasswordHash, u.ProviderIssuer, u.ProviderSubject = nil, &who.Issuer, &who.Subject
	return writeProof(tx, u, requestID, "provider_account")
}

// usedLonger is by how much the clocks of the processes may differ.
const usedLonger = time.Hour

// UsedSignIn is a sign-in at the provider that came back.
type UsedSignIn struct {
	Hash   []byte `gorm:"primaryKey"`
	EndsAt time.Time
}

// UseSignIn records that a sign-in at the provider came back, until it ends. It forgets those that have ended. first is
// false for one that came back before.
func (s *Store) UseSignIn(ctx context.Context, hash []byte, ends time.Time) (first bool, err error) {
	err = s.inTx(ctx, func(tx *gorm.DB) error {
		err := tx.Where("ends_at < ?", tx.NowFunc().Add(-usedLonger)).Delete(&UsedSignIn{}).Error
		if err != nil {
			return err
		}
		used := tx.Clauses(clause.OnConflict{DoNothing: true}).Create(&UsedSignIn{Hash: hash, EndsAt: ends})
		first = used.RowsAffected > 0
		return used.Error
	})
	return first, err
}
