package tax_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"levy/tax"
	"levy/tax/content"
)

// In the states where the rates of many cities are missing, a place that the Census has in a ZIP is known all the same. A
// named one does not get the tax of the city of its post office. Neither does a ZIP of which most people live elsewhere.
func TestAPlaceWithoutARateIsNotTheCityOfItsPostOffice(t *testing.T) {
	t.Parallel()
	c := loaded(t)
	for to, not := range map[string]string{
		"Anthem, AZ 85086": "Phoenix", "Guadalupe, AZ 85283": "Tempe", "San Tan Valley, AZ 85140": "Queen Creek",
		"Sugar Creek, MO 64054": "Independence", "Irondale, AL 35210": "Birmingham", "Lucas, TX 75002": "Allen",
		"Balch Springs, TX 75180": "Mesquite", "Bartonville, IL 61607": "Peoria", "San Mateo, NM 87020": "Grants",
		"Fritz Creek, AK 99603": "Homer", ", AZ 85086": "Phoenix", ", AZ 85140": "Queen Creek",
	} {
		p := c.Resolve(address(to))
		r := sale{to, "PHYSICAL", "100.00", "", ""}.calculate(t)
		for _, item := range r.Lines[0].TaxItems {
			require.NotEqual(t, not, item.JurisdictionName, to)
		}
		require.NotEqual(t, tax.CompletenessComplete, p.Completeness, to)
		require.Equal(t, tax.ConfidenceLow, r.Confidence, to)
		require.Contains(t, codes(r), tax.WarningLocalTaxUnknown, to)
	}
	// The name of a post office settles nothing where many people of its ZIP pay another tax.
	r := sale{"Phoenix, AZ 85086", "PHYSICAL", "100.00", "", ""}.calculate(t)
	require.Contains(t, codes(r), tax.WarningAmbiguousPlace)
	// A ZIP that lies in one city is as sure as before.
	r = sale{"Phoenix, AZ 85003", "PHYSICAL", "100.00", "", ""}.calculate(t)
	require.Empty(t, r.Warnings)
	require.Equal(t, tax.ConfidenceHigh, r.Confidence)
}

// A ZIP keeps the names of its city that only add a word.
func TestANameThatAddsAWordIsKept(t *testing.T) {
	t.Parallel()
	d, err := content.Parse(content.Packed())
	require.NoError(t, err)
	var names []string
	for row, err := range d.Places {
		require.NoError(t, err)
		if row.ZIP == "99660" {
			names = append(names, strings.Clone(row.City))
		}
	}
	require.Equal(t, []string{"Saint Paul", "Saint Paul Island"}, names)
}
