package models

import (
	"time"

	"levy/tax"
)

// ProductStatus is the state of a catalogue entry. Every status may be sold.
type ProductStatus string

// Product states.
const (
	ProductApproved          ProductStatus = "APPROVED"
	ProductPartiallyApproved ProductStatus = "PARTIALLY_APPROVED"
	ProductPending           ProductStatus = "PENDING"
	ProductArchived          ProductStatus = "ARCHIVED"
)

// Product is an entry of an organization's catalogue with its tax classification.
type Product struct {
	OrganizationID     string `gorm:"primaryKey"`
	ID                 string `gorm:"primaryKey"`
	ExternalID         string
	Name               string
	ProductCategory    string
	ProductSubcategory *string
	TaxClass           tax.TaxClass
	Classification     tax.Classification
	TaxExempt          bool
	Description        *string
	Status             ProductStatus
	Source             string
	SKU                []string `gorm:"column:sku;serializer:json"`
	Code               string   // the merchant's own tax code of another system
	ConnectionID       *string
	CreatedAt          time.Time
	UpdatedAt          time.Time
}

// ClassificationFailed reports whether the submitted subcategory is not in the catalogue.
func (p Product) ClassificationFailed() bool {
	return p.ProductSubcategory != nil && p.Classification == tax.ClassificationCategoryDefault
}

// DefaultProduct is a product of every organization with a registration.
type DefaultProduct struct {
	ExternalID, Name, Category, Subcategory string
	Class                                   tax.TaxClass
}

// DefaultProducts are all default products. Once created they are ordinary products.
var DefaultProducts = []DefaultProduct{
	{"default-physical", "Physical goods", "PHYSICAL", "PHYSICAL_GENERAL", tax.ClassPhysical},
	{"default-digital", "Digital goods", "DIGITAL", "DIGITAL_GENERAL", tax.ClassDigital},
	{"default-service", "Services", "SERVICE", "SERVICE_GENERAL", tax.ClassService},
	{"default-software", "Software", "SOFTWARE", "SOFTWARE_DOWNLOADED", tax.ClassSoftwareDownload},
	{"default-food", "Food", "FOOD", "GROCERY_FOOD", tax.ClassFood},
	{"default-clothing", "Clothing", "CLOTHING", "GENERAL_CLOTHING", tax.ClassClothing},
	{"default-shipping", "Shipping", "MISCELLANEOUS", "SHIPPING", tax.ClassShipping},
}

// RecentSalesQuery selects sales of a product, the newest first.
type RecentSalesQuery struct {
	ProductID string
	Since     time.Time // no sale before it
	Lines     int       // of the product; then the query ends
}
