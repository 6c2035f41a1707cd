package people

import (
	"context"
	"encoding/base64"

	"gorm.io/gorm"
	"gorm.io/gorm/clause"

	"levy/models"
	"levy/store/pg"
)

// Passkeys returns the passkeys of a person, the oldest first.
func (s *Store) Passkeys(ctx context.Context, userID string) (all []models.Passkey, err error) {
	err = s.db.OpenTables().GORM(ctx).Where("user_id = ?", userID).Order("created_at, credential_id").Find(&all).Error
	return all, pg.Translate(err)
}

// Passkey returns a passkey. Errors: models.ErrNotFound.
func (s *Store) Passkey(ctx context.Context, credentialID []byte) (p models.Passkey, err error) {
	err = s.db.OpenTables().GORM(ctx).Where("credential_id = ?", credentialID).Take(&p).Error
	return p, pg.Translate(err)
}

// AddPasskey writes a passkey of the actor. session has the hashes of the session that adds it. Errors:
// models.ErrUnauthenticated for one that ended meanwhile, *models.LimitError, *models.DuplicateError (passkey).
func (s *Store) AddPasskey(ctx context.Context, actor models.Actor, session [][]byte, p models.Passkey) error {
	return s.inTx(ctx, func(tx *gorm.DB) error {
		if err := lockPasskeys(tx, actor.UserID); err != nil {
			return err
		}
		var live int64
		err := tx.Model(&Session{}).Where("hash IN ? AND user_id = ? AND revoked_at IS NULL AND ends_at > ?", session,
			actor.UserID, tx.NowFunc()).Count(&live).Error
		if err != nil {
			return err
		}
		// guard: passkeys: a session that has ended adds none
		if live == 0 {
			return models.ErrUnauthenticated
		}
		p.UserID, p.CreatedAt = actor.UserID, tx.NowFunc()
		// guard: passkeys: a credential belongs to one account of the installation
		added := tx.Clauses(clause.OnConflict{DoNothing: true}).Create(&p)
		if added.Error != nil {
			return added.Error
		}
		if added.RowsAffected == 0 {
			return &models.DuplicateError{Field: "passkey"}
		}
		var n int64
		if err := tx.Model(&models.Passkey{}).Where("user_id = ?", p.UserID).Count(&n).Error; err != nil {
			return err
		}
		if n > models.MaxPasskeys {
			return &models.LimitError{What: models.LimitPasskeys, Limit: models.MaxPasskeys}
		}
		return auditPasskey(tx, actor, "added", p.CredentialID)
	})
}

// RemovePasskey deletes a passkey of the actor, and ends the other sessions: a lost device may have one. session has the
// hashes of the session that removes it. A repetition changes nothing.
func (s *Store) RemovePasskey(ctx context.Context, actor models.Actor, session [][]byte, credentialID []byte) error {
	return s.inTx(ctx, func(tx *gorm.DB) error {
		if err := lockPasskeys(tx, actor.UserID); err != nil {
			return err
		}
		removed := tx.Where("credential_id = ? AND user_id = ?", credentialID, actor.UserID).Delete(&models.Passkey{})
		if removed.Error != nil || removed.RowsAffected == 0 {
			return removed.Error
		}
		// guard: passkeys: what a lost device has open ends with its passkey
		if err := endSessions(tx, actor.UserID, session...); err != nil {
			return err
		}
		return auditPasskey(tx, actor, "removed", credentialID)
	})
}

// UsePasskey records that the actor has used a passkey, with the number of signatures that the device tells. A device that
// counts tells a greater one each time. Otherwise a copy of its key exists: it is refused, and audited. Errors:
// models.ErrUnauthenticated, also for a passkey that was removed.
func (s *Store) UsePasskey(ctx context.Context, actor models.Actor, credentialID []byte, counter int64) error {
	used := false
	err := s.inTx(ctx, func(tx *gorm.DB) error {
		updated := tx.Model(&models.Passkey{}).Where("credential_id = ? AND user_id = ?", credentialID, actor.UserID).
			// guard: passkeys: the counter of a device never goes back
			Where("counter < ? OR counter = 0 AND ?::bigint = 0", counter, counter).
			Updates(map[string]any{"counter": counter, "last_used_at": tx.NowFunc()})
		if used = updated.RowsAffected > 0; used || updated.Error != nil {
			return updated.Error
		}
		var known int64
		err := tx.Model(&models.Passkey{}).Where("credential_id = ? AND user_id = ?", credentialID, actor.UserID).
			Count(&known).Error
		if known == 0 || err != nil {
			return err // it was removed meanwhile
		}
		return pg.Audit(tx, actor.Entry(trailOf(""), models.AuditPasskey, "user", actor.UserID).
			With(map[string]any{"passkey": passkeyID(credentialID)}))
	})
	if err == nil && !used {
		err = models.ErrUnauthenticated
	}
	return err
}

// lockPasskeys lets one change at a time count the passkeys of a person. Otherwise two could both find room for the last.
func lockPasskeys(tx *gorm.DB, userID string) error {
	return tx.Clauses(clause.Locking{Strength: "NO KEY UPDATE"}).Select("id").
		Take(&models.User{}, "id = ?", userID).Error
}

func auditPasskey(tx *gorm.DB, actor models.Actor, how string, credentialID []byte) error {
	return pg.Audit(tx, actor.Entry(trailOf(""), models.AuditUpdate, "user", actor.UserID).
		With(map[string]any{"fields": []string{"passkeys"}, how: passkeyID(credentialID)}))
}

// passkeyID returns the id of a passkey in the contract.
func passkeyID(credentialID []byte) string { return base64.RawURLEncoding.EncodeToString(credentialID) }

// withPasskeys sets Passkeys of people.
func withPasskeys(tx *gorm.DB, people []models.User, ids []string) error {
	var owners []string
	err := tx.Model(&models.Passkey{}).Where("user_id IN ?", ids).Pluck("user_id", &owners).Error
	count := map[string]int{}
	for _, id := range owners {
		count[id]++
	}
	for i := range people {
		people[i].Passkeys = count[people[i].ID]
	}
	return err
}

// passkeysOf returns how many passkeys some accounts have.
func passkeysOf(tx *gorm.DB, accounts []models.User) (int, error) {
	ids := make([]string, len(accounts))
	for i := range accounts {
		ids[i] = accounts[i].ID
	}
	var n int64
	err := tx.Model(&models.Passkey{}).Where("user_id IN ?", ids).Count(&n).Error
	return int(n), err
}

// WithPasskeysAlone returns how many active people sign in by passkeys and have no codes.
func (s *Store) WithPasskeysAlone(ctx context.Context) (n int64, err error) {
	err = s.db.OpenTables().GORM(ctx).Model(&models.User{}).Where(`status = ?
		  AND EXISTS (SELECT FROM passkeys p WHERE p.user_id = users.id)
		  AND NOT EXISTS (SELECT FROM second_factors f WHERE f.user_id = users.id AND f.confirmed_at IS NOT NULL)`,
		models.UserActive).Count(&n).Error
	return n, pg.Translate(err)
}

// dropPasskeys deletes the passkeys of a person. It returns how many there were.
func dropPasskeys(tx *gorm.DB, userID string) (int, error) {
	dropped := tx.Where("user_id = ?", userID).Delete(&models.Passkey{})
	return int(dropped.RowsAffected), dropped.Error
}
