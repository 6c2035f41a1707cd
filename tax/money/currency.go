package money

import "slices"

// withoutCents are the currencies whose smallest unit is a whole one. Source: ISO 4217, list one, minor unit 0.
var withoutCents = []string{
	"BIF", "CLP", "DJF", "GNF", "ISK", "JPY", "KMF", "KRW", "PYG", "RWF", "UGX", "UYI", "VND", "VUV", "XAF", "XOF", "XPF",
}

// UnitOf returns the smallest unit of a currency in hundredths: 100 for a yen, 1 for a cent. Amounts have two decimals
// in every currency.
func UnitOf(currency string) int64 {
	if slices.Contains(withoutCents, currency) {
		return 100
	}
	return 1
}
