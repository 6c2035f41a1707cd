package models

import "levy/tax"

// DefaultProduct is a product that every organization with a registration has.
type DefaultProduct struct {
	ExternalID, Name, Category, Subcategory string
	Class                                   tax.TaxClass
}

// DefaultProducts are all of them. Once created they are ordinary products.
var DefaultProducts = []DefaultProduct{
	{"default-physical", "Physical goods", "PHYSICAL", "PHYSICAL_GENERAL", tax.ClassPhysical},
	{"default-digital", "Digital goods", "DIGITAL", "DIGITAL_GENERAL", tax.ClassDigital},
	{"default-service", "Services", "SERVICE", "SERVICE_GENERAL", tax.ClassService},
	{"default-software", "Software", "SOFTWARE", "SOFTWARE_DOWNLOADED", tax.ClassSoftwareDownload},
	{"default-food", "Food", "FOOD", "GROCERY_FOOD", tax.ClassFood},
	{"default-clothing", "Clothing", "CLOTHING", "GENERAL_CLOTHING", tax.ClassClothing},
	{"default-shipping", "Shipping", "MISCELLANEOUS", "SHIPPING", tax.ClassShipping},
}
