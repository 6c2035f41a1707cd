-- +goose NO TRANSACTION
-- +goose Up

-- What is unresolved in the days of a return is found by these. An attempt that gave up while it waited
-- leaves an index that is not valid.
DROP INDEX CONCURRENTLY IF EXISTS transaction_refetches_day;
CREATE INDEX CONCURRENTLY transaction_refetches_day ON transaction_refetches (organization_id, tax_date);

-- Pending work that failed by itself, of which there is next to nothing.
DROP INDEX CONCURRENTLY IF EXISTS outbox_failed;
CREATE INDEX CONCURRENTLY outbox_failed ON outbox (organization_id) WHERE last_error IS NOT NULL;
