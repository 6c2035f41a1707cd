package rules

import (
	"testing"

	"github.com/stretchr/testify/require"

	"levy/models"
	"levy/tax"
	"levy/tax/calendar"
	"levy/tax/money"
)

func TestAnEstimateDecidesExemptionsAsTheStagesDo(t *testing.T) {
	t.Parallel()
	sold := inTexas(item(1, "100.00"), item(2, "50.00"))
	sold.Items[1].ExemptSent = true
	result, err := EstimateTax(&sold, nil, "", tax.Sentences, calculateTenth)
	require.NoError(t, err)
	require.Equal(t, "10.00", money.Format(result.Tax))
	require.False(t, sold.Items[0].Exempt)
	require.True(t, sold.Items[1].Exempt)
	require.Equal(t, "TRANSACTION", *sold.Items[1].TaxExemption)
}

func TestAnEstimateWithAmountsThatAreTooLargeIsAnError(t *testing.T) {
	t.Parallel()
	sold := inTexas(item(1, "9999999999999999.99"))
	sold.Items[0].TotalDiscount = amountOf("-9999999999999999.99")
	_, err := EstimateTax(&sold, nil, "", tax.Sentences, calculateTenth)
	require.NoError(t, err, "the largest numbers still add up")
	sold.Items[0].TotalDiscount = amountOf("-99999999999999999.99")
	_, err = EstimateTax(&sold, nil, "", tax.Sentences, calculateTenth)
	require.ErrorIs(t, err, money.ErrOverflow)
}

func taxRow(name, rate, taxable, amount string, authority tax.Authority) tax.TaxItem {
	return tax.TaxItem{
		JurisdictionName: name, Rate: amountOf(rate), Reason: tax.ReasonTaxable, RuleID: name,
		TaxableAmount: amountOf(taxable), Amount: amountOf(amount), Authority: authority,
	}
}

func TestBreakdownOfTax(t *testing.T) {
	t.Parallel()
	texas, ontario := tax.Authority{Country: "US", State: "TX"}, tax.Authority{Country: "CA", State: "ON"}
	result := tax.Result{Lines: []tax.LineResult{
		{TaxItems: []tax.TaxItem{
			taxRow("Texas", "0.0625", "100.00", "6.25", texas),
			taxRow("Austin", "0.02", "100.00", "2.00", texas),
		}},
		{TaxItems: []tax.TaxItem{
			taxRow("Texas", "0.0625", "-20.00", "-1.25", texas),
			taxRow("Texas", "0", "5.00", "0.00", texas),
			taxRow("Ontario", "0.08", "10.00", "0.80", ontario),
		}},
	}}
	rows, err := BreakDownTax(&result, func(a tax.Authority) bool { return a == texas })
	require.NoError(t, err)
	var shown [][]string
	for _, row := range rows {
		shown = append(shown, []string{
			row.Item.JurisdictionName, money.Format(row.Taxable), money.Format(row.Tax),
		})
	}
	require.Equal(t, [][]string{
		{"Texas", "80.00", "5.00"}, {"Austin", "100.00", "2.00"}, {"Texas", "5.00", "0.00"}, {"Ontario", "10.00", "0.80"},
	}, shown, "the lines of one jurisdiction and rate are one row")
	for name, c := range map[string]struct {
		marketplace bool
		want        string
	}{
		"what a registration covers is charged": {false, "7.00"},
		"unless a marketplace collects":         {true, "0.00"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			sum, err := rows.ToCollect(c.marketplace)
			require.NoError(t, err)
			require.Equal(t, c.want, money.Format(sum))
		})
	}
}

func TestABreakdownWithSumsThatAreTooLargeIsAnError(t *testing.T) {
	t.Parallel()
	here := tax.Authority{Country: "US", State: "TX"}
	everywhere := func(tax.Authority) bool { return true }
	of := func(items ...tax.TaxItem) *tax.Result { return &tax.Result{Lines: []tax.LineResult{{TaxItems: items}}} }
	for name, c := range map[string]struct {
		result *tax.Result
		fits   bool
	}{
		"the largest amount": {of(taxRow("A", "1", "9999999999.99", "9999999999.99", here)), true},
		"a cent more to be taxed": {
			of(taxRow("A", "1", "9999999999.99", "0.00", here), taxRow("A", "1", "0.01", "0.00", here)), false,
		},
		"a cent more tax": {
			of(taxRow("A", "1", "0.00", "9999999999.99", here), taxRow("A", "1", "0.00", "0.01", here)), false,
		},
		"more only on the way": {
			of(taxRow("A", "1", "9999999999.99", "0.00", here), taxRow("A", "1", "1.00", "0.00", here),
				taxRow("A", "1", "-1.00", "0.00", here)), true,
		},
		"more than any number holds": {
			of(
				taxRow("A", "1", "99999999999999999.99", "0.00", here),
				taxRow("A", "1", "99999999999999999.99", "0.00", here),
			), false,
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := BreakDownTax(c.result, everywhere)
			if c.fits {
				require.NoError(t, err)
				return
			}
			require.ErrorIs(t, err, money.ErrOverflow)
		})
	}
	rows, err := BreakDownTax(
		of(taxRow("A", "1", "1.00", "9999999999.99", here), taxRow("B", "1", "1.00", "0.01", here)), everywhere,
	)
	require.NoError(t, err)
	_, err = rows.ToCollect(false)
	require.ErrorIs(t, err, money.ErrOverflow)
}

