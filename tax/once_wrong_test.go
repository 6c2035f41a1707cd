package tax_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"levy/tax"
)

// Sales that were once taxed wrongly, one of each kind.
func TestSalesThatWereOnceTaxedWrongly(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		rule string
		sale sale
		tax  string
	}{
		{"a city that the ZIP does not list", sale{"Glendale, WI 53209", "PHYSICAL", "100.00", "", "2026-11-20"}, "5.90"},
		{"the tiers of Phoenix", sale{"Phoenix, AZ 85003", "PHYSICAL", "20000.00", "", "2026-11-20"}, "1774.70"},
		{"the standard local rate of Tennessee", sale{"Memphis, TN 38103", "STREAMING", "100.00", "", "2026-11-20"}, "9.50"},
		{"what New York City alone taxes", sale{"New York, NY 10001", "PERSONAL_CARE", "100.00", "", "2026-11-20"}, "4.50"},
	} {
		require.Equal(t, test.tax, test.sale.calculate(t).Tax.String(), test.rule)
	}
	for _, test := range []struct {
		rule string
		sale abroad
		tax  string
	}{
		{"a child's coat above 150 dollars", abroad{to: "CA-MB R3C 4A5", class: "CLOTHING_CHILD", amount: "151.00", currency: "CAD",
			day: "2026-11-20"}, "18.12"},
		{"a download from abroad", abroad{to: "AU", from: "US", class: "SOFTWARE_DOWNLOAD", amount: "100.00", day: "2026-11-20"}, "10.00"},
	} {
		r, err := loaded(t).Calculate(test.sale.request(t))
		require.NoError(t, err)
		require.Equal(t, test.tax, r.Tax.String(), test.rule)
	}
	req := abroad{to: "CH 8001", from: "DE 10115", class: "PHYSICAL", amount: "240.00", currency: "CHF"}.request(t)
	req.Registered = []string{"CH"}
	r, err := loaded(t).Calculate(req)
	require.NoError(t, err)
	require.Equal(t, "19.44", r.Tax.String(), "mail order to Switzerland")
	for to, class := range map[string]string{
		"Los Angeles, CA 90012": "SHIPPING", "Hartford, CT 06103": "SAAS", "Cincinnati, OH 45202": "MASSAGE",
	} {
		require.NotEqual(t, tax.ConfidenceHigh, sale{to, class, "100.00", "", ""}.calculate(t).Confidence, "a condition decides: "+to)
	}
	told := func(day string) bool {
		r := sale{"Birmingham, AL 35203", "PHYSICAL", "20.00", "", day}.calculate(t)
		return slices.ContainsFunc(r.Warnings, func(w tax.Warning) bool { return strings.Contains(w.Message, "Severe Weather") })
	}
	require.True(t, told("2026-02-20"), "the last full weekend of February")
	require.False(t, told("2026-02-27"))
}
