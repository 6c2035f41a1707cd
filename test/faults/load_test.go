package faults_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"net/http"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/stretchr/testify/require"

	"levy/test/testbed"
)

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

	files   sync.Mutex // held while a file is imported
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
	late := time.After(4 * testbed.WaitLimit) // a Temporal server that has just lost everything has much to do
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
	l.limit = max(l.limit, min(sales, l.posts))
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
	wrong := answer.Status == http.StatusInternalServerError || answer.Status >= 400 && answer.Status < 500 &&
		!slices.Contains(r.expected, answer.Code())
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
