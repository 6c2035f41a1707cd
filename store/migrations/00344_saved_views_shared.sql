-- +goose NO TRANSACTION
-- +goose Up
-- levy: concurrent
-- The views that are shared with an organization are read with each list of its people.
CREATE INDEX CONCURRENTLY IF NOT EXISTS saved_views_shared ON saved_views (shared_with) WHERE shared_with IS NOT NULL;
