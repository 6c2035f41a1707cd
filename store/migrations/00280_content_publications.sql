-- +goose Up
-- levy: quick
-- The signed bundles that were taken, in their order. The last row says which number the next one has, and by which day
-- its publisher promised it.
CREATE TABLE content_publications (
  id          bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  sequence    bigint NOT NULL CHECK (sequence > 0),
  version     text NOT NULL REFERENCES content_versions (version),
  sha256      bytea NOT NULL,                    -- of the manifest
  published   date NOT NULL,
  next_by     date NOT NULL CHECK (next_by > published),
  missed      bigint NOT NULL CHECK (missed >= 0), -- bundles before it that never arrived
  received_at timestamptz NOT NULL DEFAULT now()
);
