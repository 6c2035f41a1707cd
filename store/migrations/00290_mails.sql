-- +goose Up
-- levy: quick
-- E-mail to people, until it is sent. A row says to whom and about what; the text is composed when it is sent. The link of
-- a mail is made then, too, so that no token is stored. tries counts attempts; the number of one is also its lease.
CREATE TABLE mails (
  id              ident PRIMARY KEY,
  organization_id ident REFERENCES organizations (id),   -- NULL: of the operator
  user_id         ident NOT NULL REFERENCES users (id),
  kind            text NOT NULL CHECK (kind IN ('INVITATION', 'SIGN_IN_LINK', 'SECOND_FACTOR_RESET')),
  occasion        text NOT NULL,                         -- what it is about: one mail of each
  status          text NOT NULL DEFAULT 'PENDING' CHECK (status IN ('PENDING', 'SENT', 'FAILED', 'DROPPED')),
  tries           smallint NOT NULL DEFAULT 0,
  next_attempt_at timestamptz DEFAULT now(),
  failure         text,                                  -- of the last attempt, in words of Levy
  created_at      timestamptz NOT NULL DEFAULT now(),
  sent_at         timestamptz,
  CHECK ((status = 'PENDING') = (next_attempt_at IS NOT NULL)),
  CHECK ((status = 'SENT') = (sent_at IS NOT NULL))
);
-- The same mail is never written twice, and a person who waits for a link of an organization gets one.
CREATE UNIQUE INDEX mails_occasion ON mails (user_id, kind, occasion);
CREATE UNIQUE INDEX mails_waiting_link ON mails (user_id, coalesce(organization_id, ''))
  WHERE status = 'PENDING' AND kind = 'SIGN_IN_LINK';
-- Read across organizations by the processes that send.
CREATE INDEX mails_due ON mails (next_attempt_at) WHERE status = 'PENDING';
CREATE INDEX mails_sent ON mails (sent_at, organization_id) WHERE status = 'SENT';
