package store

import (
	"context"
	"fmt"
	"slices"
	"time"

	"levy/models"
	"levy/store/engine"
	"levy/store/filings"
	"levy/store/imports"
	"levy/store/organizations"
	"levy/store/pg"
	"levy/store/registrations"
	"levy/store/transactions"
)

// timer is a column with the time when a record is checked again, and the longest pause that any code sets.
type timer struct {
	table, column string
	of            string // the condition on its records, as SQL
	longest       string // an interval
}

const (
	// skewInterval is how often timers are checked. skewSlack is the difference of the clocks of processes and database
	// that is ignored.
	skewInterval = 30 * time.Second
	skewSlack    = "1 minute"
	skewRows     = 1000
)

var timers = []timer{
	{"background_migrations", "next_at", "ended_at IS NULL", "1 minute"}, // four times the time limit of statements, and some
	{"outbox", "next_attempt_at", "NOT background AND waits_for IS NULL", transactions.LongestAttemptPause},
	{"outbox", "next_attempt_at", "NOT background AND waits_for IS NOT NULL", transactions.OriginalPause},
	{"outbox", "next_attempt_at", "background AND waits_for IS NULL", transactions.LongestAttemptPause},
	{"outbox", "next_attempt_at", "background AND waits_for IS NOT NULL", transactions.OriginalPause},
	{"onboardings", "next_check_at", "true", interval(organizations.CheckPause)},
	{"registrations", "next_check_at", "true", interval(registrations.CheckPause)},
	{"filings", "next_check_at", "true", filings.CheckPause},
	{"transaction_imports", "next_check_at", "true", interval(imports.UploadTimeout)},
	{"engine_checks", "due_at", "true", interval(engine.LongestPause)},
	{"nexus_changes", "due_at", "pending", "1 minute"},
	{"webhook_endpoints", "next_check_at", "true", "27 hours"},
	{"webhook_deliveries", "next_attempt_at", "true", "27 hours"}, // the last pause of 21.4 and its tenth, see rules
}

// timersOfAPI are in tables that workers with a login of their own may not change.
var timersOfAPI = []timer{
	{"mails", "next_attempt_at", "true", interval(models.MailPause(models.MailAttempts))},
	{"onboarding_mails", "next_attempt_at", "true", interval(models.MailPause(models.MailAttempts))},
}

func interval(d time.Duration) string { return fmt.Sprintf("%.0f seconds", d.Seconds()) }

// correct returns the statement that makes records due whose timer is further ahead than the longest pause.
// It skips locked records, because they are being checked.
func (d timer) correct() string {
	return fmt.Sprintf(`
	WITH skewed AS (
	  SELECT ctid AS at FROM %[1]s
	   WHERE %[2]s > now() + interval '%[4]s' + interval '%[5]s' AND %[3]s LIMIT $1 FOR NO KEY UPDATE SKIP LOCKED)
	UPDATE %[1]s
	   SET %[2]s = now()
	 WHERE ctid = ANY (ARRAY (SELECT at FROM skewed))`, d.table, d.column, d.of, d.longest, skewSlack)
}

// CorrectSkewedTimers makes records due whose timer a wrong clock has set far ahead, until ctx ends.
// Otherwise a database whose clock was a day ahead would ignore them for a day. Several processes may do so at once.
func (s *Store) CorrectSkewedTimers(ctx context.Context) {
	pg.Repeat(ctx, "correcting skewed timers", skewInterval, func(ctx context.Context) (bool, error) {
		corrected, err := s.correctSkewedTimers(ctx)
		return corrected > 0, err
	})
}

// correctSkewedTimers corrects some timers and returns how many.
func (s *Store) correctSkewedTimers(ctx context.Context) (corrected int64, err error) {
	due := timers
	var isAPI bool
	if err := s.QueryRow(ctx, "SELECT has_table_privilege('mails', 'UPDATE')").Scan(&isAPI); err != nil {
		return 0, pg.Translate(err)
	}
	if isAPI {
		due = append(slices.Clip(due), timersOfAPI...)
	}
	for _, d := range due {
		done, err := s.Exec(ctx, d.correct(), skewRows)
		if err != nil {
			return corrected, pg.Translate(err)
		}
		corrected += done.RowsAffected()
	}
	return corrected, nil
}
