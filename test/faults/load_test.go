package faults_test

import (
	"context"
	"errors"
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
	bed    *testbed.Bed
	apis   []*testbed.Service
	ledger *ledger
	seed   uint64
	posts  int
	pause  time.Duration // of each client between requests, on average
	many   int           // sales that are sent at once; 0: the default

	clients     []*onboardingClient
	filers      []*filer
	keyManagers []*keyManager
	presence    *presenceClient
	returns     string // the registration of the state to which the sellers sell

	files   sync.Mutex // held while a file is imported
	mu      sync.Mutex
	allowed *sync.Cond // of mu: limit has grown; nil: there is none
	limit   int        // of sales by now, so that they last as long as the faults
	next    int
	codes   map[string]int
	taken   map[*testbed.Service]int // requests that an API has accepted
	wrong   []string
}

// actor is a client that sends one request after the other. step sends one and reports whether nothing is left to do.
type actor interface {
	step() (done bool)
}

// start starts the clients; the channel is closed when all have ended.
func (l *load) start() <-chan struct{} {
	selling, over := l.startSelling(), make(chan struct{})
	var others sync.WaitGroup
	for i := range 3 {
		k := &keyManager{load: l, name: i, random: l.random(1000 + i)}
		l.keyManagers = append(l.keyManagers, k)
		l.startActor(&others, over, k)
	}
	for i := range 2 {
		f := &filer{load: l, index: i, random: l.random(2000 + i)}
		l.filers = append(l.filers, f)
		l.startActor(&others, over, f)
	}
	l.presence = &presenceClient{load: l, random: l.random(3000)}
	l.startActor(&others, over, l.presence)
	for i := range 6 {
		others.Go(func() { l.onboardClients(i, over) })
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
func (l *load) startActor(all *sync.WaitGroup, over <-chan struct{}, a actor) {
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

// finish lets the clients complete what they began, after the faults are over.
func (l *load) finish() {
	var all sync.WaitGroup
	late := time.After(4 * testbed.WaitLimit) // a Temporal server that has just lost its data has much to do
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
	require.Zero(l.bed.TB(), left.Load(), "clients that could not finish what they began: %+v", l.findings())
}

// actors are the clients that have something to complete; they begin nothing new.
func (l *load) actors() []actor {
	var all []actor
	for _, m := range l.clients {
		all = append(all, m)
	}
	for _, f := range l.filers {
		f.last = true
		all = append(all, f)
	}
	for _, k := range l.keyManagers {
		k.last = true
		all = append(all, k)
	}
	l.presence.last = true
	return append(all, l.presence)
}

// nextSale returns the number of the next sale once the limit allows it; false after the last.
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

// allow raises the limit of sales.
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

// findings are some of the wrong answers.
func (l *load) findings() []string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return slices.Clone(l.wrong[:min(3, len(l.wrong))])
}

// stop lets the sellers end with the sales that they have begun.
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

// send sends a request to one of the processes and counts the outcome.
func (l *load) send(random *rand.Rand, r request) (testbed.Answer, outcome) {
	as := testbed.Caller{APIKey: l.bed.APIKey, OrganizationID: l.bed.OrganizationID}
	if r.as != nil {
		as = *r.as
	}
	if r.kind != "" {
		l.ledger.intend(r.kind, r.id)
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
	if err != nil {
		what += ": " + innermost(err).Error()
	}
	wrong := answer.Status == http.StatusInternalServerError || answer.Status >= 400 && answer.Status < 500 &&
		!slices.Contains(r.expected, answer.Code())
	if answer.Code() == hung {
		wrong = false
	}
	l.mu.Lock()
	l.codes[what]++
	if o == accepted && l.taken != nil {
		l.taken[api]++
	}
	l.mu.Unlock()
	if wrong {
		l.addFinding("%s %s %s: %d %.600s", r.id, r.method, r.path, answer.Status, answer.Body)
	}
	return answer, o
}

// innermost is the cause of an error without the addresses that the errors around it name.
func innermost(err error) error {
	for {
		cause := errors.Unwrap(err)
		if cause == nil {
			return err
		}
		err = cause
	}
}

// do is send for a request whose outcome can be recorded as it is.
func (l *load) do(random *rand.Rand, r request) (testbed.Answer, outcome) {
	answer, o := l.send(random, r)
	l.ledger.record(entry{Kind: r.kind, ID: r.id, N: r.n, Place: r.place, Outcome: o})
	return answer, o
}

// hung is how the server answers when the header of a request has not arrived in time, also when the process was stopped
// while it read it.
const hung = "malformed_request"

// addFinding records a wrong answer.
func (l *load) addFinding(format string, args ...any) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(l.wrong) < 20 { // a few are enough
		l.wrong = append(l.wrong, fmt.Sprintf(format, args...))
	}
}
