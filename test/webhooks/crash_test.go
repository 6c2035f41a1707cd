package webhooks_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"levy/test/testbed"
)

// The worker dies after it has sent and before it has recorded, and Temporal loses all its data: each event arrives
// at least once.
func TestEventsSurviveKilledWorkersAndALostTemporal(t *testing.T) {
	t.Parallel()
	testbed.Kills(t)
	bed := open(t, testbed.Options{Own: true, Failpoints: true})
	bed.Worker.Launch("webhook_before_save=kill")
	r := newReceiver(t, bed, map[string]any{"enabled_events": []string{"content.activated"}}, accept)
	happen(bed, "content.activated", 1, 50)
	bed.Worker.WaitKilled()
	first := len(r.objects())
	require.Positive(t, first)
	require.Less(t, bed.Count("SELECT count(*) FROM webhook_deliveries WHERE status = 'DELIVERED'"), first)
	bed.DestroyTemporal()
	happen(bed, "content.activated", 51, 50)
	// the lease of the dead worker
	bed.Exec("UPDATE webhook_deliveries SET next_attempt_at = now() WHERE next_attempt_at IS NOT NULL")
	bed.Exec("UPDATE webhook_endpoints SET next_check_at = now(), rests_until = NULL")
	bed.Worker.Start()
	bed.Eventually("all arrive", func(context.Context) (bool, error) {
		n := len(r.objects())
		return n == 100, fmt.Errorf("%d", n)
	})
	_, forged := r.messages()
	require.Zero(t, forged)
}
