package models_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"levy/models"
	"levy/tax/calendar"
)

// The difference of an amendment of the one-stop shop is a correction of the next return. No law was read for a return that owes
// less than nothing.
func TestCreditOfTheOneStopShop(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		country  string
		category calendar.FilingCategory
		corrects bool
	}{
		{models.EuropeanUnion, models.FilingAmendment, true}, {models.EuropeanUnion, calendar.FilingRegular, false},
		{"NO", models.FilingAmendment, false},
	} {
		f := models.Filing{CountryCode: c.country, StateCode: c.country, FilingCategory: c.category}
		f.AmountCreditCarried = total(t, "18.00")
		findings := f.Findings()
		require.Len(t, findings, 1)
		require.Equal(t, "CREDIT_CARRIED WARNING 18.00", findings[0].Code+" "+findings[0].Severity+" "+findings[0].Amount)
		require.Equal(t, c.corrects, strings.Contains(findings[0].Message, "as a correction of this period"), c.country)
	}
}
