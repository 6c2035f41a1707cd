package faults_test

import (
	"context"
	"fmt"
	"sync"

	"github.com/jackc/pgx/v5"

	"levy/test/testbed"
)

// outcome is what a client knows about a request after it.
type outcome string

const (
	accepted outcome = "ok"      // 2xx
	refused  outcome = "fail"    // 4xx: nothing was written
	unknown  outcome = "unknown" // 5xx, timeout, reset: written or not
)

// ledger is the clients' own record: what they sent and what they know of it.
type ledger struct {
	organizationID string
	mu             sync.Mutex
	entries        []entry
}

type entry struct {
	externalID string
	n          int // of testbed.Sale
	outcome    outcome
}

func newLedger(bed *testbed.Bed) *ledger { return &ledger{organizationID: bed.OrganizationID} }

func (l *ledger) add(externalID string, n int, o outcome) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.entries = append(l.entries, entry{externalID, n, o})
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
		if e.outcome == o {
			n++
		}
	}
	return n
}

func (l *ledger) String() string {
	return fmt.Sprintf("%d requests: %d accepted, %d refused, %d unknown", l.size(), l.count(accepted), l.count(refused), l.count(unknown))
}

// load brings the ledger into the database for the length of a transaction.
func (l *ledger) load(ctx context.Context, tx pgx.Tx) error {
	_, err := tx.Exec(ctx, `CREATE TEMPORARY TABLE IF NOT EXISTS ledger (
		organization_id ident, external_id ident, amount amount, customer ident, outcome text) ON COMMIT DROP`)
	if err != nil {
		return err
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	var externalIDs, sums, customers, outcomes []string
	for _, e := range l.entries {
		externalIDs = append(externalIDs, e.externalID)
		sums = append(sums, testbed.SaleAmount(e.n))
		customers = append(customers, testbed.SaleCustomer(e.n))
		outcomes = append(outcomes, string(e.outcome))
	}
	_, err = tx.Exec(ctx, `INSERT INTO ledger
		SELECT $1, u.* FROM unnest($2::text[], $3::numeric[], $4::text[], $5::text[]) AS u`, l.organizationID, externalIDs, sums, customers, outcomes)
	return err
}
