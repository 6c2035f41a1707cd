-- +goose Up
-- Whether Temporal hands work to workers is checked of each task queue: 'heartbeat' is that of transactions, and the row by
-- which processes agree who checks; of the others done_at alone counts. 'absent': do all records that need a run have one?
INSERT INTO engine_checks (name)
SELECT 'heartbeat/' || queue
  FROM unnest('{onboarding,imports,exemptions,registrations,filings,nexus}'::text[]) AS queue
UNION ALL SELECT 'absent';

-- The authorities that were out of reach when they were last called. by names the records whose calls have failed since,
-- the first three of them: with three the authority counts as down, and is tried once a minute for all. tried_by is the
-- record that tried last: another one goes before it, because what fails may be the one submission.
CREATE TABLE authority_outages (
  name     ident PRIMARY KEY,
  since    timestamptz NOT NULL DEFAULT now(),
  failures bigint NOT NULL DEFAULT 1,
  by       text[] NOT NULL,
  error    text NOT NULL,
  try_at   timestamptz NOT NULL,
  tried_by text NOT NULL
);
