-- +goose Up
-- levy: quick
-- The recount of nexus also checks the rules of records, the audit trail and the kept figures, what changed and a part of
-- the full pass each night. So its progress has two more stages, the last verified seal, and the pages of a pass. The
-- release before continues a pass in a stage that it does not know with the counters of days, and ends it.
ALTER TABLE nexus_recounts
  DROP CONSTRAINT nexus_recounts_stage_check,
  ADD CONSTRAINT nexus_recounts_stage_check
    CHECK (stage IN ('TRANSACTIONS', 'COUNTERS', 'TAXES', 'RETURNS', 'SEALS', 'FIGURES')),
  ADD COLUMN sealed_through bigint,                               -- verified up to this seal; NULL: none by changes yet
  ADD COLUMN covered_from   bigint NOT NULL DEFAULT 0,            -- the seal with the mark of the ledger; 0: none yet
  ADD COLUMN pages          bigint NOT NULL DEFAULT 0,            -- compared in this pass
  ADD COLUMN last_pages     bigint,                               -- of the last full pass
  ADD COLUMN pass_began_at  timestamptz NOT NULL DEFAULT now();

-- What a check found and has not found to be right since. Checks of some records name at most a hundred of a rule.
CREATE TABLE record_violations (
  organization_id ident NOT NULL REFERENCES organizations (id),
  kind            text NOT NULL CHECK (kind IN ('TRANSACTIONS', 'RETURNS', 'ORGANIZATION', 'SEALS', 'FIGURES')),
  rule            text NOT NULL,                                  -- its sentence
  record          text NOT NULL,                                  -- begins with the id of the record
  found_at        timestamptz NOT NULL DEFAULT now(),
  seen_at         timestamptz NOT NULL DEFAULT now(),             -- when it was found last
  PRIMARY KEY (organization_id, kind, rule, record)
);
