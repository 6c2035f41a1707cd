package models

import "time"

// OnboardingLinkLasts is how long a link for the steps of an onboarding works at most.
const OnboardingLinkLasts = 14 * 24 * time.Hour

// OnboardingLink is a link with which a client does the steps of its own onboarding. An organization has one
// at most, and it works only while the onboarding is in progress.
type OnboardingLink struct {
	OrganizationID string `gorm:"primaryKey"`
	ID             string
	Hash           []byte
	MadeBy         string // the name of the person, or the id of the key
	CreatedAt      time.Time
	ExpiresAt      time.Time
	OpenedAt       *time.Time // the first time; nil for never
}
