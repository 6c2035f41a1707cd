-- +goose Up
-- levy: quick
-- Grants of access that people have begun at an authority, one at a time for each organization and authority. A row is taken once.
CREATE TABLE authority_consents (
  organization_id ident NOT NULL REFERENCES organizations (id),
  authority       text NOT NULL,     -- the adapter
  state           bytea NOT NULL,    -- a hash of it
  session         bytea NOT NULL,    -- the hash of the session in which it began
  user_id         ident NOT NULL,
  verifier        bytea NOT NULL,    -- encrypted
  expires_at      timestamptz NOT NULL,
  PRIMARY KEY (organization_id, authority)
);

ALTER TABLE authority_consents ENABLE ROW LEVEL SECURITY;
CREATE POLICY own_organization ON authority_consents USING (organization_id = ANY (
  (SELECT string_to_array(current_setting('levy.organizations', true), ','))::text[]));

-- Which person granted what the tokens are of, and until when. NULL: none did. The release before writes tokens alone.
ALTER TABLE authority_grants
  ADD COLUMN granted_at timestamptz,
  ADD COLUMN granted_by text,
  ADD COLUMN ends_at    timestamptz;
