-- +goose NO TRANSACTION
-- +goose Up
-- levy: concurrent
-- No entry of an organization has the number of another, also where two files name it for two returns at once.
CREATE UNIQUE INDEX CONCURRENTLY IF NOT EXISTS filing_entries_external_id ON filing_entries (organization_id, external_id)
  WHERE external_id IS NOT NULL;
