package nexus_test

import (
	"testing"

	"github.com/govalues/decimal"
	"github.com/stretchr/testify/require"

	"levy/models"
	"levy/store/storetest"
)

// contributes is the contribution that the stages of these tests decide for a sale.
func contributes(t models.Transaction) (models.NexusOutcome, error) {
	return models.NexusOutcome{
		Ref: models.Ref{OrganizationID: t.OrganizationID, ID: t.ID, Epoch: t.Epoch},
		Contributions: []models.NexusContribution{{
			CountryCode: "US", StateCode: "NY", Currency: "USD", Day: t.TaxDate, Count: 1,
			Amount: decimal.MustParse("100.00"), CollectedTax: decimal.MustParse("8.88"),
			SoldAt: t.Date,
		}},
	}, nil
}

func TestRecountFindsAndRepairsEveryDifference(t *testing.T) {
	t.Parallel()
	b := storetest.Setup(t, 1, 64)
	refs := b.Accepted(t, 5)
	for _, stage := range storetest.Stages {
		_, err := stage.Save(b.Store, storetest.Run, refs)
		require.NoError(t, err)
	}
	recounted := func(repair bool) (differences []models.NexusDifference) {
		step, err := b.Store.Transactions.RecountContributions(t.Context(),
			models.NexusRecount{OrganizationID: b.Scope.OrganizationID, Repair: repair, Run: storetest.Run},
			func(sale models.Transaction) (models.NexusOutcome, error) {
				require.Equal(t, []int{0, 2}, sale.NexusExemptLines, "as stage 3 decided")
				return contributes(sale)
			})
		require.NoError(t, err)
		require.Equal(t, 5, step.Counted)
		require.Empty(t, step.Next)
		counters, err := b.Store.Nexus.RecountCounters(t.Context(), storetest.Run, b.Scope.OrganizationID, repair)
		require.NoError(t, err)
		return append(step.Differences, counters...)
	}
	require.Empty(t, recounted(true), "exactly zero")

	for name, damage := range map[string]string{
		"a counter is off by a cent": "UPDATE nexus_counters SET amount = amount - 0.01",
		"a counter counted twice":    "UPDATE nexus_counters SET n = n + 1",
		"a counter is gone":          "DELETE FROM nexus_counters",
		"a contribution is of another day": `UPDATE nexus_contributions
			SET day = day - 1
			WHERE transaction_id = (SELECT min(transaction_id) FROM nexus_contributions)`,
		"the taxes of a day are off by a cent": `INSERT INTO nexus_tax_changes SELECT organization_id, country_code,
			  state_code, member_code, currency, tax_date, 0, 0, 0.01
			FROM transaction_totals LIMIT 1`,
		"the taxes of a day are gone": "DELETE FROM nexus_tax_changes",
		"a contribution is gone": `DELETE FROM nexus_contributions
			WHERE transaction_id = (SELECT min(transaction_id) FROM nexus_contributions)`,
	} {
		_, err := b.SQL.Exec(t.Context(), damage)
		require.NoError(t, err, name)
		before := b.Count(t, "SELECT count(*) FROM nexus_repairs")
		require.NotEmpty(t, recounted(false), name)
		require.Equal(
			t, before, b.Count(t, "SELECT count(*) FROM nexus_repairs"), "%s: without repair nothing is written",
			name,
		)
		found := recounted(true)
		require.NotEmpty(t, found, name)
		require.Equal(t, before+len(found), b.Count(t, "SELECT count(*) FROM nexus_repairs"), name)
		require.Empty(t, recounted(true), "%s: it is repaired", name)
		require.Equal(
			t, 1,
			b.Count(t, "SELECT count(*) FROM nexus_counters WHERE n = 5 AND amount = 500 AND collected_tax = 44.40"),
			name,
		)
	}
	require.Zero(t, b.Count(t, storetest.RecountNexus))
	require.Zero(t, b.Count(t, storetest.TaxesDiffer))
}
