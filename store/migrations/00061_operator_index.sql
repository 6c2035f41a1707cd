-- +goose NO TRANSACTION
-- +goose Up
-- A half proves whose key it is: no two keys have the same.
DROP INDEX CONCURRENTLY IF EXISTS operator_keys_public_key;
CREATE UNIQUE INDEX CONCURRENTLY operator_keys_public_key ON operator_keys (public_key);
