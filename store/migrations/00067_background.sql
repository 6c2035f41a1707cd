-- +goose NO TRANSACTION
-- +goose Up
-- Work in the background, such as that of an import or of what is calculated anew, yields to what clients have just sent:
-- relays lease the two apart, each by an index of its own, and it has a task queue of its own.
ALTER TABLE outbox ADD COLUMN IF NOT EXISTS background boolean NOT NULL DEFAULT false;
INSERT INTO engine_checks (name) VALUES ('heartbeat/transactions-background') ON CONFLICT DO NOTHING;
DROP INDEX CONCURRENTLY IF EXISTS outbox_sent;
CREATE INDEX CONCURRENTLY outbox_sent ON outbox (next_attempt_at) WHERE NOT background;
DROP INDEX CONCURRENTLY IF EXISTS outbox_background;
CREATE INDEX CONCURRENTLY outbox_background ON outbox (next_attempt_at) WHERE background;
DROP INDEX CONCURRENTLY IF EXISTS outbox_next_attempt_at;
