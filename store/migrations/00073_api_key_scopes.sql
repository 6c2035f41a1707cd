-- +goose Up
-- What a key may be used for. Keys from before, and those that a version from before makes, may do all.
ALTER TABLE api_keys ADD COLUMN scopes jsonb NOT NULL DEFAULT '["read", "write", "people"]'
  CHECK (jsonb_typeof(scopes) = 'array' AND scopes <> '[]' AND scopes <@ '["read", "write", "people"]');
