-- +goose NO TRANSACTION
-- +goose Up
-- The totals whose figures are not written yet. Rows leave this index for ever, so it is the list of what is left to do.
DROP INDEX CONCURRENTLY IF EXISTS transaction_totals_without_figures;
CREATE INDEX CONCURRENTLY transaction_totals_without_figures ON transaction_totals (organization_id, transaction_id)
  WHERE figure_keys IS NULL;
