-- +goose Up
-- levy: quick
-- A view is shared as long as its person has a role in the organization. A person who comes back shares anew, so that an
-- organization never has more shared views than it may. The release before asks for the role when it shows views.
UPDATE saved_views v SET shared_with = NULL
 WHERE shared_with IS NOT NULL
   AND NOT EXISTS (SELECT FROM memberships m WHERE m.organization_id = v.shared_with AND m.user_id = v.user_id);
ALTER TABLE saved_views
  ADD CONSTRAINT saved_views_role FOREIGN KEY (shared_with, user_id) REFERENCES memberships (organization_id, user_id)
    ON DELETE SET NULL (shared_with) NOT VALID; -- at most 20 rows a person
