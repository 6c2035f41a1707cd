package transactions_test

import (
	"testing"

	"github.com/govalues/decimal"
	"github.com/stretchr/testify/require"

	"levy/models"
	"levy/store/storetest"
)

func TestPlacesAndTheTaxOfTheFormAreStoredWithATotal(t *testing.T) {
	t.Parallel()
	b := storetest.SetupFilings(t)
	sale := b.Sale(t, "2026-01-10", "100.00")
	refs := []models.Ref{sale}
	_, err := b.Store.Transactions.LoadForAddresses(t.Context(), storetest.Run, refs)
	require.NoError(t, err)
	for _, stage := range storetest.Stages[:3] {
		_, err := stage.Save(b.Store, storetest.Run, refs)
		require.NoError(t, err)
	}
	form := decimal.MustParse("3.996000")
	_, err = b.Store.Transactions.SaveTax(t.Context(), storetest.Run, refs, []models.TaxOutcome{{
		Ref: sale, To: models.ProcessingProcessed, Exempt: models.NotExempt, DestinationCurrency: "USD",
		ConversionRate: decimal.One, ContentVersion: "test", LiabilitySource: models.LiabilityCollected,
		Totals: []models.AuthorityTotal{{
			CountryCode: "US", StateCode: "NY", MemberCode: "US",
			Places:  []models.OwedPlace{{Type: "STATE", Name: "New York", Code: "36", Amount: decimal.MustParse("4.00")}},
			FormTax: &form, BeyondRounding: true,
		}},
	}})
	require.NoError(t, err)
	require.Equal(t, 1, b.Count(t, `SELECT count(*) FROM transaction_totals
		WHERE places = '[{"type":"STATE","name":"New York","code":"36","amount":"4.00"}]'
		  AND form_tax = 3.996 AND beyond_rounding`))
}
