package tax

import (
	"slices"
	"strings"
)

// articled are the names of places that have an article in a sentence.
var articled = []string{
	"Azores", "Bahamas", "Cayman Islands", "Central African Republic", "Comoros", "Czech Republic", "District of Columbia",
	"Dominican Republic", "Faroe Islands", "Gambia", "Isle of Man", "Maldives", "Netherlands", "Northwest Territories",
	"Philippines", "United Arab Emirates", "United Kingdom", "United States",
}

// withArticle is the name of a place as it stands inside a sentence.
func withArticle(name string) string {
	if slices.Contains(articled, name) {
		return "the " + name
	}
	return name
}

// capital is a text as it begins a sentence.
func capital(text string) string { return strings.ToUpper(text[:1]) + text[1:] }
