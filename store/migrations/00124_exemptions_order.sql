-- +goose NO TRANSACTION
-- +goose Up
-- Lists of exemptions by the other columns by which they may be sorted.
DROP INDEX CONCURRENTLY IF EXISTS exemptions_start_date;
CREATE INDEX CONCURRENTLY exemptions_start_date ON exemptions (organization_id, start_date, id);
DROP INDEX CONCURRENTLY IF EXISTS exemptions_status;
CREATE INDEX CONCURRENTLY exemptions_status ON exemptions (organization_id, status, id);
DROP INDEX CONCURRENTLY IF EXISTS exemptions_created_at;
CREATE INDEX CONCURRENTLY exemptions_created_at ON exemptions (organization_id, created_at, id);
