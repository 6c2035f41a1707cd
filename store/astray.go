package store

import (
	"context"
	"fmt"
	"time"
)

// deferral is a column that says when somebody looks at a record again, and the longest
// time by which anybody puts that off.
type deferral struct {
	table, column string
	of            string // which records, as SQL
	longest       string // an interval
}

const (
	// recallEvery is how often it is looked for what a wrong clock has put off, recallSlack
	// by how much the clocks of processes and database may differ without that.
	recallEvery = 30 * time.Second
	recallSlack = "1 minute"
	recallRows  = 1000
)

var deferrals = []deferral{
	{"outbox", "next_attempt_at", "waits_for IS NULL", longestAttemptPause},
	{"outbox", "next_attempt_at", "waits_for IS NOT NULL", parkedFor},
	{"onboardings", "next_check_at", "true", interval(checkPause)},
	{"registrations", "next_check_at", "true", interval(registrationPause)},
	{"filings", "next_check_at", "true", filingPause},
	{"transaction_imports", "next_check_at", "true", interval(uploadPatience)},
	{"nexus_changes", "due_at", "pending", "1 minute"},
}

func interval(d time.Duration) string { return fmt.Sprintf("%.0f seconds", d.Seconds()) }

// recall makes due what is further ahead than anybody puts it off. A record that somebody
// holds is being looked at.
func (d deferral) recall() string {
	return fmt.Sprintf(`
	WITH astray AS (
	  SELECT ctid AS at FROM %[1]s
	   WHERE %[2]s > now() + interval '%[4]s' + interval '%[5]s' AND %[3]s LIMIT $1 FOR NO KEY UPDATE SKIP LOCKED)
	UPDATE %[1]s SET %[2]s = now() WHERE ctid = ANY (ARRAY (SELECT at FROM astray))`, d.table, d.column, d.of, d.longest, recallSlack)
}

// RecallAstray lets records be looked at soon that a clock that was wrong has put off into
// a future far away, until ctx ends: a database that was ahead for a day would otherwise
// leave them alone for a day. Several processes may do so at once.
func (s *Store) RecallAstray(ctx context.Context) {
	repeat(ctx, recallEvery, func(ctx context.Context) (bool, error) {
		recalled, err := s.recallAstray(ctx)
		return recalled > 0, err
	})
}

// recallAstray recalls some and returns how many.
func (s *Store) recallAstray(ctx context.Context) (recalled int64, err error) {
	for _, d := range deferrals {
		done, err := s.pool.Exec(ctx, d.recall(), recallRows)
		if err != nil {
			return recalled, translate(err)
		}
		recalled += done.RowsAffected()
	}
	return recalled, nil
}
