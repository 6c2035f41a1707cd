-- +goose Up

-- Presences and registrations may leave days between them: the days within the
-- obligation on which none exists, in their order, as [{"start", "end"}].
ALTER TABLE nexus_records
  ADD COLUMN obliged_gaps jsonb NOT NULL DEFAULT '[]',
  ADD COLUMN applied_gaps jsonb NOT NULL DEFAULT '[]',
  ADD CONSTRAINT nexus_records_gaps CHECK (obliged_gaps = '[]' OR obliged_from IS NOT NULL);
