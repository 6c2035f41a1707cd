package models_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"levy/models"
	"levy/tax/calendar"
)

// A group is a number or a text. Other values do not count, nor does a group of another country.
func TestTaxYearsOfTheUnitedKingdom(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		country, fields string
		want            calendar.TaxYear
	}{
		{"GB", "", calendar.TaxYear{}}, {"GB", `{"stagger":"2"}`, calendar.TaxYear{Stagger: 2}},
		{"GB", `{"stagger":3,"annual_end":12}`, calendar.TaxYear{Stagger: 3, AnnualEnd: time.December}},
		{"GB", `{"stagger":4,"annual_end":"13"}`, calendar.TaxYear{}}, {"GB", `{"stagger":0}`, calendar.TaxYear{}},
		{"GB", `{"stagger":{"is":1},"annual_end":null}`, calendar.TaxYear{}}, {"GB", `{"stagger":2.5}`, calendar.TaxYear{}},
		{"DE", `{"stagger":2}`, calendar.TaxYear{}},
	} {
		test.want.Country, test.want.State = test.country, test.country
		r := models.Registration{CountryCode: test.country, StateCode: test.country, JurisdictionSpecificFields: []byte(test.fields)}
		require.Equal(t, test.want, r.TaxYear(), test.fields)
	}
}
