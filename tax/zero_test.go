package tax_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"levy/tax"
)

// A result without tax follows from a law or has a warning: every class of the catalogue, in every state, province
// and country with content. A zero cites the rule that frees the class, or the answer warns that there is no rule.
func TestNoZeroTaxWithoutARuleOrAWarning(t *testing.T) {
	t.Parallel()
	c := loaded(t)
	places := strings.Fields(`CA-AB CA-BC CA-MB CA-NB CA-NL CA-NS CA-NT CA-NU CA-ON CA-PE CA-QC CA-SK CA-YT
		US-DE US-MT US-NH US-OR CH GB NO BR EG`)
	for _, p := range c.Nexus().Places() {
		if p.Country == "US" {
			places = append(places, "US-"+p.State)
		} else if p.State == "" && p.Country != "CA" && p.Country != "ZZ_EU" {
			places = append(places, p.Country)
		}
	}
	slices.Sort(places)
	places = slices.Compact(places)
	require.Greater(t, len(places), 90)
	classes := map[tax.TaxClass]bool{}
	for _, category := range c.Categories() {
		for _, s := range category.Subcategories {
			classes[s.TaxClass] = true
		}
	}
	delete(classes, tax.ClassNotTaxable)
	freed := []tax.TaxExemption{tax.ExemptionProduct, tax.ExemptionRegion, tax.ExemptionZeroRate}
	for _, place := range places {
		for class := range classes {
			r, err := c.Calculate(abroad{to: place, class: string(class), amount: "100.00"}.request(t))
			require.NoError(t, err)
			if r.Tax.IsPos() {
				continue
			}
			line := r.Lines[0]
			require.NotEmpty(t, line.TaxItems, "%s in %s", class, place)
			if line.TaxExemption == tax.ExemptionNoRuleFound {
				require.Contains(t, codesOf(r), tax.WarningNoRuleFound, "%s in %s", class, place)
				require.False(t, line.Exempt, "%s in %s", class, place)
				continue
			}
			for _, item := range line.TaxItems {
				require.NotEmpty(t, item.Source.Citation(), "%s in %s: %s", class, place, item.Reason)
			}
			require.Contains(t, freed, line.TaxExemption, "%s in %s", class, place)
		}
	}
}
