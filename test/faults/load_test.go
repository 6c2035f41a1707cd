package faults_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"net/http"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"levy/test/testbed"
)

// The size of the run, and the seed that decides its order. A longer run:
//
//	LEVY_FAULTS_POSTS=50000 LEVY_FAULTS_COUNT=200 go test -timeout 2h -run FaultsUnderLoad ./test/faults
const (
	postsVariable, defaultPosts = "LEVY_FAULTS_POSTS", 2000
	countVariable, defaultCount = "LEVY_FAULTS_COUNT", 16
	seedVariable                = "LEVY_FAULTS_SEED"

	clients = 32
)

// Clients post while processes die, hang, lose their connections and the answers to
// what they asked for. Afterwards everything accepted is processed exactly once.
func TestFaultsUnderLoadLoseAndDoubleNothing(t *testing.T) {
	t.Parallel()
	posts, count := number(t, postsVariable, defaultPosts), number(t, countVariable, defaultCount)
	seed := number(t, seedVariable, int(time.Now().UnixNano()%1_000_000))
	t.Logf("%s=%d %s=%d %s=%d", seedVariable, seed, postsVariable, posts, countVariable, count)
	bed := testbed.New(t, testbed.Options{Own: true})
	book := newLedger(bed)
	fate := &nemesis{
		bed: bed, random: rand.New(rand.NewPCG(uint64(seed), 0)),
		apis: []*testbed.Service{bed.API, bed.NewAPI()}, workers: []*testbed.Service{bed.Worker, bed.NewWorker()},
	}
	for _, s := range append(slices.Clone(fate.apis), fate.workers...) {
		s.Start()
	}

	load := &load{bed: bed, apis: fate.apis, book: book, seed: uint64(seed), posts: posts,
		pause: 250 * time.Millisecond} // so that the load lasts while things go wrong
	ended := load.start()
	happened, kills := fate.strike(t, load, count)
	<-ended
	t.Logf("in this order:\n  %s", strings.Join(happened, "\n  "))
	for code, n := range load.codes {
		t.Logf("%6d requests ended with %s", n, code)
	}
	for code := range load.codes {
		require.NotContains(t, []string{"400", "404", "429", "500"}, code[:3], "no request was wrong")
	}
	require.Positive(t, book.count(accepted))
	exist := bed.Count("SELECT count(*) FROM transactions")
	makeDue(bed) // the relay would look at rows of a lost batch after a minute
	requireOnce(t, bed, book, exist, nil)
	t.Logf("%d transactions exist. 0 losses in %d faults: at 95 %% confidence, fewer than %.0f %% of faults lose or double anything (%d of them kills)",
		exist, count, 300/float64(count), kills)
}

// load is the clients' side of the run.
type load struct {
	bed   *testbed.Bed
	apis  []*testbed.Service
	book  *ledger
	seed  uint64
	posts int
	pause time.Duration // of each client between requests, on average

	mu    sync.Mutex
	next  int
	codes map[string]int
}

// start starts the clients; the channel is closed when all have ended.
func (l *load) start() <-chan struct{} {
	l.codes = map[string]int{}
	ended := make(chan struct{})
	var all sync.WaitGroup
	for c := range clients {
		all.Go(func() { l.client(rand.New(rand.NewPCG(l.seed, uint64(c)+1))) })
	}
	go func() { all.Wait(); close(ended) }()
	return ended
}

func (l *load) sent() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.next
}

// client posts until all transactions are sent. Of the requests that were not
// accepted it repeats one half, as often as needed.
func (l *load) client(random *rand.Rand) {
	for {
		l.mu.Lock()
		n := l.next
		l.next++
		l.mu.Unlock()
		if n >= l.posts {
			return
		}
		externalID := fmt.Sprintf("LOAD-%d", n)
		for o := l.post(externalID, n); o != accepted && random.IntN(2) == 0; o = l.post(externalID, n) {
			<-time.After(l.pause)
		}
		<-time.After(time.Duration(random.Int64N(int64(2 * l.pause))))
	}
}

func (l *load) post(externalID string, n int) outcome {
	answer, err := l.bed.Send(context.Background(), l.apis[n%len(l.apis)], http.MethodPost, "/v1/transactions", testbed.Sale(externalID, n))
	if err == nil && answer.Status < 300 && n%5 == 0 {
		l.credit(answer.Field("id"), externalID)
	}
	o, what := unknown, "no answer"
	if err == nil {
		what = fmt.Sprintf("%d %s", answer.Status, answer.Code())
		switch {
		case answer.Status < 300:
			o = accepted
		case answer.Status == http.StatusConflict && answer.Field("existing_id") != "":
			o = accepted // it was written the first time
		case answer.Status < 500, answer.Code() == "service_unavailable":
			o = refused // the contract: nothing was written
		}
	}
	l.mu.Lock()
	l.codes[what]++
	l.mu.Unlock()
	l.book.add(externalID, n, o)
	return o
}

// credit sends four credit notes at once, of which two fit into the sale.
func (l *load) credit(saleID, externalID string) {
	var all sync.WaitGroup
	for i := range 4 {
		all.Go(func() {
			path, note := "/v1/transactions/"+saleID+"/credit_notes", testbed.CreditNote(fmt.Sprintf("%s-R%d", externalID, i), "4.00")
			what := "no answer to a credit note"
			if answer, err := l.bed.Send(context.Background(), l.apis[i%len(l.apis)], http.MethodPost, path, note); err == nil {
				what = fmt.Sprintf("%d %s of a credit note", answer.Status, answer.Code())
			}
			l.mu.Lock()
			l.codes[what]++
			l.mu.Unlock()
		})
	}
	all.Wait()
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
