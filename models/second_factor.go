package models

import "time"

// SecondFactor is the secret with which an app generates the codes of the second step of a sign-in, RFC 6238.
type SecondFactor struct {
	UserID      string `gorm:"primaryKey"`
	MasterKeyID string // the master key that wrapped the key of the secret
	Wrapped     []byte
	Sealed      []byte // the secret under that key
	CreatedAt   time.Time
	ConfirmedAt *time.Time // nil until the app has generated a code: no code is required
	LastStep    int64      // the step of the last used code, in steps of 30 seconds since 1970
}

// RecoveryCode signs in a person without the app of the second factor, once.
type RecoveryCode struct {
	UserID string `gorm:"primaryKey"`
	Hash   []byte `gorm:"primaryKey"`
	UsedAt *time.Time
	// MasterKeyID is the master key of Hash; nil if a release before wrote it.
	MasterKeyID *string
}

// RecoveryCodes is how many recovery codes a person gets.
const RecoveryCodes = 10

// SecondFactorField is the field that the sealed secret is bound to.
const SecondFactorField = "second_factor"
