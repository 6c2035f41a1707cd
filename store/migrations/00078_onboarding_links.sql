-- +goose Up
-- A link with which a client does the steps of its own onboarding: the newest one of each organization. It
-- works while the onboarding is in progress, until expires_at. Of the link there is only a hash.
CREATE TABLE onboarding_links (
  organization_id ident PRIMARY KEY REFERENCES organizations (id),
  id              ident NOT NULL UNIQUE,
  hash            bytea NOT NULL UNIQUE,
  made_by         text NOT NULL,
  created_at      timestamptz NOT NULL,
  expires_at      timestamptz NOT NULL CHECK (expires_at > created_at),
  opened_at       timestamptz
);
