package tax_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"levy/tax"
)

// Doubts about a result are warnings, and a result without doubts has none.
func TestWarnings(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		rule  string
		sale  abroad
		codes string
		says  string
	}{
		{"goods in New York", abroad{to: "US-NY 10118", class: "PHYSICAL", amount: "1"}, "", ""},
		{"standard goods", abroad{to: "NL", class: "PHYSICAL", amount: "1"}, "", ""},
		{
			"a country that is not covered", abroad{to: "EG", class: "PHYSICAL", amount: "1"},
			"LOW_CONFIDENCE, NO_RULE_FOUND 0", "no rule for class PHYSICAL in Egypt",
		},
		{
			"an export to a country that is not covered", abroad{to: "EG", class: "SAAS", amount: "1", from: "DE"},
			"LOW_CONFIDENCE, NO_RULE_FOUND", "no rule for the place of delivery in Egypt",
		},
		{
			"a territory that is known to lie outside", abroad{to: "DE 27498", class: "PHYSICAL", amount: "1", from: "FR"}, "", "",
		},
		{
			"a ZIP in several places", abroad{to: "US-CO 80123", class: "PHYSICAL", amount: "1"},
			"AMBIGUOUS_PLACE, OTHER_LOCAL_TAX 0", "ZIP 80123 lies in places with different taxes: ",
		},
		{
			"services that the law distinguishes", abroad{to: "DE", class: "SERVICE", amount: "1"}, "CLASS_TOO_COARSE 0",
			"Germany taxes only some of what class SERVICE holds; it was taken as taxable. The rule there: ",
		},
		{
			"before the first known row of a province",
			abroad{to: "CA-ON", class: "PHYSICAL", amount: "1", day: "2010-06-30"},
			"BEFORE_KNOWN_HISTORY, LOW_CONFIDENCE", "first documented day of what the tax rests on: the rate of Ontario is known " +
				"from 2010-07-01 on, and no tax of it was taken. What held before may differ.",
		},
		{
			"before the first evidence of a local rate",
			abroad{to: "US-TX 75201", class: "PHYSICAL", amount: "1", day: "2015-01-01"},
			"BEFORE_KNOWN_HISTORY, LOW_CONFIDENCE", "the rate of Dallas is known from 2018-01-01 on, and was taken; the rate of ",
		},
		{
			"the delivery fee of a year, and why it is not calculated",
			abroad{to: "US-CO 80202", class: "PHYSICAL", amount: "1", day: "2024-07-01"},
			"OTHER_LOCAL_TAX 0", "The retail delivery fee of Colorado of 0.29 USD a sale (due where " +
				"taxable goods are delivered by motor vehicle, also by mail or carrier; sellers with at most 500,000 USD of",
		},
		{
			"a delivery below what bears the fee", abroad{to: "US-MN 55401", class: "CLOTHING", amount: "99.99"}, "", "",
		},
		{
			"a delivery that may bear it", abroad{to: "US-MN 55401", class: "CLOTHING", amount: "100.00"},
			"OTHER_LOCAL_TAX 0", "0.50 USD a sale (due on delivery where the taxable goods and the clothing come to 100 USD",
		},
		{
			"software in Chicago by the ordinance of its year", abroad{
				to: "US-IL 60602", class: "SAAS", amount: "1", day: "2025-06-01",
			},
			"OTHER_LOCAL_TAX 0", "lease transaction tax of Chicago of 11 % (due where the customer uses it in Chicago; it is",
		},
		{
			"and since 2026", abroad{to: "US-IL 60602", class: "SAAS_B2B", amount: "1"}, "OTHER_LOCAL_TAX 0",
			"Chicago of 15 % (due where the customer uses it in Chicago; it is registered and filed with the Department of " +
				"Finance of the city, not with the state) may be due besides; it is not calculated here. Source: Municipal Code " +
				"of Chicago 3-32-030.",
		},
		{
			"meals in Boston", abroad{to: "US-MA 02108", class: "PREPARED_FOOD", amount: "1"}, "OTHER_LOCAL_TAX 0",
			"The local option tax of 0.75 % on meals (Boston and most cities and towns levy it;",
		},
		{
			"a tax instead of that of the country", abroad{to: "FR 97400", class: "PHYSICAL", amount: "1"},
			"LOW_CONFIDENCE, NO_RULE_FOUND 0, OTHER_LOCAL_TAX",
			"Réunion lies outside the tax territory of France: no tax was calculated.\nRéunion: The value added tax of France",
		},
	} {
		r, err := loaded(t).Calculate(test.sale.request(t))
		require.NoError(t, err, test.rule)
		var codes, texts []string
		for _, w := range r.Warnings {
			code := string(w.Code)
			if w.Line != nil {
				require.Zero(t, *w.Line)
				code += " 0"
			}
			codes, texts = append(codes, code), append(texts, w.Message)
		}
		require.Equal(t, test.codes, strings.Join(codes, ", "), test.rule)
		require.Contains(t, strings.Join(texts, "\n"), test.says, test.rule)
		require.Equal(t, strings.Contains(test.codes, "LOW_CONFIDENCE"), r.Confidence == tax.ConfidenceLow, test.rule)
	}
}

