package worker

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.temporal.io/api/serviceerror"
	sdkclient "go.temporal.io/sdk/client"
	sdkworker "go.temporal.io/sdk/worker"

	"levy/workflows"
)

// fakeVersions is a deployment whose current version changed at a given time.
type fakeVersions struct {
	current  string
	changed  time.Time
	were     []string // versions that were current before
	polled   map[string]time.Time
	idle     bool // no worker of a version polls yet
	errs     []error
	set      []string
	pinned   int // runs of other versions; one is found at a time
	upgrades int
}

func (f *fakeVersions) Describe(context.Context) (found sdkclient.WorkerDeploymentDescribeResponse, err error) {
	if len(f.errs) > 0 {
		err, f.errs = f.errs[0], f.errs[1:]
		return found, err
	}
	version := func(id string) sdkworker.WorkerDeploymentVersion {
		return sdkworker.WorkerDeploymentVersion{DeploymentName: deploymentOf(workflows.TransactionsQueue), BuildID: id}
	}
	found.ConflictToken = []byte("token")
	if f.current != "" {
		v := version(f.current)
		found.Info.RoutingConfig = sdkclient.WorkerDeploymentRoutingConfig{
			CurrentVersion: &v, CurrentVersionChangedTime: f.changed,
		}
		found.Info.VersionSummaries = append(
			found.Info.VersionSummaries, sdkclient.WorkerDeploymentVersionSummary{Version: v},
		)
	}
	for _, id := range f.were {
		found.Info.VersionSummaries = append(found.Info.VersionSummaries, sdkclient.WorkerDeploymentVersionSummary{
			Version: version(id), DrainageStatus: sdkclient.WorkerDeploymentVersionDrainageStatusDraining,
		})
	}
	return found, nil
}

func (f *fakeVersions) Polled(context.Context, string) (bool, error) { return !f.idle, nil }

func (f *fakeVersions) SetCurrent(_ context.Context, buildID string, conflictToken []byte) error {
	if string(conflictToken) != "token" {
		return errors.New("nobody knows what has changed meanwhile")
	}
	f.set = append(f.set, buildID)
	return nil
}

func (f *fakeVersions) PolledSince(_ context.Context, buildID string, since time.Time) (bool, error) {
	return f.polled[buildID].After(since), nil
}

func (f *fakeVersions) UpgradePinned(context.Context, string) (int, error) {
	f.upgrades++
	if f.pinned == 0 {
		return 0, nil
	}
	f.pinned--
	return 1, nil
}

func TestWhichReleaseIsCurrent(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 7, 1, 12, 0, 0, 0, time.UTC)
	recently, longAgo := now.Add(-pollersLast+time.Second), now.Add(-pollersLast-time.Second)
	for name, test := range map[string]struct {
		versions fakeVersions
		set      bool
		upgrades int
		waits    bool // the process is not ready yet
	}{
		"the first release, or Temporal has lost its data": {versions: fakeVersions{}, set: true},
		"also one that was current before": {
			versions: fakeVersions{were: []string{"mine"}}, set: true,
		},
		"a new release, while the one before still works": {
			versions: fakeVersions{current: "other", polled: map[string]time.Time{"other": now}}, set: true,
		},
		"an earlier release leaves a newer one alone": {
			versions: fakeVersions{
				current: "other", were: []string{"mine"}, polled: map[string]time.Time{"other": recently},
			},
		},
		"an earlier release that is gone back to": {
			versions: fakeVersions{
				current: "other", were: []string{"mine"}, polled: map[string]time.Time{"other": longAgo},
			},
			set: true,
		},
		"the current one leaves runs of others a while: a stage takes up to ten seconds": {
			versions: fakeVersions{current: "mine", changed: now.Add(-9 * time.Second)},
		},
		"its workers do not poll yet": {
			versions: fakeVersions{idle: true}, waits: true,
		},
		"the deployment cannot be read": {
			versions: fakeVersions{errs: []error{serviceerror.NewUnavailable("down")}}, waits: true,
		},
		"the current one goes on with runs of others after that while": {
			versions: fakeVersions{current: "mine", changed: now.Add(-pinnedGrace)}, upgrades: 1,
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			settled := false
			d := &deployment{buildID: "mine", versions: &test.versions, settled: func() { settled = true }, log: quiet}
			require.Equal(t, test.waits, d.keep(t.Context(), now) != nil)
			require.Equal(
				t, !test.waits, settled, "also an earlier release is ready, or going back to it would not end",
			)
			require.Equal(t, test.set, len(test.versions.set) == 1)
			require.Equal(t, test.upgrades, test.versions.upgrades)
		})
	}
}

