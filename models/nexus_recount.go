package models

import (
	"encoding/json"
	"time"
)

// NexusDifference is a number of nexus that is not what it must be. Transactions are
// named where it is what one of them contributes.
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
	After          string   // transaction behind which to go on; empty for the beginning
	Repair         bool     // correct what differs, and keep what was found
	Run            StageRun // which run keeps it
}

// NexusRecountStep is what one step of a recount found.
type NexusRecountStep struct {
	Counted     int // transactions
	Differences []NexusDifference
	Next        string // transaction behind which to go on; empty when all are counted
}
