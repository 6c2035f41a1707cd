-- +goose Up
-- levy: quick
-- E-mail with the link of an onboarding, to the contact of the client or to an address that the partner types. A table of its
-- own: the release before takes each row of mails for one to an account. The token of a mail is made when it is sent; an
-- attempt that was cut off may have arrived, so each one adds its hash. These open the link as long as it is the newest.
CREATE TABLE onboarding_mails (
  id              ident PRIMARY KEY,
  organization_id ident NOT NULL REFERENCES organizations (id), -- the client
  link_id         ident NOT NULL,                               -- of onboarding_links, also after its end
  kind            text NOT NULL CHECK (kind IN ('ONBOARDING_LINK', 'ONBOARDING_REMINDER')),
  email           text NOT NULL,                                -- empty after the end of the link
  hashes          bytea[] NOT NULL DEFAULT '{}',
  status          text NOT NULL DEFAULT 'PENDING' CHECK (status IN ('PENDING', 'SENT', 'FAILED', 'DROPPED')),
  tries           smallint NOT NULL DEFAULT 0,
  next_attempt_at timestamptz DEFAULT now(),
  failure         text,                                         -- of the last attempt, in words of Levy
  created_at      timestamptz NOT NULL DEFAULT now(),
  sent_at         timestamptz,
  CHECK ((status = 'PENDING') = (next_attempt_at IS NOT NULL)),
  CHECK ((status = 'SENT') = (sent_at IS NOT NULL)),
  UNIQUE (link_id, kind)
);
CREATE INDEX onboarding_mails_due ON onboarding_mails (next_attempt_at) WHERE next_attempt_at IS NOT NULL;
CREATE INDEX onboarding_mails_sent ON onboarding_mails (sent_at, organization_id) WHERE status = 'SENT';
CREATE INDEX onboarding_mails_client ON onboarding_mails (organization_id, created_at);
CREATE INDEX onboarding_mails_hashes ON onboarding_mails USING gin (hashes);
