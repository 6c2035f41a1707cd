-- +goose Up
-- A person who signs in with a password may add a second step: six digits of an app (RFC 6238). Its secret is encrypted
-- under a key of its own, which stands beside it, wrapped by a master key. Of a code only the step is kept, of 30
-- seconds, so that each is used once.
CREATE TABLE second_factors (
  user_id       ident PRIMARY KEY REFERENCES users (id),
  master_key_id ident NOT NULL,
  wrapped       bytea NOT NULL CHECK (octet_length(wrapped) = 60),
  sealed        bytea NOT NULL,
  created_at    timestamptz NOT NULL,
  confirmed_at  timestamptz,                     -- with the first code; before, nobody is asked for one
  last_step     bigint NOT NULL DEFAULT 0        -- since 1970, of the code that was used last
);
