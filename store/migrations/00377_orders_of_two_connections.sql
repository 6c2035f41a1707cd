-- +goose NO TRANSACTION
-- +goose Up
-- levy: concurrent
-- The last stage looks for another sale with the same second identifier, which came from another connection. Few sales have one.
CREATE INDEX CONCURRENTLY IF NOT EXISTS transactions_secondary ON transactions (organization_id, secondary_external_id)
  WHERE secondary_external_id IS NOT NULL;
