-- +goose Up
-- levy: quick
-- A view has an address of its own, and may be shared with the people of an organization. The release before writes
-- neither: its views get an id, and one that it saves again keeps both.
ALTER TABLE saved_views
  ADD COLUMN id ident NOT NULL DEFAULT 'view_',
  ADD COLUMN shared_with ident REFERENCES organizations (id); -- NULL: only its person sees it
ALTER TABLE saved_views ALTER COLUMN id SET DEFAULT 'view_' || replace(gen_random_uuid()::text, '-', '');
UPDATE saved_views SET id = DEFAULT;
ALTER TABLE saved_views ADD UNIQUE (id); -- at most 20 rows a person
