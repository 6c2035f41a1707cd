-- +goose Up

-- Sales that have no amount in the currency of the record, because there is no
-- conversion rate, make its sums incomplete until rates are imported.
ALTER TABLE nexus_records ADD COLUMN without_rate boolean NOT NULL DEFAULT false;
