package models

import "slices"

//go:generate go run ./internal/statedoc ../docs/state-machines.md

// Machines are all state machines, in the order of the contract (23.1 to 23.8), and
// what the contract does not know.
func Machines() []Machine {
	return []Machine{
		TransactionStatusMachine, CreditNoteStatusMachine, RefundStatusMachine, ProcessingMachine, FilingStatusMachine,
		NexusStatusMachine, NexusProcessingMachine, RegistrationStatusMachine, OnboardingStatusMachine,
		ExemptionStatusMachine, APIKeyStatusMachine, OrganizationStatusMachine, CustomerStatusMachine, ProductStatusMachine, ImportStatusMachine,
	}
}

var allTransactionStatuses = []TransactionStatus{
	StatusPending, StatusCommitted, StatusFullyRefunded, StatusPartiallyRefunded, StatusCancelled, StatusInvalid, StatusArchived,
}

// TransactionStatusMachine is the status of a sale (contract 23.1).
var TransactionStatusMachine = Machine{
	Name: "transaction_status", Object: "sale", Field: "status", States: names(allTransactionStatuses...),
	Moves: slices.Concat(
		created(allTransactionStatuses, byHTTP, "FULLY_REFUNDED and PARTIALLY_REFUNDED are for imported history"),
		moves([]TransactionStatus{StatusPending}, []TransactionStatus{StatusCommitted, StatusCancelled, StatusInvalid, StatusArchived}, byHTTP, ""),
		moves([]TransactionStatus{StatusCommitted}, []TransactionStatus{StatusCancelled, StatusInvalid, StatusArchived}, byHTTP,
			"not locked, no credit note that is not cancelled"),
		moves([]TransactionStatus{StatusFullyRefunded, StatusPartiallyRefunded},
			[]TransactionStatus{StatusCommitted, StatusCancelled, StatusArchived}, byHTTP, "not locked"),
		moves([]TransactionStatus{StatusCancelled, StatusInvalid}, []TransactionStatus{StatusCommitted, StatusArchived}, byHTTP, "not locked"),
	),
}

// CreditNoteStatusMachine is the status of a credit note or a tax refund (contract 23.2).
var CreditNoteStatusMachine = Machine{
	Name: "credit_note_status", Object: "credit note", Field: "status",
	States: names(StatusPending, StatusCommitted, StatusCancelled, StatusArchived),
	Moves: slices.Concat(
		created([]TransactionStatus{StatusPending, StatusCommitted, StatusCancelled}, byHTTP, "the original is COMMITTED and has room for the amount"),
		created([]TransactionStatus{StatusCancelled, StatusArchived}, byWorkflow, "imported: it has ended where it comes from"),
		moves([]TransactionStatus{StatusPending}, []TransactionStatus{StatusCommitted, StatusCancelled}, byHTTP, "the amount is checked again"),
		moves([]TransactionStatus{StatusCommitted}, []TransactionStatus{StatusCancelled}, byHTTP, "not locked"),
		moves([]TransactionStatus{StatusPending, StatusCancelled}, []TransactionStatus{StatusArchived}, byHTTP, "by the archive call"),
	),
}

// RefundStatusMachine is how much of a sale has been credited (contract 23.1). NONE
// stands for the absent field.
var RefundStatusMachine = Machine{
	Name: "refund_status", Object: "sale", Field: "refund_status", States: []string{"NONE", string(StatusPartiallyRefunded), string(StatusFullyRefunded)},
	Moves: slices.Concat(
		created([]string{"NONE", string(StatusPartiallyRefunded), string(StatusFullyRefunded)}, byHTTP, "the value sent counts until there is a credit note"),
		moves([]string{"NONE"}, []TransactionStatus{StatusPartiallyRefunded, StatusFullyRefunded}, byHTTP, "a credit note is committed"),
		moves([]TransactionStatus{StatusPartiallyRefunded}, []TransactionStatus{StatusFullyRefunded}, byHTTP, "the committed credit notes reach the creditable amount"),
		moves([]TransactionStatus{StatusFullyRefunded}, []TransactionStatus{StatusPartiallyRefunded}, byHTTP, "a credit note is cancelled"),
		moves([]TransactionStatus{StatusPartiallyRefunded, StatusFullyRefunded}, []string{"NONE"}, byHTTP, "the last credit note is cancelled"),
	),
}

