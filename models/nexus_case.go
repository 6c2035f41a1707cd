package models

import (
	"slices"
	"time"

	"github.com/govalues/decimal"

	"levy/tax/calendar"
	"levy/tax/nexus"
)

// NexusCase is what the nexus of one organization depends on, as it was read.
type NexusCase struct {
	OrganizationID string
	Home           string // country of the business address; empty while it is not known
	Records        []NexusState
	Days           []NexusDay // in order of days
	Presences      []PhysicalNexus
	Changes        []NexusChange // read before everything else
}

// NexusState is a record with what only evaluations read.
type NexusState struct {
	NexusRecord    `gorm:"embedded"`
	Version        string // of the row: whoever writes it makes another one
	Evaluated      *int64 // how many changes the last evaluation had seen
	EvaluatedOn    *time.Time
	ContentVersion *string
	WithoutRate    bool // sums are incomplete: there is no conversion rate
}

// NexusChange counts what changed in one place; empty for everywhere.
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

// NexusDay are the sales of a day in one state and currency, of one way of selling; or those of its refunds that
// take back sales of one other day.
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
	SoldOn                 *time.Time // the day of the sales that are taken back; nil: Day
}

// RateDay is the day by whose rate the amounts are converted.
func (d *NexusDay) RateDay() time.Time {
	if d.SoldOn != nil {
		return *d.SoldOn
	}
	return d.Day
}

// touches reports whether the change may concern a place. Where records are read the
// same is said in SQL, which knows nothing of the seller's home: a change there touches
// the European Union, too.
func (c NexusChange) touches(place nexus.Place, day calendar.Date) bool {
	return c.CountryCode == "" || c.CountryCode == place.Country && (place.State == "" || place.State == c.StateCode) ||
		place.Country == nexus.EuropeanUnion && nexus.UnionMember(c.CountryCode, day)
}

// Seen is how many changes of a place were read.
func (c *NexusCase) Seen(place nexus.Place, day calendar.Date) (n int64) {
	for _, change := range c.Changes {
		if change.touches(place, day) {
			n += change.N
		}
	}
	return n
}

// Pending leaves only the records whose nexus may have changed since it was evaluated.
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

// NexusEvaluated is what an evaluation wants to write: the record as it must be, if
// it still is as it was read.
type NexusEvaluated struct {
	NexusState
	Changed bool           // it says something else than before
	Missing []CurrencyPair // rates that were not there
}

// NexusSalesQuery selects the sales of a day in a place.
type NexusSalesQuery struct {
	Countries []string
	State     string // empty for all
	Day       time.Time
}

// NexusDetailQuery asks for what the counters do not show of a place.
type NexusDetailQuery struct {
	Country, AuthorityState string // as the record names them
	Countries               []string
	State                   string // empty for all
	Currency                string
	First, Last             time.Time // days of sales
	Collected               *time.Time
	ObligedFrom             *time.Time
}

// NexusDetail is the answer.
type NexusDetail struct {
	Earliest, MostRecent, EarliestCollected *time.Time
	Taxes                                   []NexusTaxSum
}

// NexusTaxSum are taxes in one currency; Day is zero where nothing is to be converted.
type NexusTaxSum struct {
	Currency   string          `json:"currency"`
	Day        *time.Time      `json:"day"`
	Calculated decimal.Decimal `json:"calculated"`
	Imported   decimal.Decimal `json:"imported"`
	Liability  decimal.Decimal `json:"liability"`
}

// DisregardedKinds lists the kinds of nexus that are disregarded on a day.
func (r *NexusRecord) DisregardedKinds(day time.Time) []NexusKind {
	if !r.Disregard.On(day) {
		return nil
	}
	return r.Disregard.Kinds
}

// SetNexusMet decides whether there is nexus: by any kind that is not disregarded.
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

// NexusRef names a nexus record.
type NexusRef struct {
	OrganizationID string `json:"organization_id"`
	NexusID        string `json:"nexus_id"`
}

// ChangedObligation is a nexus record whose obligation changed, and what staff call it.
type ChangedObligation struct {
	NexusRef
	Organization string `json:"organization,omitempty"` // its name
	Jurisdiction string `json:"jurisdiction,omitempty"` // US-NV
}
