-- +goose Up
-- Who files, as it was when the return became FILED: part of its report and of its hash. Reports of before
-- have none.
ALTER TABLE filing_reports ADD COLUMN taxpayer jsonb;
