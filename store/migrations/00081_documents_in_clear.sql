-- +goose NO TRANSACTION
-- +goose Up
-- The documents that `levy keys seal` has yet to encrypt.
DROP INDEX CONCURRENTLY IF EXISTS exemption_attachments_in_clear;
CREATE INDEX CONCURRENTLY exemption_attachments_in_clear ON exemption_attachments (organization_id, id) WHERE wrapped IS NULL;
