-- +goose NO TRANSACTION
-- +goose Up
-- levy: concurrent
-- What happened in the last day is read every few minutes, across organizations.
CREATE INDEX CONCURRENTLY IF NOT EXISTS filing_history_issues ON filing_history (at) WHERE to_status = 'ISSUE';
CREATE INDEX CONCURRENTLY IF NOT EXISTS exception_notes_assigned ON exception_notes (assigned_at) WHERE assigned_at IS NOT NULL;
