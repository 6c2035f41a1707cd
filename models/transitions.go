package models

//go:generate go run ./internal/statedoc ../docs/state-machines.md

// StateMachines returns all state machines, in the order of the contract (23.1 to 23.8), and those that are not in the
// contract.
func StateMachines() []StateMachine {
	return []StateMachine{
		TransactionTransitions, CreditNoteTransitions, RefundTransitions, ProcessingTransitions, FilingTransitions,
		NexusTransitions, NexusProcessingTransitions, RegistrationTransitions, OnboardingTransitions,
		ExemptionTransitions, APIKeyTransitions, OrganizationTransitions, CustomerTransitions,
		ProductTransitions, ImportTransitions, NoticeTransitions,
	}
}

const allTransactionStatuses = "PENDING COMMITTED FULLY_REFUNDED PARTIALLY_REFUNDED CANCELLED INVALID ARCHIVED"

// TransactionTransitions is the status of a sale (contract 23.1).
var TransactionTransitions = StateMachine{
	Name: "transaction_status", Object: "sale", Field: "status", States: states(allTransactionStatuses),
	Transitions: table([]Transition{
		{"", allTransactionStatuses, byHTTP, "FULLY_REFUNDED and PARTIALLY_REFUNDED are for imported history"},
		{"PENDING", "COMMITTED CANCELLED INVALID ARCHIVED", byHTTP, ""},
		{"COMMITTED", "CANCELLED INVALID ARCHIVED", byHTTP, "not locked, no credit note that is not cancelled"},
		{"FULLY_REFUNDED PARTIALLY_REFUNDED", "COMMITTED CANCELLED ARCHIVED", byHTTP, "not locked"},
		{"CANCELLED INVALID", "COMMITTED ARCHIVED", byHTTP, "not locked"},
	}),
}

// CreditNoteTransitions is the status of a credit note or a tax refund (contract 23.2).
var CreditNoteTransitions = StateMachine{
	Name: "credit_note_status", Object: "credit note", Field: "status",
	States: states("PENDING COMMITTED CANCELLED ARCHIVED"),
	Transitions: table([]Transition{
		{"", "PENDING COMMITTED CANCELLED", byHTTP, "the original is COMMITTED and covers the amount"},
		{"", "CANCELLED ARCHIVED", byWorkflow, "imported: it has ended where it comes from"},
		{"PENDING", "COMMITTED CANCELLED", byHTTP, "the amount is checked again"},
		{"COMMITTED", "CANCELLED", byHTTP, "not locked"},
		{"PENDING CANCELLED", "ARCHIVED", byHTTP, "by the archive call"},
	}),
}

// RefundTransitions is how much of a sale has been credited (contract 23.1). NONE is the absent field.
var RefundTransitions = StateMachine{
	Name: "refund_status", Object: "sale", Field: "refund_status",
	States: states("NONE PARTIALLY_REFUNDED FULLY_REFUNDED"),
	Transitions: table([]Transition{
		{"", "NONE PARTIALLY_REFUNDED FULLY_REFUNDED", byHTTP, "the value sent counts until there is a credit note"},
		{"NONE", "PARTIALLY_REFUNDED FULLY_REFUNDED", byHTTP, "a credit note is committed"},
		{"PARTIALLY_REFUNDED", "FULLY_REFUNDED", byHTTP, "the committed credit notes reach the creditable amount"},
		{"FULLY_REFUNDED", "PARTIALLY_REFUNDED", byHTTP, "a credit note is cancelled"},
		{"PARTIALLY_REFUNDED FULLY_REFUNDED", "NONE", byHTTP, "the last credit note is cancelled"},
	}),
}

// editable are the processing statuses of a transaction that is not locked.
const editable = "NEW UPDATED QUEUED ADDRESS_DONE EXEMPT_DONE NEXUS_DONE PROCESSED PENDING EXCLUDED_IN_CALCULATION " +
	"NEEDS_REFETCH"

// ProcessingTransitions is the progress of the processing of a transaction (contract 23.3).
var ProcessingTransitions = StateMachine{
	Name: "processing_status", Object: "transaction", Field: "processing_status",
	States: states(editable + " FILING_STARTED FILING_DONE LOCKED ARCHIVED"),
	Transitions: table([]Transition{
		{"", "QUEUED", byHTTP, "a transaction or credit note is posted or imported"},
		{"", "NEW", byHTTP, "a row of a batch is accepted"},
		{"", "ARCHIVED", byHTTP, "type ARCHIVE"},
		{"NEW UPDATED", "QUEUED", byWorkflow, "its workflow starts"},
		{"QUEUED", "PENDING", byWorkflow, "status PENDING"},
		{"QUEUED", "EXCLUDED_IN_CALCULATION", byWorkflow, "status CANCELLED or INVALID"},
		{"QUEUED", "ARCHIVED", byWorkflow, "status ARCHIVED"},
		{"QUEUED", "ADDRESS_DONE", byWorkflow, "destination and jurisdictions are known"},
		{"QUEUED", "NEEDS_REFETCH", byWorkflow, "no taxable place"},
		{"ADDRESS_DONE", "EXEMPT_DONE", byWorkflow, "exemptions are decided"},
		{"EXEMPT_DONE", "NEXUS_DONE", byWorkflow, "nexus counters are updated"},
		{"NEXUS_DONE", "PROCESSED", byWorkflow, "tax, liability and conversion are stored"},
		{"NEXUS_DONE", "NEEDS_REFETCH", byWorkflow, "no conversion rate"},
		{
			"NEEDS_REFETCH", "QUEUED", byHTTPOrWorkflow,
			"conversion rate or address data are loaded, or by the reprocess call",
		},
		{
			"PROCESSED", "QUEUED", byHTTPOrWorkflow,
			"an obligation started in the past, or by the reprocess call; not locked",
		},
		{"PROCESSED", "FILING_STARTED", byHTTPOrTimer, "a filing claims the transaction"},
		{"FILING_STARTED", "FILING_DONE", byHTTPOrWorkflow, "the filing is FILED"},
		{"PROCESSED", "FILING_DONE", byHTTP, "a filing is recorded as FILED"},
		{"FILING_STARTED", "PROCESSED", byHTTP, "the filing is released and no other holds the transaction"},
		{"FILING_DONE", "LOCKED", byWorkflow, "report and hash are stored"},
		{editable, "UPDATED", byHTTP, "the transaction is updated"},
		{editable, "ARCHIVED", byHTTP, "the transaction is archived"},
	}),
}
