-- +goose NO TRANSACTION
-- +goose Up
-- Who gave access to a person or made a key, in whatever organization.
DROP INDEX CONCURRENTLY IF EXISTS audit_of_access;
CREATE INDEX CONCURRENTLY audit_of_access ON audit (entity_id) WHERE entity_type IN ('user', 'api_key');
