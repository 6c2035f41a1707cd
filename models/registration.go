package models

import (
	"encoding/json"
	"time"

	"levy/tax"
	"levy/tax/calendar"
	"levy/tax/nexus"
)

// RegistrationStatus is the state of a registration; see RegistrationTransitions.
type RegistrationStatus string

// Registration states.
const (
	RegistrationUnregistered  RegistrationStatus = "UNREGISTERED"
	RegistrationProcessing    RegistrationStatus = "PROCESSING"
	RegistrationValidating    RegistrationStatus = "VALIDATING"
	RegistrationClarification RegistrationStatus = "AWAITING_CLARIFICATION"
	RegistrationRegistered    RegistrationStatus = "REGISTERED"
	RegistrationDeregistering RegistrationStatus = "DEREGISTERING"
	RegistrationDeregistered  RegistrationStatus = "DEREGISTERED"
	RegistrationCancelled     RegistrationStatus = "CANCELLED"
)

// Over reports whether the registration has ended for good: another one may be made
// for the jurisdiction.
func (s RegistrationStatus) Over() bool {
	return s == RegistrationDeregistered || s == RegistrationCancelled
}

// Pending reports whether the registration is on its way to the authority.
func (s RegistrationStatus) Pending() bool {
	return s == RegistrationUnregistered || s == RegistrationProcessing || s == RegistrationValidating ||
		s == RegistrationClarification
}

// Collects reports whether tax is collected under the registration.
func (s RegistrationStatus) Collects() bool {
	return s == RegistrationRegistered || s == RegistrationDeregistering
}

// Nexus returns the status that the nexus record of the jurisdiction has by a registration in this status; false when
// the registration is over, and the record is what was found without it.
func (s RegistrationStatus) Nexus() (NexusStatus, bool) {
	switch {
	case s.Collects():
		return NexusRegistered, true
	// guard: nexus: a registration that is over says nothing of nexus
	case s.Over():
		return "", false
	}
	return NexusPendingRegistration, true
}

// Began reports whether the registration has been in force.
func (s RegistrationStatus) Began() bool { return s.Collects() || s == RegistrationDeregistered }

// Kinds of registrations: at the jurisdiction itself, at the one-stop shop of the
// European Union, or through the Streamlined Sales Tax registration.
const (
	ImportRegular = "REGULAR"
	ImportOSS     = "OSS"
	ImportSST     = "SST"
)

// Registration is the registration of an organization with one tax authority. For a
// whole country StateCode repeats the country, so that the federal registration of
// Canada is CA, CA; the one-stop shop of the European Union is ZZ_EU, ZZ_EU.
type Registration struct {
	OrganizationID          string `gorm:"primaryKey"`
	ID                      string `gorm:"primaryKey"`
	CountryCode             string
	StateCode               string
	StateName               string
	Status                  RegistrationStatus
	FilingFrequency         calendar.FilingFrequency // what was asked for last; Frequencies says from when
	RegistrationImportType  string
	RegistrationDate        *time.Time `gorm:"type:date"` // set from REGISTERED on
	RegistrationEmail       *string
	RegistrationRequested   *time.Time
	RegistrationCompleted   *time.Time
	DeregistrationRequested *time.Time
	DeregistrationCompleted *time.Time
	DeregistrationDate      *time.Time `gorm:"type:date"` // the last day it covers; set from DEREGISTERING on
	DeregistrationReason    *string
	AutoRegistered          bool
	DoNotFile               bool
	RegistrationsRegime     string
	ChangeRegimeStatus      *string
	CreateFilingsFrom       *time.Time `gorm:"type:date"` // nil: the registration date
	Imported                bool
	InitialSync             bool
	VDA                     bool `gorm:"column:vda"`
	SSTImport               bool `gorm:"column:sst_import"`
	AmountFees              string
	Username                *string
	Password                []byte // sealed
	PasswordMetadata        []byte // sealed
	SalesTaxID              *string
	TaxID                   *string
	Comment                 *string
	// JurisdictionSpecificFields is an object as the client sent it.
	JurisdictionSpecificFields json.RawMessage
	OSSType                    *string `gorm:"column:oss_type"`
	OSSMemberState             *string `gorm:"column:oss_member_state_of_identification_code"`
	ThirdPartyEnabled          bool
	TwoFactorEnabled           bool
	MarkedCollecting           bool
	MarkedCollectingDate       *time.Time
	CreditsTotalAvailable      string `gorm:"default:0"`
	Authority                  *string
	AuthorityReference         *string
	UnansweredSince            *time.Time // since when the calls for the attempt do not reach the authority
	Clarification              *string
	// Attempt names what is handed over to the authority: a new one for each time that
	// the registration is PROCESSING, and for its end.
	Attempt int
	// NextCheckAt is when somebody makes sure that the workflow runs; nil when nothing
	// is left that only the workflow does.
	NextCheckAt *time.Time
	Changed     bool `gorm:"default:true"` // since the workflow read it last
	CreatedAt   time.Time
	UpdatedAt   time.Time

	Frequencies []RegistrationFrequency `gorm:"-"` // by FromDate, at least one
	// FiscalYearEnd is a day whose month and day end the organization's fiscal year;
	// zero while it has not said so.
	FiscalYearEnd calendar.Date `gorm:"-"`
	NexusID       *string       `gorm:"-"` // of the nexus record of the jurisdiction
	// OpenDue is the first due date, of today or later, of the returns that are not over.
	OpenDue calendar.Date `gorm:"-"`
	// OverUntil is the last day of the REGULAR returns that are over; zero unless DeregistrationDate is set.
	OverUntil calendar.Date `gorm:"-"`
}

