package activities

import (
	"context"
	"fmt"
	"log/slog"
	"testing"

	"github.com/stretchr/testify/require"
	"go.temporal.io/sdk/testsuite"

	"levy/models"
)

// rows are queues that some authorities answer.
type rows struct {
	queues []models.QueueToRead
	down   map[string]error // by authority
	asked  []string
}

func (r *rows) QueuesToRead(_ context.Context, after, n int) ([]models.QueueToRead, error) {
	return r.queues[min(after, len(r.queues)):min(after+n, len(r.queues))], nil
}

func (r *rows) FetchAnswers(_ context.Context, q models.QueueToRead) (int, error) {
	r.asked = append(r.asked, q.Authority+" "+q.Transmitter)
	return 2, r.down[q.Authority]
}

func (r *rows) fetch(t *testing.T, after int) (result FetchAcknowledgementsResult, err error) {
	t.Helper()
	var suite testsuite.WorkflowTestSuite
	env := suite.NewTestActivityEnvironment()
	work := NewAcknowledgements(r, slog.New(slog.DiscardHandler))
	env.RegisterActivity(work)
	value, err := env.ExecuteActivity(work.FetchAcknowledgements, FetchAcknowledgementsInput{After: after})
	if err != nil {
		return result, err
	}
	return result, value.Get(&result)
}

func queueAt(authority, transmitter string) models.QueueToRead {
	return models.QueueToRead{AcknowledgementQueue: models.AcknowledgementQueue{Authority: authority, Transmitter: transmitter}}
}

// An authority that is down leaves the others their turn, and is asked once.
func TestAnAuthorityThatIsDownStopsNoOther(t *testing.T) {
	t.Parallel()
	r := &rows{
		queues: []models.QueueToRead{queueAt("MI", "S1"), queueAt("MI", "S2"), queueAt("TN", "S1"), queueAt("UT", "S1")},
		down: map[string]error{
			"MI": &models.UnansweredError{Err: models.ErrUnavailable}, "TN": &models.AuthorityDownError{Authority: "TN"},
		},
	}
	result, err := r.fetch(t, 0)
	require.NoError(t, err)
	require.Equal(t, []string{"MI S1", "TN S1", "UT S1"}, r.asked)
	require.Equal(t, FetchAcknowledgementsResult{Queues: 4, Messages: 6, Unreachable: []string{"MI", "TN"}, Done: true}, result)
}

// A queue that fails for good is seen, and neither the next ones of its authority nor those of later pages wait for it.
func TestAQueueThatFailsKeepsNoOtherBack(t *testing.T) {
	t.Parallel()
	for _, failure := range []error{models.ErrIDsTaken, &models.UnansweredError{Err: models.ErrOutcomeUnknown}} {
		r := &rows{down: map[string]error{"MI": failure}}
		for n := range queuesAtOnce {
			r.queues = append(r.queues, queueAt("MI", fmt.Sprint(n)))
		}
		r.queues = append(r.queues, queueAt("TN", "S1"))
		first, err := r.fetch(t, 0)
		require.NoError(t, err)
		require.Len(t, r.asked, queuesAtOnce)
		require.Equal(t, []string{"MI"}, first.Failing)
		require.False(t, first.Done)
		rest, err := r.fetch(t, first.Queues)
		require.NoError(t, err)
		require.Equal(t, FetchAcknowledgementsResult{Queues: 1, Messages: 2, Done: true}, rest)
	}
}

func TestQueuesAreReadInParts(t *testing.T) {
	t.Parallel()
	r := &rows{}
	for n := range queuesAtOnce + 1 {
		r.queues = append(r.queues, queueAt("MI", fmt.Sprint(n)))
	}
	first, err := r.fetch(t, 0)
	require.NoError(t, err)
	require.False(t, first.Done)
	rest, err := r.fetch(t, first.Queues)
	require.NoError(t, err)
	require.Equal(t, []any{1, true}, []any{rest.Queues, rest.Done})
}
