-- +goose NO TRANSACTION
-- +goose Up
-- Lists of products by name and by status, and the pages behind a cursor in them.
DROP INDEX CONCURRENTLY IF EXISTS products_name;
CREATE INDEX CONCURRENTLY products_name ON products (organization_id, name, id);
DROP INDEX CONCURRENTLY IF EXISTS products_status;
CREATE INDEX CONCURRENTLY products_status ON products (organization_id, status, id);
