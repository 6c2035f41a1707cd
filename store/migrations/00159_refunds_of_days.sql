-- +goose NO TRANSACTION
-- +goose Up
-- Refunds on days that no return covers are looked for over all organizations: they are few of all transactions.
DROP INDEX CONCURRENTLY IF EXISTS transaction_totals_refunds;
CREATE INDEX CONCURRENTLY transaction_totals_refunds ON transaction_totals
  (organization_id, country_code, state_code, tax_date) WHERE liability < 0;
