-- +goose Up

-- What the simulated authority has received, one row for each submission: a
-- submission that is repeated gets the answer of the first.
CREATE TABLE sandbox_submissions (
  organization_id ident NOT NULL REFERENCES organizations (id),
  kind            text NOT NULL CHECK (kind IN ('RETURN', 'REGISTRATION', 'DEREGISTRATION')),
  record_id       ident NOT NULL,
  attempt         integer NOT NULL CHECK (attempt > 0),
  digest          text NOT NULL,
  answer          jsonb NOT NULL,
  decides_after   interval NOT NULL,
  contacts        integer NOT NULL DEFAULT 1,
  received_at     timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (organization_id, kind, record_id, attempt)
);
