package faults_test

import (
	"context"
	"io"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"levy/test/testbed"
)

// The disk to which the processes log is full: they continue, and log how many lines are missing when there is space
// again.
func TestAFullDiskOfLogsStopsNothing(t *testing.T) {
	t.Parallel()
	bed := testbed.New(t, testbed.Options{})
	ledger := newLedger(bed)
	disk := bed.MountDisk("logs", 1<<20)
	bed.API.LogOn(disk)
	bed.Worker.LogOn(disk)
	bed.API.Start()
	bed.Worker.Start()
	accept(t, bed, ledger, 0)
	requireProcessed(t, bed, 1)
	disk.Fill()
	const n = 100
	for i := 1; i < n; i++ {
		accept(t, bed, ledger, i)
	}
	requireProcessed(t, bed, n)
	require.False(t, bed.API.Ended() || bed.Worker.Ended())
	disk.Free()
	accept(t, bed, ledger, n)
	bed.Eventually("the API says how many lines of its log are missing", func(context.Context) (bool, error) {
		return bed.API.Logged("lines of the log were lost") > 0, nil
	})
	requireOnce(t, bed, ledger, n+1, nil)
}

// The reader of the logs stops reading, as a terminal does on Ctrl-S or a collector that hangs, and then closes the pipe:
// the processes continue.
func TestAReaderOfLogsThatStopsAndLeavesStopsNothing(t *testing.T) {
	t.Parallel()
	bed := testbed.New(t, testbed.Options{})
	ledger := newLedger(bed)
	readers := []io.ReadCloser{bed.API.LogToPipe(), bed.Worker.LogToPipe()}
	bed.API.Start()
	bed.Worker.Start()
	const n = 400
	var sellers sync.WaitGroup
	for seller := range 8 {
		sellers.Go(func() {
			for i := seller; i < n; i += 8 {
				accept(t, bed, ledger, i)
			}
		})
	}
	sellers.Wait()
	requireProcessed(t, bed, n)
	const pipe = 64 << 10
	_, err := io.CopyN(io.Discard, readers[0], pipe)
	require.NoError(t, err, "the pipe was full")

	for _, r := range readers {
		require.NoError(t, r.Close())
	}
	for i := n; i < n+50; i++ {
		accept(t, bed, ledger, i)
	}
	requireOnce(t, bed, ledger, n+50, nil)
	require.False(t, bed.API.Ended() || bed.Worker.Ended())
}
