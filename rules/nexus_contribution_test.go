package rules

import (
	"testing"

	"github.com/stretchr/testify/require"

	"levy/models"
	"levy/tax"
)

func TestNexusContribution(t *testing.T) {
	t.Parallel()
	discounted := item(1, "100.00")
	discounted.TotalDiscount = amountOf("10.00")
	exempt := item(2, "40.00")
	exempt.Exempt, exempt.TaxExemption = true, given("CUSTOMER")
	resale := item(3, "7.00")
	resale.Exempt, resale.TaxExemption = true, given("WHOLESALE")
	reseller := item(4, "3.00")
	reseller.Exempt, reseller.TaxExemption, reseller.ExemptionID = true, given("CUSTOMER"), given("exmp_1")

	t.Run("a sale counts once with its net amounts where it is delivered, on its tax date", func(t *testing.T) {
		t.Parallel()
		txn := inTexas(discounted, exempt, resale, reseller)
		txn.Resellers = []string{"exmp_1"}
		txn.Marketplace, txn.TotalTaxAmountImported = true, amountOf("8.25")
		outcome, err := DecideNexus(txn, nil, calculateTenth)
		require.NoError(t, err)
		require.Len(t, outcome.Contributions, 1)
		c := outcome.Contributions[0]
		require.Equal(t, "US", c.CountryCode)
		require.Equal(t, "TX", c.StateCode)
		require.Equal(t, "USD", c.Currency)
		require.Equal(t, day("2026-05-15"), c.Day)
		require.True(t, c.Marketplace)
		require.Equal(t, 1, c.Count)
		require.Zero(t, c.ExemptCount)
		require.Equal(t, "140.00", c.Amount.String())
		require.Equal(t, "50.00", c.ExemptAmount.String())
		require.Equal(t, "10.00", c.ResaleAmount.String())
		require.Equal(t, "8.25", c.CollectedTax.String())
	})

	t.Run("a sale of which everything is exempt counts as exempt", func(t *testing.T) {
		t.Parallel()
		outcome, err := DecideNexus(inTexas(exempt, item(5, "0.00")), nil, calculateTenth)
		require.NoError(t, err)
		require.Equal(t, 1, outcome.Contributions[0].ExemptCount)
		require.Equal(t, 1, outcome.Contributions[0].Count)
	})

	t.Run("a sale of nothing counts, and not as exempt or for resale", func(t *testing.T) {
		t.Parallel()
		outcome, err := DecideNexus(inTexas(item(1, "0.00")), nil, calculateTenth)
		require.NoError(t, err)
		c := outcome.Contributions[0]
		require.Equal(t, []int{1, 0, 0}, []int{c.Count, c.ExemptCount, c.ResaleCount})
	})

	for name, sign := range map[string]string{"positive": "25.00", "negative": "-25.00"} {
		t.Run("a credit note written with "+name+" amounts takes back the amount, not the count", func(t *testing.T) {
			t.Parallel()
			txn := inTexas(item(1, sign))
			txn.Type, txn.TotalTaxAmountImported = models.TypePartialCreditNote, amountOf("2.00")
			outcome, err := DecideNexus(txn, nil, calculateTenth)
			require.NoError(t, err)
			c := outcome.Contributions[0]
			require.Zero(t, c.Count)
			require.Equal(t, "-25.00", c.Amount.String())
			require.Equal(t, "-2.00", c.CollectedTax.String())
		})
	}

	t.Run("a refund of tax takes back only tax", func(t *testing.T) {
		t.Parallel()
		txn := inTexas(item(1, "25.00"))
		txn.Type, txn.TotalTaxAmountImported = models.TypeTaxRefund, amountOf("2.00")
		outcome, err := DecideNexus(txn, nil, calculateTenth)
		require.NoError(t, err)
		c := outcome.Contributions[0]
		require.Zero(t, c.Count)
		require.True(t, c.Amount.IsZero())
		require.Equal(t, "-2.00", c.CollectedTax.String())
	})

	t.Run("a country without nexus of its states counts as one", func(t *testing.T) {
		t.Parallel()
		txn := inTexas(item(1, "25.00"))
		txn.Place = &tax.Place{Country: "DE", State: "BE"}
		outcome, err := DecideNexus(txn, nil, calculateTenth)
		require.NoError(t, err)
		require.Equal(t, "DE", outcome.Contributions[0].CountryCode)
		require.Empty(t, outcome.Contributions[0].StateCode)
	})
}
