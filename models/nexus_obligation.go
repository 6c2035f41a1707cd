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
	Day           tax.Date `json:"day"`
	TransactionID string   `json:"transaction_id"`
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
