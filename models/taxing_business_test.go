package models

import (
	"testing"

	"github.com/stretchr/testify/require"

	"levy/tax"
)

// The business address is the origin unless the sale says where it starts, and the
// destination only of a sale that has none, where the settings say so.
func TestBusinessAddress(t *testing.T) {
	t.Parallel()
	resolve := func(a tax.Address) tax.Place {
		if a == (tax.Address{}) {
			return tax.Place{Status: tax.StatusBlank}
		}
		return tax.Place{Status: tax.StatusVerified, Country: a.Country, State: a.State}
	}
	texas, ohio, newYork := tax.Address{Country: "US", State: "TX"}, "OH", "NY"
	country := "US"
	to := TransactionAddress{Type: ShipTo, Country: &country, State: &newYork}
	from := TransactionAddress{Type: ShipFrom, Country: &country, State: &ohio}
	for name, c := range map[string]struct {
		sale           Transaction
		origin, target string
	}{
		"origin of a sale that does not say it":    {Transaction{Addresses: []TransactionAddress{to}, Business: &Business{Address: texas}}, "TX", "NY"},
		"not of one that does":                     {Transaction{Addresses: []TransactionAddress{to, from}, Business: &Business{Address: texas}}, "OH", "NY"},
		"no destination unless the settings say":   {Transaction{Business: &Business{Address: texas}}, "TX", ""},
		"destination when they do":                 {Transaction{Business: &Business{Address: texas, Fallback: true}}, "TX", "TX"},
		"never of a sale that has a destination":   {Transaction{Addresses: []TransactionAddress{to}, Business: &Business{Address: texas, Fallback: true}}, "TX", "NY"},
		"nothing while the organization is silent": {Transaction{Addresses: []TransactionAddress{to}}, "", "NY"},
	} {
		destination, origin, _ := c.sale.Locate(resolve)
		require.Equal(t, c.target, destination.State, name)
		if c.origin == "" {
			require.Nil(t, origin, name)
			continue
		}
		require.Equal(t, c.origin, origin.State, name)
	}
}
