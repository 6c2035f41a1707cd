-- +goose NO TRANSACTION
-- +goose Up
-- Registrations that began after tax was owed, of which something may have to be said, are looked for over all
-- organizations: few begin that late.
DROP INDEX CONCURRENTLY IF EXISTS nexus_records_registered_late;
CREATE INDEX CONCURRENTLY nexus_records_registered_late ON nexus_records (organization_id, country_code, state_code)
  WHERE status = 'REGISTERED' AND (obligation_start_date <= obliged_from
    OR (earliest_collected_date AT TIME ZONE 'UTC')::date < obliged_from);
-- So are those that file by the fiscal year, of which the end may not be known.
DROP INDEX CONCURRENTLY IF EXISTS registrations_by_fiscal_year;
CREATE INDEX CONCURRENTLY registrations_by_fiscal_year ON registrations (organization_id, id)
  WHERE filing_frequency = 'ANNUAL_FISCAL_YEAR';
