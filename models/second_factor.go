package models

import "time"

// SecondFactor is the secret with which an app makes the codes of the second step of a sign-in, RFC 6238.
type SecondFactor struct {
	UserID      string `gorm:"primaryKey"`
	MasterKeyID string // that wrapped the key of the secret
	Wrapped     []byte
	Sealed      []byte // the secret under that key
	CreatedAt   time.Time
	ConfirmedAt *time.Time // nil until the app has shown a code: nobody is asked for one
	LastStep    int64      // of the code that was used last, in steps of 30 seconds since 1970
}

// RecoveryCode signs in a person without the app of the second factor, once.
type RecoveryCode struct {
	UserID string `gorm:"primaryKey"`
	Hash   []byte `gorm:"primaryKey"`
	UsedAt *time.Time
}

// RecoveryCodes is how many of them a person gets.
const RecoveryCodes = 10

// SecondFactorField is what the sealed secret is bound to.
const SecondFactorField = "second_factor"
