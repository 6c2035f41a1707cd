-- +goose Up

-- What only an import needs is not kept for ever. At this time the rejected rows of one
-- that is over are deleted, and one that rests is cancelled.
ALTER TABLE transaction_imports ADD COLUMN forget_at timestamptz;
UPDATE transaction_imports SET forget_at = coalesce(finished_at, updated_at) + interval '30 days'
 WHERE status IN ('COMPLETED', 'CANCELLED', 'PAUSED', 'FAILED');
-- Asked across organizations by the processes that delete.
CREATE INDEX transaction_imports_forget_at ON transaction_imports (forget_at) WHERE forget_at IS NOT NULL;
