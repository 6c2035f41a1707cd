-- +goose NO TRANSACTION
-- +goose Up
-- What levy status and a start look for: obligations that the liability of transactions does not follow yet. There are
-- few of them at any time, and the records of all organizations are many.
DROP INDEX CONCURRENTLY IF EXISTS nexus_records_unapplied;
CREATE INDEX CONCURRENTLY nexus_records_unapplied ON nexus_records (organization_id)
  WHERE applying IS NOT NULL OR (obliged_from, obliged_until, obliged_gaps) IS DISTINCT FROM (applied_from, applied_until, applied_gaps);
