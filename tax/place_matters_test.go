package tax_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"levy/tax"
)

// An address is doubtful only where another place could change the tax of a line. Neither what an exemption frees nor what
// the law of the state frees everywhere depends on the place.
func TestAPlaceThatCannotMatterIsNotTold(t *testing.T) {
	t.Parallel()
	told := func(r tax.Result) bool {
		return slices.ContainsFunc(codes(r), func(c tax.WarningCode) bool {
			return c == tax.WarningAmbiguousPlace || c == tax.WarningLocalTaxUnknown
		})
	}
	for _, test := range []struct {
		rule string
		sale sale
		told bool
	}{
		{"goods in a ZIP of several taxes", sale{", OK 74081", "PHYSICAL", "100.00", "", ""}, true},
		{"drugs there", sale{", OK 74081", "DRUGS_RX", "100.00", "", ""}, false},
		{"nothing is paid", sale{", OK 74081", "PHYSICAL", "0.00", "", ""}, false},
		{"food, which places tax", sale{", OK 74081", "FOOD", "100.00", "", ""}, true},
		{"goods where a district may be missing", sale{"Addison, TX 75001", "PHYSICAL", "100.00", "", ""}, true},
		{"food there, which the state frees everywhere", sale{"Addison, TX 75001", "FOOD", "100.00", "", ""}, false},
		{"where parishes decide for themselves", sale{"New Orleans, LA 70112", "DRUGS_RX", "100.00", "", ""}, true},
	} {
		r := test.sale.calculate(t)
		require.Equal(t, test.told, told(r), "%s: %v", test.rule, r.Warnings)
		if r.Tax.IsZero() && test.sale.class != "PHYSICAL" { // the rates of the places are MED
			require.Equal(t, test.told, r.Confidence != tax.ConfidenceHigh, test.rule)
		}
	}
	for _, to := range []string{", OK 74081", "New Orleans, LA 70112"} {
		req := sale{to, "PHYSICAL", "100.00", "", ""}.request(t)
		req.Lines[0].Exempt = &tax.Exempt{TaxExemption: tax.ExemptionCustomer}
		r, err := loaded(t).Calculate(req)
		require.NoError(t, err)
		require.Empty(t, r.Warnings, to)
		require.Equal(t, tax.ConfidenceHigh, r.Confidence)
		req.Lines = append(req.Lines, sale{to, "PHYSICAL", "1.00", "", ""}.request(t).Lines[0])
		r, err = loaded(t).Calculate(req)
		require.NoError(t, err)
		require.True(t, told(r), "one line bears it")
	}
	// A ZIP of two states, of which only the other one taxes food or clothing.
	for zip, class := range map[string]string{"42223": "FOOD", "56136": "CLOTHING"} {
		p := loaded(t).Resolve(tax.Address{PostalCode: zip, Country: "US"})
		require.True(t, p.Ambiguous, zip)
		req := sale{", OK 74081", class, "100.00", "", ""}.request(t)
		req.Destination = p
		r, err := loaded(t).Calculate(req)
		require.NoError(t, err)
		require.True(t, told(r), "%s: %v", zip, r.Warnings)
		require.NotEqual(t, tax.ConfidenceHigh, r.Confidence, zip)
	}
	for _, place := range []string{", OK 74081", "Addison, TX 75001"} {
		p := loaded(t).Resolve(address(place))
		require.True(t, p.Ambiguous || p.Completeness != tax.CompletenessComplete, place)
	}
}
