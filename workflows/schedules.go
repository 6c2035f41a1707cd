package workflows

import (
	"time"

	enumspb "go.temporal.io/api/enums/v1"
	sdkclient "go.temporal.io/sdk/client"
)

// Schedules are what Temporal starts by the calendar, in UTC. A run sees to all that
// is due by then: of those that were missed the last one is enough.
func Schedules() []sdkclient.ScheduleOptions {
	return []sdkclient.ScheduleOptions{
		daily(schedule{
			id: "expire-exemptions", does: "Exemptions whose last day has passed become EXPIRED",
			workflow: ExpireExemptionsName, queue: ExemptionsQueue,
			hour: 0, minute: 5, why: "five minutes after midnight UTC",
			overlap: enumspb.SCHEDULE_OVERLAP_POLICY_SKIP, catchUp: 25 * time.Hour,
		}),
		daily(schedule{
			id: "plan-filings", does: "Periods that have ended get their filings", workflow: PlanFilingsName,
			queue: FilingsQueue,
			hour:  10, minute: 5, why: "when the day before is over in Hawaii too",
			// One that falls due while another runs follows it.
			overlap: enumspb.SCHEDULE_OVERLAP_POLICY_BUFFER_ONE, catchUp: 365 * 24 * time.Hour,
		}),
		daily(schedule{
			id: "evaluate-nexus", does: "All nexus records are evaluated for the new day", workflow: EvaluateAllNexusName,
			queue: NexusQueue,
			hour:  0, minute: 5, why: "five minutes after midnight UTC",
			overlap: enumspb.SCHEDULE_OVERLAP_POLICY_SKIP, catchUp: 25 * time.Hour,
		}),
		daily(schedule{
			id:       "recount-nexus",
			does:     "The counters of nexus are compared with the transactions; the difference must be zero",
			workflow: RecountNexusName, queue: NexusQueue,
			hour: 2, minute: 30, why: "at night",
			overlap: enumspb.SCHEDULE_OVERLAP_POLICY_SKIP, catchUp: time.Hour,
		}),
		daily(schedule{
			id: "fetch-rate-files", does: "The rate and boundary files that states publish are fetched and checked",
			workflow: FetchRateFilesName, queue: ImportsQueue,
			hour: 11, minute: 40, why: "before the offices of the states open",
			overlap: enumspb.SCHEDULE_OVERLAP_POLICY_SKIP, catchUp: 25 * time.Hour,
		}),
		daily(schedule{
			id: "fetch-acknowledgements", does: "What states have acknowledged is fetched and stored",
			workflow: FetchAcknowledgementsName, queue: FilingsQueue,
			hour: 3, minute: 20, again: 6, why: "four times, which is as often as states want to be asked",
			overlap: enumspb.SCHEDULE_OVERLAP_POLICY_SKIP, catchUp: time.Hour,
		}),
	}
}

// ScheduleThatRepeats is the schedule whose runs do what a run of a workflow was to do; empty for none. An obligation
// that liabilities do not follow yet is found by the evaluation of every day.
func ScheduleThatRepeats(workflow string) string {
	if workflow == ApplyObligationName {
		workflow = EvaluateAllNexusName
	}
	for _, s := range Schedules() {
		if action, ok := s.Action.(*sdkclient.ScheduleWorkflowAction); ok && action.Workflow == workflow {
			return s.ID
		}
	}
	return ""
}

// schedule is something that is done every day.
type schedule struct {
	id, does        string
	workflow, queue string
	hour, minute    int // UTC
	again           int // hours until it is done again on the same day; 0: once a day
	why             string
	overlap         enumspb.ScheduleOverlapPolicy // while the run of another day goes on
	catchUp         time.Duration                 // for how long one that was missed is made up for
}

// hours returns the hours of a day at which it is done.
func (s schedule) hours() sdkclient.ScheduleRange {
	if s.again == 0 {
		return sdkclient.ScheduleRange{Start: s.hour}
	}
	return sdkclient.ScheduleRange{Start: s.hour, End: 23, Step: s.again}
}

func daily(s schedule) sdkclient.ScheduleOptions {
	return sdkclient.ScheduleOptions{
		ID: s.id, Note: "Every day: " + s.does + ".",
		Spec: sdkclient.ScheduleSpec{Calendars: []sdkclient.ScheduleCalendarSpec{{
			Comment: "every day, " + s.why,
			Hour:    []sdkclient.ScheduleRange{s.hours()}, Minute: []sdkclient.ScheduleRange{{Start: s.minute}},
		}}},
		Action: &sdkclient.ScheduleWorkflowAction{
			ID: s.id, Workflow: s.workflow, TaskQueue: s.queue, StaticSummary: s.does, WorkflowExecutionTimeout: oneDay,
		},
		Overlap: s.overlap, CatchupWindow: s.catchUp,
	}
}
