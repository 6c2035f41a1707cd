-- +goose Up
-- Operators have names. Their keys end, and prove who sends what to a workflow: public_key is the half of what signs that
-- proves a signature and makes none. Keys from before have no name; they open histories and prove nothing.
ALTER TABLE operator_keys
  ADD COLUMN name       text CHECK (name <> '' AND length(name) <= 100),
  ADD COLUMN public_key bytea CHECK (octet_length(public_key) = 32),
  ADD COLUMN expires_at timestamptz;

-- Proofs that were used, so that none is used twice. A row may go when its proof is too old to be accepted.
CREATE TABLE operator_proofs (
  digest  bytea PRIMARY KEY CHECK (octet_length(digest) = 32),
  used_by text NOT NULL,
  used_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX operator_proofs_used_at ON operator_proofs (used_at);
