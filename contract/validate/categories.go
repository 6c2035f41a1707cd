package validate

import (
	"slices"
	"strings"
)

// Category is a category of products, or one of its subcategories.
type Category struct {
	Name, DisplayName string
	Subcategories     []Category
}

// unknownCategoryMessage returns the message for a text that is no product category. It lists the categories and names
// the entries of the catalogue that are similar, because many clients send a subcategory as category.
func (v *Run) unknownCategoryMessage(text string) string {
	const whole = "GET /v1/products/categories lists them with their subcategories."
	if v.checker.options.Categories == nil {
		return "There is no such product category. " + whole
	}
	categories := v.checker.options.Categories()
	names := make([]string, len(categories))
	for i, category := range categories {
		names[i] = category.Name
	}
	message := v.fieldName() + " must be one of " + strings.Join(names, ", ") + ". "
	if v.compared < maxCompared {
		v.compared++
		if near := nearestEntries(categories, text); near != nil {
			message += "Nearest: " + strings.Join(near, ", ") + ". "
		}
	}
	return message + whole
}

// nearestEntries returns the categories and subcategories whose name or display name is most similar to a text.
func nearestEntries(categories []Category, text string) (near []string) {
	var names []string
	entryOf, parents := map[string]string{}, map[string][]string{} // entries by name, categories of a subcategory
	add := func(entry, display string) {
		for _, name := range []string{entry, strings.ToUpper(asEntry.Replace(display))} {
			if name != "" && entryOf[name] == "" {
				names, entryOf[name] = append(names, name), entry
			}
		}
	}
	for _, category := range categories {
		add(category.Name, category.DisplayName)
		for _, sub := range category.Subcategories {
			if sub.Name != category.Name {
				add(sub.Name, sub.DisplayName)
				parents[sub.Name] = append(parents[sub.Name], category.Name)
			}
		}
	}
	for _, name := range nearest(names, asEntry.Replace(text)) {
		entry := entryOf[name]
		if of := parents[entry]; of != nil {
			entry += " (a subcategory of " + strings.Join(of, " and ") + ")"
		}
		if !slices.Contains(near, entry) {
			near = append(near, entry)
		}
	}
	return near
}

// asEntry writes a text as the catalogue writes its names. Letter case does not matter.
var asEntry = strings.NewReplacer(" ", "_", "-", "_")
