package models

// TransactionDraft is a validated transaction that is not stored yet: the record with its identifiers, and data for the
// decisions of the store.
type TransactionDraft struct {
	Transaction
	Actor Actor
	// CustomerIDSent is the submitted customer id: it must exist and belong to the customer's external id.
	// CustomerIDPath is the path of its first field in the request.
	CustomerIDSent string
	CustomerIDPath string
	// FilingIDSent must exist. It has no other effect.
	FilingIDSent string
	// LinkedExemptions are ids of stored exemptions with their paths in the request. New exemptions are in
	// Transaction.Exemptions.
	LinkedExemptions []LinkedExemption
	// TotalMissing means that a row of a file has no total: it was summed up, or is unknown.
	TotalMissing bool
	// Leaf is the leaf of this version in the ledger, see package ledger. It is made when the draft is stored.
	Leaf []byte
	// Background drafts are submitted in bulk and processed while no recent transaction waits.
	Background bool
}

// LinkedExemption is a request's reference to a stored exemption.
type LinkedExemption struct {
	ID   string
	Path string
}

// BuildUpdate returns the new version of a transaction, with the id of the stored one. It may be called more than once.
type BuildUpdate func(stored *Transaction) (*TransactionDraft, error)

// RefundDraft is a validated credit note or tax refund that is not stored yet. RelatedTo names the original,
// which gives it its customer, its marketplace and missing fields of the request.
type RefundDraft struct {
	TransactionDraft
	OwnAddresses bool // the request has addresses; otherwise those of the original are copied
	OwnSource    bool // the request has a source
	WithoutDay   bool // the request says nothing about the day but an instant: the zone of the original decides it
	// Named means that the body names the original, not the path.
	Named bool
	// Ended means that it is imported history, which is stored unchanged. It takes nothing of its original,
	// which may have changed since.
	Ended bool
}

// SaleNames are the client's names of the records in an estimate. Empty names request nothing.
type SaleNames struct {
	ProductExternalIDs []string
	CustomerID         string
	CustomerExternalID string
}

// IsEmpty reports whether the sale refers to no record.
func (n SaleNames) IsEmpty() bool {
	return len(n.ProductExternalIDs) == 0 && n.CustomerID == "" && n.CustomerExternalID == ""
}

// SaleRecords are the records with the names in SaleNames.
type SaleRecords struct {
	Products map[string]Product // by external id, with the fields that decide their tax
	// Customer is the customer with the id or, without an id, with the external id; nil if there is none.
	Customer *Customer
	// Exemptions are the exemptions of the customer, without those for one transaction.
	Exemptions []Exemption
}
