package models

import (
	"encoding/json"
	"slices"
	"time"

	"levy/tax"
)

// APIKeyStatus is the state of a key.
type APIKeyStatus string

// API key states. EXPIRED is derived from the clock, never stored.
const (
	APIKeyActive  APIKeyStatus = "ACTIVE"
	APIKeyExpired APIKeyStatus = "EXPIRED"
	APIKeyRevoked APIKeyStatus = "REVOKED"
)

// APIKey is the record of a key. The key itself is in one answer and never stored: Hash is its HMAC-SHA-256.
type APIKey struct {
	OrganizationID string `gorm:"primaryKey"`
	ID             string `gorm:"primaryKey"`
	Name           *string
	Hash           []byte
	Prefix         string
	Last4          string
	Metadata       json.RawMessage // an object; its numbers are stored as the client sent them
	Scopes         APIKeyScopes    `gorm:"serializer:json"`
	ExpiresAt      *time.Time
	// AllowedAddresses are the networks from which the key may be used.
	AllowedAddresses Networks `gorm:"serializer:json"`
	LastUsedAt       *time.Time
	RotatedTo        *string
	RevokedAt        *time.Time
	Granted          bool // made by the partner under its grant, with which it ends
	CreatedAt        time.Time
	// MasterKeyID is the master key of Hash; nil if a release before wrote it and the key has not been used since.
	MasterKeyID *string

	Maker *Maker `gorm:"-"` // the creator; nil if that is not known
	Own   bool   `gorm:"-"` // of a new key: it is step 2 of the onboarding, and so the client's own
}

// APIKeyRotation replaces a key with another one.
type APIKeyRotation struct {
	OldID   string
	Overlap time.Duration // how long the old key still works
	New     *APIKey       // gets what the old one has: name, metadata, scopes, networks and end
}

// Status returns the key's state at the instant now.
func (k APIKey) Status(now time.Time) APIKeyStatus {
	switch {
	case k.RevokedAt != nil:
		return APIKeyRevoked
	case k.ExpiresAt != nil && !k.ExpiresAt.After(now):
		return APIKeyExpired
	default:
		return APIKeyActive
	}
}

// MaxActiveAPIKeys is the most active keys of an organization.
const MaxActiveAPIKeys = 20

// Principal is the identity of a key: the key, its organization, and whether that organization may reach client
// organizations. It has further data of the organization, so that an estimate needs no look-up.
type Principal struct {
	APIKeyID             string
	OrganizationID       string
	ParentOrganizationID *string
	ExpiresAt            *time.Time
	Scopes               APIKeyScopes // of the key
	Networks             Networks     // of the key
	// Grant is what the partner may do for the organization; of a key, only if the partner made it under its grant.
	Grant GrantRole
	// RoundingUnit is the setting of the organization.
	RoundingUnit tax.RoundingUnit
	// Business is the business address of the organization; nil if it is unknown.
	Business *Business
	// Covers are the areas of the active registrations of the organization.
	Covers Covers
	// Home is the country of the organization. Obligations are its obligations to whole countries and to the European
	// Union.
	Home        string
	Obligations []NexusObligation
	// Overrides are the rate overrides of the organization.
	Overrides []tax.Override
	// RateLimit is that of the organization; nil for the default of the installation.
	RateLimit *RateLimit
}

// Sells adds the data of the seller to a sale whose place is known, and its registrations where they matter.
func (p Principal) Sells(t *Transaction) {
	t.Home, t.Obligations, t.Overrides = p.Home, p.Obligations, p.Overrides
	if !t.DependsOnRegistration() {
		return
	}
	t.Obligations = slices.Clone(p.Obligations)
	for _, c := range p.Covers {
		from := c.From.Time()
		t.Obligations = append(t.Obligations, NexusObligation{
			CountryCode: c.Country, StateCode: c.State, Registered: &from, Simplified: c.Simplified,
		})
	}
}

// PartnerID returns the root organization of the key. The calls of the key and of its other clients count for it.
func (p Principal) PartnerID() string {
	if p.ParentOrganizationID != nil {
		return *p.ParentOrganizationID
	}
	return p.OrganizationID
}

// IsRoot reports whether the key belongs to a root organization.
func (p Principal) IsRoot() bool { return p.ParentOrganizationID == nil }

// RateLimit limits the calls of the organization of the key: PerMinute in the long run, Burst at once.
type RateLimit struct {
	PerMinute int
	Burst     int
}
