package faults_test

import (
	"context"
	"io"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"levy/test/testbed"
)

// The disk to which the processes log is full: they go on, and say how much of their log
// is missing when there is room again.
func TestAFullDiskOfLogsStopsNothing(t *testing.T) {
	t.Parallel()
	bed := testbed.New(t, testbed.Options{})
	book := newLedger(bed)
	disk := bed.MountDisk("logs", 1<<20)
	bed.API.LogOn(disk)
	bed.Worker.LogOn(disk)
	bed.API.Start()
	bed.Worker.Start()
	accept(t, bed, book, 0)
	requireProcessed(t, bed, 1)
	disk.Fill()
	const n = 100
	for i := 1; i < n; i++ {
		accept(t, bed, book, i)
	}
	requireProcessed(t, bed, n)
	require.False(t, bed.API.Ended() || bed.Worker.Ended())
	disk.Free()
	accept(t, bed, book, n)
	bed.Eventually("the API says how many lines of its log are missing", func(context.Context) (bool, error) {
		return bed.API.Logged("lines of the log were lost") > 0, nil
	})
	requireOnce(t, bed, book, n+1, nil)
}

// Whoever reads the logs of the processes stops reading, as a terminal does on Ctrl-S and
// a collector that hangs, and then leaves: the processes go on.
func TestAReaderOfLogsThatStopsAndLeavesStopsNothing(t *testing.T) {
	t.Parallel()
	bed := testbed.New(t, testbed.Options{})
	book := newLedger(bed)
	readers := []io.ReadCloser{bed.API.LogToPipe(), bed.Worker.LogToPipe()}
	bed.API.Start()
	bed.Worker.Start()
	const n = 400
	var sellers sync.WaitGroup
	for seller := range 8 {
		sellers.Go(func() {
			for i := seller; i < n; i += 8 {
				accept(t, bed, book, i)
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
		accept(t, bed, book, i)
	}
	requireOnce(t, bed, book, n+50, nil)
	require.False(t, bed.API.Ended() || bed.Worker.Ended())
}
