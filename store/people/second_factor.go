package people

import (
	"context"

	"github.com/jackc/pgx/v5"
	"gorm.io/gorm"
	"gorm.io/gorm/clause"

	"levy/internal/secret"
	"levy/models"
	"levy/store/pg"
)

var _ secret.RecordKeys = (*Store)(nil)

// SecondFactor reads that of a person, confirmed or not. Errors: models.ErrNotFound.
func (s *Store) SecondFactor(ctx context.Context, userID string) (f models.SecondFactor, err error) {
	err = s.db.GORM(ctx).Where("user_id = ?", userID).Take(&f).Error
	return f, pg.Translate(err)
}

// BeginSecondFactor writes one that waits for its first code, in the place of another that waits. Errors:
// models.ErrForbidden for a person who has one.
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

// UseCode notes that the code of a step was used, which confirms the second factor the first time. Errors:
// models.ErrUnauthenticated where that code or a later one was used already, or f is no longer that of the person.
func (s *Store) UseCode(ctx context.Context, actor models.Actor, f models.SecondFactor, step int64) error {
	return s.inTx(ctx, func(tx *gorm.DB) error {
		used := tx.Model(&models.SecondFactor{}).
			Where("user_id = ? AND sealed = ? AND last_step < ?", f.UserID, f.Sealed, step).
			Updates(map[string]any{"last_step": step, "confirmed_at": gorm.Expr("coalesce(confirmed_at, now())")})
		if used.Error != nil {
			return used.Error
		}
		if used.RowsAffected == 0 {
			return models.ErrUnauthenticated
		}
		if f.ConfirmedAt != nil {
			return nil
		}
		return pg.AuditChange(tx, trailOf(""), actor, models.AuditUpdate, "user", f.UserID, map[string]any{"fields": []string{"second_factor"}})
	})
}

// dropSecondFactor lets a person sign in with the password alone.
func dropSecondFactor(tx *gorm.DB, userID string) error {
	return tx.Where("user_id = ?", userID).Delete(&models.SecondFactor{}).Error
}

// WrappedBefore returns up to limit keys of second factors that are not wrapped by the master key named.
func (s *Store) WrappedBefore(ctx context.Context, masterKeyID string, limit int) ([]secret.RecordKey, error) {
	rows, err := s.db.Query(ctx, `SELECT $3::text, user_id, master_key_id, wrapped FROM second_factors
		WHERE master_key_id <> $1 ORDER BY user_id LIMIT $2`, masterKeyID, limit, Installation)
	if err != nil {
		return nil, pg.Translate(err)
	}
	keys, err := pgx.CollectRows(rows, func(row pgx.CollectableRow) (k secret.RecordKey, err error) {
		return k, row.Scan(&k.OrganizationID, &k.RecordID, &k.MasterKeyID, &k.Wrapped)
	})
	return keys, pg.Translate(err)
}

// Rewrap replaces the wrapping of keys of second factors, where nobody else did.
func (s *Store) Rewrap(ctx context.Context, from, to []secret.RecordKey) error {
	k := pg.RewrappingOf(from, to)
	_, err := s.db.Exec(ctx, `UPDATE second_factors f SET master_key_id = k.master_key_id, wrapped = k.after
		FROM unnest($1::text[], $2::text[], $3::bytea[], $4::bytea[]) AS k (user_id, master_key_id, before, after)
		WHERE f.user_id = k.user_id AND f.wrapped = k.before`, k.RecordIDs, k.MasterKeyIDs, k.Before, k.After)
	return pg.Translate(err)
}
