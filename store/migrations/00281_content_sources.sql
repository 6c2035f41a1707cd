-- +goose Up
-- levy: quick
-- Where the rate and boundary files of member states are published, what is known of them, and what became of the last
-- pair. The text of the rate file and the load of the boundary file stay, so that the pair can be accepted later.
CREATE TABLE content_sources (
  state         text PRIMARY KEY CHECK (state ~ '^[A-Z]{2}$'),
  rates_url     text NOT NULL,
  boundaries_url text NOT NULL,
  policy        text NOT NULL CHECK (policy IN ('ask', 'apply')),
  rates         jsonb,                           -- name, checksum and validators of the files taken last
  boundaries    jsonb,
  rate_file     bytea,
  load_id       bigint REFERENCES boundary_loads (id),
  status        text NOT NULL CHECK (status IN ('NEW', 'CURRENT', 'PROPOSED', 'QUARANTINED', 'REFUSED')),
  said          text NOT NULL,                   -- about the status, for the operator
  checked_at    timestamptz,
  failing_since timestamptz,                     -- without an answer that counts
  failure       text NOT NULL DEFAULT ''
);
