package tax_test

import (
	"encoding/json"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"levy/tax"
)

// A sale that is marked as one of a marketplace counts as owed by the marketplace. If no law says so, or not for this
// seller, the answer warns.
// Sources: Directive 2006/112/EC, article 14a; Excise Tax Act, section 211.23; the laws of the states.
func TestWhoOwesTheTaxOfAMarketplaceIsDoubted(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		sale   abroad
		seller string
		says   string // empty: nothing
	}{
		{abroad{to: "US-FL 33101", class: "PHYSICAL", amount: "10"}, "US", ""},
		{
			abroad{to: "US-FL 33101", class: "PHYSICAL", amount: "10", day: "2021-06-30"}, "US",
			"the law of Florida by which a marketplace owes it begins on 2021-07-01 (Fla. Stat. 212.05965)",
		},
		{abroad{to: "US-FL 33101", class: "PHYSICAL", amount: "10", day: "2021-07-01"}, "US", ""},
		{abroad{to: "US-FL 33101", class: "FOOD", amount: "10", day: "2020-07-01"}, "US", ""}, // free of tax anyway
		{abroad{to: "US-MO 63101", class: "PHYSICAL", amount: "10", day: "2022-12-31"}, "US", "begins on 2023-01-01"},
		{abroad{to: "US-PR 00901", class: "PHYSICAL", amount: "10"}, "US", ""},
		{abroad{to: "US-OR 97201", class: "PHYSICAL", amount: "10"}, "US", ""},
		{
			abroad{to: "DE", from: "DE", class: "PHYSICAL", amount: "10", currency: "EUR"}, "DE",
			"only for sellers who are established outside the European Union, and for goods that come from there (Directive " +
				"2006/112/EC art. 14a)",
		},
		{abroad{to: "DE", from: "DE", class: "PHYSICAL", amount: "10", currency: "EUR"}, "FR", "established outside the European Union"},
		{abroad{to: "DE", from: "DE", class: "PHYSICAL", amount: "10", currency: "EUR"}, "", "established outside the European Union"},
		{abroad{to: "DE", from: "DE", class: "PHYSICAL", amount: "10", currency: "EUR"}, "US", ""},
		{abroad{to: "DE", from: "US-NY 10118", class: "PHYSICAL", amount: "10", currency: "EUR"}, "DE", ""},
		{abroad{to: "DE", from: "US-NY 10118", class: "PHYSICAL", amount: "200", currency: "EUR"}, "DE", ""}, // at the border
		{
			abroad{to: "DE", from: "DE", class: "PHYSICAL", amount: "10", currency: "EUR", day: "2021-06-30"}, "US",
			"begins on 2021-07-01",
		},
		{abroad{to: "DE", from: "DE", class: "EBOOK", amount: "10", currency: "EUR"}, "DE", ""},
		{
			abroad{to: "DE", from: "DE", class: "REPAIR", amount: "10", currency: "EUR"}, "US",
			"no law of Germany by which a marketplace owes the tax of class REPAIR",
		},
		{abroad{to: "GB SW1A 1AA", from: "GB SW1A 1AA", class: "PHYSICAL", amount: "10"}, "GB", "established abroad"},
		{abroad{to: "GB SW1A 1AA", from: "GB SW1A 1AA", class: "PHYSICAL", amount: "10"}, "US", ""},
		{abroad{to: "CH", from: "CH", class: "PHYSICAL", amount: "10", day: "2024-12-31"}, "CH", "begins on 2025-01-01"},
		{abroad{to: "CH", from: "CH", class: "PHYSICAL", amount: "10"}, "CH", ""},
		{abroad{to: "NO", from: "NO", class: "PHYSICAL", amount: "10"}, "NO", "established abroad"},
		{abroad{to: "US-FL 33101", class: "ADMISSION", amount: "10"}, "US", "no law of Florida by which a marketplace owes"},
		{abroad{to: "US-FL 33101", class: "PREPARED_FOOD", amount: "10"}, "US", "of class PREPARED_FOOD"},
		{abroad{to: "US-NY 10118", class: "REPAIR", amount: "10"}, "US", "no law of New York"},
		{abroad{to: "US-NY 10118", class: "PREPARED_FOOD", amount: "10"}, "US", "no law of New York"},
		{abroad{to: "US-NY 10118", class: "SOFTWARE_DOWNLOAD", amount: "10"}, "US", ""}, // tangible by its law
		{abroad{to: "US-AZ 85001", class: "PREPARED_FOOD", amount: "10"}, "US", "no law of Arizona"},
		{abroad{to: "US-MD 21201", class: "PHYSICAL", amount: "10"}, "US", ""},
		{abroad{to: "US-MD 21201", class: "STREAMING", amount: "10"}, "US", ""},
		{abroad{to: "US-MD 21201", class: "CLEANING", amount: "10"}, "US", "no law of Maryland"},
		{abroad{to: "US-WA 98101", class: "REPAIR", amount: "10"}, "US", ""},
	} {
		req := test.sale.request(t)
		for _, marketplace := range []bool{true, false} {
			req.Marketplace, req.Seller = marketplace, test.seller
			r, err := loaded(t).Calculate(req)
			require.NoError(t, err)
			if test.says == "" || !marketplace {
				require.NotContains(t, codesOf(r), tax.WarningMarketplaceUnsure, "%+v", test)
				continue
			}
			require.Contains(t, codesOf(r), tax.WarningMarketplaceUnsure, "%+v", test)
			require.Contains(t, fmt.Sprint(r.Warnings), test.says)
		}
		again, err := loaded(t).Calculate(req)
		require.NoError(t, err)
		repeated, err := again.Explanation.Request()
		require.NoError(t, err)
		require.Equal(t, req.Seller, repeated.Seller)
	}
}

