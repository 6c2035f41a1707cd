-- +goose Up
-- The key, person or link that created something that gives access: an API key, a role, the link of an onboarding or an
-- endpoint of webhooks. When the maker ends, the thing ends with it or is named for a decision. Things from before, and
-- those of the command line, have no row.
CREATE TABLE makers (
  organization_id ident NOT NULL REFERENCES organizations (id), -- of the thing
  kind            text NOT NULL CHECK (kind IN ('api_key', 'invitation', 'onboarding_link', 'webhook_endpoint')),
  id              ident NOT NULL,              -- of the thing; of an invitation that of the person
  key_id          ident,
  user_id         ident,
  link_id         ident,
  own             boolean NOT NULL DEFAULT false, -- the first key of a client: it is the client's own
  made_at         timestamptz NOT NULL,
  maker_ended_at  timestamptz,
  PRIMARY KEY (organization_id, kind, id),
  CHECK (num_nonnulls(key_id, user_id, link_id) = 1)
);
CREATE INDEX makers_key ON makers (key_id) WHERE key_id IS NOT NULL;
CREATE INDEX makers_user ON makers (user_id) WHERE user_id IS NOT NULL;
