package models

import (
	"encoding/json"
	"slices"
	"time"

	"levy/tax"
)

// RegistrationStatus is the state of a registration; see RegistrationStatusMachine.
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
	return s == RegistrationUnregistered || s == RegistrationProcessing || s == RegistrationValidating || s == RegistrationClarification
}

// Collects reports whether tax is collected under the registration.
func (s RegistrationStatus) Collects() bool {
	return s == RegistrationRegistered || s == RegistrationDeregistering
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
	FilingFrequency         tax.FilingFrequency // what was asked for last; Frequencies says from when
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
	Clarification              *string
	// Attempt names what is handed over to the authority: a new one for each time that
	// the registration is PROCESSING, and for its end.
	Attempt int
	// NextCheckAt is when somebody makes sure that the workflow runs; nil when nothing
	// is left that only the workflow does.
	NextCheckAt *time.Time
	Changed     bool `gorm:"default:true"` // since the workflow looked at it last
	CreatedAt   time.Time
	UpdatedAt   time.Time

	Frequencies []RegistrationFrequency `gorm:"-"` // by FromDate, at least one
	// FiscalYearEnd is a day whose month and day end the organization's fiscal year;
	// zero while it has not said so.
	FiscalYearEnd tax.Date `gorm:"-"`
	NexusID       *string  `gorm:"-"` // of the nexus record of the jurisdiction
}

// NewAutoRegistration is a registration that the service makes because nexus is
// proven. It goes to the authority once the organization is aboard. home is the
// country of the business; empty while it is not known. At the one-stop shop a
// business of the European Union uses that of its own country.
func NewAutoRegistration(at tax.NamedAuthority, frequency tax.FilingFrequency, regime, home string, aboard bool, now time.Time) Registration {
	r := Registration{
		ID: NewID(PrefixRegistration), CountryCode: at.Country, StateCode: at.State, StateName: at.Name, FilingFrequency: frequency,
		RegistrationImportType: ImportRegular, AutoRegistered: true, RegistrationsRegime: regime, AmountFees: "0.00",
	}
	if at.Country == tax.EuropeanUnion {
		r.UseOneStopShop(home, now)
	}
	status := RegistrationProcessing
	if !aboard {
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
	scheme, member := OSSNonUnion, tax.UnionMember(home, tax.DateOf(now))
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
	return key.Seal("password of "+r.ID, []byte(plain))
}

// SealPasswordMetadata is the same for what else the portal asks for.
func (r Registration) SealPasswordMetadata(key Sealer, plain string) []byte {
	return key.Seal("password metadata of "+r.ID, []byte(plain))
}

// FilesFrom is the first day that the filings of the registration cover; zero while
// it has no date.
func (r Registration) FilesFrom() tax.Date {
	switch {
	case r.CreateFilingsFrom != nil:
		return tax.DateOf(*r.CreateFilingsFrom)
	case r.RegistrationDate != nil:
		return tax.DateOf(*r.RegistrationDate)
	}
	return 0
}

// RegistrationFrequency is how often returns are filed from a day on, until the day
// of the next one.
type RegistrationFrequency struct {
	OrganizationID  string    `gorm:"primaryKey"`
	RegistrationID  string    `gorm:"primaryKey"`
	FromDate        time.Time `gorm:"primaryKey;type:date"`
	FilingFrequency tax.FilingFrequency
}

// firstDay is the day from which the first frequency of a registration counts.
var firstDay = tax.MustDate("1900-01-01").Time()

// FirstFrequency is what a new registration files by.
func (r Registration) FirstFrequency() RegistrationFrequency {
	return RegistrationFrequency{OrganizationID: r.OrganizationID, RegistrationID: r.ID, FromDate: firstDay, FilingFrequency: r.FilingFrequency}
}

// FrequencyOn is the frequency that counts on a day and the last day it counts for;
// zero when it has no end.
func (r Registration) FrequencyOn(day tax.Date) (frequency tax.FilingFrequency, until tax.Date) {
	frequency = r.FilingFrequency
	for _, f := range r.Frequencies {
		from := tax.DateOf(f.FromDate)
		if from > day {
			return frequency, from.AddDays(-1)
		}
		frequency = f.FilingFrequency
	}
	return frequency, 0
}

// ChangeFrequency makes another frequency count from the period after the one that
// today lies in, or at once while nothing is filed under the registration. A change
// that had not begun yet is forgotten.
func (r *Registration) ChangeFrequency(to tax.FilingFrequency, today tax.Date) {
	if to == r.FilingFrequency {
		return
	}
	r.FilingFrequency = to
	if r.Status.Pending() {
		r.Frequencies = []RegistrationFrequency{r.FirstFrequency()}
		return
	}
	r.Frequencies = slices.DeleteFunc(r.Frequencies, func(f RegistrationFrequency) bool {
		return tax.DateOf(f.FromDate) > today
	})
	now := r.Frequencies[len(r.Frequencies)-1]
	if now.FilingFrequency == to {
		return
	}
	from := today
	if period, ok := now.FilingFrequency.PeriodOn(today, r.FiscalYearEnd); ok {
		from = period.End.AddDays(1)
	}
	if from == tax.DateOf(now.FromDate) { // UNKNOWN has no periods: the change counts at once
		r.Frequencies = r.Frequencies[:len(r.Frequencies)-1]
	}
	r.Frequencies = append(r.Frequencies, RegistrationFrequency{
		OrganizationID: r.OrganizationID, RegistrationID: r.ID, FromDate: from.Time(), FilingFrequency: to,
	})
}

// RegistrationFilter selects registrations of a list. Empty parts select all.
type RegistrationFilter struct {
	Statuses    []RegistrationStatus
	States      []string
	Countries   []string
	Frequencies []tax.FilingFrequency
}

// NexusPlace is where a nexus record asks for a registration.
type NexusPlace struct {
	CountryCode, StateCode, StateName string
	Home                              string // country of the business; empty while it is not known
}
