package ledger

import (
	"context"

	"levy/store/filings"
)

func (v *verification) returns(ctx context.Context, s *filings.Store) error { return nil }
