package attack_test

import (
	"context"
	"fmt"
	"os"
	"runtime"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"levy/store/pg"
	"levy/store/storetest"
	"levy/test/testbed"
)

// lengthVariable is how long each attack lasts that has no end of its own. A run in
// which it is set also waits until the service has closed slow connections, and checks the
// latencies of the victim.
const lengthVariable, shortLength = "LEVY_ATTACK_LENGTH", 250 * time.Millisecond

// What a long run bounds: the victim's p99, and by how much one attack may make the
// process grow at most: beyond what was seen, because machines have other work.
const (
	slowestVictim = time.Second
	largestGrowth = 96 << 20
)

// attack is one way to attack. Its run says what it expects; that nothing ends in a 500
// and the victim is served is expected of all.
type attack struct {
	name, tried string
	run         func(*attackRun)
}

// attacks in their order: what is slow stays open while the others happen.
var attacks = []attack{
	{"none", "another program keeps one CPU, and never calls the service: the reference", busyNeighbour},
	{"none on all CPUs", "another program keeps all CPUs, and never calls the service: the reference of large attacks", busyMachine},
	{"slow heads", "connections that send a header byte by byte", slowHeads},
	{"slow bodies", "bodies that arrive byte by byte", slowBodies},
	{"idle connections", "connections that ask once and stay", idleConnections},
	{"flood of sales", "one organization posts as fast as it can", floodOfSales},
	{"flood of reads", "searches, totals and large pages as fast as they come", floodOfReads},
	{"flood of estimates", "estimates of 100 lines as fast as they come", floodOfEstimates},
	{"guessed keys", "wrong keys of every form from one address", guessedKeys},
	{"narrow keys", "writes, keys and uploads by a key that only reads", narrowKeys},
	{"accounts set up beforehand", "addresses of others invited and opened, before and after they get a role", accountsBeforehand},
	{"stray rights", "admins by narrow or ending keys, keys of a leaked key, many keys of one link", strayRights},
	{"bound partner", "what a grant does not give, by keys of a partner, and keys made while the client ends it", boundPartner},
	{"guessed passwords", "60 passwords and 90 codes at once, at one account", guessedPasswords},
	{"open sessions", "keys, links, roles and factors by a session that somebody left open", openSessions},
	{"hostile pages", "forms sent by other sites, markup in every text, sessions of others", hostilePages},
	{"rewritten trail", "the audit trail and its guards changed by who has the login of the service", rewrittenTrail},
	{"unsigned Updates", "returns and onboardings changed by who only reaches Temporal", unsignedUpdates},
	{"one person for two", "returns decided by who made them, by a twin, by a key, and without the setting", onePersonForTwo},
	{"content bombs", "tables of rates that are small in their archive", contentBombs},
	{"chunks of HTTP/1.0", "chunked bodies, with another request behind them, in HTTP/1.0", oldChunks},
	{"guessed ids", "ids of the victim in every route that takes one", guessedIDs},
	{"replayed keys", "one Idempotency-Key from many connections, then with another body", replayedKeys},
	{"hostile JSON", "deep, wide, doubled, cut, in other encodings", hostileJSON},
	{"hostile numbers", "1e400, -0, NaN, digits without end", hostileNumbers},
	{"large bodies", "bodies of the largest size from many connections at once", largeBodies},
	{"compressed bodies", "gzip and deflate bombs", compressedBodies},
	{"hostile requests", "paths, queries and headers that look like something else", hostileRequests},
	{"broken off", "connections that end in the middle of a body, or before the answer", brokenOff},
	{"reset streams", "streams of HTTP/2 that are reset as soon as they are opened", resetStreams},
	{"CSV bombs", "rows without an end, masses of columns and quotes", bombsOfCSV},
	{"held exports", "exports that nobody reads", heldExports},
	{"slow readers", "exports that other partners do not read", slowReaders},
	{"greedy client", "idle exports, uploads and large bodies of one client, beside eight others of its partner", greedyClient},
	{"writes of one sale", "64 changes of one sale that is locked", writesOfOneSale},
	{"keyed refunds", "40 batches with keys that give back one sale that is locked", keyedRefunds},
	{"keyed sales", "sales of 100 lines with keys as fast as they come", keyedSales},
	{"partner's estimates", "estimates of 100 lines by twelve clients of one partner", estimatesOfClients},
	{"large pages", "pages of sales with hundreds of lines", largePages},
	{"large requests", "the largest request of each kind, one at a time", largeRequests},
	{"import", "a file whose sales are processed beside the victim's", importBeside},
	{"held uploads", "files that arrive byte by byte", heldUploads},
	{"held streams", "more event streams than allowed, of which none is read", heldStreams},
}

