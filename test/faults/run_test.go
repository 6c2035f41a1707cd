package faults_test

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"levy/test/seed"
	"levy/test/testbed"
)

// The size of the run, and the seed that decides its order. A longer run:
//
//	LEVY_FAULTS_POSTS=50000 LEVY_FAULTS_COUNT=200 go test -timeout 2h -run FaultsUnderLoad ./test/faults
const (
	postsVariable, defaultPosts = "LEVY_FAULTS_POSTS", 400
	countVariable, defaultCount = "LEVY_FAULTS_COUNT", 19
	wideVariable                = "LEVY_FAULTS_WIDE" // set: also what takes minutes
	seedVariable                = "LEVY_FAULTS_SEED"
	denseVariable               = "LEVY_FAULTS_DENSE" // set: more kills and more sales in the same time

	sellers = 32
	// many is how many sales are sent at once, and denseMany in a dense run, which has denseProcesses of each kind.
	many, denseMany = 5, 500
	denseProcesses  = 4
	densePause      = 100 * time.Millisecond
	lengthVariable  = "LEVY_FAULTS_LENGTH" // of a dense run: how long faults happen at the most; 0: until there were enough
)

// Sellers post, change, archive and credit sales while processes die, hang, lose their connections and the answers to
// their requests. Afterwards everything accepted was processed exactly once.
func TestFaultsUnderLoadLoseAndDoubleNothing(t *testing.T) {
	t.Parallel()
	r := newFaultRun(t, "filing.go") // as the release of changed workflows: sellers do not notice the difference
	r.listeners.listen(t, r)
	r.run(r.load.sellOnly())
	r.requireSold()
	r.listeners.requireReceived(t)
}

// The same while other clients are onboarded or cancel, register, file returns and create keys.
func TestFaultsUnderLoadOfEverybody(t *testing.T) {
	t.Parallel()
	requireWide(t)
	r := newFaultRun(t, "onboarding.go")
	r.load.register()
	r.listeners.listen(t, r)
	r.run(r.load.start())
	r.load.finish()
	r.load.requireSettled()
	r.requireSold()
	r.load.fileEverything()
	requireInvariants(t, r.bed, moment{quiet: true, ledger: r.ledger})
	r.load.requireKeys()
	r.load.requireUndone()
	r.listeners.requireReceived(t)
}

func requireWide(t *testing.T) {
	t.Helper()
	if os.Getenv(wideVariable) == "" {
		t.Skip("make chaos runs it: it takes minutes until all work is done")
	}
}

// faultRun is an installation under load, and the faults that are injected into it.
type faultRun struct {
	t       *testing.T
	bed     *testbed.Bed
	ledger  *ledger
	load    *load
	nemesis *nemesis
	count   int           // faults
	posts   int           // requests of sellers, when all faults happen
	began   time.Time     // the load
	end     time.Duration // of the faults since then; 0: when there were enough

	listeners listeners
	happened  atomic.Int64 // faults so far
	progress  progress     // of a dense run
	step      string       // what the run is doing
	compared  atomic.Int64 // transactions that were compared with what clients know, so far
	replaced  int          // runs that Levy replaced as stuck
	// comparedAll says that everything was compared with what clients know, after all work was done.
	comparedAll bool

	path  string // of the file that keeps runs
	slice slice  // its parameters
}

// isOver reports whether the time of a run with a time limit is over.
func (r *faultRun) isOver() bool { return r.end > 0 && time.Since(r.began) > r.end }

// at logs what the run is doing, and the time since the load began.
func (r *faultRun) at(step string) {
	r.step = step
	r.t.Logf("%.0f s after the start: %s", time.Since(r.began).Seconds(), step)
}

