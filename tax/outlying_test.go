package tax_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"levy/tax"
)

// Areas that are written like a state without being one: they have no tax of a state, and are never an unknown place.
func TestOutlyingAreasAreKnownPlacesWithoutTax(t *testing.T) {
	t.Parallel()
	const verified, partly = tax.StatusVerified, tax.StatusPartiallyVerified
	const invalid, unverifiable = tax.StatusInvalid, tax.StatusUnverifiable
	for _, test := range []struct {
		address        tax.Address
		country, state string
		status         tax.AddressStatus
		rule           string
	}{
		{tax.Address{Street1: "PSC 1 Box 2", City: "APO", State: "AE", PostalCode: "09012", Country: "US"}, "US", "AE",
			verified, "us-none"},
		{tax.Address{City: "FPO", State: "AP", PostalCode: "96349-1234", Country: "US"}, "US", "AP", verified, "us-none"},
		{tax.Address{City: "dpo", State: "aa", PostalCode: "34020"}, "US", "AA", verified, "us-none"},
		{tax.Address{City: "APO", State: "Armed Forces Europe", Country: "US"}, "US", "AE", partly, "us-none"},
		{tax.Address{City: "APO", PostalCode: "09012", Country: "US"}, "US", "AE", partly, "us-none"},
		{tax.Address{City: "APO", State: "NY", PostalCode: "09012", Country: "US"}, "US", "AE", partly, "us-none"},
		{tax.Address{City: "APO", State: "AE", PostalCode: "10118", Country: "US"}, "US", "AE", invalid, "us-none"},
		{tax.Address{City: "APO", State: "AE", PostalCode: "nine", Country: "US"}, "US", "AE", invalid, "us-none"},
		{tax.Address{FullAddress: "PSC 1 Box 2, APO AE 09012"}, "US", "AE", verified, "us-none"},
		{tax.Address{City: "Hagåtña", State: "GU", PostalCode: "96910", Country: "US"}, "GU", "GU", unverifiable, "gu-none"},
		{tax.Address{City: "Tamuning", PostalCode: "96913", Country: "US"}, "GU", "GU", unverifiable, "gu-none"},
		{tax.Address{City: "Tamuning", PostalCode: "96913", Country: "GU"}, "GU", "", unverifiable, "gu-none"},
		{tax.Address{FullAddress: "1 Marine Dr, Tamuning, Guam 96913"}, "GU", "GU", unverifiable, "gu-none"},
		{tax.Address{City: "Saint Thomas", State: "U.S. Virgin Islands", PostalCode: "00802", Country: "US"}, "VI",
			"VI", unverifiable, "vi-none"},
		{tax.Address{City: "Pago Pago", State: "AS", PostalCode: "96799", Country: "US"}, "AS", "AS",
			unverifiable, "as-none"},
		{tax.Address{City: "Saipan", State: "MP", PostalCode: "96950"}, "MP", "MP", unverifiable, "mp-none"},
		{tax.Address{PostalCode: "96799", Country: "US"}, "AS", "AS", unverifiable, "as-none"}, // the first and last ZIPs
		{tax.Address{PostalCode: "96910", Country: "US"}, "GU", "GU", unverifiable, "gu-none"},
		{tax.Address{PostalCode: "96932", Country: "US"}, "GU", "GU", unverifiable, "gu-none"},
		{tax.Address{PostalCode: "00801", Country: "US"}, "VI", "VI", unverifiable, "vi-none"},
		{tax.Address{PostalCode: "00851", Country: "US"}, "VI", "VI", unverifiable, "vi-none"},
	} {
		place := loaded(t).Resolve(test.address)
		require.Equal(t, []any{test.country, test.state, test.status, true},
			[]any{place.Country, place.State, place.Status, place.Known()}, "%+v: %s", test.address, place.Reason)
		require.Empty(t, place.Jurisdictions)
		req := abroad{to: "FR", class: "PHYSICAL", amount: "100"}.request(t)
		req.Destination = place
		result, err := loaded(t).Calculate(req)
		require.NoError(t, err)
		require.Equal(t, []any{test.rule + " 0.00", tax.ExemptionNoRuleFound, false},
			[]any{parts(result.Lines[0]), result.Lines[0].TaxExemption, result.Lines[0].Exempt}, "%+v", test.address)
	}
	// The United Arab Emirates have the code of the Armed Forces Europe.
	place := loaded(t).Resolve(tax.Address{City: "Dubai", Country: "AE"})
	require.Equal(t, "AE", place.Country)
	// A city of that name is no military post office, and a ZIP of a state belongs to the state.
	place = loaded(t).Resolve(tax.Address{City: "New York", State: "NY", PostalCode: "10118", Country: "US"})
	require.Equal(t, "NY", place.State)
}

// Büsingen lies in Germany and in the customs territory of Switzerland, whose tax is due there. MWSTG article 3(a).
func TestBuesingenIsTaxedLikeSwitzerland(t *testing.T) {
	t.Parallel()
	place := loaded(t).Resolve(tax.Address{Country: "DE", PostalCode: "78266", City: "Büsingen"})
	require.Equal(t, "CH", place.Country)
	require.Contains(t, place.Reason, "Büsingen is taxed like Switzerland")
	for _, test := range []struct{ from, to, tax string }{
		{"CH 8200", "DE 78266", "8.10"}, {"DE 78266", "CH 8200", "8.10"}, {"DE 78266", "DE 78266", "8.10"},
		{"DE 78224", "DE 78266", "0.00"}, // on import
	} {
		r, err := loaded(t).Calculate(abroad{
			to: test.to, from: test.from, class: "PHYSICAL", amount: "100.00", currency: "CHF",
		}.request(t))
		require.NoError(t, err)
		require.Equal(t, test.tax, r.Tax.String(), "%s to %s: %v", test.from, test.to, r.Warnings)
	}
}
