-- +goose Up

-- Personal data is stored sealed and nowhere else: what does not begin with the
-- version byte, or is too short to have a nonce and a tag, is refused.
CREATE DOMAIN sealed AS bytea CHECK (octet_length(VALUE) >= 30 AND get_byte(VALUE, 0) = 1);

-- One key per organization seals its personal data. Deleting the row is erasure:
-- nothing that it sealed, here or in a workflow's history, can be read again.
CREATE TABLE data_keys (
  organization_id ident PRIMARY KEY REFERENCES organizations (id),
  master_key_id   ident NOT NULL,
  wrapped         bytea NOT NULL CHECK (octet_length(wrapped) = 60),
  created_at      timestamptz NOT NULL DEFAULT now(),
  wrapped_at      timestamptz NOT NULL DEFAULT now()
);

CREATE TABLE personal_data (
  organization_id ident NOT NULL REFERENCES organizations (id),
  field           ident NOT NULL,
  value           sealed NOT NULL,
  PRIMARY KEY (organization_id, field)
);

-- What the steps 3 to 7 say: one document for each step, as it was accepted, with
-- personal values masked. What SQL asks for has a column of its own.
CREATE TABLE organization_details (
  organization_id      ident PRIMARY KEY REFERENCES organizations (id),
  id                   ident NOT NULL,
  business_details     jsonb,
  business_address     jsonb,
  business_information jsonb,
  business_contact     jsonb,
  business_owners      jsonb,
  auto_register        boolean NOT NULL DEFAULT false,
  auto_file            boolean NOT NULL DEFAULT false,
  place                jsonb,                 -- where the business address is
  address_status       text NOT NULL DEFAULT 'BLANK',
  revision             integer NOT NULL DEFAULT 1,
  created_at           timestamptz NOT NULL,
  updated_at           timestamptz NOT NULL,
  CONSTRAINT contact_is_masked CHECK (business_contact::text !~ '_(ssn|dl)": "[^*]' AND business_contact::text !~ '_dob": "[0-9]{4}[^"]'),
  CONSTRAINT owners_are_masked CHECK (business_owners::text !~ '_(ssn|dl)": "[^*]' AND business_owners::text !~ '_dob": "[0-9]{4}[^"]')
);

CREATE TABLE bank_details (
  organization_id ident PRIMARY KEY REFERENCES organizations (id),
  id              ident NOT NULL,
  details         jsonb NOT NULL,
  revision        integer NOT NULL DEFAULT 1,
  created_at      timestamptz NOT NULL,
  updated_at      timestamptz NOT NULL,
  CONSTRAINT bank_details_are_masked CHECK (details::text !~ '(routing|account)_number": "[^*]')
);

-- The promise of an onboarding. While next_check_at is set there is work left that
-- only the workflow does: whoever finds it due makes sure that the workflow runs.
CREATE TABLE onboardings (
  organization_id          ident PRIMARY KEY REFERENCES organizations (id),
  status                   text NOT NULL CHECK (status IN
                             ('NOT_STARTED', 'IN_PROGRESS', 'COMPLETED', 'CANCELLED', 'EXPIRED', 'FAILED')),
  completed                smallint NOT NULL CHECK (completed BETWEEN 1 AND 8),
  version                  bigint NOT NULL DEFAULT 1,   -- rises with every change; the event stream counts by it
  reason                   text,
  compensation_started_at  timestamptz,
  compensation_finished_at timestamptz,
  reminders                smallint NOT NULL DEFAULT 0, -- sent since the last progress
  reminded_at              timestamptz,
  next_check_at            timestamptz,
  created_at               timestamptz NOT NULL,
  updated_at               timestamptz NOT NULL,
  CHECK ((status IN ('CANCELLED', 'EXPIRED', 'FAILED')) = (compensation_started_at IS NOT NULL)),
  CHECK ((status = 'COMPLETED') <= (completed = 8))
);
-- Asked across organizations by the sweeper of every process.
CREATE INDEX onboardings_next_check_at ON onboardings (next_check_at) WHERE next_check_at IS NOT NULL;

CREATE TRIGGER onboardings_status_moves AFTER UPDATE OF status ON onboardings FOR EACH ROW
  WHEN (OLD.status <> NEW.status AND NOT may_move('onboarding_status', OLD.status, NEW.status))
  EXECUTE FUNCTION refuse_move();

CREATE TABLE onboarding_steps (
  organization_id ident NOT NULL REFERENCES onboardings (organization_id),
  number          smallint NOT NULL CHECK (number BETWEEN 1 AND 8),
  started_at      timestamptz NOT NULL,
  completed_at    timestamptz,
  compensated_at  timestamptz,
  attempts        integer NOT NULL DEFAULT 0,
  error           text,
  submission_id   ident,                      -- the last one accepted: the same one again changes nothing
  PRIMARY KEY (organization_id, number)
);

-- Organizations that exist: clients are at step 2 or beyond it, partners start at step 3.
INSERT INTO organization_details (organization_id, id, created_at, updated_at)
SELECT id, 'odet_' || substr(id, 5), created_at, created_at FROM organizations;
INSERT INTO onboardings (organization_id, status, completed, next_check_at, created_at, updated_at)
SELECT o.id, o.onboarding_status, CASE WHEN o.parent_organization_id IS NULL OR k.found THEN 2 ELSE 1 END,
       CASE WHEN o.onboarding_status = 'IN_PROGRESS' THEN now() END, o.created_at, o.created_at
  FROM organizations o
 CROSS JOIN LATERAL (SELECT EXISTS (SELECT FROM api_keys x WHERE x.organization_id = o.id) AS found) k
 WHERE o.onboarding_status IN ('NOT_STARTED', 'IN_PROGRESS') AND o.status = 'ACTIVE';
INSERT INTO onboarding_steps (organization_id, number, started_at, completed_at, attempts)
SELECT b.organization_id, n, b.created_at, CASE WHEN n <= b.completed THEN b.created_at END, CASE WHEN n <= b.completed THEN 1 ELSE 0 END
  FROM onboardings b CROSS JOIN LATERAL generate_series(1, b.completed + 1) n;
