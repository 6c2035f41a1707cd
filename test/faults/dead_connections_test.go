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

// One of two workers hangs for good in the middle of its work, with its connections open and its tasks unfinished: the
// other one does everything.
func TestAWorkerThatStopsForEverHoldsUpNothing(t *testing.T) {
	t.Parallel()
	bed := testbed.New(t, testbed.Options{})
	ledger := newLedger(bed)
	second := bed.NewWorker()
	bed.API.Start()
	bed.Worker.Start()
	second.Start()
	const before, after = 100, 50
	stopped := make(chan struct{})
	go func() {
		defer close(stopped)
		bed.Eventually("some are processed", func(context.Context) (bool, error) {
			return bed.Count("SELECT count(*) FROM transaction_stages") > 100, nil
		})
		second.Pause()
	}()
	for i := range before {
		accept(t, bed, ledger, i)
	}
	<-stopped
	for i := before; i < before+after; i++ {
		accept(t, bed, ledger, i)
	}
	requireOnce(t, bed, ledger, before+after, nil)
}

// Of three APIs and three workers, one loses its connection to Temporal and one that to PostgreSQL for good, in one
// direction. The third one serves.
func TestDeadConnectionsHoldUpNothing(t *testing.T) {
	t.Parallel()
	for direction, die := range map[string]func(*testbed.Proxy){"replies": (*testbed.Proxy).DropReplies,
		"requests": (*testbed.Proxy).DropRequests} {
		t.Run(direction, func(t *testing.T) {
			t.Parallel()
			if direction == "requests" && os.Getenv(wideVariable) == "" {
				t.Skip("make chaos runs it: it is much like the other one")
			}
			bed := testbed.New(t, testbed.Options{})
			ledger := newLedger(bed)
			var proxies []*testbed.Proxy
			without := func(s *testbed.Service, temporal bool) *testbed.Service {
				toDatabase, toTemporal := s.OwnProxies()
				if temporal {
					proxies = append(proxies, toTemporal)
				} else {
					proxies = append(proxies, toDatabase)
				}
				return s
			}
			withoutTemporal, withoutDatabase := without(bed.NewAPI(), true), without(bed.NewAPI(), false)
			for _, s := range []*testbed.Service{bed.API, withoutTemporal, withoutDatabase, bed.Worker,
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
					ledger.add(externalID, i, o)
				}
			}
			sellers.Go(func() { sell(bed.API, 0, 100) })
			sellers.Go(func() { sell(withoutTemporal, 100, 200) })
			sellers.Go(func() { sell(withoutDatabase, 200, 300) })
			bed.Eventually("all sell", func(context.Context) (bool, error) { return ledger.size() > 60, nil })
			for _, proxy := range proxies {
				die(proxy)
			}
			sellers.Go(func() { sell(bed.API, 300, 350) })
			sellers.Go(func() { sell(withoutTemporal, 350, 400) })
			bed.Eventually("those who reach the database have sold", func(context.Context) (bool, error) {
				return bed.Count(`SELECT count(*)
					FROM transactions
					WHERE external_id = ANY ('{ORDER-99,ORDER-199,ORDER-349,ORDER-399}')`) == 4, nil
			})
			withoutDatabase.Kill() // its seller would wait in vain for each answer
			sellers.Wait()
			requireOnce(t, bed, ledger, bed.Count("SELECT count(*) FROM transactions"), nil)
			require.False(t, withoutTemporal.Ended())
		})
	}
}
