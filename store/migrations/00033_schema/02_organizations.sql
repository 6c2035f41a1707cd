-- Organizations (the tenants): their settings, keys, limits, encrypted data, and the audit log.

CREATE TABLE organizations (
  id                     ident PRIMARY KEY,
  parent_organization_id ident REFERENCES organizations (id),
  external_id            ident NOT NULL,
  name                   text,
  name_key               ident,                 -- the name as it is compared
  source                 text,
  promo                  text,
  status                 text NOT NULL CHECK (status IN ('ACTIVE', 'ARCHIVED')),
  is_test                boolean NOT NULL,
  billing_plan           text NOT NULL CHECK (billing_plan IN ('FREE', 'GROWTH', 'PREMIUM')),
  disable_emails         boolean NOT NULL,
  email_group            text,
  scheduled_deletion     date,
  internal_use           boolean,
  archival_reason        text,
  archived_at            timestamptz,
  onboarding_status      text NOT NULL CHECK (onboarding_status IN
                           ('NOT_STARTED', 'IN_PROGRESS', 'COMPLETED', 'CANCELLED', 'EXPIRED', 'FAILED')),
  created_at             timestamptz NOT NULL,
  updated_at             timestamptz NOT NULL
);
-- A name is unique only among the active clients of one parent: a check across all
-- organizations would tell a partner which clients others have.
CREATE UNIQUE INDEX organizations_name ON organizations (parent_organization_id, name_key) WHERE status = 'ACTIVE';
CREATE INDEX organizations_parent ON organizations (parent_organization_id, created_at, id);

CREATE TABLE organization_settings (
  organization_id                   ident PRIMARY KEY REFERENCES organizations (id),
  disable_onboarding                boolean NOT NULL,
  enable_eu_registration            boolean,
  product_category_version          text NOT NULL,
  oss_scheme                        text CHECK (oss_scheme IN ('UNION', 'NON_UNION')),
  enable_new_auto_filing_experience boolean NOT NULL,
  enable_new_filing_ui              boolean,
  prefer_collected_tax_amounts      boolean NOT NULL,
  special_tax_circumstances         boolean NOT NULL,
  enabled_jurisdictions             jsonb NOT NULL,
  disable_ai_classification         boolean,
  enable_business_address_fallback  boolean,
  filing_lookback_periods           integer NOT NULL,
  rounding_unit                     text NOT NULL CHECK (rounding_unit IN
                                      ('TAX_PER_LINE', 'JURISDICTION_PER_LINE', 'TAX_PER_DOCUMENT')),
  updated_at                        timestamptz NOT NULL
);

CREATE TABLE api_keys (
  organization_id ident NOT NULL REFERENCES organizations (id),
  id              ident NOT NULL,
  name            text,
  hash            bytea NOT NULL CHECK (octet_length(hash) = 32),
  prefix          text NOT NULL,
  last4           text NOT NULL,
  metadata        jsonb NOT NULL,
  expires_at      timestamptz,
  last_used_at    timestamptz,
  rotated_to      ident,
  revoked_at      timestamptz,
  created_at      timestamptz NOT NULL,
  PRIMARY KEY (organization_id, id)
);
-- A request presents a key without its organization: this is the one look-up that cannot
-- begin with the organization.
CREATE UNIQUE INDEX api_keys_hash ON api_keys (hash);

-- Operator keys belong to the installation, not to an organization.
CREATE TABLE operator_keys (
  id         ident PRIMARY KEY,
  hash       bytea NOT NULL UNIQUE CHECK (octet_length(hash) = 32),
  created_at timestamptz NOT NULL,
  revoked_at timestamptz
);

-- Rate limits of single organizations, where they differ from those of the installation.
CREATE TABLE rate_limits (
  organization_id ident PRIMARY KEY REFERENCES organizations (id),
  per_minute      integer NOT NULL CHECK (per_minute > 0),
  burst           integer NOT NULL CHECK (burst > 0)
);

-- Stored answers to requests with an Idempotency-Key, each written in the database
-- transaction of its effect. A row without a status is a request in progress whose effect is
-- committed elsewhere; it expires with its lease.
CREATE TABLE idempotency_keys (
  organization_id ident NOT NULL REFERENCES organizations (id),
  -- of the key and of the organization that owns the API key
  key_hash        bytea NOT NULL CHECK (octet_length(key_hash) = 32),
  fingerprint     bytea NOT NULL CHECK (octet_length(fingerprint) = 32),
  status          smallint CHECK (status BETWEEN 200 AND 299),
  body            bytea,
  lease           text,                          -- of the request in progress
  created_at      timestamptz NOT NULL DEFAULT now(),
  expires_at      timestamptz NOT NULL,
  PRIMARY KEY (organization_id, key_hash),
  CHECK ((status IS NULL) = (lease IS NOT NULL))
);
CREATE INDEX idempotency_keys_expires_at ON idempotency_keys (expires_at);

-- The data key of an organization encrypts its personal data. Deleting the row erases that
-- data: nothing encrypted with the key, here or in the history of a workflow, can be read again.
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

-- Who did what. detail names the fields and amounts of a change, never personal data.
CREATE TABLE audit (
  organization_id ident NOT NULL,
  id              ident NOT NULL,
  at              timestamptz NOT NULL DEFAULT now(),
  api_key_id      ident,
  request_id      text,
  action          text NOT NULL,
  entity_type     text NOT NULL,
  entity_id       ident NOT NULL,
  revision        integer,
  detail          jsonb,
  PRIMARY KEY (organization_id, id)
);
CREATE INDEX audit_entity ON audit (organization_id, entity_id);
