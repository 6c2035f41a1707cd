package models

import "time"

// ExemptionType says what an exemption attaches to.
type ExemptionType string

// Exemption types, in the lower case the contract uses.
const (
	ExemptionCustomer    ExemptionType = "customer"
	ExemptionWholesale   ExemptionType = "wholesale"
	ExemptionTransaction ExemptionType = "transaction"
)

// ExemptionStatus is the state of an exemption.
type ExemptionStatus string

// Exemption states.
const (
	ExemptionActive      ExemptionStatus = "ACTIVE"
	ExemptionInactive    ExemptionStatus = "INACTIVE"
	ExemptionExpired     ExemptionStatus = "EXPIRED"
	ExemptionDeactivated ExemptionStatus = "DEACTIVATED"
	ExemptionArchived    ExemptionStatus = "ARCHIVED"
)

// Exemption frees a customer's purchases, or one transaction, from tax between
// two dates (both inclusive) in a country or one of its states.
type Exemption struct {
	OrganizationID string `gorm:"primaryKey"`
	ID             string `gorm:"primaryKey"`
	ExemptionType  ExemptionType
	StartDate      time.Time  `gorm:"type:date"`
	EndDate        *time.Time `gorm:"type:date"`
	CustomerID     *string
	TransactionID  *string
	CountryCode    string
	Jurisdiction   *string // state code; nil frees the whole country
	Reseller       bool
	FEIN           *string `gorm:"column:fein"`
	SalesTaxID     *string
	Status         ExemptionStatus
	CreatedAt      time.Time
	UpdatedAt      *time.Time
}

// SameGrant reports whether two exemptions free the same, whatever their ids.
func (e Exemption) SameGrant(other Exemption) bool {
	sameEnd := e.EndDate == nil && other.EndDate == nil ||
		e.EndDate != nil && other.EndDate != nil && e.EndDate.Equal(*other.EndDate)
	return sameEnd && e.ExemptionType == other.ExemptionType && e.StartDate.Equal(other.StartDate) && e.CountryCode == other.CountryCode &&
		e.Reseller == other.Reseller && e.Status == other.Status && sameTexts(e.CustomerID, other.CustomerID, e.TransactionID, other.TransactionID,
		e.Jurisdiction, other.Jurisdiction, e.FEIN, other.FEIN, e.SalesTaxID, other.SalesTaxID)
}
