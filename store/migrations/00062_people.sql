-- +goose Up
-- People who work in the console or on the API with a session instead of a key. A person is one of the whole installation;
-- what a person may do for an organization is a membership. Secrets are kept as hashes only.
CREATE TABLE users (
  id            ident PRIMARY KEY,
  email         text NOT NULL,
  email_key     ident NOT NULL UNIQUE,          -- the address as it is compared: without letter case
  name          text NOT NULL,
  staff_role    text CHECK (staff_role IN ('auditor', 'operator')),
  status        text NOT NULL CHECK (status IN ('INVITED', 'ACTIVE', 'DISABLED')),
  password_hash text,                           -- argon2id with its parameters and salt
  created_at    timestamptz NOT NULL,
  updated_at    timestamptz NOT NULL,
  CHECK (status <> 'ACTIVE' OR password_hash IS NOT NULL)
);

CREATE TABLE memberships (
  organization_id ident NOT NULL REFERENCES organizations (id),
  user_id         ident NOT NULL REFERENCES users (id),
  role            text NOT NULL CHECK (role IN ('viewer', 'preparer', 'approver', 'admin')),
  created_at      timestamptz NOT NULL,
  PRIMARY KEY (organization_id, user_id)
);
CREATE INDEX memberships_user ON memberships (user_id);

-- A link with which a person sets a password, once.
CREATE TABLE sign_in_links (
  hash       bytea PRIMARY KEY,
  user_id    ident NOT NULL REFERENCES users (id),
  created_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL,
  used_at    timestamptz
);
CREATE INDEX sign_in_links_user ON sign_in_links (user_id);

-- What a cookie stands for. A session ends at ends_at, or when it was not used for long, or when it is revoked.
CREATE TABLE sessions (
  hash       bytea PRIMARY KEY,
  user_id    ident NOT NULL REFERENCES users (id),
  created_at timestamptz NOT NULL,
  seen_at    timestamptz NOT NULL,
  ends_at    timestamptz NOT NULL,
  revoked_at timestamptz
);
CREATE INDEX sessions_user ON sessions (user_id) WHERE revoked_at IS NULL;

-- Who did it is a person with a session.
ALTER TABLE audit ADD COLUMN user_id ident, ADD COLUMN user_name text;
ALTER TABLE transaction_imports ADD COLUMN user_id ident, ADD COLUMN user_name text;

-- A person does not approve a return that the same person was the last to change.
ALTER TABLE organization_settings ADD COLUMN require_second_person boolean NOT NULL DEFAULT false;