// Answers name the precision of a place by their own terms where the engine's terms are about addresses.
func TestThePrecisionOfAPlaceIsNamed(t *testing.T) {
	t.Parallel()
	for resolution, want := range map[tax.Resolution]string{
		tax.ResolutionAddress: "STREET", "": "NONE", tax.ResolutionNone: "NONE", tax.ResolutionZIP9: "ZIP9",
		tax.ResolutionZIP5: "ZIP5", tax.ResolutionCity: "CITY", tax.ResolutionState: "STATE", tax.ResolutionCountry: "COUNTRY",
		"OF_A_LATER_RELEASE": "OF_A_LATER_RELEASE",
	} {
		require.Equal(t, want, resolution.Completeness())
	}
}

// A ZIP outside the state leaves open in which state a sale is taxed, whatever that state levies.
func TestAnAddressThatContradictsItselfIsNotSure(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		to   tax.Address
		says string
	}{
		{tax.Address{City: "Vancouver", State: "OR", PostalCode: "98660", Country: "US"}, "ZIP 98660 lies outside Oregon."},
		{tax.Address{City: "Newark", State: "NJ", PostalCode: "10118", Country: "US"}, "ZIP 10118 lies outside New Jersey."},
		{tax.Address{City: "Newark", State: "NJ", PostalCode: "00000", Country: "US"}, "ZIP 00000 is not known."},
		{tax.Address{City: "Calgary", State: "AB", PostalCode: "M5V 2T6", Country: "CA"}, "lies outside the province."},
	} {
		req := sale{"New York, NY 10118", "PHYSICAL", "100.00", "", ""}.request(t)
		req.Destination = loaded(t).Resolve(test.to)
		r, err := loaded(t).Calculate(req)
		require.NoError(t, err)
		require.Equal(t, tax.ConfidenceLow, r.Confidence, test.says)
		require.Equal(t, tax.WarningAmbiguousPlace, r.Warnings[0].Code, test.says)
		require.Contains(t, r.Warnings[0].Message, test.says)

		again, err := r.Explanation.Request()
		require.NoError(t, err)
		recomputed, err := loaded(t).Calculate(again)
		require.NoError(t, err)
		require.Equal(t, r.Warnings, recomputed.Warnings, "a stored explanation warns of the same")
	}
}

// Whether a sale stays inside the state, and is taxed where it starts, depends on the address of delivery.
func TestADeliveryThatContradictsItselfIsNotSureAtTheOrigin(t *testing.T) {
	t.Parallel()
	req := sale{"Houston, TX 90210", "PHYSICAL", "100.00", "", ""}.request(t)
	origin := loaded(t).Resolve(address("Austin, TX 78701"))
	req.Origin = &origin
	r, err := loaded(t).Calculate(req)
	require.NoError(t, err)
	require.Equal(t, tax.SourcingOrigin, r.Sourcing)
	require.Equal(t, tax.ConfidenceLow, r.Confidence)
	require.Contains(t, r.Warnings[0].Message, "ZIP 90210 lies outside Texas.")
}

