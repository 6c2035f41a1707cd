package main

import (
	"log/slog"
	"testing"
	"time"

	"github.com/govalues/decimal"
	"github.com/stretchr/testify/require"
	"go.temporal.io/sdk/testsuite"

	"levy/activities"
	"levy/models"
	"levy/store/storetest"
)

func TestASaleIsCalculatedByTheContentThatFoundItsPlace(t *testing.T) {
	t.Parallel()
	o := newOperator(t)
	o.must("list")
	version := o.recorded(o.must("import-rates", o.file("GAR2026Q4SEP01.csv", georgia)))
	cache, err := o.store.Content.OpenCache(t.Context())
	require.NoError(t, err)
	before := cache.Current().Version()
	processing := activities.New(o.store.Processing(), cache, slog.New(slog.DiscardHandler))
	var suite testsuite.WorkflowTestSuite
	env := suite.NewTestActivityEnvironment()
	env.RegisterActivity(processing)
	scope := storetest.Organization(t, o.database)
	intake := o.store.Transactions.StartIntake(1, 1)
	t.Cleanup(intake.Close)
	accept := func(externalID string) activities.StageInput {
		d := storetest.Draft(scope, externalID)
		city, state, zip := "Atlanta", "GA", "30303"
		d.Addresses[0].City, d.Addresses[0].State, d.Addresses[0].PostalCode = &city, &state, &zip
		d.Actor = models.Actor{APIKeyID: "key", RequestID: "request"}
		require.NoError(t, intake.Accept(t.Context(), d))
		return activities.StageInput{Refs: []models.Ref{{OrganizationID: d.OrganizationID, ID: d.ID, Epoch: d.Epoch}}}
	}
	run := func(in activities.StageInput, stages ...any) {
		t.Helper()
		for _, stage := range stages {
			_, err := env.ExecuteActivity(stage, in)
			require.NoError(t, err)
		}
	}
	rest := []any{processing.DetermineExemptions, processing.DetermineNexus, processing.CalculateTax}
	calculatedBy := func(in activities.StageInput) string {
		sale, err := o.store.Transactions.Transaction(t.Context(), scope, in.Refs[0].ID)
		require.NoError(t, err)
		require.NotNil(t, sale.ContentVersion, sale.ProcessingStatus)
		return *sale.ContentVersion
	}

	first := accept("before")
	run(first, processing.VerifyAddresses)
	run(first, rest...)
	require.Equal(t, before, calculatedBy(first))
	require.Contains(t, o.must("diff"), "1 lines taxed at an old rate, tax +0.50 before rounding")

	// A rate of the organization is listed under the change, and counts from the next calculation on.
	own := models.RateOverride{
		ID: models.NewID(models.PrefixRateOverride), JurisdictionID: "US-GA-C121", CountryCode: "US", StateCode: "GA",
		JurisdictionType: "COUNTY", JurisdictionName: "Fulton County", Rate: decimal.MustParse("0.5"), Reason: "a notice",
		StartDate: time.Date(2020, 1, 1, 0, 0, 0, 0, time.UTC), CreatedAt: time.Now(),
	}
	require.NotContains(t, o.must("diff"), "a notice")
	require.NoError(t, o.store.Content.CreateRateOverride(t.Context(), scope, models.Actor{}, &own))
	require.Regexp(t, scope.OrganizationID+".*Fulton County +\\* +50 % +2020-01-01 +.a notice", o.must("diff"))
	set := accept("set")
	run(set, processing.VerifyAddresses)
	run(set, rest...)
	explanation, err := o.store.Transactions.TransactionExplanation(t.Context(), scope, set.Refs[0].ID)
	require.NoError(t, err)
	require.Contains(t, string(explanation.Body), "Fulton County 50 %: rate set by you on")
	_, err = o.store.Content.DeleteRateOverride(t.Context(), scope, models.Actor{}, own.ID)
	require.NoError(t, err)

	between := accept("between")
	run(between, processing.VerifyAddresses)
	o.must("activate", version)
	require.NoError(t, cache.Refresh(t.Context()))
	run(between, rest...)
	require.Equal(t, before, calculatedBy(between), "one sale, one content")

	after := accept("after")
	run(after, processing.VerifyAddresses)
	run(after, rest...)
	require.Equal(t, version, calculatedBy(after))
}
