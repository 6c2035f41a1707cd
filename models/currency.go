package models

import (
	"golang.org/x/text/currency"
	"golang.org/x/text/language"

	"levy/tax"
)

// changedCurrencies are changes of currency later than the tables of x/text.
var changedCurrencies = map[string]struct {
	from tax.Date
	code string
}{
	"MR": {tax.MustDate("2018-01-01"), "MRU"},
	"ST": {tax.MustDate("2018-01-01"), "STN"},
	"VE": {tax.MustDate("2018-08-20"), "VES"},
	"SL": {tax.MustDate("2022-07-01"), "SLE"},
	"HR": {tax.MustDate("2023-01-01"), "EUR"},
	"CW": {tax.MustDate("2025-03-31"), "XCG"},
	"SX": {tax.MustDate("2025-03-31"), "XCG"},
	"BG": {tax.MustDate("2026-01-01"), "EUR"},
}

// CurrencyOf returns the currency of a country on a day, or false if the country
// is unknown or has none. That of the European Union as a whole is the euro.
func CurrencyOf(country string, day tax.Date) (string, bool) {
	if country == tax.EuropeanUnion {
		return "EUR", true
	}
	if change, ok := changedCurrencies[country]; ok && day >= change.from {
		return change.code, true
	}
	region, err := language.ParseRegion(country)
	if err != nil {
		return "", false
	}
	unit, ok := currency.FromRegion(region)
	return unit.String(), ok
}
