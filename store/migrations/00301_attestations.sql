-- +goose Up
-- levy: quick
-- The statement that the approver of a return has signed, in its words.
ALTER TABLE filing_history ADD COLUMN attestation text;
