package store

import (
	"context"

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
func (s *Store) ForgetSomeAnswers(ctx context.Context) int64 { return s.forgetAnswers(ctx) }

// SealReport fixes the report of a filing that is FILED.
func (s *Store) SealReport(ctx context.Context, scope models.Scope, filingID string) error {
	ctx, j, end, err := s.begin(ctx)
	if err != nil {
		return err
	}
	defer end()
	if _, err := sealReport(ctx, j.pgx, scope, filingID); err != nil {
		return err
	}
	return j.pgx.Commit(ctx)
}
