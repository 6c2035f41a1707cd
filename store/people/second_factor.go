package people

import (
	"context"
	"slices"

	"gorm.io/gorm"
	"gorm.io/gorm/clause"

	"levy/models"
	"levy/store/pg"
)

// SecondFactor returns the second factor of a person, confirmed or not. Errors: models.ErrNotFound.
func (s *Store) SecondFactor(ctx context.Context, userID string) (f models.SecondFactor, err error) {
	err = s.db.OpenTables().GORM(ctx).Where("user_id = ?", userID).Take(&f).Error
	return f, pg.Translate(err)
}

// BeginSecondFactor writes a second factor that waits for its first code. It replaces another waiting one. Errors:
// models.ErrForbidden for a person with a confirmed one.
func (s *Store) BeginSecondFactor(ctx context.Context, f models.SecondFactor) error {
	return s.inTx(ctx, func(tx *gorm.DB) error {
		f.CreatedAt = tx.NowFunc()
		written := tx.Clauses(clause.OnConflict{
			Columns:   []clause.Column{{Name: "user_id"}},
			DoUpdates: clause.AssignmentColumns([]string{"master_key_id", "wrapped", "sealed", "created_at"}),
			Where:     clause.Where{Exprs: []clause.Expression{clause.Expr{SQL: "second_factors.confirmed_at IS NULL"}}},
		}).Create(&f)
		if written.Error == nil && written.RowsAffected == 0 {
			return models.ErrForbidden
		}
		return written.Error
	})
}

// UseCode records that the code of a step was used. With hashes of recovery codes it also confirms the second factor
// and replaces the recovery codes. Errors: models.ErrUnauthenticated if that code or a later one was used before,
// or if the person has another second factor by now.
func (s *Store) UseCode(
	ctx context.Context, actor models.Actor, f models.SecondFactor, step int64, recovery [][]byte,
) error {
	return s.inTx(ctx, func(tx *gorm.DB) error {
		changes := map[string]any{"last_step": step}
		if recovery != nil {
			changes["confirmed_at"] = gorm.Expr("coalesce(confirmed_at, now())")
		}
		used := tx.Model(&models.SecondFactor{}).
			Where("user_id = ? AND sealed = ? AND last_step < ?", f.UserID, f.Sealed, step).Updates(changes)
		if used.Error != nil {
			return used.Error
		}
		if used.RowsAffected == 0 {
			return models.ErrUnauthenticated
		}
		if recovery == nil {
			return nil
		}
		if err := replaceRecoveryCodes(tx, f.UserID, recovery); err != nil {
			return err
		}
		fields := []string{"recovery_codes"}
		if f.ConfirmedAt == nil {
			fields = append(fields, "second_factor")
		}
		return pg.Audit(tx, actor.Entry(trailOf(""), models.AuditUpdate, "user", f.UserID).
			With(map[string]any{"fields": fields}))
	})
}

func replaceRecoveryCodes(tx *gorm.DB, userID string, hashes [][]byte) error {
	if err := tx.Where("user_id = ?", userID).Delete(&models.RecoveryCode{}).Error; err != nil {
		return err
	}
	_, db := pg.DBOf(tx)
	codes := make([]models.RecoveryCode, len(hashes))
	for i, hash := range hashes {
		codes[i] = models.RecoveryCode{UserID: userID, Hash: hash, MasterKeyID: db.MasterKeyID()}
	}
	return tx.Create(&codes).Error
}

// UseRecoveryCode uses a recovery code of a person, and audits how many are left. hashes are those of the code under
// every master key. Errors: models.ErrUnauthenticated for a code that is unknown or used.
func (s *Store) UseRecoveryCode(ctx context.Context, actor models.Actor, hashes [][]byte) error {
	return s.inTx(ctx, func(tx *gorm.DB) error {
		codes := tx.Model(&models.RecoveryCode{}).Where("user_id = ?", actor.UserID).Session(&gorm.Session{})
		// guard: recovery codes: each signs in once
		used := codes.Where("hash IN ? AND used_at IS NULL", hashes).Update("used_at", tx.NowFunc())
		if used.Error != nil {
			return used.Error
		}
		if used.RowsAffected == 0 {
			return models.ErrUnauthenticated
		}
		var left int64
		if err := codes.Where("used_at IS NULL").Count(&left).Error; err != nil {
			return err
		}
		return pg.Audit(tx, actor.Entry(trailOf(""), models.AuditUpdate, "user", actor.UserID).
			With(map[string]any{"fields": []string{"recovery_codes"}, "left": left}))
	})
}

// withSecondFactor sets SecondFactor of people with a confirmed one, and Passkeys.
func withSecondFactor(tx *gorm.DB, people []models.User) error {
	ids := make([]string, len(people))
	for i := range people {
		ids[i] = people[i].ID
	}
	var confirmed []string
	err := tx.Model(&models.SecondFactor{}).Where("user_id IN ? AND confirmed_at IS NOT NULL", ids).
		Pluck("user_id", &confirmed).Error
	for i := range people {
		people[i].SecondFactor = slices.Contains(confirmed, people[i].ID)
	}
	if err != nil {
		return err
	}
	return withPasskeys(tx, people, ids)
}

// dropSecondFactor deletes the second factor and the passkeys, so that the person signs in with the password alone. It
// returns how many passkeys there were.
func dropSecondFactor(tx *gorm.DB, userID string) (passkeys int, err error) {
	if passkeys, err = dropPasskeys(tx, userID); err != nil {
		return 0, err
	}
	return passkeys, tx.Where("user_id = ?", userID).Delete(&models.SecondFactor{}).Error
}

// SecondFactorKeys returns the keys of second factors, for their rotation.
func (s *Store) SecondFactorKeys() pg.WrappedKeys {
	return pg.WrappedKeys{
		DB: s.db, Table: "second_factors", Organization: "'" + installation + "'", Record: "user_id",
	}
}
