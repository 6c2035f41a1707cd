-- +goose Up
-- How far the calculated tax can be relied on: confidence, completeness and warnings. Null until it is calculated.
ALTER TABLE transactions ADD COLUMN certainty jsonb;
