package models

import "slices"

//go:generate go run ./internal/statedoc ../docs/state-machines.md

// StateMachines are all state machines, in the order of the contract (23.1 to 23.8), and
// what the contract does not know.
func StateMachines() []StateMachine {
	return []StateMachine{
		TransactionTransitions, CreditNoteTransitions, RefundTransitions, ProcessingTransitions, FilingTransitions,
		NexusTransitions, NexusProcessingTransitions, RegistrationTransitions, OnboardingTransitions,
		ExemptionTransitions, APIKeyTransitions, OrganizationTransitions, CustomerTransitions,
		ProductTransitions, ImportTransitions,
	}
}

var allTransactionStatuses = []TransactionStatus{
	StatusPending, StatusCommitted, StatusFullyRefunded, StatusPartiallyRefunded, StatusCancelled,
	StatusInvalid, StatusArchived,
}

// TransactionTransitions is the status of a sale (contract 23.1).
var TransactionTransitions = StateMachine{
	Name: "transaction_status", Object: "sale", Field: "status", States: names(allTransactionStatuses...),
	Transitions: slices.Concat(
		created(allTransactionStatuses, byHTTP, "FULLY_REFUNDED and PARTIALLY_REFUNDED are for imported history"),
		transitions([]TransactionStatus{StatusPending}, []TransactionStatus{
			StatusCommitted, StatusCancelled, StatusInvalid, StatusArchived,
		}, byHTTP, ""),
		transitions([]TransactionStatus{StatusCommitted}, []TransactionStatus{
			StatusCancelled, StatusInvalid, StatusArchived,
		}, byHTTP,
			"not locked, no credit note that is not cancelled"),
		transitions([]TransactionStatus{StatusFullyRefunded, StatusPartiallyRefunded},
			[]TransactionStatus{StatusCommitted, StatusCancelled, StatusArchived}, byHTTP, "not locked"),
		transitions([]TransactionStatus{
			StatusCancelled, StatusInvalid,
		}, []TransactionStatus{StatusCommitted, StatusArchived}, byHTTP, "not locked"),
	),
}

// CreditNoteTransitions is the status of a credit note or a tax refund (contract 23.2).
var CreditNoteTransitions = StateMachine{
	Name: "credit_note_status", Object: "credit note", Field: "status",
	States: names(StatusPending, StatusCommitted, StatusCancelled, StatusArchived),
	Transitions: slices.Concat(
		created([]TransactionStatus{
			StatusPending, StatusCommitted, StatusCancelled,
		}, byHTTP, "the original is COMMITTED and covers the amount"),
		created([]TransactionStatus{
			StatusCancelled, StatusArchived,
		}, byWorkflow, "imported: it has ended where it comes from"),
		transitions([]TransactionStatus{StatusPending}, []TransactionStatus{
			StatusCommitted, StatusCancelled,
		}, byHTTP, "the amount is checked again"),
		transitions([]TransactionStatus{StatusCommitted}, []TransactionStatus{StatusCancelled}, byHTTP, "not locked"),
		transitions([]TransactionStatus{
			StatusPending, StatusCancelled,
		}, []TransactionStatus{StatusArchived}, byHTTP, "by the archive call"),
	),
}

// RefundTransitions is how much of a sale has been credited (contract 23.1). NONE
// stands for the absent field.
var RefundTransitions = StateMachine{
	Name: "refund_status", Object: "sale", Field: "refund_status", States: []string{
		"NONE", string(StatusPartiallyRefunded), string(StatusFullyRefunded),
	},
	Transitions: slices.Concat(
		created([]string{
			"NONE", string(StatusPartiallyRefunded), string(StatusFullyRefunded),
		}, byHTTP, "the value sent counts until there is a credit note"),
		transitions([]string{"NONE"}, []TransactionStatus{
			StatusPartiallyRefunded, StatusFullyRefunded,
		}, byHTTP, "a credit note is committed"),
		transitions(
			[]TransactionStatus{StatusPartiallyRefunded}, []TransactionStatus{StatusFullyRefunded}, byHTTP,
			"the committed credit notes reach the creditable amount",
		),
		transitions(
			[]TransactionStatus{StatusFullyRefunded}, []TransactionStatus{StatusPartiallyRefunded}, byHTTP,
			"a credit note is cancelled",
		),
		transitions([]TransactionStatus{
			StatusPartiallyRefunded, StatusFullyRefunded,
		}, []string{"NONE"}, byHTTP, "the last credit note is cancelled"),
	),
}

