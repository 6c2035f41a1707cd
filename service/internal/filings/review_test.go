package filings

import (
	"testing"

	"github.com/stretchr/testify/require"

	"levy/models"
)

// A return of a country as a whole has no state in the words of its approval.
func TestTheAttestationOfAReturnWithoutAState(t *testing.T) {
	t.Parallel()
	require.Contains(t, attestationOf(&models.Filing{CountryCode: "NL"}), "the return of NL for ")
	texas := "Texas"
	require.Contains(t, attestationOf(&models.Filing{CountryCode: "US", StateName: &texas}), "the return of Texas, US for ")
}
