-- +goose Up
-- levy: quick
-- Notices have comments.
ALTER TABLE comments
  DROP CONSTRAINT comments_object_type_check,
  ADD CONSTRAINT comments_object_type_check
    CHECK (object_type IN ('transaction', 'filing', 'notice', 'registration', 'organization')) NOT VALID;
