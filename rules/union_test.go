package rules

import (
	"testing"

	"github.com/govalues/decimal"
	"github.com/stretchr/testify/require"

	"levy/models"
	"levy/tax"
	"levy/tax/money"
	"levy/tax/nexus"
)

// A seller in Germany sells goods for 100 euro to a consumer in Sweden.
func TestBelowTheUnionThresholdTheRateOfTheSellerCounts(t *testing.T) {
	t.Parallel()
	engine, err := tax.LoadContent()
	require.NoError(t, err)
	at := func(country, postal string) *tax.Place {
		place := engine.Resolve(tax.Address{Country: country, PostalCode: postal})
		return &place
	}
	obliged := func(country, from string) models.NexusObligation {
		since := day(from)
		return models.NexusObligation{
			ID: "nexs_1", CountryCode: country, StateCode: country, Obligation: models.Obligation{From: &since},
		}
	}
	sold := sale()
	sold.Currency, sold.Subtotal, sold.Home = "EUR", amountOf("100.00"), "DE"
	sold.Origin, sold.Place = at("DE", "10115"), at("SE", "111 20")
	line := item(1, "100.00")
	line.ID, line.TaxClass = "txi_1", tax.ClassPhysical
	sold.Items = []models.TransactionItem{line}
	rates := Rates{
		{From: "EUR", To: "SEK", Day: sold.TaxDate}: {Rate: decimal.MustParse("11"), Day: sold.TaxDate, Source: "ECB"},
	}

	for name, c := range map[string]struct {
		change    func(*models.Transaction)
		tax, owed string
		taxedBy   string
		currency  string
	}{
		"without any obligation": {func(*models.Transaction) {}, "19.00", "0.00", "DE", "EUR"},
		"obliged at home": {func(s *models.Transaction) {
			s.Obligations = []models.NexusObligation{obliged("DE", "2026-01-01")}
		}, "19.00", "19.00", "DE", "EUR"},
		"before the threshold was crossed": {func(s *models.Transaction) {
			s.Obligations = []models.NexusObligation{obliged("ZZ_EU", "2026-05-16")}
		}, "19.00", "0.00", "DE", "EUR"},
		"from the day on": {func(s *models.Transaction) {
			s.Obligations = []models.NexusObligation{obliged("ZZ_EU", "2026-05-15")}
		}, "25.00", "25.00", "SE", "SEK"},
		"with an obligation in the country of the customer": {func(s *models.Transaction) {
			s.Obligations = []models.NexusObligation{obliged("SE", "2026-01-01")}
		}, "25.00", "25.00", "SE", "SEK"},
		"with one in another member": {func(s *models.Transaction) {
			s.Obligations = []models.NexusObligation{obliged("FR", "2026-01-01")}
		}, "19.00", "0.00", "DE", "EUR"},
		"sent from another member": {
			func(s *models.Transaction) { s.Origin = at("FR", "75001") }, "25.00", "0.00", "SE", "SEK",
		},
		"by a seller elsewhere": {func(s *models.Transaction) { s.Home = "US" }, "25.00", "0.00", "SE", "SEK"},
		"by nobody knows whom":  {func(s *models.Transaction) { s.Home = "" }, "25.00", "0.00", "SE", "SEK"},
		"to a business": {func(s *models.Transaction) {
			s.Customer.TaxRegistrations = []models.CustomerTaxRegistration{
				{CountryCode: "SE", TaxType: "vat", TaxID: "SE556188840401"},
			}
		}, "0.00", "0.00", "SE", "SEK"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			sold := sold
			c.change(&sold)
			outcome, err := DecideTax(sold, noSettings, rates, engine.Calculate)
			require.NoError(t, err)
			require.Equal(t, models.ProcessingProcessed, outcome.To)
			require.Equal(t, c.tax, money.Format(outcome.TaxAmount))
			require.Equal(t, c.owed, money.Format(outcome.LiabilityAmount))
			require.Equal(t, c.currency, outcome.DestinationCurrency)
			require.Len(t, outcome.Totals, 2, "one for the country, one for the one-stop shop")
			require.Equal(t, c.taxedBy, outcome.Totals[0].CountryCode)
			require.Equal(t, nexus.EuropeanUnion, outcome.Totals[1].CountryCode)
			require.Equal(t, c.taxedBy, outcome.Totals[1].MemberCode)
			nexus, err := DecideNexus(sold, rates, engine.Calculate)
			require.NoError(t, err)
			require.Equal(t, "SE", nexus.Contributions[0].CountryCode, "it counts where it is delivered")
		})
	}

	t.Run("an exemption counts where the sale is taxed", func(t *testing.T) {
		t.Parallel()
		granted := func(country string) models.Exemption {
			e := exemption(models.ExemptionCustomer, "exmp_"+country)
			e.CountryCode = country
			return e
		}
		home, abroad := sold, sold
		abroad.Obligations = []models.NexusObligation{obliged("ZZ_EU", "2026-01-01")}
		require.True(t, exemptionApplies(granted("DE"), home))
		require.False(t, exemptionApplies(granted("SE"), home))
		require.False(t, exemptionApplies(granted("DE"), abroad))
		require.True(t, exemptionApplies(granted("SE"), abroad))
	})

	t.Run("a refund is of where its original was taxed", func(t *testing.T) {
		t.Parallel()
		outcome, err := DecideTax(sold, noSettings, rates, engine.Calculate)
		require.NoError(t, err)
		note := sold
		note.ID, note.Type, note.TaxDate, note.Subtotal = "txn_2", models.TypePartialCreditNote, day("2026-06-02"),
			amountOf("-50.00")
		back := item(1, "-50.00")
		back.OriginalLine = given(1)
		note.Items = []models.TransactionItem{back}
		note.Original = &models.Original{
			ID: sold.ID, Items: sold.Items, Explanation: outcome.Explanation,
			ProcessingStatus: models.ProcessingProcessed, TaxedAtHome: true,
		}
		note.Obligations = []models.NexusObligation{obliged("ZZ_EU", "2026-05-20")}
		refund, err := DecideRefund(note, nil, noLaw)
		require.NoError(t, err)
		require.Equal(t, "-9.50", money.Format(refund.TaxAmount))
		require.Equal(t, "EUR", refund.DestinationCurrency)
		require.Equal(t, "DE", refund.Totals[0].CountryCode)
	})
}
