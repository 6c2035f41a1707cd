package models

import (
	"time"

	"levy/tax"
)

// Obligation are the days on which tax has to be collected, without an end where that
// goes on. Without From there is none.
type Obligation struct {
	From  *time.Time `json:"from"`
	Until *time.Time `json:"until"`
}

// ObligationChange says how the obligation of a record changed.
type ObligationChange struct {
	NexusRef
	Countries []string   `json:"countries"`
	State     string     `json:"state"` // empty for all
	Before    Obligation `json:"before"`
	After     Obligation `json:"after"`
}

// Since is the first day that may be concerned.
func (c *ObligationChange) Since() tax.Date {
	since := tax.MustDate("2100-12-31")
	for _, from := range []*time.Time{c.Before.From, c.After.From} {
		if from != nil {
			since = min(since, tax.DateOf(*from))
		}
	}
	return since
}

// ObligationCursor is behind which sale to go on; the zero value is the beginning.
type ObligationCursor struct {
	Day           tax.Date  `json:"day"`
	SoldAt        time.Time `json:"sold_at"`
	TransactionID string    `json:"transaction_id"`
}

// TransactionVersion names a version of a transaction.
type TransactionVersion struct {
	ID    string `json:"id"`
	Epoch int    `json:"epoch"`
}

// ObligationStep is what one step of applying an obligation did.
type ObligationStep struct {
	Seen     int                  `json:"seen"`
	Requeued int                  `json:"requeued"`
	Next     ObligationCursor     `json:"next"`
	UnderWay []TransactionVersion `json:"under_way"`
	Done     bool                 `json:"done"`
}

// NexusObligation is what a nexus record says about the tax of a sale.
type NexusObligation struct {
	ID                     string
	CountryCode, StateCode string
	Status                 NexusStatus
	MetDate                *time.Time // the first day of nexus of any kind
	Registered             *time.Time // first day of a registration that is in force
	Obligation
	Home string // country of the organization
}

// Place is the jurisdiction.
func (o *NexusObligation) Place() tax.NexusPlace { return NexusPlaceOf(o.CountryCode, o.StateCode, "") }

// Exists reports whether tax has to be collected on a day.
func (o *NexusObligation) Exists(day tax.Date) bool {
	return o.From != nil && tax.DateOf(*o.From) <= day && (o.Until == nil || day <= tax.DateOf(*o.Until))
}

// StatusOn is what the status was on a day, as far as dates tell.
func (o *NexusObligation) StatusOn(day tax.Date) NexusStatus {
	switch {
	case o.Registered != nil && tax.DateOf(*o.Registered) <= day:
		return NexusRegistered
	case o.MetDate != nil && tax.DateOf(*o.MetDate) <= day:
		return NexusExposed
	case o.Status == NexusApproaching:
		return NexusApproaching
	}
	return NexusNotExposed
}