// ProcessingMachine is how far the processing of a transaction is (contract 23.3).
var ProcessingMachine = Machine{
	Name: "processing_status", Object: "transaction", Field: "processing_status",
	States: names(ProcessingNew, ProcessingUpdated, ProcessingQueued, ProcessingAddressDone, ProcessingExemptDone, ProcessingNexusDone,
		ProcessingProcessed, ProcessingPending, ProcessingExcluded, ProcessingNeedsRefetch, ProcessingFilingStarted, ProcessingFilingDone,
		ProcessingLocked, ProcessingArchived),
	Moves: slices.Concat(
		created([]ProcessingStatus{ProcessingQueued}, byHTTP, "a transaction or credit note is posted"),
		created([]ProcessingStatus{ProcessingNew}, byHTTP, "a row of a batch is accepted"),
		created([]ProcessingStatus{ProcessingArchived}, byHTTP, "type ARCHIVE"),
		moves([]ProcessingStatus{ProcessingNew, ProcessingUpdated}, []ProcessingStatus{ProcessingQueued}, byWorkflow, "its workflow starts"),
		[]Move{
			processing(ProcessingQueued, ProcessingPending, "status PENDING"),
			processing(ProcessingQueued, ProcessingExcluded, "status CANCELLED or INVALID"),
			processing(ProcessingQueued, ProcessingArchived, "status ARCHIVED"),
			processing(ProcessingQueued, ProcessingAddressDone, "destination and jurisdictions are known"),
			processing(ProcessingQueued, ProcessingNeedsRefetch, "no taxable place"),
			processing(ProcessingAddressDone, ProcessingExemptDone, "exemptions are decided"),
			processing(ProcessingExemptDone, ProcessingNexusDone, "nexus counters are updated"),
			processing(ProcessingNexusDone, ProcessingProcessed, "tax, liability and conversion are stored"),
			processing(ProcessingNexusDone, ProcessingNeedsRefetch, "no conversion rate"),
			processing(ProcessingNeedsRefetch, ProcessingQueued, "conversion rate or address data are loaded"),
			processing(ProcessingProcessed, ProcessingQueued, "an obligation started in the past; not locked"),
			{string(ProcessingProcessed), string(ProcessingFilingStarted), byHTTPOrTimer, "a filing claims the transaction"},
			{string(ProcessingFilingStarted), string(ProcessingFilingDone), byHTTPOrWorkflow, "the filing is FILED"},
			{string(ProcessingProcessed), string(ProcessingFilingDone), byHTTP, "a filing is recorded as FILED"},
			{string(ProcessingFilingStarted), string(ProcessingProcessed), byHTTP, "the filing is released and no other holds the transaction"},
			processing(ProcessingFilingDone, ProcessingLocked, "report and hash are stored"),
		},
		moves(editable, []ProcessingStatus{ProcessingUpdated}, byHTTP, "the transaction is updated"),
		moves(editable, []ProcessingStatus{ProcessingArchived}, byHTTP, "the transaction is archived"),
	),
}

// editable are the processing states in which a transaction is not locked.
var editable = []ProcessingStatus{
	ProcessingNew, ProcessingUpdated, ProcessingQueued, ProcessingAddressDone, ProcessingExemptDone, ProcessingNexusDone,
	ProcessingProcessed, ProcessingPending, ProcessingExcluded, ProcessingNeedsRefetch,
}

func processing(from, to ProcessingStatus, guard string) Move {
	return Move{From: string(from), To: string(to), By: byWorkflow, Guard: guard}
}
