package models

import "levy/tax/nexus"

// Countries that rules and statements name, because their returns differ from one sum for the whole country.
const (
	UnitedStates  = "US"                // by state
	Canada        = "CA"                // to the federal authority and to the province
	UnitedKingdom = "GB"                // by a return of nine boxes
	EuropeanUnion = nexus.EuropeanUnion // of the one-stop shop, in addition to those of the members
)
