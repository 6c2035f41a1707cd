package faults_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"net/http"
	"os"
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
//	LEVY_FAULTS_POSTS=50000 LEVY_FAULTS_KILLS=200 go test -timeout 2h -run KillsUnderLoad ./test/faults
const (
	postsVariable, defaultPosts = "LEVY_FAULTS_POSTS", 2000
	killsVariable, defaultKills = "LEVY_FAULTS_KILLS", 8
	seedVariable                = "LEVY_FAULTS_SEED"

	clients = 32
)

// Clients post while the worker, the API, Temporal and PostgreSQL die in turn as
// by kill -9. Afterwards everything accepted is processed exactly once.
func TestKillsUnderLoadLoseAndDoubleNothing(t *testing.T) {
	t.Parallel()
	posts, kills := number(t, postsVariable, defaultPosts), number(t, killsVariable, defaultKills)
	seed := number(t, seedVariable, int(time.Now().UnixNano()%1_000_000))
	t.Logf("%s=%d %s=%d %s=%d", seedVariable, seed, postsVariable, posts, killsVariable, kills)
	bed := testbed.New(t, testbed.Options{Own: true})
	book := newLedger(bed)
	bed.API.Start()
	bed.Worker.Start()

	load := &load{bed: bed, book: book, seed: uint64(seed), posts: posts,
		pause: 250 * time.Millisecond} // so that the load lasts while things die
	ended := load.start()
	killed := nemesis(t, bed, load, rand.New(rand.NewPCG(uint64(seed), 0)), kills)
	<-ended
	t.Logf("killed in this order: %s", strings.Join(killed, " "))
	for code, n := range load.codes {
		t.Logf("%6d requests ended with %s", n, code)
	}
	for code := range load.codes {
		require.NotContains(t, []string{"400", "404", "429", "500"}, code[:3], "no request was wrong")
	}
	require.Positive(t, book.count(accepted))
	exist := bed.Count("SELECT count(*) FROM transactions")
	requireOnce(t, bed, book, exist, nil)
	t.Logf("%d transactions exist. 0 faults in %d kills: at 95 %% confidence, fewer than %.0f %% of kills lose or double anything",
		exist, len(killed), 300/float64(len(killed)))
}

// nemesis kills one part after the other, evenly over the run, and starts each
// again.
func nemesis(t *testing.T, bed *testbed.Bed, load *load, random *rand.Rand, kills int) (killed []string) {
	t.Helper()
	parts := map[string]func(){
		"worker":     func() { bed.Worker.Kill(); bed.Worker.Launch() },
		"api":        func() { bed.API.Kill(); bed.API.Launch() },
		"temporal":   func() { bed.KillTemporal(); bed.StartTemporal(context.Background()) },
		"postgresql": func() { bed.KillPostgres(); bed.StartPostgres(context.Background()) },
	}
	var order []string
	for len(order) < kills {
		turn := []string{"worker", "api", "temporal", "postgresql"}
		random.Shuffle(len(turn), func(i, j int) { turn[i], turn[j] = turn[j], turn[i] })
		order = append(order, turn...)
	}
	for i, part := range order[:kills] {
		at := load.posts * (i + 1) / (kills + 2)
		bed.Eventually(fmt.Sprintf("%d requests are sent", at), func(context.Context) (bool, error) {
			return load.sent() >= at, nil
		})
		began := time.Now()
		parts[part]()
		killed = append(killed, fmt.Sprintf("%s(%.1fs)", part, time.Since(began).Seconds()))
	}
	// A process that ended by itself meanwhile is a finding.
	require.False(t, bed.API.Ended(), "the API ended")
	require.False(t, bed.Worker.Ended(), "the worker ended")
	return killed
}

// load is the clients' side of the run.
type load struct {
	bed   *testbed.Bed
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
	answer, err := l.bed.Send(context.Background(), l.bed.API, http.MethodPost, "/v1/transactions", testbed.Sale(externalID, n))
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
			if answer, err := l.bed.Send(context.Background(), l.bed.API, http.MethodPost, path, note); err == nil {
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
