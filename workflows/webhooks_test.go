package workflows

import (
	"context"
	"errors"
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.temporal.io/sdk/activity"
	"go.temporal.io/sdk/temporal"
	"go.temporal.io/sdk/testsuite"
	sdkworker "go.temporal.io/sdk/worker"
	"go.temporal.io/sdk/workflow"

	"levy/activities"
	"levy/models"
)

var webhookRef = models.WebhookRef{OrganizationID: "org_1", ID: "whep_1"}

// fakeWebhook returns the results of the activity, one after the other, and then that nothing is left.
type fakeWebhook struct {
	steps []activities.DeliverStep
	err   error // of every time
	calls int
	hold  chan struct{} // unless nil, the first call closes begun and waits until hold is closed
	begun chan struct{}
}

func (b *fakeWebhook) deliver(_ context.Context, ref models.WebhookRef) (activities.DeliverStep, error) {
	b.calls++
	if b.hold != nil && b.calls == 1 {
		close(b.begun)
		<-b.hold
	}
	if b.err != nil {
		return activities.DeliverStep{}, b.err
	}
	if ref != webhookRef || b.calls > len(b.steps) {
		return activities.DeliverStep{Status: models.WebhookEnabled}, nil
	}
	return b.steps[b.calls-1], nil
}

func (b *fakeWebhook) register(r sdkworker.Registry) {
	r.RegisterWorkflowWithOptions(DeliverWebhooks, workflow.RegisterOptions{Name: DeliverWebhooksName})
	r.RegisterActivityWithOptions(b.deliver, activity.RegisterOptions{Name: "Deliver"})
}

// waitingStep has an event that failed and is repeated after a time.
func waitingStep(wait time.Duration) activities.DeliverStep {
	return activities.DeliverStep{
		Status: models.WebhookEnabled, Failed: 1, Pending: 1, LastProblem: "answered " +
			http.StatusText(http.StatusInternalServerError), WaitMillis: wait.Milliseconds(),
	}
}

func delivering(b *fakeWebhook, prepare func(*testsuite.TestWorkflowEnvironment)) *testsuite.TestWorkflowEnvironment {
	env := newEnvironment()
	b.register(env)
	if prepare != nil {
		prepare(env)
	}
	env.ExecuteWorkflow(DeliverWebhooks, DeliverInput{WebhookRef: webhookRef})
	return env
}

func TestDeliverWebhooks(t *testing.T) {
	t.Parallel()
	t.Run("ends when nothing is left", func(t *testing.T) {
		t.Parallel()
		b := &fakeWebhook{steps: []activities.DeliverStep{{More: true, Delivered: 100}}}
		require.NoError(t, delivering(b, nil).GetWorkflowError())
		require.Equal(t, 2, b.calls)
	})
	t.Run("waits for the next attempt", func(t *testing.T) {
		t.Parallel()
		b := &fakeWebhook{steps: []activities.DeliverStep{waitingStep(5 * time.Second), waitingStep(24 * time.Hour)}}
		env := delivering(b, nil)
		require.NoError(t, env.GetWorkflowError())
		require.Equal(t, 3, b.calls)
		require.GreaterOrEqual(t, time.Until(env.Now()), 23*time.Hour)
	})
	t.Run("says at what time, which stays true while it waits", func(t *testing.T) {
		t.Parallel()
		b := &fakeWebhook{steps: []activities.DeliverStep{waitingStep(24 * time.Hour)}}
		delivering(b, func(env *testsuite.TestWorkflowEnvironment) {
			env.SetStartTime(time.Date(2026, 5, 15, 10, 0, 0, 0, time.UTC))
			env.RegisterDelayedCallback(func() {
				require.Contains(t, detailsOf(t, env),
					"**1 event waits** until the next attempt at 2026-05-16 10:00:00 UTC")
			}, time.Hour)
		})
	})
	t.Run("continues at once when it is signalled that there is more", func(t *testing.T) {
		t.Parallel()
		b := &fakeWebhook{steps: []activities.DeliverStep{waitingStep(24 * time.Hour)}}
		env := delivering(b, func(env *testsuite.TestWorkflowEnvironment) {
			env.RegisterDelayedCallback(func() { env.SignalWorkflow(WakeSignal, nil) }, time.Minute)
		})
		require.NoError(t, env.GetWorkflowError())
		require.Equal(t, 2, b.calls)
		require.Less(t, time.Until(env.Now()), time.Hour)
	})
	t.Run("ends with an endpoint that is disabled", func(t *testing.T) {
		t.Parallel()
		b := &fakeWebhook{steps: []activities.DeliverStep{{Status: models.WebhookDisabled, Reason: models.WebhookGone}}}
		require.NoError(t, delivering(b, nil).GetWorkflowError())
		require.Equal(t, 1, b.calls)
	})
	t.Run("a long one continues in a new run", func(t *testing.T) {
		t.Parallel()
		b := &fakeWebhook{}
		for range stepsPerRun {
			b.steps = append(b.steps, activities.DeliverStep{More: true, Delivered: 1})
		}
		var next *workflow.ContinueAsNewError
		require.ErrorAs(t, delivering(b, nil).GetWorkflowError(), &next)
	})
	t.Run("a defect fails the run", func(t *testing.T) {
		t.Parallel()
		b := &fakeWebhook{err: temporal.NewNonRetryableApplicationError("defect", activities.ErrTypeBatchFailed,
			errors.New("defect"))}
		require.Error(t, delivering(b, nil).GetWorkflowError())
		require.Equal(t, 1, b.calls)
	})
}

func TestWebhookStart(t *testing.T) {
	t.Parallel()
	options := WebhookStart(&models.WebhookEndpoint{OrganizationID: "org_1", ID: "whep_1",
		URL: "https://example.com:444/levy?token=secret"})
	require.Equal(t, "webhook/whep_1", options.ID)
	require.Equal(t, "Events of org_1 for example.com:444", options.StaticSummary, "what is behind the host may be secret")
	require.Equal(t, "org_1", options.Priority.FairnessKey)
	kind, id, ok := RecordOf(options.ID)
	require.Equal(t, []any{models.WaitingWebhooks, "whep_1", true}, []any{kind, id, ok})
}

// webhookScenarios are the scenarios of a run.
func webhookScenarios() map[string]*fakeWebhook {
	return map[string]*fakeWebhook{
		"delivered": {steps: []activities.DeliverStep{{More: true, Delivered: 100}}},
		"repeated":  {steps: []activities.DeliverStep{waitingStep(time.Second), waitingStep(time.Second)}},
		"woken": {steps: []activities.DeliverStep{waitingStep(time.Hour)}, begun: make(chan struct{}),
			hold: make(chan struct{})},
		"disabled": {steps: []activities.DeliverStep{{Status: models.WebhookDisabled, Reason: models.WebhookFailing}}},
	}
}

var webhookRuns = histories[*fakeWebhook]{
	folder: "DeliverWebhooks", workflows: map[string]any{DeliverWebhooksName: DeliverWebhooks}, scenarios: webhookScenarios,
}

func TestReplayDeliverWebhooks(t *testing.T) {
	t.Parallel()
	webhookRuns.replayAll(t)
	require.Error(t, webhookRuns.replay("repeated", DeliverWebhooksName,
		func(ctx workflow.Context, in DeliverInput) (activities.DeliverStep, error) {
			d := &deliveryRun{in: in}
			return d.step, d.deliver(ctx) // without waiting for the next attempt
		}))
}
