-- +goose Up
-- levy: quick
-- Spreadsheets write 5/4/2026. The whole file shows whether its dates begin with the month, and each row is read by that.
ALTER TABLE transaction_imports ADD COLUMN date_order text NOT NULL DEFAULT '';
ALTER TABLE transaction_imports ADD CONSTRAINT transaction_imports_date_order CHECK (date_order IN ('', 'MDY', 'DMY')) NOT VALID;
