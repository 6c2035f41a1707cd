package rules

import (
	"slices"
	"testing"

	"github.com/govalues/decimal"
	"github.com/stretchr/testify/require"

	"levy/models"
	"levy/tax"
	"levy/tax/money"
)

// What a rule that counts taxable sales alone excludes from a sale of a seller in the United States.
func TestExemptSalesForNexus(t *testing.T) {
	t.Parallel()
	engine, err := tax.LoadContent()
	require.NoError(t, err)
	florida := tax.Address{City: "Miami", State: "FL", PostalCode: "33128", Country: "US"}
	berlin, london := tax.Address{Country: "DE", PostalCode: "10115"}, tax.Address{Country: "GB", PostalCode: "SW1A 1AA"}
	for name, c := range map[string]struct {
		to     tax.Address
		from   string // country; empty for the United States
		lines  [][2]string
		vat    string
		exempt string
		whole  bool // the sale counts as exempt by its number
	}{
		"goods in Florida count": {to: florida, lines: [][2]string{{"PHYSICAL", "100.00"}}, exempt: "0.00"},
		"groceries do not": {
			to: florida, lines: [][2]string{{"FOOD", "60.00"}, {"PHYSICAL", "40.00"}}, exempt: "60.00",
		},
		"nor a sale that is exempt as a whole": {to: florida, lines: [][2]string{{"FOOD", "60.00"}}, exempt: "60.00", whole: true},
		"a sale that Florida does not count is no exempt sale either": {
			to: florida, lines: [][2]string{{"SECURITY", "60.00"}, {"SERVICE", "7.00"}, {"FOOD", "40.00"}}, exempt: "40.00",
			whole: true,
		},
		"a repair that can bring parts counts": {
			to: florida, lines: [][2]string{{"REPAIR", "60.00"}}, exempt: "0.00",
		},
		"rented goods are goods": {
			to: florida, lines: [][2]string{{"RENTAL_GOODS", "60.00"}}, exempt: "0.00",
		},
		"services that Arkansas taxes count": {
			to:    tax.Address{City: "Little Rock", State: "AR", PostalCode: "72201", Country: "US"},
			lines: [][2]string{{"SECURITY", "60.00"}}, exempt: "0.00",
		},
		"a sale counts if its class does not decide": {
			to:    tax.Address{City: "Little Rock", State: "AR", PostalCode: "72201", Country: "US"},
			lines: [][2]string{{"SERVICE", "60.00"}}, exempt: "0.00",
		},
		"delivery is what the goods are": {
			to: tax.Address{City: "Fargo", State: "ND", PostalCode: "58102", Country: "US"}, whole: true,
			lines: [][2]string{{"FOOD", "60.00"}, {"SHIPPING", "5.00"}}, exempt: "65.00",
		},
		"groceries of Arkansas count, localities tax them": {
			to:    tax.Address{City: "Little Rock", State: "AR", PostalCode: "72201", Country: "US"},
			lines: [][2]string{{"FOOD", "60.00"}}, exempt: "0.00",
		},
		"software to Germany": {to: berlin, lines: [][2]string{{"SAAS", "100.00"}}, exempt: "0.00"},
		"software to a business in Germany": {
			to: berlin, lines: [][2]string{{"SAAS", "100.00"}}, vat: "DE136695976", exempt: "100.00", whole: true,
		},
		"goods into the Union": {
			to: berlin, lines: [][2]string{{"PHYSICAL", "100.00"}, {"SHIPPING", "9.00"}}, exempt: "109.00", whole: true,
		},
		"goods into the Union above the limit": {
			to: berlin, lines: [][2]string{{"PHYSICAL", "5000.00"}, {"SAAS", "7.00"}}, exempt: "5000.00",
		},
		"goods that are in the Union": {to: berlin, from: "FR", lines: [][2]string{{"PHYSICAL", "100.00"}}, exempt: "0.00"},
		"goods to London":             {to: london, lines: [][2]string{{"PHYSICAL", "100.00"}}, exempt: "0.00"},
		"books at a zero rate count":  {to: london, lines: [][2]string{{"BOOK", "100.00"}}, exempt: "0.00"},
		"goods to London above the limit": {
			to: london, lines: [][2]string{{"PHYSICAL", "500.00"}}, exempt: "500.00", whole: true,
		},
		"goods to Oslo": {
			to: tax.Address{Country: "NO", PostalCode: "0150"}, lines: [][2]string{{"PHYSICAL", "100.00"}}, exempt: "0.00",
		},
		"goods to Oslo above the limit": {
			to: tax.Address{Country: "NO", PostalCode: "0150"}, lines: [][2]string{{"PHYSICAL", "3000.00"}}, exempt: "3000.00",
			whole: true,
		},
		"goods to Zurich, tax at the border": {
			to: tax.Address{Country: "CH", PostalCode: "8001"}, lines: [][2]string{{"PHYSICAL", "100.00"}}, exempt: "100.00",
			whole: true,
		},
		"goods to Zurich, tax below 5 francs": {
			to: tax.Address{Country: "CH", PostalCode: "8001"}, lines: [][2]string{{"PHYSICAL", "50.00"}}, exempt: "0.00",
		},
		"software to the Canary Islands": {
			to: tax.Address{Country: "ES", PostalCode: "35001"}, lines: [][2]string{{"SAAS", "100.00"}}, exempt: "100.00",
			whole: true,
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			sold, rates := sale(), Rates{}
			from := engine.Resolve(tax.Address{Country: "US", State: "NY", City: "New York", PostalCode: "10001"})
			if c.from != "" {
				from = engine.Resolve(tax.Address{Country: c.from})
			}
			to := engine.Resolve(c.to)
			sold.Origin, sold.Place = &from, &to
			if c.vat != "" {
				sold.Customer.TaxRegistrations = []models.CustomerTaxRegistration{
					{CountryCode: c.vat[:2], TaxType: "vat", TaxID: c.vat},
				}
			}
			for i, line := range c.lines {
				one := item(i, line[1])
				one.TaxClass = tax.TaxClass(line[0])
				sold.Items = append(sold.Items, one)
			}
			for _, pair := range ConversionPairs([]models.Transaction{sold}) {
				rates[pair] = models.ConversionRate{Rate: decimal.One, Day: sold.TaxDate}
			}
			outcome, err := DecideNexus(sold, rates, engine.Calculate)
			require.NoError(t, err)
			require.Equal(t, c.exempt, money.Format(outcome.Contributions[0].ExemptAmount))
			require.Equal(t, c.whole, outcome.Contributions[0].ExemptCount == 1)
			require.True(t, outcome.Contributions[0].ResaleAmount.IsZero())
			if len(rates) > 0 {
				outcome, err = DecideNexus(sold, nil, engine.Calculate)
				require.NoError(t, err)
				require.Empty(t, outcome.ExemptLines, "it waits for a rate, and is counted again")
				require.NotNil(t, outcome.ExemptLines)
			}
		})
	}
}

