package onboarding_test

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"levy/test/testbed"
)

func TestEightSteps(t *testing.T) {
	t.Parallel()
	bed := testbed.New(t, testbed.Options{})
	bed.API.Start()
	bed.Worker.Start()
	c := newClient(t, bed, "Acme Trading")
	for n := 1; n <= 8; n++ {
		a := c.step(n)
		require.Equal(t, http.StatusOK, a.status, "step %d: %s", n, a.raw)
		t.Logf("step %d %s", n, a.header.Get("Server-Timing"))
	}
	require.Equal(t, "COMPLETED", c.onboarding()["status"])
}
