package models

import (
	"encoding/json"
	"time"

	"levy/tax"
	"levy/tax/calendar"
)

// StepSubmission is one call of a step on its way to the record. It travels
// through the history of a workflow: whatever is personal in it is sealed with the
// organization's data key, of an API key there is only the hash.
type StepSubmission struct {
	OrganizationID string             `json:"organization_id"`
	Step           int                `json:"step"`
	ID             string             `json:"id"`           // the same submission twice is done once
	Recorded       int                `json:"recorded"`     // how many steps were done according to the record
	Day            calendar.Date      `json:"day,omitzero"` // in UTC, on which it was submitted
	APIKeyID       string             `json:"api_key_id"`
	RequestID      string             `json:"request_id"`
	UserID         string             `json:"user_id,omitempty"` // of a person with a session, who has no key
	UserName       string             `json:"user_name,omitempty"`
	Organization   *OrganizationDraft `json:"organization,omitempty"` // step 1
	APIKey         *APIKeyDraft       `json:"api_key,omitempty"`      // step 2
	Content        []byte             `json:"content,omitempty"`      // steps 3 to 8: a sealed StepContent
}

// Actor names who submitted, for the audit trail.
func (s StepSubmission) Actor() Actor {
	return Actor{APIKeyID: s.APIKeyID, RequestID: s.RequestID, UserID: s.UserID, UserName: s.UserName}
}

// Scope is the organization the step belongs to.
func (s StepSubmission) Scope() Scope { return Scope{OrganizationID: s.OrganizationID} }

// OrganizationDraft is a client organization to be created.
type OrganizationDraft struct {
	ParentID      string  `json:"parent_id"`
	ExternalID    string  `json:"external_id"`
	Name          string  `json:"name"`
	Source        string  `json:"source"`
	Promo         *string `json:"promo,omitempty"`
	IsTest        bool    `json:"is_test"`
	DisableEmails bool    `json:"disable_emails"`
	EmailGroup    *string `json:"email_group,omitempty"`
}

// APIKeyDraft is the record of a key to be created.
type APIKeyDraft struct {
	ID        string          `json:"id"`
	Name      *string         `json:"name,omitempty"`
	Hash      []byte          `json:"hash"`
	Prefix    string          `json:"prefix"`
	Last4     string          `json:"last4"`
	Metadata  json.RawMessage `json:"metadata,omitempty"`
	ExpiresAt *time.Time      `json:"expires_at,omitempty"`
	Scopes    APIKeyScopes    `json:"scopes,omitempty"` // all when there are none
}

// StepContent is what a step from 3 on writes.
type StepContent struct {
	// Documents are whole documents by name, personal values masked.
	Documents map[string]json.RawMessage `json:"documents"`
	// Revision is that of the record the documents were made from; 0 for none.
	Revision int `json:"revision"`
	// Personal are the sealed personal values that were sent, by field.
	Personal map[string][]byte `json:"personal,omitempty"`
	// Removed are the fields of personal values that are no more.
	Removed []string `json:"removed,omitempty"`
}

// StepContentField is the field to which the content of a submission is sealed.
func StepContentField(step int) string { return "onboarding step " + StepOf(step).Name }

// StepWork is what the work behind a step found out, ready to be written.
type StepWork struct {
	Content StepContent
	Details *BusinessDetails // step 3
	Place   *tax.Place       // of the business address; nil leaves it as it is
}
