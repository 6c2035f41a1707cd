package faults_test

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"levy/test/testbed"
)

// outcome is what a client knows about a request after sending it.
type outcome string

const (
	accepted outcome = "ok"      // 2xx
	refused  outcome = "fail"    // 4xx, and 503 where nothing was written
	unknown  outcome = "unknown" // 5xx, timeout, reset: written or not
)

// The kinds of requests. Records are found by names that the clients chose, so that a request whose answer was lost can
// be identified.
const (
	kindSale       = "sale"                // by external id
	kindChange     = "change of a sale"    // by external id; n is that of what it was changed to
	kindArchive    = "archiving of a sale" // by external id
	kindNote       = "credit note"         // by external id
	kindClient     = "client"              // by name
	kindStep       = "step"                // by name and step
	kindCancel     = "cancelling"          // by name
	kindKey        = "key"                 // by name
	kindRevocation = "revocation"          // of a key, by name
	kindPresence   = "presence"            // by external id
	kindDeparture  = "end of a presence"   // by external id
	kindRegistered = "registration"        // by state
	kindApproval   = "approval"            // by the id of the filing
	kindPause      = "pause or resumption" // by the id of the filing
)

// ledger is the clients' own record: what they sent and what they know of it.
type ledger struct {
	organizationID string
	file           *os.File // nil: in memory only
	written        atomic.Int64
	syncing        sync.Mutex // of synced
	synced         int64      // of what was written
	mu             sync.Mutex
	entries        []entry
}

type entry struct {
	Kind    string  `json:"kind"`
	ID      string  `json:"id"`
	N       int     `json:"n,omitempty"`     // of testbed.Sale
	Place   int     `json:"place,omitempty"` // of a sale: index of places
	Outcome outcome `json:"outcome"`
}

func newLedger(bed *testbed.Bed) *ledger { return &ledger{organizationID: bed.OrganizationID} }

// newSyncedLedger is a ledger that syncs every line to the disk before it counts, also the intent to send a request
// before it is sent. Its file stays when the test fails; the first line says how to repeat the run.
func newSyncedLedger(t *testing.T, bed *testbed.Bed, again string) *ledger {
	t.Helper()
	l := newLedger(bed)
	path := filepath.Join(os.TempDir(), fmt.Sprintf("levy-ledger-%d.jsonl", os.Getpid()))
	var err error
	l.file, err = os.Create(path)
	require.NoError(t, err)
	l.write(map[string]string{"again": again})
	t.Cleanup(func() {
		_ = l.file.Close()
		if t.Failed() {
			t.Logf("what the clients sent and what they know of it: %s", path)
			return
		}
		_ = os.Remove(path)
	})
	return l
}

// intend records what is about to be sent.
func (l *ledger) intend(kind, id string) {
	l.write(map[string]string{"intent": kind, "id": id})
}

// addAll records the outcome of sales that were sent together, with consecutive n. They are synced once.
func (l *ledger) addAll(externalIDs []string, n int, o outcome) {
	var lines []byte
	entries := make([]entry, len(externalIDs))
	for i, id := range externalIDs {
		entries[i] = entry{Kind: kindSale, ID: id, N: n + i, Outcome: o}
		lines = append(lines, line(entries[i])...)
	}
	l.keep(lines)
	l.mu.Lock()
	defer l.mu.Unlock()
	l.entries = append(l.entries, entries...)
}

// add records the outcome of sending a sale.
func (l *ledger) add(externalID string, n int, o outcome) {
	l.record(entry{Kind: kindSale, ID: externalID, N: n, Outcome: o})
}

// record records an outcome.
func (l *ledger) record(e entry) {
	l.write(e)
	l.mu.Lock()
	defer l.mu.Unlock()
	l.entries = append(l.entries, e)
}

// write appends a line to the file and waits for the disk.
func (l *ledger) write(of any) { l.keep(line(of)) }

func line(of any) []byte {
	text, err := json.Marshal(of)
	if err != nil {
		panic(err)
	}
	return append(text, '\n')
}

// keep appends lines to the file and waits for the disk, together with others that wait.
func (l *ledger) keep(lines []byte) {
	if l.file == nil {
		return
	}
	_, err := l.file.Write(lines) // one call: lines do not mix
	own := l.written.Add(1)
	l.syncing.Lock()
	defer l.syncing.Unlock()
	if err == nil && l.synced < own {
		all := l.written.Load()
		err = l.file.Sync()
		l.synced = all
	}
	if err != nil {
		panic(fmt.Sprintf("a run without its ledger proves nothing: %v", err))
	}
}

// since returns the outcomes from an index on.
func (l *ledger) since(from int) []entry {
	l.mu.Lock()
	defer l.mu.Unlock()
	return slices.Clone(l.entries[from:])
}

// size is the number of outcomes so far.
func (l *ledger) size() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return len(l.entries)
}

func (l *ledger) count(o outcome) int {
	l.mu.Lock()
	defer l.mu.Unlock()
	n := 0
	for _, e := range l.entries {
		if e.Outcome == o {
			n++
		}
	}
	return n
}

// kinds are all kinds of entries there are, with their outcomes.
func (l *ledger) kinds() map[string]map[outcome]int {
	l.mu.Lock()
	defer l.mu.Unlock()
	all := map[string]map[outcome]int{}
	for _, e := range l.entries {
		if all[e.Kind] == nil {
			all[e.Kind] = map[outcome]int{}
		}
		all[e.Kind][e.Outcome]++
	}
	return all
}

func (l *ledger) String() string {
	return fmt.Sprintf("%d requests: %d accepted, %d refused, %d unknown", l.size(), l.count(accepted),
		l.count(refused), l.count(unknown))
}

// load copies the ledger into a temporary table of the transaction.
func (l *ledger) load(ctx context.Context, tx pgx.Tx) error {
	_, err := tx.Exec(ctx, `CREATE TEMPORARY TABLE IF NOT EXISTS ledger (
		seq bigint, organization_id ident, kind text, external_id ident, amount amount,
		customer ident, postal_code text, outcome text) ON COMMIT DROP`)
	if err != nil {
		return err
	}
	entries := l.since(0)
	// A long run has a million outcomes: they are streamed, as text, because numbers of COPY are binary.
	if _, err := tx.Exec(ctx, `CREATE TEMPORARY TABLE sent_lines (
		seq bigint, kind text, id text, amount text, customer text, postal_code text, outcome text) ON COMMIT DROP`); err != nil {
		return err
	}
	_, err = tx.CopyFrom(ctx, pgx.Identifier{"sent_lines"},
		[]string{"seq", "kind", "id", "amount", "customer", "postal_code", "outcome"},
		pgx.CopyFromSlice(len(entries), func(i int) ([]any, error) {
			e := entries[i]
			return []any{int64(i), e.Kind, e.ID, testbed.SaleAmount(e.N), testbed.SaleCustomer(e.N),
				places[e.Place].postalCode, string(e.Outcome)}, nil
		}))
	if err != nil {
		return err
	}
	_, err = tx.Exec(ctx, `INSERT INTO ledger
		SELECT seq, $1, kind, id, amount::numeric, customer, postal_code, outcome FROM sent_lines`, l.organizationID)
	if err != nil {
		return err
	}
	_, err = tx.Exec(ctx, "DROP TABLE sent_lines; CREATE INDEX ON ledger (organization_id, external_id); ANALYZE ledger")
	return err
}
