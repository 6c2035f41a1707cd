package models

import (
	"slices"
	"time"

	"github.com/govalues/decimal"

	"levy/tax/calendar"
	"levy/tax/nexus"
)

// NexusCase is the data that the nexus of one organization depends on.
type NexusCase struct {
	OrganizationID string
	Home           string // country of the business address; "" if it is unknown
	Records        []NexusState
	Days           []NexusDay // in order of days
	Presences      []PhysicalNexus
	Changes        []NexusChange // read before all other data
}

// NexusState is a record with columns that only evaluations read.
type NexusState struct {
	NexusRecord    `gorm:"embedded"`
	Version        string // of the row: every write changes it
	Evaluated      *int64 // how many changes the last evaluation had seen
	EvaluatedOn    *time.Time
	ContentVersion *string
	WithoutRate    bool // sums are incomplete, because a conversion rate is missing
}

// NexusChange counts the changes in one place, or everywhere without a country.
type NexusChange struct {
	CountryCode, StateCode string
	N                      int64
	Pending                bool
}

// NexusSeen are the changes of an organization that an evaluation has seen.
type NexusSeen struct {
	OrganizationID string
	Changes        []NexusChange
}

// NexusDay are the sales of a day in one state and currency, by one way of selling. Or they are refunds of that day for
// sales of one other day.
type NexusDay struct {
	CountryCode, StateCode string
	Currency               string
	Day                    time.Time
	Marketplace            bool
	N                      int
	Amount                 decimal.Decimal
	ExemptN                int
	ExemptAmount           decimal.Decimal
	ResaleN                int
	ResaleAmount           decimal.Decimal
	CollectedTax           decimal.Decimal
	SoldOn                 *time.Time // the day of the refunded sales; nil: Day
}

// RateDay returns the day whose rate converts the amounts.
func (d *NexusDay) RateDay() time.Time {
	if d.SoldOn != nil {
		return *d.SoldOn
	}
	return d.Day
}

// touches reports whether the change may concern a place. The SQL that reads records has the same condition without the
// seller's home: a change there touches the European Union, too.
func (c NexusChange) touches(place nexus.Place, day calendar.Date) bool {
	return c.CountryCode == "" || c.CountryCode == place.Country && (place.State == "" || place.State == c.StateCode) ||
		place.Country == nexus.EuropeanUnion && nexus.UnionMember(c.CountryCode, day)
}

// Seen returns how many changes of a place were read.
func (c *NexusCase) Seen(place nexus.Place, day calendar.Date) (n int64) {
	for _, change := range c.Changes {
		if change.touches(place, day) {
			n += change.N
		}
	}
	return n
}

// Pending keeps only the records whose nexus may have changed since they were evaluated.
func (c *NexusCase) Pending(day calendar.Date) {
	c.Records = slices.DeleteFunc(c.Records, func(r NexusState) bool {
		return r.Evaluated != nil && *r.Evaluated == c.Seen(r.Place(), day)
	})
}

// NexusSale is one sale of the day that crossed a threshold.
type NexusSale struct {
	TransactionID string
	Date          time.Time
	NexusDay
}

// NexusEvaluated is the result of an evaluation: the record to write, if it has not changed since it was read.
type NexusEvaluated struct {
	NexusState
	Changed bool           // it differs from the previous record
	Missing []CurrencyPair // missing rates
}

// NexusSalesQuery selects the sales of a day in a place.
type NexusSalesQuery struct {
	Countries []string
	State     string // empty for all
	Day       time.Time
}

// NexusDetailQuery requests data of a place that the counters lack.
type NexusDetailQuery struct {
	Country, AuthorityState string // the names in the record
	Countries               []string
	State                   string // empty for all
	Currency                string
	First, Last             time.Time // days of sales
	Collected               *time.Time
	ObligedFrom             *time.Time
}

// NexusDetail is the result of a NexusDetailQuery.
type NexusDetail struct {
	Earliest, MostRecent, EarliestCollected *time.Time
	Taxes                                   []NexusTaxSum
}

// NexusTaxSum are taxes in one currency. Day is nil if they need no conversion.
type NexusTaxSum struct {
	Currency   string          `json:"currency"`
	Day        *time.Time      `json:"day"`
	Calculated decimal.Decimal `json:"calculated"`
	Imported   decimal.Decimal `json:"imported"`
	Liability  decimal.Decimal `json:"liability"`
}

// DisregardedKinds returns the kinds of nexus that are disregarded on a day.
func (r *NexusRecord) DisregardedKinds(day time.Time) []NexusKind {
	if !r.Disregard.On(day) {
		return nil
	}
	return r.Disregard.Kinds
}

// SetNexusMet sets NexusMet: whether there is nexus of any kind that is not disregarded.
func (f *NexusFinding) SetNexusMet(d *NexusDisregard, day time.Time) {
	f.NexusMet, f.NexusMetDate = false, nil
	for _, kind := range []struct {
		of   NexusKind
		date *time.Time
	}{
		{NexusEconomic, f.EconomicNexusMetDate}, {NexusPhysical, f.PhysicalNexusMetDate},
		{NexusCollectedTax, f.CollectedTaxNexusMetDate},
	} {
		if kind.date == nil || d.On(day) && slices.Contains(d.Kinds, kind.of) {
			continue
		}
		f.NexusMet = true
		if f.NexusMetDate == nil || kind.date.Before(*f.NexusMetDate) {
			f.NexusMetDate = kind.date
		}
	}
}

// NexusRef identifies a nexus record.
type NexusRef struct {
	OrganizationID string `json:"organization_id"`
	NexusID        string `json:"nexus_id"`
}

// ChangedObligation is a nexus record whose obligation changed, with names for staff.
type ChangedObligation struct {
	NexusRef
	Organization string `json:"organization,omitempty"` // its name
	Jurisdiction string `json:"jurisdiction,omitempty"` // US-NV
}
