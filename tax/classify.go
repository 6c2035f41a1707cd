package tax

import "strings"

// Category is one entry of the product catalogue.
type Category struct {
	Name               string        `json:"name"`
	DisplayName        string        `json:"display_name"`
	DefaultSubcategory string        `json:"default_subcategory"`
	Subcategories      []Subcategory `json:"subcategories"`
	class              TaxClass
	displayKey         string // DisplayName as it is compared
}

// Subcategory is a finer kind of product; it decides the tax class.
type Subcategory struct {
	Name        string   `json:"name"`
	DisplayName string   `json:"display_name"`
	Description string   `json:"description"`
	Example     string   `json:"example"`
	TaxClass    TaxClass `json:"tax_class"`
	IsFrequent  bool     `json:"is_frequent"`
	displayKey  string
}

// Categories is the product catalogue in its fixed order. The caller must not
// change it.
func (c *Content) Categories() []Category { return c.categories }

// Classify finds the tax class of a category and subcategory. Names match
// without regard to case, with spaces and dashes as underscores; display names
// work too. An unknown or empty subcategory gives the default of the category;
// ok is false when the category is unknown.
func (c *Content) Classify(category, subcategory string) (class TaxClass, how Classification, ok bool) {
	name := catalogueKey(category)
	for i := range c.categories {
		cat := &c.categories[i]
		if name != cat.Name && name != cat.displayKey {
			continue
		}
		sub := catalogueKey(subcategory)
		if other, ok := synonyms[sub]; ok {
			sub = other
		}
		for j := range cat.Subcategories {
			s := &cat.Subcategories[j]
			if sub == s.Name || sub == s.displayKey {
				return s.TaxClass, ClassificationSubcategory, true
			}
		}
		return cat.class, ClassificationCategoryDefault, true
	}
	return "", "", false
}

// synonyms are further names of subcategories that clients send.
var synonyms = map[string]string{
	"CUSTOM_SOFTWARE_ON_PERSONAL_PROPERTY":    "SOFTWARE_ON_PERSONAL_PROPERTY",
	"CUSTOMIZATION_OF_SOFTWARE":               "CUSTOM_SOFTWARE_DOWNLOADED",
	"SECURITY_SERVICES_ELECTRONIC_MONITORING": "SECURITY_SERVICES",
	"LEASES_AND_RENTALS_TANGIBLE_PROPERTY":    "LEASES_AND_RENTALS",
	"UTILITIES_FUEL":                          "UTILITIES",
	"NUTRITION_BARS":                          "GROCERY_FOOD",
	"ENERGY_DRINKS":                           "SOFT_DRINKS",
	"CREDIT_CARD_FEES":                        "CREDIT_CARD_SURCHARGES",
	"DANCE_LESSONS":                           "EDUCATION",
	"LAWN_CARE":                               "LANDSCAPING",
	"JANITORIAL":                              "CLEANING",
	"DISCOUNT":                                "MISCELLANEOUS_EXEMPT",
	"GENERAL_TRADE_INS":                       "MISCELLANEOUS_EXEMPT",
}

var catalogueKeys = strings.NewReplacer(" ", "_", "-", "_")

// catalogueKey is a name as it is compared. Most are written that way already.
func catalogueKey(s string) string {
	written := func(c rune) bool { return c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '_' }
	if !strings.ContainsFunc(s, func(c rune) bool { return !written(c) }) {
		return s
	}
	return strings.ToUpper(catalogueKeys.Replace(strings.TrimSpace(s)))
}
