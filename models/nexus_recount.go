package models

import (
	"encoding/json"
	"time"
)

// NexusDifference is a wrong number of nexus. A wrong contribution has its transaction.
type NexusDifference struct {
	OrganizationID string          `json:"organization_id"`
	Kind           string          `json:"kind"` // CONTRIBUTION, COUNTER or TAX
	TransactionID  *string         `json:"transaction_id,omitempty"`
	CountryCode    string          `json:"country_code"`
	StateCode      string          `json:"state_code"`
	Currency       string          `json:"currency"`
	Day            time.Time       `json:"day"`
	Marketplace    bool            `json:"marketplace"`
	Found          json.RawMessage `json:"found"`
	Expected       json.RawMessage `json:"expected"`
}

// Kinds of differences.
const (
	NexusDifferenceContribution = "CONTRIBUTION"
	NexusDifferenceCounter      = "COUNTER"
	NexusDifferenceTax          = "TAX"
)

// NexusRecount is one step of a recount of the transactions of an organization.
type NexusRecount struct {
	OrganizationID string
	After          string   // the last transaction of the previous step; "" for the beginning
	Repair         bool     // correct differences, and record them
	Run            StageRun // the run that records them
}

// NexusRecountStep is the result of one step of a recount.
type NexusRecountStep struct {
	Counted     int // transactions
	Differences []NexusDifference
	Next        string // the last counted transaction; "" if all are counted
}
