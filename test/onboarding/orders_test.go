package onboarding_test

import (
	"fmt"
	"math/rand/v2"
	"net/http"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"levy/test/testbed"
)

// Whatever the order of the calls: one is accepted exactly when those before it were,
// and another is told which is next. The seed is printed, to repeat a failure.
func TestSampledOrdersOfCalls(t *testing.T) {
	t.Parallel()
	bed := testbed.New(t, testbed.Options{})
	bed.API.Start()
	bed.Worker.Start()
	seed := uint64(time.Now().UnixNano())
	for sample := range uint64(4) {
		t.Run(fmt.Sprintf("seed %d, %d", seed, sample), func(t *testing.T) {
			t.Parallel()
			random := rand.New(rand.NewPCG(seed, sample))
			c := newClient(t, bed, fmt.Sprintf("Acme %d", sample))
			c.upTo(2) // the others need the id and the key
			completed, calls := 2, map[int]int{1: 1, 2: 1}
			for completed < 8 {
				n := 2 + random.IntN(min(completed+2, 7))
				a := c.sure(n)
				if n > completed+1 {
					require.Equal(t, http.StatusConflict, a.status, "step %d after %d: %s", n, completed, a.raw)
					require.Equal(t, "onboarding_step_out_of_order", a.body["code"])
					require.InDelta(t, completed+1, a.body["next_step"], 0)
					continue
				}
				if n == 2 && a.status != http.StatusOK {
					require.Equal(t, "limit_reached", a.body["code"], a.raw)
					continue
				}
				require.Equal(t, http.StatusOK, a.status, "step %d after %d: %s", n, completed, a.raw)
				calls[n]++
				completed = max(completed, n)
			}
			if c.unsure {
				return // nobody knows how many calls were accepted
			}
			for i, step := range c.onboarding()["steps"].([]any) {
				require.InDelta(t, calls[i+1], step.(map[string]any)["attempts"], 0, "accepted calls of step %d", i+1)
			}
		})
	}
}

// Copies of every step at the same time: an organization is created once, the other
// steps are done once and then edited, and nothing is skipped.
func TestParallelCopiesOfEveryStep(t *testing.T) {
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
		answers := make([]answer, copies)
		var calling sync.WaitGroup
		for i := range copies {
			calling.Go(func() {
				one := &client{bed: bed, t: t, name: c.name, id: c.id, key: c.key}
				a, err := one.try(n)
				if err != nil {
					t.Errorf("step %d: %v", n, err)
				}
				answers[i] = a
			})
		}
		calling.Wait()
		var accepted []answer
		for _, a := range answers {
			if a.status == http.StatusOK {
				accepted = append(accepted, a)
			}
		}
		switch n {
		case 1:
			require.Len(t, accepted, 1)
			c.id = accepted[0].body["id"].(string)
			for _, a := range answers {
				if a.status != http.StatusOK {
					require.Equal(t, []any{"duplicate_name", c.id}, []any{a.body["code"], a.body["existing_id"]}, a.raw)
				}
			}
		case 2:
			require.NotEmpty(t, accepted)
			c.key = accepted[0].body["api_key"].(string)
		default:
			require.Len(t, accepted, copies, "step %d", n)
		}
		o := c.onboarding()
		require.InDelta(t, n, len(o["completed_steps"].([]any)), 0)
		require.InDelta(t, len(accepted), o["steps"].([]any)[n-1].(map[string]any)["attempts"], 0, "step %d", n)
	}
	require.Equal(t, "COMPLETED", c.onboarding()["status"])
	require.Equal(t, 1, bed.Count("SELECT count(*) FROM organizations WHERE parent_organization_id IS NOT NULL"))
}
