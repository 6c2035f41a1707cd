-- +goose Up
-- Who takes care of something that needs a person, and what was noted about it. What it is about stands in the record itself:
-- a row says nothing about whether it still needs somebody.
CREATE TABLE exception_notes (
  organization_id ident NOT NULL REFERENCES organizations (id),
  type            text NOT NULL,
  object_id       ident NOT NULL,
  assignee        text,
  note            text,
  updated_at      timestamptz NOT NULL,
  PRIMARY KEY (organization_id, type, object_id)
);
