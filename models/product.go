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
	ConnectionID       *string
	CreatedAt          time.Time
	UpdatedAt          time.Time
}
