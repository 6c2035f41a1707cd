package models

// TransactionDraft is a validated transaction on its way into the store: the
// record with its identifiers already minted, and what only the store can settle.
type TransactionDraft struct {
	Transaction
	Actor Actor
	// CustomerIDSent is the customer id of the request: it must exist and belong to
	// the customer's external id. CustomerIDPath is where the request first has it.
	CustomerIDSent string
	CustomerIDPath string
	// FilingIDSent must exist; it has no other effect.
	FilingIDSent string
	// LinkedExemptions are ids of stored exemptions with the path of each in the
	// request; new exemptions stand in Transaction.Exemptions.
	LinkedExemptions []LinkedExemption
	// TotalUnsaid is whether a row of a file has no total: it was added up, or is unknown.
	TotalUnsaid bool
	// Background drafts come in bulk and are processed while no recent transaction waits.
	Background bool
}

// LinkedExemption is a request's reference to a stored exemption.
type LinkedExemption struct {
	ID   string
	Path string
}

// BuildUpdate makes the new version of a transaction from the stored one, under
// whose id. It may be called more than once.
type BuildUpdate func(stored *Transaction) (*TransactionDraft, error)

// RefundDraft is a validated credit note or tax refund on its way into the store.
// RelatedTo names the original, which gives it its customer, its marketplace and
// what the request left open.
type RefundDraft struct {
	TransactionDraft
	OwnAddresses bool // the request has addresses; else those of the original are copied
	OwnSource    bool // the request has a source
	// Named says that the original is named in the body, not by the path.
	Named bool
	// Ended says that it is history, which is taken over as it stands: it takes nothing
	// of its original, which may have gone on since.
	Ended bool
}

// SaleNames are the records that a sale which is not stored refers to, in the
// client's words. Empty names ask for nothing.
type SaleNames struct {
	ProductExternalIDs []string
	CustomerID         string
	CustomerExternalID string
}

// IsEmpty reports whether the sale refers to no record.
func (n SaleNames) IsEmpty() bool {
	return len(n.ProductExternalIDs) == 0 && n.CustomerID == "" && n.CustomerExternalID == ""
}

// SaleRecords are the records found for SaleNames.
type SaleRecords struct {
	Products map[string]Product // by external id, with what decides their tax
	// Customer is the one with the id or, without an id, with the external id; nil
	// when there is none.
	Customer *Customer
	// Exemptions are those of the customer that are not made for one transaction.
	Exemptions []Exemption
}