// A release begins before its workers have polled, which is not logged. A problem is logged once.
func TestTheLogOfADeploymentSaysAProblemOnce(t *testing.T) {
	t.Parallel()
	var text bytes.Buffer
	down := serviceerror.NewUnavailable("down")
	versions := &fakeVersions{
		idle: true,
		errs: []error{serviceerror.NewNotFound("levy"), serviceerror.NewFailedPrecondition("changed")},
	}
	d := &deployment{
		buildID: "mine", versions: versions, settled: func() {}, log: slog.New(slog.NewTextHandler(&text, nil)),
	}
	require.Equal(t, deploymentRetry, d.check(t.Context()))
	require.Equal(t, deploymentRetry, d.check(t.Context()), "another process was faster")
	require.Equal(t, deploymentRetry, d.check(t.Context()), "a task queue is not polled")
	require.Empty(t, text.String())
	require.Empty(t, versions.set)
	versions.idle, versions.errs = false, []error{down, down}
	d.check(t.Context())
	d.check(t.Context())
	require.Equal(t, 1, bytes.Count(text.Bytes(), []byte("not settled")), text.String())
	require.Equal(t, deploymentTick, d.check(t.Context()))
	require.Contains(t, text.String(), "is the current version")
}

// The workers of all task queues ask the server. A server that is too busy to answer gets time.
func TestABusyServerIsAskedLessAndLess(t *testing.T) {
	t.Parallel()
	busy := serviceerror.NewUnavailable("busy")
	versions := &fakeVersions{errs: slices.Repeat([]error{busy}, 20)}
	d := &deployment{buildID: "mine", versions: versions, settled: func() {}, log: quiet}
	var pauses []time.Duration
	for range 20 {
		pauses = append(pauses, d.check(t.Context()))
	}
	require.Equal(t, []time.Duration{deploymentRetry, 2 * deploymentRetry, 4 * deploymentRetry}, pauses[:3])
	require.Equal(t, deploymentMaxRetry, pauses[19])
	require.Equal(t, deploymentTick, d.check(t.Context()))
	versions.errs = []error{busy}
	require.Equal(t, deploymentRetry, d.check(t.Context()), "it was well in between")
}

// A check searches for runs that are pinned to earlier releases while there are any, then once a minute.
func TestPinnedRunsAreUpgradedWhileThereAreAny(t *testing.T) {
	t.Parallel()
	changed := time.Date(2026, 7, 1, 12, 0, 0, 0, time.UTC)
	versions := &fakeVersions{current: "mine", changed: changed, pinned: 2}
	d := &deployment{buildID: "mine", versions: versions, settled: func() {}, log: quiet}
	for now := changed; now.Before(changed.Add(3 * time.Minute)); now = now.Add(deploymentTick) {
		require.NoError(t, d.keep(t.Context(), now))
	}
	require.Equal(t, 5, versions.upgrades, "two with runs, one without, and one a minute")
	versions.changed = changed.Add(3 * time.Minute) // the release was withdrawn, and is current again
	require.NoError(t, d.keep(t.Context(), versions.changed.Add(pinnedGrace)))
	require.Equal(t, 6, versions.upgrades)
}

func TestWorkersAreVersionedWhereTheServerCan(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		buildID string
		errs    []error
		want    bool
	}{
		"a deployment is there": {buildID: "mine", want: true},
		"there is none yet": {
			buildID: "mine", errs: []error{serviceerror.NewNotFound("levy")}, want: true,
		},
		"the server answers later": {
			buildID: "mine", errs: []error{serviceerror.NewUnavailable("down")}, want: true,
		},
		"the server is too old": {buildID: "mine", errs: []error{serviceerror.NewUnimplemented("what?")}},
		"the server has it switched off": {
			buildID: "mine", errs: []error{serviceerror.NewPermissionDenied("disabled", "")},
		},
		"the program has no build id": {},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			options := deploymentOptions(
				t.Context(), &fakeVersions{errs: test.errs}, workflows.TransactionsQueue, test.buildID, quiet,
			)
			require.Equal(t, test.want, options.UseVersioning)
		})
	}
}
