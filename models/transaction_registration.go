package models

import "slices"

// DependsOnRegistration reports whether the law asks where the seller is registered: for the sales of a marketplace, and
// for goods to Switzerland.
func (t *Transaction) DependsOnRegistration() bool {
	return t.Marketplace || t.Place != nil && t.Place.Country == "CH"
}

// SimulateRegistration adds a registration where the sale is delivered to those of the seller. For a marketplace nothing
// is simulated.
func (t *Transaction) SimulateRegistration() {
	if t.Marketplace || !t.DependsOnRegistration() {
		return
	}
	t.Obligations = append(slices.Clone(t.Obligations), NexusObligation{
		CountryCode: t.Place.Country, StateCode: t.Place.Country, Registered: &t.TaxDate,
	})
}
