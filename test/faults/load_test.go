package faults_test

import (
	"context"
	"fmt"
	"maps"
	"math/rand/v2"
	"net/http"
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
	postsVariable, defaultPosts = "LEVY_FAULTS_POSTS", 1000
	countVariable, defaultCount = "LEVY_FAULTS_COUNT", 19
	wideVariable                = "LEVY_FAULTS_WIDE" // set: also what takes minutes
	seedVariable                = "LEVY_FAULTS_SEED"
	denseVariable               = "LEVY_FAULTS_DENSE" // set: more kills and more sales in the same time

	sellers = 32
	// many is how many sales are sent at once, and denseMany in a dense run, which has denseProcesses of each kind.
	many, denseMany = 5, 200
	denseProcesses  = 4
	densePause      = 100 * time.Millisecond
)

// Sellers sell, change, archive and give back while processes die, hang, lose their
// connections and the answers to what they asked for. Afterwards everything accepted has
// happened exactly once.
func TestFaultsUnderLoadLoseAndDoubleNothing(t *testing.T) {
	t.Parallel()
	r := newFaultRun(t, "filing.go") // as the release of changed workflows: who only sells does not see the difference
	r.listeners.listen(t, r)
	r.strike(r.load.sellOnly())
	r.requireSold()
	r.listeners.requireTold(t)
}

// The same while others come aboard or go away again, register, file returns and make
// keys.
func TestFaultsUnderLoadOfEverybody(t *testing.T) {
	t.Parallel()
	requireWide(t)
	r := newFaultRun(t, "onboarding.go")
	r.load.register()
	r.listeners.listen(t, r)
	r.strike(r.load.start())
	r.load.finish()
	r.load.requireSettled()
	r.requireSold()
	r.load.fileEverything()
	requireInvariants(t, r.bed, moment{quiet: true, ledger: r.book})
	r.load.requireKeys()
	r.load.requireUndone()
	r.listeners.requireTold(t)
}

func requireWide(t *testing.T) {
	t.Helper()
	if os.Getenv(wideVariable) == "" {
		t.Skip("make chaos runs it: it takes minutes to come to rest")
	}
}

// faultRun is an installation under load, and what happens to it.
type faultRun struct {
	t     *testing.T
	bed   *testbed.Bed
	book  *ledger
	load  *load
	fate  *nemesis
	count int // faults

	listeners listeners
	happened  int    // faults so far
	step      string // what the run is at
	compared  int    // transactions that were held against what clients know; 0 before that
	replaced  int    // runs that Levy took for stuck
}

// newFaultRun begins one. A misfit release is one of transactions and of another workflow.
func newFaultRun(t *testing.T, other string) *faultRun {
	t.Helper()
	posts, count := number(t, postsVariable, defaultPosts), number(t, countVariable, defaultCount)
	began := number(t, seedVariable, int(seed.Seed()%1_000_000))
	again := fmt.Sprintf("%s=%d %s=%d %s=%d %s=%s", seedVariable, began, postsVariable, posts, countVariable, count,
		denseVariable, os.Getenv(denseVariable))
	t.Log(again)
	r := &faultRun{t: t, count: count, step: "the faults"}
	dense := os.Getenv(denseVariable) != ""
	r.keep(slice{Seed: began, Posts: posts, Count: count, Dense: dense}) // after what the bed does when it ends
	bed := testbed.New(t, testbed.Options{Own: true})
	bed.Exec("UPDATE organizations SET is_test = true WHERE id = $1", bed.OrganizationID) // its authority answers by itself
	book := newSyncedLedger(t, bed, again)
	fate := &nemesis{
		bed: bed, random: rand.New(rand.NewPCG(uint64(began), 0)),
		apis: []*testbed.Service{bed.API, bed.NewAPI()}, workers: []*testbed.Service{bed.Worker, bed.NewWorker()},
		misfit: misfit(t, "transactions.go", other), stall: shortStall,
	}
	for dense && len(fate.apis) < denseProcesses {
		fate.apis, fate.workers = append(fate.apis, bed.NewAPI()), append(fate.workers, bed.NewWorker())
	}
	if os.Getenv(wideVariable) != "" && !dense {
		fate.stall = longStall
	}
	bed.Set("LEVY_WEBHOOK_HOSTS", "127.0.0.1")
	for _, s := range fate.services() {
		s.Start()
	}
	l := &load{
		bed: bed, apis: fate.apis, book: book, seed: uint64(began), posts: posts, codes: map[string]int{},
		taken: map[*testbed.Service]int{},
		pause: 250 * time.Millisecond, // so that not all happens at once
	}
	if fate.dense = dense; dense {
		l.many, l.pause = denseMany, densePause
	}
	l.allowed = sync.NewCond(&l.mu)
	fate.killed = newKills(l)
	r.bed, r.book, r.fate, r.load = bed, book, fate, l
	return r
}

