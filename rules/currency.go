package rules

import (
	"golang.org/x/text/currency"
	"golang.org/x/text/language"

	"levy/tax/calendar"
	"levy/tax/nexus"
)

// changedCurrencies are changes of currency later than the tables of x/text.
var changedCurrencies = map[string]struct {
	from calendar.Date
	code string
}{
	"MR": {calendar.MustDate("2018-01-01"), "MRU"},
	"ST": {calendar.MustDate("2018-01-01"), "STN"},
	"VE": {calendar.MustDate("2018-08-20"), "VES"},
	"SL": {calendar.MustDate("2022-07-01"), "SLE"},
	"HR": {calendar.MustDate("2023-01-01"), "EUR"},
	"CW": {calendar.MustDate("2025-03-31"), "XCG"},
	"SX": {calendar.MustDate("2025-03-31"), "XCG"},
	"BG": {calendar.MustDate("2026-01-01"), "EUR"},
}

// CurrencyOf returns the currency of a country on a day, or false if the country
// is unknown or has none. That of the European Union as a whole is the euro.
func CurrencyOf(country string, day calendar.Date) (string, bool) {
	if country == nexus.EuropeanUnion {
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
