-- +goose Up
-- What the people and keys of a partner may do for a client. During the onboarding that is all of an admin, whatever the
-- role; then role counts. 'as_before' is what partners could do before there were grants: read, and manage the keys and
-- the record of the client. The client's admin confirms, changes or ends it. A trigger writes the row with the client.
CREATE TABLE client_grants (
  organization_id ident PRIMARY KEY REFERENCES organizations (id), -- the client
  partner_id      ident NOT NULL REFERENCES organizations (id),
  role            text NOT NULL DEFAULT 'preparer' CHECK (role IN ('preparer', 'approver', 'as_before')),
  confirmed_at    timestamptz,
  ended_at        timestamptz,
  created_at      timestamptz NOT NULL DEFAULT now(),
  updated_at      timestamptz NOT NULL DEFAULT now()
);

-- +goose StatementBegin
CREATE FUNCTION begin_client_grant() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO client_grants (organization_id, partner_id) VALUES (NEW.id, NEW.parent_organization_id);
  RETURN NULL;
END $$;
-- +goose StatementEnd
CREATE TRIGGER organizations_grant AFTER INSERT ON organizations FOR EACH ROW
  WHEN (NEW.parent_organization_id IS NOT NULL)
  EXECUTE FUNCTION begin_client_grant();
-- The end of an onboarding changes what the partner's keys may do.
CREATE TRIGGER organizations_tell_onboarded AFTER UPDATE OF onboarding_status ON organizations FOR EACH ROW
  WHEN (OLD.onboarding_status <> NEW.onboarding_status)
  EXECUTE FUNCTION tell_principals('id');
CREATE TRIGGER client_grants_tell AFTER UPDATE ON client_grants FOR EACH ROW
  EXECUTE FUNCTION tell_principals('organization_id');

-- Clients that exist keep what their partner can do, until their admin confirms, changes or ends it.
INSERT INTO client_grants (organization_id, partner_id, role)
SELECT id, parent_organization_id, 'as_before' FROM organizations WHERE parent_organization_id IS NOT NULL;

-- What a partner has made for its client under the grant ends, or is named, with the grant. A key does no more than the
-- grant. The first key of a client is its own.
ALTER TABLE makers ADD COLUMN granted boolean NOT NULL DEFAULT false;
ALTER TABLE api_keys ADD COLUMN granted boolean NOT NULL DEFAULT false;

UPDATE makers m SET granted = true
  FROM organizations o
 WHERE o.id = m.organization_id AND NOT m.own AND o.parent_organization_id IS NOT NULL
   AND (EXISTS (SELECT FROM api_keys k WHERE k.organization_id = o.parent_organization_id AND k.id = m.key_id)
        OR EXISTS (SELECT FROM memberships p WHERE p.organization_id = o.parent_organization_id AND p.user_id = m.user_id)
           AND NOT EXISTS (SELECT FROM memberships p WHERE p.organization_id = o.id AND p.user_id = m.user_id));
UPDATE api_keys k SET granted = true
  FROM makers m
 WHERE m.organization_id = k.organization_id AND m.kind = 'api_key' AND m.id = k.id AND m.granted;