// ProcessingTransitions is how far the processing of a transaction is (contract 23.3).
var ProcessingTransitions = StateMachine{
	Name: "processing_status", Object: "transaction", Field: "processing_status",
	States: names(ProcessingNew, ProcessingUpdated, ProcessingQueued, ProcessingAddressDone,
		ProcessingExemptDone, ProcessingNexusDone,
		ProcessingProcessed, ProcessingPending, ProcessingExcluded, ProcessingNeedsRefetch, ProcessingFilingStarted,
		ProcessingFilingDone,
		ProcessingLocked, ProcessingArchived),
	Transitions: slices.Concat(
		created([]ProcessingStatus{ProcessingQueued}, byHTTP, "a transaction or credit note is posted or imported"),
		created([]ProcessingStatus{ProcessingNew}, byHTTP, "a row of a batch is accepted"),
		created([]ProcessingStatus{ProcessingArchived}, byHTTP, "type ARCHIVE"),
		transitions([]ProcessingStatus{
			ProcessingNew, ProcessingUpdated,
		}, []ProcessingStatus{ProcessingQueued}, byWorkflow, "its workflow starts"),
		[]Transition{
			processing(ProcessingQueued, ProcessingPending, "status PENDING"),
			processing(ProcessingQueued, ProcessingExcluded, "status CANCELLED or INVALID"),
			processing(ProcessingQueued, ProcessingArchived, "status ARCHIVED"),
			processing(ProcessingQueued, ProcessingAddressDone, "destination and jurisdictions are known"),
			processing(ProcessingQueued, ProcessingNeedsRefetch, "no taxable place"),
			processing(ProcessingAddressDone, ProcessingExemptDone, "exemptions are decided"),
			processing(ProcessingExemptDone, ProcessingNexusDone, "nexus counters are updated"),
			processing(ProcessingNexusDone, ProcessingProcessed, "tax, liability and conversion are stored"),
			processing(ProcessingNexusDone, ProcessingNeedsRefetch, "no conversion rate"),
			{
				string(ProcessingNeedsRefetch), string(ProcessingQueued), byHTTPOrWorkflow,
				"conversion rate or address data are loaded, or by the reprocess call",
			},
			{
				string(ProcessingProcessed), string(ProcessingQueued), byHTTPOrWorkflow,
				"an obligation started in the past, or by the reprocess call; not locked",
			},
			{
				string(ProcessingProcessed), string(ProcessingFilingStarted), byHTTPOrTimer,
				"a filing claims the transaction",
			},
			{string(ProcessingFilingStarted), string(ProcessingFilingDone), byHTTPOrWorkflow, "the filing is FILED"},
			{string(ProcessingProcessed), string(ProcessingFilingDone), byHTTP, "a filing is recorded as FILED"},
			{
				string(ProcessingFilingStarted), string(ProcessingProcessed), byHTTP,
				"the filing is released and no other holds the transaction",
			},
			processing(ProcessingFilingDone, ProcessingLocked, "report and hash are stored"),
		},
		transitions(editable, []ProcessingStatus{ProcessingUpdated}, byHTTP, "the transaction is updated"),
		transitions(editable, []ProcessingStatus{ProcessingArchived}, byHTTP, "the transaction is archived"),
	),
}

// editable are the processing states in which a transaction is not locked.
var editable = []ProcessingStatus{
	ProcessingNew, ProcessingUpdated, ProcessingQueued, ProcessingAddressDone, ProcessingExemptDone, ProcessingNexusDone,
	ProcessingProcessed, ProcessingPending, ProcessingExcluded, ProcessingNeedsRefetch,
}

func processing(from, to ProcessingStatus, guard string) Transition {
	return Transition{From: string(from), To: string(to), By: byWorkflow, Guard: guard}
}