// A rate that is not certain makes an answer unsure only where it is applied.
func TestARateThatTakesNothingMakesNoDoubt(t *testing.T) {
	t.Parallel()
	const day = "2026-11-20" // when the rates of the transit district around Chicago and of the District are not certain
	for _, test := range []struct {
		sale sale
		sure tax.Confidence
	}{
		{sale{"Chicago, IL 60601", "PHYSICAL", "100.00", "", day}, tax.ConfidenceLow},
		{sale{"Chicago, IL 60601", "SOFTWARE_CUSTOM", "100.00", "", day}, tax.ConfidenceMedium},
		{sale{"Chicago, IL 60601", "SAAS", "100.00", "", day}, tax.ConfidenceHigh},
		{sale{"Washington, DC 20001", "PHYSICAL", "100.00", "", day}, tax.ConfidenceLow},
		{sale{"Washington, DC 20001", "FOOD", "100.00", "", day}, tax.ConfidenceHigh},
	} {
		require.Equal(t, test.sure, test.sale.calculate(t).Confidence, test.sale)
	}
	freed := sale{"Chicago, IL 60601", "PHYSICAL", "100.00", "", day}.request(t)
	freed.Lines[0].Exempt = &tax.Exempt{TaxExemption: tax.ExemptionCustomer}
	r, err := loaded(t).Calculate(freed)
	require.NoError(t, err)
	require.Equal(t, tax.ConfidenceHigh, r.Confidence)
}

// An answer that is not sure says why, as far as the content does.
func TestAnUnsureAnswerSaysWhatIsNotCertain(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		sale  sale
		noted string
	}{
		{sale{"Chicago, IL 60601", "PHYSICAL", "100.00", "", "2026-11-20"}, "P.A. 104-457 allows 0.25 % more within two months " +
			"of 2026-06-01; whether it was taken is not known."},
		{sale{"Montgomery, AL 36104", "SAAS", "100.00", "", ""}, " Noted about the rule of Alabama for software as a service: " +
			"whether it is taxed is contested."},
		{sale{"Columbus, OH 43215", "CLOTHING", "50.00", "", "2026-08-08"}, " Noted about Ohio Back-to-School Sales Tax " +
			"Holiday (2026): whether an expanded holiday"},
	} {
		r := test.sale.calculate(t)
		require.Equal(t, tax.ConfidenceLow, r.Confidence, test.sale)
		i := slices.Index(codes(r), tax.WarningLowConfidence)
		require.Contains(t, r.Warnings[i].Message, test.noted, test.sale)
	}
	for said, of := range map[string]abroad{
		"What the other warnings of this answer say can change the tax.": {to: "EG", class: "PHYSICAL", amount: "1"},
		"The days of the tax holidays of Texas in this year are not known. If you know what holds, set the rate at " +
			"/v1/rate_overrides.": {to: "US-TX 77002", class: "CLOTHING", amount: "1", day: "2030-08-10"},
	} {
		r, err := loaded(t).Calculate(of.request(t))
		require.NoError(t, err)
		i := slices.Index(codes(r), tax.WarningLowConfidence)
		require.Contains(t, r.Warnings[i].Message, said)
	}
	food, err := loaded(t).Calculate(abroad{to: "IT", class: "FOOD", amount: "100.00", currency: "EUR"}.request(t))
	require.NoError(t, err)
	require.Equal(t, "Something that the tax rests on is disputed, or known to be incomplete. Noted about the rate of Italy "+
		"for food: basic foods bear 4 %. If you know what holds, set the rate at /v1/rate_overrides.", food.Warnings[0].Message)
}

// The names of some places have an article in a sentence.
func TestWarningsNamePlacesAsASentenceDoes(t *testing.T) {
	t.Parallel()
	for to, begins := range map[string]string{
		"GB": "The United Kingdom taxes only some of what class SERVICE holds;",
		"NL": "The Netherlands taxes only some of what class SERVICE holds;",
		"FR": "France taxes only some of what class SERVICE holds;",
	} {
		r, err := loaded(t).Calculate(abroad{to: to, class: "SERVICE", amount: "1.00", currency: "EUR"}.request(t))
		require.NoError(t, err)
		i := slices.Index(codes(r), tax.WarningClassTooCoarse)
		require.True(t, strings.HasPrefix(r.Warnings[i].Message, begins), r.Warnings[i].Message)
	}
	require.Contains(t, said(sale{"Washington, DC 20001", "FOOD", "1.00", "", ""}.calculate(t)),
		"not taxed in the District of Columbia")
}

