-- +goose Up
-- levy: quick
-- The master keys that processes of this installation have had, with what is needed to let one go. No row has a key: the
-- fingerprint is derived from it and tells whether a key is the one that had this id first.
CREATE TABLE master_keys (
  id               ident PRIMARY KEY,
  fingerprint      bytea CHECK (octet_length(fingerprint) = 32), -- NULL: no process had it, and it is lost
  first_seen_at    timestamptz NOT NULL DEFAULT now(),
  current_since    timestamptz,                    -- when a process first had it in front; the latest is the newest key
  in_front_at      timestamptz,                    -- when a process last said that it has it in front
  sealed_again     bigint NOT NULL DEFAULT 0,      -- wrapped keys and seals that the newest key has taken over
  left_over        bigint,                         -- those that it has not, when they were counted last
  counted_at       timestamptz,
  rewrapped_at     timestamptz,                    -- when it last wrapped a key that an older one had wrapped
  finished_at      timestamptz,                    -- when nothing was left over
  retired_at       timestamptz,
  lost             boolean NOT NULL DEFAULT false, -- retired although something needs it
  CHECK (NOT lost OR retired_at IS NOT NULL)
) WITH (fillfactor = 50, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 100);

-- The master key of a hash; NULL for what a release before has written, until the key is used. A release before goes on
-- writing rows without it.
ALTER TABLE api_keys ADD COLUMN master_key_id ident;
ALTER TABLE operator_keys ADD COLUMN master_key_id ident;
ALTER TABLE recovery_codes ADD COLUMN master_key_id ident;

-- Events about keys leave it out, like the hash.
CREATE OR REPLACE TRIGGER api_keys_write_created AFTER INSERT ON api_keys REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION write_created_events('api_key', '{hash,master_key_id}');
CREATE OR REPLACE TRIGGER api_keys_write_changed AFTER UPDATE OF rotated_to, revoked_at ON api_keys
  FOR EACH ROW EXECUTE FUNCTION write_changed_event('api_key', '{hash,master_key_id}', '{last_used_at}');

-- Seals of the audit trail over a range of earlier ones, by a newer master key. The earlier ones stay.
CREATE TABLE audit_reseals (
  organization_id ident NOT NULL,
  master_key_id   ident NOT NULL,
  first           bigint NOT NULL CHECK (first > 0),
  last            bigint NOT NULL CHECK (last >= first),
  sealed_at       timestamptz NOT NULL DEFAULT now(),
  digest          bytea NOT NULL CHECK (octet_length(digest) = 32),  -- SHA-256 of the content and the seal of each
  seal            bytea NOT NULL CHECK (octet_length(seal) = 32),    -- HMAC of all this
  PRIMARY KEY (organization_id, master_key_id, last),
  UNIQUE (organization_id, master_key_id, first)
);
CREATE TRIGGER audit_reseals_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON audit_reseals
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_rewriting();

ALTER TABLE audit_reseals ENABLE ROW LEVEL SECURITY;
CREATE POLICY own_organization ON audit_reseals USING (organization_id = ANY (
  (SELECT string_to_array(current_setting('levy.organizations', true), ','))::text[]));
