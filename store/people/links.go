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

// Link is a link to set a password. It gives no more than its maker could: the roles of the account. A link of the
// operator for a known person also gives Role or StaffRole.
type Link struct {
	Hash       []byte `gorm:"primaryKey"`
	UserID     string
	CreatedAt  time.Time
	ExpiresAt  time.Time
	UsedAt     *time.Time
	ByOperator bool // its opening proves the address to the installation

	OrganizationID *string // where the person gets Role
	Role           *models.Role
	StaffRole      *models.StaffRole
}

// TableName returns the name of the table of links.
func (Link) TableName() string { return "sign_in_links" }

// addLink adds a link that opens an account with the roles that it has.
func addLink(tx *gorm.DB, userID string, hash []byte) error {
	return writeLink(tx, userID, &Link{Hash: hash})
}

func writeLink(tx *gorm.DB, userID string, l *Link) error {
	if l.Hash == nil {
		return nil
	}
	now := tx.NowFunc()
	if err := tx.Where("user_id = ? AND expires_at < ?", userID, now).Delete(&Link{}).Error; err != nil {
		return err
	}
	l.UserID, l.CreatedAt, l.ExpiresAt = userID, now, now.Add(models.SignInLinkLasts)
	return tx.Create(l).Error
}

// openLink is the condition of a link that can be opened. An account that an organization has disabled has none.
const openLink = "l.hash IN ? AND l.used_at IS NULL AND l.expires_at > now() AND users.status <> 'DISABLED'"

// PersonOfLink returns the account of a link. Errors: models.ErrUnauthenticated for a link that cannot be opened.
func (s *Store) PersonOfLink(ctx context.Context, hashes [][]byte) (u models.User, err error) {
	err = s.db.OpenTables().GORM(ctx).Joins("JOIN sign_in_links l ON l.user_id = users.id").Where(openLink, hashes).Take(&u).Error
	if err = pg.Translate(err); errors.Is(err, models.ErrNotFound) {
		err = models.ErrUnauthenticated
	}
	return u, err
}

// PasswordOfLink returns the hash of a password that the accounts of a link's address have; nil for none. A new password
// has its salt, so that one hash compares a password with those of all these accounts. Errors: models.ErrUnauthenticated
// for a link that cannot be opened.
func (s *Store) PasswordOfLink(ctx context.Context, hashes [][]byte) (*string, error) {
	u, err := s.PersonOfLink(ctx, hashes)
	if err != nil {
		return nil, err
	}
	return passwordOf(s.db.OpenTables().GORM(ctx), &u)
}

// ChangePassword replaces the hash of the actor's password by one with the same salt. It ends the sessions other than the
// acting one, which has the hashes, and the person's links, except those of the operator. Errors:
// models.ErrChangedMeanwhile if the password is not the one before.
func (s *Store) ChangePassword(ctx context.Context, actor models.Actor, session [][]byte, before, after string) error {
	return s.inTx(ctx, func(tx *gorm.DB) error {
		changed := tx.Model(&models.User{}).Where("id = ? AND password_hash = ?", actor.UserID, before).
			UpdateColumns(map[string]any{"password_hash": after, "updated_at": tx.NowFunc()})
		if changed.Error != nil {
			return changed.Error
		}
		if changed.RowsAffected == 0 {
			return models.ErrChangedMeanwhile
		}
		if err := endLinks(tx, actor.UserID); err != nil {
			return err
		}
		// guard: sign-in: a changed password ends the other sessions
		if err := endSessions(tx, actor.UserID, session...); err != nil {
			return err
		}
		return pg.Audit(tx, actor.Entry(trailOf(""), models.AuditUpdate, "user", actor.UserID).
			With(map[string]any{"fields": []string{"password"}}))
	})
}

// passwordOf returns the hash of a password of the accounts of an address; nil for none.
func passwordOf(tx *gorm.DB, u *models.User) (hash *string, err error) {
	err = tx.Model(&models.User{}).Select("password_hash").Where(ofAddress+" AND password_hash IS NOT NULL", u.Address()).
		Order("created_at, id").Limit(1).Scan(&hash).Error
	return hash, pg.Translate(err)
}

// UseLink sets the password of the account of a link. It ends the link, other links of the account, its sessions and its
// passkeys, of which the person has the number (PasskeysEnded).
// A link of the operator also proves the address, see prove; others leave links of the operator open. hashes are those
// of the link under every master key. Errors: models.ErrUnauthenticated for a link that is unknown, used or expired,
// or of a disabled person. models.ErrChangedMeanwhile for a password with another salt than those of the address.
func (s *Store) UseLink(ctx context.Context, hashes [][]byte, passwordHash, requestID string) (models.User, error) {
	var u models.User
	err := s.inTx(ctx, func(tx *gorm.DB) error {
		opened := func() *gorm.DB {
			return tx.Joins("JOIN sign_in_links l ON l.user_id = users.id").Where(openLink, hashes)
		}
		if err := opened().Take(&u).Error; err != nil {
			return err
		}
		if err := lockAddress(tx, u.Email); err != nil {
			return err
		}
		// The second of two concurrent uses of a link finds it used.
		locked := opened().Clauses(clause.Locking{Strength: "UPDATE", Table: clause.Table{Name: "users"}})
		if err := locked.Preload("Memberships").Take(&u).Error; err != nil {
			return err
		}
		other, err := passwordOf(tx, &u)
		if err != nil {
			return err
		}
		if other != nil && models.PasswordSalt(*other) != models.PasswordSalt(passwordHash) {
			return models.ErrChangedMeanwhile
		}
		var l Link
		if err := tx.Where("hash IN ?", hashes).Take(&l).Error; err != nil {
			return err
		}
		if l.ByOperator {
			err = proveByLink(tx, &u, requestID)
		} else {
			u.PasskeysEnded, err = open(tx, &u)
		}
		if err != nil {
			return err
		}
		u.PasswordHash = &passwordHash
		return writeProof(tx, &u, requestID, "password")
	})
	if errors.Is(err, models.ErrNotFound) {
		err = models.ErrUnauthenticated
	}
	return u, err
}

// proveByLink proves the address of an account by a link of the operator.
func proveByLink(tx *gorm.DB, u *models.User, requestID string) error {
	accounts, err := accountsOf(tx, u.Email)
	if err != nil {
		return err
	}
	now := tx.NowFunc()
	u.ProvenAt, u.ProviderIssuer, u.ProviderSubject = &now, nil, nil
	return prove(tx, u, accounts, requestID)
}

// open ends the sessions and passkeys of an account and its links, except those of the operator, which others may not
// end. It returns how many passkeys there were.
func open(tx *gorm.DB, u *models.User) (passkeys int, err error) {
	if err := endLinks(tx, u.ID); err != nil {
		return 0, err
	}
	// guard: passkeys: they sign in without the password that a link sets, and end with the one before
	if passkeys, err = dropPasskeys(tx, u.ID); err != nil {
		return 0, err
	}
	// guard: sign-in: a new password ends the sessions of the one before
	return passkeys, endSessions(tx, u.ID)
}

// endLinks ends the open links of an account, except those of the operator.
func endLinks(tx *gorm.DB, userID string) error {
	return tx.Model(&Link{}).Where("user_id = ? AND used_at IS NULL AND NOT by_operator", userID).
		Update("used_at", tx.NowFunc()).Error
}
