package models

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
