package workflows

import (
	"context"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"levy/activities"
	"levy/models"
)

// mailboxes are queues of a state, of which some cannot be reached.
type mailboxes struct {
	count, outages int
	down, broken   bool
}

func (m *mailboxes) QueuesToRead(_ context.Context, after, n int) (found []models.QueueToRead, err error) {
	if m.outages > 0 {
		m.outages--
		return nil, models.ErrUnavailable
	}
	for i := after; i < min(m.count, after+n); i++ {
		found = append(found, models.QueueToRead{AcknowledgementQueue: models.AcknowledgementQueue{
			Authority: "streamlined-MI", Transmitter: fmt.Sprint(i),
		}})
	}
	return found, nil
}

func (m *mailboxes) FetchAnswers(context.Context, models.QueueToRead) (int, error) {
	if m.down {
		return 0, &models.UnansweredError{Err: models.ErrUnavailable}
	}
	if m.broken {
		return 0, models.ErrIDsTaken
	}
	return 1, nil
}

func TestFetchAcknowledgements(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		boxes mailboxes
		want  FetchAcknowledgementsResult
		words string
	}{
		{mailboxes{}, FetchAcknowledgementsResult{}, "0 acknowledgements of 0 queues"},
		{mailboxes{count: 51, outages: 2}, FetchAcknowledgementsResult{Queues: 51, Messages: 51}, "51 acknowledgements of 51 queues"},
		{
			mailboxes{count: 51, down: true}, FetchAcknowledgementsResult{Queues: 51, Unreachable: []string{"streamlined-MI"}},
			"0 acknowledgements of 51 queues; **out of reach: streamlined-MI**",
		},
		{
			mailboxes{count: 51, broken: true}, FetchAcknowledgementsResult{Queues: 51, Failing: []string{"streamlined-MI"}},
			"0 acknowledgements of 51 queues; **queues that fail: streamlined-MI**",
		},
	} {
		env := newEnvironment()
		Register(env, FilingsQueue, activities.NewAcknowledgements(&c.boxes, quietLog))
		env.ExecuteWorkflow(FetchAcknowledgements, FetchAcknowledgementsInput{})
		require.NoError(t, env.GetWorkflowError())
		var result FetchAcknowledgementsResult
		require.NoError(t, env.GetWorkflowResult(&result))
		require.Equal(t, c.want, result)
		require.Equal(t, c.words, result.inWords())
	}
}

// acknowledgementRuns are the scenarios of a run.
var acknowledgementRuns = histories[*mailboxes]{
	folder: "FetchAcknowledgements", workflows: map[string]any{FetchAcknowledgementsName: FetchAcknowledgements},
	scenarios: func() map[string]*mailboxes {
		return map[string]*mailboxes{
			"parts": {count: 51}, "outage": {count: 1, outages: 1}, "unreachable": {count: 1, down: true},
		}
	},
}

func TestReplayFetchAcknowledgements(t *testing.T) {
	t.Parallel()
	acknowledgementRuns.replayAll(t)
}
