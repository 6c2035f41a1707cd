-- +goose NO TRANSACTION
-- +goose Up
-- The accounts of an address are read at each sign-in.
DROP INDEX CONCURRENTLY IF EXISTS users_address;
CREATE INDEX CONCURRENTLY users_address ON users ((coalesce(address_key, email_key)));
