package onboarding_test

import (
	"context"
	"fmt"
	"net/http"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"levy/internal/secret"
	"levy/test/testbed"
	"levy/workflows"
)

// restart starts API and worker anew, so that they learn of other master keys.
func restart(bed *testbed.Bed) {
	bed.API.Stop()
	bed.Worker.Stop()
	bed.API.Start()
	bed.Worker.Start()
}

// The master key is replaced while the service serves: every call before, during and
// after the rotation succeeds, one that is killed in the middle is run again, and
// afterwards nothing needs the old key.
func TestMasterKeyIsReplacedWhileTheServiceServes(t *testing.T) {
	t.Parallel()
	const sealing = 4
	bed := testbed.New(t, testbed.Options{Failpoints: true})
	bed.API.Start()
	bed.Worker.Start()
	clients := make([]*client, sealing)
	for i := range clients {
		clients[i] = newClient(t, bed, fmt.Sprintf("Client %d", i))
		clients[i].upTo(3)
	}
	c := clients[0]
	c.upFrom(4, 6)
	old, next := bed.MasterKeys, secret.NewMasterKey("next")
	wrapped := func(by string) int {
		return bed.Count("SELECT count(*) FROM data_keys WHERE master_key_id = $1", by)
	}
	bed.Set("LEVY_MASTER_KEYS", old+","+next) // every process can read what the next key seals before one seals with it
	restart(bed)
	bed.Set("LEVY_MASTER_KEYS", next+","+old)
	restart(bed)
	require.Equal(t, http.StatusOK, c.step(6).status)
	require.Equal(t, []int{sealing, 0}, []int{wrapped("test"), wrapped("next")})

	stop, served := make(chan struct{}), 0
	var serving sync.WaitGroup
	serving.Go(func() {
		for {
			select {
			case <-stop:
				return
			default:
			}
			for _, n := range []int{3, 6} { // each opens what the old key sealed
				a, err := c.try(n)
				if err != nil || a.status != http.StatusOK {
					t.Errorf("step %d during the rotation: %d %s %v", n, a.status, a.raw, err)
					return
				}
				served++
			}
		}
	})
	bed.Set("LEVY_FAILPOINTS", "after_rewrap=kill")
	_, _, err := bed.Try("keys", "rotate")
	require.ErrorContains(t, err, "killed")
	require.Equal(t, []int{0, sealing}, []int{wrapped("test"), wrapped("next")})
	installation := "SELECT count(*) FROM installation_keys WHERE master_key_id = $1"
	require.Equal(t, 1, bed.Count(installation, "test"), "it was in the middle")
	bed.Set("LEVY_FAILPOINTS", "")
	require.Contains(t, string(bed.Run("keys", "rotate")), "1 of the installation")
	require.Contains(t, string(bed.Run("keys", "rotate")), "0 of the installation", "again")
	close(stop)
	serving.Wait()
	require.Positive(t, served)
	require.Zero(t, bed.Count(installation, "test"))

	// What the old key made besides: the hashes of API keys, and what runs hold.
	partner, err := c.call(bed.API, bed.APIKey, bed.OrganizationID, "POST", "/v1/organizations/api_keys", "")
	require.NoError(t, err)
	require.Equal(t, http.StatusOK, partner.status, partner.raw)
	before := bed.APIKey
	bed.APIKey = partner.body["api_key"].(string)
	require.Equal(t, http.StatusOK, c.step(2).status)
	require.NoError(t, bed.Temporal().TerminateWorkflow(t.Context(), workflows.OnboardingID(c.id), "", "it began under the old key"))
	bed.Set("LEVY_MASTER_KEYS", next)
	restart(bed)
	refused, err := c.call(bed.API, before, bed.OrganizationID, "GET", "/v1/onboarding", "")
	require.NoError(t, err)
	require.Equal(t, http.StatusUnauthorized, refused.status)
	for n := 6; n <= 8; n++ {
		a := c.step(n)
		require.Equal(t, http.StatusOK, a.status, "step %d without the old key: %s", n, a.raw)
	}
	require.Equal(t, "COMPLETED", c.onboarding()["status"])
	c.cancelled(clients[1])
}

// cancelled ends another client whose data key was wrapped anew.
func (c *client) cancelled(other *client) {
	c.t.Helper()
	temporal := c.bed.Temporal()
	require.NoError(c.t, temporal.TerminateWorkflow(context.Background(), workflows.OnboardingID(other.id), "", "it began under the old key"))
	a := other.cancel()
	require.Equal(c.t, http.StatusOK, a.status, a.raw)
	other.waitUndone()
	require.Zero(c.t, c.bed.Count("SELECT count(*) FROM data_keys WHERE organization_id = $1", other.id))
}
