package models

import (
	"errors"
	"time"
)

// ImportStatus is the state of an import of transactions.
type ImportStatus string

// States of an import.
const (
	ImportUploading ImportStatus = "UPLOADING" // its file is not there yet: nobody sees it
	ImportQueued    ImportStatus = "QUEUED"
	ImportRunning   ImportStatus = "RUNNING"
	ImportPaused    ImportStatus = "PAUSED"
	ImportCompleted ImportStatus = "COMPLETED"
	ImportCancelled ImportStatus = "CANCELLED"
	ImportFailed    ImportStatus = "FAILED"
)

// ImportTransitions is the status of an import. The database holds the same transitions.
var ImportTransitions = StateMachine{
	Name: "import_status", Object: "import of transactions", Field: "status",
	States: states("UPLOADING QUEUED RUNNING PAUSED FAILED COMPLETED CANCELLED"),
	Transitions: table([]Transition{
		{"", "UPLOADING", byHTTP, "the upload begins"},
		{"UPLOADING", "QUEUED", byHTTP, "the whole file has arrived"},
		{"QUEUED", "RUNNING", byWorkflow, ""},
		{"QUEUED", "PAUSED", byHTTP, ""},
		{"QUEUED", "CANCELLED", byHTTPOrWorkflow, ""},
		{"RUNNING", "PAUSED", byHTTP, ""},
		{"RUNNING", "COMPLETED", byWorkflow, "every row has its verdict"},
		{"RUNNING", "FAILED", byWorkflow, "a defect that repeats does not help against"},
		{"RUNNING", "CANCELLED", byHTTPOrWorkflow, "what is taken in stays"},
		{"PAUSED", "QUEUED", byHTTP, "goes on where it stood"},
		{"PAUSED", "CANCELLED", byHTTPOrTimer, "by the timer after 30 days"},
		{"FAILED", "QUEUED", byHTTP, "goes on where it stood"},
		{"FAILED", "CANCELLED", byHTTPOrTimer, "by the timer after 30 days"},
	}),
}

// ImportsKept is how long the rejected rows of an import are kept that is over, and
// how long one may rest before it is cancelled.
const ImportsKept = 30 * 24 * time.Hour

// Over reports whether no row will be taken in any more.
func (s ImportStatus) Over() bool { return s == ImportCompleted || s == ImportCancelled }

// ImportPosition is how far an import is: everything before it has its verdict.
type ImportPosition struct {
	Pass       int   // 1 takes in sales, 2 what gives them back
	ByteOffset int64 // of the next row
	Line       int64 // of the next row, from 1
}

// ImportCounts are what an import has found so far. Transactions is the sum of the
// four after it.
type ImportCounts struct {
	Rows         int64 // read, without the header
	Transactions int64
	Accepted     int64
	Present      int64 // were there already with the same content
	Conflicting  int64 // their external id belongs to something else
	Rejected     int64
}

// Import is a file of transactions and how far it is taken in. Sizes are in bytes.
type Import struct {
	OrganizationID string `gorm:"primaryKey"`
	ID             string `gorm:"primaryKey"`
	Name           *string
	Status         ImportStatus
	Reason         *string // why it failed
	APIKeyID       *string // who sent it
	UserID         *string // or the person, with the name at that time
	UserName       *string
	RequestID      *string
	Size           int64
	SHA256         []byte `gorm:"column:sha256"`
	Separator      string
	Columns        []string `gorm:"serializer:json"`
	HeaderSize     int64    // bytes before the first row behind the header
	HeaderLines    int64
	Passes         int // 2 when the file gives sales back
	ImportPosition `gorm:"embedded"`
	ImportCounts   `gorm:"embedded"`
	CreatedAt      time.Time
	StartedAt      *time.Time
	UpdatedAt      time.Time
	FinishedAt     *time.Time
	ForgetAt       *time.Time // when its rejected rows are deleted, or, unless it is resumed, it is cancelled
}

// TableName says what is imported.
func (Import) TableName() string { return "transaction_imports" }

// First is where the rows of the file begin.
func (im *Import) First(pass int) ImportPosition {
	return ImportPosition{Pass: pass, ByteOffset: im.HeaderSize, Line: im.HeaderLines + 1}
}

// Percent is how much of the file is done, 0 to 100.
func (im *Import) Percent() int {
	if im.Status == ImportCompleted {
		return 100
	}
	rows := im.Size - im.HeaderSize
	if rows <= 0 {
		return 0
	}
	done := im.ByteOffset - im.HeaderSize + int64(im.Pass-1)*rows
	return int(min(99, 100*done/(rows*int64(im.Passes))))
}

// Scope is the organization of the import.
func (im *Import) Scope() Scope { return Scope{OrganizationID: im.OrganizationID} }

// Actor is who sent the file.
func (im *Import) Actor() Actor {
	var a Actor
	if im.APIKeyID != nil {
		a.APIKeyID = *im.APIKeyID
	}
	if im.UserID != nil && im.UserName != nil {
		a.UserID, a.UserName = *im.UserID, *im.UserName
	}
	if im.RequestID != nil {
		a.RequestID = *im.RequestID
	}
	return a
}

// ImportRef names an import.
type ImportRef struct {
	OrganizationID string `json:"organization_id"`
	ID             string `json:"import_id"`
}

// ImportFault is one problem of a row, for the merchant.
type ImportFault struct {
	Line    int64  `json:"line"`
	Column  string `json:"column,omitempty"` // empty for the row as a whole
	Code    string `json:"code"`
	Message string `json:"message"`
}

// ImportEntry is one transaction of a file: its rows and what they say.
type ImportEntry struct {
	Line       int64 // of its first row
	Rows       [][]string
	Lines      []int64 // of each row
	ExternalID string  // empty when it cannot be read
	FileID     string  // how other rows of the file name it; may be empty
	Original   string  // FileID of the sale that it gives back; empty for none
	Type       TransactionType

	Sale   *TransactionDraft // nil when it is a refund or has faults
	Refund *RefundDraft
	Faults []ImportFault
	// Conflict says that another transaction has the external id.
	Conflict bool
}

// Draft is the transaction, nil when it has faults.
func (e *ImportEntry) Draft() *TransactionDraft {
	if e.Refund != nil {
		return &e.Refund.TransactionDraft
	}
	return e.Sale
}

// ImportChunk is a piece of an import that is taken in at once.
type ImportChunk struct {
	Import   *Import
	From, To ImportPosition
	Rows     int64 // between them
	Ended    bool  // the file ends here
	Entries  []ImportEntry
	// Explain turns the verdict on an entry into faults. Its error is one for which the
	// entry is not to blame.
	Explain func(*ImportEntry, error) ([]ImportFault, error)
}

// ImportRejection is a transaction of a file that was not taken in.
type ImportRejection struct {
	Line       int64
	ExternalID *string
	Conflict   bool
	Faults     []ImportFault
	Rows       [][]string
	Lines      []int64
}

// Errors of imports.
var (
	// ErrImportChanged: somebody else has taken in the rows, or the import does not run.
	ErrImportChanged = errors.New("import is elsewhere")
	// ErrTooManyImports: an organization has as many imports under way as it may.
	ErrTooManyImports = errors.New("too many imports under way")
)

// StoredSale is what is recorded under an external id, as an export says it.
type StoredSale struct {
	ID    string
	Lines []ExportLine
	Sent  TransactionAddress // the destination as it was sent
}
