package contract_test

import (
	"errors"
	"log/slog"
	"slices"

	"github.com/stretchr/testify/require"
	"go.temporal.io/sdk/temporal"
	"go.temporal.io/sdk/testsuite"

	"levy/activities"
	"levy/models"
)

// processed takes a transaction through all stages.
func (in *installation) processed(as credentials, ids ...string) {
	in.t.Helper()
	in.through(in.work(as, ids...), allStages)
}

// work is the batch of some transactions.
func (in *installation) work(as credentials, ids ...string) (work activities.StageInput) {
	in.t.Helper()
	for _, id := range ids {
		ref := models.Ref{OrganizationID: as.organization, ID: id}
		in.query(&ref.Epoch, "SELECT epoch FROM transactions WHERE organization_id = $1 AND id = $2", as.organization, id)
		work.Refs = append(work.Refs, ref)
	}
	return work
}

// attempts bounds the attempts of a stage.
const attempts = 5

// stage executes a stage. A database that is busy beside others is asked again, as Temporal does.
func (in *installation) stage(
	env *testsuite.TestActivityEnvironment, stage any, work activities.StageInput,
) (result activities.StageResult) {

	in.t.Helper()
	var failure *temporal.ApplicationError
	for attempt := 1; ; attempt++ {
		value, err := env.ExecuteActivity(stage, work)
		if err == nil {
			require.NoError(in.t, value.Get(&result))
			return result
		}
		if attempt == attempts || !errors.As(err, &failure) || failure.Type() != activities.ErrTypeInfrastructure {
			require.NoError(in.t, err)
		}
	}
}

// allStages is the number of stages.
const allStages = 4

// through takes transactions through the first stages, as one batch.
func (in *installation) through(work activities.StageInput, first int) {
	in.t.Helper()
	processing := activities.New(in.store.Processing(), in.taxes, slog.New(slog.DiscardHandler))
	var suite testsuite.WorkflowTestSuite
	env := suite.NewTestActivityEnvironment()
	env.RegisterActivity(processing)
	stages := []any{processing.VerifyAddresses, processing.DetermineExemptions, processing.DetermineNexus,
		processing.CalculateTax}
	for _, stage := range stages[:first] {
		left := work.Refs
		result := in.stage(env, stage, work)
		work.Refs = nil
		for i, ref := range left {
			if !slices.ContainsFunc(result.Exceptions, func(e activities.Exception) bool { return e.Index == i }) {
				work.Refs = append(work.Refs, ref)
			}
		}
		if len(work.Refs) == 0 {
			return
		}
	}
}
