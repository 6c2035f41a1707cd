package models

// OrganizationFilter selects organizations of a list. Empty parts select all.
type OrganizationFilter struct {
	Text     string // part of the name or external id, or an exact id
	Statuses []OrganizationStatus
	IsTest   *bool
}

// ProductFilter selects products of a list. Empty parts select all.
type ProductFilter struct {
	Text          string // part of the external id, the name or an SKU
	Statuses      []ProductStatus
	Categories    []string
	Subcategories []string
	Sources       []string
	ConnectionIDs []string
}
