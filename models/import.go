package models

import (
	"errors"
	"time"

	"levy/tax/calendar"
)

// ImportKind is the kind of records that a file has. The header of the file says it.
type ImportKind string

// Kinds of files.
const (
	ImportTransactions  ImportKind = "TRANSACTIONS"
	ImportFilingEntries ImportKind = "FILING_ENTRIES" // amounts of returns that no transaction makes, one a row
)

// DateOrder says which number of dates such as 5/4/2026 is the month; "" where the file does not show it.
type DateOrder string

// The orders of dates.
const (
	MonthFirst DateOrder = "MDY"
	DayFirst   DateOrder = "DMY"
)

// ImportStatus is the state of an import.
type ImportStatus string

// States of an import.
const (
	ImportUploading ImportStatus = "UPLOADING" // its file is incomplete, and it is invisible
	ImportQueued    ImportStatus = "QUEUED"
	ImportRunning   ImportStatus = "RUNNING"
	ImportPaused    ImportStatus = "PAUSED"
	ImportCompleted ImportStatus = "COMPLETED"
	ImportCancelled ImportStatus = "CANCELLED"
	ImportFailed    ImportStatus = "FAILED"
)

// ImportTransitions is the status of an import. The database has the same transitions.
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

// ImportsKept is how long the rejected rows of an ended import are stored, and how long an import may be idle before it
// is cancelled.
const ImportsKept = 30 * 24 * time.Hour

// ImportPresentListed is the largest number of rows of an import that are listed as already present. Further ones are
// counted.
const ImportPresentListed = 100_000

// Over reports whether no more rows will be imported.
func (s ImportStatus) Over() bool { return s == ImportCompleted || s == ImportCancelled }

// ImportPosition is the position of an import: all rows before it are accepted or rejected.
type ImportPosition struct {
	Pass       int   // 0 finds the orders whose rows are apart, 1 imports sales, 2 their refunds
	ByteOffset int64 // of the next row
	Line       int64 // of the next row, from 1
}

// ImportCounts are the results of an import so far. Transactions is the sum of the four fields after it.
type ImportCounts struct {
	Rows         int64 // read, without the header
	Transactions int64
	Accepted     int64
	Present      int64 // existed before with the same content
	Conflicting  int64 // their external id belongs to another transaction
	Rejected     int64
	// The same by rows of the file. At the end of an import their sum is Rows.
	AcceptedRows    int64
	PresentRows     int64
	ConflictingRows int64
	RejectedRows    int64
	// RestoredPostalCodes counts accepted transactions whose US postal code had lost its leading zero.
	RestoredPostalCodes int64
}

// Import is a file of transactions, or of entries of filings, and the progress of its import. Sizes are in bytes. The
// counts of transactions are those of entries, of which each row is one.
type Import struct {
	OrganizationID string `gorm:"primaryKey"`
	ID             string `gorm:"primaryKey"`
	Kind           ImportKind
	Name           *string
	Status         ImportStatus
	Reason         *string // why it failed
	APIKeyID       *string // the key that sent it
	UserID         *string // or the person, with the name at that time
	UserName       *string
	RequestID      *string
	Size           int64
	SHA256         []byte `gorm:"column:sha256"`
	Separator      string
	Columns        []string `gorm:"serializer:json"`
	DateOrder      DateOrder
	HeaderSize     int64 // bytes before the first row after the header
	HeaderLines    int64
	Passes         int   // 2 if the file has refunds
	Arranged       bool  // pass 0 is complete: rows of one order need not be adjacent
	SplitParts     int64 // groups of rows of orders whose rows are apart
	ImportPosition `gorm:"embedded"`
	ImportCounts   `gorm:"embedded"`
	CreatedAt      time.Time
	StartedAt      *time.Time
	UpdatedAt      time.Time
	FinishedAt     *time.Time
	ForgetAt       *time.Time // when its rejected rows are deleted, or when it is cancelled unless it is resumed
}

// TableName returns the table of imports.
func (Import) TableName() string { return "transaction_imports" }

// First returns the position of the first row of the file.
func (im *Import) First(pass int) ImportPosition {
	return ImportPosition{Pass: pass, ByteOffset: im.HeaderSize, Line: im.HeaderLines + 1}
}

// Percent returns the imported part of the file, 0 to 100.
func (im *Import) Percent() int {
	if im.Status == ImportCompleted {
		return 100
	}
	rows := im.Size - im.HeaderSize
	if rows <= 0 || im.Pass == 0 {
		return 0
	}
	done := im.ByteOffset - im.HeaderSize + int64(im.Pass-1)*rows
	return int(min(99, 100*done/(rows*int64(im.Passes))))
}

// Scope returns the organization of the import.
func (im *Import) Scope() Scope { return Scope{OrganizationID: im.OrganizationID} }

