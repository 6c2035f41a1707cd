package store

import (
	"context"
	"time"

	"levy/models"
)

// AcceptGroup accepts drafts as one group, as a committer would.
func AcceptGroup(s *Store, drafts ...*models.TransactionDraft) []error {
	return s.accept(context.Background(), drafts)
}

// OutcomeOf asks for the fate of a group that ended in cause, by the id of its
// database transaction.
func OutcomeOf(s *Store, xid string, member *models.TransactionDraft, cause error) error {
	return s.outcomeOf(context.Background(), xid, cause, selectTransactionExists, member.OrganizationID, member.ID)
}

// ForgetSomeAnswers removes answers whose time is over, once.
func (s *Store) ForgetSomeAnswers(ctx context.Context) int64 {
	removed, _ := s.forgetAnswers(ctx)
	return removed
}

// ClaimRegular claims the members of a regular return, SumMembers adds them up.
var (
	ClaimRegular = claimRegular
	SumMembers   = sumMembers
)

// SkewClock lets the clock of the process that the store is in be wrong.
func SkewClock(s *Store, by time.Duration) {
	s.db.NowFunc = func() time.Time { return time.Now().UTC().Add(by).Truncate(time.Microsecond) }
}

// Deferring are the columns that say when somebody looks at a record again.
func Deferring() []string {
	var columns []string
	for _, d := range deferrals {
		columns = append(columns, d.table+"."+d.column)
	}
	return columns
}

// RecallSomeAstray recalls once what was put off too far.
func (s *Store) RecallSomeAstray(ctx context.Context) (int64, error) { return s.recallAstray(ctx) }

// Translate turns a driver's error into a domain error.
var Translate = translate
