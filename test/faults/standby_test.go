package faults_test

import (
	"context"
	"fmt"
	"math"
	"net/http"
	"os"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"levy/test/testbed"
)

// The primary dies under load and its synchronous standby is promoted: nothing that was accepted is
// lost, and the processes find it by themselves.
func TestAPromotedStandbyHasWhatWasAccepted(t *testing.T) {
	t.Parallel()
	if os.Getenv(wideVariable) == "" {
		t.Skip("takes longer than others: make chaos")
	}
	bed := testbed.New(t, testbed.Options{Own: true})
	ledger := newLedger(bed)
	bed.AddStandby(t.Context())
	l := &load{
		bed: bed, apis: []*testbed.Service{bed.API, bed.NewAPI()}, ledger: ledger, seed: 1, posts: math.MaxInt,
		codes: map[string]int{}, pause: 250 * time.Millisecond,
	}
	for _, s := range append([]*testbed.Service{bed.Worker, bed.NewWorker()}, l.apis...) {
		s.Start()
	}
	sold := l.sellOnly()
	sent := func(n int) {
		bed.Eventually(fmt.Sprintf("%d sales are sent", n), func(context.Context) (bool, error) { return l.sent() >= n, nil })
	}
	sent(300)
	bed.KillPostgres()
	died := time.Now()
	<-time.After(time.Second) // the time until the failure is noticed
	bed.Promote(t.Context())
	promoted := time.Now()
	bed.Eventually("sales are accepted again", func(ctx context.Context) (bool, error) {
		answer, err := bed.Send(ctx, bed.API, http.MethodPost, "/v1/transactions", testbed.Sale("AFTER", 1))
		return err == nil && answer.Status == http.StatusAccepted, fmt.Errorf("%d %s: %w", answer.Status, answer.Body, err)
	})
	ledger.add("AFTER", 1, accepted)
	t.Logf("sales are accepted %.1f s after the promotion, %.1f s after the primary died",
		time.Since(promoted).Seconds(), time.Since(died).Seconds())
	sent(l.sent() + 300)
	l.stop()
	<-sold
	require.Empty(t, l.wrong, "answers that no client should get")
	requireOnce(t, bed, ledger, bed.Count("SELECT count(*) FROM transactions"), nil)
	t.Logf("at rest after %.1f s; %v", time.Since(promoted).Seconds(), l.codes)
	t.Logf("%s", bed.Run("check"))
}
