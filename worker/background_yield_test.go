package worker

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
	"go.temporal.io/sdk/interceptor"

	"levy/activities"
	"levy/workflows"
)

// stages are activities of one process. A stage of recent transactions lasts until the test ends it. A background stage
// does part after part, each for a while.
type stages struct {
	interceptor.ActivityInboundInterceptorBase
	yields *backgroundYield
	end    chan struct{}
	began  chan bool // a part has begun, and whether it is the rest of the stage
	parts  int
}

const partTakes = 80 * time.Millisecond

func (s *stages) ExecuteActivity(ctx context.Context, in *interceptor.ExecuteActivityInput) (any, error) {
	pacer := activities.PacerOf(ctx)
	if pacer == nil {
		<-s.end
		return nil, nil
	}
	for range s.parts {
		s.began <- pacer.Next(ctx)
		<-time.After(partTakes)
	}
	return nil, nil
}

// begin starts an activity of a task queue.
func (s *stages) begin(queue string) {
	around := s.yields.of(queue)[0].InterceptActivity(context.Background(), s)
	go func() { _, _ = around.ExecuteActivity(context.Background(), nil) }()
	synctest.Wait()
}

// part returns the time until the next part begins, and whether that is the rest of the stage.
func (s *stages) part() (after time.Duration, all bool) {
	began := time.Now()
	all = <-s.began
	return time.Since(began), all
}

func TestTheBackgroundYieldsToWhatWasJustSent(t *testing.T) {
	t.Parallel()
	const background, sent = workflows.BackgroundQueue, workflows.TransactionsQueue
	for name, test := range map[string]func(t *testing.T, s *stages){
		"alone it does all at once": func(t *testing.T, s *stages) {
			s.begin(background)
			after, all := s.part()
			require.Zero(t, after)
			require.True(t, all)
		},
		"it continues when what was sent is processed": func(t *testing.T, s *stages) {
			s.begin(background)
			_, _ = s.part()
			s.begin(sent)
			<-time.After(partTakes + partTakes)
			s.end <- struct{}{}
			after, all := s.part()
			require.Equal(t, betweenStages, after, "another stage of it may follow")
			require.False(t, all, "and more may be sent")
		},
		"it waits between two stages": func(t *testing.T, s *stages) {
			s.begin(background)
			_, _ = s.part()
			for range 2 {
				s.begin(sent)
				<-time.After(partTakes)
				s.end <- struct{}{}
				<-time.After(betweenStages / 2)
				require.Empty(t, s.began)
			}
			after, _ := s.part()
			require.Equal(t, betweenStages/2, after)
		},
		"it has a quarter of the time however much is sent": func(t *testing.T, s *stages) {
			s.begin(background)
			_, _ = s.part()
			s.begin(sent)
			for range 3 {
				after, all := s.part()
				require.Equal(t, partTakes+maxPartWaits*partTakes, after)
				require.False(t, all)
			}
		},
		"all parts of a stage wait for so long only": func(t *testing.T, s *stages) {
			s.begin(background)
			_, _ = s.part()
			s.begin(sent)
			var waited time.Duration
			for range s.parts - 1 {
				after, _ := s.part()
				waited += after - partTakes
			}
			require.Equal(t, maxStageWait, waited)
		},
		"what is sent never waits": func(_ *testing.T, s *stages) {
			for range 8 {
				s.begin(background)
				s.begin(sent)
				s.end <- struct{}{}
			}
		},
		"when nobody has sent anything for a second it does all at once": func(t *testing.T, s *stages) {
			s.begin(sent)
			s.end <- struct{}{}
			<-time.After(recentFor)
			s.begin(background)
			_, all := s.part()
			require.True(t, all)
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				s := &stages{yields: newBackgroundYield(), end: make(chan struct{}), began: make(chan bool), parts: 40}
				test(t, s)
				s.parts = 0
				close(s.end)
				stop := make(chan struct{})
				go func() {
					for {
						select {
						case <-s.began:
						case <-stop:
							return
						}
					}
				}()
				<-time.After(time.Hour)
				close(stop)
				synctest.Wait()
			})
		})
	}
}
