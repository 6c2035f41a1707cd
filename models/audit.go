package models

import "time"

// AuditEntry says who changed which record. It is written in the database
// transaction of the change.
type AuditEntry struct {
	OrganizationID string `gorm:"primaryKey"`
	ID             string `gorm:"primaryKey"`
	At             time.Time
	APIKeyID       *string
	RequestID      *string
	UserID         *string // of a person with a session, and the name at that time
	UserName       *string
	Staff          *string // who acted without a key: by a command of the operator or from the Temporal UI
	// Action is create, update, archive, revoke, rotate, expire, undo, remind, pause, resume, cancel or reprocess.
	Action string
	// EntityType is organization, api_key, product, customer, exemption, transaction, organization_details,
	// bank_details, onboarding, registration or transaction_import.
	EntityType string
	EntityID   string
	Revision   *int
	// Detail says what changed: names of fields and amounts, never personal data.
	Detail map[string]any `gorm:"serializer:json"`
}

// By sets the actor.
func (e *AuditEntry) By(a Actor) *AuditEntry {
	e.APIKeyID, e.RequestID, e.Staff = nonEmpty(a.APIKeyID), nonEmpty(a.RequestID), nonEmpty(a.Staff)
	e.UserID, e.UserName = nonEmpty(a.UserID), nonEmpty(a.UserName)
	return e
}

func nonEmpty(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}

// TableName is the singular: the table is one trail.
func (AuditEntry) TableName() string { return "audit" }

// Audit actions.
const (
	AuditCreate  = "create"
	AuditUpdate  = "update"
	AuditArchive = "archive"
	AuditRevoke  = "revoke"
	AuditRotate  = "rotate"
	AuditExpire  = "expire"
	AuditUndo    = "undo"
	AuditRemind  = "remind"
	AuditDelete  = "delete"
	AuditPause   = "pause"
	AuditResume  = "resume"
	AuditCancel  = "cancel"

	AuditReprocess = "reprocess"
	AuditRedeliver = "redeliver"
	AuditReplay    = "replay"
	AuditTest      = "test"
	AuditDisable   = "disable"
	AuditSignIn    = "sign_in"
	AuditInvite    = "invite"
	AuditRemove    = "remove"
	AuditAssign    = "assign"
	AuditRead      = "read"
	AuditExport    = "export"
	AuditActivate  = "activate"
	AuditRequeue   = "requeue"
	AuditErase     = "erase"
	AuditSeal      = "seal"

	AuditSaveKeys    = "save_keys" // about to be; AuditKeysSaved once the file is on its disk
	AuditKeysSaved   = "keys_saved"
	AuditRestoreKeys = "restore_keys"

	AuditCreditNoteAdded   = "credit_note_added"
	AuditCreditNoteChanged = "credit_note_changed"
)
