-- +goose Up
-- levy: quick
-- What people write about a record, for each other. A comment has a version for each text that it had; the last one counts.
CREATE TABLE comments (
  organization_id ident NOT NULL REFERENCES organizations (id),
  id              ident NOT NULL,
  object_type     text NOT NULL CHECK (object_type IN ('transaction', 'filing', 'registration', 'organization')),
  object_id       ident NOT NULL,
  user_id         ident NOT NULL REFERENCES users (id), -- its author
  created_at      timestamptz NOT NULL DEFAULT now(),
  withdrawn_at    timestamptz,
  PRIMARY KEY (organization_id, id)
);
CREATE INDEX comments_object ON comments (organization_id, object_type, object_id, created_at, id);
CREATE INDEX comments_user ON comments (user_id);
CREATE TABLE comment_versions (
  organization_id ident NOT NULL,
  comment_id      ident NOT NULL,
  number          smallint NOT NULL CHECK (number >= 1),
  text            text NOT NULL CHECK (length(text) BETWEEN 1 AND 2000),
  created_at      timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (organization_id, comment_id, number),
  FOREIGN KEY (organization_id, comment_id) REFERENCES comments (organization_id, id)
);
-- People whom a comment is for, until each is done with it.
CREATE TABLE comment_mentions (
  organization_id ident NOT NULL,
  comment_id      ident NOT NULL,
  user_id         ident NOT NULL REFERENCES users (id),
  done_at         timestamptz,
  PRIMARY KEY (organization_id, comment_id, user_id),
  FOREIGN KEY (organization_id, comment_id) REFERENCES comments (organization_id, id)
);
CREATE INDEX comment_mentions_open ON comment_mentions (user_id) WHERE done_at IS NULL;
CREATE INDEX comment_mentions_user ON comment_mentions (user_id, comment_id);

ALTER TABLE comments ENABLE ROW LEVEL SECURITY;
CREATE POLICY own_organization ON comments USING (organization_id = ANY (
  (SELECT string_to_array(current_setting('levy.organizations', true), ','))::text[]));
ALTER TABLE comment_versions ENABLE ROW LEVEL SECURITY;
CREATE POLICY own_organization ON comment_versions USING (organization_id = ANY (
  (SELECT string_to_array(current_setting('levy.organizations', true), ','))::text[]));