// newFaultRun begins one. An incompatible release is one of transactions and of another workflow.
func newFaultRun(t *testing.T, other string) *faultRun {
	t.Helper()
	posts, count := number(t, postsVariable, defaultPosts), number(t, countVariable, defaultCount)
	began := number(t, seedVariable, int(seed.Seed()%1_000_000))
	again := fmt.Sprintf("%s=%d %s=%d %s=%d %s=%s", seedVariable, began, postsVariable, posts, countVariable, count,
		denseVariable, os.Getenv(denseVariable))
	t.Log(again)
	r := &faultRun{t: t, count: count, posts: posts, step: "the faults"}
	if length := os.Getenv(lengthVariable); length != "" {
		var err error
		r.end, err = time.ParseDuration(length)
		require.NoError(t, err, lengthVariable)
	}
	dense := os.Getenv(denseVariable) != ""
	r.keep(slice{Seed: began, Posts: posts, Count: count, Dense: dense}) // after what the bed does when it ends
	bed := testbed.New(t, testbed.Options{Own: true})
	bed.Exec(`UPDATE organizations
		SET is_test = true
		WHERE id = $1`, bed.OrganizationID) // its authority answers by itself
	ledger := newSyncedLedger(t, bed, again)
	nemesis := &nemesis{
		bed: bed, random: rand.New(rand.NewPCG(uint64(began), 0)),
		apis: []*testbed.Service{bed.API, bed.NewAPI()}, workers: []*testbed.Service{bed.Worker, bed.NewWorker()},
		incompatible: incompatibleRelease(t, "transactions.go", other), stall: shortStall,
	}
	for dense && len(nemesis.apis) < denseProcesses {
		nemesis.apis, nemesis.workers = append(nemesis.apis, bed.NewAPI()), append(nemesis.workers, bed.NewWorker())
	}
	if os.Getenv(wideVariable) != "" && !dense {
		nemesis.stall = longStall
	}
	bed.Set("LEVY_WEBHOOK_HOSTS", "127.0.0.1")
	for _, s := range nemesis.services() {
		s.Start()
	}
	l := &load{
		bed: bed, apis: nemesis.apis, ledger: ledger, seed: uint64(began), posts: posts, codes: map[string]int{},
		taken: map[*testbed.Service]int{},
		pause: 250 * time.Millisecond, // so that not all happens at once
	}
	if nemesis.dense, nemesis.locks = dense, new(targetLocks); dense {
		l.many, l.pause = denseMany, densePause
	}
	l.allowed = sync.NewCond(&l.mu)
	nemesis.killed = newKills(l)
	r.bed, r.ledger, r.nemesis, r.load, r.began = bed, ledger, nemesis, l, time.Now()
	return r
}

// run injects faults, waits until the clients have ended, and then makes all pending work due.
func (r *faultRun) run(ended <-chan struct{}) {
	r.t.Helper()
	stop := r.compareContinuously()
	r.nemesis.injectFaults(r)
	r.at("what clients began")
	<-ended
	stop()
	analyze(r.t.Context(), r.bed)
	makeAllDue(r.bed)
}

// requireSold compares the sellers' records with what the sellers know.
func (r *faultRun) requireSold() {
	t := r.t
	t.Helper()
	for _, code := range slices.Sorted(maps.Keys(r.load.codes)) {
		t.Logf("%6d requests ended with %s", r.load.codes[code], code)
	}
	for kind, outcomes := range r.ledger.kinds() {
		t.Logf("%-20s %v", kind, outcomes)
	}
	r.at("the answers")
	require.Empty(t, strings.Join(r.load.wrong, "\n"), "answers that no client should get")
	require.Positive(t, r.ledger.count(accepted))
	exist := r.bed.Count("SELECT count(*) FROM transactions")
	r.at("the comparison")
	other := endings{nondeterministic: true, replaced: true}
	requireOnce(t, r.bed, r.ledger, exist, &other)
	for _, run := range other.found {
		t.Logf("%s: %s", run.GetExecution().GetWorkflowId(), waitedFor(t.Context(), t, r.bed.Temporal(), run))
	}
	r.replaced = len(other.found)
	r.compared.Store(int64(exist))
	r.comparedAll = true
	r.at("what the API answers")
	r.requireReadable()
	r.at("events, returns and keys")
	happened := r.happened.Load()
	t.Logf("%d transactions exist. 0 losses in %d faults: at 95 %% confidence, fewer than %.1f %% of faults lose "+
		"or double anything",
		exist, happened, 300/float64(happened))
}

func number(t *testing.T, variable string, fallback int) int {
	t.Helper()
	text := os.Getenv(variable)
	if text == "" {
		return fallback
	}
	n, err := strconv.Atoi(text)
	require.NoError(t, err, variable)
	return n
}
