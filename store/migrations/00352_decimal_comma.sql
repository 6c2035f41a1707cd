-- +goose Up
-- levy: quick
-- Numbers in the console can have a decimal comma.
ALTER TABLE preferences
  DROP CONSTRAINT preferences_number_format_check,
  ADD CONSTRAINT preferences_number_format_check
    CHECK (number_format IN ('COMMA', 'SPACE', 'APOSTROPHE', 'NONE', 'POINT', 'SPACE_COMMA')) NOT VALID;
