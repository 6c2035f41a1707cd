package filings_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"levy/test/testbed"
)

// The worker dies at every point of a filing's way, before and after each commit and
// each word to somebody else. The next one finishes what is left: each thing has
// happened once.
func TestWorkerKilledOnTheWay(t *testing.T) {
	t.Parallel()
	b := newBed(t, testbed.Options{Failpoints: true})
	b.API.Start()
	b.Worker.Start()
	b.sale("S-1")
	b.Worker.Stop() // a registration is planned at once
	b.register("NY")
	b.API.Stop() // it has a relay too
	b.autoFile()
	b.plan()
	for _, point := range []string{
		"before_plan_commit=kill", "after_plan_commit=kill",
		"before_filing_told=kill", "after_filing_told=kill",
		"before_filing_write=kill", "after_filing_commit=kill", // the approval
		"after_submission=kill",
		"before_filing_write=kill", "after_filing_commit=kill", // the confirmation
		"before_lock_commit=kill", "after_lock_commit=kill",
	} {
		b.Exec("UPDATE filings SET next_check_at = now() WHERE next_check_at IS NOT NULL") // nobody has a minute to wait
		b.Worker.Launch(point)                                                             // it may die before it is ready
		b.Worker.WaitKilled()
	}
	b.Worker.Start()
	b.Exec("UPDATE filings SET next_check_at = now() WHERE next_check_at IS NOT NULL")
	b.waitLocked(1)
	require.Equal(t, 1, b.Count("SELECT count(*) FROM filings WHERE attempt = 1 AND transaction_count = 1"))
	require.Equal(t, 1, b.Count("SELECT count(*) FROM sandbox_submissions"))
	require.Equal(t, 1, b.Count("SELECT count(*) FROM filing_transactions"))
	require.Equal(t, 1, b.Count("SELECT count(*) FROM transactions WHERE processing_status = 'LOCKED'"))
}
