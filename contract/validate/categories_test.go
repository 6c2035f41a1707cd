package validate

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestAnUnknownCategoryIsAnsweredWithTheNearest(t *testing.T) {
	t.Parallel()
	books := Category{Name: "BOOKS", DisplayName: "Books"}
	groceries := Category{Name: "GROCERY_FOOD", DisplayName: "Groceries"}
	checker := New(Options{Categories: func() []Category {
		return []Category{
			{Name: "PHYSICAL", DisplayName: "Physical", Subcategories: []Category{books, groceries}},
			{Name: "FOOD", DisplayName: "Food", Subcategories: []Category{groceries}},
			{Name: "SOFTWARE", DisplayName: "Software", Subcategories: []Category{{Name: "SAAS"}}},
		}
	}})
	run := checker.Begin(testNow)
	defer checker.End(run)
	const listed = "The value must be one of PHYSICAL, FOOD, SOFTWARE. "
	const whole = "GET /v1/products/categories lists them with their subcategories."
	for text, near := range map[string]string{
		"PHYSICALS":                   "Nearest: PHYSICAL. ",
		"soft ware":                   "Nearest: SOFTWARE. ",
		"Book":                        "Nearest: BOOKS (a subcategory of PHYSICAL). ",
		"groceries":                   "Nearest: GROCERY_FOOD (a subcategory of PHYSICAL and FOOD). ",
		"saas":                        "Nearest: SAAS (a subcategory of SOFTWARE). ",
		"entirely unlike all of them": "",
		strings.Repeat("x", 500):      "",
	} {
		require.Equal(t, listed+near+whole, run.unknownCategoryMessage(text), text)
	}
	run.compared = maxCompared
	require.Equal(t, listed+whole, run.unknownCategoryMessage("saas"), "a hostile batch costs no more comparisons")
	require.Equal(t, "There is no such product category. "+whole, (&Run{checker: New(Options{})}).unknownCategoryMessage("x"))
}
