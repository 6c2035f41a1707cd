-- +goose Up
-- One admin asks to end the second person for returns, and another one ends it. Open returns have it in their history.
ALTER TABLE organization_settings
  ADD COLUMN second_person_end_by   ident,
  ADD COLUMN second_person_end_name text,
  ADD COLUMN second_person_end_at   timestamptz;

ALTER TABLE filing_history DROP CONSTRAINT filing_history_action_check;
ALTER TABLE filing_history ADD CONSTRAINT filing_history_action_check CHECK (action IN
  ('CREATED', 'APPROVED', 'SUBMITTED', 'FILED', 'REJECTED', 'RETRIED', 'PAUSED', 'RESUMED', 'RELEASED', 'SKIPPED',
   'CANCELLED', 'SECOND_PERSON_ENDED')) NOT VALID;
