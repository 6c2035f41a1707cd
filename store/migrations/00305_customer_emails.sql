-- +goose NO TRANSACTION
-- +goose Up
-- levy: concurrent
-- The search finds a customer by an e-mail address. An attempt that was broken off leaves an index that is not valid.
DROP INDEX CONCURRENTLY IF EXISTS customers_email;
CREATE INDEX CONCURRENTLY customers_email ON customers (lower(email), organization_id) WHERE email IS NOT NULL;
