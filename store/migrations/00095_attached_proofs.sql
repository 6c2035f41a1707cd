-- +goose Up
-- Proofs that the codec has attached to what somebody entered in the Temporal UI: who it was, a person with a session or
-- the holder of an operator key. Each is used once. Of a proof there is only a hash.
CREATE TABLE attached_proofs (
  digest      bytea PRIMARY KEY CHECK (octet_length(digest) = 32),
  user_id     ident REFERENCES users (id),
  operator_id ident REFERENCES operator_keys (id),
  made_at     timestamptz NOT NULL DEFAULT now(),
  used_by     text,
  CHECK (num_nonnulls(user_id, operator_id) = 1)
);
CREATE INDEX attached_proofs_made_at ON attached_proofs (made_at);
