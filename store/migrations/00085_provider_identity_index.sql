-- +goose NO TRANSACTION
-- +goose Up
-- An account at a provider is that of one person.
DROP INDEX CONCURRENTLY IF EXISTS users_provider;
CREATE UNIQUE INDEX CONCURRENTLY users_provider ON users (provider_issuer, provider_subject);
