-- +goose Up
-- levy: quick
-- How far the recount of nexus is, for each organization. Every night it counts what changed since the last one, up to an
-- event, and a part of the full pass, which takes weeks. A step writes here after it has compared, so that it may be
-- repeated.
CREATE TABLE nexus_recounts (
  organization_id   ident PRIMARY KEY REFERENCES organizations (id),
  after_event       bigint NOT NULL,                            -- changes up to this event are counted
  stage             text NOT NULL CHECK (stage IN ('TRANSACTIONS', 'COUNTERS', 'TAXES')), -- of the full pass
  after_transaction text NOT NULL,                              -- the last one of the pass
  country_code      text NOT NULL,                              -- the last place and day of the pass
  state_code        text NOT NULL,
  day               date NOT NULL,
  counted           bigint NOT NULL,                            -- transactions of the pass
  last_counted      bigint,                                     -- transactions of the last full pass
  pass_ended_at     timestamptz,                                -- of the last full pass
  changes_at        timestamptz,                                -- when all changes were counted last
  failed_at         timestamptz,                                -- since when it fails; NULL when it does not
  failure           text
) WITH (fillfactor = 50, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 100);
