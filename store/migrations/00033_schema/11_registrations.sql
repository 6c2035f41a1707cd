-- Registrations with tax authorities, and what the simulated authority has received.

-- A registration. Its nexus record is the one of the same organization, country and state:
-- there is no column for it. While next_check_at is set there is pending work that only the
-- workflow does: a process that finds it due makes sure that the workflow runs, and notifies it
-- when the record has changed since the workflow last read it.
CREATE TABLE registrations (
  organization_id             ident NOT NULL REFERENCES organizations (id),
  id                          ident NOT NULL,
  country_code                text NOT NULL,
  state_code                  text NOT NULL, -- the country where there are no states; ZZ_EU for the one-stop shop
  state_name                  text NOT NULL,
  status                      text NOT NULL CHECK (status IN
                                ('UNREGISTERED', 'PROCESSING', 'VALIDATING', 'AWAITING_CLARIFICATION', 'REGISTERED',
                                 'DEREGISTERING', 'DEREGISTERED', 'CANCELLED')),
  filing_frequency            text NOT NULL,
  registration_import_type    text NOT NULL CHECK (registration_import_type IN ('REGULAR', 'OSS', 'SST')),
  registration_date           date,
  registration_email          text,
  registration_requested      timestamptz,
  registration_completed      timestamptz,
  deregistration_requested    timestamptz,
  deregistration_completed    timestamptz,
  deregistration_date         date,                   -- the last day it covers
  deregistration_reason       text,
  auto_registered             boolean NOT NULL,
  do_not_file                 boolean NOT NULL,
  registrations_regime        text NOT NULL CHECK (registrations_regime IN ('STANDARD', 'SIMPLIFIED')),
  change_regime_status        text CHECK (change_regime_status IN ('REQUESTED', 'APPROVED', 'DONE', 'ACKNOWLEDGED')),
  create_filings_from         date,
  imported                    boolean NOT NULL,
  initial_sync                boolean NOT NULL,
  vda                         boolean NOT NULL,
  sst_import                  boolean NOT NULL,
  amount_fees                 numeric(20,2) NOT NULL CHECK (amount_fees <> 'NaN'),
  username                    text,
  password                    sealed,
  password_metadata           sealed,
  sales_tax_id                text,
  tax_id                      text,
  comment                     text,
  jurisdiction_specific_fields json,                  -- as sent
  oss_type                    text CHECK (oss_type IN ('UNION', 'NON_UNION')),
  oss_member_state_of_identification_code text,
  third_party_enabled         boolean NOT NULL,
  two_factor_enabled          boolean NOT NULL,
  marked_collecting           boolean NOT NULL,
  marked_collecting_date      timestamptz,
  credits_total_available     numeric(20,2) NOT NULL DEFAULT 0 CHECK (credits_total_available <> 'NaN'),
  authority                   text,                   -- the adapter that submitted it
  authority_reference         text,                   -- the authority's own identifier
  clarification               text,                   -- what the authority wants to know
  attempt                     integer NOT NULL DEFAULT 0, -- counts the submissions to the authority
  changed                     boolean NOT NULL DEFAULT true,
  next_check_at               timestamptz,
  created_at                  timestamptz NOT NULL,
  updated_at                  timestamptz NOT NULL,
  PRIMARY KEY (organization_id, id),
  CONSTRAINT registrations_oss CHECK ((registration_import_type = 'OSS') = (country_code = 'ZZ_EU')
                                  AND (registration_import_type = 'OSS') = (oss_type IS NOT NULL)),
  CONSTRAINT registrations_date CHECK (status NOT IN ('REGISTERED', 'DEREGISTERING', 'DEREGISTERED')
                                   OR registration_date IS NOT NULL),
  CONSTRAINT registrations_end CHECK (status NOT IN ('DEREGISTERING', 'DEREGISTERED') OR deregistration_date IS NOT NULL)
);
-- One open registration for each jurisdiction. Canada as a whole has the state CA, its provinces
-- have their own: both may exist side by side, as may the one-stop shop and a member state of
-- the European Union.
CREATE UNIQUE INDEX registrations_open ON registrations (organization_id, country_code, state_code)
  WHERE status NOT IN ('DEREGISTERED', 'CANCELLED');
CREATE INDEX registrations_jurisdiction ON registrations (organization_id, country_code, state_code, id);
-- Read across organizations by the sweeper of every process.
CREATE INDEX registrations_next_check_at ON registrations (next_check_at) WHERE next_check_at IS NOT NULL;

CREATE TRIGGER registrations_status_moves AFTER UPDATE OF status ON registrations FOR EACH ROW
  WHEN (OLD.status <> NEW.status AND NOT may_move('registration_status', OLD.status, NEW.status))
  EXECUTE FUNCTION refuse_move();

-- How often returns are filed, and from which day on: a change counts from the next period, so
-- the frequency of a row holds until the next row.
CREATE TABLE registration_frequencies (
  organization_id  ident NOT NULL,
  registration_id  ident NOT NULL,
  from_date        date NOT NULL,                     -- 1900-01-01 for the first
  filing_frequency text NOT NULL CHECK (filing_frequency IN
                     ('UNKNOWN', 'MONTHLY', 'QUARTERLY', 'SEMI_ANNUALLY', 'ANNUALLY', 'ANNUAL_FISCAL_YEAR',
                      'SEMI_MONTHLY', 'BI_MONTHLY', 'FOUR_MONTHLY', 'QUARTERLY_PREPAYMENT')),
  PRIMARY KEY (organization_id, registration_id, from_date),
  FOREIGN KEY (organization_id, registration_id) REFERENCES registrations (organization_id, id)
);

-- What the simulated authority has received, one row for each submission: a submission that is
-- repeated gets the answer of the first.
CREATE TABLE sandbox_submissions (
  organization_id ident NOT NULL REFERENCES organizations (id),
  kind            text NOT NULL CHECK (kind IN ('RETURN', 'REGISTRATION', 'DEREGISTRATION')),
  record_id       ident NOT NULL,
  attempt         integer NOT NULL CHECK (attempt > 0),
  digest          text NOT NULL,
  answer          jsonb NOT NULL,
  decides_after   interval NOT NULL,
  contacts        integer NOT NULL DEFAULT 1,
  received_at     timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (organization_id, kind, record_id, attempt)
);
