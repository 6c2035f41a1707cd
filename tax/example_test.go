package tax_test

import (
	"fmt"

	"github.com/govalues/decimal"

	"levy/tax"
	"levy/tax/calendar"
)

// A widget of 100 dollars is sent to Manhattan.
func ExampleContent_Calculate() {
	content, err := tax.LoadContent()
	if err != nil {
		panic(err)
	}
	place := content.Resolve(tax.Address{
		Street1: "350 5th Ave", City: "New York", State: "NY", PostalCode: "10118", Country: "US",
	})
	class, how, _ := content.Classify("PHYSICAL", "")
	result, err := content.Calculate(tax.Request{
		TaxDate: calendar.MustDate("2026-05-15"), Currency: "USD", Destination: place,
		Lines: []tax.Line{{Class: class, Classification: how, Amount: decimal.MustParse("100.00")}},
	})
	if err != nil {
		panic(err)
	}
	for _, item := range result.Lines[0].TaxItems {
		fmt.Println(item.Amount, item.JurisdictionName)
	}
	fmt.Println(result.Tax, "in all")
	for _, step := range result.Explanation.Steps {
		fmt.Println("-", step.Text)
	}
	// Output:
	// 4.00 New York
	// 4.50 New York City
	// 0.38 MCTD
	// 8.88 in all
	// - Taxed at the destination, New York, NY 10118. Sales are taxed where they are delivered.
	// - New York, New York County, New York City and MCTD: found by ZIP.
	// - Class PHYSICAL, the default of the product's category.
	// - Combined rate 8.875 % on 100.00 gives 8.875, rounded to 8.88.
	// - Rounded half away from zero, once per tax and line; jurisdictions add up to the lines and lines to the total.
}

// A ZIP code alone names a city and its jurisdictions.
func ExampleContent_Resolve() {
	content, err := tax.LoadContent()
	if err != nil {
		panic(err)
	}
	place := content.Resolve(tax.Address{PostalCode: "89101", Country: "US"})
	fmt.Println(place.City, place.State, place.Jurisdictions)
	// Output: Las Vegas NV [US-NV US-NV-C003 US-NV-D-statewide-local]
}
