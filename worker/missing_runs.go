package worker

import (
	"context"

	"go.temporal.io/api/workflowservice/v1"
	sdkclient "go.temporal.io/sdk/client"

	"levy/models"
	"levy/workflows"
)

// askedRuns is how many workflows one list call of Temporal asks for.
const askedRuns = 100

// OpenRecords reads the records that need a run.
type OpenRecords interface {
	// CountOpen counts the records of a kind that need a run.
	CountOpen(ctx context.Context, kind string) (int64, error)
	// IdleAfter returns the next records of a kind that need a run and are not due, in the order of their keys. It
	// starts after the given key.
	IdleAfter(ctx context.Context, kind string, after models.Ref, limit int) ([]models.Ref, error)
}

// MissingRuns finds the records that need a run and have none: records that need a run, minus the open runs in the list
// of Temporal. The list is late, so a run that has just begun may seem to be missing. Starting it again joins it.
type MissingRuns struct {
	client   sdkclient.Client
	records  OpenRecords
	compared map[string]models.Ref // by kind: the last record that Next has compared
}

// NewMissingRuns returns a comparison that starts with the first record of each kind.
func NewMissingRuns(client sdkclient.Client, records OpenRecords) *MissingRuns {
	return &MissingRuns{client: client, records: records, compared: map[string]models.Ref{}}
}

// Among returns, by kind, the records of those workflows that are not open. Errors: those of Temporal.
func (m *MissingRuns) Among(ctx context.Context, workflowIDs []string) (map[string][]string, error) {
	open, err := openAmong(ctx, m.client, workflowIDs)
	missing := map[string][]string{}
	if err != nil {
		return missing, err
	}
	for _, id := range workflowIDs {
		if kind, record, ok := workflows.RecordOf(id); ok && !open[id] {
			missing[kind] = append(missing[kind], record)
		}
	}
	return missing, nil
}

// Next counts the records of a workflow and its open runs. While there are fewer runs, it compares the next pages of a
// hundred records, and starts again after the last record. It returns the records without a run, and how many need one.
func (m *MissingRuns) Next(
	ctx context.Context, w workflows.Workflow, pages int,
) (missing []string, needed int64, err error) {
	if needed, err = m.records.CountOpen(ctx, w.Carries); err != nil || needed == 0 {
		return nil, needed, err
	}
	open, err := m.client.CountWorkflow(ctx, &workflowservice.CountWorkflowExecutionsRequest{
		Query: "WorkflowType = '" + w.Name + "' AND ExecutionStatus = 'Running'",
	})
	if err != nil || open.GetCount() >= needed {
		return nil, needed, err
	}
	for range pages {
		page, err := m.records.IdleAfter(ctx, w.Carries, m.compared[w.Carries], askedRuns)
		if err != nil {
			return nil, needed, err
		}
		ids := make([]string, len(page))
		for i, record := range page {
			ids[i] = w.IDOf(record.ID)
		}
		found, err := m.Among(ctx, ids)
		if err != nil {
			return nil, needed, err
		}
		missing = append(missing, found[w.Carries]...)
		if len(page) < askedRuns {
			delete(m.compared, w.Carries)
			break
		}
		m.compared[w.Carries] = page[len(page)-1]
	}
	return missing, needed, nil
}
