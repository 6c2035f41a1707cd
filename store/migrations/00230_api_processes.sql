-- +goose Up
-- The API's processes that serve now, each with its calls by organization or person. They read each other's rows every two
-- seconds, so that a rate limit holds for all of them together. The row of a process that ended is deleted by the others.
CREATE TABLE api_processes (
  id      text PRIMARY KEY,
  seen_at timestamptz NOT NULL,
  calls   jsonb NOT NULL
) WITH (fillfactor = 50, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 100);
