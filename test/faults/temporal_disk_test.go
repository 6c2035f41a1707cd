package faults_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"levy/test/testbed"
)

// The disk of Temporal's own store is full: clients that post do not notice, and what was
// accepted meanwhile is processed when there is space again.
func TestAFullDiskOfTemporalRefusesNobody(t *testing.T) {
	t.Parallel()
	bed := testbed.New(t, testbed.Options{Own: true, TemporalDisk: 400 << 20})
	ledger := newLedger(bed)
	bed.API.Start()
	bed.Worker.Start()
	const before, during, after = 10, 30, 10
	for i := range before {
		accept(t, bed, ledger, i)
	}
	requireProcessed(t, bed, before)

	bed.TemporalDisk.Fill()
	n := before
	bed.Eventually("Temporal cannot take anything", func(context.Context) (bool, error) {
		bed.TemporalDisk.Fill()
		accept(t, bed, ledger, n)
		n++
		return bed.API.Logged("batch not started") >= 5, nil
	})
	for last := n + during; n < last; n++ {
		accept(t, bed, ledger, n)
	}
	require.Positive(t, bed.Count("SELECT count(*) FROM outbox"))
	require.False(t, bed.API.Ended() || bed.Worker.Ended())
	requireInvariants(t, bed, moment{ledger: ledger})
	t.Logf("without room: %s; %d wait", ledger, bed.Count("SELECT count(*) FROM outbox"))

	bed.TemporalDisk.Free()
	if bed.TemporalEnded() { // as PostgreSQL does that cannot write its log
		bed.RestartTemporal(t.Context())
	}
	for last := n + after; n < last; n++ {
		accept(t, bed, ledger, n)
	}
	makeDue(bed)
	requireOnce(t, bed, ledger, n, nil)
}
