-- +goose NO TRANSACTION
-- +goose Up
-- An address is proven for one account.
DROP INDEX CONCURRENTLY IF EXISTS users_proven_address;
CREATE UNIQUE INDEX CONCURRENTLY users_proven_address ON users ((coalesce(address_key, email_key)))
  WHERE proven_at IS NOT NULL;
