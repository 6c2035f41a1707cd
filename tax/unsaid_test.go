package tax_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"levy/tax"
)

// Where a state leaves a class to its cities, and what these do is not in the content, the answer says so.
func TestWhatCitiesDecideForThemselvesIsNotSure(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		to, class string
		unknown   bool
	}{
		{"Boulder, CO 80302", "FOOD", true}, // the city taxes food for home use
		{"Phoenix, AZ 85003", "FOOD", true}, // others in Arizona tax it
		{"Boulder, CO 80302", "PHYSICAL", false},
		{"Hempstead, NY 11550", "CLOTHING", false}, // the content lists who frees it
		{"Los Angeles, CA 90012", "FOOD", false},
	} {
		r := sale{test.to, test.class, "99.00", "", ""}.calculate(t)
		if !test.unknown {
			require.NotContains(t, codesOf(r), tax.WarningLocalTaxUnknown, test.to)
			continue
		}
		require.Equal(t, tax.ConfidenceLow, r.Confidence, test.to)
		require.Contains(t, codesOf(r), tax.WarningLocalTaxUnknown, test.to)
	}
}
