package models

import (
	"cmp"
	"slices"
	"time"

	"levy/tax"
)

// Obligation are the days on which tax has to be collected, without an end where that
// goes on. Without From there is none. Gaps are the days between, on which there is
// none either, in their order.
type Obligation struct {
	From  *time.Time `json:"from"`
	Until *time.Time `json:"until"`
	Gaps  []Gap      `json:"gaps,omitempty" gorm:"serializer:json"`
}

// Gap are days without an obligation, the first and the last included.
type Gap struct {
	Start tax.Date `json:"start"`
	End   tax.Date `json:"end"`
}

// ObligationOf joins the spans on which an obligation exists; no End: it goes on.
func ObligationOf(spans []tax.Period) (o Obligation) {
	spans = slices.SortedFunc(slices.Values(spans), func(a, b tax.Period) int { return cmp.Compare(a.Start, b.Start) })
	var until tax.Date // of those before
	for i, span := range spans {
		switch {
		case i == 0:
			from := span.Start.Time()
			o.From, until = &from, span.End
		case until == 0:
			return o
		case span.Start > until.AddDays(1):
			o.Gaps = append(o.Gaps, Gap{Start: until.AddDays(1), End: span.Start.AddDays(-1)})
			until = span.End
		case span.End == 0 || span.End > until:
			until = span.End
		}
	}
	if until != 0 {
		end := until.Time()
		o.Until = &end
	}
	return o
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
	ID          string `json:"id"`
	CountryCode string `json:"country_code"`
	StateCode   string `json:"state_code"`
	Status      NexusStatus
	MetDate     *time.Time // the first day of nexus of any kind
	Registered  *time.Time // first day of a registration that is in force
	Obligation
}

// Place is the jurisdiction.
func (o *NexusObligation) Place() tax.NexusPlace { return NexusPlaceOf(o.CountryCode, o.StateCode, "") }

// Exists reports whether tax has to be collected on a day.
func (o *Obligation) Exists(day tax.Date) bool {
	return o.From != nil && tax.DateOf(*o.From) <= day && (o.Until == nil || day <= tax.DateOf(*o.Until)) &&
		!slices.ContainsFunc(o.Gaps, func(g Gap) bool { return g.Start <= day && day <= g.End })
}

// Start is the first day of the obligation that exists on a day: of the one before,
// where none exists. It must not be asked where there is none at all.
func (o *Obligation) Start(day tax.Date) tax.Date {
	start := tax.DateOf(*o.From)
	for _, g := range o.Gaps {
		if g.End < day {
			start = g.End.AddDays(1)
		}
	}
	return start
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
