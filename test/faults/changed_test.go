package faults_test

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"levy/test/overlay"
	"levy/test/testbed"
	"levy/workflows"
)

// notes is where a workflow can note something first.
var notes = map[string]string{
	"transactions.go": "\tctx = workflow.WithActivityOptions(ctx, stageOptions)\n",
	"onboarding.go":   "\to.show(ctx)\n\tif err := o.await(ctx)",
	"filing.go":       "\tin.Seen = nil",
}

// misfit builds a release that should not have been made: workflows note something first,
// without a version for the runs that are under way.
func misfit(t *testing.T, files ...string) (program string) {
	t.Helper()
	const note = "\tworkflow.SideEffect(ctx, func(workflow.Context) any { return 1 })\n"
	var edits []overlay.Edit
	for _, file := range files {
		edits = append(edits, overlay.Edit{File: "../../workflows/" + file, Old: notes[file], New: note + notes[file]})
	}
	program, err := testbed.Variant("levy-misfit-"+strings.TrimSuffix(files[1], ".go"), edits...)
	require.NoError(t, err)
	return program
}

// deploy replaces a process by one of another program.
func deploy(s *testbed.Service, program string) {
	s.Kill()
	s.Become(program)
	s.Launch()
}

// A release whose workflow code does not fit what is under way, and its withdrawal: sales
// go on throughout, those whose runs stumble in a new run; an onboarding waits, its step
// is not lost, and goes on when the code fits again.
func TestMisfitReleaseUnderLoad(t *testing.T) {
	t.Parallel()
	requireWide(t)
	bed := testbed.New(t, testbed.Options{Own: true})
	other := misfit(t, "transactions.go", "onboarding.go")
	workers := []*testbed.Service{bed.Worker, bed.NewWorker()}
	for _, s := range append(workers, bed.API) {
		s.Start()
	}
	book := newLedger(bed)
	open := openBefore(bed, []*testbed.Service{bed.API}, book)
	number, over := 0, make(chan struct{})
	var selling sync.WaitGroup
	selling.Go(func() {
		for {
			select {
			case <-over:
				return
			default:
			}
			externalID, o := fmt.Sprintf("ORDER-%d", number), unknown
			if answer, err := bed.Send(context.Background(), bed.API, http.MethodPost, "/v1/transactions",
				testbed.Sale(externalID, number)); err == nil && answer.Status == http.StatusAccepted {
				o = accepted
			}
			book.add(externalID, number, o)
			number++
		}
	})
	for _, w := range workers {
		deploy(w, other)
	}
	run := workflows.OnboardingID(open.stays.id)
	bed.Eventually("the onboarding cannot go on", func(context.Context) (bool, error) {
		open.stays.step()
		return len(taskFailures(t, bed, run)) > 0, nil
	})
	before := bed.Count("SELECT count(*) FROM transactions")
	bed.Eventually("sales go on", func(ctx context.Context) (bool, error) {
		makeDue(bed)
		var processed int
		err := bed.DB.QueryRow(ctx, `SELECT count(*)
			FROM transactions
			WHERE processing_status = 'PROCESSED'`).Scan(&processed)
		return processed > before, err
	})
	for _, w := range workers {
		deploy(w, "")
	}
	for _, w := range workers {
		w.WaitReady()
	}
	open.bringToEnd()
	close(over)
	selling.Wait()
	makeDue(bed)
	t.Logf("tasks of the onboarding failed: %v", taskFailures(t, bed, run))
	requireOnce(t, bed, book, number+1, &endings{stumble: true})
}
