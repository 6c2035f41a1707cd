package testbed_test

import (
	"context"
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"levy/test/testbed"
)

func TestMain(m *testing.M) { testbed.Main(m) }

func TestBedRunsTheService(t *testing.T) {
	t.Parallel()
	bed := testbed.New(t, testbed.Options{})
	bed.API.Start()
	bed.Worker.Start()
	answer := bed.Post("/v1/transactions", testbed.Sale("ORDER-1", 1))
	require.Equal(t, http.StatusAccepted, answer.Status, "%s", answer.Body)
	bed.Eventually("the transaction is processed", func(context.Context) (bool, error) {
		return bed.Get("/v1/transactions/external/ORDER-1").Field("processing_status") == "PROCESSED", nil
	})
	bed.Worker.Stop()
	bed.API.Stop()
}
