package rules

import (
	"testing"

	"github.com/stretchr/testify/require"

	"levy/models"
	"levy/tax"
)

// An article of 9,000.00 in Miami bears 590.00: 6 % and 1 % of the first 5,000.00, s. 212.054(2)(b)1., F.S. Lowered by
// 3,000.00 it bears 410.00. The lower price takes that part of the collected tax, and never more than the total leaves.
func TestALowerPriceTakesCollectedTaxByTheLaw(t *testing.T) {
	t.Parallel()
	engine, err := tax.LoadContent()
	require.NoError(t, err)
	miami := tax.Address{Street1: "100 Biscayne Blvd", City: "Miami", State: "FL", PostalCode: "33131", Country: "US"}
	for name, c := range map[string]struct{ collected, lowered, total, want string }{
		"the price and its tax":            {"590.00", "3000.00", "3180.00", "180.00"},
		"with all tax":                     {"590.00", "3000.00", "3590.00", "180.00"},
		"beyond all tax":                   {"590.00", "3000.00", "3700.00", "180.00"},
		"the buyer gets a part of its tax": {"590.00", "3000.00", "3100.00", "100.00"},
		"half of the tax was collected":    {"295.00", "3000.00", "3590.00", "90.00"},
		"the price alone":                  {"590.00", "3000.00", "3000.00", "0.00"},
	} {
		h := newHistory(t, engine, miami, [][2]string{{"9000.00", c.collected}}, "FL")
		lower := ofProduct("P-0", c.lowered)
		lower.Quantity = nothing
		d := creditOf(c.total, lower)
		d.Sent.TaxFromOriginal = true
		h.sale.TotalAmount = add(t, h.sale.Subtotal, h.sale.TotalTaxAmountImported)
		a := &models.CreditAccount{
			Sale: h.sale, Lines: map[int]models.LineCredit{}, Explanation: h.sold.Explanation,
			Law: func(string) (func(tax.Request) (tax.Result, error), error) { return engine.Calculate, nil },
		}
		require.NoError(t, AdmitRefund(a, d), name)
		require.Equal(t, c.want, d.TotalTaxAmountImported.String(), name)
		require.Equal(t, c.want, d.Items[0].TaxAmountImported.String(), name)
	}
}
