package store

import (
	"context"

	"levy/models"
)

// AcceptGroup accepts drafts as one group, as a committer would.
func AcceptGroup(s *Store, drafts ...*models.TransactionDraft) []error {
	return s.accept(context.Background(), drafts)
}
