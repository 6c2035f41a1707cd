-- +goose NO TRANSACTION
-- +goose Up
-- levy: concurrent
-- The queue looks for refunds on days whose return was cancelled. Such returns are few among all.
CREATE INDEX CONCURRENTLY IF NOT EXISTS filings_cancelled ON filings (organization_id, id)
  INCLUDE (filing_category, country_code, state_code, start_date, end_date) WHERE status = 'CANCELLED';
