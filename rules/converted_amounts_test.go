package rules

import (
	"testing"

	"github.com/govalues/decimal"
	"github.com/stretchr/testify/require"

	"levy/models"
	"levy/tax/calendar"
	"levy/tax/money"
)

// processedInEuro is a processed sale of three lines at a rate.
func processedInEuro(rate string, amounts ...string) *models.Transaction {
	sold := inTexas()
	converted := amountOf(rate)
	sold.DestinationCurrency, sold.ConversionRate = given("EUR"), &converted
	for n, amount := range amounts {
		sold.Items = append(sold.Items, item(n+1, amount))
	}
	return &sold
}

func texts(parts ConvertedParts) (shown []string) {
	for _, p := range parts {
		shown = append(shown, money.Format(p))
	}
	return shown
}

func TestLinesShareTheConvertedAmountOfTheDocument(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		rate    string
		amounts []string
		want    []string
	}{
		"at one nothing changes": {"1", []string{"0.01", "0.02"}, []string{"0.01", "0.02"}},
		"a cent goes to the largest rest": {
			"0.5", []string{"0.01", "0.01", "0.01"}, []string{"0.01", "0.01", "0.00"},
		},
		"three thirds are the whole": {
			"0.333333333", []string{"1.00", "1.00", "1.00"}, []string{"0.34", "0.33", "0.33"},
		},
		"a line against the others":          {"2", []string{"10.00", "-3.00"}, []string{"20.00", "-6.00"}},
		"nothing is nothing in any currency": {"2", []string{"0.00"}, []string{"0.00"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			sold := processedInEuro(c.rate, c.amounts...)
			lines := ConvertedAmountsOf(sold).Lines(sold)
			sum := decimal.Zero
			for _, part := range lines.Amount {
				var err error
				sum, err = money.Add(sum, part)
				require.NoError(t, err)
			}
			whole := decimal.Zero
			for _, i := range sold.Items {
				whole, _ = money.Add(whole, i.Amount)
			}
			require.Equal(
				t, ConvertedAmountsOf(sold).Money(whole), money.Format(sum),
				"the lines add up to the document",
			)
			require.ElementsMatch(t, c.want, texts(lines.Amount))
		})
	}
}

func TestEveryAmountOfALineIsConverted(t *testing.T) {
	t.Parallel()
	sold := processedInEuro("2", "10.00")
	i := &sold.Items[0]
	i.TotalDiscount, i.TaxableAmount, i.TaxAmountImported, i.TaxAmountCalculated = amountOf("1.00"), amountOf("9.00"),
		amountOf("0.80"), amountOf("0.90")
	lines := ConvertedAmountsOf(sold).Lines(sold)
	require.Equal(t, []string{"20.00", "2.00", "18.00", "1.60", "1.80"},
		[]string{
			lines.Amount.At(0), lines.Discount.At(0), lines.Taxable.At(0), lines.Imported.At(0),
			lines.Calculated.At(0),
		})
	require.Equal(t, "20.00", money.Format(*lines.Amount.Of(0)))
	require.Empty(t, lines.Amount.At(1))
	require.Nil(t, lines.Amount.Of(1))
}

func TestTheFinalAmountIsTheSumOfConvertedAmounts(t *testing.T) {
	t.Parallel()
	sold := processedInEuro("0.5")
	sold.Subtotal, sold.TotalDiscount, sold.TotalTaxLiabilityAmount = amountOf("0.01"), amountOf("0.03"), amountOf("0.01")
	require.Equal(t, "0.00", ConvertedAmountsOf(sold).Final(sold), "0.01 - 0.02 + 0.01, each rounded once")
	sold.TotalDiscount = amountOf("0.00")
	require.Equal(t, "0.02", ConvertedAmountsOf(sold).Final(sold))
}

func TestCalculatedTaxLinesAddUpToTheTaxOfTheirLine(t *testing.T) {
	t.Parallel()
	c := ConvertedAmountsOf(processedInEuro("0.5"))
	items := []models.TaxItem{
		{Type: models.TaxItemCalculated, Amount: amountOf("0.01")}, {Type: "IMPORTED", Amount: amountOf("0.03")},
		{Type: models.TaxItemCalculated, Amount: amountOf("0.01")},
	}
	calculated := amountOf("0.01") // 0.02 converted
	shown := c.TaxItems(items, &calculated)
	require.Equal(t, "0.02", shown[1], "an imported line is converted by itself")
	require.ElementsMatch(t, []string{"0.01", "0.00"}, []string{shown[0], shown[2]})
	require.Equal(t, []string{"", "0.02", ""}, c.TaxItems(items, nil), "nothing is calculated yet")
	items[0].Amount, calculated = amountOf("0.04"), amountOf("5.00")
	require.Equal(t, []string{"0.02", "0.02", "0.01"}, c.TaxItems(items, &calculated), "these are not its parts")
}

func TestATransactionThatIsNotProcessedHasNoConvertedAmounts(t *testing.T) {
	t.Parallel()
	sold := inTexas(item(1, "10.00"))
	c := ConvertedAmountsOf(&sold)
	require.Empty(t, c.RateText())
	require.Empty(t, c.Money(amountOf("1.00")))
	require.Empty(t, c.Final(&sold))
	require.Equal(t, ConvertedLines{}, c.Lines(&sold))
	require.Equal(t, "0.500000000", ConvertedAmountsOf(processedInEuro("0.5")).RateText())
}

func TestConvertedAmountsThatAreTooLargeAreLeftOut(t *testing.T) {
	t.Parallel()
	sold := processedInEuro("9999", "9999999999.99")
	sold.Subtotal = amountOf("9999999999.99")
	c := ConvertedAmountsOf(sold)
	require.Empty(t, c.Money(amountOf("9999999999.99")))
	require.Empty(t, c.Final(sold))
	require.Nil(t, c.Lines(sold).Amount)
}

func TestCurrencyOfACountry(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ country, day, want string }{
		"the dollar":                      {"US", "2026-01-01", "USD"},
		"the union as a whole":            {"ZZ_EU", "2026-01-01", "EUR"},
		"Croatia before the euro":         {"HR", "2022-12-31", "HRK"},
		"Croatia with it":                 {"HR", "2023-01-01", "EUR"},
		"Bulgaria with it":                {"BG", "2026-01-01", "EUR"},
		"a currency after the tables":     {"SL", "2022-07-01", "SLE"},
		"no country":                      {"XX", "2026-01-01", ""},
		"what is no code of a country":    {"nowhere", "2026-01-01", ""},
		"an island with a new guilder":    {"CW", "2025-03-31", "XCG"},
		"Venezuela after its new bolivar": {"VE", "2018-08-20", "VES"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			currency, known := CurrencyOf(c.country, calendar.MustDate(c.day))
			require.Equal(t, c.want != "", known)
			if known {
				require.Equal(t, c.want, currency)
			}
		})
	}
}
