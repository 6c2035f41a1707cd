package models

import (
	"encoding/json"
	"time"

	"levy/tax"
	"levy/tax/calendar"
)

// StepSubmission is one call of a step on its way to the record. It is in the history of a workflow.
// So its personal data is sealed with the organization's data key, and it has only the hash of an API key.
type StepSubmission struct {
	OrganizationID string             `json:"organization_id"`
	Step           int                `json:"step"`
	ID             string             `json:"id"`           // the same submission is done once
	Recorded       int                `json:"recorded"`     // the number of completed steps in the record
	Day            calendar.Date      `json:"day,omitzero"` // in UTC, the day of the submission
	APIKeyID       string             `json:"api_key_id"`
	RequestID      string             `json:"request_id"`
	UserID         string             `json:"user_id,omitempty"` // of a person with a session and without a key
	UserName       string             `json:"user_name,omitempty"`
	Granted        bool               `json:"granted,omitempty"`      // by the partner, under its grant
	Organization   *OrganizationDraft `json:"organization,omitempty"` // step 1
	APIKey         *APIKeyDraft       `json:"api_key,omitempty"`      // step 2
	Content        []byte             `json:"content,omitempty"`      // steps 3 to 8: a sealed StepContent
}

// Actor returns the submitter, for the audit trail.
func (s StepSubmission) Actor() Actor {
	return Actor{
		APIKeyID: s.APIKeyID, RequestID: s.RequestID, UserID: s.UserID, UserName: s.UserName, Granted: s.Granted,
	}
}

// Scope returns the organization of the step.
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
	Scopes    APIKeyScopes    `json:"scopes,omitempty"` // all if empty
	// AllowedAddresses are the networks from which the key may be used.
	AllowedAddresses Networks `json:"allowed_addresses,omitempty"`
}

// StepContent are the values that a step from 3 on writes.
type StepContent struct {
	// Documents are full documents by name, with masked personal values.
	Documents map[string]json.RawMessage `json:"documents"`
	// Revision is that of the record that the documents are based on; 0 for none.
	Revision int `json:"revision"`
	// Personal are the submitted personal values, sealed, by field.
	Personal map[string][]byte `json:"personal,omitempty"`
	// Removed are the fields of deleted personal values.
	Removed []string `json:"removed,omitempty"`
}

// StepContentField returns the field to which the content of a submission is bound.
func StepContentField(step int) string { return "onboarding step " + StepOf(step).Name }

// StepWork is the result of the work of a step, ready to be written.
type StepWork struct {
	Content StepContent
	Details *BusinessDetails // step 3
	Place   *tax.Place       // of the business address; nil leaves it unchanged
}
