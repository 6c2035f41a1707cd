package workflows

import "go.temporal.io/sdk/workflow"

// This file has all decisions of workflows by version. A run that waits for years continues with the code of every
// release. If a release changes the order, kind or names of its commands, the run asks for the version that it began
// with. Each version says since when it exists and when it may be removed. Before that, its histories under
// testdata/replay prevent the removal.

// Versions whose runs from before ended with the support of releases before 0.3.0, the first supported version. 0.3.0 asks
// for them, and would continue a run without their markers as one from before. So each run gets them where 0.3.0 asks, and
// goes on after a return to that release. They may be removed in the release whose release before is not 0.3.0. A run from
// before 0.3.0 fails where a marker is missing, and is opened again from its record.
const (
	refreshActivities   = "refresh-activities"   // the activities that read a record have their present names
	showOverdue         = "show-overdue"         // a filing that is overdue has a search attribute that says so
	confirmCancellation = "confirm-cancellation" // cancelling the run of an onboarding asks for a confirmation
	planLastReturn      = "plan-last-return"     // a registration that is DEREGISTERED plans its last return
)

// mark writes the marker of a version that all supported runs have.
func mark(ctx workflow.Context, version string) { workflow.GetVersion(ctx, version, 1, 1) }

// buildDocument: since the release after 0.3.0, the document of a return is stored before it is handed over, if the
// authority takes a file. Attempts that were handed over before go on without. The version may be removed when no
// run of FileReturn from before is open.
const buildDocument = "build-document"

// buildsDocument reports whether this run builds it. It is asked only of returns that may have one.
func buildsDocument(ctx workflow.Context) bool {
	return workflow.GetVersion(ctx, buildDocument, workflow.DefaultVersion, 1) != workflow.DefaultVersion
}
