package people

import (
	"context"
	"encoding/json"
	"time"

	"gorm.io/gorm"
	"gorm.io/gorm/clause"

	"levy/models"
	"levy/store/pg"
)

// Session is the session of a cookie.
type Session struct {
	Hash      []byte `gorm:"primaryKey"`
	UserID    string
	CreatedAt time.Time
	SeenAt    time.Time
	// ProvenAt is when the person last proved who uses the session; nil for never, or not known.
	ProvenAt *time.Time
	// SecondProof is the second kind of that proof; nil for none, or not known.
	SecondProof *models.ProofKind
	EndsAt      time.Time
	RevokedAt   *time.Time
}

// BeginSession begins a session of a person, and audits the proof. Errors: models.ErrUnauthenticated if the person was
// disabled meanwhile, has another password, or has removed the passkey.
func (s *Store) BeginSession(ctx context.Context, u *models.User, hash []byte, by models.SignInProof, requestID string) error {
	return s.inTx(ctx, func(tx *gorm.DB) error {
		if err := lockUnchanged(tx, u); err != nil {
			return err
		}
		if err := checkPasskey(tx, u, by.CredentialID); err != nil {
			return err
		}
		now := tx.NowFunc()
		var provenAt *time.Time
		if by.Age != nil {
			provenAt = new(now.Add(-*by.Age))
		}
		// Ended sessions are of no further use.
		err := tx.Where("user_id = ? AND (revoked_at IS NOT NULL OR ends_at < ?)", u.ID, now).Delete(&Session{}).Error
		if err != nil {
			return err
		}
		err = tx.Create(&Session{
			Hash: hash, UserID: u.ID, CreatedAt: now, SeenAt: now, ProvenAt: provenAt, SecondProof: by.Second(),
			EndsAt: now.Add(models.SessionLongest),
		}).Error
		if err != nil {
			return err
		}
		actor := models.Actor{UserID: u.ID, UserName: u.Name, RequestID: requestID}
		return pg.Audit(tx, actor.Entry(trailOf(""), models.AuditSignIn, "user", u.ID).With(by.Detail()))
	})
}

// lockUnchanged locks the account of a person who has just proved who it is. A link that was opened meanwhile has ended
// all sessions, and set another password.
func lockUnchanged(tx *gorm.DB, u *models.User) error {
	var stored models.User
	err := tx.Clauses(clause.Locking{Strength: "SHARE"}).Select("id", "status", "password_hash").
		Take(&stored, "id = ?", u.ID).Error
	if err != nil {
		return err
	}
	if stored.Status == models.UserDisabled {
		return models.ErrUnauthenticated
	}
	// guard: sign-in: a proof of an older password begins no session
	if proven, is := u.PasswordHash, stored.PasswordHash; proven != nil && (is == nil || *is != *proven) {
		return models.ErrUnauthenticated
	}
	return nil
}

// checkPasskey refuses the proof of a passkey that was removed meanwhile, under the lock of its account.
func checkPasskey(tx *gorm.DB, u *models.User, credentialID []byte) error {
	if credentialID == nil {
		return nil
	}
	var known int64
	err := tx.Model(&models.Passkey{}).Where("credential_id = ? AND user_id = ?", credentialID, u.ID).Count(&known).Error
	// guard: sign-in: the proof of a removed passkey begins no session
	if err == nil && known == 0 {
		return models.ErrUnauthenticated
	}
	return err
}

// findSession finds the person of an active session with the roles, and records its use once a minute at most.
const findSession = `
	WITH found AS (
	  SELECT s.hash, s.seen_at, u.id, u.email, u.name, coalesce(u.staff_role, '') AS staff_role,
	         coalesce(s.proven_at > now() - $3::interval, false) AS proven, s.proven_at, s.second_proof,
	         p.theme, p.date_format, p.number_format, p.time_zone, p.utc_chosen, p.page_size,
	         coalesce(p.mails_off, '[]') AS mails_off, p.digest_day
	    FROM sessions s JOIN users u ON u.id = s.user_id AND u.status = 'ACTIVE'
	    LEFT JOIN preferences p ON p.user_id = u.id
	   WHERE s.hash = ANY ($1)
	     AND s.revoked_at IS NULL AND s.ends_at > now() AND s.seen_at > now() - $2::interval
	), used AS (
	  UPDATE sessions s SET seen_at = now() FROM found f WHERE s.hash = f.hash AND s.seen_at < now() - interval '1 minute')
	SELECT f.id, f.email, f.name, f.staff_role, f.proven, f.proven_at, f.second_proof,
	       (SELECT (SELECT count(*) FROM recovery_codes r WHERE r.user_id = f.id AND r.used_at IS NULL)
	          FROM second_factors s WHERE s.user_id = f.id AND s.confirmed_at IS NOT NULL),
	       (SELECT count(*) FROM passkeys p WHERE p.user_id = f.id), coalesce((
	         SELECT jsonb_agg(jsonb_build_object('OrganizationID', m.organization_id, 'Role', m.role,
	                  'OrganizationName', coalesce(o.name, ''), 'Root', o.parent_organization_id IS NULL,
	                  'TimeZone', t.time_zone)
	                  ORDER BY o.name, o.id)
	           FROM memberships m JOIN organizations o ON o.id = m.organization_id AND o.status = 'ACTIVE'
	           LEFT JOIN organization_settings t ON t.organization_id = o.id
	           LEFT JOIN organizations p ON p.id = o.parent_organization_id
	          WHERE m.user_id = f.id AND (p.id IS NULL OR p.status = 'ACTIVE')), '[]'),
	       f.theme, f.date_format, f.number_format, f.time_zone, f.utc_chosen, f.page_size, f.mails_off, f.digest_day
	  FROM found f`

