package tax_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"levy/tax"
)

// Each class of the catalogue has a rule in each state, or a warning with the rate and the authority that knows more.
func TestEveryClassHasARuleOrNamesWhoKnows(t *testing.T) {
	t.Parallel()
	c := loaded(t)
	finer := map[tax.TaxClass]bool{}
	for _, category := range c.Categories() {
		for _, s := range category.Subcategories {
			finer[s.TaxClass] = true
		}
	}
	require.Greater(t, len(finer), 57+40)
	ruled, told := 0, 0
	for _, p := range c.Nexus().Places() {
		if p.Country != "US" || p.State == "AK" {
			continue
		}
		for class := range finer {
			r := sale{", " + p.State + " ", string(class), "100.00", "", ""}.calculate(t)
			i := slices.IndexFunc(r.Warnings, func(w tax.Warning) bool {
				return w.Code == tax.WarningNoRuleFound || strings.HasPrefix(w.Message, "Whether the law of")
			})
			if i < 0 {
				ruled++
				require.NotEmpty(t, r.Lines[0].TaxItems[0].Source.Citation(), "%s in %s", class, p.State)
				continue
			}
			told++
			require.NotEqual(t, tax.ConfidenceHigh, r.Confidence, "%s in %s", class, p.State)
			for _, want := range []string{"the rate here is ", "Ask the ", "(https://", "/v1/rate_overrides"} {
				require.Contains(t, r.Warnings[i].Message, want, "%s in %s", class, p.State)
			}
		}
	}
	t.Logf("%d classes of states have a rule, %d name who knows", ruled, told)
	require.Greater(t, ruled, 2*told)
}

func TestTheWarningOfAClassWithoutARule(t *testing.T) {
	t.Parallel()
	r := sale{"Atlanta, GA 30303", "MOTOR_FUEL", "100.00", "", ""}.calculate(t)
	require.Equal(t, "Whether the law of Georgia treats motor fuel unlike goods is not in the content; they were taken as those, "+
		"taxed. Where the law taxes it, the rate here is 8.9 %. Ask the Georgia Department of Revenue (https://gtc.dor.ga.gov), "+
		"and set the rate of MOTOR_FUEL there at /v1/rate_overrides, 0 where it is free.", r.Warnings[0].Message)
	require.Equal(t, tax.ConfidenceMedium, r.Confidence)
	r = sale{"Houston, TX 77002", "FUNERAL", "100.00", "", ""}.calculate(t)
	i := slices.Index(codesOf(r), tax.WarningNoRuleFound)
	require.Contains(t, r.Warnings[i].Message, "no tax was calculated. Where the law taxes it, the rate here is 8.25 %. Ask the ")
	r = sale{"Houston, TX 77002", "ALCOHOL", "100.00", "", ""}.calculate(t)
	i = slices.Index(codesOf(r), tax.WarningClassTooCoarse)
	require.Contains(t, r.Warnings[i].Message, "excise taxes are due besides. Where the law taxes it, the rate here is 8.25 %.")
}
