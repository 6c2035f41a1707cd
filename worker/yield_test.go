package worker

import (
	"context"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
	"go.temporal.io/sdk/interceptor"

	"levy/workflows"
)

// stagesAtWork are the activities of one process, each of which lasts until it is told to end.
type stagesAtWork struct {
	interceptor.ActivityInboundInterceptorBase
	yields yielding
	begun  atomic.Int64
	end    chan struct{}
}

func (s *stagesAtWork) ExecuteActivity(context.Context, *interceptor.ExecuteActivityInput) (any, error) {
	s.begun.Add(1)
	<-s.end
	return nil, nil
}

// begin begins stages of a task queue and returns how many of all have begun then.
func (s *stagesAtWork) begin(queue string, n int) int {
	for range n {
		around := s.yields.of(queue)[0].InterceptActivity(context.Background(), s)
		go func() { _, _ = around.ExecuteActivity(context.Background(), nil) }()
		synctest.Wait()
	}
	return int(s.begun.Load())
}

func TestTheBackgroundYieldsToWhatWasJustSent(t *testing.T) {
	t.Parallel()
	const background, sent = workflows.BackgroundQueue, workflows.TransactionsQueue
	for name, test := range map[string]func(t *testing.T, s *stagesAtWork){
		"alone it has all of its places": func(t *testing.T, s *stagesAtWork) {
			require.Equal(t, 4, s.begin(background, 4))
		},
		"beside others half of them": func(t *testing.T, s *stagesAtWork) {
			require.Equal(t, 1, s.begin(sent, 1))
			require.Equal(t, 3, s.begin(background, 4))
			require.Equal(t, 7, s.begin(sent, 4), "which never wait")
		},
		"what is under way keeps its place": func(t *testing.T, s *stagesAtWork) {
			require.Equal(t, 4, s.begin(background, 4))
			require.Equal(t, 5, s.begin(sent, 1))
			require.Equal(t, 5, s.begin(background, 1))
			s.end <- struct{}{} // one of the five ends; three or four of the background are left
			synctest.Wait()
			require.EqualValues(t, 5, s.begun.Load())
		},
		"when nobody has sent anything for a second, all again": func(t *testing.T, s *stagesAtWork) {
			s.begin(sent, 1)
			<-time.After(sentLately)
			require.Equal(t, 5, s.begin(background, 4))
		},
		"it waits for so long only": func(t *testing.T, s *stagesAtWork) {
			s.begin(sent, 1)
			require.Equal(t, 3, s.begin(background, 3))
			<-time.After(yieldsFor - time.Millisecond)
			synctest.Wait()
			require.EqualValues(t, 3, s.begun.Load())
			<-time.After(2 * time.Millisecond)
			synctest.Wait()
			require.EqualValues(t, 4, s.begun.Load())
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				s := &stagesAtWork{yields: newYielding(4, time.Now), end: make(chan struct{})}
				test(t, s)
				close(s.end)
				synctest.Wait()
			})
		})
	}
}

func TestASingleActivityOfTheBackgroundGoesOn(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := &stagesAtWork{yields: newYielding(1, time.Now), end: make(chan struct{})}
		require.Equal(t, 1, s.begin(workflows.TransactionsQueue, 1))
		require.Equal(t, 2, s.begin(workflows.BackgroundQueue, 1))
		close(s.end)
		synctest.Wait()
	})
}
