-- +goose Up
-- Recovery codes, with each of which a person signs in once who has not got the app of the second step. They go with it. Of a
-- code there is only a keyed hash.
CREATE TABLE recovery_codes (
  user_id ident NOT NULL REFERENCES second_factors (user_id) ON DELETE CASCADE,
  hash    bytea NOT NULL CHECK (octet_length(hash) = 32),
  used_at timestamptz,
  PRIMARY KEY (user_id, hash)
);
