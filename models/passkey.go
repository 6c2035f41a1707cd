package models

import "time"

// Passkey is a key pair of a person's device, by which the person signs in (WebAuthn). Only its public key is stored.
type Passkey struct {
	CredentialID []byte `gorm:"primaryKey"` // unique in the installation
	UserID       string
	PublicKey    []byte // COSE, RFC 9052
	// Counter is the last number of signatures that the device has told; 0 for a device that does not count.
	Counter        int64
	Transports     string // ways to reach the device, for the browser, separated by spaces
	BackupEligible bool   // the device may copy the key to others
	Name           string
	CreatedAt      time.Time
	LastUsedAt     *time.Time // nil for never
}

// LimitPasskeys is the subject of a LimitError of passkeys.
const LimitPasskeys = "passkeys"

// MaxPasskeys is the most passkeys of a person.
const MaxPasskeys = 20
