-- +goose NO TRANSACTION
-- +goose Up
-- levy: concurrent
-- The first page and the queue read the places of all organizations where tax is owed without a registration. They read them from
-- the index alone, because each place stands on another page of a large table.
CREATE INDEX CONCURRENTLY IF NOT EXISTS nexus_records_exposure ON nexus_records (organization_id, id)
  INCLUDE (status, currency, tax_liability, obliged_from, nexus_met_date, country_code, state_code)
  WHERE enabled AND nexus_met AND status IN ('EXPOSED', 'PENDING_REGISTRATION');
DROP INDEX CONCURRENTLY IF EXISTS nexus_records_unregistered;
