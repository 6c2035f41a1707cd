-- Onboarding: what an organization says about itself in eight steps, and how far it is.

-- The answers of steps 3 to 7: one document per step, as it was accepted, with personal
-- values masked. What SQL filters by has a column of its own.
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
  CONSTRAINT contact_is_masked CHECK (business_contact::text !~ '_(ssn|dl)": "[^*]'
                                  AND business_contact::text !~ '_dob": "[0-9]{4}[^"]'),
  CONSTRAINT owners_are_masked CHECK (business_owners::text !~ '_(ssn|dl)": "[^*]'
                                  AND business_owners::text !~ '_dob": "[0-9]{4}[^"]')
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

-- An onboarding. While next_check_at is set there is pending work that only the workflow does:
-- a process that finds it due makes sure that the workflow runs.
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
-- Read across organizations by the sweeper of every process.
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
  submission_id   ident,                      -- the last one accepted: sent again it changes nothing
  PRIMARY KEY (organization_id, number)
);
