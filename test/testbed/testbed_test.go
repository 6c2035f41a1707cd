package testbed_test

import (
	"context"
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"levy/test/testbed"
)

func TestMain(m *testing.M) { testbed.Main(m) }

// The service begins as docker-compose.yml has it begin, and takes a sale, as a login that is
// neither a superuser nor the owner of the tables.
func TestTheServiceRunsAsComposeSays(t *testing.T) {
	t.Parallel()
	bed := testbed.New(t, testbed.Options{Compose: true})
	bed.API.Start()
	bed.Worker.Start()
	answer := bed.Post("/v1/transactions", testbed.Sale("ORDER-1", 1))
	require.Equal(t, http.StatusAccepted, answer.Status, "%s", answer.Body)
	bed.Eventually("the transaction is processed", func(context.Context) (bool, error) {
		return bed.Get("/v1/transactions/external/ORDER-1").Field("processing_status") == "PROCESSED", nil
	})
	requireServiceLogin(t, bed)
	require.Contains(t, string(bed.Run("keys", "save", "--keys", t.TempDir())), "wrapped keys that there are now",
		"what the service keys does")
	bed.Worker.Stop()
	bed.API.Stop()
}

// requireServiceLogin checks as who the processes are connected. What that login may not do, attacks try.
func requireServiceLogin(t *testing.T, bed *testbed.Bed) {
	t.Helper()
	const of = "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND usename = "
	require.Positive(t, bed.Count(of+"'levy_app'"))
	require.Positive(t, bed.Count(of+"'levy_workflows'"))
	require.Zero(t, bed.Count(of+"'levy_owner'"))
	require.EqualValues(t, bed.DB.Stat().TotalConns(), bed.Count(of+"current_user"),
		"the superuser's are those of the test")
}
