-- +goose NO TRANSACTION
-- +goose Up
-- levy: concurrent
-- A file whose import is paused or has failed is another import with other names of its columns. With the same names it is in
-- progress only once.
CREATE UNIQUE INDEX CONCURRENTLY IF NOT EXISTS transaction_imports_columns
  ON transaction_imports (organization_id, sha256, md5(columns::text)) WHERE status IN ('QUEUED', 'RUNNING', 'PAUSED', 'FAILED');
DROP INDEX CONCURRENTLY IF EXISTS transaction_imports_sha256;