// FindSession returns the person of a session. hashes are those of the cookie under every master key. Errors:
// models.ErrNotFound for a session that is unknown, revoked or expired, or of a disabled person.
func (s *Store) FindSession(ctx context.Context, hashes [][]byte) (models.User, error) {
	var u models.User
	var staff string
	var codesLeft *int // nil without a second factor
	var memberships []byte
	var theme *models.Theme // nil for a person without preferences
	var dates *models.DateFormat
	var numbers *models.NumberFormat
	var zone *string
	var utcChosen *bool
	var pageSize, digestDay *int
	var mailsOff []models.MailKind
	var second *models.ProofKind
	err := s.db.OpenTables().QueryRow(ctx, findSession, hashes, models.SessionIdle, models.ProofLasts).
		Scan(&u.ID, &u.Email, &u.Name, &staff, &u.Proven, &u.ProvenLastAt, &second, &codesLeft, &u.Passkeys, &memberships,
			&theme, &dates, &numbers, &zone, &utcChosen, &pageSize, &mailsOff, &digestDay)
	if err != nil {
		return models.User{}, pg.Translate(err)
	}
	if second != nil {
		u.SecondProof = *second
	}
	u.Preferences = new(models.DefaultPreferences(u.ID))
	if theme != nil {
		*u.Preferences = models.Preferences{UserID: u.ID, Theme: *theme, DateFormat: *dates, NumberFormat: *numbers,
			TimeZone: *zone, UTCChosen: *utcChosen, PageSize: pageSize, MailsOff: mailsOff, DigestDay: *digestDay}
	}
	u.Status = models.UserActive
	if codesLeft != nil {
		u.SecondFactor, u.RecoveryCodesLeft = true, *codesLeft
	}
	if staff != "" {
		role := models.StaffRole(staff)
		u.StaffRole = &role
	}
	return u, json.Unmarshal(memberships, &u.Memberships)
}

// ProveSession records that the person of a session has proved again who uses it. Errors: models.ErrNotFound for a
// session that ended meanwhile, or of another person.
func (s *Store) ProveSession(ctx context.Context, actor models.Actor, hashes [][]byte, by models.SignInProof) error {
	return s.inTx(ctx, func(tx *gorm.DB) error {
		now := tx.NowFunc()
		proven := tx.Model(&Session{}).
			Where("hash IN ? AND user_id = ? AND revoked_at IS NULL AND ends_at > ?", hashes, actor.UserID, now).
			Updates(map[string]any{"proven_at": now, "second_proof": by.Second()})
		if proven.Error != nil {
			return proven.Error
		}
		// guard: step-up: a session that has ended is not proved again
		if proven.RowsAffected == 0 {
			return models.ErrNotFound
		}
		return pg.Audit(tx, actor.Entry(trailOf(""), models.AuditProve, "user", actor.UserID).With(by.Detail()))
	})
}

// EndSession ends a session at once. A repetition changes nothing.
func (s *Store) EndSession(ctx context.Context, hashes [][]byte) error {
	_, err := s.db.OpenTables().Exec(ctx,
		"UPDATE sessions SET revoked_at = now() WHERE hash = ANY ($1) AND revoked_at IS NULL", hashes)
	return pg.Translate(err)
}

// endSessions signs a person out everywhere, and forgets the devices. The sessions with the hashes of except go on.
func endSessions(tx *gorm.DB, userID string, except ...[]byte) error {
	if err := tx.Where("user_id = ?", userID).Delete(&Device{}).Error; err != nil {
		return err
	}
	open := tx.Model(&Session{}).Where("user_id = ? AND revoked_at IS NULL", userID)
	if len(except) > 0 {
		open = open.Where("hash NOT IN ?", except)
	}
	return open.Update("revoked_at", tx.NowFunc()).Error
}
