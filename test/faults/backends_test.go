package faults_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"levy/test/testbed"
)

// An operator restarts PostgreSQL in an orderly way: it lets a commit in progress finish and then ends the connection,
// with an error instead of the answer. That error says nothing about the commit.
func TestConnectionsEndedDuringCommitLeaveNoFalseAnswers(t *testing.T) {
	t.Parallel()
	bed := testbed.New(t, testbed.Options{Own: true})
	ledger := newLedger(bed)
	bed.API.Start()
	load := &load{bed: bed, apis: []*testbed.Service{bed.API}, ledger: ledger, seed: 1, posts: 1000, codes: map[string]int{},
		pause: 100 * time.Millisecond}
	ended := load.sellOnly()
	const enough = 20
	terminated := 0
	for running := true; running; {
		select {
		case <-ended:
			running = false
		case <-time.After(2 * time.Millisecond):
			terminated += bed.Count(`SELECT count(*) FILTER (WHERE pg_terminate_backend(pid)) FROM pg_stat_activity
				WHERE application_name = 'levy' AND state = 'active' AND query ILIKE 'commit'`)
			if terminated >= enough {
				load.stop()
			}
		}
	}
	t.Logf("%d connections ended during their commit; %s; answers: %v", terminated, ledger, load.codes)
	require.Positive(t, terminated) // a fast disk leaves little time to commit
	bed.Worker.Start()
	requireOnce(t, bed, ledger, bed.Count("SELECT count(*) FROM transactions"), nil)
}
