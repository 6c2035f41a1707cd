package workflows

import (
	"time"

	enumspb "go.temporal.io/api/enums/v1"
	sdkclient "go.temporal.io/sdk/client"
)

// Schedules are what Temporal starts by the calendar, in UTC.
func Schedules() []sdkclient.ScheduleOptions {
	return []sdkclient.ScheduleOptions{{
		ID:   "expire-exemptions",
		Note: "Every day: exemptions whose last day has passed become EXPIRED.",
		Spec: sdkclient.ScheduleSpec{Calendars: []sdkclient.ScheduleCalendarSpec{{
			Comment: "every day, five minutes after midnight UTC",
			Hour:    []sdkclient.ScheduleRange{{Start: 0}}, Minute: []sdkclient.ScheduleRange{{Start: 5}},
		}}},
		Action: &sdkclient.ScheduleWorkflowAction{
			ID: "expire-exemptions", Workflow: ExpireExemptionsName, TaskQueue: ExemptionsQueue,
			StaticSummary: "Exemptions whose last day has passed become EXPIRED",
		},
		// A run looks at all that has ended until now: one at a time is enough, and of
		// those that were missed the last one.
		Overlap:       enumspb.SCHEDULE_OVERLAP_POLICY_SKIP,
		CatchupWindow: 25 * time.Hour,
	}}
}
