package models

import "levy/tax/money"

// Codes of the checks before the approval of a filing.
const (
	CheckUnresolved    = "UNRESOLVED"        // transactions of the period that cannot be processed
	CheckCollected     = "NOTHING_COLLECTED" // tax is owed, and none was collected
	CheckUnusual       = "UNUSUAL_CHANGE"    // from the filing of the period before
	CheckFindings      = "FINDINGS"          // of the filing
	CheckFiguresKnown  = "FIGURES_MISSING"   // transactions whose figures are not written yet
	CheckNothingBefore = "NOTHING_BEFORE"    // no filing of a period before
)

// FilingCheck is the result of a check. Count is how many records did not pass.
type FilingCheck struct {
	Code   string
	Passed bool
	Count  int64
}

// Causes of a change of the tax in a place.
const (
	ChangeNewPlace    = "NEW_PLACE"
	ChangeNoSales     = "NO_SALES"
	ChangeRate        = "RATE"
	ChangeMoreTaxable = "MORE_TAXABLE"
	ChangeLessTaxable = "LESS_TAXABLE"
	ChangeOther       = "OTHER" // such as collected tax above or below the calculated one
)

// PlaceChange is the tax owed in a jurisdiction in a filing and in the one before, with the cause of the difference.
type PlaceChange struct {
	Level, Name         string
	Now, Before, Change money.Total
	Cause               string // "" if nothing changed
}
