-- +goose Up
-- levy: quick
-- The time zone in which the console shows instants on pages of an organization. NULL: UTC. It decides no day of the tax law.
ALTER TABLE organization_settings ADD COLUMN time_zone text CHECK (length(time_zone) BETWEEN 1 AND 64);

-- Each row of preferences has a zone, and UTC is also the value of a person without a choice. The release before writes
-- no value here: what it stores as UTC is no choice, and each other zone is one.
ALTER TABLE preferences ADD COLUMN utc_chosen boolean NOT NULL DEFAULT false;
