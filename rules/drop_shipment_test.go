package rules

import (
	"testing"

	"github.com/stretchr/testify/require"

	"levy/models"
	"levy/tax"
)

// A reseller of Texas has its goods shipped to New York. Its certificate of Texas frees nothing there.
func TestACertificateOfAnotherStateIsNotAppliedButNamed(t *testing.T) {
	t.Parallel()
	engine, err := tax.LoadContent()
	require.NoError(t, err)
	texas, newYork, everywhere := "TX", "NY", ""
	for _, c := range []struct {
		rule     string
		state    *string
		reseller bool
		city     tax.Address
		named    bool
		exempt   bool
	}{
		{"of another state", &texas, true, tax.Address{City: "New York", State: "NY", PostalCode: "10118", Country: "US"},
			true, false},
		{"of the state", &newYork, true, tax.Address{City: "New York", State: "NY", PostalCode: "10118", Country: "US"},
			false, true},
		{"of the whole country", &everywhere, true,
			tax.Address{City: "New York", State: "NY", PostalCode: "10118", Country: "US"}, false, true},
		{"not for resale", &texas, false, tax.Address{City: "New York", State: "NY", PostalCode: "10118", Country: "US"},
			false, false},
		{"where no tax is due", &texas, true, tax.Address{City: "Portland", State: "OR", PostalCode: "97201", Country: "US"},
			false, false},
	} {
		sold := sale()
		place := engine.Resolve(c.city)
		sold.Place = &place
		sold.Items = lines("100.00")
		sold.Items[0].TaxClass = tax.ClassPhysical
		sold.Exemptions = []models.Exemption{{
			ID: "exmp_1", ExemptionType: models.ExemptionCustomer, Reseller: c.reseller, CountryCode: "US",
			Jurisdiction: c.state, Status: models.ExemptionActive,
		}}
		decided, err := DecideExemptions(sold)
		require.NoError(t, err)
		applyExemptions(decided, &sold)
		require.Equal(t, c.exempt, sold.Items[0].Exempt, c.rule)
		require.Equal(t, c.exempt, len(decided.Applied) > 0, c.rule)
		outcome, err := DecideTax(sold, noSettings, nil, engine.Calculate)
		require.NoError(t, err)
		named := false
		for _, w := range outcome.Certainty.Warnings {
			named = named || w.Code == warningDropShipment
		}
		require.Equal(t, c.named, named, c.rule)
		require.False(t, outcome.Outdated, c.rule)
		estimate, err := EstimateTax(&sold, nil, "", tax.NoReasons, engine.Calculate)
		require.NoError(t, err)
		require.Equal(t, c.named, len(estimate.Warnings) > 0 &&
			estimate.Warnings[len(estimate.Warnings)-1].Code == warningDropShipment, c.rule)
	}
}
