-- +goose Up
-- States of sign-ins at the OpenID provider that came back. Until a sign-in ends by itself, its state is refused when it
-- comes again. Only a hash is stored.
CREATE TABLE used_sign_ins (
  hash    bytea PRIMARY KEY,
  ends_at timestamptz NOT NULL
);
CREATE INDEX used_sign_ins_end ON used_sign_ins (ends_at);
