package worker

import (
	"context"
	"time"

	"go.temporal.io/api/workflowservice/v1"
	sdkclient "go.temporal.io/sdk/client"

	"levy/models"
	"levy/workflows"
)

// IdleRecords are the records that need a run although nothing is due.
type IdleRecords interface {
	// CountOpen counts those of a kind that need a run, due or idle.
	CountOpen(ctx context.Context, kind string) (int64, error)
	// IdleAfter are some of those that wait, after the one that is given, in an order that stays.
	IdleAfter(ctx context.Context, kind string, after models.Ref, limit int) ([]models.Ref, error)
}

const (
	// absentEvery is how often records and runs are counted.
	absentEvery = 30 * time.Second
	// absentPages is how many hundred records of a kind are then compared with the runs there are; the
	// next check goes on behind them.
	absentPages = 20
)

// AbsentRuns finds records that have no run and need one, by what Temporal lists. Lists come late: a run
// that began a moment ago may be missing there, and starting another joins it.
type AbsentRuns struct {
	client  sdkclient.Client
	records IdleRecords
	after   map[string]models.Ref // by kind: where the last check ended
}

// NewAbsentRuns returns one that begins with the first record of each kind.
func NewAbsentRuns(client sdkclient.Client, records IdleRecords) *AbsentRuns {
	return &AbsentRuns{client: client, records: records, after: map[string]models.Ref{}}
}

// requeueAbsent makes those records due, such as that of a run that was deleted in the UI of Temporal: nothing
// ended there. It costs one count of records and one of runs for each kind, and while there are fewer
// runs a list call for every hundred records.
func (r *Reconciler) requeueAbsent(ctx context.Context) error {
	for _, w := range workflows.Carriers() {
		lacking, _, err := r.absent.Lacking(ctx, w, absentPages)
		if err != nil {
			return err
		}
		if len(lacking) == 0 {
			continue
		}
		due, err := r.records.Requeue(ctx, w.Carries, lacking)
		if err != nil {
			return err
		}
		r.log.WarnContext(ctx, "records had no run, and are made due", "of", w.Carries, "records", len(due))
	}
	return nil
}

// Lacking are the records without their run of w among the next pages of a hundred, and how many need one in all.
func (a *AbsentRuns) Lacking(
	ctx context.Context, w workflows.Workflow, pages int,
) (lacking []string, needed int64, err error) {
	if needed, err = a.records.CountOpen(ctx, w.Carries); err != nil || needed == 0 {
		return nil, needed, err
	}
	there, err := a.client.CountWorkflow(ctx, &workflowservice.CountWorkflowExecutionsRequest{
		Query: "WorkflowType = '" + w.Name + "' AND ExecutionStatus = 'Running'",
	})
	if err != nil || there.GetCount() >= needed {
		return nil, needed, err
	}
	for range pages {
		page, err := a.records.IdleAfter(ctx, w.Carries, a.after[w.Carries], askedRuns)
		if err != nil {
			return nil, needed, err
		}
		missing, err := a.missing(ctx, w, page)
		if err != nil {
			return nil, needed, err
		}
		lacking = append(lacking, missing...)
		if len(page) < askedRuns {
			delete(a.after, w.Carries)
			break
		}
		a.after[w.Carries] = page[len(page)-1]
	}
	return lacking, needed, nil
}

func (a *AbsentRuns) missing(ctx context.Context, w workflows.Workflow, records []models.Ref) ([]string, error) {
	if len(records) == 0 {
		return nil, nil
	}
	ids := make([]string, len(records))
	for i, record := range records {
		ids[i] = w.IDOf(record.ID)
	}
	open, err := openAmong(ctx, a.client, ids)
	if err != nil {
		return nil, err
	}
	var missing []string
	for i, record := range records {
		if !open[ids[i]] {
			missing = append(missing, record.ID)
		}
	}
	return missing, nil
}
