-- +goose NO TRANSACTION
-- +goose Up
-- levy: concurrent
-- A chain of the audit trail is asked for later seals of a master key, without reading those of the others.
CREATE INDEX CONCURRENTLY IF NOT EXISTS audit_seals_master_key ON audit_seals (organization_id, master_key_id, number);
