package models

import (
	"slices"
	"time"

	"levy/tax/calendar"
	"levy/tax/nexus"
)

// Obligation are the days on which tax must be collected, without an end if that continues. Without From there is none.
// Gaps are the days between without an obligation, in order.
type Obligation struct {
	From  *time.Time `json:"from"`
	Until *time.Time `json:"until"`
	Gaps  []Gap      `json:"gaps,omitempty" gorm:"serializer:json"`
}

// Gap are days without an obligation, the first and the last included.
type Gap struct {
	Start calendar.Date `json:"start"`
	End   calendar.Date `json:"end"`
}

// ObligationChange is a change of the obligation of a record.
type ObligationChange struct {
	NexusRef
	Countries []string   `json:"countries"`
	State     string     `json:"state"` // empty for all
	Before    Obligation `json:"before"`
	After     Obligation `json:"after"`
}

// Since returns the first day that may be concerned.
func (c *ObligationChange) Since() calendar.Date {
	since := calendar.MustDate("2100-12-31")
	for _, from := range []*time.Time{c.Before.From, c.After.From} {
		if from != nil {
			since = min(since, calendar.DateOf(*from))
		}
	}
	return since
}

// ObligationCursor is the sale after which the next step begins. The zero value is the beginning.
type ObligationCursor struct {
	Day           calendar.Date `json:"day"`
	SoldAt        time.Time     `json:"sold_at"`
	TransactionID string        `json:"transaction_id"`
}

// TransactionVersion identifies a version of a transaction.
type TransactionVersion struct {
	ID    string `json:"id"`
	Epoch int    `json:"epoch"`
}

// ObligationStep is the result of one step of applying an obligation.
type ObligationStep struct {
	Seen     int                  `json:"seen"`
	Requeued int                  `json:"requeued"`
	Next     ObligationCursor     `json:"next"`
	UnderWay []TransactionVersion `json:"under_way"`
	Done     bool                 `json:"done"`
}

// NexusObligation is the data of a nexus record about the tax of a sale.
type NexusObligation struct {
	ID          string `json:"id"`
	CountryCode string `json:"country_code"`
	StateCode   string `json:"state_code"`
	Status      NexusStatus
	MetDate     *time.Time // the first day of nexus of any kind
	Registered  *time.Time // first day of a current registration
	Simplified  bool       // it has the simplified regime
	Obligation
}

// Place returns the jurisdiction.
func (o *NexusObligation) Place() nexus.Place { return NexusPlaceOf(o.CountryCode, o.StateCode, "") }

// Exists reports whether tax must be collected on a day.
func (o *Obligation) Exists(day calendar.Date) bool {
	return o.From != nil && calendar.DateOf(*o.From) <= day && (o.Until == nil || day <= calendar.DateOf(*o.Until)) &&
		!slices.ContainsFunc(o.Gaps, func(g Gap) bool { return g.Start <= day && day <= g.End })
}

// Start returns the first day of the obligation on a day, or of the previous one if there is none on that day.
// There must be an obligation.
func (o *Obligation) Start(day calendar.Date) calendar.Date {
	start := calendar.DateOf(*o.From)
	for _, g := range o.Gaps {
		if g.End < day {
			start = g.End.AddDays(1)
		}
	}
	return start
}

// StatusOn returns the status on a day, as far as dates show it.
func (o *NexusObligation) StatusOn(day calendar.Date) NexusStatus {
	switch {
	case o.Registered != nil && calendar.DateOf(*o.Registered) <= day:
		return NexusRegistered
	case o.MetDate != nil && calendar.DateOf(*o.MetDate) <= day:
		return NexusExposed
	case o.Status == NexusApproaching:
		return NexusApproaching
	}
	return NexusNotExposed
}
