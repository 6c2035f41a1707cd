package onboarding_test

import (
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
	enumspb "go.temporal.io/api/enums/v1"

	"levy/activities"
	"levy/internal/secret"
	"levy/models"
	"levy/store"
	"levy/store/organizations"
	"levy/test/testbed"
	"levy/worker"
)

// refusing is a store whose work fails for good at one step of some organizations.
type refusing struct {
	*organizations.Store
	mu sync.Mutex
	at map[string]int
}

func (r *refusing) CompleteStep(ctx context.Context, sub models.StepSubmission, work models.StepWork) error {
	r.mu.Lock()
	step := r.at[sub.OrganizationID]
	r.mu.Unlock()
	if step == sub.Step {
		return &models.StepFailedError{Step: step, Reason: "The register does not know it."}
	}
	return r.Store.CompleteStep(ctx, sub, work)
}

// refusals runs a worker of onboardings in this process whose steps fail on request.
func refusals(t *testing.T, bed *testbed.Bed) *refusing {
	t.Helper()
	log := slog.New(slog.DiscardHandler)
	ring, err := secret.ParseRing(bed.MasterKeys)
	require.NoError(t, err)
	records, err := store.Open(t.Context(), store.Options{URL: bed.DatabaseURL, MaxConnections: 8, MasterKeys: ring})
	require.NoError(t, err)
	t.Cleanup(records.Close)
	taxes, err := records.Content.OpenCache(t.Context())
	require.NoError(t, err)
	client, err := worker.Dial(worker.ClientConfig{Address: bed.TemporalAddress, Namespace: bed.TemporalNamespace,
		Codec: payloadCodec(t, ring), Log: log})
	require.NoError(t, err)
	t.Cleanup(client.Close)
	r := &refusing{Store: records.Organizations, at: map[string]int{}}
	work := worker.Work{
		Database:   records,
		Processing: activities.New(records.Processing(), taxes, log),
		Exemptions: activities.NewExemptions(records.Catalog, log),
		Onboarding: activities.NewOnboarding(r, records.Organizations, secret.NewVault(ring, records.Organizations),
			taxes, activities.AcceptAnyBank, models.DefaultOnboardingRules(), log),
	}
	ctx, stop := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- worker.Run(ctx, client, work, worker.Config{}, log) }()
	t.Cleanup(func() {
		stop()
		require.NoError(t, <-ended)
	})
	return r
}

// payloadCodec is that of the processes of a bed.
func payloadCodec(t *testing.T, ring *secret.Ring) *worker.Codec {
	t.Helper()
	payloads := ring.Derive(secret.PurposePayloads)[0]
	codec, err := worker.NewCodec(map[string][]byte{payloads.ID: payloads.Bytes}, payloads.ID)
	require.NoError(t, err)
	return codec
}

// Work that fails for good at any step fails the onboarding: the client gets the reason, the run ends Failed, and
// every step that was done or tried is undone.
func TestAStepThatFailsForGoodUndoesTheOnboarding(t *testing.T) {
	t.Parallel()
	bed := testbed.New(t, testbed.Options{})
	bed.API.Start()
	fails := refusals(t, bed)
	temporal := bed.Temporal()
	for n := 2; n <= 8; n++ {
		t.Run(fmt.Sprintf("step %d", n), func(t *testing.T) {
			t.Parallel()
			c := newClient(t, bed, fmt.Sprintf("Acme %d", n))
			c.upTo(1)
			fails.mu.Lock()
			fails.at[c.id] = n
			fails.mu.Unlock()
			c.upFrom(2, n-1)
			a := c.step(n)
			require.Equal(t, http.StatusConflict, a.status, a.raw)
			if !c.unsure || a.body["code"] != "onboarding_not_active" { // a repeated call may come after the end
				require.Equal(t, "onboarding_step_failed", a.body["code"])
			}
			before := append(append([]string{}, stepActivities[:n]...), "EndOnboarding")
			c.requireUndone(temporal, n, n-1, before, enumspb.WORKFLOW_EXECUTION_STATUS_FAILED)
			o := c.onboarding()
			require.Equal(t, "FAILED", o["status"])
			require.Equal(t, "The register does not know it.", o["steps"].([]any)[n-1].(map[string]any)["error"])
			again := newClient(t, bed, c.name)
			require.Equal(t, http.StatusOK, again.step(1).status, "the name is free")
		})
	}
}
