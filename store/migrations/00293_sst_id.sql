-- +goose Up
-- levy: quick
-- The id of the Streamlined Sales Tax registration, the same in all states.
ALTER TABLE organization_settings ADD COLUMN sst_id text;
