package faults_test

import (
	"context"
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"levy/test/testbed"
)

// An API that can open neither a file nor a connection answers on its open connections that nothing was written, and
// continues with the first descriptor it gets.
func TestAnAPIWithoutDescriptorsRecovers(t *testing.T) {
	t.Parallel()
	bed := testbed.New(t, testbed.Options{Own: true})
	ledger := newLedger(bed)
	bed.API.Start()
	bed.Worker.Start()
	accept(t, bed, ledger, 0)
	requireProcessed(t, bed, 1)

	release := bed.API.ExhaustFiles()
	bed.ToDatabase.Reset()
	post := poster(t, bed, ledger, 1)
	bed.Eventually("a connected client gets the answer that nothing was written", func(context.Context) (bool, error) {
		return post().Code() == "service_unavailable", nil
	})
	stranger := &http.Client{Timeout: time.Second, Transport: &http.Transport{}}
	_, err := stranger.Get(bed.API.URL() + "/healthz")
	require.Error(t, err, "nobody else can connect")
	require.False(t, bed.API.Ended())
	t.Logf("without descriptors: %s", ledger)

	release()
	bed.API.WaitReady()
	require.Equal(t, http.StatusAccepted, post().Status)
	requireOnce(t, bed, ledger, bed.Count("SELECT count(*) FROM transactions"), nil)
}

// A worker without descriptors that has lost its connections does nothing and keeps running. It
// processes what was accepted meanwhile as soon as it gets descriptors.
func TestAWorkerWithoutDescriptorsRecovers(t *testing.T) {
	t.Parallel()
	bed := testbed.New(t, testbed.Options{Own: true})
	ledger := newLedger(bed)
	bed.API.Start()
	bed.Worker.Start()
	accept(t, bed, ledger, 0)
	requireProcessed(t, bed, 1)

	release := bed.Worker.ExhaustFiles()
	bed.ToDatabase.Reset()
	bed.ToTemporal.Reset()
	const n = 30
	post := poster(t, bed, ledger, 1)
	for ledger.count(accepted) < n {
		post()
	}
	waitForMark(bed, bed.Count("SELECT count(*) FROM outbox"))
	require.Equal(t, 1, bed.Count("SELECT count(*) FROM transactions WHERE processing_status = 'PROCESSED'"))
	require.False(t, bed.Worker.Ended())
	release()
	requireOnce(t, bed, ledger, bed.Count("SELECT count(*) FROM transactions"), nil)
}
