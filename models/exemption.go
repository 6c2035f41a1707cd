package models

import (
	"fmt"
	"slices"
	"time"
)

// ExemptionType is the object of an exemption.
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
	Jurisdiction   *string // state code; nil exempts the whole country, a part of one with VAT or GST only from its own tax
	Reseller       bool
	// ExemptionCategory is the category that was sent; nil for none. See Category.
	ExemptionCategory *string
	FEIN              *string `gorm:"column:fein"`
	SalesTaxID        *string
	Status            ExemptionStatus
	CreatedAt         time.Time
	UpdatedAt         *time.Time   `gorm:"autoUpdateTime:false"` // nil until the first change
	Attachments       []Attachment `gorm:"-"`                    // the oldest first; read only for display
}

// ExemptionCategories are why a buyer or a sale may be exempt, in the words of returns.
var ExemptionCategories = []string{
	"AGRICULTURE", "DIRECT_PAY", "GOVERNMENT", "MANUFACTURING", CategoryResale, "NONPROFIT", "EDUCATION", "RELIGIOUS", "MEDICAL",
	"FOREIGN_DIPLOMAT", "OTHER",
}

// Category returns why the buyer is exempt, in the words of returns: as it was sent, else RESALE for a reseller; ""
// otherwise.
func (e Exemption) Category() string {
	switch {
	case e.ExemptionCategory != nil:
		return *e.ExemptionCategory
	case e.Reseller || e.ExemptionType == ExemptionWholesale:
		return CategoryResale
	}
	return ""
}

// Over reports whether the last day of the exemption is before today.
func (e Exemption) Over(today time.Time) bool {
	return e.EndDate != nil && e.EndDate.Before(today.UTC().Truncate(24*time.Hour))
}

// Transition changes the status of the exemption. An expired exemption may become active again only if its last day has
// not passed by today. Errors: *TransitionError.
func (e *Exemption) Transition(to ExemptionStatus, today time.Time) error {
	if to == e.Status {
		return nil
	}
	if to == ExemptionExpired && e.Status == ExemptionActive && e.Over(today) { // the timer would say the same
		e.Status = to
		return nil
	}
	allowed := slices.DeleteFunc(ExemptionTransitions.After(string(e.Status)), func(s string) bool {
		return s == string(ExemptionExpired) || s == string(ExemptionActive) && e.Status == ExemptionExpired &&
			e.Over(today)
	})
	if !slices.Contains(allowed, string(to)) {
		return &TransitionError{From: string(e.Status), To: string(to), Allowed: allowed}
	}
	e.Status = to
	return nil
}

// ExemptionRecord is an exemption with the name of its customer.
type ExemptionRecord struct {
	Exemption
	CustomerName *string `gorm:"-"`
}

// TableName returns the table of exemptions.
func (ExemptionRecord) TableName() string { return "exemptions" }

// Attachment is a document of an exemption. Its content is stored apart.
type Attachment struct {
	OrganizationID string `gorm:"primaryKey"`
	ID             string `gorm:"primaryKey"`
	ExemptionID    string
	Filename       string
	ContentType    string // application/pdf, image/png or image/jpeg, by content
	Size           int64  // bytes
	SHA256         []byte `gorm:"column:sha256"` // of the document in clear
	CreatedAt      time.Time
	// MasterKeyID names the master key that wraps the key of the document. Both are nil for a document that an older
	// version stored in clear text.
	MasterKeyID *string
	Wrapped     []byte
}

// AttachmentUpload is a document to be stored.
type AttachmentUpload struct {
	*Attachment
	Content []byte // in clear
	Key     Sealer // the key of the document, which Wrapped contains
}

// PieceField returns the field to which a sealed piece of a document is bound, so that no other piece can replace it.
func (a Attachment) PieceField(n int) string { return fmt.Sprintf("piece %d of %s", n, a.ID) }

// TableName returns the table of documents.
func (Attachment) TableName() string { return "exemption_attachments" }

// ExpiredExemptions is the result of one step of expiring. The next step begins after the organization Next.
// Done means that no organization is left.
type ExpiredExemptions struct {
	Expired int
	Next    string
	Done    bool
}
