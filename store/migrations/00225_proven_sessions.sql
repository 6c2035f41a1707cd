-- +goose Up
-- When the person of a session last proved who uses it: by signing in, or again later. What gives access needs a proof of
-- the last five minutes. NULL: never, or not known, as for sessions from before.
ALTER TABLE sessions ADD COLUMN proven_at timestamptz;
