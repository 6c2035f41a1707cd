package workflows

import "go.temporal.io/sdk/workflow"

// This file has all decisions of workflows by version. A run that waits for years continues with the code of every
// release. If a release changes the order, kind or names of its commands, the run asks for the version that it began
// with. Each version says since when it exists and when it may be removed. Before that, its histories under
// testdata/replay prevent the removal.

// refreshActivities: since the second release the activities that read a record are called RefreshFiling and
// RefreshRegistration; staff see the names. Runs that had read their record before continue with LookAtFiling and
// LookAtRegistration.
//
// The version, and both old names, may be removed when no run of the first release is open. Search for these runs by:
//
//	WorkflowType IN ("FileReturn", "Registration") AND ExecutionStatus = "Running" AND StartTime < the day of the upgrade
const refreshActivities = "refresh-activities"

// refreshing is the activity that reads a record, by the name that this run knows.
func refreshing(ctx workflow.Context, now, before any) any {
	if workflow.GetVersion(ctx, refreshActivities, workflow.DefaultVersion, 1) == workflow.DefaultVersion {
		return before
	}
	return now
}

// showOverdue: since the third release a filing that is overdue has a search attribute that says so. Runs that
// were overdue before go on without. The version may go when no run of FileReturn is open that was begun
// before the third release.
const showOverdue = "show-overdue"

// showsOverdue reports whether this run sets the attribute. It is asked only where that would change.
func showsOverdue(ctx workflow.Context) bool {
	return workflow.GetVersion(ctx, showOverdue, workflow.DefaultVersion, 1) != workflow.DefaultVersion
}

// confirmCancellation: since the third release, cancelling the run of an onboarding in the Temporal UI asks for a
// confirmation first. Runs from before end at once. The version may be removed when no run of Onboarding from before is
// open.
const confirmCancellation = "confirm-cancellation"

// confirmsCancellation reports whether this run asks. It is asked first of all.
func confirmsCancellation(ctx workflow.Context) bool {
	return workflow.GetVersion(ctx, confirmCancellation, workflow.DefaultVersion, 1) != workflow.DefaultVersion
}

// planLastReturn: since the fourth release, a registration that is DEREGISTERED plans the return that replaces one that
// went on after its last day. Runs that had cancelled that return before leave it to the daily plan. The version may be
// removed when no run of Registration from before is open.
const planLastReturn = "plan-last-return"

// plansLastReturn reports whether this run plans it. It is asked only of a registration that is DEREGISTERED.
func plansLastReturn(ctx workflow.Context) bool {
	return workflow.GetVersion(ctx, planLastReturn, workflow.DefaultVersion, 1) != workflow.DefaultVersion
}

// buildDocument: since the fifth release, a return of which the authority takes a file has its document built and stored
// before it is handed over. Attempts that were handed over before go on without. The version may be removed when no run of
// FileReturn from before is open.
const buildDocument = "build-document"

// buildsDocument reports whether this run builds it. It is asked only of returns that may have one.
func buildsDocument(ctx workflow.Context) bool {
	return workflow.GetVersion(ctx, buildDocument, workflow.DefaultVersion, 1) != workflow.DefaultVersion
}
