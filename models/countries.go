package models

import "levy/tax/nexus"

// Countries that rules and statements name, because their sales are not reported by one return for the whole country.
const (
	UnitedStates  = "US"                // by state
	Canada        = "CA"                // to the federal authority and to the province
	EuropeanUnion = nexus.EuropeanUnion // of the one-stop shop, in addition to those of the members
)
