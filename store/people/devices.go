package people

import (
	"context"
	"time"

	"gorm.io/gorm"
	"gorm.io/gorm/clause"

	"levy/models"
	"levy/store/pg"
)

// Device is a browser by which an account has signed in.
type Device struct {
	Hash   []byte `gorm:"primaryKey"`
	UserID string `gorm:"primaryKey"`
	SeenAt time.Time
}

// TableName returns the name of the table of devices.
func (Device) TableName() string { return "sign_in_devices" }

// RememberDevice records that an account has signed in by a device. It forgets old devices of the account.
func (s *Store) RememberDevice(ctx context.Context, userID string, hash []byte) error {
	return s.inTx(ctx, func(tx *gorm.DB) error {
		now := tx.NowFunc()
		err := tx.Exec(`DELETE FROM sign_in_devices WHERE user_id = ? AND (seen_at < ? OR hash IN (
			  SELECT hash FROM sign_in_devices WHERE user_id = ? ORDER BY seen_at DESC OFFSET ?))`,
			userID, now.Add(-models.DeviceLasts), userID, models.MaxDevices-1).Error
		if err != nil {
			return err
		}
		return tx.Clauses(clause.OnConflict{
			Columns:   []clause.Column{{Name: "hash"}, {Name: "user_id"}},
			DoUpdates: clause.AssignmentColumns([]string{"seen_at"}),
		}).Create(&Device{Hash: hash, UserID: userID, SeenAt: now}).Error
	})
}

// DeviceAccounts returns the ids of the accounts that have signed in by a device. hashes are those of its token under
// every master key.
func (s *Store) DeviceAccounts(ctx context.Context, hashes [][]byte) (ids []string, err error) {
	db := s.db.OpenTables().GORM(ctx)
	err = db.Model(&Device{}).Distinct().Where("hash IN ? AND seen_at > ?", hashes, db.NowFunc().Add(-models.DeviceLasts)).
		Pluck("user_id", &ids).Error
	return ids, pg.Translate(err)
}
