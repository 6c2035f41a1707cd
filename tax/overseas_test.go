package tax_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"levy/tax"
)

// Goods of small value, businesses and marketplaces outside of Europe, by the laws that the rows of the content cite.
func TestSalesOverseasByLaw(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		rule      string
		sale      abroad
		tax       string
		exemption tax.TaxExemption
	}{
		{"GST Act 84-79: at the limit", abroad{to: "AU", from: "US", class: "PHYSICAL", amount: "1000.00", currency: "AUD"}, "100.00", ""},
		{"a cent above it", abroad{to: "AU", from: "US", class: "PHYSICAL", amount: "1000.01", currency: "AUD"}, "0.00",
			tax.ExemptionHighValue},
		{"inside there is no limit", abroad{to: "AU", from: "AU", class: "PHYSICAL", amount: "5000.00", currency: "AUD"}, "500.00", ""},
		{"section 4B: at the limit", abroad{to: "NZ", from: "AU", class: "PHYSICAL", amount: "1000.00", currency: "NZD"}, "150.00", ""},
		{"a cent above it", abroad{to: "NZ", from: "AU", class: "PHYSICAL", amount: "1000.01", currency: "NZD"}, "0.00",
			tax.ExemptionHighValue},
		{"400 dollars in Singapore", abroad{to: "SG", from: "US", class: "PHYSICAL", amount: "400.00", currency: "SGD"}, "36.00", ""},
		{"a cent above it", abroad{to: "SG", from: "US", class: "PHYSICAL", amount: "400.01", currency: "SGD"}, "0.00",
			tax.ExemptionHighValue},
		{"software has no border", abroad{to: "JP", from: "US", class: "SOFTWARE_DOWNLOAD", amount: "100000", currency: "JPY"}, "10000.00", ""},
		{"what comes back", abroad{to: "SG", from: "US", class: "PHYSICAL", amount: "-400.00", currency: "SGD"}, "-36.00", ""},
		{"an id of another country", abroad{to: "AU", from: "US", vat: "NZ", class: "SAAS", amount: "100"}, "10.00", ""},
		{"a business at home", abroad{to: "AU", from: "AU", vat: "AU", class: "SAAS", amount: "100"}, "10.00", ""},
		{"an export from there", abroad{to: "EG", from: "AU", class: "PHYSICAL", amount: "100"}, "0.00", tax.ExemptionExport},
		{"from the Union it is taxed there", abroad{to: "AU", from: "DE", class: "SAAS", amount: "100"}, "10.00", ""},
	} {
		r, err := loaded(t).Calculate(test.sale.request(t))
		require.NoError(t, err)
		require.Equal(t, test.tax, r.Tax.String(), test.rule)
		require.Equal(t, test.exemption, r.Lines[0].TaxExemption, test.rule)
	}
}

func TestOverseasTheAnswerNamesLawAndDoubt(t *testing.T) {
	t.Parallel()
	steps := func(r tax.Result) (text string) {
		for _, s := range r.Explanation.Steps {
			text += s.Text + "\n"
		}
		return text
	}
	r, err := loaded(t).Calculate(abroad{to: "JP", from: "US", class: "SAAS_B2C", amount: "100"}.request(t))
	require.NoError(t, err)
	require.Equal(t, tax.ConfidenceMedium, r.Confidence)
	require.Contains(t, steps(r), "Japan consumption tax 10 % on 100.00")
	require.Contains(t, r.Lines[0].TaxItems[0].Source.Citation(), "Consumption Tax Act")
	r, err = loaded(t).Calculate(abroad{to: "JP", from: "US", class: "PHYSICAL", amount: "100"}.request(t))
	require.NoError(t, err)
	require.Contains(t, steps(r), "due at the border, and goods of a customs value of at most 10,000 yen are free there")
	r, err = loaded(t).Calculate(abroad{to: "ZA", from: "US", vat: "ZA", class: "SAAS_B2B", amount: "100"}.request(t))
	require.NoError(t, err)
	i := slices.Index(codesOf(r), tax.WarningClassTooCoarse)
	require.Contains(t, r.Warnings[i].Message, "supplies none there, and owes nothing; it was taxed")
	r, err = loaded(t).Calculate(abroad{to: "AU", from: "US", vat: "AU", class: "SAAS_B2B", amount: "100"}.request(t))
	require.NoError(t, err)
	require.Contains(t, r.Lines[0].TaxItems[0].Source.Citation(), "sections 84-5")
	for place, unsure := range map[string]bool{"AU": false, "KR": false, "MX": true} {
		req := abroad{to: place, from: "US", class: "STREAMING", amount: "100"}.request(t)
		req.Marketplace = true
		r, err = loaded(t).Calculate(req)
		require.NoError(t, err)
		require.Equal(t, unsure, slices.Contains(codesOf(r), tax.WarningMarketplaceUnsure), place)
	}
	r, err = loaded(t).Calculate(abroad{to: "MX", from: "MX", class: "SOFT_DRINK", amount: "100"}.request(t))
	require.NoError(t, err)
	require.Contains(t, r.Warnings[0].Message, "The IEPS of Mexico may be due besides")
	require.Contains(t, r.Warnings[0].Message, "/v1/rate_overrides")
}
