package faults_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
	"go.temporal.io/api/enums/v1"

	"levy/test/testbed"
)

// PostgreSQL is restored to the past, and Temporal is not: what it knows of sales that no
// longer exist does no harm and comes to its end, and they can be sold again. A client on
// its way aboard goes on from where the database says it is.
func TestDatabaseRestoredToThePast(t *testing.T) {
	t.Parallel()
	bed := testbed.New(t, testbed.Options{Own: true})
	book, vanished := newLedger(bed), newLedger(bed)
	bed.API.Start()
	bed.Worker.Start()
	for n := range 10 {
		accept(t, bed, book, n)
	}
	requireProcessed(t, bed, 10)
	l := &load{bed: bed, apis: []*testbed.Service{bed.API}, book: book, codes: map[string]int{}}
	boarding := &openRuns{load: l}
	stays, goes := l.newcomer("Newcomer"), l.newcomer("Newcomer of a day that never was")
	boarding.step(stays, 3)
	bed.SaveDatabase(t.Context())

	l.book = vanished
	boarding.step(stays, 5)
	boarding.step(goes, 4)
	l.book, l.members = book, l.members[:1]
	for n := 10; n < 15; n++ { // will be done
		accept(t, bed, vanished, n)
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
	bed.Eventually("the runs of what no longer exists come to their end", func(context.Context) (bool, error) {
		for _, run := range runs(t, bed) {
			if run.GetStatus() != enums.WORKFLOW_EXECUTION_STATUS_COMPLETED {
				return false, fmt.Errorf("%s is %s", run.GetExecution().GetWorkflowId(), run.GetStatus())
			}
		}
		return true, nil
	})
	for n := 10; n < 20; n++ {
		accept(t, bed, book, n)
	}
	stays.next = 4
	boarding.step(stays, 8)
	require.Equal(t, 1, bed.Count("SELECT count(*) FROM onboardings WHERE status = 'COMPLETED'"))
	require.Zero(t, bed.Count("SELECT count(*) FROM organizations WHERE name = $1", goes.name))
	requireOnce(t, bed, book, 20, nil)
}

func (l *load) newcomer(name string) *newcomer {
	c := &newcomer{load: l, random: rand.New(rand.NewPCG(1, 1)), name: name, next: 1}
	l.members = append(l.members, c)
	return c
}
