package rules

import (
	"testing"

	"github.com/stretchr/testify/require"

	"levy/models"
	"levy/tax"
)

// A sale that another connection may have brought, too, is told with its name, the reason and the remedy.
func TestAnOrderOfTwoConnectionsIsTold(t *testing.T) {
	t.Parallel()
	for other, want := range map[string]int{"": 0, "SHOP-7": 1} {
		result := tax.Result{Explanation: tax.Explanation{Certainty: &tax.Certainty{}}}
		warnOfDuplicate(models.Transaction{SecondaryExternalID: new("ORDER-7"), DuplicateOf: other}, &result)
		warnings := result.Explanation.Certainty.Warnings
		require.Len(t, warnings, want)
		for _, w := range warnings {
			require.Equal(t, warningPossibleDuplicate, w.Code)
			require.Contains(t, w.Message, "The sale SHOP-7 has the same secondary_external_id, ORDER-7, and came from another connection")
			require.Contains(t, w.Message, "cancel one of them")
		}
	}
	warnOfDuplicate(models.Transaction{DuplicateOf: "SHOP-7"}, &tax.Result{}) // an earlier release calculated it
}
