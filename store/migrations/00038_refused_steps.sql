-- +goose Up
-- What was wrong with the last refused call of a step, by field: code, place and sentence, nothing of what was sent.
ALTER TABLE onboarding_steps ADD COLUMN errors jsonb;
