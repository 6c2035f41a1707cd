-- +goose NO TRANSACTION
-- +goose Up
-- levy: concurrent
-- What happened in the last day is read every few minutes, across organizations.
CREATE INDEX CONCURRENTLY IF NOT EXISTS filing_history_issues ON filing_history (at) WHERE to_status = 'ISSUE';
CREATE INDEX CONCURRENTLY IF NOT EXISTS exception_notes_assigned ON exception_notes (assigned_at) WHERE assigned_at IS NOT NULL;
CREATE INDEX CONCURRENTLY IF NOT EXISTS comments_created ON comments (created_at);
-- PENDING comes before PLANNED: mails about access are sent first.
CREATE INDEX CONCURRENTLY IF NOT EXISTS mails_next ON mails (status, next_attempt_at) WHERE next_attempt_at IS NOT NULL;