func TestAmountsOfADocumentAreBounded(t *testing.T) {
	t.Parallel()
	for amount, fits := range map[string]bool{
		"0": true, "9999999999.99": true, "-9999999999.99": true, "10000000000.00": false, "-10000000000": false,
	} {
		require.Equal(t, fits, models.IsDocumentAmount(amountOf(amount)), amount)
	}
}

// The outcome says what is known, and never that nothing is owed where nothing is known.
func TestResultOfAnEstimate(t *testing.T) {
	t.Parallel()
	content, err := tax.LoadContent()
	require.NoError(t, err)
	line := func(class tax.TaxClass, amount string) tax.Line {
		return tax.Line{Class: class, Amount: amountOf(amount), Quantity: amountOf("1")}
	}
	goods := line(tax.ClassPhysical, "100.00")
	germany := content.Resolve(tax.Address{Country: "DE"})
	for _, test := range []struct {
		to     tax.Address
		origin *tax.Place
		day    calendar.Date
		lines  []tax.Line
		says   string
	}{
		{
			tax.Address{City: "New York", State: "NY", PostalCode: "10118", Country: "US"}, nil, 20260515,
			[]tax.Line{goods}, "The tax by law is 8.88 on 100.00 taxable; 0.00 is to be collected.",
		},
		{
			tax.Address{City: "Portland", State: "OR", PostalCode: "97201", Country: "US"}, nil, 20260515,
			[]tax.Line{goods}, "The tax by law is 0.00 on 0.00 taxable; 0.00 is to be collected.",
		},
		{
			tax.Address{City: "Camp Point", State: "IL", PostalCode: "62320", Country: "US"}, nil, 20260515,
			[]tax.Line{goods}, "The tax known to Levy is 6.50 on 100.00 taxable, local taxes may be missing; " +
				"0.00 is to be collected.",
		},
		{
			tax.Address{Country: "EG"}, nil, 20260515, []tax.Line{goods},
			"Levy has no rule for this sale: what the law asks there is not known, no tax was calculated; " +
				"0.00 is to be collected.",
		},
		{
			tax.Address{Country: "EG"}, &germany, 20260515, []tax.Line{goods},
			"The country of the seller asks no tax; Levy has no rule for the place of delivery, " +
				"what its law asks is not known; 0.00 is to be collected.",
		},
		{
			tax.Address{State: "KS", Country: "US"}, nil, 20130630, []tax.Line{goods},
			"Levy has no rule for this sale: what the law asks there is not known, no tax was calculated; " +
				"0.00 is to be collected.",
		},
		{
			tax.Address{City: "Hartford", State: "CT", PostalCode: "06103", Country: "US"}, nil, 20180515,
			[]tax.Line{goods, line(tax.ClassPreparedFood, "10.00")},
			"The tax known to Levy is 6.35 on 100.00 taxable; it has no rule for 1 of 2 lines, " +
				"what the law asks for them is not known; 0.00 is to be collected.",
		},
		{
			tax.Address{City: "Houston", State: "TX", PostalCode: "77002", Country: "US"}, nil, 20260515,
			[]tax.Line{line(tax.ClassService, "100.00")},
			"The tax known to Levy is 0.00 on 0.00 taxable; the law asks more about what is sold than Levy was told; " +
				"0.00 is to be collected.",
		},
	} {
		r, err := content.Calculate(tax.Request{
			TaxDate: test.day, Currency: "USD", Destination: content.Resolve(test.to), Origin: test.origin, Lines: test.lines,
		})
		require.NoError(t, err)
		require.Equal(t, test.says, EstimateResult(&r, "0.00"))
	}
}

// An exemption for Quebec frees from the QST alone, in an estimate as in a transaction.
func TestAnExemptionForAProvinceLeavesTheTaxOfTheCountry(t *testing.T) {
	t.Parallel()
	engine, err := tax.LoadContent()
	require.NoError(t, err)
	for _, c := range []struct {
		jurisdiction, tax string
		exempt            models.ExemptStatus
	}{{"QC", "5.00", models.NotExempt}, {"", "0.00", models.FullyExempt}, {"BC", "14.98", models.NotExempt}} {
		line := item(1, "100.00")
		line.TaxClass = tax.ClassPhysical
		sold := inQuebec(line)
		e := exemption(models.ExemptionCustomer, "exmp_1")
		e.CountryCode, e.Jurisdiction = "CA", given(c.jurisdiction)
		sold.Exemptions = []models.Exemption{e}
		estimated, err := EstimateTax(&sold, nil, "", tax.AllReasons, engine.Calculate)
		require.NoError(t, err)
		require.Equal(t, c.tax, money.Format(estimated.Tax), c.jurisdiction)

		counted := sold
		counted.Exemptions, counted.Resellers = nil, []string{e.ID} // stage 3 knows no more
		nexus, err := DecideNexus(counted, nil, engine.Calculate)
		require.NoError(t, err)
		require.Equal(t, c.exempt == models.FullyExempt, len(nexus.ExemptLines) > 0, c.jurisdiction)
		outcome, err := DecideTax(sold, models.DefaultSettings("org_1"), nil, engine.Calculate)
		require.NoError(t, err)
		require.False(t, outcome.Outdated)
		require.Equal(t, c.tax, money.Format(outcome.TaxAmount), c.jurisdiction)
		require.Equal(t, c.exempt, outcome.Exempt, c.jurisdiction)
	}
}
