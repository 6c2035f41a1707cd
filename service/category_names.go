package service

import (
	"levy/contract/validate"
	"levy/tax"
)

// categoryNames returns the names of the categories of products, with those of their subcategories.
func categoryNames(categories []tax.Category) []validate.Category {
	names := make([]validate.Category, len(categories))
	for i, category := range categories {
		names[i] = validate.Category{Name: category.Name, DisplayName: category.DisplayName}
		for _, sub := range category.Subcategories {
			names[i].Subcategories = append(names[i].Subcategories, validate.Category{
				Name: sub.Name, DisplayName: sub.DisplayName,
			})
		}
	}
	return names
}
