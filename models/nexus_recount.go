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
	IDs            []string // the transactions to count, with their refunds; nil for those after After
	After          string   // the last transaction of the previous step; "" for the beginning
	Repair         bool     // correct differences, and record them
	Run            StageRun // the run that records them
}

// NexusRecountStep is the result of one step of a recount.
type NexusRecountStep struct {
	Counted     int      // transactions
	Page        []string // all transactions that were read, also those that do not count
	Differences []NexusDifference
	Next        string // the last transaction of the page; "" if there are no more
}

// RecountStage is the part of a full pass that a recount has reached.
type RecountStage string

// The stages of a full pass, in their order.
const (
	RecountTransactions RecountStage = "TRANSACTIONS" // contributions and rules of each transaction
	RecountCounters     RecountStage = "COUNTERS"     // counters of days against contributions
	RecountTaxes        RecountStage = "TAXES"        // taxes of days against totals of transactions
	RecountReturns      RecountStage = "RETURNS"      // rules of returns, and the amounts of live ones
	RecountSeals        RecountStage = "SEALS"        // the audit trail
	RecountFigures      RecountStage = "FIGURES"      // kept figures of months
)

// NexusRecountPlace is a day of a jurisdiction. The zero value is before all of them.
type NexusRecountPlace struct {
	CountryCode string
	StateCode   string
	Day         time.Time
}

// NexusRecountProgress says how far the recount of an organization is, and with it the checks of its records.
type NexusRecountProgress struct {
	OrganizationID string
	AfterEvent     int64 // changes up to this event are counted
	SealedThrough  int64 // the seals up to this number are verified
	CoveredFrom    int64 // the seal from which on the ledger covers the organization; 0 for none yet
	Stage          RecountStage
	After          string            // the last transaction, return or seal of the stage
	Place          NexusRecountPlace // the last day of the stage
	Counted        int64             // transactions of the pass
	Pages          int64             // pages of the pass that were compared
	Expected       int64             // about how many pages a pass has
	ChangesDone    bool              // all changes are counted
	PassDone       bool              // the pass has ended, and the next one begins
	NightDone      bool              // nothing more is counted this night
}

// NexusRecounts says how the recounts of all organizations fare.
type NexusRecounts struct {
	Failed   int64    `json:"failed"`         // organizations whose last recount failed
	Examples []string `json:"failed_ids"`     // some of them
	Oldest   int64    `json:"oldest_seconds"` // since the changes of some organization were counted
	// Pages of the full passes that are under way, and about how many they have.
	Pages    int64 `json:"pass_pages"`
	Expected int64 `json:"pass_pages_expected"`
	// PassAge is the time since the oldest of them began.
	PassAge int64 `json:"pass_seconds"`
}
