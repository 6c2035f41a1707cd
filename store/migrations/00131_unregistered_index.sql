-- +goose NO TRANSACTION
-- +goose Up
-- Nexus that needs somebody: whether there is any says nexus_met, which leaves out what is disregarded
-- for as long as it is.
DROP INDEX CONCURRENTLY IF EXISTS nexus_records_unregistered;
CREATE INDEX CONCURRENTLY nexus_records_unregistered ON nexus_records (organization_id, id)
  WHERE enabled AND nexus_met AND status IN ('EXPOSED', 'PENDING_REGISTRATION');
