package testbed_test

import (
	"context"
	"net/http"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/stretchr/testify/require"

	"levy/test/testbed"
)

func TestMain(m *testing.M) { testbed.Main(m) }

// The service begins as docker-compose.yml has it begin, and takes a sale. Who serves can neither change the audit
// trail nor make a table, and is no superuser.
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
	bed.Worker.Stop()
	bed.API.Stop()
}

// requireServiceLogin checks as who the processes are connected, and what that login may not do.
func requireServiceLogin(t *testing.T, bed *testbed.Bed) {
	t.Helper()
	const of = "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND usename = "
	require.Positive(t, bed.Count(of+"'levy_app'"))
	require.Zero(t, bed.Count(of+"'levy_owner'"))
	require.EqualValues(t, bed.DB.Stat().TotalConns(), bed.Count(of+"current_user"), "the superuser's are those of the test")
	serving, err := pgx.Connect(t.Context(), bed.ServiceURL())
	require.NoError(t, err)
	defer serving.Close(t.Context())
	for _, statement := range []string{
		"UPDATE audit SET action = 'READ'", "DELETE FROM audit", "TRUNCATE audit", "DELETE FROM audit_seals", "CREATE TABLE mine (id int)",
		"CREATE TEMPORARY TABLE mine (id int)", "DROP TABLE audit", "ALTER TABLE audit DISABLE TRIGGER ALL", "CREATE ROLE mine", "SET ROLE levy_owner",
	} {
		_, err := serving.Exec(t.Context(), statement)
		var refused *pgconn.PgError
		require.ErrorAs(t, err, &refused, statement)
		require.Equal(t, "42501", refused.Code, statement)
	}
}
