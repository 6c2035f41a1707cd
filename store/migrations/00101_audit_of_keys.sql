-- +goose NO TRANSACTION
-- +goose Up
-- Who was erased, and when wrapped keys were saved: few rows of many.
DROP INDEX CONCURRENTLY IF EXISTS audit_of_keys;
CREATE INDEX CONCURRENTLY audit_of_keys ON audit (action, at) WHERE action IN ('erase', 'keys_saved');