// strike lets faults happen until the clients have ended, and everything be looked at
// again then.
func (r *faultRun) strike(ended <-chan struct{}) {
	r.t.Helper()
	r.fate.strike(r)
	<-ended
	r.step = "what clients began"
	makeAllDue(r.bed)
}

// requireSold holds what became of the sellers' records against what they know.
func (r *faultRun) requireSold() {
	t := r.t
	t.Helper()
	for _, code := range slices.Sorted(maps.Keys(r.load.codes)) {
		t.Logf("%6d requests ended with %s", r.load.codes[code], code)
	}
	for kind, outcomes := range r.book.kinds() {
		t.Logf("%-20s %v", kind, outcomes)
	}
	r.step = "the answers"
	require.Empty(t, strings.Join(r.load.wrong, "\n"), "answers that no client should get")
	require.Positive(t, r.book.count(accepted))
	exist := r.bed.Count("SELECT count(*) FROM transactions")
	r.step = "the comparison"
	other := endings{stumble: true, replaced: true}
	requireOnce(t, r.bed, r.book, exist, &other)
	for _, run := range other.found {
		t.Logf("%s: %s", run.GetExecution().GetWorkflowId(), waitedFor(t.Context(), t, r.bed.Temporal(), run))
	}
	r.replaced = len(other.found)
	r.compared, r.step = exist, "events, returns, keys and trails"
	t.Logf("%d transactions exist. 0 losses in %d faults: at 95 %% confidence, fewer than %.0f %% of faults lose or double anything",
		exist, r.count, 300/float64(r.count))
}

// load is the clients' side of the run.
type load struct {
	bed   *testbed.Bed
	apis  []*testbed.Service
	book  *ledger
	seed  uint64
	posts int
	pause time.Duration // of each client between requests, on average
	many  int           // sales that are sent at once; 0: the default

	members  []*newcomer
	filers   []*filer
	keepers  []*keyKeeper
	landlord *landlord
	returns  string // the registration of the state to which the sellers sell

	mu      sync.Mutex
	allowed *sync.Cond // of mu: limit has grown; nil: there is none
	limit   int        // of sales by now, so that they last as long as the faults
	next    int
	codes   map[string]int
	taken   map[*testbed.Service]int // requests that an API has accepted
	wrong   []string
}

// actor does one thing after the other. step sends one request and says whether there is
// nothing left to do.
type actor interface {
	step() (done bool)
}

// start starts the clients; the channel is closed when all have ended.
func (l *load) start() <-chan struct{} {
	selling, over := l.startSelling(), make(chan struct{})
	var others sync.WaitGroup
	for i := range 3 {
		k := &keyKeeper{load: l, name: i, random: l.random(1000 + i)}
		l.keepers = append(l.keepers, k)
		l.engage(&others, over, k)
	}
	for i := range 2 {
		f := &filer{load: l, index: i, random: l.random(2000 + i)}
		l.filers = append(l.filers, f)
		l.engage(&others, over, f)
	}
	l.landlord = &landlord{load: l, random: l.random(3000)}
	l.engage(&others, over, l.landlord)
	for i := range 6 {
		others.Go(func() { l.bringAboard(i, over) })
	}
	ended := make(chan struct{})
	go func() {
		selling.Wait()
		close(over)
		others.Wait()
		close(ended)
	}()
	return ended
}

// sellOnly starts the sellers; the channel is closed when all have ended.
func (l *load) sellOnly() <-chan struct{} {
	selling, ended := l.startSelling(), make(chan struct{})
	go func() { selling.Wait(); close(ended) }()
	return ended
}

// startSelling starts the sellers only.
func (l *load) startSelling() *sync.WaitGroup {
	var selling sync.WaitGroup
	for c := range sellers {
		selling.Go(func() { l.sell(l.random(c)) })
	}
	return &selling
}

func (l *load) random(stream int) *rand.Rand {
	return rand.New(rand.NewPCG(l.seed, uint64(stream)+1))
}

// engage lets an actor do one thing after the other until it is over.
func (l *load) engage(all *sync.WaitGroup, over <-chan struct{}, a actor) {
	all.Go(func() { l.act(over, a) })
}

func (l *load) act(over <-chan struct{}, a actor) (done bool) {
	for !a.step() {
		select {
		case <-over:
			return false
		case <-time.After(l.pause):
		}
	}
	return true
}

