package tax_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"levy/tax"
)

// An exemption for a part of a country frees from the tax of that part alone. The GST and HST are taxes of Canada. Some
// provinces relieve a part of them at the point of sale, which is not in the content, so it is doubted. The parts of
// other countries have no tax of their own.
func TestAnExemptionForAPartOfACountryFreesFromItsOwnTaxAlone(t *testing.T) {
	t.Parallel()
	const notDue = " is not due, by an exemption for "
	for _, c := range []struct {
		to, state, tax, says string
		lines                []string
		doubted              bool
	}{
		{to: "CA-QC H2Y 1C6", state: "QC", tax: "5.00", says: "Quebec QST" + notDue + "Quebec alone."},
		{to: "CA-BC V6B 1A1", state: "BC", tax: "5.00", says: "British Columbia PST" + notDue + "British Columbia alone."},
		{to: "CA-MB R3C 0A1", state: "MB", tax: "5.00", says: "Manitoba RST" + notDue + "Manitoba alone."},
		{to: "CA-BC V6B 1A1", state: "BC", tax: "5.50", lines: []string{"PHYSICAL 100.00", "SHIPPING 10.00"},
			says: "Line 2: Canada GST 5 % on 10.00 gives 0.50, rounded to 0.50; British Columbia PST" + notDue},
		{to: "CA-BC V6B 1A1", state: "BC", tax: "0.00", lines: []string{"FOOD 100.00"}},
		{to: "CA-SK S9V 0A1", state: "SK", tax: "5.00"},
		{to: "CA-QC H2Y 1C6", tax: "0.00", says: "No tax: the customer is free of tax."},
		{to: "CA-ON M5V 3L9", tax: "0.00"},
		{to: "CA-QC H2Y 1C6", state: "BC", tax: "14.98"},
		{to: "CA-ON M5V 3L9", state: "ON", tax: "13.00", doubted: true},
		{to: "CA-AB T2P 1J9", state: "AB", tax: "5.00", doubted: true},
		{to: "CA-ON M5V 3L9", state: "ON", tax: "0.00", lines: []string{"PHYSICAL 0.00"}},
		{to: "CA-ON M5V 3L9", state: "ON", tax: "0.00", lines: []string{"FOOD 100.00"}},
		{to: "DE-BY 80331", state: "BY", tax: "19.00", doubted: true,
			says: "no part of Germany has a tax of its own. Where Germany frees the buyer"},
		{to: "GB-SCT EH1 1AA", state: "SCT", tax: "20.00", doubted: true},
		{to: "DE-BY 80331", state: "BE", tax: "19.00"},
		{to: "DE-BY 80331", tax: "0.00", says: "No tax: the customer is free of tax."},
		{to: "CL-RM 01000", tax: "0.00", says: "No tax: the customer is free of tax."},
		{to: "CL-RM 01000", state: "RM", tax: "0.00", says: "There is no rule for class PHYSICAL in Chile"},
		{to: "EG-C 11511", state: "C", tax: "0.00", says: "There is no rule for class PHYSICAL in Egypt"},
	} {
		if c.lines == nil {
			c.lines = []string{"PHYSICAL 100.00"}
		}
		req := basket{to: c.to, currency: "CAD", lines: c.lines}.request(t)
		for i := range req.Lines {
			req.Lines[i].Exempt = &tax.Exempt{
				TaxExemption: tax.ExemptionCustomer, ExemptionID: "exmp_1", Country: c.to[:2], State: c.state,
			}
		}
		r, err := loaded(t).Calculate(req)
		require.NoError(t, err)
		require.Equal(t, c.tax, r.Tax.String(), "%+v", c)
		text := ""
		for _, s := range r.Explanation.Steps {
			text += s.Text + "\n"
		}
		for _, w := range r.Warnings {
			text += w.Message + "\n"
		}
		require.Contains(t, text, c.says, "%+v", c)
		if c.doubted {
			require.Equal(t, tax.ConfidenceLow, r.Confidence, "%+v", c)
			require.Contains(t, text, "does not free from the ", "%+v", c)
		} else {
			require.NotContains(t, text, "does not free from the ", "%+v", c)
		}
	}
}

// The tax that is not due says why, and the calculation can be done again.
func TestATaxOfAProvinceThatIsNotDueSaysWhy(t *testing.T) {
	t.Parallel()
	req := basket{to: "CA-QC H2Y 1C6", currency: "CAD", lines: []string{"PHYSICAL 100.00"}}.request(t)
	req.Lines[0].Exempt = &tax.Exempt{
		TaxExemption: tax.ExemptionCustomer, ExemptionID: "exmp_1", Country: "CA", State: "QC",
	}
	r, err := loaded(t).Calculate(req)
	require.NoError(t, err)
	line := r.Lines[0]
	require.False(t, line.Exempt)
	require.Empty(t, line.TaxExemption)
	require.Equal(t, "exmp_1", line.ExemptionID)
	require.Equal(t, "100.00", line.TaxableAmount.String())
	require.Equal(t, tax.ReasonTaxable, line.TaxItems[0].Reason)
	require.Equal(t, tax.ReasonCustomerExempt, line.TaxItems[1].Reason)
	require.True(t, line.TaxItems[1].Exempt)
	require.Equal(t, tax.Authority{Country: "CA", State: "QC"}, line.TaxItems[1].Authority)

	again, err := r.Explanation.Request()
	require.NoError(t, err)
	repeated, err := loaded(t).Calculate(again)
	require.NoError(t, err)
	require.Empty(t, tax.Compare(&r.Explanation, &repeated.Explanation))
}
