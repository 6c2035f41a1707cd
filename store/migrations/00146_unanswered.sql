-- +goose NO TRANSACTION
-- +goose Up
-- Since when the calls for a return or a registration do not reach its authority; NULL while they do. The table of outages
-- knows authorities, and names but the first records that one of them failed.
ALTER TABLE filings ADD COLUMN IF NOT EXISTS unanswered_since timestamptz;
ALTER TABLE registrations ADD COLUMN IF NOT EXISTS unanswered_since timestamptz;
-- Since when people have to file a return, because no adapter does. A registration names its adapter.
ALTER TABLE filings ADD COLUMN IF NOT EXISTS manual_since timestamptz;
-- They are looked for over all organizations: returns by filings_not_over, registrations by these.
DROP INDEX CONCURRENTLY IF EXISTS registrations_unanswered;
CREATE INDEX CONCURRENTLY registrations_unanswered ON registrations (organization_id, id) WHERE unanswered_since IS NOT NULL;
DROP INDEX CONCURRENTLY IF EXISTS registrations_manual;
CREATE INDEX CONCURRENTLY registrations_manual ON registrations (organization_id, id)
  WHERE authority = 'manual' AND status IN ('VALIDATING', 'DEREGISTERING');
