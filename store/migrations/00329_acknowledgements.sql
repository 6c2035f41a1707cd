-- +goose Up
-- levy: quick
-- What states have acknowledged, as it came. A state hands each acknowledgement out once, so it is stored before it is read, and
-- its message never changes. The same bytes are one row.
CREATE TABLE acknowledgements (
  authority       text NOT NULL,            -- the adapter that asked
  transmitter     text NOT NULL,            -- that the queue is of
  sha256          text NOT NULL CHECK (sha256 ~ '^[0-9a-f]{64}$'), -- of what it is in clear text
  organization_id ident NOT NULL REFERENCES organizations (id), -- of its document, else of the one that asked
  transmission_id text,                     -- NULL: it has none that can be read
  fault           text CHECK (fault IN ('MALFORMED', 'FOREIGN')), -- NULL: it is of a document of Levy
  message         bytea NOT NULL,           -- encrypted: it may have numbers of people
  received_at     timestamptz NOT NULL DEFAULT now(), -- with a fault: when it came last
  PRIMARY KEY (authority, transmitter, sha256),
  CHECK (fault IS NOT NULL OR transmission_id IS NOT NULL)
);
CREATE INDEX acknowledgements_transmission ON acknowledgements (organization_id, authority, transmitter, transmission_id);

ALTER TABLE acknowledgements ENABLE ROW LEVEL SECURITY;
CREATE POLICY own_organization ON acknowledgements USING (organization_id = ANY (
  (SELECT string_to_array(current_setting('levy.organizations', true), ','))::text[]));

-- One caller at a time reads the queue of a transmitter. Its hold ends by itself, because processes die. unsure: a message may have
-- been handed out that is not stored, so the last one is asked for again.
CREATE TABLE acknowledgement_queues (
  authority   text NOT NULL,
  transmitter text NOT NULL,
  holder      text,
  held_until  timestamptz,
  asked_at    timestamptz NOT NULL,
  unsure      boolean NOT NULL,
  PRIMARY KEY (authority, transmitter),
  CHECK ((holder IS NULL) = (held_until IS NULL))
);

-- How many acknowledgements of a submission the sandbox has handed out. The release before hands out none.
ALTER TABLE sandbox_submissions
  ADD COLUMN handed_out    integer NOT NULL DEFAULT 0 CHECK (handed_out >= 0),
  ADD COLUMN handed_out_at timestamptz;
