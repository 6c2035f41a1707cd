-- +goose Up
-- levy: quick
-- How far background migrations are. levy migrate adds a row, and workers execute the statement of the file, a batch at a
-- time, until it has passed all rows of the table. A batch and its progress are one database transaction.
CREATE TABLE background_migrations (
  version    bigint PRIMARY KEY,
  table_name text NOT NULL,
  after_key  text NOT NULL DEFAULT '',        -- the last row of the last batch, as the file writes its key
  read_rows  bigint NOT NULL DEFAULT 0,
  began_at   timestamptz NOT NULL DEFAULT now(),
  ended_at   timestamptz,
  next_at    timestamptz NOT NULL DEFAULT now(), -- not before: a pause of all processes
  failed_at  timestamptz,                     -- since when it fails; NULL when it does not
  failure    text
);
