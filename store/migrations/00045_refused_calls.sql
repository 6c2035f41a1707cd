-- +goose Up
-- Calls of a step that were refused are counted apart from those that were accepted. Steps of a time before count both in
-- attempts: which were which is not known.
ALTER TABLE onboarding_steps ADD COLUMN refused integer NOT NULL DEFAULT 0;
