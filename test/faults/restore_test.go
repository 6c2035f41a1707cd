package faults_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"
	"go.temporal.io/api/enums/v1"

	"levy/test/testbed"
)

// PostgreSQL is restored to the past, and Temporal is not: its runs for sales that no
// longer exist end without effect, and the sales can be posted again. An onboarding continues from the step that the
// database has.
func TestDatabaseRestoredToThePast(t *testing.T) {
	t.Parallel()
	bed := testbed.New(t, testbed.Options{Own: true})
	ledger, vanished := newLedger(bed), newLedger(bed)
	bed.API.Start()
	bed.Worker.Start()
	for n := range 10 {
		accept(t, bed, ledger, n)
	}
	requireProcessed(t, bed, 10)
	l := &load{bed: bed, apis: []*testbed.Service{bed.API}, ledger: ledger, codes: map[string]int{}}
	onboarding := &openRuns{load: l}
	stays, goes := l.newClient("Client"), l.newClient("Client that was not restored")
	onboarding.step(stays, 3)
	bed.SaveDatabase(t.Context())

	l.ledger = vanished
	onboarding.step(stays, 5)
	onboarding.step(goes, 4)
	l.ledger, l.clients = ledger, l.clients[:1]
	for n := 10; n < 15; n++ { // will be done
		acceptAtLast(bed, vanished, n)
	}
	requireProcessed(t, bed, 15)
	bed.Worker.Kill()
	for n := 15; n < 20; n++ { // will be started
		accept(t, bed, vanished, n)
	}
	waitForMark(bed, 5)
	bed.LoadDatabase(t.Context())
	bed.Worker.Start()

	require.Equal(t, 10, bed.Count("SELECT count(*) FROM transactions"))
	bed.Eventually("the runs of what no longer exists have ended", func(context.Context) (bool, error) {
		for _, run := range runs(t, bed) {
			if run.GetStatus() != enums.WORKFLOW_EXECUTION_STATUS_COMPLETED {
				return false, fmt.Errorf("%s is %s", run.GetExecution().GetWorkflowId(), run.GetStatus())
			}
		}
		return true, nil
	})
	for n := 10; n < 20; n++ {
		acceptAtLast(bed, ledger, n)
	}
	stays.next = 4
	onboarding.step(stays, 8)
	require.Equal(t, 1, bed.Count("SELECT count(*) FROM onboardings WHERE status = 'COMPLETED'"))
	require.Zero(t, bed.Count("SELECT count(*) FROM organizations WHERE name = $1", goes.name))
	requireOnce(t, bed, ledger, 20, nil)
}

// acceptAtLast posts sale n until it is accepted: a connection from before a restart of PostgreSQL answers 503.
func acceptAtLast(bed *testbed.Bed, ledger *ledger, n int) {
	bed.TB().Helper()
	externalID := fmt.Sprintf("ORDER-%d", n)
	bed.Eventually(externalID+" is accepted", func(context.Context) (bool, error) {
		answer := bed.Post("/v1/transactions", testbed.Sale(externalID, n))
		return answer.Status == http.StatusAccepted, fmt.Errorf("%d: %s", answer.Status, answer.Body)
	})
	ledger.add(externalID, n, accepted)
}

func (l *load) newClient(name string) *onboardingClient {
	c := &onboardingClient{load: l, random: rand.New(rand.NewPCG(1, 1)), name: name, next: 1}
	l.clients = append(l.clients, c)
	return c
}
