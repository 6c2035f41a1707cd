-- +goose NO TRANSACTION
-- +goose Up
-- levy: concurrent
-- The start of a process finds the master keys of documents without reading each document.
CREATE INDEX CONCURRENTLY IF NOT EXISTS exemption_attachments_master_key ON exemption_attachments (master_key_id)
  WHERE master_key_id IS NOT NULL;
