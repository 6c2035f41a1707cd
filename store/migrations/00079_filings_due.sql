-- +goose NO TRANSACTION
-- +goose Up
-- Returns of all organizations by the day on which they are due: for whoever looks at many organizations.
DROP INDEX CONCURRENTLY IF EXISTS filings_due;
CREATE INDEX CONCURRENTLY filings_due ON filings (due_date, organization_id, id);
