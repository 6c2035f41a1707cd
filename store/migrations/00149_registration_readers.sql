-- +goose Up
-- The activity that has read the last change of a registration. If its result was lost, its next execution finds the
-- change once more.
ALTER TABLE registrations ADD COLUMN change_read_by text;
