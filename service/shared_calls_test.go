package service

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"maps"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"levy/models"
	"levy/service/limit"
)

// board is where processes read each other's calls. It may be away, or never answer.
type board struct {
	mu         sync.Mutex
	all        map[string]models.ProcessCalls
	away, mute bool
	left       int
}

func (b *board) ExchangeCalls(
	ctx context.Context, process string, calls models.ProcessCalls,
) (map[string]models.ProcessCalls, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.away {
		return nil, errors.New("no connection")
	}
	if b.mute {
		b.mu.Unlock()
		<-ctx.Done()
		b.mu.Lock()
		return nil, ctx.Err()
	}
	b.all[process] = calls
	others := maps.Clone(b.all)
	delete(others, process)
	return others, nil
}

func (b *board) LeaveProcesses(_ context.Context, process string) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.left++
	delete(b.all, process)
	return nil
}

// The calls of one process count in the other within two exchanges. While nothing is heard each process holds the limit
// alone, says so once, and calls do not wait. A process that ends takes its report with it.
func TestProcessesOfTheAPIShareTheirLimits(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		rate := models.RateLimit{PerMinute: 60, Burst: 10}
		ctx, stop := context.WithCancel(t.Context())
		between, said := &board{all: map[string]models.ProcessCalls{}}, &bytes.Buffer{}
		services := make([]*Service, 2)
		var running sync.WaitGroup
		for i := range services {
			s := &Service{calls: limit.NewCalls(limit.Config{Rate: rate}, time.Now), log: slog.New(slog.DiscardHandler)}
			if i == 0 {
				s.log = slog.New(slog.NewTextHandler(said, nil))
			}
			services[i] = s
			running.Go(func() { s.ShareLimits(ctx, between) })
		}
		admitted := func() (n int) {
			for _, s := range services {
				for s.calls.Begin("org_1", rate, false).Refused == "" {
					s.calls.End("org_1", false)
					n++
				}
			}
			return n
		}
		<-time.After(3 * time.Second)
		require.Equal(t, 20, admitted(), "both bursts, before they know of each other")
		<-time.After(12 * time.Second)
		require.LessOrEqual(t, admitted(), 7, "the debt of the burst is paid first")

		for _, how := range []struct{ away, mute bool }{{away: true}, {mute: true}} {
			between.mu.Lock()
			between.away, between.mute = how.away, how.mute
			between.mu.Unlock()
			<-time.After(5 * time.Minute)
			require.Equal(t, 20, admitted(), "each holds the limit alone")
		}
		between.mu.Lock()
		between.away, between.mute = false, false
		between.mu.Unlock()
		<-time.After(5 * time.Minute)
		stop()
		running.Wait()
		require.Equal(t, 1, strings.Count(said.String(), "each holds the rate limits alone"), said)
		require.Empty(t, between.all)
		require.Equal(t, 2, between.left)
	})
}
