package workflows

import "go.temporal.io/sdk/workflow"

// All that workflows decide by a version is here. A run that waits for years goes on with
// the code of every release, so where the order, the kind or the names of its commands
// change, it asks which it has begun with. Each version says since when it is there and when
// it may go; before that, its histories under testdata/replay keep it from going.

// refreshActivities: since the second release the activities that read a record are called
// RefreshFiling and RefreshRegistration; staff see the names. Runs that had read their
// record before go on with LookAtFiling and LookAtRegistration. The version, and both old
// names, may go when no run of FileReturn or Registration is open that the first release
// began: WorkflowType IN ("FileReturn", "Registration") AND ExecutionStatus = "Running" AND
// StartTime < the day of the upgrade.
const refreshActivities = "refresh-activities"

// refreshing is the activity that reads a record, by the name that this run knows.
func refreshing(ctx workflow.Context, now, before any) any {
	if workflow.GetVersion(ctx, refreshActivities, workflow.DefaultVersion, 1) == workflow.DefaultVersion {
		return before
	}
	return now
}
