package faults_test

import (
	"context"
	"fmt"
	"net/http"
	"os"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"levy/test/testbed"
)

// One of two workers stops for ever in the middle of its work, with its connections open
// and whatever it holds in hand: the other one does everything.
func TestAWorkerThatStopsForEverHoldsUpNothing(t *testing.T) {
	t.Parallel()
	bed := testbed.New(t, testbed.Options{})
	book := newLedger(bed)
	second := bed.NewWorker()
	bed.API.Start()
	bed.Worker.Start()
	second.Start()
	const before, after = 200, 100
	stopped := make(chan struct{})
	go func() {
		defer close(stopped)
		bed.Eventually("some are processed", func(context.Context) (bool, error) {
			return bed.Count("SELECT count(*) FROM transaction_stages") > 100, nil
		})
		second.Pause()
	}()
	for i := range before {
		accept(t, bed, book, i)
	}
	<-stopped
	for i := before; i < before+after; i++ {
		accept(t, bed, book, i)
	}
	requireOnce(t, bed, book, before+after, nil)
}

// In one direction nothing passes any more, for ever, between one of three processes and
// Temporal, and between another one and PostgreSQL; of the API as of the workers. The
// third one serves.
func TestLinesDeadForEverHoldUpNothing(t *testing.T) {
	t.Parallel()
	for direction, die := range map[string]func(*testbed.Proxy){"replies": (*testbed.Proxy).Swallow,
		"requests": (*testbed.Proxy).Drop} {
		t.Run(direction, func(t *testing.T) {
			t.Parallel()
			if direction == "requests" && os.Getenv(wideVariable) == "" {
				t.Skip("make chaos runs it: it is much like the other one")
			}
			bed := testbed.New(t, testbed.Options{})
			book := newLedger(bed)
			var lines []*testbed.Proxy
			without := func(s *testbed.Service, temporal bool) *testbed.Service {
				toDatabase, toTemporal := s.Lines()
				if temporal {
					lines = append(lines, toTemporal)
				} else {
					lines = append(lines, toDatabase)
				}
				return s
			}
			temporalless, baseless := without(bed.NewAPI(), true), without(bed.NewAPI(), false)
			for _, s := range []*testbed.Service{bed.API, temporalless, baseless, bed.Worker,
				without(bed.NewWorker(), true), without(bed.NewWorker(), false)} {
				s.Start()
			}
			var sellers sync.WaitGroup
			sell := func(api *testbed.Service, from, to int) {
				for i := from; i < to; i++ {
					externalID, o := fmt.Sprintf("ORDER-%d", i), unknown
					answer, err := bed.Send(context.Background(), api, http.MethodPost, "/v1/transactions",
						testbed.Sale(externalID, i))
					switch {
					case err == nil && answer.Status == http.StatusAccepted:
						o = accepted
					case err == nil && answer.Code() == "service_unavailable":
						o = refused
					}
					book.add(externalID, i, o)
				}
			}
			sellers.Go(func() { sell(bed.API, 0, 100) })
			sellers.Go(func() { sell(temporalless, 100, 200) })
			sellers.Go(func() { sell(baseless, 200, 300) })
			bed.Eventually("all sell", func(context.Context) (bool, error) { return book.size() > 60, nil })
			for _, line := range lines {
				die(line)
			}
			sellers.Go(func() { sell(bed.API, 300, 350) })
			sellers.Go(func() { sell(temporalless, 350, 400) })
			bed.Eventually("those who reach the database have sold", func(context.Context) (bool, error) {
				return bed.Count(`SELECT count(*)
					FROM transactions
					WHERE external_id = ANY ('{ORDER-99,ORDER-199,ORDER-349,ORDER-399}')`) == 4, nil
			})
			baseless.Kill() // who sells there would wait for each answer in vain
			sellers.Wait()
			requireOnce(t, bed, book, bed.Count("SELECT count(*) FROM transactions"), nil)
			require.False(t, temporalless.Ended())
		})
	}
}
