-- +goose NO TRANSACTION
-- +goose Up
-- Registrations that began after tax was owed are looked for over all organizations by when the obligation began, not by
-- the days it has now, which an earlier registration may share: places with one are few of all nexus records.
DROP INDEX CONCURRENTLY IF EXISTS nexus_records_registered;
CREATE INDEX CONCURRENTLY nexus_records_registered ON nexus_records (organization_id, country_code, state_code)
  INCLUDE (obligation_start_date, earliest_collected_date) WHERE status = 'REGISTERED';
DROP INDEX CONCURRENTLY IF EXISTS nexus_records_registered_late;