// Actor returns the sender of the file.
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

// ImportRef identifies an import.
type ImportRef struct {
	OrganizationID string `json:"organization_id"`
	ID             string `json:"import_id"`
}

// ImportAlreadyPresent is the code of the fault of rows that are recorded already with the same content.
const ImportAlreadyPresent = "already_present"

// ImportFault is one problem of a row, for the merchant.
type ImportFault struct {
	Line    int64  `json:"line"`
	Column  string `json:"column,omitempty"` // empty for the row as a whole
	Code    string `json:"code"`
	Message string `json:"message"`
}

// FilingEntryDraft is an entry of a file. It names its filing by the id, or by the authority and the period.
type FilingEntryDraft struct {
	FilingID               string // "" for the authority and the period
	CountryCode, StateCode string
	StartDate, EndDate     calendar.Date
	// Of returns the entry as one of a filing, and all faults of the row. Without a filing (nil) the faults are those that
	// need none.
	Of func(f *Filing) (FilingEntry, []Fault)
}

// NamesPeriod reports whether the draft has an authority and a period.
func (d *FilingEntryDraft) NamesPeriod() bool {
	return d.StateCode != "" && !d.StartDate.IsZero() && !d.EndDate.IsZero()
}

// Names reports whether the draft is of a filing.
func (d *FilingEntryDraft) Names(f *Filing) bool {
	if d.FilingID != "" {
		return d.FilingID == f.ID
	}
	return d.CountryCode == f.CountryCode && d.StateCode == f.StateCode &&
		d.StartDate == calendar.DateOf(f.StartDate) && d.EndDate == calendar.DateOf(f.EndDate)
}

// ImportEntry is one transaction of a file with its rows, or one entry of a filing.
type ImportEntry struct {
	Line       int64 // of its first row
	Rows       [][]string
	Lines      []int64 // of each row
	ExternalID string  // empty when it cannot be read
	FileID     string  // the name of the transaction in other rows of the file; may be ""
	Original   string  // FileID of the sale that it refunds; "" for none
	Type       TransactionType

	Sale   *TransactionDraft // nil for a refund or an entry with faults
	Refund *RefundDraft
	// FilingEntry is the entry of a filing; nil for a transaction or an entry with faults.
	FilingEntry *FilingEntryDraft
	Faults      []ImportFault
	// Conflict means that another transaction has the external id.
	Conflict bool
	// Present means that an earlier import or call recorded the transaction with the same content.
	Present bool
	// Rest has further rows of a transaction with too many rows. It does not count as a transaction.
	Rest bool
	// PostalCodeRestored means that the postal code had lost its leading zero.
	PostalCodeRestored bool
}

// Draft returns the transaction; nil if it has faults.
func (e *ImportEntry) Draft() *TransactionDraft {
	if e.Refund != nil {
		return &e.Refund.TransactionDraft
	}
	return e.Sale
}

// ImportPart is a group of adjacent rows of one order. Sizes are in bytes.
type ImportPart struct {
	Key     string // digest of the external_id, as a UUID
	First   int64  // where the first part of its order begins
	Start   int64
	Line    int64
	Size    int64
	Rows    int64
	OfOrder int64 // rows of the whole order
	Content []byte
}

// ImportParts reads the parts of orders whose rows are apart. The callers come in the order of the file.
type ImportParts interface {
	// Find returns the part that begins at a byte; nil if the rows there are a whole order.
	Find(start int64) (*ImportPart, error)
	// Further returns the other parts of the order that begins at a byte, with their content.
	Further(first int64) ([]ImportPart, error)
}

// ImportChunk is a part of an import that is stored at once.
type ImportChunk struct {
	Import   *Import
	From, To ImportPosition
	Rows     int64 // between them
	Ended    bool  // the file ends here
	Entries  []ImportEntry
	Parts    []ImportPart // of pass 0
	// Explain converts the error of an entry to faults. It returns an error that is not a fault of the entry unchanged.
	Explain func(*ImportEntry, error) ([]ImportFault, error)
}

// ImportRejection is a rejected transaction of a file.
type ImportRejection struct {
	Line       int64
	ExternalID *string
	Conflict   bool
	Present    bool
	Faults     []ImportFault
	Rows       [][]string
	Lines      []int64
}

// Errors of imports.
var (
	// ErrImportChanged: another process has imported the rows, or the import does not run.
	ErrImportChanged = errors.New("import is elsewhere")
	// ErrTooManyImports: an organization has the most imports in progress.
	ErrTooManyImports = errors.New("too many imports under way")
)

// StoredSale is the transaction with an external id, as an export has it.
type StoredSale struct {
	ID    string
	Own   bool // the import that compares has recorded it
	Lines []ExportLine
	Sent  TransactionAddress // the submitted destination
}
