package rules

import (
	"math/rand/v2"
	"testing"

	"github.com/govalues/decimal"
	"github.com/stretchr/testify/require"

	"levy/models"
	"levy/test/seed"
)

// formOf shows what the form computes of a total; "as the tax" if it is the calculated tax.
func formOf(total models.AuthorityTotal) string {
	switch {
	case total.FormTax == nil:
		return "as the tax"
	case total.BeyondRounding:
		return total.FormTax.String() + " beyond"
	}
	return total.FormTax.String()
}

func TestFormsComputeTheirTaxOfTheBase(t *testing.T) {
	t.Parallel()
	engine := content(t)

	t.Run("a tax without a fraction of a cent is that of the form", func(t *testing.T) {
		t.Parallel()
		h := newHistory(t, engine, inHouston, [][2]string{{"60.00", "0.00"}}, "TX")
		require.Equal(t, "as the tax", formOf(h.sold.Totals[0])) // 60.00 x 8.25 % = 4.95
	})

	t.Run("the fraction of each line is in the form, and refunds take it back", func(t *testing.T) {
		t.Parallel()
		h := newHistory(t, engine, inHouston, [][2]string{{"33.33", "0.00"}, {"33.33", "0.00"}}, "TX")
		require.Equal(t, "5.499450", formOf(h.sold.Totals[0])) // 2 x 33.33 x 8.25 %; the tax is 2 x 2.75
		require.Equal(t, "-2.749725", formOf(h.credit([3]string{"0", "33.33", "0.00"}).outcome.Totals[0]))
		require.Equal(t, "-2.749725", formOf(h.credit([3]string{"1", "33.33", "0.00"}).outcome.Totals[0]))
	})

	t.Run("each authority has a form", func(t *testing.T) {
		t.Parallel()
		h := newHistory(t, engine, inBC, [][2]string{{"33.33", "0.00"}}, "CA", "BC")
		require.Equal(t, []string{"1.666500", "2.333100"}, []string{formOf(h.sold.Totals[0]), formOf(h.sold.Totals[1])})
	})

	t.Run("no form has what a marketplace owes or nobody", func(t *testing.T) {
		t.Parallel()
		h := newHistory(t, engine, inHouston, [][2]string{{"33.33", "0.00"}})
		require.Equal(t, "as the tax", formOf(h.sold.Totals[0]))
		h.sale = obliged(h.sale, "2020-01-01", "TX")
		h.sale.Marketplace = true
		h.sell()
		require.Equal(t, "as the tax", formOf(h.sold.Totals[0]))
	})
}

// A tax that is not its rate of its base is marked, in the currency of the return.
func TestATaxThatRoundingsDoNotExplainIsMarked(t *testing.T) {
	t.Parallel()
	form := formTax{}
	require.NoError(t, form.add(amountOf("100.00"), decimal.MustParse("0.0825"), 1, 1))
	for _, c := range []struct{ tax, rate, want string }{
		{"8.25", "1", "as the tax"}, {"8.26", "1", "8.250000 beyond"}, {"8.24", "1", "8.250000 beyond"},
		{"4.12", "0.5", "4.125000"}, {"4.13", "0.5", "4.125000"}, {"4.14", "0.5", "4.125000 beyond"},
	} {
		total := models.AuthorityTotal{ReturnAmounts: models.ReturnAmounts{Tax: amountOf(c.tax)}}
		require.NoError(t, form.into(&total, decimal.MustParse(c.rate)))
		require.Equal(t, c.want, formOf(total), "%s at %s", c.tax, c.rate)
	}
	yen := formTax{} // a base of 1,005 at 10 % is 100.5: half of a yen
	require.NoError(t, yen.add(amountOf("1005.00"), decimal.MustParse("0.1"), 100, 1))
	total := models.AuthorityTotal{ReturnAmounts: models.ReturnAmounts{Tax: amountOf("101.00")}}
	require.NoError(t, yen.into(&total, decimal.One))
	require.Equal(t, "100.500000", formOf(total))
}

// Roundings explain the difference of every document of random histories, also of prices that include tax.
func TestRoundingsExplainWhatFormsComputeOtherwise(t *testing.T) {
	t.Parallel()
	engine := content(t)
	random := rand.New(rand.NewPCG(seed.Seed(), 20))
	differ := 0
	for n := range 80 {
		s := &randomHistory{random: random, gross: n%3 == 0}
		s.begin(t, engine)
		for range 2 + random.IntN(5) {
			s.step()
			for _, o := range s.documents() {
				for _, total := range o.Totals {
					require.False(t, total.BeyondRounding, "history %d, %s: %s: %s of %s", n, seed.Again(), s.story,
						formOf(total), total.Tax)
					if total.FormTax != nil {
						differ++
					}
				}
			}
		}
	}
	require.Greater(t, differ, 100)
}
