package onboarding_test

import (
	"fmt"
	"math/rand/v2"
	"net/http"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"levy/test/seed"
	"levy/test/testbed"
)

// Whatever the order of the calls, a step is accepted exactly when the steps before it were, and any other is refused
// with the name of the next step. The seed is printed, to repeat a failure.
func TestCallsInAnyOrderAreAcceptedOrRefusedInTurn(t *testing.T) {
	t.Parallel()
	bed := testbed.New(t, testbed.Options{})
	bed.API.Start()
	bed.Worker.Start()
	t.Logf("to repeat: %s", seed.Again())
	for sample := range uint64(4) {
		t.Run(fmt.Sprintf("sample %d", sample), func(t *testing.T) {
			t.Parallel()
			random := rand.New(rand.NewPCG(seed.Seed(), sample))
			c := newClient(t, bed, fmt.Sprintf("Acme %d", sample))
			c.upTo(2) // the others need the id and the key
			completed, calls := 2, map[int]int{1: 1, 2: 1}
			for completed < 8 {
				n := 2 + random.IntN(min(completed+2, 7))
				a := c.step(n)
				if n > completed+1 {
					require.Equal(t, http.StatusConflict, a.status, "step %d after %d: %s", n, completed, a.raw)
					require.Equal(t, "onboarding_step_out_of_order", a.body["code"])
					require.InDelta(t, completed+1, a.body["next_step"], 0)
					continue
				}
				if n == 2 && a.status != http.StatusOK {
					require.Equal(t, "api_key_limit_reached", a.body["code"], a.raw)
					continue
				}
				require.Equal(t, http.StatusOK, a.status, "step %d after %d: %s", n, completed, a.raw)
				calls[n]++
				completed = max(completed, n)
			}
			if c.unsure {
				return // the number of accepted calls is unknown
			}
			for i, step := range c.onboarding()["steps"].([]any) {
				require.InDelta(t, calls[i+1], step.(map[string]any)["attempts"], 0, "accepted calls of step %d", i+1)
			}
		})
	}
}

// Copies of every step at the same time: an organization is created once, the other
// steps are done once and then edited, and nothing is skipped.
func TestParallelCopiesOfAStepAreDoneOnce(t *testing.T) {
	t.Parallel()
	bed := testbed.New(t, testbed.Options{})
	bed.API.Start()
	bed.Worker.Start()
	c := newClient(t, bed, "Acme Trading")
	for n := 1; n <= 8; n++ {
		copies := 3
		if n <= 3 || n == 8 {
			copies = 10
		}
		answers, callers := make([]answer, copies), make([]*client, copies)
		var calling sync.WaitGroup
		for i := range copies {
			calling.Go(func() {
				callers[i] = &client{bed: bed, t: t, name: c.name, id: c.id, key: c.key}
				answers[i] = callers[i].step(n)
			})
		}
		calling.Wait()
		accepted, unsure := 0, false
		for i, a := range answers {
			unsure = unsure || callers[i].unsure
			switch {
			case a.status == http.StatusOK:
				accepted++
				c.id, c.key = callers[i].id, callers[i].key
			case n == 1:
				require.Equal(t, "duplicate_name", a.body["code"], a.raw)
			default:
				require.Failf(t, "refused", "step %d: %s", n, a.raw)
			}
		}
		if n == 1 && !unsure {
			require.Equal(t, 1, accepted)
		}
		o := c.onboarding()
		require.InDelta(t, n, len(o["completed_steps"].([]any)), 0)
		if unsure {
			continue // the number of accepted calls is unknown
		}
		require.InDelta(t, accepted, o["steps"].([]any)[n-1].(map[string]any)["attempts"], 0, "step %d", n)
	}
	require.Equal(t, "COMPLETED", c.onboarding()["status"])
	require.Equal(t, 1, bed.Count("SELECT count(*) FROM organizations WHERE parent_organization_id IS NOT NULL"))
}
