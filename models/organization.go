package models

import (
	"strings"
	"time"

	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"
)

// OrganizationStatus is ACTIVE or, permanently, ARCHIVED.
type OrganizationStatus string

// Organization states.
const (
	OrganizationActive   OrganizationStatus = "ACTIVE"
	OrganizationArchived OrganizationStatus = "ARCHIVED"
)

// Organization is a merchant, or a partner that manages client merchants. A root
// organization has no parent; a client has one; there is one level.
type Organization struct {
	ID                   string `gorm:"primaryKey"`
	ParentOrganizationID *string
	ExternalID           string
	Name                 *string
	NameKey              *string // the normalized name, see NormalizeName
	Source               *string
	Promo                *string
	Status               OrganizationStatus
	IsTest               bool
	BillingPlan          string
	DisableEmails        bool
	EmailGroup           *string
	ScheduledDeletion    *time.Time `gorm:"type:date"`
	InternalUse          *bool
	ArchivalReason       *string
	ArchivedAt           *time.Time
	OnboardingStatus     OnboardingStatus
	CreatedAt            time.Time
	UpdatedAt            time.Time

	Settings OrganizationSettings `gorm:"foreignKey:OrganizationID"`
	Grant    *Grant               `gorm:"foreignKey:OrganizationID"` // of its partner; nil for a root organization
}

// PartnerSummary is a root organization as an operator lists it.
type PartnerSummary struct {
	ID         string             `json:"organization_id"`
	Name       string             `json:"name"`
	IsTest     bool               `json:"is_test"`
	Status     OrganizationStatus `json:"status"`
	Clients    int64              `json:"active_clients"`
	CreatedAt  time.Time          `json:"created_at"`
	ArchivedAt *time.Time         `json:"archived_at"`
}

// OrganizationSettings control the handling of an organization's records. The fields follow section 9.3 of the
// contract.
type OrganizationSettings struct {
	OrganizationID                string `gorm:"primaryKey"`
	DisableOnboarding             bool
	EnableEURegistration          *bool `gorm:"column:enable_eu_registration"`
	ProductCategoryVersion        string
	OssScheme                     *string
	EnableNewAutoFilingExperience bool
	EnableNewFilingUI             *bool `gorm:"column:enable_new_filing_ui"`
	PreferCollectedTaxAmounts     bool
	SpecialTaxCircumstances       bool
	EnabledJurisdictions          []string `gorm:"serializer:json"`
	DisableAIClassification       *bool    `gorm:"column:disable_ai_classification"`
	EnableBusinessAddressFallback *bool
	FilingLookbackPeriods         int
	RequireSecondPerson           bool
	// SecondPersonEndBy is the admin who asked first to end RequireSecondPerson; nil for none. A second admin ends it.
	SecondPersonEndBy   *string
	SecondPersonEndName *string
	SecondPersonEndAt   *time.Time
	SSTID               *string `gorm:"column:sst_id"` // of the Streamlined Sales Tax registration
	// TimeZone is the zone in which the console shows instants of the organization, by its name in the IANA database; nil for
	// UTC. It decides no tax date, period or due date.
	TimeZone     *string
	RoundingUnit string // TAX_PER_LINE, JURISDICTION_PER_LINE or TAX_PER_DOCUMENT
	UpdatedAt    time.Time
}

// SecondPersonSettings are the columns of the settings that say whether a second person is required.
var SecondPersonSettings = []string{
	"require_second_person", "second_person_end_by", "second_person_end_name", "second_person_end_at",
}

// TableName prevents GORM from forming a plural of settings.
func (OrganizationSettings) TableName() string { return "organization_settings" }

// DefaultSettings returns the settings of a new organization.
func DefaultSettings(organizationID string) OrganizationSettings {
	return OrganizationSettings{
		OrganizationID:                organizationID,
		ProductCategoryVersion:        "1",
		EnableNewAutoFilingExperience: true,
		EnabledJurisdictions:          []string{},
		FilingLookbackPeriods:         1,
		RoundingUnit:                  "TAX_PER_LINE",
	}
}

// NormalizeName returns the form in which organization names are compared: NFKC,
// letter case folded, trimmed, inner white space collapsed to one space.
func NormalizeName(name string) string {
	return strings.Join(strings.Fields(cases.Fold().String(norm.NFKC.String(name))), " ")
}
