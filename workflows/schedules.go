package workflows

import (
	"time"

	enumspb "go.temporal.io/api/enums/v1"
	sdkclient "go.temporal.io/sdk/client"
)

// Schedules are what Temporal starts by the calendar, in UTC.
func Schedules() []sdkclient.ScheduleOptions {
	return []sdkclient.ScheduleOptions{expireExemptions(), planFilings()}
}

func expireExemptions() sdkclient.ScheduleOptions {
	return sdkclient.ScheduleOptions{
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
	}
}

func planFilings() sdkclient.ScheduleOptions {
	return sdkclient.ScheduleOptions{
		ID:   "plan-filings",
		Note: "Every day: periods that have ended get their filings.",
		Spec: sdkclient.ScheduleSpec{Calendars: []sdkclient.ScheduleCalendarSpec{{
			Comment: "every day at 10:05 UTC, when the day before is over in Hawaii too",
			Hour:    []sdkclient.ScheduleRange{{Start: 10}}, Minute: []sdkclient.ScheduleRange{{Start: 5}},
		}}},
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
