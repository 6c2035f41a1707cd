package faults_test

import (
	"context"
	"fmt"
	"net/http"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"levy/test/testbed"
)

// version is the sale n as a new version of it.
func version(externalID string, n int) map[string]any {
	body := testbed.Sale(externalID, n)
	delete(body, "type")
	return body
}

// An update is applied as a whole or not at all, wherever the API dies; and what
// the stages of the old version did meanwhile does not count any more.
func TestUpdatesSurviveCrashes(t *testing.T) {
	t.Parallel()
	for point, applied := range map[string]int{"update_locked": 0, "before_update_commit": 0, "after_update_commit": 1} {
		t.Run(point, func(t *testing.T) {
			t.Parallel()
			bed, ledger := crashing(t)
			bed.API.Start(point + "=kill")
			bed.Worker.Start()
			path := "/v1/transactions/" + bed.Get("/v1/transactions/external/"+accept(t, bed, ledger, 1)).Field("id")
			requireProcessed(t, bed, 1)
			_, err := bed.Send(context.Background(), bed.API, http.MethodPut, path, version("ORDER-1", 1))
			require.Error(t, err, "the API was to die before it answers")
			bed.API.WaitKilled()
			require.Equal(t, 1+applied, bed.Count("SELECT revision FROM transactions"))
			require.Equal(t, applied, bed.Count("SELECT count(*) FROM transaction_revisions"))
			requireInvariants(t, bed, moment{})
			bed.API.Start()
			answer, err := bed.Send(context.Background(), bed.API, http.MethodPut, path, version("ORDER-1", 1))
			require.NoError(t, err)
			require.Equal(t, http.StatusOK, answer.Status, "%s", answer.Body)
			requireOnce(t, bed, ledger, 1, nil)
			require.Equal(t, 2+applied, bed.Count("SELECT revision FROM transactions"))
		})
	}
}

// Clients update the same sales at the same time while the worker, which dies
// before and after commits of stages, processes every version.
func TestConcurrentUpdatesWhileTheWorkerDies(t *testing.T) {
	t.Parallel()
	bed, ledger := crashing(t)
	bed.API.Start()
	const sales, clients, rounds = 4, 4, 5
	paths := make([]string, sales)
	for n := range sales {
		paths[n] = "/v1/transactions/" + bed.Get("/v1/transactions/external/"+accept(t, bed, ledger, n)).Field("id")
	}
	bed.Worker.Launch("before_stage_commit=skip*2,kill")
	var all sync.WaitGroup
	for c := range clients {
		all.Go(func() {
			for i := range rounds * sales {
				n := (i + c) % sales
				answer, err := bed.Send(context.Background(), bed.API, http.MethodPut, paths[n],
					version(fmt.Sprintf("ORDER-%d", n), n))
				require.NoError(t, err)
				require.Equal(t, http.StatusOK, answer.Status, "%s", answer.Body)
			}
		})
	}
	bed.Worker.WaitKilled()
	requireInvariants(t, bed, moment{})
	bed.Worker.Launch("after_stage_commit=skip*1,kill")
	bed.Worker.WaitKilled()
	requireInvariants(t, bed, moment{})
	bed.Worker.Start()
	all.Wait()
	requireOnce(t, bed, ledger, sales, nil)
	require.Equal(t, sales, bed.Count("SELECT count(*) FROM transactions WHERE revision = $1", 1+clients*rounds),
		"no update was lost")
	require.Equal(t, sales*clients*rounds, bed.Count("SELECT count(*) FROM transaction_revisions"))
}
