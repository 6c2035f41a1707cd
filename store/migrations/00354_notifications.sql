-- +goose Up
-- levy: quick
-- E-mail about work, which a person may turn off. Its row is PLANNED until it is sent, and its content is read then. The
-- release before sends PENDING rows only, so it sends none of these with a wrong text.
ALTER TABLE mails
  DROP CONSTRAINT mails_kind_check,
  DROP CONSTRAINT mails_status_check,
  DROP CONSTRAINT mails_check,
  ADD CONSTRAINT mails_kind_check CHECK (kind IN ('INVITATION', 'SIGN_IN_LINK', 'SECOND_FACTOR_RESET', 'DUE_DATES', 'REJECTIONS',
    'DIGEST', 'MENTIONS', 'ASSIGNMENTS')),
  ADD CONSTRAINT mails_status_check CHECK (status IN ('PENDING', 'PLANNED', 'SENT', 'FAILED', 'DROPPED')),
  ADD CONSTRAINT mails_waits_check CHECK ((status IN ('PENDING', 'PLANNED')) = (next_attempt_at IS NOT NULL));

-- Addresses in mails that turn off a kind of e-mail of a person, and can do nothing else.
CREATE TABLE mail_stops (
  hash       bytea PRIMARY KEY,
  user_id    ident NOT NULL REFERENCES users (id),
  kind       text NOT NULL CHECK (kind IN ('DUE_DATES', 'REJECTIONS', 'DIGEST', 'MENTIONS', 'ASSIGNMENTS')),
  created_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX mail_stops_user ON mail_stops (user_id, kind);
CREATE INDEX mail_stops_created ON mail_stops (created_at);

ALTER TABLE preferences
  ADD COLUMN mails_off jsonb NOT NULL DEFAULT '[]',      -- kinds of e-mail that the person does not want
  ADD COLUMN digest_day smallint NOT NULL DEFAULT 1 CHECK (digest_day BETWEEN 1 AND 7); -- 1 is Monday

-- Since when an exception has its assignee, and the person who gave it. NULL: the release before did.
ALTER TABLE exception_notes
  ADD COLUMN assigned_at timestamptz,
  ADD COLUMN assigned_by ident;
