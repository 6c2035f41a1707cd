-- +goose NO TRANSACTION
-- +goose Up
-- What needs a person is looked for over all organizations: among nexus records and returns it is few of many.
DROP INDEX CONCURRENTLY IF EXISTS nexus_records_unregistered;
CREATE INDEX CONCURRENTLY nexus_records_unregistered ON nexus_records (organization_id, id)
  WHERE enabled AND nexus_met AND status IN ('EXPOSED', 'PENDING_REGISTRATION') AND disregarded_at IS NULL;
DROP INDEX CONCURRENTLY IF EXISTS filings_not_over;
CREATE INDEX CONCURRENTLY filings_not_over ON filings (organization_id, id) WHERE status IN ('UNFILED', 'PAUSED', 'FILING', 'ISSUE');
