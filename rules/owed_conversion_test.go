package rules

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/govalues/decimal"
	"github.com/stretchr/testify/require"

	"levy/models"
	"levy/tax"
	"levy/tax/money"
	"levy/test/seed"
)

// A sale in euro to Houston is refunded in parts, some of which returns claim. Then it is decided anew, with other
// collected tax or as exempt. Converted, sale and notes owe exactly what the document owes, whatever each is rounded to.
func TestConvertedDocumentsOweTheirConvertedSum(t *testing.T) {
	t.Parallel()
	engine, err := tax.LoadContent()
	require.NoError(t, err)
	random := rand.New(rand.NewPCG(seed.Seed(), 175))
	for n := range 300 {
		amount := 100 + random.Int64N(50_000)
		h := newHistory(t, engine, inHouston, [][2]string{{centsText(amount), centsText(random.Int64N(amount / 8))}}, "TX")
		h.sale.Currency = "EUR"
		rate := models.ConversionRate{Rate: decimal.MustNew(500+random.Int64N(1000), 3), Day: h.sale.TaxDate, Source: "ECB"}
		h.rates = Rates{{From: "EUR", To: "USD", Day: h.sale.TaxDate}: rate}
		h.sell()
		for left := amount; left > 1 && random.IntN(5) > 0; {
			part := 1 + random.Int64N(left/2+1)
			left -= part
			r := h.credit([3]string{"0", centsText(part), centsText(random.Int64N(part/4 + 1))})
			r.locked = random.IntN(2) == 0
		}
		switch random.IntN(3) {
		case 0:
			h.sale.Items[0].Exempt = true
		case 1:
			h.sale.TotalTaxAmountImported = money.FromCents(random.Int64N(amount / 4))
			h.sale.Items[0].TaxAmountImported = h.sale.TotalTaxAmountImported
		}
		h.sell()
		owed, collected, converted, convertedCollected := nothing, h.sale.TotalTaxAmountImported, nothing, nothing
		calculated, convertedTax := nothing, nothing
		for i, o := range h.documents() {
			owed, converted = add(t, owed, o.LiabilityAmount), add(t, converted, o.Totals[0].Liability)
			convertedCollected = add(t, convertedCollected, o.Totals[0].Collected)
			calculated, convertedTax = add(t, calculated, o.TaxAmount), add(t, convertedTax, o.Totals[0].Tax)
			if i > 0 {
				collected, err = towardsZero(collected, h.refunds[i-1].TotalTaxAmountImported)
				require.NoError(t, err)
			}
		}
		for _, sum := range [][2]decimal.Decimal{
			{owed, converted}, {collected, convertedCollected}, {calculated, convertedTax},
		} {
			want, err := money.Convert(sum[0], rate.Rate)
			require.NoError(t, err)
			require.Equal(t, want.Pad(2).String(), sum[1].String(), "sale %d, %s", n, seed.Again())
		}
		atPlaces := nothing
		for _, amount := range h.owedAtPlaces("TX") {
			atPlaces = add(t, atPlaces, amountOf(amount))
		}
		require.Equal(t, converted.String(), atPlaces.String(), "places of sale %d, %s", n, seed.Again())
	}
}

func centsText(n int64) string { return fmt.Sprintf("%d.%02d", n/100, n%100) }
