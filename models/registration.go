package models

import (
	"encoding/json"
	"strconv"
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

// Over reports whether the registration has ended permanently: another one may be created for the jurisdiction.
func (s RegistrationStatus) Over() bool {
	return s == RegistrationDeregistered || s == RegistrationCancelled
}

// Pending reports whether the registration is not confirmed by the authority yet.
func (s RegistrationStatus) Pending() bool {
	return s == RegistrationUnregistered || s == RegistrationProcessing || s == RegistrationValidating ||
		s == RegistrationClarification
}

// Collects reports whether tax is collected under the registration.
func (s RegistrationStatus) Collects() bool {
	return s == RegistrationRegistered || s == RegistrationDeregistering
}

// Nexus returns the status of the jurisdiction's nexus record under a registration in this status.
// It returns false if the registration is over: the record then has the result of its evaluation.
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

// Began reports whether the registration was ever in force.
func (s RegistrationStatus) Began() bool { return s.Collects() || s == RegistrationDeregistered }

// Kinds of registrations: at the jurisdiction itself, at the one-stop shop of the
// European Union, or through the Streamlined Sales Tax registration.
const (
	ImportRegular = "REGULAR"
	ImportOSS     = "OSS"
	ImportSST     = "SST"
)

// Registration is the registration of an organization with one tax authority. For a whole country StateCode repeats the
// country, so that the federal registration of Canada is CA, CA. The one-stop shop of the European Union is ZZ_EU,
// ZZ_EU.
type Registration struct {
	OrganizationID          string `gorm:"primaryKey"`
	ID                      string `gorm:"primaryKey"`
	CountryCode             string
	StateCode               string
	StateName               string
	Status                  RegistrationStatus
	FilingFrequency         calendar.FilingFrequency // the last requested one; Frequencies has the days
	RegistrationImportType  string
	RegistrationDate        *time.Time `gorm:"type:date"` // set from REGISTERED on
	RegistrationEmail       *string
	RegistrationRequested   *time.Time
	RegistrationCompleted   *time.Time
	DeregistrationRequested *time.Time
	DeregistrationCompleted *time.Time
	DeregistrationDate      *time.Time `gorm:"type:date"` // the last covered day; set from DEREGISTERING on
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
	// JurisdictionSpecificFields is an object as the client submitted it.
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
	// Attempt identifies the submission to the authority: a new one each time that the registration becomes PROCESSING,
	// and for its end.
	Attempt int
	// NextCheckAt is when the sweeper checks that the workflow runs; nil if the workflow has nothing left to do.
	NextCheckAt *time.Time
	Changed     bool `gorm:"default:true"` // since the workflow last read it
	// ChangeReadBy is the activity that has read the last change.
	ChangeReadBy *string
	CreatedAt    time.Time
	UpdatedAt    time.Time

	Frequencies []RegistrationFrequency `gorm:"-"` // by FromDate, at least one
	// FiscalYearEnd is a day whose month and day end the organization's fiscal year; zero if it is unknown.
	FiscalYearEnd calendar.Date `gorm:"-"`
	NexusID       *string       `gorm:"-"` // of the nexus record of the jurisdiction
	// OpenDue is the first due date, of today or later, of open returns.
	OpenDue calendar.Date `gorm:"-"`
	// OverUntil is the last day of the ended REGULAR returns; zero unless DeregistrationDate is set.
	OverUntil calendar.Date `gorm:"-"`
}

// TaxYear returns the months in which the periods of its returns begin. Those of the United Kingdom are in its specific
// fields; fields that say no group or month do not count.
func (r Registration) TaxYear() calendar.TaxYear {
	year := calendar.TaxYear{Country: r.CountryCode, State: r.StateCode, FiscalEnd: r.FiscalYearEnd}
	if r.CountryCode != UnitedKingdom {
		return year
	}
	fields := RegistrationFields(r.JurisdictionSpecificFields)
	year.Stagger = numberUpTo(fields[tax.FieldStagger], staggerGroups)
	year.AnnualEnd = time.Month(numberUpTo(fields[tax.FieldAnnualEnd], int(time.December)))
	return year
}

// staggerGroups is how many groups of quarters there are in the United Kingdom.
const staggerGroups = 3

// numberUpTo reads a number from 1 to most; 0 for any other text.
func numberUpTo(text string, most int) int {
	n, err := strconv.Atoi(text)
	if err != nil || n < 1 || n > most {
		return 0
	}
	return n
}

// ProvenNexus is a nexus for which the service registers an organization automatically.
type ProvenNexus struct {
	At        tax.NamedAuthority
	Frequency calendar.FilingFrequency
	Regime    string
	Home      string // country of the business; "" if it is unknown
	Onboarded bool   // the organization is onboarded; until then the registration is not submitted
}

// NewAutoRegistration returns a registration for proven nexus. At the one-stop shop a business of the European Union
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

// UseOneStopShop changes the registration to one at the one-stop shop. It fills in missing details by the country of
// the business.
func (r *Registration) UseOneStopShop(home string, now time.Time) {
	r.RegistrationImportType = ImportOSS
	scheme := OneStopShopScheme(home, now)
	if r.OSSType == nil {
		r.OSSType = &scheme
	}
	if r.OSSMemberState == nil && scheme == OSSUnion {
		r.OSSMemberState = &home
	}
}

// OneStopShopScheme returns the scheme of a business by its country. Only a business of the European Union uses that
// of the Union.
func OneStopShopScheme(home string, now time.Time) string {
	if nexus.UnionMember(home, calendar.DateOf(now)) {
		return OSSUnion
	}
	return OSSNonUnion
}

// SealPassword returns the sealed password of the portal. It opens for this registration only.
func (r Registration) SealPassword(key Sealer, plain string) []byte {
	// guard: sealing: the password of a portal is encrypted before it is stored
	return key.Seal("password of "+r.ID, []byte(plain))
}

// SealPasswordMetadata is SealPassword for further data of the portal.
func (r Registration) SealPasswordMetadata(key Sealer, plain string) []byte {
	return key.Seal("password metadata of "+r.ID, []byte(plain))
}

// FilesFrom returns the first day that the filings of the registration cover; zero without a date.
func (r Registration) FilesFrom() calendar.Date {
	switch {
	case r.CreateFilingsFrom != nil:
		return calendar.DateOf(*r.CreateFilingsFrom)
	case r.RegistrationDate != nil:
		return calendar.DateOf(*r.RegistrationDate)
	}
	return 0
}

// RegistrationFrequency is the frequency of returns from a day on, until the day of the next one.
type RegistrationFrequency struct {
	OrganizationID  string    `gorm:"primaryKey"`
	RegistrationID  string    `gorm:"primaryKey"`
	FromDate        time.Time `gorm:"primaryKey;type:date"`
	FilingFrequency calendar.FilingFrequency
}

// firstDay is the day from which the first frequency of a registration counts.
var firstDay = calendar.MustDate("1900-01-01").Time()

// FirstFrequency returns the first frequency of a new registration.
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

// NexusPlace is the place of a nexus record that needs a registration.
type NexusPlace struct {
	CountryCode, StateCode, StateName string
	Home                              string // country of the business; "" if it is unknown
}

// RegistrationFacts are the further facts that a refresh reads.
type RegistrationFacts struct {
	Onboarded       bool // the onboarding of the organization is COMPLETED
	MissingProducts bool
	OpenFilings     int // open ones
}

// Cover is the area of an active registration.
type Cover struct {
	Country string        `json:"country"` // tax.EuropeanUnion for the one-stop shop
	State   string        `json:"state"`   // repeats Country for the authority of a whole country
	Home    string        `json:"home"`    // of a one-stop shop: the member state that is declared apart
	From    calendar.Date `json:"from"`    // the registration date

	Simplified bool `json:"simplified"` // it has the simplified regime
}

// Covers are the areas of the active registrations of an organization.
type Covers []Cover
