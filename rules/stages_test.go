package rules

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"levy/models"
	"levy/tax"
	"levy/tax/money"
)

// The four stages with the real engine: the example of the contract.
func TestStagesWithTheRealEngine(t *testing.T) {
	t.Parallel()
	engine, err := tax.LoadContent()
	require.NoError(t, err)
	txn := sale()
	txn.Addresses = []models.TransactionAddress{{
		Type: models.ShipTo, Street1: given("350 5th Ave"), City: given("New York"), State: given("NY"),
		PostalCode: given("10118"), Country: given("US"),
	}}
	line := item(1, "100.00")
	line.TaxClass = tax.ClassPhysical
	txn.Items = []models.TransactionItem{line}

	address := DecideAddress(txn, engine.Resolve)
	require.Equal(t, models.ProcessingAddressDone, address.To)
	require.Equal(t, tax.StatusVerified, address.Statuses[models.ShipTo])
	txn.Place = &address.Place

	exemptions, err := DecideExemptions(txn)
	require.NoError(t, err)
	require.Equal(t, models.NotExempt, exemptions.Exempt)

	nexus, err := DecideNexus(txn, nil, engine.Calculate)
	require.NoError(t, err)
	require.Equal(t, "NY", nexus.Contributions[0].StateCode)

	outcome, err := DecideTax(txn, models.DefaultSettings("org_1"), nil, engine.Calculate)
	require.NoError(t, err)
	require.Equal(t, models.ProcessingProcessed, outcome.To)
	require.Equal(t, "8.88", money.Format(outcome.TaxAmount))
	require.Equal(t, "0.088750000", money.FormatRate(outcome.TaxRate))
	require.Equal(t, engine.Version(), outcome.ContentVersion)
	require.Len(t, outcome.Lines[0].TaxItems, 3)
	require.Equal(t, models.NotExempt, outcome.Exempt)
	require.True(t, json.Valid(outcome.Explanation))

	t.Run("an exemption that stage 2 decides applies in stage 4", func(t *testing.T) {
		t.Parallel()
		for _, reason := range []string{
			"PRODUCT", "CUSTOMER", "WHOLESALE", "TRANSACTION", "EXPORT", "IMPORTED", "ZERO_RATE_NOT_EXEMPT",
		} {
			exempt := txn
			line := line
			line.Exempt, line.TaxExemption = true, given(reason)
			exempt.Items = []models.TransactionItem{line}
			outcome, err := DecideTax(exempt, models.DefaultSettings("org_1"), nil, engine.Calculate)
			require.NoError(t, err)
			require.Equal(t, models.FullyExempt, outcome.Exempt, reason)
			require.Equal(t, reason, outcome.Lines[0].TaxExemption)
			require.True(t, outcome.TaxAmount.IsZero())
		}
	})
}

// BenchmarkStages decides all four stages of a sale of one line in New York City.
func BenchmarkStages(b *testing.B) {
	engine, err := tax.LoadContent()
	require.NoError(b, err)
	txn := sale()
	txn.Addresses = []models.TransactionAddress{{
		Type: models.ShipTo, City: given("New York"), State: given("NY"), PostalCode: given("10118"), Country: given("US"),
	}}
	txn.Items = []models.TransactionItem{item(1, "100.00")}
	txn.Items[0].TaxClass = tax.ClassPhysical
	b.ReportAllocs()
	for b.Loop() {
		t := txn
		address := DecideAddress(t, engine.Resolve)
		t.Place = &address.Place
		if _, err := DecideExemptions(t); err != nil {
			b.Fatal(err)
		}
		if _, err := DecideNexus(t, nil, engine.Calculate); err != nil {
			b.Fatal(err)
		}
		if _, err := DecideTax(t, noSettings, nil, engine.Calculate); err != nil {
			b.Fatal(err)
		}
	}
}