// The District of Columbia has its article in every sentence.
func TestTheDistrictOfColumbiaHasItsArticle(t *testing.T) {
	t.Parallel()
	for class := range strings.FieldsSeq("SOFT_DRINK PREPARED_FOOD ALCOHOL FOOD SHIPPING SERVICE REPAIR DRUGS_OTC") {
		r := sale{"Washington, DC 20001", class, "100.00", "", ""}.calculate(t)
		var text strings.Builder
		for _, s := range r.Explanation.Steps[2:] {
			text.WriteString(s.Text + " ")
		}
		for _, w := range r.Warnings {
			text.WriteString(w.Message + " ")
		}
		rest := strings.NewReplacer("the District of Columbia", "", "The District of Columbia", "").Replace(text.String())
		require.NotContains(t, rest, "District of Columbia", "%s: %s", class, text.String())
	}
}

// The passenger vehicle rental tax of British Columbia is due by the day.
func TestTheVehicleRentalTaxOfBritishColumbiaIsNamed(t *testing.T) {
	t.Parallel()
	r, err := loaded(t).Calculate(abroad{to: "CA-BC", class: "RENTAL_VEHICLE", amount: "100.00", currency: "CAD"}.request(t))
	require.NoError(t, err)
	require.Contains(t, codes(r), tax.WarningOtherLocalTax)
	require.Contains(t, r.Warnings[len(r.Warnings)-1].Message, "1.50 dollars a day")
}

// A rate of a class that is higher than the general one is not called reduced, and none goes without a word.
func TestARateOfAClassIsExplained(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ to, class, says string }{
		{"Washington, DC 20001", "SOFT_DRINK", "The District of Columbia taxes soft drinks at a higher rate of 8 %."},
		{"Washington, DC 20001", "PREPARED_FOOD", "The District of Columbia taxes prepared food at a higher rate of 10 %."},
		{"Portland, ME 04101", "PREPARED_FOOD", "Maine taxes prepared food at a higher rate of 8 %."},
		{"Nashville, TN 37203", "FOOD", "Tennessee taxes food at a reduced rate of 4 %."},
	} {
		require.Contains(t, said(sale{test.to, test.class, "100.00", "", ""}.calculate(t)), test.says)
	}
	require.NotContains(t, said(sale{"Honolulu, HI 96813", "FOOD", "100.00", "", ""}.calculate(t)), "rate of 4 %")
}

// Low confidence names the row that is not certain, also where nothing more is noted about it.
func TestLowConfidenceNamesWhatIsNotCertain(t *testing.T) {
	t.Parallel()
	r := sale{"Springfield, IL 62701", "PHYSICAL", "100.00", "", ""}.calculate(t)
	i := slices.Index(codes(r), tax.WarningLowConfidence)
	require.GreaterOrEqual(t, i, 0, r.Warnings)
	require.Contains(t, r.Warnings[i].Message, "What is not certain is the rate of Springfield.")
}

// Many local governments of Alaska tax only the first part of a sale, whatever the number of its items. Code of the Kenai
// Peninsula Borough, chapter 5.18.
func TestAnExpensiveSaleInAlaskaIsDoubted(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		amount, quantity string
		doubted          bool
	}{
		{"500.00", "1", false}, {"500.01", "1", true}, {"20000.00", "1", true}, {"-20000.00", "1", true},
		{"500.00", "5", false}, {"600.00", "6", true},
	} {
		r := sale{"Juneau, AK 99801", "PHYSICAL", test.amount, test.quantity, ""}.calculate(t)
		require.Equal(t, test.doubted, slices.Contains(codes(r), tax.WarningClassTooCoarse), "%s: %v", test.amount, r.Warnings)
		require.Equal(t, test.doubted, r.Confidence == tax.ConfidenceLow, test.amount)
	}
	for lines, doubted := range map[string]bool{
		"PHYSICAL 250.00;PHYSICAL 250.00": false, "PHYSICAL 250.00;PHYSICAL 250.01": true,
		"PHYSICAL 400.00;PHYSICAL 100.00;PHYSICAL -100.00": false,
	} {
		r := basket{to: "Juneau, AK 99801", lines: strings.Split(lines, ";")}.calculate(t)
		require.Equal(t, doubted, slices.Contains(codes(r), tax.WarningClassTooCoarse), "%s: %v", lines, r.Warnings)
	}
}
