-- +goose NO TRANSACTION
-- +goose Up
-- levy: concurrent
-- The first page and the queue read the open returns of all organizations without those that are over, which are most. Those that
-- wait are read from the index alone.
CREATE INDEX CONCURRENTLY IF NOT EXISTS filings_waiting ON filings (organization_id, id)
  INCLUDE (status, due_date, end_date, created_at, currency, block_approval) WHERE status IN ('UNFILED', 'PAUSED');
CREATE INDEX CONCURRENTLY IF NOT EXISTS filings_under_way ON filings (organization_id, id) WHERE status IN ('FILING', 'ISSUE');
