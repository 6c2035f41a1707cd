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

// insertionPoints are lines before which a side effect can be added to a workflow.
var insertionPoints = map[string]string{
	"transactions.go": "\tb := newBatch(in.Refs)\n",
	"onboarding.go":   "\to.show(ctx)\n\tif err := o.await(ctx)",
	"filing.go":       "\tin.Seen = nil",
}

// incompatibleRelease builds a release whose workflows record a side effect first, without a version for the runs that
// are in progress. Such a release must not be made.
func incompatibleRelease(t *testing.T, files ...string) (program string) {
	t.Helper()
	const sideEffect = "\tworkflow.SideEffect(ctx, func(workflow.Context) any { return 1 })\n"
	var edits []overlay.Edit
	for _, file := range files {
		point := insertionPoints[file]
		edits = append(edits, overlay.Edit{File: "../../workflows/" + file, Old: point, New: sideEffect + point})
	}
	program, err := testbed.Variant("levy-incompatible-"+strings.TrimSuffix(files[1], ".go"), edits...)
	require.NoError(t, err)
	return program
}

// deploy replaces a process by one of another program.
func deploy(s *testbed.Service, program string) {
	s.Kill()
	s.SetProgram(program)
	s.Launch()
}

// A release whose workflow code cannot continue the runs in progress, and its rollback: sales are processed throughout,
// those whose runs fail in a new run. An onboarding waits without losing its step, and continues after the rollback.
func TestIncompatibleReleaseUnderLoad(t *testing.T) {
	t.Parallel()
	requireWide(t)
	bed := testbed.New(t, testbed.Options{Own: true})
	other := incompatibleRelease(t, "transactions.go", "onboarding.go")
	workers := []*testbed.Service{bed.Worker, bed.NewWorker()}
	for _, s := range append(workers, bed.API) {
		s.Start()
	}
	ledger := newLedger(bed)
	open := openBefore(bed, []*testbed.Service{bed.API}, ledger)
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
			ledger.add(externalID, number, o)
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
	open.complete()
	close(over)
	selling.Wait()
	makeDue(bed)
	t.Logf("tasks of the onboarding failed: %v", taskFailures(t, bed, run))
	requireOnce(t, bed, ledger, number+1, &endings{nondeterministic: true})
}
