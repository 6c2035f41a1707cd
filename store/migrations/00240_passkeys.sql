-- +goose Up
-- Passkeys of people (WebAuthn), with which they sign in, alone or after the password. Only the public key is stored. The
-- id of a credential is unique in the installation. counter is the last number of signatures that the device has told; 0
-- for one that does not count.
CREATE TABLE passkeys (
  credential_id   bytea PRIMARY KEY CHECK (octet_length(credential_id) BETWEEN 1 AND 1023),
  user_id         ident NOT NULL REFERENCES users (id),
  public_key      bytea NOT NULL CHECK (octet_length(public_key) <= 2048),    -- COSE, RFC 9052
  counter         bigint NOT NULL CHECK (counter >= 0),
  transports      text NOT NULL CHECK (octet_length(transports) <= 16384),    -- by which the browser finds the device, separated by spaces
  backup_eligible boolean NOT NULL,              -- the device may copy the key to others; it never changes
  name            text NOT NULL,                 -- given by the person
  created_at      timestamptz NOT NULL,
  last_used_at    timestamptz
);
CREATE INDEX passkeys_user ON passkeys (user_id);
