-- +goose Up
-- Browsers by which an account has signed in. Who fails too often at an account does not keep out the person who comes
-- by one of them. Of its cookie only a hash is kept.
CREATE TABLE sign_in_devices (
  hash    bytea NOT NULL,
  user_id ident NOT NULL REFERENCES users (id),
  seen_at timestamptz NOT NULL,                  -- of the last sign-in
  PRIMARY KEY (hash, user_id)
);
CREATE INDEX sign_in_devices_user ON sign_in_devices (user_id, seen_at);