// Sales to states that count only some kinds of sales; a refund reverses what was counted.
func TestSalesThatAreNotCountedForNexus(t *testing.T) {
	t.Parallel()
	engine, err := tax.LoadContent()
	require.NoError(t, err)
	places := map[string]tax.Address{
		"AL": {City: "Montgomery", PostalCode: "36104"}, "CA": {City: "Los Angeles", PostalCode: "90012"},
		"FL": {City: "Miami", PostalCode: "33128"}, "GA": {City: "Atlanta", PostalCode: "30303"},
		"IL": {City: "Chicago", PostalCode: "60602"}, "MO": {City: "Kansas City", PostalCode: "64106"},
		"NV": {City: "Las Vegas", PostalCode: "89101"}, "NY": {City: "New York", PostalCode: "10118"},
		"OK": {City: "Tulsa", PostalCode: "74103"}, "TX": {City: "Austin", PostalCode: "78701"},
	}
	everywhere := []string{"AL", "CA", "FL", "GA", "IL", "MO", "NV", "NY", "OK", "TX"}
	for class, counting := range map[tax.TaxClass][]string{
		"PHYSICAL": everywhere, "CLOTHING": everywhere, "PREPARED_FOOD": everywhere, "RENTAL_GOODS": everywhere,
		"REPAIR": everywhere, "SHIPPING": everywhere, "GRATUITY": everywhere, "UTILITY": everywhere,
		"SOFTWARE_DOWNLOAD": {"AL", "GA", "IL", "NY", "TX"}, "SOFTWARE_CUSTOM": {"AL", "GA", "IL", "NY", "TX"},
		"SAAS": {"NY", "TX"}, "SAAS_B2B": {"NY", "TX"}, "IAAS": {"NY", "TX"},
		"DIGITAL": {"GA", "TX"}, "EBOOK": {"GA", "TX"}, "STREAMING": {"GA", "TX"},
		"SERVICE": {"TX"}, "CLEANING": {"TX"}, "ADMISSION": {"TX"}, "PROFESSIONAL": {"TX"}, "TELECOM": {"TX"},
	} {
		for _, state := range everywhere {
			address := places[state]
			address.State, address.Country = state, "US"
			to := engine.Resolve(address)
			sold := sale()
			sold.Place, sold.Items = &to, append(sold.Items, item(0, "60.00"))
			sold.Items[0].TaxClass = class
			alone, err := DecideNexus(sold, nil, engine.Calculate)
			require.NoError(t, err)
			counts := slices.Contains(counting, state)
			require.Equal(t, counts, alone.Contributions[0].Count == 1, "%s to %s by number", class, state)
			require.Equal(t, counts, alone.Contributions[0].Amount.String() == "60.00", "%s to %s", class, state)

			free := sold
			free.Items = []models.TransactionItem{item(0, "0.00")}
			free.Items[0].TaxClass = class
			alone, err = DecideNexus(free, nil, engine.Calculate)
			require.NoError(t, err)
			require.Equal(t, counts, alone.Contributions[0].Count == 1, "%s for nothing to %s by number", class, state)

			sold.Items = append(sold.Items, item(1, "5.00"))
			sold.Items[1].TaxClass = tax.ClassPhysical
			beside, err := DecideNexus(sold, nil, engine.Calculate)
			require.NoError(t, err)
			require.Equal(t, 1, beside.Contributions[0].Count, "goods beside %s to %s", class, state)
			require.Equal(t, counts, beside.Contributions[0].Amount.String() == "65.00", "goods beside %s to %s", class, state)
			again := sold
			again.NexusExemptLines = beside.ExemptLines
			recounted, err := CountNexus(again)
			require.NoError(t, err)
			require.Equal(t, beside, recounted, "the recount of %s to %s", class, state)

			note := sold
			note.Type, note.Original = models.TypeFullCreditNote, &models.Original{NexusExemptLines: beside.ExemptLines}
			note.Items = slices.Clone(sold.Items)
			for i := range note.Items {
				note.Items[i].OriginalLine = &sold.Items[i].LineNo
			}
			back, err := DecideNexus(note, nil, nil)
			require.NoError(t, err)
			require.Equal(t, beside.Contributions[0].Amount.Neg(), back.Contributions[0].Amount, "%s from %s", class, state)
			require.Equal(
				t, beside.Contributions[0].ExemptAmount.Neg(), back.Contributions[0].ExemptAmount, "%s from %s", class, state,
			)
		}
	}
}

// The exempt lines of a sale from before they were stored are those that are exempt now.
func TestExemptLinesOfSalesWithoutStoredExemptions(t *testing.T) {
	t.Parallel()
	free := item(1, "25.00")
	free.Exempt, free.OriginalLine = true, given(1)
	note := inTexas(free)
	note.Type, note.Original = models.TypeFullCreditNote, &models.Original{}
	for _, count := range []func(models.Transaction) (models.NexusOutcome, error){
		CountNexus, func(t models.Transaction) (models.NexusOutcome, error) { return DecideNexus(t, nil, nil) },
	} {
		outcome, err := count(note)
		require.NoError(t, err)
		require.Equal(t, []int{1}, outcome.ExemptLines)
		require.Equal(t, "-25.00", outcome.Contributions[0].ExemptAmount.String())
	}
	note.Original.NexusExemptLines = []int{}
	outcome, err := DecideNexus(note, nil, nil)
	require.NoError(t, err)
	require.True(t, outcome.Contributions[0].ExemptAmount.IsZero(), "the sale was counted as taxable")
}
