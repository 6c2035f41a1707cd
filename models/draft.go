package models

// TransactionDraft is a validated transaction on its way into the store: the
// record with its identifiers already minted, and what only the store can settle.
type TransactionDraft struct {
	Transaction
	Actor Actor
	// CustomerIDSent is the customer id of the request: it must exist and belong to
	// the customer's external id. CustomerIDLocation is where the request first has it.
	CustomerIDSent     string
	CustomerIDLocation string
	// FilingIDSent must exist; it has no other effect.
	FilingIDSent string
	// LinkedExemptions are ids of stored exemptions with the location of each in the
	// request; new exemptions stand in Transaction.Exemptions.
	LinkedExemptions []LinkedExemption
}

// LinkedExemption is a request's reference to a stored exemption.
type LinkedExemption struct {
	ID       string
	Location string
}

// BuildUpdate makes the new version of a transaction from the stored one, under
// whose id. It may be called more than once.
type BuildUpdate func(stored *Transaction) (*TransactionDraft, error)
