package worker

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"go.temporal.io/api/serviceerror"
	sdkclient "go.temporal.io/sdk/client"
)

const (
	// deploymentTick is the time between two checks of the current version. If Temporal has lost it with its data, work
	// waits for as long.
	deploymentTick = 5 * time.Second
	// deploymentRetry is the time between two attempts of a new release, whose workers have to poll first. Each error
	// of the server doubles it, up to deploymentMaxRetry. Otherwise a server that is too busy to answer all workers in
	// time would stay so.
	deploymentRetry    = 500 * time.Millisecond
	deploymentMaxRetry = 30 * time.Second
	// deploymentTimeout bounds one check.
	deploymentTimeout = 20 * time.Second
	// pollersLast is the time after its last poll for which a worker counts as running. A poll takes up to a minute,
	// and the server knows only its start.
	pollersLast = 90 * time.Second
	// pinnedGrace is the time after a change of the current version in which runs may stay pinned to another release. A
	// stage may take as long.
	pinnedGrace = 10 * time.Second
	// pinnedTick is the time between two checks for such runs once there are none. No further ones begin.
	pinnedTick = time.Minute
)

// deployment maintains the current version of the Worker Deployment of a task queue, so that new runs have workers. It
// also continues runs whose release has gone. Every worker has one.
//
// A release becomes the current version when its workers poll for the first time. A release that was current before
// does not: it was restarted while a newer one is rolled out. It becomes current again when no worker of the current
// version polls any more, which is how a release is withdrawn. Any release becomes current while there is no current
// version, because Temporal has lost its data.
type deployment struct {
	buildID  string
	versions deploymentVersions
	settled  func() // called while the current version is this release, or a newer one that works
	log      *slog.Logger
	warned   string        // the last warning, which is not repeated
	pause    time.Duration // after the last error of the server; 0 after a check without one
	upgraded time.Time     // when no run was pinned to another release
}

// deploymentVersions reads and changes the versions of a Worker Deployment in Temporal.
type deploymentVersions interface {
	// Describe returns the deployment. Errors: *serviceerror.NotFound before the first worker has polled.
	Describe(ctx context.Context) (sdkclient.WorkerDeploymentDescribeResponse, error)
	// Polled reports whether workers of a version have polled for workflow tasks and for activities. Errors:
	// *serviceerror.NotFound before the first one has.
	Polled(ctx context.Context, buildID string) (bool, error)
	// SetCurrent makes a version the current one. Errors: *serviceerror.FailedPrecondition if the deployment has
	// changed since it was described.
	SetCurrent(ctx context.Context, buildID string, conflictToken []byte) error
	// PolledSince reports whether a worker of a version has polled since a time.
	PolledSince(ctx context.Context, buildID string, since time.Time) (bool, error)
	// UpgradePinned continues runs that are pinned to other versions with the current one, and returns how many.
	UpgradePinned(ctx context.Context, buildID string) (int, error)
}

// Run checks until ctx ends.
func (d *deployment) Run(ctx context.Context) {
	for {
		pause := d.check(ctx)
		select {
		case <-ctx.Done():
			return
		case <-time.After(jittered(pause)):
		}
	}
}

// check makes the changes that are due once, and returns the time until the next check.
func (d *deployment) check(ctx context.Context) time.Duration {
	within, cancel := context.WithTimeout(ctx, deploymentTimeout)
	defer cancel()
	err := d.keep(within, time.Now())
	switch {
	case err == nil:
		d.warned, d.pause = "", 0
		return deploymentTick
	case expected(err):
		d.pause = 0
		return deploymentRetry
	}
	if ctx.Err() == nil && err.Error() != d.warned {
		d.warned = err.Error()
		d.log.WarnContext(
			ctx, "the current version of the workers is not settled, trying again", "build_id", d.buildID,
			"error", d.warned,
		)
	}
	d.pause = min(max(2*d.pause, deploymentRetry), deploymentMaxRetry)
	return d.pause
}

// errNotPolled reports that the workers of a release do not poll for all tasks yet.
var errNotPolled = errors.New("the task queue is not polled yet")

// expected reports whether an error belongs to the start of a release. Its workers have not polled yet, or another
// process has changed the deployment since it was described.
func expected(err error) bool {
	_, unknown := errors.AsType[*serviceerror.NotFound](err)
	_, changed := errors.AsType[*serviceerror.FailedPrecondition](err)
	return unknown || changed || errors.Is(err, errNotPolled)
}

// keep makes this release the current version if it should be, and continues pinned runs while it is.
func (d *deployment) keep(ctx context.Context, now time.Time) error {
	found, err := d.versions.Describe(ctx)
	if err != nil {
		return err
	}
	routing := found.Info.RoutingConfig
	current := routing.CurrentVersion
	if current != nil && current.BuildID == d.buildID {
		d.settled()
		return d.upgradePinned(ctx, routing.CurrentVersionChangedTime.Add(pinnedGrace), now)
	}
	if current != nil && wasCurrent(found.Info, d.buildID) {
		polled, err := d.versions.PolledSince(ctx, current.BuildID, now.Add(-pollersLast))
		if err != nil {
			return err
		}
		if polled {
			d.settled()
			return nil
		}
	}
	// Before the workers have polled, the server would try for ten seconds and then refuse.
	ready, err := d.versions.Polled(ctx, d.buildID)
	if err != nil {
		return err
	}
	if !ready {
		return errNotPolled
	}
	if err := d.versions.SetCurrent(ctx, d.buildID, found.ConflictToken); err != nil {
		return err
	}
	d.settled()
	d.log.InfoContext(ctx, "this release is the current version of the workers", "build_id", d.buildID)
	return nil
}

// upgradePinned continues runs that are pinned to another release with this one, from a time on.
func (d *deployment) upgradePinned(ctx context.Context, from, now time.Time) error {
	if now.Before(from) || d.upgraded.After(from) && now.Sub(d.upgraded) < pinnedTick {
		return nil
	}
	n, err := d.versions.UpgradePinned(ctx, d.buildID)
	switch {
	case n > 0:
		d.log.InfoContext(ctx, "runs of an earlier release go on with this one", "build_id", d.buildID, "runs", n)
	case err == nil:
		d.upgraded = now
	}
	return err
}

// wasCurrent reports whether a version was current and is not any more. Only such versions drain, or have drained.
func wasCurrent(info sdkclient.WorkerDeploymentInfo, buildID string) bool {
	for _, v := range info.VersionSummaries {
		if v.Version.BuildID == buildID {
			return v.DrainageStatus != sdkclient.WorkerDeploymentVersionDrainageStatusUnspecified
		}
	}
	return false
}
