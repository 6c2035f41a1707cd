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
		Spec: daily(0, 5, "every day, five minutes after midnight UTC"),
		Action: &sdkclient.ScheduleWorkflowAction{
			ID: "expire-exemptions", Workflow: ExpireExemptionsName, TaskQueue: ExemptionsQueue,
			StaticSummary: "Exemptions whose last day has passed become EXPIRED",
		},
		// A run looks at all that has ended until now: one at a time is enough, and of
		// those that were missed the last one.
		Overlap:       enumspb.SCHEDULE_OVERLAP_POLICY_SKIP,
		CatchupWindow: 25 * time.Hour,
	}, {
		ID:   "evaluate-nexus",
		Note: "Every day: all nexus records are evaluated for the new day.",
		Spec: daily(0, 5, "every day, five minutes after midnight UTC"),
		Action: &sdkclient.ScheduleWorkflowAction{
			ID: "evaluate-nexus", Workflow: EvaluateAllNexusName, TaskQueue: NexusQueue,
			StaticSummary: "All nexus records are evaluated for the new day",
		},
		Overlap:       enumspb.SCHEDULE_OVERLAP_POLICY_SKIP,
		CatchupWindow: 25 * time.Hour,
	}}
}

func daily(hour, minute int, comment string) sdkclient.ScheduleSpec {
	return sdkclient.ScheduleSpec{Calendars: []sdkclient.ScheduleCalendarSpec{{
		Comment: comment,
		Hour:    []sdkclient.ScheduleRange{{Start: hour}}, Minute: []sdkclient.ScheduleRange{{Start: minute}},
	}}}
}