// In Canada a marketplace owes GST, HST and QST only for sellers who are not registered for them. It owes the taxes of
// the other provinces for all sellers.
// Sources: Excise Tax Act, s. 211.13 and 211.23; bulletins PST-142, PST-5 and 064 of the provinces.
func TestAMarketplaceInCanadaOwesForSellersWhoAreNotRegistered(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		sale       abroad
		registered []string // nil: not known
		says       string
	}{
		{abroad{to: "CA-ON M5V 3L9", class: "PHYSICAL", amount: "10"}, nil, "not registered in Canada"},
		{abroad{to: "CA-ON M5V 3L9", class: "PHYSICAL", amount: "10"}, []string{"CA"}, "not registered in Canada"},
		{abroad{to: "CA-ON M5V 3L9", class: "PHYSICAL", amount: "10"}, []string{}, ""},
		{abroad{to: "CA-QC H2Y 1C6", class: "PHYSICAL", amount: "10"}, []string{}, ""},
		{abroad{to: "CA-QC H2Y 1C6", class: "PHYSICAL", amount: "10"}, []string{"CA-QC"}, "not registered in Quebec"},
		{
			abroad{to: "CA-QC H2Y 1C6", class: "PHYSICAL", amount: "10", day: "2020-01-01"}, []string{},
			"the law of Canada by which a marketplace owes it begins on 2021-07-01",
		},
		{abroad{to: "CA-BC V6B 1A1", class: "PHYSICAL", amount: "10"}, []string{}, ""},
		{abroad{to: "CA-BC V6B 1A1", class: "PHYSICAL", amount: "10"}, []string{"CA-BC"}, ""},
		{
			abroad{to: "CA-BC V6B 1A1", class: "PHYSICAL", amount: "10", day: "2022-06-30"}, []string{},
			"the law of British Columbia by which a marketplace owes it begins on 2022-07-01",
		},
		{abroad{to: "CA-SK S4P 3Y2", class: "PHYSICAL", amount: "10"}, []string{"CA-SK"}, ""},
		{abroad{to: "CA-MB R3C 1A5", class: "PHYSICAL", amount: "10"}, []string{}, ""},
		{abroad{to: "CA-MB R3C 1A5", class: "STREAMING", amount: "10"}, []string{}, "no law of Manitoba"},
		{abroad{to: "CA-AB T2P 1J9", class: "PHYSICAL", amount: "10"}, []string{}, ""},
	} {
		req := test.sale.request(t)
		req.Marketplace, req.Seller, req.Registered = true, "CA", test.registered
		r, err := loaded(t).Calculate(req)
		require.NoError(t, err)
		if test.says == "" {
			require.NotContains(t, codesOf(r), tax.WarningMarketplaceUnsure, "%+v", test)
		} else {
			require.Contains(t, codesOf(r), tax.WarningMarketplaceUnsure, "%+v", test)
			require.Contains(t, fmt.Sprint(r.Warnings), test.says)
		}
		stored, err := json.Marshal(r.Explanation)
		require.NoError(t, err)
		var read tax.Explanation
		require.NoError(t, json.Unmarshal(stored, &read))
		repeated, err := read.Request()
		require.NoError(t, err)
		require.Equal(t, test.registered, repeated.Registered)
		again, err := loaded(t).Calculate(repeated)
		require.NoError(t, err)
		require.Equal(t, r.Explanation.InputHash, again.Explanation.InputHash)
	}
}
