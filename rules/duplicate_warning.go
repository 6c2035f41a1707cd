package rules

import (
	"slices"

	"levy/models"
	"levy/tax"
)

// warningPossibleDuplicate is the code of a sale that another connection may have brought, too.
const warningPossibleDuplicate tax.WarningCode = "POSSIBLE_DUPLICATE"

// warnOfDuplicate adds a warning to a sale if another connection brought a sale with the same second identifier.
func warnOfDuplicate(t models.Transaction, result *tax.Result) {
	certainty := result.Explanation.Certainty
	// guard: duplicates: an order of two connections is told
	if certainty == nil || t.DuplicateOf == "" {
		return
	}
	certainty.Warnings = append(slices.Clip(certainty.Warnings), tax.Warning{
		Code: warningPossibleDuplicate,
		Message: "The sale " + t.DuplicateOf + " has the same secondary_external_id, " + text(t.SecondaryExternalID) + ", and came from " +
			"another connection: both may be one order. If they are, cancel one of them, or its tax is owed twice.",
	})
}
