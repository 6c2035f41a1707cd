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

// APIKey is the record of a key. The key itself is shown once and never stored:
// Hash is its HMAC-SHA-256.
type APIKey struct {
	OrganizationID string `gorm:"primaryKey"`
	ID             string `gorm:"primaryKey"`
	Name           *string
	Hash           []byte
	Prefix         string
	Last4          string
	Metadata       json.RawMessage // an object; its numbers are those of the client
	Scopes         APIKeyScopes    `gorm:"serializer:json"`
	ExpiresAt      *time.Time
	LastUsedAt     *time.Time
	RotatedTo      *string
	RevokedAt      *time.Time
	CreatedAt      time.Time
}

// APIKeyRotation replaces a key by another one.
type APIKeyRotation struct {
	OldID   string
	Overlap time.Duration // how long the old key goes on working
	New     *APIKey       // gets what the old one has: name, metadata, scopes and end
}

// Status is the key's state at the instant now.
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

// MaxActiveAPIKeys is the number of active keys an organization may have.
const MaxActiveAPIKeys = 20

// Principal is who a key speaks for: the key, its organization, and whether that
// organization may reach client organizations.
type Principal struct {
	APIKeyID             string
	OrganizationID       string
	ParentOrganizationID *string
	ExpiresAt            *time.Time
	Scopes               APIKeyScopes // of the key
	// RoundingUnit is the setting of the organization, which an estimate needs and
	// should not look up.
	RoundingUnit tax.RoundingUnit
	// Business is where the organization is, for the same reason; nil when it is not
	// known.
	Business *Business
	// Covers is what the active registrations of the organization cover, for the same
	// reason.
	Covers Covers
	// Home is the country of the organization, and Obligations are its obligations to
	// whole countries and to the European Union, for the same reason.
	Home        string
	Obligations []NexusObligation
	// Overrides are the rates that the organization set itself, for the same reason.
	Overrides []tax.Override
	// RateLimit is that of the organization; nil for the installation's.
	RateLimit *RateLimit
}

// Sells gives a sale what is known of its seller. Registrations only decide who owes the tax of a marketplace.
func (p Principal) Sells(t *Transaction) {
	t.Home, t.Obligations, t.Overrides = p.Home, p.Obligations, p.Overrides
	if !t.Marketplace {
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

// PartnerID is the root organization of the key, to which its calls are accounted together with those
// of its other clients.
func (p Principal) PartnerID() string {
	if p.ParentOrganizationID != nil {
		return *p.ParentOrganizationID
	}
	return p.OrganizationID
}

// IsRoot reports whether the key belongs to a root organization.
func (p Principal) IsRoot() bool { return p.ParentOrganizationID == nil }

// RateLimit bounds the calls of the organization that owns the key: PerMinute in
// the long run, Burst at once.
type RateLimit struct {
	PerMinute int
	Burst     int
}
