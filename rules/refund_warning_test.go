package rules

import (
	"encoding/json"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"levy/models"
	"levy/tax"
)

func TestARefundThatExceedsTheRemainingTaxIsRecognized(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		sold, taken, after string
		exceeds            bool
	}{
		"a part":                         {"4.44", "-1.00", "3.44", false},
		"all of it":                      {"4.44", "-4.44", "0.00", false},
		"a cent more":                    {"4.44", "-4.45", "-0.01", true},
		"a line without its coupon":      {"4.44", "-8.88", "-4.44", true},
		"more after more":                {"4.44", "-0.01", "-4.45", true},
		"no tax after more":              {"4.44", "0.00", "-4.44", false},
		"the coupon after its line":      {"4.44", "4.44", "0.00", false},
		"a part of the coupon after it":  {"4.44", "2.00", "-2.44", false},
		"the coupon before its line":     {"4.44", "4.44", "8.88", false},
		"a line of a sale without tax":   {"0.00", "-8.88", "-8.88", true},
		"a coupon of a sale without tax": {"0.00", "8.88", "8.88", false},
		"no tax of a sale without tax":   {"0.00", "0.00", "0.00", false},
		"all of a sale below zero":       {"-4.44", "4.44", "0.00", false},
		"a cent more of a sale below":    {"-4.44", "4.45", "0.01", true},
		"the coupon of a sale below":     {"-4.44", "-4.44", "-8.88", false},
	} {
		require.Equal(t, c.exceeds, exceedsTax(amountOf(c.sold), amountOf(c.taken), amountOf(c.after)), name)
	}
}

// A sale of 100.00 with a coupon of 50.00 bears 4.44. It was decided before coupon lines were spread, so each line has
// tax of its own. Its lines are refunded one after the other.
func TestALineWithoutItsCouponIsRefundedWithAWarning(t *testing.T) {
	t.Parallel()
	engine, err := tax.LoadContent()
	require.NoError(t, err)
	sold := sale()
	place := engine.Resolve(tax.Address{City: "New York", State: "NY", PostalCode: "10118", Country: "US"})
	sold.Place, sold.Subtotal = &place, amountOf("50.00")
	for i, amount := range []string{"100.00", "-50.00"} {
		line := item(i+1, amount)
		line.ID, line.TaxClass = "txi_"+amount, tax.ClassPhysical
		sold.Items = append(sold.Items, line)
	}
	outcome, err := DecideTax(sold, noSettings, nil, func(r tax.Request) (tax.Result, error) {
		r.EachAlone = true
		return engine.Calculate(r)
	})
	require.NoError(t, err)
	require.Equal(t, "4.44", outcome.TaxAmount.String())

	of := &models.Original{
		ID: sold.ID, Items: sold.Items, Explanation: outcome.Explanation, ProcessingStatus: models.ProcessingProcessed,
	}
	for i, c := range []struct {
		line        int
		amount, tax string
		warnings    int
	}{{1, "-25.00", "-2.22", 0}, {1, "-25.00", "-2.22", 0}, {1, "-50.00", "-4.44", 1}, {2, "50.00", "4.44", 0}} {
		note := sold
		note.ID, note.Type, note.Original = fmt.Sprint("txn_", i+2), models.TypePartialCreditNote, of
		back := item(1, c.amount)
		back.OriginalLine = given(c.line)
		note.Items, note.Subtotal = []models.TransactionItem{back}, amountOf(c.amount)
		refund, err := DecideRefund(note, nil, noLaw)
		require.NoError(t, err)
		require.Equal(t, c.tax, refund.TaxAmount.String())
		require.Len(t, refund.Certainty.Warnings, c.warnings)
		for _, w := range refund.Certainty.Warnings {
			require.Equal(t, tax.Warning{
				Code: "REFUND_EXCEEDS_TAX", Message: "The refund takes 4.44 USD of tax and leaves the sale with -4.44: " +
					"a line that lowered its tax, such as a coupon, is not refunded with it.",
			}, w)
		}
		var explained tax.Explanation
		require.NoError(t, json.Unmarshal(refund.Explanation, &explained))
		require.Equal(t, refund.Certainty, explained.Certainty)
		require.NoError(t, CountRefund(note, refund))
	}
}

// The calculations of earlier releases do not say how sure they are.
func TestARefundOfACalculationWithoutWarningsHasNone(t *testing.T) {
	t.Parallel()
	note := refundInEuro(t)
	note.Currency, note.Items[0].Amount = "USD", amountOf("-100.00")
	var sold explanation
	require.NoError(t, json.Unmarshal(note.Original.Explanation, &sold))
	sold.Certainty, sold.Totals.TaxAmount = nil, amountOf("1.00")
	var err error
	note.Original.Explanation, err = json.Marshal(sold)
	require.NoError(t, err)
	refund, err := DecideRefund(note, nil, noLaw)
	require.NoError(t, err)
	require.Equal(t, "-8.88", refund.TaxAmount.String())
	require.Nil(t, refund.Certainty)
}
