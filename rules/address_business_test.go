package rules

import (
	"testing"

	"github.com/stretchr/testify/require"

	"levy/models"
	"levy/tax"
)

// The business address is the origin of a sale without one, and the destination of a sale without one where the
// settings allow it.
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
	to := models.TransactionAddress{Type: models.ShipTo, Country: &country, State: &newYork}
	from := models.TransactionAddress{Type: models.ShipFrom, Country: &country, State: &ohio}
	for name, c := range map[string]struct {
		sale           models.Transaction
		origin, target string
	}{
		"origin of a sale that does not say it": {
			models.Transaction{Addresses: []models.TransactionAddress{to}, Business: &models.Business{Address: texas}},
			"TX", "NY",
		},
		"not of a sale that has an origin": {
			models.Transaction{
				Addresses: []models.TransactionAddress{to, from}, Business: &models.Business{Address: texas},
			},
			"OH", "NY",
		},
		"no destination unless the settings say": {
			models.Transaction{Business: &models.Business{Address: texas}}, "TX", "",
		},
		"destination when they do": {
			models.Transaction{Business: &models.Business{Address: texas, Fallback: true}}, "TX", "TX",
		},
		"never of a sale that has a destination": {
			models.Transaction{
				Addresses: []models.TransactionAddress{to},
				Business:  &models.Business{Address: texas, Fallback: true},
			},
			"TX", "NY",
		},
		"nothing while the organization is silent": {
			models.Transaction{Addresses: []models.TransactionAddress{to}}, "", "NY",
		},
	} {
		destination, origin, _ := Locate(c.sale, resolve)
		require.Equal(t, c.target, destination.State, name)
		if c.origin == "" {
			require.Nil(t, origin, name)
			continue
		}
		require.Equal(t, c.origin, origin.State, name)
	}
}