func TestAttacks(t *testing.T) {
	t.Parallel()
	if runtime.GOOS != "linux" {
		t.Skip("only Linux reports the memory of a process")
	}
	length, long := shortLength, false
	if text := os.Getenv(lengthVariable); text != "" {
		var err error
		length, err = time.ParseDuration(text)
		require.NoError(t, err, lengthVariable)
		long = true
	}
	whole, bed := t, testbed.New(t, testbed.Options{})
	for _, name := range []string{"LEVY_RATE_LIMIT", "LEVY_RATE_BURST", "LEVY_RATE_CONCURRENT"} {
		bed.Set(name, "") // as an installation begins
	}
	bed.Set("LEVY_DATABASE_CONNECTIONS", "")
	records := storetest.Open(t, pg.Options{URL: bed.DatabaseURL})
	private := bed.SetPrivate(bed.API)
	bed.API.Start()
	bed.Worker.Start()
	victim := newTenant(t, bed, records, "127.0.0.2")
	w, beside := startVictimClient(t, victim), startNeighbour(t)
	if long {
		require.NoError(t, lowerPriority())
	}
	var (
		found  table
		filled []string // organizations
	)
	for i, a := range attacks {
		t.Run(a.name, func(t *testing.T) {
			b := &attackRun{
				T: t, bed: bed, victim: victim, neighbour: beside, private: private,
				length: length, long: long, answers: map[string]int{},
			}
			b.tenant = func(address string) *tenant { return newTenant(whole, bed, records, address) }
			b.attacker = b.tenant(fmt.Sprintf("127.0.1.%d", i+1)) // whose limits nobody has used up
			if long {
				b.waitUntilIdle()
			}
			_, missed := w.report()
			if <-time.After(length); long {
				enough(w.calls, 5*length)
			}
			alone, faults := w.report()
			require.Empty(t, append(missed, faults...), "of the victim, before the attack")
			b.calls = w.calls
			before, load, began, attackers := bed.API.Usage(), loadOfMachine(), time.Now(), ownCPU(t)
			bed.API.ResetPeak()
			a.run(b)
			if b.filled {
				filled = append(filled, b.attacker.organization)
			}
			took, after := time.Since(began), bed.API.Usage()
			attacked, faults := w.report()
			growth := after.Peak - before.Memory
			found = append(found, outcome{
				attack: a, alone: alone, attacked: attacked, load: load, took: took,
				cpu: after.CPU - before.CPU, ready: after.Ready - before.Ready, attackers: ownCPU(t) - attackers,
				peak: after.Peak, growth: growth, files: after.Files, answers: b.summary(),
			})
			require.Empty(t, faults, "of the victim")
			require.Zero(t, b.count("500 internal_error"))
			require.False(t, bed.API.Ended())
			if long {
				require.Less(t, attacked.p99, slowestVictim)
				require.Less(t, growth, int64(largestGrowth))
			}
		})
	}
	w.finish(t, bed)
	if long {
		found.requireFairness(t)
	}
	t.Logf("the API under attack, the victim served throughout:\n\n%s", found)
	require.Zero(t, bed.API.Logged("panic in handler"))
	require.Zero(t, bed.API.Logged(`"status":500`))
	require.Zero(t, bed.API.Logged("DATA RACE"))
	bed.VerifyAudit(filled...)
}

// waitUntilIdle waits until the work that an earlier attack left is processed, so that the next one is compared with an
// idle service.
func (b *attackRun) waitUntilIdle() {
	b.bed.Eventually("what was accepted is processed", func(context.Context) (bool, error) {
		left := b.bed.Count("SELECT count(*) FROM outbox WHERE organization_id <> $1", b.victim.organization)
		return left == 0, fmt.Errorf("%d left", left)
	})
}
