package workflows

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"
	sdkclient "go.temporal.io/sdk/client"
	sdkworker "go.temporal.io/sdk/worker"
	"go.temporal.io/sdk/workflow"

	"levy/activities"
)

// behaviors records how workflows are registered.
type behaviors struct {
	sdkworker.Registry
	of map[string]workflow.VersioningBehavior
}

func (b *behaviors) RegisterWorkflowWithOptions(_ any, options workflow.RegisterOptions) {
	b.of[options.Name] = options.VersioningBehavior
}

func (*behaviors) RegisterActivity(any) {}

// Runs that wait for people continue with each release; all others end with the release that began them. A
// worker that leaves a workflow out would leave its runs open.
func TestHowRunsGoAcrossReleases(t *testing.T) {
	t.Parallel()
	b := &behaviors{of: map[string]workflow.VersioningBehavior{}}
	Register(b, TransactionsQueue, &activities.Processing{}, &activities.Heartbeat{})
	Register(b, OnboardingQueue, &activities.Onboarding{})
	Register(b, FilingsQueue, &activities.Filing{}, &activities.FilingPlan{})
	Register(b, ExemptionsQueue, &activities.Exemptions{})
	Register(b, RegistrationsQueue, &activities.Registration{})
	Register(b, ImportsQueue, &activities.Imports{}, &activities.RateFiles{})
	Register(b, NexusQueue, &activities.Nexus{})
	Register(b, WebhooksQueue, &activities.Webhooks{})
	require.Len(t, b.of, len(Catalogue()))
	for _, w := range Catalogue() {
		want := workflow.VersioningBehaviorPinned
		switch w.Name {
		case OnboardingName, RegistrationName, FileReturnName, HeartbeatName, DeliverWebhooksName:
			want = workflow.VersioningBehaviorAutoUpgrade
		}
		require.Equal(t, want, b.of[w.Name], w.Name)
	}
}

func TestTheCatalogueNamesTheTimesOfTheSchedules(t *testing.T) {
	t.Parallel()
	started := map[string]Workflow{}
	for _, w := range Catalogue() {
		started[w.Name] = w
	}
	for _, s := range Schedules() {
		action, ok := s.Action.(*sdkclient.ScheduleWorkflowAction)
		require.True(t, ok)
		w := started[action.Workflow.(string)]
		at := s.Spec.Calendars[0]
		require.Contains(t, w.Started, fmt.Sprintf("%02d:%02d UTC", at.Hour[0].Start, at.Minute[0].Start), w.Name)
		require.Equal(t, w.Queue, action.TaskQueue, w.Name)
		require.Contains(t, w.ID, action.ID, w.Name)
	}
}
