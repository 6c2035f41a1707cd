package models

import "time"

// AuditEntry is an entry of the audit trail: an actor, an action and a record. It is written in the database
// transaction of the change.
type AuditEntry struct {
	OrganizationID string `gorm:"primaryKey"`
	ID             string `gorm:"primaryKey"`
	At             time.Time
	APIKeyID       *string
	RequestID      *string
	UserID         *string // of a person with a session, with the name at that time
	UserName       *string
	Staff          *string // the person who acted without a key: by a command of the operator or from the Temporal UI
	Action         string  // one of the actions below
	EntityType     string  // the type of the record, such as transaction
	EntityID       string
	Revision       *int
	// Detail describes the change: the names of fields, and of a status, a day or an amount also the values before and
	// after. It never contains personal data, except for the names that people give their passkeys.
	Detail map[string]any `gorm:"serializer:json"`
	// Leaf is the leaf in the ledger of the version or return that the change made; nil for none. See package ledger.
	Leaf []byte `gorm:"-"`

	ActorName  string `gorm:"-"` // of a key, as it is now; read only for display
	ObjectName string `gorm:"-"` // the record's name as it is now; "" for none
}

// Entry returns an entry of the actor for an action on a record. The caller that writes it sets the time.
func (a Actor) Entry(scope Scope, action, entityType, entityID string) *AuditEntry {
	return &AuditEntry{
		OrganizationID: scope.OrganizationID, ID: NewID(PrefixAudit),
		APIKeyID: nonEmpty(a.APIKeyID), RequestID: nonEmpty(a.RequestID),
		UserID: nonEmpty(a.UserID), UserName: nonEmpty(a.UserName), Staff: nonEmpty(a.Staff),
		Action: action, EntityType: entityType, EntityID: entityID,
	}
}

// With sets the detail.
func (e *AuditEntry) With(detail map[string]any) *AuditEntry {
	e.Detail = detail
	return e
}

func nonEmpty(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}

// TableName returns the singular, because the table is one trail.
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
	AuditProve     = "prove_session"  // by a person who was signed in
	AuditPasskey   = "refuse_passkey" // one that counts backwards, as a copy of it does
	AuditInvite    = "invite"
	AuditRemove    = "remove"
	AuditAssign    = "assign"
	AuditRead      = "read"
	AuditExport    = "export"
	AuditActivate  = "activate"
	AuditRequeue   = "requeue"
	AuditErase     = "erase"
	AuditSeal      = "seal"

	AuditSaveKeys    = "save_keys" // before the file is written; AuditKeysSaved once it is on the disk
	AuditKeysSaved   = "keys_saved"
	AuditRestoreKeys = "restore_keys"
	AuditRetire      = "retire" // a master key
	AuditAsk         = "ask"    // the holders of API keys under a master key to use or rotate them

	AuditAddEntry    = "add_entry" // to a filing
	AuditDeleteEntry = "delete_entry"

	AuditRecordPayment = "record_payment" // of a filing
	AuditDeletePayment = "delete_payment"

	AuditCreditNoteAdded   = "credit_note_added"
	AuditCreditNoteChanged = "credit_note_changed"
)

// EntityFilingPayment is the type of the audit records that say that a bank file had the payment of a filing.
const EntityFilingPayment = "filing_payment"
