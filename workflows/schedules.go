package workflows

import (
	"time"

	enumspb "go.temporal.io/api/enums/v1"
	sdkclient "go.temporal.io/sdk/client"
)

// Schedules are what Temporal starts by the calendar, in UTC.
func Schedules() []sdkclient.ScheduleOptions {
	return []sdkclient.ScheduleOptions{expireExemptions(), planFilings(), evaluateNexus(), recountNexus()}
}

func expireExemptions() sdkclient.ScheduleOptions {
	return sdkclient.ScheduleOptions{
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
	}
}

func planFilings() sdkclient.ScheduleOptions {
	return sdkclient.ScheduleOptions{
		ID:   "plan-filings",
		Note: "Every day: periods that have ended get their filings.",
		Spec: daily(10, 5, "every day at 10:05 UTC, when the day before is over in Hawaii too"),
		Action: &sdkclient.ScheduleWorkflowAction{
			ID: "plan-filings", Workflow: PlanFilingsName, TaskQueue: FilingsQueue,
			StaticSummary: "Periods that have ended get their filings",
		},
		// A run plans all that is missing by then, however many were missed before it. One
		// that falls due while another runs follows it.
		Overlap:       enumspb.SCHEDULE_OVERLAP_POLICY_BUFFER_ONE,
		CatchupWindow: 365 * 24 * time.Hour,
	}
}

func evaluateNexus() sdkclient.ScheduleOptions {
	return sdkclient.ScheduleOptions{
		ID:   "evaluate-nexus",
		Note: "Every day: all nexus records are evaluated for the new day.",
		Spec: daily(0, 5, "every day, five minutes after midnight UTC"),
		Action: &sdkclient.ScheduleWorkflowAction{
			ID: "evaluate-nexus", Workflow: EvaluateAllNexusName, TaskQueue: NexusQueue,
			StaticSummary: "All nexus records are evaluated for the new day",
		},
		Overlap:       enumspb.SCHEDULE_OVERLAP_POLICY_SKIP,
		CatchupWindow: 25 * time.Hour,
	}
}

func recountNexus() sdkclient.ScheduleOptions {
	return sdkclient.ScheduleOptions{
		ID:   "recount-nexus",
		Note: "Every night: the counters of nexus are compared with the transactions; the difference must be zero.",
		Spec: daily(2, 30, "every day, half past two UTC"),
		Action: &sdkclient.ScheduleWorkflowAction{
			ID: "recount-nexus", Workflow: RecountNexusName, TaskQueue: NexusQueue,
			StaticSummary: "The counters of nexus are compared with the transactions",
		},
		Overlap:       enumspb.SCHEDULE_OVERLAP_POLICY_SKIP,
		CatchupWindow: time.Hour,
	}
}

func daily(hour, minute int, comment string) sdkclient.ScheduleSpec {
	return sdkclient.ScheduleSpec{Calendars: []sdkclient.ScheduleCalendarSpec{{
		Comment: comment,
		Hour:    []sdkclient.ScheduleRange{{Start: hour}}, Minute: []sdkclient.ScheduleRange{{Start: minute}},
	}}}
}