// finish brings to its end what the clients began, now that nothing goes wrong any more.
func (l *load) finish() {
	var all sync.WaitGroup
	late := time.After(4 * testbed.Patience) // a Temporal server that has just lost everything has much to do
	over := make(chan struct{})
	var left atomic.Int64
	for _, a := range l.actors() {
		left.Add(1)
		all.Go(func() {
			if l.act(over, a) {
				left.Add(-1)
			}
		})
	}
	ended := make(chan struct{})
	go func() { all.Wait(); close(ended) }()
	select {
	case <-ended:
	case <-late:
		close(over)
		<-ended
	}
	require.Zero(l.bed.TB(), left.Load(), "clients that could not finish what they began: %+v", l.said())
}

// actors are those that have something to bring to its end; they begin nothing new.
func (l *load) actors() []actor {
	var all []actor
	for _, m := range l.members {
		all = append(all, m)
	}
	for _, f := range l.filers {
		f.last = true
		all = append(all, f)
	}
	for _, k := range l.keepers {
		k.last = true
		all = append(all, k)
	}
	l.landlord.last = true
	return append(all, l.landlord)
}

// nextSale is the number of the next sale, once its time has come; false after the last.
func (l *load) nextSale() (n int, more bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for l.allowed != nil && l.next >= l.limit && l.limit < l.posts {
		l.allowed.Wait()
	}
	n = l.next
	l.next++
	return n, n < l.posts
}

// allow lets the sellers go on up to a number of sales.
func (l *load) allow(sales int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.limit = min(sales, l.posts)
	l.allowed.Broadcast()
}

func (l *load) sent() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.next
}

// acceptedBy are the requests that some APIs have accepted.
func (l *load) acceptedBy(apis ...*testbed.Service) (n int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, api := range apis {
		n += l.taken[api]
	}
	return n
}

// said are some of the wrong answers.
func (l *load) said() []string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return slices.Clone(l.wrong[:min(3, len(l.wrong))])
}

// stop lets the sellers end with what they have begun.
func (l *load) stop() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.posts = l.next
}

// request is what a client sends.
type request struct {
	kind, id     string // as in the ledger; without a kind nothing changes
	n, place     int
	method, path string
	body         any
	key          string // Idempotency-Key
	as           *testbed.Caller
	expected     []string // codes of problems that may be answered
}

// send sends a request to one of the processes and notes what became of it.
func (l *load) send(random *rand.Rand, r request) (testbed.Answer, outcome) {
	as := testbed.Caller{APIKey: l.bed.APIKey, OrganizationID: l.bed.OrganizationID}
	if r.as != nil {
		as = *r.as
	}
	if r.kind != "" {
		l.book.intend(r.kind, r.id)
	}
	api := l.apis[random.IntN(len(l.apis))]
	answer, err := l.bed.SendAs(context.Background(), as, api, r.method, r.path, r.body, r.key)
	o, what := unknown, "no answer"
	if err == nil {
		what = fmt.Sprintf("%d %s", answer.Status, answer.Code())
		switch {
		case answer.Status < 300:
			o = accepted
		case answer.Status < 500, answer.Code() == "service_unavailable":
			o = refused // the contract: nothing was written
		}
	}
	if r.kind != "" {
		what += " of a " + r.kind
	}
	wrong := answer.Status == http.StatusInternalServerError || answer.Status >= 400 && answer.Status < 500 && !slices.Contains(r.expected, answer.Code())
	if string(answer.Body) == hung {
		what, wrong = hung, false
	}
	l.mu.Lock()
	l.codes[what]++
	if o == accepted && l.taken != nil {
		l.taken[api]++
	}
	l.mu.Unlock()
	if wrong {
		l.complain("%s %s %s: %d %.600s", r.id, r.method, r.path, answer.Status, answer.Body)
	}
	return answer, o
}

// do is send for a request whose outcome is what it looks like.
func (l *load) do(random *rand.Rand, r request) (testbed.Answer, outcome) {
	answer, o := l.send(random, r)
	l.book.note(entry{Kind: r.kind, ID: r.id, N: r.n, Place: r.place, Outcome: o})
	return answer, o
}

// hung is what Go's HTTP server answers by itself when the head of a request has not
// arrived in time, also when that is because the process stood still while reading it.
const hung = "400 Bad Request"

// complain notes an answer that was wrong.
func (l *load) complain(format string, args ...any) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(l.wrong) < 20 { // some tell enough
		l.wrong = append(l.wrong, fmt.Sprintf(format, args...))
	}
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