// TaxYear says with which months the periods of its returns begin.
func (r Registration) TaxYear() calendar.TaxYear {
	return calendar.TaxYear{Country: r.CountryCode, State: r.StateCode, FiscalEnd: r.FiscalYearEnd}
}

// ProvenNexus is what the service registers an organization for by itself.
type ProvenNexus struct {
	At        tax.NamedAuthority
	Frequency calendar.FilingFrequency
	Regime    string
	Home      string // country of the business; empty while it is not known
	Onboarded bool   // the organization; until then the registration does not go to the authority
}

// NewAutoRegistration is a registration because of proven nexus. At the one-stop shop a business of the European Union
// uses that of its own country.
func NewAutoRegistration(p ProvenNexus, now time.Time) Registration {
	r := Registration{
		ID: NewID(PrefixRegistration), CountryCode: p.At.Country,
		StateCode: p.At.State, StateName: p.At.Name, FilingFrequency: p.Frequency,
		RegistrationImportType: ImportRegular, AutoRegistered: true, RegistrationsRegime: p.Regime, AmountFees: "0.00",
	}
	if p.At.Country == nexus.EuropeanUnion {
		r.UseOneStopShop(p.Home, now)
	}
	status := RegistrationProcessing
	if !p.Onboarded {
		status = RegistrationUnregistered
	}
	r.Enter(status, now)
	return r
}

// Schemes of the one-stop shop: for businesses of the European Union, and for others.
const (
	OSSUnion    = "UNION"
	OSSNonUnion = "NON_UNION"
)

// UseOneStopShop makes the registration one at the one-stop shop, with what follows
// from the country of the business for the details that are missing.
func (r *Registration) UseOneStopShop(home string, now time.Time) {
	r.RegistrationImportType = ImportOSS
	scheme, member := OSSNonUnion, nexus.UnionMember(home, calendar.DateOf(now))
	if member {
		scheme = OSSUnion
	}
	if r.OSSType == nil {
		r.OSSType = &scheme
	}
	if r.OSSMemberState == nil && member {
		r.OSSMemberState = &home
	}
}

// SealPassword is the password of the portal as it is stored: it opens for this
// registration only.
func (r Registration) SealPassword(key Sealer, plain string) []byte {
	// guard: sealing: the password of a portal is encrypted before it is stored
	return key.Seal("password of "+r.ID, []byte(plain))
}

// SealPasswordMetadata is the same for what else the portal asks for.
func (r Registration) SealPasswordMetadata(key Sealer, plain string) []byte {
	return key.Seal("password metadata of "+r.ID, []byte(plain))
}

// FilesFrom is the first day that the filings of the registration cover; zero while
// it has no date.
func (r Registration) FilesFrom() calendar.Date {
	switch {
	case r.CreateFilingsFrom != nil:
		return calendar.DateOf(*r.CreateFilingsFrom)
	case r.RegistrationDate != nil:
		return calendar.DateOf(*r.RegistrationDate)
	}
	return 0
}

// RegistrationFrequency is how often returns are filed from a day on, until the day
// of the next one.
type RegistrationFrequency struct {
	OrganizationID  string    `gorm:"primaryKey"`
	RegistrationID  string    `gorm:"primaryKey"`
	FromDate        time.Time `gorm:"primaryKey;type:date"`
	FilingFrequency calendar.FilingFrequency
}

// firstDay is the day from which the first frequency of a registration counts.
var firstDay = calendar.MustDate("1900-01-01").Time()

// FirstFrequency is what a new registration files by.
func (r Registration) FirstFrequency() RegistrationFrequency {
	return RegistrationFrequency{
		OrganizationID: r.OrganizationID, RegistrationID: r.ID, FromDate: firstDay,
		FilingFrequency: r.FilingFrequency,
	}
}

// RegistrationFilter selects registrations of a list. Empty parts select all.
type RegistrationFilter struct {
	Statuses    []RegistrationStatus
	States      []string
	Countries   []string
	Frequencies []calendar.FilingFrequency
}

// NexusPlace is where a nexus record asks for a registration.
type NexusPlace struct {
	CountryCode, StateCode, StateName string
	Home                              string // country of the business; empty while it is not known
}

// RegistrationFacts are what a refresh reads beside the registration.
type RegistrationFacts struct {
	Onboarded       bool // the onboarding of the organization is COMPLETED
	MissingProducts bool
	OpenFilings     int // that are not over
}

// Cover is what an active registration covers.
type Cover struct {
	Country string        `json:"country"` // tax.EuropeanUnion for the one-stop shop
	State   string        `json:"state"`   // repeats Country where the authority is that of the whole country
	Home    string        `json:"home"`    // of a one-stop shop: the member state declared apart
	From    calendar.Date `json:"from"`    // the registration date

	Simplified bool `json:"simplified"` // it is one of the simplified regime
}

// Covers is what the active registrations of an organization cover.
type Covers []Cover
