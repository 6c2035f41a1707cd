-- +goose Up
-- The addresses and networks from which a key may be used, as an array of texts. NULL: from everywhere.
ALTER TABLE api_keys ADD COLUMN allowed_addresses jsonb;
