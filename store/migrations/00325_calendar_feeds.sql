-- +goose Up
-- levy: quick
-- Secret addresses at which programs read the calendar of returns, as a hash. A revoked feed has no row. The release
-- before knows none, and ends none: a feed whose maker has ended is not found, whichever release ended the maker.
CREATE TABLE calendar_feeds (
  organization_id ident NOT NULL REFERENCES organizations (id),
  id              ident NOT NULL,
  name            text NOT NULL,
  hash            bytea NOT NULL UNIQUE,
  master_key_id   ident,       -- of the hash; NULL: not known
  made_by         text NOT NULL,
  created_at      timestamptz NOT NULL,
  expires_at      timestamptz,
  last_read_at    timestamptz,
  PRIMARY KEY (organization_id, id)
);

ALTER TABLE makers
  DROP CONSTRAINT makers_kind_check,
  ADD CONSTRAINT makers_kind_check
    CHECK (kind IN ('api_key', 'calendar_feed', 'invitation', 'onboarding_link', 'webhook_endpoint')) NOT VALID;
