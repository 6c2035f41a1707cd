-- +goose Up
-- levy: quick
-- What organizations have granted to Levy at authorities: tokens of OAuth 2.0, encrypted. A renewal replaces them under a lock
-- of the row, because an authority takes a refresh token once. The release before reads and writes none.
CREATE TABLE authority_grants (
  organization_id ident NOT NULL REFERENCES organizations (id),
  authority       text NOT NULL,     -- the adapter
  tokens          bytea NOT NULL,    -- encrypted
  renewed_at      timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (organization_id, authority)
);

ALTER TABLE authority_grants ENABLE ROW LEVEL SECURITY;
CREATE POLICY own_organization ON authority_grants USING (organization_id = ANY (
  (SELECT string_to_array(current_setting('levy.organizations', true), ','))::text[]));
