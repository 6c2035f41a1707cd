-- +goose Up
-- levy: quick
-- The schema of version 0.3.0: tables with their indexes by subject, functions with their triggers, rights, first rows.
-- A database of 0.3.0 has it already. This file never changes, and further files change the schema.

-- Identifiers compare byte by byte. Amounts and rates refuse NaN, which would pass every
-- other check and make every sum that includes it NaN.
CREATE DOMAIN ident    AS text COLLATE "C";
CREATE DOMAIN amount   AS numeric(12,2) CHECK (VALUE <> 'NaN');
CREATE DOMAIN tax_rate AS numeric(12,9) CHECK (VALUE <> 'NaN');
CREATE DOMAIN quantity AS numeric(21,9) CHECK (VALUE <> 'NaN');

-- Personal data is stored encrypted and nowhere else: a value that does not begin with the
-- version byte, or is too short to contain a nonce and an authentication tag, is refused.
CREATE DOMAIN sealed AS bytea CHECK (octet_length(VALUE) >= 30 AND get_byte(VALUE, 0) = 1);

-- The exclusion of overlapping filing periods compares texts and ranges in one index.
CREATE EXTENSION IF NOT EXISTS btree_gist;

-- Trigrams find parts of texts. Without the extension a search reads every row.
-- +goose StatementBegin
DO $$
BEGIN
  CREATE EXTENSION IF NOT EXISTS pg_trgm;
EXCEPTION WHEN feature_not_supported OR undefined_file OR insufficient_privilege THEN
  RAISE NOTICE 'this server has no pg_trgm: searches will be slow';
END $$;
-- +goose StatementEnd

-- What happened to the records of an organization, in an order that never changes (see store/events). A row is written in
-- the database transaction of the change. Its number is drawn after that transaction has its id: so every transaction that
-- began to write after a number was seen draws a higher one, which is how readers know what can still appear.
CREATE SEQUENCE event_sequence;

-- ------------------------------------------------------------
-- Organizations (the tenants): their settings, keys, limits, encrypted data, and the audit log.

CREATE TABLE organizations (
  id                     ident PRIMARY KEY,
  parent_organization_id ident REFERENCES organizations (id),
  external_id            ident NOT NULL,
  name                   text,
  name_key               ident, -- the name as it is compared
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
  organization_id          ident PRIMARY KEY REFERENCES organizations (id),
  disable_onboarding       boolean NOT NULL,
  enable_eu_registration   boolean,
  product_category_version text NOT NULL,
  oss_scheme               text CHECK (oss_scheme IN ('UNION', 'NON_UNION')),
  enable_new_auto_filing_experience boolean NOT NULL,
  enable_new_filing_ui     boolean,
  prefer_collected_tax_amounts boolean NOT NULL,
  special_tax_circumstances boolean NOT NULL,
  enabled_jurisdictions    jsonb NOT NULL,
  disable_ai_classification boolean,
  enable_business_address_fallback boolean,
  filing_lookback_periods  integer NOT NULL,
  rounding_unit            text NOT NULL CHECK (rounding_unit IN
                             ('TAX_PER_LINE', 'JURISDICTION_PER_LINE', 'TAX_PER_DOCUMENT')),
  updated_at               timestamptz NOT NULL,
  -- A person does not approve a return that the same person was the last to change.
  require_second_person    boolean NOT NULL DEFAULT false,
  -- One admin asks to end the second person for returns, and another one ends it. Open returns have it in their history.
  second_person_end_by     ident,
  second_person_end_name   text,
  second_person_end_at     timestamptz
);

CREATE TABLE api_keys (
  organization_id   ident NOT NULL REFERENCES organizations (id),
  id                ident NOT NULL,
  name              text,
  hash              bytea NOT NULL CHECK (octet_length(hash) = 32),
  prefix            text NOT NULL,
  last4             text NOT NULL,
  metadata          jsonb NOT NULL,
  expires_at        timestamptz,
  last_used_at      timestamptz,
  rotated_to        ident,
  revoked_at        timestamptz,
  created_at        timestamptz NOT NULL,
  -- What a key may be used for. Keys from before, and those that a version from before makes, may do all.
  scopes            jsonb NOT NULL DEFAULT '["read", "write", "people"]'
    CHECK (jsonb_typeof(scopes) = 'array' AND scopes <> '[]' AND scopes <@ '["read", "write", "people"]'),
  granted           boolean NOT NULL DEFAULT false,
  -- The addresses and networks from which a key may be used, as an array of texts. NULL: from everywhere.
  allowed_addresses jsonb,
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
  revoked_at timestamptz,
  -- Operators have names. Their keys end, and prove who sends what to a workflow: public_key is the half of what signs that
  -- proves a signature and makes none. Keys from before have no name; they open histories and prove nothing.
  name       text CHECK (name <> '' AND length(name) <= 100),
  public_key bytea CHECK (octet_length(public_key) = 32),
  expires_at timestamptz
);
-- A half proves whose key it is: no two keys have the same.
CREATE UNIQUE INDEX operator_keys_public_key ON operator_keys (public_key);

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
  lease           text, -- of the request in progress
  created_at      timestamptz NOT NULL DEFAULT now(),
  expires_at      timestamptz NOT NULL,
  -- An answer with a tax id in it is kept encrypted. A sealed status without a body is of an answer that was erased. A row
  -- whose time is over may have been written over without clearing these columns: a status or a lease counts before them.
  sealed_status   smallint,
  sealed_body     bytea,
  sealed_about    text[], -- ids in the body of whom may be erased: customers, people, organizations
  PRIMARY KEY (organization_id, key_hash)
);
ALTER TABLE idempotency_keys ADD CONSTRAINT idempotency_keys_one_form CHECK (
  num_nonnulls(status, lease) = 1 OR num_nonnulls(status, lease) = 0 AND coalesce(sealed_status BETWEEN 200 AND 299, false)) NOT VALID;
ALTER TABLE idempotency_keys ALTER COLUMN sealed_body SET STORAGE EXTERNAL; -- it cannot be packed
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
  -- Who ran a command of the operator, or changed a filing from the Temporal UI.
  staff           text,
  -- The request of an event is that of the audit trail, which the same database transaction wrote.
  written_by      xid8 DEFAULT pg_current_xact_id(),
  -- Who did it is a person with a session.
  user_id         ident,
  user_name       text,
  -- The ledger proves itself: accepted versions of transactions, decided liabilities and filed returns have a leaf, a keyed
  -- hash, in the chain of the audit trail (see store/audit and package ledger). That of a version or return is in its row
  -- of the trail. NULL: the row is of another record, or a release before has written it.
  leaf            bytea,
  PRIMARY KEY (organization_id, id)
);
CREATE INDEX audit_entity ON audit (organization_id, entity_id);
-- Who was erased, and when wrapped keys were saved: few rows of many.
CREATE INDEX audit_of_keys ON audit (action, at) WHERE action IN ('erase', 'keys_saved');
-- Who gave access to a person or made a key, in whatever organization.
CREATE INDEX audit_of_access ON audit (entity_id) WHERE entity_type IN ('user', 'api_key');

-- ------------------------------------------------------------
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
  place                jsonb, -- where the business address is
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
  version                  bigint NOT NULL DEFAULT 1, -- rises with every change; the event stream counts by it
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

CREATE TABLE onboarding_steps (
  organization_id ident NOT NULL REFERENCES onboardings (organization_id),
  number          smallint NOT NULL CHECK (number BETWEEN 1 AND 8),
  started_at      timestamptz NOT NULL,
  completed_at    timestamptz,
  compensated_at  timestamptz,
  attempts        integer NOT NULL DEFAULT 0,
  error           text,
  submission_id   ident, -- the last one accepted: sent again it changes nothing
  -- What was wrong with the last refused call of a step, by field: code, place and sentence, nothing of what was sent.
  errors          jsonb,
  -- Calls of a step that were refused are counted apart from those that were accepted. Steps of a time before count both in
  -- attempts: which were which is not known.
  refused         integer NOT NULL DEFAULT 0,
  PRIMARY KEY (organization_id, number)
);

-- ------------------------------------------------------------
-- Products and customers.

CREATE TABLE products (
  organization_id     ident NOT NULL REFERENCES organizations (id),
  id                  ident NOT NULL,
  external_id         ident NOT NULL,
  name                text NOT NULL,
  product_category    text NOT NULL,
  product_subcategory text,
  tax_class           text NOT NULL,
  classification      text NOT NULL CHECK (classification IN ('SUBCATEGORY', 'CATEGORY_DEFAULT', 'AUTO_DEFAULT')),
  tax_exempt          boolean NOT NULL,
  description         text,
  status              text NOT NULL CHECK (status IN ('APPROVED', 'PARTIALLY_APPROVED', 'PENDING', 'ARCHIVED')),
  source              text NOT NULL,
  sku                 jsonb NOT NULL,
  connection_id       text,
  created_at          timestamptz NOT NULL,
  updated_at          timestamptz NOT NULL,
  -- Products carry the merchant's own tax code of another system.
  code                text NOT NULL DEFAULT '',
  PRIMARY KEY (organization_id, id)
);
CREATE UNIQUE INDEX products_external_id ON products (organization_id, external_id);
CREATE INDEX products_created_at ON products (organization_id, created_at DESC, id DESC);
-- Lists of products by name and by status, and the pages behind a cursor in them.
CREATE INDEX products_name ON products (organization_id, name, id);
CREATE INDEX products_status ON products (organization_id, status, id);
-- Identifiers lose the white space around them. Records of earlier releases may have some: they are found by what is
-- left without it. The indexes have these rows alone. The characters are Unicode's White_Space, as in store/pg.
CREATE INDEX products_padded ON products (organization_id, btrim(external_id,
  E'\u0009\u000A\u000B\u000C\u000D\u0020\u0085\u00A0\u1680\u2000\u2001\u2002\u2003\u2004\u2005'
  '\u2006\u2007\u2008\u2009\u200A\u2028\u2029\u202F\u205F\u3000'), id)
  WHERE external_id <> btrim(external_id,
  E'\u0009\u000A\u000B\u000C\u000D\u0020\u0085\u00A0\u1680\u2000\u2001\u2002\u2003\u2004\u2005'
  '\u2006\u2007\u2008\u2009\u200A\u2028\u2029\u202F\u205F\u3000');

CREATE TABLE customers (
  organization_id      ident NOT NULL REFERENCES organizations (id),
  id                   ident NOT NULL,
  external_id          ident NOT NULL,
  name                 text,
  status               text NOT NULL CHECK (status IN ('ACTIVE', 'ARCHIVED')),
  email                text,
  phone                text,
  street_1             text,
  street_2             text,
  city                 text,
  county               text,
  state                text,
  postal_code          text,
  country              text,
  full_address         text,
  address_status       text NOT NULL,
  source               text NOT NULL,
  connection_id        text,
  registration_number  text,
  external_friendly_id text,
  tax_registrations    jsonb NOT NULL,
  created_at           timestamptz NOT NULL,
  updated_at           timestamptz NOT NULL,
  PRIMARY KEY (organization_id, id)
);
CREATE UNIQUE INDEX customers_external_id ON customers (organization_id, external_id);
CREATE INDEX customers_created_at ON customers (organization_id, created_at DESC, id DESC);
CREATE INDEX customers_name ON customers (organization_id, name, id);
-- Whether an organization has any customer with a tax registration: nearly none has, and then no stage reads customers.
CREATE INDEX customers_with_tax_registrations ON customers (organization_id) WHERE tax_registrations <> '[]';
CREATE INDEX customers_padded ON customers (organization_id, btrim(external_id,
  E'\u0009\u000A\u000B\u000C\u000D\u0020\u0085\u00A0\u1680\u2000\u2001\u2002\u2003\u2004\u2005'
  '\u2006\u2007\u2008\u2009\u200A\u2028\u2029\u202F\u205F\u3000'), id)
  WHERE external_id <> btrim(external_id,
  E'\u0009\u000A\u000B\u000C\u000D\u0020\u0085\u00A0\u1680\u2000\u2001\u2002\u2003\u2004\u2005'
  '\u2006\u2007\u2008\u2009\u200A\u2028\u2029\u202F\u205F\u3000');

-- ------------------------------------------------------------
-- Transactions with their parts, the journal of their stages, and the outbox that carries
-- their pending work.

-- The wide row of a transaction. The stages write it four times within seconds. Its pages keep
-- free space for the new versions, and no index mentions processing_status: both keep those
-- updates inside the page (HOT), so that no index has to be written. Stage 1 doubles the size of
-- a row, because it adds the place; three more versions follow. Space for all of them would
-- leave half of every page empty for good.
-- The organization is checked through the customer: a foreign key of its own would make every
-- insert lock the one row of a busy organization.
CREATE TABLE transactions (
  organization_id       ident NOT NULL,
  id                    ident NOT NULL,
  external_id           ident NOT NULL,
  type                  text NOT NULL CHECK (type IN
                          ('SALE', 'FULL_CREDIT_NOTE', 'PARTIAL_CREDIT_NOTE', 'TAX_REFUND', 'ARCHIVE')),
  status                text NOT NULL CHECK (status IN
                          ('PENDING', 'COMMITTED', 'CANCELLED', 'FULLY_REFUNDED', 'PARTIALLY_REFUNDED',
                           'INVALID', 'ARCHIVED')),
  processing_status     text NOT NULL CHECK (processing_status IN
                          ('NEW', 'UPDATED', 'QUEUED', 'ADDRESS_DONE', 'EXEMPT_DONE', 'NEXUS_DONE', 'PROCESSED',
                           'FILING_STARTED', 'FILING_DONE', 'LOCKED', 'PENDING', 'ARCHIVED', 'NEEDS_REFETCH',
                           'EXCLUDED_IN_CALCULATION')),
  processing_reason     text,
  epoch                 integer NOT NULL,
  revision              integer NOT NULL,
  date                  timestamptz NOT NULL,
  tax_date              date NOT NULL,
  shop_date             text,
  shop_date_tz          text,
  description           text,
  refund_status         text CHECK (refund_status IN ('FULLY_REFUNDED', 'PARTIALLY_REFUNDED')),
  currency              text NOT NULL,
  total_amount          amount NOT NULL,
  subtotal              amount NOT NULL,
  total_discount        amount NOT NULL,
  customer_id           ident NOT NULL,
  marketplace           boolean NOT NULL,
  exempt_sent           text NOT NULL,
  exempt                text NOT NULL,
  related_to            ident,
  secondary_external_id text,
  secondary_source      text,
  external_friendly_id  text,
  source                text NOT NULL,
  connection_id         text,
  filing_id             ident,
  batch_id              ident,
  tax_id                text,
  requires_exemption    jsonb, -- as sent
  total_tax_amount_imported amount NOT NULL,
  tax_rate_imported     tax_rate NOT NULL,
  total_tax_amount_calculated amount NOT NULL,
  tax_rate_calculated   tax_rate NOT NULL,
  total_tax_liability_amount amount NOT NULL,
  tax_liability_source  text CHECK (tax_liability_source IN ('CALCULATED', 'COLLECTED')),
  taxable_amount        amount NOT NULL,
  destination_currency  text,
  conversion_rate       numeric(21,9) CHECK (conversion_rate <> 'NaN'),
  city                  text,
  county                text,
  state                 text,
  postal_code           text,
  country               text,
  address_status        text NOT NULL,
  ambiguous             boolean NOT NULL,
  place                 jsonb,
  origin                jsonb,
  content_version       text,
  created_at            timestamptz NOT NULL,
  updated_at            timestamptz NOT NULL,
  -- What the client sent of the fields that processing later replaces, so that an update without
  -- them leaves them as they were. NULL when none was sent.
  sent                  jsonb,
  -- How far the calculated tax can be relied on: confidence, completeness and warnings. Null until it is calculated.
  certainty             jsonb,
  -- The lines that are exempt sales for nexus, as stage 3 decided: contributions are counted anew, and refunds are
  -- counted back, by what was decided and not by what the law or a product says today. NULL before stage 3, and for
  -- what was processed before this was kept.
  nexus_exempt_lines    integer[],
  -- Refunds of a sale are decided in the order in which they were committed; NULL: in that in which they were made.
  committed_at          timestamptz,
  -- The unit of rounding of a document. Rows from before have none: they take that of the organization when they are
  -- calculated.
  tax_rounding          text
    CHECK (tax_rounding IN ('TAX_PER_LINE', 'JURISDICTION_PER_LINE', 'TAX_PER_DOCUMENT')),
  -- The submitted lines after discounts of a document whose prices include tax. The other amounts of such a document are
  -- net as soon as its tax is calculated. NULL: its prices are before tax, as those of rows from before.
  gross_amount          amount,
  PRIMARY KEY (organization_id, id),
  FOREIGN KEY (organization_id, customer_id) REFERENCES customers (organization_id, id),
  FOREIGN KEY (organization_id, related_to) REFERENCES transactions (organization_id, id)
) WITH (fillfactor = 40);
CREATE UNIQUE INDEX transactions_external_id ON transactions (organization_id, external_id);
CREATE INDEX transactions_date ON transactions (organization_id, date DESC, id DESC);
CREATE INDEX transactions_customer ON transactions (organization_id, customer_id, date DESC);
CREATE INDEX transactions_related_to ON transactions (organization_id, related_to) WHERE related_to IS NOT NULL;
-- The orders of the list of transactions besides the date and the external id, which have
-- indexes already. The state has none: stage 1 sets it, and an index on it would make that
-- update write to every index of the table.
CREATE INDEX transactions_created_at ON transactions (organization_id, created_at, id);
CREATE INDEX transactions_total_amount ON transactions (organization_id, total_amount, id);
CREATE INDEX transactions_status ON transactions (organization_id, status, id);
CREATE INDEX transactions_padded ON transactions (organization_id, btrim(external_id,
  E'\u0009\u000A\u000B\u000C\u000D\u0020\u0085\u00A0\u1680\u2000\u2001\u2002\u2003\u2004\u2005'
  '\u2006\u2007\u2008\u2009\u200A\u2028\u2029\u202F\u205F\u3000'), id)
  WHERE external_id <> btrim(external_id,
  E'\u0009\u000A\u000B\u000C\u000D\u0020\u0085\u00A0\u1680\u2000\u2001\u2002\u2003\u2004\u2005'
  '\u2006\u2007\u2008\u2009\u200A\u2028\u2029\u202F\u205F\u3000');

CREATE TABLE transaction_items (
  organization_id       ident NOT NULL,
  transaction_id        ident NOT NULL,
  line_no               integer NOT NULL,
  id                    ident NOT NULL,
  date                  timestamptz NOT NULL,
  external_product_id   ident NOT NULL,
  product_id            ident NOT NULL,
  external_id           text,
  description           text,
  product               text,
  product_name          text,
  product_description   text,
  quantity              quantity NOT NULL,
  amount                amount NOT NULL,
  total_discount        amount NOT NULL,
  tax_amount_imported   amount NOT NULL,
  tax_rate_imported     tax_rate NOT NULL,
  tax_amount_calculated amount NOT NULL,
  tax_rate_calculated   tax_rate NOT NULL,
  taxable_amount        amount NOT NULL,
  exempt_sent           boolean NOT NULL,
  tax_exemption_sent    text,
  exempt                boolean NOT NULL,
  tax_exemption         text,
  exemption_id          ident,
  tax_items             jsonb NOT NULL,
  original_line_no      integer, -- the line of the original that a line of a credit note refunds
  sent                  jsonb,
  PRIMARY KEY (organization_id, transaction_id, line_no),
  FOREIGN KEY (organization_id, transaction_id) REFERENCES transactions (organization_id, id),
  FOREIGN KEY (organization_id, product_id) REFERENCES products (organization_id, id)
) WITH (fillfactor = 70);

-- Stage 1 writes every address once more: half of each page is kept free for that (HOT).
CREATE TABLE transaction_addresses (
  organization_id   ident NOT NULL,
  transaction_id    ident NOT NULL,
  type              text NOT NULL CHECK (type IN ('BILL_TO', 'SHIP_TO', 'SHIP_FROM', 'BILL_FROM')),
  id                ident NOT NULL,
  street_1          text,
  street_2          text,
  city              text,
  county            text,
  state             text,
  postal_code       text,
  country           text,
  full_address      text,
  phone             text,
  is_unincorporated boolean NOT NULL,
  status            text NOT NULL,
  connection_id     text,
  PRIMARY KEY (organization_id, transaction_id, type),
  FOREIGN KEY (organization_id, transaction_id) REFERENCES transactions (organization_id, id)
) WITH (fillfactor = 50);

CREATE TABLE transaction_explanations (
  organization_id ident NOT NULL,
  transaction_id  ident NOT NULL,
  epoch           integer NOT NULL,
  body            json,
  packed          bytea,
  PRIMARY KEY (organization_id, transaction_id),
  FOREIGN KEY (organization_id, transaction_id) REFERENCES transactions (organization_id, id)
);
ALTER TABLE transaction_explanations ALTER COLUMN packed SET STORAGE EXTERNAL;
ALTER TABLE transaction_explanations ADD CONSTRAINT transaction_explanations_one_form CHECK (body IS NOT NULL OR packed IS NOT NULL) NOT VALID;

-- Every version that an update replaced, as it was: the rows of the transaction and of its
-- parts, without the customer, who has a record of its own.
CREATE TABLE transaction_revisions (
  organization_id ident NOT NULL,
  transaction_id  ident NOT NULL,
  revision        integer NOT NULL,
  replaced_at     timestamptz NOT NULL DEFAULT now(),
  body            jsonb NOT NULL,
  PRIMARY KEY (organization_id, transaction_id, revision),
  FOREIGN KEY (organization_id, transaction_id) REFERENCES transactions (organization_id, id)
);

-- Explanations are the largest value written for a transaction. LZ4 compresses them for a
-- fraction of the work, where the server was built with it.
-- +goose StatementBegin
DO $$
BEGIN
  ALTER TABLE transaction_explanations ALTER COLUMN body SET COMPRESSION lz4;
  ALTER TABLE transaction_revisions ALTER COLUMN body SET COMPRESSION lz4;
EXCEPTION WHEN feature_not_supported THEN
  RAISE NOTICE 'this server has no lz4';
END $$;
-- +goose StatementEnd

-- The journal of the stages: one row for each stage of each version of a transaction.
CREATE TABLE transaction_stages (
  organization_id ident NOT NULL,
  transaction_id  ident NOT NULL,
  epoch           integer NOT NULL,
  stage           text NOT NULL,
  seq             bigint GENERATED ALWAYS AS IDENTITY,
  at              timestamptz NOT NULL DEFAULT now(),
  revision        integer NOT NULL,
  attempt         integer NOT NULL,
  workflow_id     text NOT NULL,
  run_id          text NOT NULL,
  detail          jsonb NOT NULL,
  PRIMARY KEY (organization_id, transaction_id, epoch, stage),
  FOREIGN KEY (organization_id, transaction_id) REFERENCES transactions (organization_id, id)
);

-- Transactions that cannot go on before something is imported, so that the import finds them
-- without reading all transactions: an index on their status would make every transition of
-- that status write to it.
CREATE TABLE transaction_refetches (
  organization_id ident NOT NULL,
  transaction_id  ident NOT NULL,
  epoch           integer NOT NULL,
  reason          text NOT NULL CHECK (reason IN ('ADDRESS', 'CALCULATION')),
  at              timestamptz NOT NULL DEFAULT now(),
  -- A return asks which transactions of its days cannot be processed: they are few, and found by their day.
  -- The day is filled in here, so that processes of the release before go on writing rows without it.
  tax_date        date,
  PRIMARY KEY (organization_id, transaction_id),
  FOREIGN KEY (organization_id, transaction_id) REFERENCES transactions (organization_id, id)
);
-- What is unresolved in the days of a return is found by these.
CREATE INDEX transaction_refetches_day ON transaction_refetches (organization_id, tax_date);

-- What the credit notes and tax refunds of a sale take from it. Every call that adds, changes
-- or cancels one changes this row in its own database transaction, and whoever calculates one
-- locks it: it is the first lock that all of them take.
CREATE TABLE credit_totals (
  organization_id ident NOT NULL,
  transaction_id  ident NOT NULL, -- the sale
  creditable      amount NOT NULL, -- as known when the row was last changed
  reserved        amount NOT NULL CHECK (reserved >= 0), -- by PENDING notes
  committed       amount NOT NULL CHECK (committed >= 0), -- by COMMITTED notes
  PRIMARY KEY (organization_id, transaction_id),
  FOREIGN KEY (organization_id, transaction_id) REFERENCES transactions (organization_id, id),
  CONSTRAINT credit_within_original CHECK (reserved + committed <= creditable)
) WITH (fillfactor = 50);

-- What a transaction adds to the return of each authority that it can be reported to: the
-- state, the country, a province beside the federal authority of Canada, and for a member of
-- the European Union the one-stop shop too. Written together with PROCESSED; a transaction that
-- is in progress or archived has none. Amounts are in the currency of the destination; refunds
-- are negative.
CREATE TABLE transaction_totals (
  organization_id ident NOT NULL,
  transaction_id  ident NOT NULL,
  epoch           integer NOT NULL,
  country_code    text NOT NULL,
  state_code      text NOT NULL, -- as in registrations: the country where its authority is that of the whole country
  member_code     text NOT NULL, -- the country that taxes; differs from country_code for the one-stop shop
  tax_date        date NOT NULL,
  marketplace     boolean NOT NULL,
  currency        text NOT NULL,
  sales           amount NOT NULL, -- net, before tax
  taxable         amount NOT NULL,
  tax             amount NOT NULL, -- calculated, of this authority alone
  collected       amount NOT NULL,
  liability       amount NOT NULL,
  -- Where the liability of a transaction to an authority is owed, by place: [{"type", "name", "code", "amount"}], in the
  -- currency of the row; the amounts add up to liability, and no amount is 0. NULL: the liability is shared by the calculated
  -- tax lines of the authority, in the order of their levels and names, each place as the difference of two rounded running
  -- sums. So an ordinary sale stores nothing: its places are its tax lines. Rows of earlier releases have NULL.
  places          jsonb,
  -- By which case of the contract a total owes, and by how much the collected tax is above and below the calculated one. Rows
  -- of earlier releases have no case. An amount of 0 is NULL.
  liability_case  smallint,
  over_collected  numeric(20,2),
  under_collected numeric(20,2),
  -- What the form of a return computes of the tax lines, taxable x rate, beside the tax that is accrued. NULL: as the tax,
  -- also of totals of earlier releases. beyond_rounding marks lines whose two taxes differ by more than roundings explain;
  -- NULL where there is nothing to say.
  form_tax        numeric(20,6),
  beyond_rounding boolean,
  PRIMARY KEY (organization_id, transaction_id, epoch, country_code, state_code),
  FOREIGN KEY (organization_id, transaction_id) REFERENCES transactions (organization_id, id)
);
CREATE INDEX transaction_totals_period ON transaction_totals
  (organization_id, country_code, state_code, tax_date, transaction_id);
-- Refunds on days that no return covers are looked for over all organizations: they are few of all transactions.
CREATE INDEX transaction_totals_refunds ON transaction_totals
  (organization_id, country_code, state_code, tax_date) WHERE liability < 0;

-- The outbox: pending work in narrow rows that change often, apart from the wide row. A row
-- stays until the stage that ends the processing deletes it in its own database transaction.
-- A refund waits until its original is processed: waits_for says so, and the stage that
-- processes the original makes the refund due.
CREATE TABLE outbox (
  organization_id ident NOT NULL,
  kind            smallint NOT NULL,
  aggregate_id    ident NOT NULL,
  epoch           integer NOT NULL,
  batch_id        ident,
  attempts        integer NOT NULL DEFAULT 0,
  next_attempt_at timestamptz NOT NULL DEFAULT now() + interval '3 seconds',
  created_at      timestamptz NOT NULL DEFAULT now(),
  last_error      text,
  waits_for       ident,
  -- Work in the background, such as that of an import or of what is calculated anew, yields to what clients have just sent:
  -- relays lease the two apart, each by an index of its own, and it has a task queue of its own.
  background      boolean NOT NULL DEFAULT false,
  PRIMARY KEY (organization_id, kind, aggregate_id)
) WITH (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_cost_delay = 0);
CREATE INDEX outbox_waits_for ON outbox (organization_id, waits_for) WHERE waits_for IS NOT NULL;
-- Pending work that failed by itself, of which there is next to nothing.
CREATE INDEX outbox_failed ON outbox (organization_id) WHERE last_error IS NOT NULL;
CREATE INDEX outbox_sent ON outbox (next_attempt_at) WHERE NOT background;
CREATE INDEX outbox_background ON outbox (next_attempt_at) WHERE background;

-- ------------------------------------------------------------
-- Exemptions of customers and transactions, with their documents.

CREATE TABLE exemptions (
  organization_id ident NOT NULL REFERENCES organizations (id),
  id              ident NOT NULL,
  exemption_type  text NOT NULL CHECK (exemption_type IN ('customer', 'wholesale', 'transaction')),
  start_date      date NOT NULL,
  end_date        date CHECK (end_date >= start_date),
  customer_id     ident,
  transaction_id  ident,
  country_code    text NOT NULL,
  jurisdiction    text,
  reseller        boolean NOT NULL,
  fein            text,
  sales_tax_id    text,
  status          text NOT NULL CHECK (status IN ('ACTIVE', 'INACTIVE', 'EXPIRED', 'DEACTIVATED', 'ARCHIVED')),
  created_at      timestamptz NOT NULL,
  updated_at      timestamptz,
  -- An exemption is announced once for each last day, a return once when it can be approved.
  announced_end   date,
  PRIMARY KEY (organization_id, id),
  FOREIGN KEY (organization_id, customer_id) REFERENCES customers (organization_id, id),
  FOREIGN KEY (organization_id, transaction_id) REFERENCES transactions (organization_id, id),
  CHECK (customer_id IS NOT NULL OR transaction_id IS NOT NULL)
);
CREATE INDEX exemptions_customer ON exemptions (organization_id, customer_id) WHERE customer_id IS NOT NULL;
CREATE INDEX exemptions_transaction ON exemptions (organization_id, transaction_id) WHERE transaction_id IS NOT NULL;
CREATE INDEX exemptions_end_date ON exemptions (organization_id, end_date, id);
CREATE INDEX exemptions_expiring ON exemptions (organization_id, end_date)
  WHERE status = 'ACTIVE' AND end_date IS NOT NULL;
-- Lists of exemptions by the other columns by which they may be sorted.
CREATE INDEX exemptions_start_date ON exemptions (organization_id, start_date, id);
CREATE INDEX exemptions_status ON exemptions (organization_id, status, id);
CREATE INDEX exemptions_created_at ON exemptions (organization_id, created_at, id);

-- The exemptions that a transaction asked for (linked) or was granted (applied).
CREATE TABLE transaction_exemptions (
  organization_id ident NOT NULL,
  transaction_id  ident NOT NULL,
  exemption_id    ident NOT NULL,
  linked          boolean NOT NULL,
  applied         boolean NOT NULL,
  PRIMARY KEY (organization_id, transaction_id, exemption_id),
  FOREIGN KEY (organization_id, transaction_id) REFERENCES transactions (organization_id, id),
  FOREIGN KEY (organization_id, exemption_id) REFERENCES exemptions (organization_id, id)
);

-- Documents of exemptions. Their content is stored apart, in pieces, so that neither a list nor
-- an upload holds a whole document in memory.
CREATE TABLE exemption_attachments (
  organization_id ident NOT NULL,
  id              ident NOT NULL,
  exemption_id    ident NOT NULL,
  filename        text NOT NULL,
  content_type    text NOT NULL CHECK (content_type IN ('application/pdf', 'image/png', 'image/jpeg')),
  size            bigint NOT NULL CHECK (size > 0),
  sha256          bytea NOT NULL CHECK (octet_length(sha256) = 32),
  created_at      timestamptz NOT NULL,
  -- Each document of an exemption is encrypted under a key of its own, which stands beside it, wrapped by a master key: tax
  -- law keeps certificates, also when the data key of their organization is destroyed. Without a key a document is in clear
  -- text: a version from before stored it, and `levy keys seal` encrypts it.
  master_key_id   ident,
  wrapped         bytea CHECK (octet_length(wrapped) = 60),
  PRIMARY KEY (organization_id, id),
  FOREIGN KEY (organization_id, exemption_id) REFERENCES exemptions (organization_id, id),
  CONSTRAINT exemption_attachments_key CHECK ((master_key_id IS NULL) = (wrapped IS NULL))
);
CREATE INDEX exemption_attachments_exemption ON exemption_attachments (organization_id, exemption_id, created_at, id);
-- The documents that `levy keys seal` has yet to encrypt.
CREATE INDEX exemption_attachments_in_clear ON exemption_attachments (organization_id, id) WHERE wrapped IS NULL;

CREATE TABLE exemption_attachment_pieces (
  organization_id ident NOT NULL,
  attachment_id   ident NOT NULL,
  n               integer NOT NULL,
  content         bytea NOT NULL,
  PRIMARY KEY (organization_id, attachment_id, n),
  FOREIGN KEY (organization_id, attachment_id) REFERENCES exemption_attachments (organization_id, id)
);
-- Documents are compressed already.
ALTER TABLE exemption_attachment_pieces ALTER COLUMN content SET STORAGE EXTERNAL;

-- ------------------------------------------------------------
-- What lists need to know their totals and to find a page without reading what it skips:
-- counts that every statement keeps exact, the orders of a list, and searches.

-- How many transactions there are of which kind on which day (UTC). Before a transaction is
-- settled only those of its columns are counted that no stage changes; when a filter asks for
-- the others, the few rows in progress are read themselves.
--
-- Every statement that changes transactions appends what it changed, and no statement waits for
-- another; from time to time the changes are rolled up into the counts. Changes and counts
-- together are exact at any moment.
CREATE TABLE transaction_count_changes (
  organization_id   ident NOT NULL,
  day               date NOT NULL,
  settled           boolean NOT NULL,
  type              text NOT NULL,
  status            text NOT NULL,
  source            text NOT NULL,
  marketplace       boolean NOT NULL,
  connection_id     text,
  processing_status text, -- this and the following only once settled
  address_status    text,
  exempt            text,
  country           text,
  state             text, -- as stored, because the order by state begins with counts
  filing_id         ident,
  n                 integer NOT NULL
) WITH (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_cost_delay = 0);
CREATE INDEX transaction_count_changes_organization ON transaction_count_changes (organization_id);

-- The spans "of all" are the same counts without the columns that processing decides, which
-- most lists do not ask for: a fraction of the rows.
CREATE TABLE transaction_counts (
  organization_id   ident NOT NULL,
  span              text NOT NULL CHECK (span IN ('month', 'day', 'month of all', 'day of all')),
  start             date NOT NULL,
  cell              uuid NOT NULL, -- the hash of all that follows but n
  settled           boolean NOT NULL,
  type              text NOT NULL,
  status            text NOT NULL,
  source            text NOT NULL,
  marketplace       boolean NOT NULL,
  connection_id     text,
  processing_status text,
  address_status    text,
  exempt            text,
  country           text,
  state             text,
  filing_id         ident,
  n                 bigint NOT NULL,
  PRIMARY KEY (organization_id, span, start, cell)
) WITH (fillfactor = 70);
-- A filter by state or by filing reads only the counts of that state or filing.
CREATE INDEX transaction_counts_state ON transaction_counts (organization_id, span, upper(state), start);
CREATE INDEX transaction_counts_filing ON transaction_counts (organization_id, filing_id, span, start)
  WHERE filing_id IS NOT NULL;

-- Most filters by what processing decides ask for neither a state nor a filing. The same counts
-- without these two are a fraction of the rows. A trigger on the changes that are rolled up
-- keeps them, so that no process has to know of them.
CREATE TABLE transaction_coarse_counts (
  organization_id   ident NOT NULL,
  span              text NOT NULL CHECK (span IN ('month', 'day')),
  start             date NOT NULL,
  cell              uuid NOT NULL, -- the hash of all that follows but n
  settled           boolean NOT NULL,
  type              text NOT NULL,
  status            text NOT NULL,
  source            text NOT NULL,
  marketplace       boolean NOT NULL,
  connection_id     text,
  processing_status text,
  address_status    text,
  exempt            text,
  country           text,
  n                 bigint NOT NULL,
  PRIMARY KEY (organization_id, span, start, cell)
) WITH (fillfactor = 70);

-- How many customers, products and exemptions an organization has by status. Kept like the
-- counts of transactions: changes are appended, rolled up from time to time, and exact together.
CREATE TABLE record_count_changes (
  organization_id ident NOT NULL,
  kind            text NOT NULL,
  status          text NOT NULL,
  n               integer NOT NULL
) WITH (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_cost_delay = 0);
CREATE INDEX record_count_changes_organization ON record_count_changes (organization_id);

CREATE TABLE record_counts (
  organization_id ident NOT NULL,
  kind            text NOT NULL CHECK (kind IN ('customers', 'products', 'exemptions')),
  status          text NOT NULL,
  n               bigint NOT NULL,
  PRIMARY KEY (organization_id, kind, status)
) WITH (fillfactor = 70);

-- ------------------------------------------------------------
-- Imports of files of transactions.

-- An import. Everything before its position (byte_offset, line) has its verdict: the position
-- advances in the database transaction that writes what was accepted. While next_check_at is
-- set there is pending work that only the workflow does.
-- What only an import needs is not kept for ever: at forget_at the rejected rows of a finished
-- import are deleted, and one that is paused or failed is cancelled.
CREATE TABLE transaction_imports (
  organization_id       ident NOT NULL REFERENCES organizations (id),
  id                    ident NOT NULL,
  name                  text,
  status                text NOT NULL CHECK (status IN
                          ('UPLOADING', 'QUEUED', 'RUNNING', 'PAUSED', 'COMPLETED', 'CANCELLED', 'FAILED')),
  reason                text,
  api_key_id            ident,
  request_id            text,
  size                  bigint NOT NULL DEFAULT 0,
  sha256                bytea CHECK (octet_length(sha256) = 32),
  separator             text NOT NULL DEFAULT ',',
  columns               jsonb NOT NULL DEFAULT '[]',
  header_size           bigint NOT NULL DEFAULT 0,
  header_lines          bigint NOT NULL DEFAULT 0,
  passes                smallint NOT NULL DEFAULT 1 CHECK (passes IN (1, 2)),
  pass                  smallint NOT NULL DEFAULT 1,
  byte_offset           bigint NOT NULL DEFAULT 0,
  line                  bigint NOT NULL DEFAULT 1,
  rows                  bigint NOT NULL DEFAULT 0,
  transactions          bigint NOT NULL DEFAULT 0,
  accepted              bigint NOT NULL DEFAULT 0,
  present               bigint NOT NULL DEFAULT 0,
  conflicting           bigint NOT NULL DEFAULT 0,
  rejected              bigint NOT NULL DEFAULT 0,
  next_check_at         timestamptz,
  created_at            timestamptz NOT NULL,
  started_at            timestamptz,
  updated_at            timestamptz NOT NULL,
  finished_at           timestamptz,
  forget_at             timestamptz,
  user_id               ident,
  user_name             text,
  -- Rows of one order of a file are its lines, also where other rows stand between them. Before the first order is
  -- imported, pass 0 reads the file once and notes where each order begins. An import of an earlier release is not
  -- arranged: there only adjacent rows are one order.
  arranged              boolean NOT NULL DEFAULT false, -- pass 0 is complete
  arranged_chunks       bigint NOT NULL DEFAULT 0, -- of pass 0
  split_parts           bigint NOT NULL DEFAULT 0, -- rows of transaction_import_parts
  accepted_rows         bigint NOT NULL DEFAULT 0,
  present_rows          bigint NOT NULL DEFAULT 0,
  conflicting_rows      bigint NOT NULL DEFAULT 0,
  rejected_rows         bigint NOT NULL DEFAULT 0,
  restored_postal_codes bigint NOT NULL DEFAULT 0,
  PRIMARY KEY (organization_id, id),
  CONSTRAINT transaction_imports_check1 CHECK (status = 'UPLOADING' OR sha256 IS NOT NULL),
  CONSTRAINT transaction_imports_check2 CHECK ((status IN ('COMPLETED', 'CANCELLED')) = (finished_at IS NOT NULL)),
  CONSTRAINT transaction_imports_check3 CHECK (byte_offset <= size OR status = 'UPLOADING'),
  CONSTRAINT transaction_imports_check4 CHECK (transactions = accepted + present + conflicting + rejected),
  CONSTRAINT transaction_imports_pass CHECK (pass BETWEEN 0 AND passes),
  -- A file loses no row and counts none twice.
  CONSTRAINT transaction_imports_rows CHECK (status <> 'COMPLETED' OR NOT arranged
    OR rows = accepted_rows + present_rows + conflicting_rows + rejected_rows)
);
-- The same file is in progress only once.
CREATE UNIQUE INDEX transaction_imports_sha256 ON transaction_imports (organization_id, sha256)
  WHERE status IN ('QUEUED', 'RUNNING', 'PAUSED', 'FAILED');
CREATE INDEX transaction_imports_created_at ON transaction_imports (organization_id, created_at, id);
-- Read across organizations by the processes that start workflows, and by those that delete.
CREATE INDEX transaction_imports_next_check_at ON transaction_imports (next_check_at) WHERE next_check_at IS NOT NULL;
CREATE INDEX transaction_imports_forget_at ON transaction_imports (forget_at) WHERE forget_at IS NOT NULL;

-- The file, as long as it is needed. Compressing it would take longer than writing it.
CREATE TABLE transaction_import_pieces (
  organization_id ident NOT NULL,
  import_id       ident NOT NULL,
  start           bigint NOT NULL,
  content         bytea NOT NULL,
  PRIMARY KEY (organization_id, import_id, start),
  FOREIGN KEY (organization_id, import_id) REFERENCES transaction_imports (organization_id, id) ON DELETE CASCADE
);
ALTER TABLE transaction_import_pieces ALTER COLUMN content SET STORAGE EXTERNAL;

-- The ids that the file gives to sales it may refund, as long as they are needed.
CREATE TABLE transaction_import_originals (
  organization_id ident NOT NULL,
  import_id       ident NOT NULL,
  file_id         text NOT NULL,
  transaction_id  ident NOT NULL,
  PRIMARY KEY (organization_id, import_id, file_id),
  FOREIGN KEY (organization_id, import_id) REFERENCES transaction_imports (organization_id, id) ON DELETE CASCADE
);

-- The transactions of a file that were not accepted, with their rows.
CREATE TABLE transaction_import_rejections (
  organization_id ident NOT NULL,
  import_id       ident NOT NULL,
  line            bigint NOT NULL,
  external_id     text,
  conflict        boolean NOT NULL,
  faults          jsonb NOT NULL,
  rows            jsonb NOT NULL,
  lines           jsonb NOT NULL,
  -- Rows that are already present are listed with those that were not accepted.
  present         boolean NOT NULL DEFAULT false,
  PRIMARY KEY (organization_id, import_id, line),
  FOREIGN KEY (organization_id, import_id) REFERENCES transaction_imports (organization_id, id) ON DELETE CASCADE
);

-- ------------------------------------------------------------
-- The tax content: its versions, boundary files, and reference rates of currencies. It belongs
-- to the installation, not to an organization.

-- Snapshots of the tax content. A row never changes: what was calculated with a version can be
-- calculated again.
CREATE TABLE content_versions (
  version      ident PRIMARY KEY,
  base_version ident REFERENCES content_versions (version), -- null: shipped with a program
  pack         bytea NOT NULL, -- all tables, compressed
  note         text NOT NULL,
  sources      jsonb NOT NULL, -- imported files: name, sha256, rows
  recorded_at  timestamptz NOT NULL DEFAULT clock_timestamp()
);
-- Compressed already.
ALTER TABLE content_versions ALTER COLUMN pack SET STORAGE EXTERNAL;
CREATE INDEX content_versions_recorded ON content_versions (recorded_at);

-- Which version was in force when: the last row counts.
CREATE TABLE content_activations (
  id           bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  version      ident NOT NULL REFERENCES content_versions (version),
  reason       text NOT NULL,
  activated_at timestamptz NOT NULL DEFAULT clock_timestamp()
);

-- Imports of boundary files. Their records are stored under the id of the import; they count
-- once a content version that names the import is active.
CREATE TABLE boundary_loads (
  id         bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  state      text NOT NULL,
  file       text NOT NULL,
  sha256     bytea NOT NULL CHECK (octet_length(sha256) = 32),
  records    bigint NOT NULL DEFAULT 0, -- of the file that are stored already
  complete   boolean NOT NULL DEFAULT false,
  started_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  UNIQUE (state, sha256)
);

-- The distinct sets of jurisdictions of one import, as "type:code|type:code".
CREATE TABLE boundary_sets (
  load_id bigint NOT NULL REFERENCES boundary_loads (id) ON DELETE CASCADE,
  set_no  integer NOT NULL,
  codes   ident NOT NULL,
  PRIMARY KEY (load_id, set_no)
);

-- Ranges of ZIP+4. block is the ZIP with the digits that low and high have in common: every
-- block that contains a ZIP+4 is found by five look-ups. Dates are yyyymmdd, both ends included.
CREATE TABLE boundary_zips (
  load_id    bigint NOT NULL,
  block      ident NOT NULL,
  kind       "char" NOT NULL, -- Z or 4
  low        smallint NOT NULL,
  high       smallint NOT NULL,
  valid_from integer NOT NULL,
  valid_to   integer NOT NULL,
  set_no     integer NOT NULL
);
CREATE INDEX boundary_zips_block ON boundary_zips (load_id, block);

-- Ranges of house numbers.
CREATE TABLE boundary_streets (
  load_id    bigint NOT NULL,
  low        bigint NOT NULL,
  high       bigint NOT NULL,
  valid_from integer NOT NULL,
  valid_to   integer NOT NULL,
  set_no     integer NOT NULL,
  side       "char" NOT NULL, -- Odd, Even or Both
  zip        ident NOT NULL,
  name       ident NOT NULL,
  kind       ident NOT NULL,
  before     ident NOT NULL,
  after      ident NOT NULL
);
CREATE INDEX boundary_streets_name ON boundary_streets (load_id, zip, name);

-- Reference rates: units of the currency for one euro.
CREATE TABLE fx_rates (
  currency    text NOT NULL CHECK (currency ~ '^[A-Z]{3}$' AND currency <> 'EUR'),
  day         date NOT NULL,
  rate        numeric(21,9) NOT NULL CHECK (rate > 0 AND rate <> 'NaN'),
  source      text NOT NULL,
  imported_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (currency, day)
);

-- ------------------------------------------------------------
-- Nexus: what the transactions add to the counters and tax sums of a place, and the record that
-- is evaluated from them.

-- Where organizations can have nexus by the content in force, with the terms for sellers from
-- abroad: the records of a new organization begin with these.
CREATE TABLE nexus_jurisdictions (
  country_code text NOT NULL,
  state_code   text NOT NULL, -- the country where there are no states; ZZ_EU for the European Union
  state_name   text NOT NULL,
  terms        jsonb NOT NULL,
  PRIMARY KEY (country_code, state_code)
);

-- One for each organization and jurisdiction. evaluated is the number of changes
-- (nexus_changes) that the last evaluation had seen: a record with later changes needs another
-- evaluation, one that was never evaluated is not ready. So processing_status is no column and
-- cannot be wrong.
-- Presences and registrations may leave days between them: the gaps are the days within the
-- obligation on which none exists, in order, as [{"start", "end"}]. Sales that have no amount in
-- the currency of the record, because there is no conversion rate, make its sums incomplete
-- until rates are imported (without_rate).
CREATE TABLE nexus_records (
  organization_id          ident NOT NULL REFERENCES organizations (id),
  id                       ident NOT NULL,
  country_code             text NOT NULL,
  state_code               text NOT NULL,
  state_name               text NOT NULL,
  enabled                  boolean NOT NULL, -- in enabled_jurisdictions of the organization
  status                   text NOT NULL CHECK (status IN
                             ('NOT_EXPOSED', 'APPROACHING', 'PENDING_REGISTRATION', 'EXPOSED', 'REGISTERED')),
  nexus_type               text NOT NULL CHECK (nexus_type IN
                             ('STATE', 'CANADA_FEDERAL', 'EU_AGGREGATOR', 'EU_MEMBER_STATE', 'COUNTRY')),
  registration_regime      text NOT NULL CHECK (registration_regime IN ('STANDARD', 'SIMPLIFIED')),
  currency                 text NOT NULL,
  treatment_of_exempt_transactions text NOT NULL CHECK (treatment_of_exempt_transactions IN
                                     ('INCLUDED', 'EXCLUDED', 'DEPENDS', 'INCLUDE_IF_PRESENCE',
                                      'YES_SALES_NO_TRANSACTIONS')),
  trigger                  text NOT NULL,
  sales_or_transactions    text NOT NULL CHECK (sales_or_transactions IN
                             ('SALES', 'TRANSACTIONS', 'EITHER', 'BOTH')),
  threshold_sales          numeric(20,2) CHECK (threshold_sales <> 'NaN'),
  threshold_transactions   integer,
  start_date               date NOT NULL,
  period_model             text NOT NULL,
  marketplace_included     boolean NOT NULL,
  period_start_date        date NOT NULL,
  period_end_date          date NOT NULL,
  previous_period_start_date date,
  previous_period_end_date date,
  transaction_count        integer NOT NULL DEFAULT 0,
  previous_transaction_count integer NOT NULL DEFAULT 0,
  transactions_amount      numeric(20,2) NOT NULL DEFAULT 0 CHECK (transactions_amount <> 'NaN'),
  previous_transactions_amount numeric(20,2) NOT NULL DEFAULT 0 CHECK (previous_transactions_amount <> 'NaN'),
  total_transactions       integer NOT NULL DEFAULT 0,
  total_transactions_included integer NOT NULL DEFAULT 0,
  total_transactions_exempted integer NOT NULL DEFAULT 0,
  total_transactions_marketplace integer NOT NULL DEFAULT 0,
  calculated_tax_liability numeric(20,2) NOT NULL DEFAULT 0 CHECK (calculated_tax_liability <> 'NaN'),
  imported_tax_liability   numeric(20,2) NOT NULL DEFAULT 0 CHECK (imported_tax_liability <> 'NaN'),
  tax_liability            numeric(20,2) NOT NULL DEFAULT 0 CHECK (tax_liability <> 'NaN'),
  nexus_met                boolean NOT NULL DEFAULT false,
  economic_nexus_met       boolean NOT NULL DEFAULT false,
  physical_nexus_met       boolean NOT NULL DEFAULT false,
  collected_tax_nexus_met  boolean NOT NULL DEFAULT false,
  nexus_met_date           date,
  economic_nexus_met_date  date,
  physical_nexus_met_date  date,
  collected_tax_nexus_met_date date,
  obligation_start_date    date,
  crossing                 jsonb,
  earliest_transaction_date timestamptz,
  most_recent_transaction_date timestamptz,
  earliest_collected_date  timestamptz,
  predicted_month_from_today integer,
  confidence_level         integer,
  vda_eligible             boolean NOT NULL DEFAULT false,
  periods                  jsonb NOT NULL DEFAULT '[]',
  last_processed_at        timestamptz,
  last_tax_liability_processed_at timestamptz,
  -- The days on which an obligation exists, without an end while it continues, and the days by
  -- which the liability of processed transactions was decided.
  obliged_from             date,
  obliged_until            date,
  applied_from             date,
  applied_until            date,
  disregarded_at           timestamptz,
  disregarded_by           ident,
  disregard_reason         text,
  disregarded_until        date,
  disregarded_nexus_types  jsonb NOT NULL DEFAULT '[]',
  evaluated                bigint,
  evaluated_on             date, -- the day it was evaluated for
  content_version          ident, -- by which it was evaluated
  created_at               timestamptz NOT NULL,
  updated_at               timestamptz NOT NULL,
  obliged_gaps             jsonb NOT NULL DEFAULT '[]',
  applied_gaps             jsonb NOT NULL DEFAULT '[]',
  without_rate             boolean NOT NULL DEFAULT false,
  -- The obligation that the transactions of a nexus record are being queued again for, from before the first of
  -- them until all follow it: {"from", "until", "gaps"}. Until then nobody takes the record for decided, also
  -- when the obligation has become meanwhile what it was before.
  applying                 jsonb,
  PRIMARY KEY (organization_id, id),
  CONSTRAINT nexus_records_jurisdiction UNIQUE (organization_id, country_code, state_code),
  CONSTRAINT nexus_records_disregarded CHECK ((disregarded_at IS NULL) = (disregarded_nexus_types = '[]')),
  CONSTRAINT nexus_records_obliged CHECK (obliged_until IS NULL OR obliged_from <= obliged_until),
  CONSTRAINT nexus_records_periods CHECK (jsonb_array_length(periods) <= 8),
  CONSTRAINT nexus_records_gaps CHECK (obliged_gaps = '[]' OR obliged_from IS NOT NULL)
) WITH (fillfactor = 70);
-- What levy status and a start look for: obligations that the liability of transactions does not follow yet. There are
-- few of them at any time, and the records of all organizations are many.
CREATE INDEX nexus_records_unapplied ON nexus_records (organization_id)
  WHERE applying IS NOT NULL OR (obliged_from, obliged_until, obliged_gaps) IS DISTINCT FROM (applied_from, applied_until, applied_gaps);
-- Nexus that needs somebody: whether there is any says nexus_met, which leaves out what is disregarded
-- for as long as it is.
CREATE INDEX nexus_records_unregistered ON nexus_records (organization_id, id)
  WHERE enabled AND nexus_met AND status IN ('EXPOSED', 'PENDING_REGISTRATION');
-- Registrations that began after tax was owed are looked for over all organizations by when the obligation began, not by
-- the days it has now, which an earlier registration may share: places with one are few of all nexus records.
CREATE INDEX nexus_records_registered ON nexus_records (organization_id, country_code, state_code)
  INCLUDE (obligation_start_date, earliest_collected_date) WHERE status = 'REGISTERED';

-- How often something changed that the nexus of a place depends on, in narrow rows that change
-- often, apart from the wide records: the nexus stage writes to it in the statement that changes
-- the counters. pending means that no evaluation has seen the change yet; due_at is when a
-- process may evaluate it.
CREATE TABLE nexus_changes (
  organization_id ident NOT NULL REFERENCES organizations (id),
  country_code    text NOT NULL,
  state_code      text NOT NULL, -- as in nexus_contributions: empty where a country counts as one
  n               bigint NOT NULL,
  pending         boolean NOT NULL,
  due_at          timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (organization_id, country_code, state_code)
) WITH (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_cost_delay = 0);
CREATE INDEX nexus_changes_pending ON nexus_changes (organization_id) WHERE pending;

-- What each transaction added to which counter, so that an update reverses exactly what was
-- added. A day is the finest period that any nexus rule uses. Exempt sales for resale do not
-- count in some states. sold_at is when the sale was made, so that the sales of a day are read
-- in their order, and the first and the last of them without the others.
CREATE TABLE nexus_contributions (
  organization_id ident NOT NULL,
  transaction_id  ident NOT NULL,
  country_code    text NOT NULL,
  state_code      text NOT NULL,
  currency        text NOT NULL,
  day             date NOT NULL,
  marketplace     boolean NOT NULL,
  n               integer NOT NULL,
  amount          amount NOT NULL,
  exempt_n        integer NOT NULL,
  exempt_amount   amount NOT NULL,
  resale_amount   amount NOT NULL,
  collected_tax   amount NOT NULL,
  resale_n        integer NOT NULL DEFAULT 0,
  sold_at         timestamptz NOT NULL,
  -- A refund takes back exactly what its sale was counted as, also where amounts are converted: by the rate of the day of the
  -- sale. So contributions of refunds of another day name that day, and their sums are kept by it beside the counters, which
  -- they are part of. Refunds that were counted before are given the day by the next nightly recount.
  sold_on         date,
  PRIMARY KEY (organization_id, transaction_id, country_code, state_code),
  FOREIGN KEY (organization_id, transaction_id) REFERENCES transactions (organization_id, id)
);
-- The sales of a day in a jurisdiction: one of them crosses its threshold.
CREATE INDEX nexus_contributions_day ON nexus_contributions
  (organization_id, country_code, state_code, day, sold_at, transaction_id);

CREATE TABLE nexus_counters (
  organization_id ident NOT NULL REFERENCES organizations (id),
  country_code    text NOT NULL,
  state_code      text NOT NULL,
  currency        text NOT NULL,
  day             date NOT NULL,
  marketplace     boolean NOT NULL,
  n               bigint NOT NULL,
  amount          numeric(20,2) NOT NULL CHECK (amount <> 'NaN'),
  exempt_n        bigint NOT NULL,
  exempt_amount   numeric(20,2) NOT NULL CHECK (exempt_amount <> 'NaN'),
  resale_amount   numeric(20,2) NOT NULL CHECK (resale_amount <> 'NaN'),
  collected_tax   numeric(20,2) NOT NULL CHECK (collected_tax <> 'NaN'),
  resale_n        bigint NOT NULL DEFAULT 0,
  PRIMARY KEY (organization_id, country_code, state_code, currency, day, marketplace)
) WITH (fillfactor = 50);

-- The taxes of each day and authority: the sums of transaction_totals. Every statement that
-- writes totals appends what it changed, and no statement waits for another; a process that
-- looks for changed nexus first rolls the changes up into the sums, and has the nexus there
-- evaluated again. Changes and sums together are exact at any moment.
CREATE TABLE nexus_tax_changes (
  organization_id ident NOT NULL,
  country_code    text NOT NULL,
  state_code      text NOT NULL,
  member_code     text NOT NULL,
  currency        text NOT NULL,
  day             date NOT NULL,
  tax             numeric(20,2) NOT NULL,
  collected       numeric(20,2) NOT NULL,
  liability       numeric(20,2) NOT NULL
) WITH (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_cost_delay = 0);
CREATE INDEX nexus_tax_changes_organization ON nexus_tax_changes (organization_id);

CREATE TABLE nexus_taxes (
  organization_id ident NOT NULL REFERENCES organizations (id),
  country_code    text NOT NULL,
  state_code      text NOT NULL,
  member_code     text NOT NULL,
  currency        text NOT NULL,
  day             date NOT NULL,
  tax             numeric(20,2) NOT NULL CHECK (tax <> 'NaN'),
  collected       numeric(20,2) NOT NULL CHECK (collected <> 'NaN'),
  liability       numeric(20,2) NOT NULL CHECK (liability <> 'NaN'),
  PRIMARY KEY (organization_id, country_code, state_code, day, member_code, currency)
) WITH (fillfactor = 70);

-- Where an organization is physically present.
CREATE TABLE physical_nexus (
  organization_id ident NOT NULL REFERENCES organizations (id),
  id              ident NOT NULL,
  country_code    text NOT NULL,
  state_code      text NOT NULL, -- the country where there are no states
  start_date      date NOT NULL,
  end_date        date,
  category        text NOT NULL,
  external_id     text,
  source          text NOT NULL,
  street_1        text,
  street_2        text,
  city            text,
  postal_code     text,
  created_at      timestamptz NOT NULL,
  updated_at      timestamptz NOT NULL,
  PRIMARY KEY (organization_id, id),
  CONSTRAINT physical_nexus_days CHECK (end_date IS NULL OR start_date <= end_date)
);
CREATE INDEX physical_nexus_place ON physical_nexus (organization_id, country_code, state_code, start_date, id);

-- What a recount found to differ and corrected: as it was and as it has to be.
CREATE TABLE nexus_repairs (
  organization_id ident NOT NULL REFERENCES organizations (id),
  id              bigint GENERATED ALWAYS AS IDENTITY,
  at              timestamptz NOT NULL DEFAULT now(),
  workflow_id     text NOT NULL, -- empty when the command recounted
  run_id          text NOT NULL,
  kind            text NOT NULL CHECK (kind IN ('CONTRIBUTION', 'COUNTER', 'TAX')),
  transaction_id  ident, -- of contributions
  country_code    text NOT NULL,
  state_code      text NOT NULL,
  currency        text NOT NULL,
  day             date NOT NULL,
  marketplace     boolean NOT NULL,
  found           jsonb NOT NULL,
  expected        jsonb NOT NULL,
  PRIMARY KEY (organization_id, id)
);

-- ------------------------------------------------------------
-- Registrations with tax authorities, and what the simulated authority has received.

-- A registration. Its nexus record is the one of the same organization, country and state:
-- there is no column for it. While next_check_at is set there is pending work that only the
-- workflow does: a process that finds it due makes sure that the workflow runs, and notifies it
-- when the record has changed since the workflow last read it.
CREATE TABLE registrations (
  organization_id          ident NOT NULL REFERENCES organizations (id),
  id                       ident NOT NULL,
  country_code             text NOT NULL,
  state_code               text NOT NULL, -- the country where there are no states; ZZ_EU for the one-stop shop
  state_name               text NOT NULL,
  status                   text NOT NULL CHECK (status IN
                             ('UNREGISTERED', 'PROCESSING', 'VALIDATING', 'AWAITING_CLARIFICATION', 'REGISTERED',
                              'DEREGISTERING', 'DEREGISTERED', 'CANCELLED')),
  filing_frequency         text NOT NULL,
  registration_import_type text NOT NULL CHECK (registration_import_type IN ('REGULAR', 'OSS', 'SST')),
  registration_date        date,
  registration_email       text,
  registration_requested   timestamptz,
  registration_completed   timestamptz,
  deregistration_requested timestamptz,
  deregistration_completed timestamptz,
  deregistration_date      date, -- the last day it covers
  deregistration_reason    text,
  auto_registered          boolean NOT NULL,
  do_not_file              boolean NOT NULL,
  registrations_regime     text NOT NULL CHECK (registrations_regime IN ('STANDARD', 'SIMPLIFIED')),
  change_regime_status     text CHECK (change_regime_status IN ('REQUESTED', 'APPROVED', 'DONE', 'ACKNOWLEDGED')),
  create_filings_from      date,
  imported                 boolean NOT NULL,
  initial_sync             boolean NOT NULL,
  vda                      boolean NOT NULL,
  sst_import               boolean NOT NULL,
  amount_fees              numeric(20,2) NOT NULL CHECK (amount_fees <> 'NaN'),
  username                 text,
  password                 sealed,
  password_metadata        sealed,
  sales_tax_id             text,
  tax_id                   text,
  comment                  text,
  jurisdiction_specific_fields json, -- as sent
  oss_type                 text CHECK (oss_type IN ('UNION', 'NON_UNION')),
  oss_member_state_of_identification_code text,
  third_party_enabled      boolean NOT NULL,
  two_factor_enabled       boolean NOT NULL,
  marked_collecting        boolean NOT NULL,
  marked_collecting_date   timestamptz,
  credits_total_available  numeric(20,2) NOT NULL DEFAULT 0 CHECK (credits_total_available <> 'NaN'),
  authority                text, -- the adapter that submitted it
  authority_reference      text, -- the authority's own identifier
  clarification            text, -- what the authority wants to know
  attempt                  integer NOT NULL DEFAULT 0, -- counts the submissions to the authority
  changed                  boolean NOT NULL DEFAULT true,
  next_check_at            timestamptz,
  created_at               timestamptz NOT NULL,
  updated_at               timestamptz NOT NULL,
  unanswered_since         timestamptz,
  -- The activity that has read the last change of a registration. If its result was lost, its next execution finds the
  -- change once more.
  change_read_by           text,
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
-- So are those that file by the fiscal year, of which the end may not be known.
CREATE INDEX registrations_by_fiscal_year ON registrations (organization_id, id)
  WHERE filing_frequency = 'ANNUAL_FISCAL_YEAR';
-- They are looked for over all organizations: returns by filings_not_over, registrations by these.
CREATE INDEX registrations_unanswered ON registrations (organization_id, id) WHERE unanswered_since IS NOT NULL;
CREATE INDEX registrations_manual ON registrations (organization_id, id)
  WHERE authority = 'manual' AND status IN ('VALIDATING', 'DEREGISTERING');

-- How often returns are filed, and from which day on: a change counts from the next period, so
-- the frequency of a row holds until the next row.
CREATE TABLE registration_frequencies (
  organization_id  ident NOT NULL,
  registration_id  ident NOT NULL,
  from_date        date NOT NULL, -- 1900-01-01 for the first
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

-- ------------------------------------------------------------
-- Filings: the returns of a registration, and the transactions that each of them claims.

-- The return of a registration for a period. Its amounts are those of its lines
-- (filing_transactions) once they are claimed; before that they are computed when they are read.
-- While next_check_at is set there is pending work that only its workflow does.
CREATE TABLE filings (
  organization_id         ident NOT NULL,
  id                      ident NOT NULL,
  registration_id         ident NOT NULL,
  country_code            text NOT NULL,
  state_code              text NOT NULL,
  state_name              text,
  start_date              date NOT NULL,
  end_date                date NOT NULL,
  status                  text NOT NULL CHECK (status IN
                            ('UNFILED', 'FILING', 'FILED', 'PAUSED', 'ISSUE', 'SKIPPED', 'CANCELLED')),
  filing_category         text NOT NULL CHECK (char_length(filing_category) BETWEEN 1 AND 50),
  -- Regular returns and amendments share their transactions; other categories claim them in addition.
  claims_as               text NOT NULL GENERATED ALWAYS AS (
                            CASE WHEN filing_category IN ('REGULAR', 'AMENDMENT') THEN 'RETURN' ELSE filing_category END) STORED,
  filing_frequency        text,
  currency                text NOT NULL,
  due_date                date,
  date_filed              date,
  is_manual               boolean,
  auto_approved           boolean NOT NULL DEFAULT false,
  approved_by             text,
  approved_at             timestamptz,
  block_approval          boolean NOT NULL DEFAULT false,
  paused_until_date       date,
  issue_reason            text CHECK (char_length(issue_reason) <= 50),
  skip_reason             text CHECK (char_length(skip_reason) <= 50),
  cancelled_reason        text CHECK (char_length(cancelled_reason) <= 50),
  amount_sales            numeric(20,2) NOT NULL DEFAULT 0 CHECK (amount_sales <> 'NaN'),
  total_taxable_sales     numeric(20,2) NOT NULL DEFAULT 0 CHECK (total_taxable_sales <> 'NaN'),
  amount_calculated       numeric(20,2) NOT NULL DEFAULT 0 CHECK (amount_calculated <> 'NaN'),
  amount_tax_collected    numeric(20,2) NOT NULL DEFAULT 0 CHECK (amount_tax_collected <> 'NaN'),
  total_tax_liability     numeric(20,2) NOT NULL DEFAULT 0 CHECK (total_tax_liability <> 'NaN'),
  amount_adjusted         numeric(20,2) NOT NULL DEFAULT 0 CHECK (amount_adjusted <> 'NaN'),
  amount_discounts        numeric(20,2) NOT NULL DEFAULT 0 CHECK (amount_discounts <> 'NaN' AND amount_discounts >= 0),
  amount_fees             numeric(20,2) NOT NULL DEFAULT 0 CHECK (amount_fees <> 'NaN' AND amount_fees >= 0),
  amount_penalties        numeric(20,2) NOT NULL DEFAULT 0 CHECK (amount_penalties <> 'NaN' AND amount_penalties >= 0),
  tax_remitted            numeric(20,2) NOT NULL DEFAULT 0 CHECK (tax_remitted <> 'NaN'),
  transaction_count       bigint NOT NULL DEFAULT 0,
  marketplace_transaction_count bigint NOT NULL DEFAULT 0,
  internal_notes          text,
  return_confirmation_id  text,
  payment_confirmation_id text,
  jira_issue_key          text,
  amends_filing_id        ident,
  planned                 boolean NOT NULL DEFAULT false, -- made by the plan of filings
  attempt                 integer NOT NULL DEFAULT 0, -- how often it became FILING
  claimed_at              timestamptz, -- its lines are claimed
  filed_at                timestamptz,
  locked_at               timestamptz, -- report and hash are stored, its transactions are LOCKED
  report_hash             text,
  reminders               integer NOT NULL DEFAULT 0, -- of the due date, that were recorded
  next_check_at           timestamptz,
  created_at              timestamptz NOT NULL,
  updated_at              timestamptz NOT NULL,
  announced_at            timestamptz,
  -- Since when the calls for a return or a registration do not reach its authority; NULL while they do. The table of outages
  -- knows authorities, and names but the first records that one of them failed.
  unanswered_since        timestamptz,
  -- Since when people have to file a return, because no adapter does. A registration names its adapter.
  manual_since            timestamptz,
  -- How the amount of a return comes about besides its tax and what people enter: prepayments and credit that it takes off,
  -- and credit that it leaves. The amount is what is to be paid, and never below zero. A return that was claimed before has
  -- its amount as it was: 0 in each column.
  settled                 boolean NOT NULL DEFAULT false, -- the columns below were decided with its claim
  amount_prepaid          numeric(20,2) NOT NULL DEFAULT 0 CHECK (amount_prepaid <> 'NaN' AND amount_prepaid >= 0),
  amount_credit_applied   numeric(20,2) NOT NULL DEFAULT 0
    CHECK (amount_credit_applied <> 'NaN' AND amount_credit_applied >= 0),
  amount_credit_carried   numeric(20,2) NOT NULL DEFAULT 0
    CHECK (amount_credit_carried <> 'NaN' AND amount_credit_carried >= 0),
  -- Of a prepayment, what is not to be paid with it but with the return of its period.
  amount_deferred         numeric(20,2) NOT NULL DEFAULT 0 CHECK (amount_deferred <> 'NaN'),
  -- Of a prepayment, the part of its tax that is to be paid with it. NULL: all.
  prepaid_share           numeric(12,9) CHECK (prepaid_share > 0 AND prepaid_share <= 1),
  -- What other returns have taken off of the credit that this one left, or of this prepayment.
  credit_used             numeric(20,2) NOT NULL DEFAULT 0 CHECK (credit_used <> 'NaN' AND credit_used >= 0),
  -- What the return of the period should have been, by an amendment and everything filed before it. NULL until its claim,
  -- and for amendments that were claimed before.
  amended_totals          jsonb,
  -- People asked for the amendment: it stays without a transaction.
  on_demand               boolean NOT NULL DEFAULT false,
  -- What the authority was asked to pay back of a credit that no return takes off any more.
  credit_claimed          numeric(20,2) NOT NULL DEFAULT 0 CHECK (credit_claimed <> 'NaN' AND credit_claimed >= 0),
  -- What the lines of a return show besides their sums, for people who approve it: by how much tax was over- and
  -- under-collected, which lines are on days without an obligation, and which tax of places is not certain.
  amount_over_collected   numeric(20,2) NOT NULL DEFAULT 0 CHECK (amount_over_collected <> 'NaN'),
  amount_under_collected  numeric(20,2) NOT NULL DEFAULT 0 CHECK (amount_under_collected <> 'NaN'),
  over_collected_count    bigint NOT NULL DEFAULT 0,
  under_collected_count   bigint NOT NULL DEFAULT 0,
  no_obligation_count     bigint NOT NULL DEFAULT 0,
  no_obligation_sales     numeric(20,2) NOT NULL DEFAULT 0 CHECK (no_obligation_sales <> 'NaN'),
  uncertain_count         bigint NOT NULL DEFAULT 0,
  uncertain_tax           numeric(20,2) NOT NULL DEFAULT 0 CHECK (uncertain_tax <> 'NaN'),
  form_difference         numeric(20,2) NOT NULL DEFAULT 0 CHECK (form_difference <> 'NaN'),
  beyond_rounding_count   bigint NOT NULL DEFAULT 0,
  PRIMARY KEY (organization_id, id),
  FOREIGN KEY (organization_id, registration_id) REFERENCES registrations (organization_id, id),
  FOREIGN KEY (organization_id, amends_filing_id) REFERENCES filings (organization_id, id),
  CONSTRAINT filings_period CHECK (start_date <= end_date AND end_date - start_date < 366),
  CONSTRAINT filings_claimed CHECK (CASE WHEN status IN ('FILING', 'FILED') THEN claimed_at IS NOT NULL
                                         WHEN status = 'ISSUE' THEN true ELSE claimed_at IS NULL END),
  CONSTRAINT filings_filed CHECK ((status = 'FILED') = (filed_at IS NOT NULL) AND (status <> 'FILED' OR date_filed IS NOT NULL)),
  CONSTRAINT filings_paused CHECK (paused_until_date IS NULL OR status = 'PAUSED'),
  -- One regular return for each registration and day.
  CONSTRAINT filings_regular EXCLUDE USING gist
    (organization_id WITH =, registration_id WITH =, daterange(start_date, end_date, '[]') WITH &&)
    WHERE (filing_category = 'REGULAR' AND status NOT IN ('CANCELLED', 'SKIPPED')),
  CONSTRAINT filings_amount CHECK (NOT settled OR
    total_tax_liability + amount_adjusted - amount_discounts + amount_fees + amount_penalties
    - amount_prepaid - amount_credit_applied + amount_credit_carried - amount_deferred >= 0),
  CONSTRAINT filings_credit_used CHECK (credit_used + credit_claimed = 0 OR credit_used + credit_claimed
    <= CASE WHEN filing_category = 'PREPAYMENT' THEN tax_remitted ELSE amount_credit_carried END)
);
-- The one amendment of a return that collects what came late.
CREATE UNIQUE INDEX filings_open_amendment ON filings (organization_id, amends_filing_id)
  WHERE filing_category = 'AMENDMENT' AND status IN ('UNFILED', 'PAUSED');
CREATE INDEX filings_registration ON filings (organization_id, registration_id, start_date DESC, id DESC);
CREATE INDEX filings_start_date ON filings (organization_id, start_date DESC, id DESC);
CREATE INDEX filings_due_date ON filings (organization_id, due_date, id);
-- Read across organizations by the sweeper of every process.
CREATE INDEX filings_next_check_at ON filings (next_check_at) WHERE next_check_at IS NOT NULL;
-- Returns of all organizations by the day on which they are due: for whoever looks at many organizations.
CREATE INDEX filings_due ON filings (due_date, organization_id, id);
CREATE INDEX filings_not_over ON filings (organization_id, id) WHERE status IN ('UNFILED', 'PAUSED', 'FILING', 'ISSUE');
-- A return that the plan has made is never made again, whatever became of it, unless its registration was to begin
-- later and does not any more.
CREATE UNIQUE INDEX filings_planned_once
  ON filings (organization_id, registration_id, filing_category, start_date, end_date)
  WHERE planned AND cancelled_reason IS DISTINCT FROM 'REGISTERED_LATER';
-- What of a registration is a credit or a prepayment is read by every return of it.
CREATE INDEX filings_credit ON filings (organization_id, registration_id, end_date)
  WHERE status = 'FILED' AND CASE WHEN filing_category = 'PREPAYMENT' THEN tax_remitted ELSE amount_credit_carried END
    > credit_used + credit_claimed;

-- The lines of a return: the transactions that it claimed, with what each adds to it, in the
-- currency of the filing. A transaction has one row for each registration that reports it.
CREATE TABLE filing_transactions (
  organization_id ident NOT NULL,
  filing_id       ident NOT NULL,
  transaction_id  ident NOT NULL,
  registration_id ident NOT NULL,
  claims_as       text NOT NULL,
  epoch           integer NOT NULL,
  tax_date        date NOT NULL,
  marketplace     boolean NOT NULL,
  sales           numeric(20,2) NOT NULL CHECK (sales <> 'NaN'),
  taxable         numeric(20,2) NOT NULL CHECK (taxable <> 'NaN'),
  tax             numeric(20,2) NOT NULL CHECK (tax <> 'NaN'),
  collected       numeric(20,2) NOT NULL CHECK (collected <> 'NaN'),
  liability       numeric(20,2) NOT NULL CHECK (liability <> 'NaN'),
  -- NULL: nothing to say of the line.
  over_collected  numeric(20,2),
  under_collected numeric(20,2),
  no_obligation   boolean,
  uncertain       boolean,
  form_tax        numeric(20,6),
  beyond_rounding boolean,
  PRIMARY KEY (organization_id, filing_id, transaction_id)
);
-- A transaction is returned once for each registration: an amendment contains what the regular
-- return does not. Other categories, such as payments on account, report it in addition, each
-- once.
CREATE UNIQUE INDEX filing_transactions_once ON filing_transactions
  (organization_id, transaction_id, registration_id, claims_as);

-- ------------------------------------------------------------
-- What claims, releases and reports of filings write.

-- Transactions that a filing released.
CREATE TABLE filing_releases (
  organization_id ident NOT NULL,
  transaction_id  ident NOT NULL,
  filing_id       ident NOT NULL,
  claimed_at      timestamptz NOT NULL,
  released_at     timestamptz NOT NULL,
  PRIMARY KEY (organization_id, transaction_id, filing_id, claimed_at),
  FOREIGN KEY (organization_id, filing_id) REFERENCES filings (organization_id, id)
);

-- Transactions that were processed when the return of their period was claimed already, or just
-- being claimed. Whoever takes such a row opens or finds the amendment, or sees that there is
-- nothing to amend.
CREATE TABLE late_transactions (
  organization_id ident NOT NULL,
  registration_id ident NOT NULL,
  transaction_id  ident NOT NULL,
  at              timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (organization_id, registration_id, transaction_id)
) WITH (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_cost_delay = 0);
CREATE INDEX late_transactions_at ON late_transactions (at);

-- Why there is an amendment.
CREATE TABLE filing_causes (
  organization_id ident NOT NULL,
  filing_id       ident NOT NULL,
  transaction_id  ident NOT NULL,
  reason          text NOT NULL CHECK (reason IN ('LATE', 'CHANGED', 'CREDIT_NOTE')),
  at              timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (organization_id, filing_id, transaction_id),
  FOREIGN KEY (organization_id, filing_id) REFERENCES filings (organization_id, id)
);

-- The rates by which a return in euro converted its sales in other currencies: units of the
-- currency for one euro, as known when the lines were claimed.
CREATE TABLE filing_rates (
  organization_id ident NOT NULL,
  filing_id       ident NOT NULL,
  currency        text NOT NULL,
  rate            numeric NOT NULL CHECK (rate > 0 AND rate <> 'NaN'),
  PRIMARY KEY (organization_id, filing_id, currency),
  FOREIGN KEY (organization_id, filing_id) REFERENCES filings (organization_id, id)
);

-- What the report of a filed return says beside its lines. It becomes final with FILED, together
-- with filings.report_hash, which covers it.
CREATE TABLE filing_reports (
  organization_id  ident NOT NULL,
  filing_id        ident NOT NULL,
  content_versions text[] NOT NULL, -- by which the transactions were taxed, sorted
  -- Who files, as it was when the return became FILED: part of its report and of its hash. Reports of before
  -- have none.
  taxpayer         jsonb,
  -- The findings of a sealed report. NULL: it was sealed before.
  findings         jsonb,
  PRIMARY KEY (organization_id, filing_id),
  FOREIGN KEY (organization_id, filing_id) REFERENCES filings (organization_id, id)
);

-- What each jurisdiction gets of a filed return, in the currency of the filing.
CREATE TABLE filing_jurisdictions (
  organization_id    ident NOT NULL,
  filing_id          ident NOT NULL,
  position           integer NOT NULL, -- in the report
  jurisdiction_type  text NOT NULL,
  jurisdiction_name  text NOT NULL,
  code               text NOT NULL,
  taxable            numeric(20,2) NOT NULL CHECK (taxable <> 'NaN'),
  tax                numeric(20,2) NOT NULL CHECK (tax <> 'NaN'),
  -- What a sealed return owes by place is in tax and taxable; what the law computes of all its transactions is here. NULL: of
  -- a report that was sealed before, whose tax and taxable are what the law computes.
  tax_calculated     numeric(20,2) CHECK (tax_calculated <> 'NaN'),
  taxable_calculated numeric(20,2) CHECK (taxable_calculated <> 'NaN'),
  PRIMARY KEY (organization_id, filing_id, position),
  UNIQUE (organization_id, filing_id, jurisdiction_type, jurisdiction_name),
  FOREIGN KEY (organization_id, filing_id) REFERENCES filings (organization_id, id)
);

-- What ever happened to a return: its moves, who made them and why, what it was handed over as, and
-- what the authority said. A row is written in the database transaction of the move, and stays as it
-- is. There is no foreign key: nothing that happens to a filing takes its history along.
CREATE TABLE filing_history (
  organization_id   ident NOT NULL,
  filing_id         ident NOT NULL,
  seq               bigint GENERATED ALWAYS AS IDENTITY,
  at                timestamptz NOT NULL DEFAULT now(),
  from_status       text, -- NULL: the filing was made
  to_status         text NOT NULL,
  action            text NOT NULL,
  actor_type        text NOT NULL CHECK (actor_type IN ('API_KEY', 'USER', 'STAFF', 'SYSTEM')),
  actor_id          text,
  actor_name        text,
  reason            text,
  attempt           integer NOT NULL, -- at filing it; 0 before the first
  authority         text, -- the adapter
  authority_code    text,
  authority_message text,
  confirmation_id   text,
  written_by        xid8 NOT NULL DEFAULT pg_current_xact_id(), -- the database transaction
  PRIMARY KEY (organization_id, filing_id, seq)
);
ALTER TABLE filing_history ADD CONSTRAINT filing_history_action_check CHECK (action IN
  ('CREATED', 'APPROVED', 'SUBMITTED', 'FILED', 'REJECTED', 'RETRIED', 'PAUSED', 'RESUMED', 'RELEASED', 'SKIPPED',
  'CANCELLED', 'SECOND_PERSON_ENDED')) NOT VALID;
-- However often an attempt is handed over, it is one submission.
CREATE UNIQUE INDEX filing_history_submissions ON filing_history (organization_id, filing_id, attempt)
  WHERE action = 'SUBMITTED';

-- The unresolved transactions that an approval left out by decision, as they were then. claimed_at is
-- that of the claim: what is claimed again is decided again.
CREATE TABLE filing_exclusions (
  organization_id ident NOT NULL,
  filing_id       ident NOT NULL,
  claimed_at      timestamptz NOT NULL,
  transaction_id  ident NOT NULL,
  external_id     text NOT NULL,
  type            text NOT NULL,
  tax_date        date NOT NULL,
  amount          numeric(20,2) CHECK (amount <> 'NaN'), -- net, in the currency of the filing; NULL without a rate
  reason          text,
  PRIMARY KEY (organization_id, filing_id, claimed_at, transaction_id)
);

-- The rows that one statement wrote and that are not sealed: the organization and the id of each.
CREATE TABLE audit_unsealed (
  organization_ids text[] NOT NULL,
  ids              text[] NOT NULL CHECK (cardinality(ids) = cardinality(organization_ids))
) WITH (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_cost_delay = 0);

-- One link of the chain of an organization.
CREATE TABLE audit_seals (
  organization_id ident NOT NULL,
  number          bigint NOT NULL CHECK (number > 0), -- 1, 2, 3 and so on, without a gap
  sealed_at       timestamptz NOT NULL DEFAULT now(),
  ids             text[] NOT NULL,
  digests         bytea NOT NULL CHECK (octet_length(digests) = 32 * cardinality(ids)), -- SHA-256 of each row
  master_key_id   ident NOT NULL,
  seal            bytea NOT NULL CHECK (octet_length(seal) = 32), -- HMAC of all this and of the seal before
  -- A link of the chain may have such leaves beside rows of the trail, or instead of them.
  leaves          bytea,
  PRIMARY KEY (organization_id, number)
);
ALTER TABLE audit_seals ADD CONSTRAINT audit_seals_not_empty CHECK (cardinality(ids) > 0 OR leaves IS NOT NULL) NOT VALID;
ALTER TABLE audit_seals ADD CONSTRAINT audit_seals_leaves CHECK (leaves IS NULL OR octet_length(leaves) > 0 AND octet_length(leaves) % 37 = 0) NOT VALID;

-- What processes check of Temporal, one of them for all: whether it hands work to workers, and whether runs
-- ended that their records still need. due_at is when it is checked next, done_at when it last succeeded, by the
-- clock of the database; run_id is the run by which Temporal was last checked.
CREATE TABLE engine_checks (
  name    ident PRIMARY KEY,
  due_at  timestamptz NOT NULL DEFAULT now(),
  done_at timestamptz NOT NULL DEFAULT now(),
  run_id  ident
) WITH (fillfactor = 50);

-- Backups that `levy backup` took of this database, written down after the fact: so one that is restored does not
-- know itself. place is the folder as the command named it; verified says that a server was started on a copy.
CREATE TABLE backups (
  id              bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  began_at        timestamptz NOT NULL,
  ended_at        timestamptz NOT NULL,
  place           text NOT NULL,
  end_lsn         text NOT NULL,
  bytes           bigint NOT NULL,
  schema_version  bigint NOT NULL,
  content_version text NOT NULL,
  verified        boolean NOT NULL
);
CREATE INDEX backups_began_at ON backups (began_at);

-- The authorities that were out of reach when they were last called. by names the records whose calls have failed since,
-- the first three of them: with three the authority counts as down, and is tried once a minute for all. tried_by is the
-- record that tried last: another one goes before it, because what fails may be the one submission.
CREATE TABLE authority_outages (
  name     ident PRIMARY KEY,
  since    timestamptz NOT NULL DEFAULT now(),
  failures bigint NOT NULL DEFAULT 1,
  by       text[] NOT NULL,
  error    text NOT NULL,
  try_at   timestamptz NOT NULL,
  tried_by text NOT NULL
);

CREATE TABLE events (
  organization_id ident NOT NULL,
  sequence        bigint NOT NULL DEFAULT (CASE WHEN pg_current_xact_id() IS NOT NULL THEN nextval('event_sequence') END),
  created_at      timestamptz NOT NULL DEFAULT clock_timestamp(),
  type            text NOT NULL,
  object_id       ident NOT NULL,
  -- What the answer is made from: the row as the change left it, and the former values of the columns that it changed. Of
  -- a transaction only what its processing changes: lines and addresses are with the transaction.
  record          jsonb NOT NULL,
  previous        jsonb,
  request_id      text, -- NULL: that of the audit trail, see written_by
  written_by      xid8 NOT NULL DEFAULT pg_current_xact_id(), -- the database transaction
  PRIMARY KEY (organization_id, sequence, created_at)
) PARTITION BY RANGE (created_at);
-- What no day of its own was made for: nothing, unless the daily job has not run for weeks.
CREATE TABLE events_unplanned PARTITION OF events DEFAULT;
-- Whoever asks for seldom types does not read past those that every sale has.
CREATE INDEX events_seldom ON events (organization_id, sequence)
  WHERE type NOT IN ('transaction.created', 'transaction.updated', 'transaction.processed', 'transaction.locked');
-- The watch of webhooks reads what happened lately in all organizations.
CREATE INDEX events_sequence ON events (sequence);

-- An endpoint, and how far its deliveries are. Everything of the feed up to its cursor has its delivery. While next_check_at
-- is set there is work that only the workflow does; until rests_until nobody needs to look for new events: a run works on
-- it, or it asked for a pause.
CREATE TABLE webhook_endpoints (
  organization_id  ident NOT NULL REFERENCES organizations (id),
  id               ident NOT NULL,
  url              text NOT NULL,
  description      text,
  enabled_events   jsonb NOT NULL DEFAULT '["*"]',
  status           text NOT NULL CHECK (status IN ('ENABLED', 'DISABLED')),
  disabled_reason  text CHECK (disabled_reason IN ('MANUAL', 'FAILING', 'GONE')),
  include_clients  boolean NOT NULL,
  signature_scheme text NOT NULL CHECK (signature_scheme IN ('v1', 'v1a')),
  public_key       text,
  secret           sealed NOT NULL,
  former_secret    sealed,
  former_until     timestamptz,
  created_at       timestamptz NOT NULL,
  updated_at       timestamptz NOT NULL,
  deleted_at       timestamptz, -- its deliveries are deleted piece by piece, and then the row
  cursor_sequence  bigint NOT NULL DEFAULT 0,
  cursor_at        timestamptz NOT NULL DEFAULT now(), -- no event behind the cursor was written before
  next_check_at    timestamptz,
  rests_until      timestamptz,
  failing_since    timestamptz, -- the first failure after the last success
  concurrency      smallint NOT NULL DEFAULT 8,
  setbacks         smallint NOT NULL DEFAULT 0,
  paused_until     timestamptz,
  PRIMARY KEY (organization_id, id),
  CHECK ((status = 'DISABLED') = (disabled_reason IS NOT NULL)),
  CHECK ((former_secret IS NULL) = (former_until IS NULL)),
  CHECK ((signature_scheme = 'v1a') = (public_key IS NOT NULL))
);
-- Read across organizations by the processes that start workflows.
CREATE INDEX webhook_endpoints_next_check_at ON webhook_endpoints (next_check_at) WHERE next_check_at IS NOT NULL;
CREATE INDEX webhook_endpoints_enabled ON webhook_endpoints (organization_id, id) WHERE status = 'ENABLED';

-- A span of the feed that is sent to an endpoint once more. Everything up to its cursor has its delivery.
CREATE TABLE webhook_replays (
  organization_id ident NOT NULL,
  endpoint_id     ident NOT NULL,
  id              ident NOT NULL,
  types           jsonb NOT NULL,
  since_at        timestamptz NOT NULL,
  until_at        timestamptz NOT NULL,
  until_sequence  bigint NOT NULL,
  cursor_sequence bigint NOT NULL DEFAULT 0,
  created_at      timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (organization_id, endpoint_id, id),
  FOREIGN KEY (organization_id, endpoint_id) REFERENCES webhook_endpoints (organization_id, id) ON DELETE CASCADE
);

-- An event for an endpoint, with the last of its attempts. Of the event it has the place in the feed.
CREATE TABLE webhook_deliveries (
  organization_id       ident NOT NULL,
  endpoint_id           ident NOT NULL,
  id                    ident NOT NULL,
  event_organization_id ident NOT NULL,
  sequence              bigint NOT NULL,
  event_at              timestamptz NOT NULL,
  type                  text NOT NULL,
  replay_id             ident,
  status                text NOT NULL DEFAULT 'PENDING' CHECK (status IN ('PENDING', 'DELIVERED', 'FAILED')),
  tries                 smallint NOT NULL DEFAULT 0,
  attempts              jsonb NOT NULL DEFAULT '[]',
  next_attempt_at       timestamptz DEFAULT now(),
  created_at            timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (organization_id, endpoint_id, id),
  FOREIGN KEY (organization_id, endpoint_id) REFERENCES webhook_endpoints (organization_id, id),
  CHECK ((status = 'PENDING') = (next_attempt_at IS NOT NULL))
) WITH (fillfactor = 80);
-- An event is delivered to an endpoint once, and once more for each replay.
CREATE UNIQUE INDEX webhook_deliveries_event ON webhook_deliveries (organization_id, endpoint_id, sequence, replay_id) NULLS NOT DISTINCT;
CREATE INDEX webhook_deliveries_due ON webhook_deliveries (organization_id, endpoint_id, next_attempt_at) WHERE status = 'PENDING';
CREATE INDEX webhook_deliveries_created_at ON webhook_deliveries (organization_id, endpoint_id, created_at, id);

-- Proofs that were used, so that none is used twice. A row may go when its proof is too old to be accepted.
CREATE TABLE operator_proofs (
  digest  bytea PRIMARY KEY CHECK (octet_length(digest) = 32),
  used_by text NOT NULL,
  used_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX operator_proofs_used_at ON operator_proofs (used_at);

-- People who work in the console or on the API with a session instead of a key. A person is one of the whole installation;
-- what a person may do for an organization is a membership. Secrets are kept as hashes only.
CREATE TABLE users (
  id               ident PRIMARY KEY,
  email            text NOT NULL,
  email_key        ident NOT NULL UNIQUE, -- the address as it is compared: without letter case
  name             text NOT NULL,
  staff_role       text CHECK (staff_role IN ('auditor', 'operator')),
  status           text NOT NULL CHECK (status IN ('INVITED', 'ACTIVE', 'DISABLED')),
  password_hash    text, -- argon2id with its parameters and salt
  created_at       timestamptz NOT NULL,
  updated_at       timestamptz NOT NULL,
  -- People may sign in at an OpenID provider instead of with a password: the account there is bound to the person with
  -- the first sign-in, and from then on decides alone who it is.
  provider_issuer  text,
  provider_subject text,
  -- An address is written by those who invite, and belongs to the person who proves it. So several accounts may have one
  -- address: each is reached by a link of its own, with the roles that those who made the link could give. One of them at
  -- most is proven: by a link that the operator of the installation made, or at the OpenID provider. email_key stays
  -- unique, for processes of earlier releases: of an account that shares its address, the id follows it.
  address_key      ident, -- the address as it is compared; NULL: email_key is that
  proven_at        timestamptz,
  CONSTRAINT users_provider_check CHECK ((provider_issuer IS NULL) = (provider_subject IS NULL)),
  CONSTRAINT users_check CHECK (status <> 'ACTIVE' OR password_hash IS NOT NULL OR provider_subject IS NOT NULL)
);
-- An account at a provider is that of one person.
CREATE UNIQUE INDEX users_provider ON users (provider_issuer, provider_subject);
-- The accounts of an address are read at each sign-in.
CREATE INDEX users_address ON users ((coalesce(address_key, email_key)));
-- An address is proven for one account.
CREATE UNIQUE INDEX users_proven_address ON users ((coalesce(address_key, email_key)))
  WHERE proven_at IS NOT NULL;

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
  hash            bytea PRIMARY KEY,
  user_id         ident NOT NULL REFERENCES users (id),
  created_at      timestamptz NOT NULL,
  expires_at      timestamptz NOT NULL,
  used_at         timestamptz,
  -- The role that a person gets by opening the link; NULL: none, the account has its roles. Opening a link of the operator
  -- proves the address, and ends what others hold of its accounts.
  by_operator     boolean NOT NULL DEFAULT false,
  organization_id ident,
  role            text CHECK (role IN ('viewer', 'preparer', 'approver', 'admin')),
  staff_role      text CHECK (staff_role IN ('auditor', 'operator'))
);
CREATE INDEX sign_in_links_user ON sign_in_links (user_id);

-- What a cookie stands for. A session ends at ends_at, or when it was not used for long, or when it is revoked.
CREATE TABLE sessions (
  hash       bytea PRIMARY KEY,
  user_id    ident NOT NULL REFERENCES users (id),
  created_at timestamptz NOT NULL,
  seen_at    timestamptz NOT NULL,
  ends_at    timestamptz NOT NULL,
  revoked_at timestamptz,
  -- When the person of a session last proved who uses it: by signing in, or again later. What gives access needs a proof of
  -- the last five minutes. NULL: never, or not known, as for sessions from before.
  proven_at  timestamptz
);
CREATE INDEX sessions_user ON sessions (user_id) WHERE revoked_at IS NULL;

-- Who takes care of something that needs a person, and what was noted about it. What it is about stands in the record itself:
-- a row says nothing about whether it still needs somebody.
CREATE TABLE exception_notes (
  organization_id ident NOT NULL REFERENCES organizations (id),
  type            text NOT NULL,
  object_id       ident NOT NULL,
  assignee        text,
  note            text,
  updated_at      timestamptz NOT NULL,
  -- Since when nobody has to look after it any more, where the record itself does not tell that.
  done_at         timestamptz,
  PRIMARY KEY (organization_id, type, object_id)
);

-- What a partner stores with its clients: bytes of documents and of files of imports. Triggers count, so that no way of
-- writing or deleting them forgets it, and a partner's row lets those that store at the same moment follow each other.
-- They act as the owner: the roles of the service see rows of a closed table only where a statement names them.
CREATE TABLE partner_storage (
  organization_id ident PRIMARY KEY REFERENCES organizations (id), -- the partner
  bytes           bigint NOT NULL CHECK (bytes >= 0)
);

-- Rates that an organization set for a jurisdiction itself. They are never changed: what ends or was wrong is deleted,
-- with its row in the audit trail, and set anew. Of two for one thing on one day the one set last counts.
CREATE TABLE rate_overrides (
  organization_id   ident NOT NULL REFERENCES organizations (id),
  id                ident NOT NULL,
  jurisdiction_id   text NOT NULL, -- of the tax content
  country_code      text NOT NULL,
  state_code        text NOT NULL, -- empty where the country has no states
  jurisdiction_type text NOT NULL,
  jurisdiction_name text NOT NULL,
  tax_class         text NOT NULL, -- empty: the general rate
  rate              numeric(12, 9) NOT NULL CHECK (rate BETWEEN 0 AND 1),
  start_date        date NOT NULL,
  end_date          date,
  reason            text NOT NULL CHECK (reason <> ''),
  created_at        timestamptz NOT NULL,
  PRIMARY KEY (organization_id, id),
  CONSTRAINT rate_overrides_days CHECK (end_date IS NULL OR start_date <= end_date)
);
-- New content asks for those of the jurisdictions that it changes.
CREATE INDEX rate_overrides_jurisdiction ON rate_overrides (jurisdiction_id);

-- A link with which a client does the steps of its own onboarding: the newest one of each organization. It
-- works while the onboarding is in progress, until expires_at. Of the link there is only a hash.
CREATE TABLE onboarding_links (
  organization_id ident PRIMARY KEY REFERENCES organizations (id),
  id              ident NOT NULL UNIQUE,
  hash            bytea NOT NULL UNIQUE,
  made_by         text NOT NULL,
  created_at      timestamptz NOT NULL,
  expires_at      timestamptz NOT NULL CHECK (expires_at > created_at),
  opened_at       timestamptz
);

-- A person who signs in with a password may add a second step: six digits of an app (RFC 6238). Its secret is encrypted
-- under a key of its own, which stands beside it, wrapped by a master key. Of a code only the step is kept, of 30
-- seconds, so that each is used once.
CREATE TABLE second_factors (
  user_id       ident PRIMARY KEY REFERENCES users (id),
  master_key_id ident NOT NULL,
  wrapped       bytea NOT NULL CHECK (octet_length(wrapped) = 60),
  sealed        bytea NOT NULL,
  created_at    timestamptz NOT NULL,
  confirmed_at  timestamptz, -- with the first code; before, nobody is asked for one
  last_step     bigint NOT NULL DEFAULT 0 -- since 1970, of the code that was used last
);

-- Keys of the installation, each wrapped by a master key. The key of tax ids encrypts the numbers of exemptions, customers,
-- organizations, registrations, returns and transactions: it outlives the data keys of organizations, since tax law keeps
-- certificates and registrations. It is in use from the start where nothing is from before; else from `levy keys seal` on,
-- when no process is left of a version that cannot read what it encrypts. That command encrypts older numbers, too, and
-- notes when it has been through all of them.
CREATE TABLE installation_keys (
  id            text PRIMARY KEY,
  master_key_id ident NOT NULL,
  wrapped       bytea NOT NULL CHECK (octet_length(wrapped) = 60),
  created_at    timestamptz NOT NULL DEFAULT now(),
  in_use_at     timestamptz,
  sealed_at     timestamptz
);

-- Proofs that the codec has attached to what somebody entered in the Temporal UI: who it was, a person with a session or
-- the holder of an operator key. Each is used once. Of a proof there is only a hash.
CREATE TABLE attached_proofs (
  digest      bytea PRIMARY KEY CHECK (octet_length(digest) = 32),
  user_id     ident REFERENCES users (id),
  operator_id ident REFERENCES operator_keys (id),
  made_at     timestamptz NOT NULL DEFAULT now(),
  used_by     text,
  CHECK (num_nonnulls(user_id, operator_id) = 1)
);
CREATE INDEX attached_proofs_made_at ON attached_proofs (made_at);

-- Recovery codes, with each of which a person signs in once who has not got the app of the second step. They go with it. Of a
-- code there is only a keyed hash.
CREATE TABLE recovery_codes (
  user_id ident NOT NULL REFERENCES second_factors (user_id) ON DELETE CASCADE,
  hash    bytea NOT NULL CHECK (octet_length(hash) = 32),
  used_at timestamptz,
  PRIMARY KEY (user_id, hash)
);

-- What is true of an installation since it was made.
CREATE TABLE installation (
  single              boolean PRIMARY KEY DEFAULT true CHECK (single),
  tax_ids_from_before boolean NOT NULL, -- there were organizations before tax ids were encrypted
  -- The last day on which earlier releases may have decided something. NULL: nothing is from before.
  totals_from_before  date,
  -- Whether records from before may have no leaf.
  ledger_from_before  boolean NOT NULL DEFAULT false
);

-- Filters of the console's lists that a person has given a name. query has the parameters of the list, checked when it was
-- saved.
CREATE TABLE saved_views (
  user_id    ident NOT NULL REFERENCES users (id),
  list       text NOT NULL CHECK (list IN ('filings', 'exceptions', 'transactions', 'clients')),
  name_key   text NOT NULL, -- the name as it is compared
  name       text NOT NULL CHECK (length(name) BETWEEN 1 AND 60),
  query      text NOT NULL CHECK (length(query) <= 2000),
  updated_at timestamptz NOT NULL,
  PRIMARY KEY (user_id, list, name_key)
);

-- Processes keep in memory what estimates have read of an organization: products, customers, exemptions. Before each use they
-- read whether any of it has changed since, in one statement with what they do not have. A change of what estimates read of a
-- record that is there appends a random number in its own database transaction. All numbers of an organization together, by
-- XOR, are its version: they tell a state of its records from every other, also after a restore, which would set a count
-- back. Records that are new change nothing: what was not found is not kept.
--
-- As with the counts of lists no writer waits for another, and from time to time the numbers are rolled up, which does not
-- change the version.
CREATE TABLE catalog_version_changes (
  organization_id ident NOT NULL,
  token           bigint NOT NULL
) WITH (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_cost_delay = 0);
CREATE INDEX catalog_version_changes_organization ON catalog_version_changes (organization_id);

CREATE TABLE catalog_versions (
  organization_id ident PRIMARY KEY,
  token           bigint NOT NULL
) WITH (fillfactor = 70);

CREATE TABLE nexus_refunds (
  organization_id ident NOT NULL REFERENCES organizations (id),
  country_code    text NOT NULL,
  state_code      text NOT NULL,
  currency        text NOT NULL,
  day             date NOT NULL,
  marketplace     boolean NOT NULL,
  sold_on         date NOT NULL, -- another day
  amount          numeric(20,2) NOT NULL,
  exempt_amount   numeric(20,2) NOT NULL,
  resale_amount   numeric(20,2) NOT NULL,
  PRIMARY KEY (organization_id, country_code, state_code, currency, day, marketplace, sold_on)
) WITH (fillfactor = 50);

-- Which credit a return has taken off: of a prepayment inside its period, or of what an earlier return left.
CREATE TABLE filing_credits (
  organization_id ident NOT NULL,
  used_by         ident NOT NULL,
  credit_of       ident NOT NULL,
  prepaid         boolean NOT NULL, -- it is in amount_prepaid, and otherwise in amount_credit_applied
  amount          numeric(20,2) NOT NULL CHECK (amount <> 'NaN' AND amount > 0),
  PRIMARY KEY (organization_id, used_by, credit_of),
  FOREIGN KEY (organization_id, used_by) REFERENCES filings (organization_id, id),
  FOREIGN KEY (organization_id, credit_of) REFERENCES filings (organization_id, id)
);
CREATE INDEX filing_credits_of ON filing_credits (organization_id, credit_of);

-- The orders of a file: a digest of the external_id, the byte at which the first row begins, and the number of rows.
-- Nothing refers to the import: a check for each row would cost more than the row. They are deleted with the file.
CREATE TABLE transaction_import_orders (
  organization_id ident NOT NULL,
  import_id       ident NOT NULL,
  key             uuid NOT NULL,
  first           bigint NOT NULL,
  rows            bigint NOT NULL,
  PRIMARY KEY (organization_id, import_id, key)
);

-- Where the adjacent rows of orders begin that have others elsewhere in the file. The first ones of an order have no
-- line and size, because the import reads them as it comes to them.
CREATE TABLE transaction_import_parts (
  organization_id ident NOT NULL,
  import_id       ident NOT NULL,
  start           bigint NOT NULL,
  first           bigint NOT NULL, -- start of the first rows of the order
  key             uuid NOT NULL,
  line            bigint NOT NULL DEFAULT 0,
  size            bigint NOT NULL DEFAULT 0,
  rows            bigint NOT NULL DEFAULT 0,
  PRIMARY KEY (organization_id, import_id, start),
  UNIQUE (organization_id, import_id, first, start)
);

-- Returns that were open when the cases of the liability came show what earlier releases decided: their transactions do
-- not say by how much more or less tax was collected, and share what is owed over places in another way. A background
-- run completes them, return by return. It notes the last transaction that it has seen, so that it goes on after an
-- interruption.
CREATE TABLE filing_recomputations (
  organization_id   ident NOT NULL,
  filing_id         ident NOT NULL,
  after_day         date NOT NULL DEFAULT '-infinity',
  after_transaction text NOT NULL DEFAULT '',
  transactions      bigint NOT NULL DEFAULT 0, -- that it has seen
  completed         bigint NOT NULL DEFAULT 0, -- of these, that it changed
  done_at           timestamptz,
  PRIMARY KEY (organization_id, filing_id),
  FOREIGN KEY (organization_id, filing_id) REFERENCES filings (organization_id, id)
);
CREATE INDEX filing_recomputations_open ON filing_recomputations (organization_id, filing_id) WHERE done_at IS NULL;

-- Browsers by which an account has signed in. Who fails too often at an account does not keep out the person who comes
-- by one of them. Of its cookie only a hash is kept.
CREATE TABLE sign_in_devices (
  hash    bytea NOT NULL,
  user_id ident NOT NULL REFERENCES users (id),
  seen_at timestamptz NOT NULL, -- of the last sign-in
  PRIMARY KEY (hash, user_id)
);
CREATE INDEX sign_in_devices_user ON sign_in_devices (user_id, seen_at);

-- The key, person or link that created something that gives access: an API key, a role, the link of an onboarding or an
-- endpoint of webhooks. When the maker ends, the thing ends with it or is named for a decision. Things from before, and
-- those of the command line, have no row.
CREATE TABLE makers (
  organization_id ident NOT NULL REFERENCES organizations (id), -- of the thing
  kind            text NOT NULL CHECK (kind IN ('api_key', 'invitation', 'onboarding_link', 'webhook_endpoint')),
  id              ident NOT NULL, -- of the thing; of an invitation that of the person
  key_id          ident,
  user_id         ident,
  link_id         ident,
  own             boolean NOT NULL DEFAULT false, -- the first key of a client: it is the client's own
  made_at         timestamptz NOT NULL,
  maker_ended_at  timestamptz,
  -- What a partner has made for its client under the grant ends, or is named, with the grant. A key does no more than the
  -- grant. The first key of a client is its own.
  granted         boolean NOT NULL DEFAULT false,
  PRIMARY KEY (organization_id, kind, id),
  CHECK (num_nonnulls(key_id, user_id, link_id) = 1)
);
CREATE INDEX makers_key ON makers (key_id) WHERE key_id IS NOT NULL;
CREATE INDEX makers_user ON makers (user_id) WHERE user_id IS NOT NULL;

-- A day on which all collected tax was given back adds up to nothing in the counters, although the first sale with collected
-- tax may be among its sales. Refunds of their sale's day that take back tax name the day here, and it keeps its name. Days
-- from before this table are named when one of their refunds is counted again.
CREATE TABLE nexus_returned_days (
  organization_id ident NOT NULL,
  country_code    text NOT NULL,
  state_code      text NOT NULL,
  day             date NOT NULL,
  PRIMARY KEY (organization_id, country_code, state_code, day)
);

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

-- What an organization stores, inside the quota of its partner: bytes of documents and of files of imports, counted by the
-- triggers that count those of the partner. most is its own quota; without one that of the installation counts.
CREATE TABLE organization_storage (
  organization_id ident PRIMARY KEY REFERENCES organizations (id),
  bytes           bigint NOT NULL DEFAULT 0 CHECK (bytes >= 0),
  most            bigint CHECK (most >= 0)
);

-- Leaves of decided liabilities, and of records from before, wait here for their seal, each with its organization.
CREATE TABLE ledger_unsealed (
  number           bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, -- later ones of a record have higher numbers
  organization_ids text[] NOT NULL,
  leaves           bytea NOT NULL CHECK (octet_length(leaves) = 37 * cardinality(organization_ids))
) WITH (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_cost_delay = 0);

-- Records from before get their leaf from levy audit cover. It notes the last transaction of each organization that it
-- has seen, so that it goes on after an interruption. A sealed leaf says that all have theirs, see store/audit.
CREATE TABLE ledger_coverage (
  organization_id   ident PRIMARY KEY REFERENCES organizations (id),
  after_transaction text NOT NULL DEFAULT '',
  transactions      bigint NOT NULL DEFAULT 0, -- that it has seen
  done_at           timestamptz
);

-- States of sign-ins at the OpenID provider that came back. Until a sign-in ends by itself, its state is refused when it
-- comes again. Only a hash is stored.
CREATE TABLE used_sign_ins (
  hash    bytea PRIMARY KEY,
  ends_at timestamptz NOT NULL
);
CREATE INDEX used_sign_ins_end ON used_sign_ins (ends_at);

-- The API's processes that serve now, each with its calls by organization or person. They read each other's rows every two
-- seconds, so that a rate limit holds for all of them together. The row of a process that ended is deleted by the others.
CREATE TABLE api_processes (
  id      text PRIMARY KEY,
  seen_at timestamptz NOT NULL,
  calls   jsonb NOT NULL
) WITH (fillfactor = 50, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 100);

-- Passkeys of people (WebAuthn), with which they sign in, alone or after the password. Only the public key is stored. The
-- id of a credential is unique in the installation. counter is the last number of signatures that the device has told; 0
-- for one that does not count.
CREATE TABLE passkeys (
  credential_id   bytea PRIMARY KEY CHECK (octet_length(credential_id) BETWEEN 1 AND 1023),
  user_id         ident NOT NULL REFERENCES users (id),
  public_key      bytea NOT NULL CHECK (octet_length(public_key) <= 2048), -- COSE, RFC 9052
  counter         bigint NOT NULL CHECK (counter >= 0),
  transports      text NOT NULL CHECK (octet_length(transports) <= 16384), -- by which the browser finds the device, separated by spaces
  backup_eligible boolean NOT NULL, -- the device may copy the key to others; it never changes
  name            text NOT NULL, -- given by the person
  created_at      timestamptz NOT NULL,
  last_used_at    timestamptz
);
CREATE INDEX passkeys_user ON passkeys (user_id);

-- Every new transaction and customer pays for searches, so only what is searched most has
-- trigrams, and what is seldom sent has them only where it is.
-- +goose StatementBegin
DO $$
BEGIN
  IF EXISTS (SELECT FROM pg_extension WHERE extname = 'pg_trgm') THEN
    CREATE INDEX transactions_text ON transactions USING gin ((external_id COLLATE "default") gin_trgm_ops);
    CREATE INDEX transactions_friendly_text ON transactions USING gin (external_friendly_id gin_trgm_ops)
      WHERE external_friendly_id IS NOT NULL;
    CREATE INDEX transactions_secondary_text ON transactions USING gin (secondary_external_id gin_trgm_ops)
      WHERE secondary_external_id IS NOT NULL;
    CREATE INDEX customers_text ON customers USING gin (name gin_trgm_ops);
  END IF;
END $$;
-- +goose StatementEnd

-- ------------------------------------------------------------
-- Functions. The triggers that execute one follow it.

-- The permitted transitions of every status, as package models lists them; a test compares
-- the two. PostgreSQL hashes a constant array once per statement, so a check costs next to
-- nothing.
-- +goose StatementBegin
CREATE FUNCTION may_move(machine text, from_state text, to_state text) RETURNS boolean
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT machine || ':' || from_state || '>' || to_state = ANY (ARRAY[
    'transaction_status:PENDING>COMMITTED', 'transaction_status:PENDING>CANCELLED', 'transaction_status:PENDING>INVALID',
    'transaction_status:PENDING>ARCHIVED', 'transaction_status:COMMITTED>CANCELLED', 'transaction_status:COMMITTED>INVALID',
    'transaction_status:COMMITTED>ARCHIVED', 'transaction_status:FULLY_REFUNDED>COMMITTED', 'transaction_status:FULLY_REFUNDED>CANCELLED',
    'transaction_status:FULLY_REFUNDED>ARCHIVED', 'transaction_status:PARTIALLY_REFUNDED>COMMITTED',
    'transaction_status:PARTIALLY_REFUNDED>CANCELLED', 'transaction_status:PARTIALLY_REFUNDED>ARCHIVED',
    'transaction_status:CANCELLED>COMMITTED', 'transaction_status:CANCELLED>ARCHIVED', 'transaction_status:INVALID>COMMITTED',
    'transaction_status:INVALID>ARCHIVED',

    'credit_note_status:PENDING>COMMITTED', 'credit_note_status:PENDING>CANCELLED', 'credit_note_status:PENDING>ARCHIVED',
    'credit_note_status:COMMITTED>CANCELLED', 'credit_note_status:CANCELLED>ARCHIVED',

    'refund_status:NONE>PARTIALLY_REFUNDED', 'refund_status:NONE>FULLY_REFUNDED', 'refund_status:PARTIALLY_REFUNDED>FULLY_REFUNDED',
    'refund_status:PARTIALLY_REFUNDED>NONE', 'refund_status:FULLY_REFUNDED>PARTIALLY_REFUNDED', 'refund_status:FULLY_REFUNDED>NONE',

    'processing_status:NEW>QUEUED', 'processing_status:NEW>UPDATED', 'processing_status:NEW>ARCHIVED', 'processing_status:UPDATED>QUEUED',
    'processing_status:UPDATED>ARCHIVED', 'processing_status:QUEUED>PENDING', 'processing_status:QUEUED>EXCLUDED_IN_CALCULATION',
    'processing_status:QUEUED>ARCHIVED', 'processing_status:QUEUED>ADDRESS_DONE', 'processing_status:QUEUED>NEEDS_REFETCH',
    'processing_status:QUEUED>UPDATED', 'processing_status:ADDRESS_DONE>EXEMPT_DONE', 'processing_status:ADDRESS_DONE>UPDATED',
    'processing_status:ADDRESS_DONE>ARCHIVED', 'processing_status:EXEMPT_DONE>NEXUS_DONE', 'processing_status:EXEMPT_DONE>UPDATED',
    'processing_status:EXEMPT_DONE>ARCHIVED', 'processing_status:NEXUS_DONE>PROCESSED', 'processing_status:NEXUS_DONE>NEEDS_REFETCH',
    'processing_status:NEXUS_DONE>UPDATED', 'processing_status:NEXUS_DONE>ARCHIVED', 'processing_status:NEEDS_REFETCH>QUEUED',
    'processing_status:NEEDS_REFETCH>UPDATED', 'processing_status:NEEDS_REFETCH>ARCHIVED', 'processing_status:PROCESSED>QUEUED',
    'processing_status:PROCESSED>FILING_STARTED', 'processing_status:PROCESSED>FILING_DONE', 'processing_status:PROCESSED>UPDATED',
    'processing_status:PROCESSED>ARCHIVED', 'processing_status:FILING_STARTED>FILING_DONE', 'processing_status:FILING_STARTED>PROCESSED',
    'processing_status:FILING_DONE>LOCKED', 'processing_status:PENDING>UPDATED', 'processing_status:PENDING>ARCHIVED',
    'processing_status:EXCLUDED_IN_CALCULATION>UPDATED', 'processing_status:EXCLUDED_IN_CALCULATION>ARCHIVED',

    'filing_status:UNFILED>FILING', 'filing_status:UNFILED>PAUSED', 'filing_status:UNFILED>SKIPPED', 'filing_status:UNFILED>CANCELLED',
    'filing_status:PAUSED>UNFILED', 'filing_status:PAUSED>SKIPPED', 'filing_status:PAUSED>CANCELLED', 'filing_status:ISSUE>SKIPPED',
    'filing_status:ISSUE>CANCELLED', 'filing_status:ISSUE>FILING', 'filing_status:ISSUE>UNFILED', 'filing_status:FILING>FILED',
    'filing_status:FILING>ISSUE',

    'nexus_status:NOT_EXPOSED>APPROACHING', 'nexus_status:NOT_EXPOSED>EXPOSED', 'nexus_status:NOT_EXPOSED>PENDING_REGISTRATION',
    'nexus_status:NOT_EXPOSED>REGISTERED', 'nexus_status:APPROACHING>NOT_EXPOSED', 'nexus_status:APPROACHING>EXPOSED',
    'nexus_status:APPROACHING>PENDING_REGISTRATION', 'nexus_status:APPROACHING>REGISTERED', 'nexus_status:EXPOSED>APPROACHING',
    'nexus_status:EXPOSED>NOT_EXPOSED', 'nexus_status:EXPOSED>PENDING_REGISTRATION', 'nexus_status:EXPOSED>REGISTERED',
    'nexus_status:PENDING_REGISTRATION>REGISTERED', 'nexus_status:PENDING_REGISTRATION>NOT_EXPOSED',
    'nexus_status:PENDING_REGISTRATION>APPROACHING', 'nexus_status:PENDING_REGISTRATION>EXPOSED', 'nexus_status:REGISTERED>NOT_EXPOSED',
    'nexus_status:REGISTERED>APPROACHING', 'nexus_status:REGISTERED>EXPOSED',

    'nexus_processing_status:NOT_READY>UP_TO_DATE', 'nexus_processing_status:NEEDS_RERUN>UP_TO_DATE',
    'nexus_processing_status:UP_TO_DATE>NEEDS_RERUN',

    'registration_status:UNREGISTERED>PROCESSING', 'registration_status:UNREGISTERED>CANCELLED',
    'registration_status:PROCESSING>VALIDATING', 'registration_status:PROCESSING>REGISTERED',
    'registration_status:PROCESSING>AWAITING_CLARIFICATION', 'registration_status:PROCESSING>CANCELLED',
    'registration_status:VALIDATING>REGISTERED', 'registration_status:VALIDATING>AWAITING_CLARIFICATION',
    'registration_status:VALIDATING>CANCELLED', 'registration_status:AWAITING_CLARIFICATION>PROCESSING',
    'registration_status:AWAITING_CLARIFICATION>REGISTERED', 'registration_status:AWAITING_CLARIFICATION>CANCELLED',
    'registration_status:REGISTERED>DEREGISTERING', 'registration_status:DEREGISTERING>DEREGISTERED',

    'onboarding_status:NOT_STARTED>IN_PROGRESS', 'onboarding_status:IN_PROGRESS>COMPLETED', 'onboarding_status:IN_PROGRESS>CANCELLED',
    'onboarding_status:IN_PROGRESS>EXPIRED', 'onboarding_status:IN_PROGRESS>FAILED',

    'exemption_status:ACTIVE>INACTIVE', 'exemption_status:ACTIVE>DEACTIVATED', 'exemption_status:ACTIVE>EXPIRED',
    'exemption_status:ACTIVE>ARCHIVED', 'exemption_status:INACTIVE>ACTIVE', 'exemption_status:INACTIVE>DEACTIVATED',
    'exemption_status:INACTIVE>ARCHIVED', 'exemption_status:DEACTIVATED>ACTIVE', 'exemption_status:DEACTIVATED>ARCHIVED',
    'exemption_status:EXPIRED>ACTIVE', 'exemption_status:EXPIRED>ARCHIVED',

    'api_key_status:ACTIVE>REVOKED', 'api_key_status:ACTIVE>EXPIRED',

    'organization_status:ACTIVE>ARCHIVED',

    'customer_status:ACTIVE>ARCHIVED', 'customer_status:ARCHIVED>ACTIVE',

    'product_status:APPROVED>PARTIALLY_APPROVED', 'product_status:APPROVED>PENDING', 'product_status:APPROVED>ARCHIVED',
    'product_status:PARTIALLY_APPROVED>APPROVED', 'product_status:PARTIALLY_APPROVED>PENDING',
    'product_status:PARTIALLY_APPROVED>ARCHIVED', 'product_status:PENDING>APPROVED', 'product_status:PENDING>PARTIALLY_APPROVED',
    'product_status:PENDING>ARCHIVED', 'product_status:ARCHIVED>APPROVED', 'product_status:ARCHIVED>PARTIALLY_APPROVED',
    'product_status:ARCHIVED>PENDING'
  ])
$$;
-- +goose StatementEnd

-- A transaction is settled when no stage is going to change it.
-- +goose StatementBegin
CREATE FUNCTION is_settled(processing_status text) RETURNS boolean LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT processing_status NOT IN ('NEW', 'UPDATED', 'QUEUED', 'ADDRESS_DONE', 'EXEMPT_DONE', 'NEXUS_DONE')
$$;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE FUNCTION may_move_import(from_state text, to_state text) RETURNS boolean
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT from_state || '>' || to_state = ANY (ARRAY[
    'UPLOADING>QUEUED', 'QUEUED>RUNNING', 'QUEUED>PAUSED', 'QUEUED>CANCELLED', 'RUNNING>PAUSED', 'RUNNING>COMPLETED', 'RUNNING>FAILED',
    'RUNNING>CANCELLED', 'PAUSED>QUEUED', 'PAUSED>CANCELLED', 'FAILED>QUEUED', 'FAILED>CANCELLED'])
$$;
-- +goose StatementEnd

-- The latest reference rate on a day, or of the 7 days before it, by which a return in euro
-- converts a sale in another currency.
-- +goose StatementBegin
CREATE FUNCTION euro_rate(code text, on_day date) RETURNS numeric LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT rate FROM fx_rates WHERE currency = code AND day BETWEEN on_day - 7 AND on_day ORDER BY day DESC LIMIT 1
$$;
-- +goose StatementEnd

-- Changes the processing status of the transactions of a filing; those of a claim belong to the
-- filing from then on. Thousands at a time: what the counts of transactions see of a statement
-- has to fit into memory.
-- +goose StatementBegin
CREATE FUNCTION move_members(organization ident, filing ident, from_state text, to_state text) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  chunk ident[];
  last ident := '';
BEGIN
  LOOP
    chunk := ARRAY(SELECT m.transaction_id FROM filing_transactions m
                   WHERE m.organization_id = organization AND m.filing_id = filing AND m.transaction_id > last
                   ORDER BY m.transaction_id LIMIT 20000);
    EXIT WHEN chunk = '{}';
    PERFORM 1 FROM transactions t WHERE t.organization_id = organization AND t.id = ANY (chunk) ORDER BY t.id FOR NO KEY UPDATE;
    UPDATE transactions t SET processing_status = to_state, filing_id = filing, updated_at = now()
     WHERE t.organization_id = organization AND t.id = ANY (chunk) AND t.processing_status = from_state
       AND (from_state = 'PROCESSED' OR t.filing_id = filing);
    last := chunk[cardinality(chunk)];
  END LOOP;
END $$;
-- +goose StatementEnd

-- Releases the transactions of a filing, thousands at a time like move_members: the release of a
-- return of a million transactions has to fit into the memory that claimed it. A transaction
-- that another filing has claimed too follows that filing from now on. What others release while
-- this function waits for its locks is seen by the statement after them.
-- +goose StatementBegin
CREATE FUNCTION release_members(organization ident, filing ident) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  chunk ident[];
  since timestamptz;
BEGIN
  SELECT f.claimed_at INTO since FROM filings f WHERE f.organization_id = organization AND f.id = filing;
  LOOP
    chunk := ARRAY(SELECT m.transaction_id FROM filing_transactions m
                   WHERE m.organization_id = organization AND m.filing_id = filing
                     AND m.transaction_id > coalesce(chunk[cardinality(chunk)], '')
                   ORDER BY m.transaction_id LIMIT 20000);
    EXIT WHEN chunk = '{}';
    PERFORM 1 FROM transactions t WHERE t.organization_id = organization AND t.id = ANY (chunk) ORDER BY t.id FOR NO KEY UPDATE;
    WITH released AS (
      DELETE FROM filing_transactions m
       WHERE m.organization_id = organization AND m.filing_id = filing AND m.transaction_id = ANY (chunk)
      RETURNING m.transaction_id),
    noted AS (
      INSERT INTO filing_releases (organization_id, transaction_id, filing_id, claimed_at, released_at)
      SELECT organization, r.transaction_id, filing, since, now() FROM released r),
    followed AS (
      SELECT r.transaction_id, o.filing_id, o.status
        FROM released r
        LEFT JOIN LATERAL (
          SELECT m.filing_id, g.status FROM filing_transactions m
            JOIN filings g ON g.organization_id = m.organization_id AND g.id = m.filing_id
           WHERE m.organization_id = organization AND m.transaction_id = r.transaction_id AND m.filing_id <> filing
           ORDER BY g.claimed_at, g.id LIMIT 1) o ON true)
    UPDATE transactions t
       SET filing_id = o.filing_id, updated_at = now(),
           processing_status = CASE WHEN o.filing_id IS NULL THEN 'PROCESSED' WHEN o.status = 'FILED' THEN 'FILING_DONE' ELSE t.processing_status END
      FROM followed o
     WHERE t.organization_id = organization AND t.id = o.transaction_id AND t.filing_id = filing AND t.processing_status = 'FILING_STARTED';
  END LOOP;
END $$;
-- +goose StatementEnd

-- A request presents a key without its organization: this is the one question about other organizations that the API's
-- role may ask. It answers with an id, and only to who has the hash of a key.
-- +goose StatementBegin
CREATE FUNCTION organization_of_key(hashes bytea[]) RETURNS text LANGUAGE sql STABLE SECURITY DEFINER AS $$
  SELECT k.organization_id::text FROM api_keys k WHERE k.hash = ANY (hashes)
$$;
-- +goose StatementEnd

-- Days are made ahead, and dropped when they are older than what is kept. Only the owner of the tables may do that; who
-- may run these functions may have it done.
-- +goose StatementBegin
CREATE FUNCTION make_event_days(ahead integer) RETURNS integer LANGUAGE plpgsql SECURITY DEFINER AS $$
DECLARE
  today date := (now() AT TIME ZONE 'UTC')::date;
  day date;
  name text;
  made integer := 0;
BEGIN
  PERFORM pg_advisory_xact_lock(hashtext('event days'), 0);
  FOR day IN SELECT today + n FROM generate_series(0, ahead) n LOOP
    name := 'events_' || to_char(day, 'YYYYMMDD');
    CONTINUE WHEN to_regclass(name) IS NOT NULL OR EXISTS (
      SELECT FROM events_unplanned u WHERE u.created_at >= day::timestamp AT TIME ZONE 'UTC' AND u.created_at < (day + 1)::timestamp AT TIME ZONE 'UTC');
    EXECUTE format('CREATE TABLE %I (LIKE events INCLUDING ALL)', name);
    EXECUTE format('ALTER TABLE events ATTACH PARTITION %I FOR VALUES FROM (%L) TO (%L)', name,
      day::timestamp AT TIME ZONE 'UTC', (day + 1)::timestamp AT TIME ZONE 'UTC');
    made := made + 1;
  END LOOP;
  RETURN made;
END $$;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE FUNCTION drop_event_days(kept integer) RETURNS integer LANGUAGE plpgsql SECURITY DEFINER AS $$
DECLARE
  before date := (now() AT TIME ZONE 'UTC')::date - kept;
  name text;
  dropped integer := 0;
BEGIN
  PERFORM pg_advisory_xact_lock(hashtext('event days'), 0);
  FOR name IN
    SELECT c.relname FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
     WHERE i.inhparent = 'events'::regclass AND c.relname ~ '^events_[0-9]{8}$' AND to_date(right(c.relname, 8), 'YYYYMMDD') < before
     ORDER BY 1
  LOOP
    EXECUTE format('DROP TABLE %I', name);
    dropped := dropped + 1;
  END LOOP;
  DELETE FROM events_unplanned WHERE created_at < before::timestamp AT TIME ZONE 'UTC';
  RETURN dropped;
END $$;
-- +goose StatementEnd

-- What a change of a record is called; NULL for one that nobody is told of.
-- +goose StatementBegin
CREATE FUNCTION event_types(kind text, was jsonb, now jsonb) RETURNS text[] LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE kind
    WHEN 'organization' THEN ARRAY[CASE WHEN was ->> 'status' <> now ->> 'status' AND now ->> 'status' = 'ARCHIVED' THEN 'archived' ELSE 'updated' END]
    WHEN 'product' THEN ARRAY[CASE WHEN was ->> 'status' <> now ->> 'status' AND now ->> 'status' = 'ARCHIVED' THEN 'archived' ELSE 'updated' END]
    WHEN 'api_key' THEN array_remove(ARRAY[
      CASE WHEN was ->> 'rotated_to' IS NULL AND now ->> 'rotated_to' IS NOT NULL THEN 'rotated' END,
      CASE WHEN was ->> 'revoked_at' IS NULL AND now ->> 'revoked_at' IS NOT NULL THEN 'revoked' END], NULL)
    WHEN 'exemption' THEN ARRAY[CASE
      WHEN was ->> 'status' <> now ->> 'status' AND now ->> 'status' = 'EXPIRED' THEN 'expired'
      WHEN was ->> 'announced_end' IS DISTINCT FROM now ->> 'announced_end' THEN 'expiring'
      ELSE 'updated' END]
    WHEN 'registration' THEN ARRAY[CASE WHEN was ->> 'status' = now ->> 'status' THEN 'updated' ELSE CASE now ->> 'status'
      WHEN 'REGISTERED' THEN 'registered' WHEN 'DEREGISTERED' THEN 'deregistered' WHEN 'CANCELLED' THEN 'cancelled' ELSE 'updated' END END]
    WHEN 'filing' THEN ARRAY[CASE
      WHEN was ->> 'status' <> now ->> 'status' THEN CASE
        WHEN was ->> 'status' = 'UNFILED' AND now ->> 'status' = 'FILING' THEN 'approved'
        WHEN was ->> 'status' = 'PAUSED' AND now ->> 'status' = 'UNFILED' THEN 'resumed'
        WHEN now ->> 'status' IN ('FILED', 'PAUSED', 'SKIPPED', 'CANCELLED', 'ISSUE') THEN lower(now ->> 'status')
        ELSE 'updated' END
      WHEN was ->> 'announced_at' IS NULL AND now ->> 'announced_at' IS NOT NULL THEN 'ready_for_approval'
      ELSE 'updated' END]
    WHEN 'nexus' THEN array_remove(ARRAY[
      CASE WHEN was ->> 'disregarded_at' IS NULL AND now ->> 'disregarded_at' IS NOT NULL THEN 'disregarded'
           WHEN was ->> 'disregarded_at' IS NOT NULL AND now ->> 'disregarded_at' IS NULL THEN 'undisregarded' END,
      CASE WHEN was ->> 'status' <> now ->> 'status' THEN 'status_changed' END], NULL)
    ELSE ARRAY['updated'] END
$$;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE FUNCTION count_stored() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS $$
BEGIN
  INSERT INTO organization_storage AS s (organization_id, bytes)
  SELECT p.organization_id, sum(octet_length(p.content)) FROM pieces p GROUP BY 1 ORDER BY 1
      ON CONFLICT (organization_id) DO UPDATE SET bytes = s.bytes + excluded.bytes;
  INSERT INTO partner_storage AS s (organization_id, bytes)
  SELECT coalesce(o.parent_organization_id, o.id), sum(octet_length(p.content))
    FROM pieces p JOIN organizations o ON o.id = p.organization_id GROUP BY 1 ORDER BY 1
      ON CONFLICT (organization_id) DO UPDATE SET bytes = s.bytes + excluded.bytes;
  RETURN NULL;
END $$;
-- +goose StatementEnd
CREATE TRIGGER exemption_attachment_pieces_stored AFTER INSERT ON exemption_attachment_pieces REFERENCING NEW TABLE AS pieces
  FOR EACH STATEMENT EXECUTE FUNCTION count_stored();
CREATE TRIGGER transaction_import_pieces_stored AFTER INSERT ON transaction_import_pieces REFERENCING NEW TABLE AS pieces
  FOR EACH STATEMENT EXECUTE FUNCTION count_stored();

-- +goose StatementBegin
CREATE FUNCTION count_deleted() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS $$
BEGIN
  UPDATE organization_storage s SET bytes = s.bytes - d.bytes
    FROM (SELECT p.organization_id AS id, sum(octet_length(p.content)) AS bytes FROM pieces p GROUP BY 1) d
   WHERE s.organization_id = d.id;
  UPDATE partner_storage s SET bytes = s.bytes - d.bytes
    FROM (SELECT coalesce(o.parent_organization_id, o.id) AS id, sum(octet_length(p.content)) AS bytes
            FROM pieces p JOIN organizations o ON o.id = p.organization_id GROUP BY 1) d
   WHERE s.organization_id = d.id;
  RETURN NULL;
END $$;
-- +goose StatementEnd
CREATE TRIGGER exemption_attachment_pieces_deleted AFTER DELETE ON exemption_attachment_pieces REFERENCING OLD TABLE AS pieces
  FOR EACH STATEMENT EXECUTE FUNCTION count_deleted();
CREATE TRIGGER transaction_import_pieces_deleted AFTER DELETE ON transaction_import_pieces REFERENCING OLD TABLE AS pieces
  FOR EACH STATEMENT EXECUTE FUNCTION count_deleted();

-- Refuses a transition that does not exist; the error names the trigger as its constraint.
--
-- The triggers on a status are AFTER triggers: such a trigger does not lock the row a second time,
-- and nothing is queued for it while its WHEN condition is false.
-- +goose StatementBegin
CREATE FUNCTION refuse_move() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'this move of the status does not exist' USING ERRCODE = 'check_violation', CONSTRAINT = TG_NAME;
END $$;
-- +goose StatementEnd
CREATE TRIGGER onboardings_status_moves AFTER UPDATE OF status ON onboardings FOR EACH ROW
  WHEN (OLD.status <> NEW.status AND NOT may_move('onboarding_status', OLD.status, NEW.status))
  EXECUTE FUNCTION refuse_move();
CREATE TRIGGER transactions_processing_moves AFTER UPDATE OF processing_status ON transactions FOR EACH ROW
  WHEN (OLD.processing_status <> NEW.processing_status
        AND NOT may_move('processing_status', OLD.processing_status, NEW.processing_status))
  EXECUTE FUNCTION refuse_move();
-- A transaction of a filing in progress or filed keeps its status.
CREATE TRIGGER transactions_status_moves AFTER UPDATE OF status ON transactions FOR EACH ROW
  WHEN (OLD.status <> NEW.status AND (
    OLD.processing_status IN ('FILING_STARTED', 'FILING_DONE', 'LOCKED')
    OR NOT may_move(CASE WHEN OLD.type IN ('FULL_CREDIT_NOTE', 'PARTIAL_CREDIT_NOTE', 'TAX_REFUND')
                         THEN 'credit_note_status' ELSE 'transaction_status' END, OLD.status, NEW.status)))
  EXECUTE FUNCTION refuse_move();
CREATE TRIGGER transaction_imports_status_moves AFTER UPDATE OF status ON transaction_imports FOR EACH ROW
  WHEN (OLD.status <> NEW.status AND NOT may_move_import(OLD.status, NEW.status))
  EXECUTE FUNCTION refuse_move();
CREATE TRIGGER nexus_records_status_moves AFTER UPDATE OF status ON nexus_records FOR EACH ROW
  WHEN (OLD.status <> NEW.status AND NOT may_move('nexus_status', OLD.status, NEW.status))
  EXECUTE FUNCTION refuse_move();
CREATE TRIGGER registrations_status_moves AFTER UPDATE OF status ON registrations FOR EACH ROW
  WHEN (OLD.status <> NEW.status AND NOT may_move('registration_status', OLD.status, NEW.status))
  EXECUTE FUNCTION refuse_move();
CREATE TRIGGER filings_status_moves AFTER UPDATE OF status ON filings FOR EACH ROW
  WHEN (OLD.status <> NEW.status AND NOT may_move('filing_status', OLD.status, NEW.status))
  EXECUTE FUNCTION refuse_move();
-- A final report never changes.
CREATE TRIGGER filings_report_fixed BEFORE UPDATE OF report_hash ON filings FOR EACH ROW
  WHEN (OLD.report_hash IS NOT NULL AND NEW.report_hash IS DISTINCT FROM OLD.report_hash)
  EXECUTE FUNCTION refuse_move();

-- The transitions of the status of an exemption, as models.ExemptionStatusMachine lists them.
-- +goose StatementBegin
CREATE FUNCTION check_exemption_move() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF (OLD.status, NEW.status) NOT IN (
    ('ACTIVE', 'INACTIVE'), ('ACTIVE', 'EXPIRED'), ('ACTIVE', 'DEACTIVATED'), ('ACTIVE', 'ARCHIVED'),
    ('INACTIVE', 'ACTIVE'), ('INACTIVE', 'DEACTIVATED'), ('INACTIVE', 'ARCHIVED'),
    ('EXPIRED', 'ACTIVE'), ('EXPIRED', 'ARCHIVED'),
    ('DEACTIVATED', 'ACTIVE'), ('DEACTIVATED', 'ARCHIVED')) THEN
    RAISE EXCEPTION 'no move of an exemption from % to %', OLD.status, NEW.status
      USING ERRCODE = 'check_violation', CONSTRAINT = 'exemptions_status_move';
  END IF;
  RETURN NEW;
END $$;
-- +goose StatementEnd
CREATE TRIGGER exemptions_status_move BEFORE UPDATE OF status ON exemptions
  FOR EACH ROW WHEN (OLD.status IS DISTINCT FROM NEW.status) EXECUTE FUNCTION check_exemption_move();

-- +goose StatementBegin
CREATE FUNCTION count_added_transactions() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    INSERT INTO transaction_count_changes (organization_id, day, settled, type, status, source, marketplace, connection_id,
           processing_status, address_status, exempt, country, state, filing_id, n)
    SELECT t.organization_id, (t.date AT TIME ZONE 'UTC')::date, is_settled(t.processing_status), t.type, t.status, t.source, t.marketplace,
           t.connection_id, CASE WHEN is_settled(t.processing_status) THEN t.processing_status END,
           CASE WHEN is_settled(t.processing_status) THEN t.address_status END, CASE WHEN is_settled(t.processing_status) THEN t.exempt END,
           CASE WHEN is_settled(t.processing_status) THEN t.country END, CASE WHEN is_settled(t.processing_status) THEN t.state END,
           CASE WHEN is_settled(t.processing_status) THEN t.filing_id END, count(*)
      FROM added t
     GROUP BY 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14;
    RETURN NULL;
  END $$;
-- +goose StatementEnd
CREATE TRIGGER transactions_count_added AFTER INSERT ON transactions
  REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION count_added_transactions();

-- +goose StatementBegin
CREATE FUNCTION count_changed_transactions() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    INSERT INTO transaction_count_changes (organization_id, day, settled, type, status, source, marketplace, connection_id,
           processing_status, address_status, exempt, country, state, filing_id, n)
    SELECT t.organization_id, (t.date AT TIME ZONE 'UTC')::date, is_settled(t.processing_status), t.type, t.status, t.source, t.marketplace,
           t.connection_id, CASE WHEN is_settled(t.processing_status) THEN t.processing_status END,
           CASE WHEN is_settled(t.processing_status) THEN t.address_status END, CASE WHEN is_settled(t.processing_status) THEN t.exempt END,
           CASE WHEN is_settled(t.processing_status) THEN t.country END, CASE WHEN is_settled(t.processing_status) THEN t.state END,
           CASE WHEN is_settled(t.processing_status) THEN t.filing_id END, sum(t.sign)
      FROM (SELECT -1 AS sign, * FROM removed UNION ALL SELECT 1, * FROM added) t
     GROUP BY 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14
    HAVING sum(t.sign) <> 0;
    RETURN NULL;
  END $$;
-- +goose StatementEnd
CREATE TRIGGER transactions_count_changed AFTER UPDATE ON transactions
  REFERENCING OLD TABLE AS removed NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION count_changed_transactions();

-- In the order of the key, and after the counts themselves: several processes may roll up at
-- the same time.
-- +goose StatementBegin
CREATE FUNCTION fold_coarse_counts() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    INSERT INTO transaction_coarse_counts AS c (organization_id, span, start, cell, settled, type, status, source, marketplace, connection_id,
           processing_status, address_status, exempt, country, n)
    SELECT s.organization_id, s.span, s.start,
           md5(ROW(s.settled, s.type, s.status, s.source, s.marketplace, s.connection_id, s.processing_status, s.address_status, s.exempt, s.country)::text)::uuid,
           s.settled, s.type, s.status, s.source, s.marketplace, s.connection_id, s.processing_status, s.address_status, s.exempt, s.country, s.n
      FROM (SELECT f.organization_id, v.span, v.start, f.settled, f.type, f.status, f.source, f.marketplace, f.connection_id,
                   f.processing_status, f.address_status, f.exempt, f.country, sum(f.n) AS n
              FROM folded f CROSS JOIN LATERAL (VALUES ('day', f.day), ('month', date_trunc('month', f.day)::date)) v(span, start)
             GROUP BY 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13 HAVING sum(f.n) <> 0) s
     ORDER BY 1, 2, 3, 4
    ON CONFLICT (organization_id, span, start, cell) DO UPDATE SET n = c.n + excluded.n;
    RETURN NULL;
  END $$;
-- +goose StatementEnd
CREATE TRIGGER transaction_count_changes_folded AFTER DELETE ON transaction_count_changes
  REFERENCING OLD TABLE AS folded FOR EACH STATEMENT EXECUTE FUNCTION fold_coarse_counts();

-- +goose StatementBegin
CREATE FUNCTION count_added_records() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO record_count_changes (organization_id, kind, status, n)
  SELECT r.organization_id, TG_TABLE_NAME, r.status, count(*) FROM added r GROUP BY 1, 3;
  RETURN NULL;
END $$;
-- +goose StatementEnd
CREATE TRIGGER customers_count_added AFTER INSERT ON customers
  REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION count_added_records();
CREATE TRIGGER products_count_added AFTER INSERT ON products
  REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION count_added_records();
CREATE TRIGGER exemptions_count_added AFTER INSERT ON exemptions
  REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION count_added_records();

-- +goose StatementBegin
CREATE FUNCTION count_removed_records() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO record_count_changes (organization_id, kind, status, n)
  SELECT r.organization_id, TG_TABLE_NAME, r.status, -count(*) FROM removed r GROUP BY 1, 3;
  RETURN NULL;
END $$;
-- +goose StatementEnd
CREATE TRIGGER customers_count_removed AFTER DELETE ON customers
  REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION count_removed_records();
CREATE TRIGGER products_count_removed AFTER DELETE ON products
  REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION count_removed_records();
CREATE TRIGGER exemptions_count_removed AFTER DELETE ON exemptions
  REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION count_removed_records();

-- +goose StatementBegin
CREATE FUNCTION count_changed_records() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO record_count_changes (organization_id, kind, status, n)
  SELECT r.organization_id, TG_TABLE_NAME, r.status, sum(r.sign)
    FROM (SELECT -1 AS sign, organization_id, status FROM removed UNION ALL SELECT 1, organization_id, status FROM added) r
   GROUP BY 1, 3 HAVING sum(r.sign) <> 0;
  RETURN NULL;
END $$;
-- +goose StatementEnd
CREATE TRIGGER customers_count_changed AFTER UPDATE ON customers
  REFERENCING OLD TABLE AS removed NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION count_changed_records();
CREATE TRIGGER products_count_changed AFTER UPDATE ON products
  REFERENCING OLD TABLE AS removed NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION count_changed_records();
CREATE TRIGGER exemptions_count_changed AFTER UPDATE ON exemptions
  REFERENCING OLD TABLE AS removed NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION count_changed_records();

-- +goose StatementBegin
CREATE FUNCTION add_nexus_taxes() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO nexus_tax_changes (organization_id, country_code, state_code, member_code, currency, day, tax, collected, liability)
  SELECT organization_id, country_code, state_code, member_code, currency, tax_date, sum(tax), sum(collected), sum(liability)
    FROM added GROUP BY 1, 2, 3, 4, 5, 6 HAVING (sum(tax), sum(collected), sum(liability)) <> (0, 0, 0);
  RETURN NULL;
END $$;
-- +goose StatementEnd
CREATE TRIGGER transaction_totals_add_nexus_taxes AFTER INSERT ON transaction_totals
  REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION add_nexus_taxes();

-- +goose StatementBegin
CREATE FUNCTION remove_nexus_taxes() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO nexus_tax_changes (organization_id, country_code, state_code, member_code, currency, day, tax, collected, liability)
  SELECT organization_id, country_code, state_code, member_code, currency, tax_date, -sum(tax), -sum(collected), -sum(liability)
    FROM removed GROUP BY 1, 2, 3, 4, 5, 6 HAVING (sum(tax), sum(collected), sum(liability)) <> (0, 0, 0);
  RETURN NULL;
END $$;
-- +goose StatementEnd
CREATE TRIGGER transaction_totals_remove_nexus_taxes AFTER DELETE ON transaction_totals
  REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION remove_nexus_taxes();

-- Who changes the status of a filing holds the lock of its registration, from before the filing
-- is read until the commit: otherwise a stage of processing could miss the claim that the
-- transition makes, and its transactions would be in no return. The lock is the advisory one of
-- the store, exclusive and not shared; a transition without it is a defect, and refused.
-- +goose StatementBegin
CREATE FUNCTION refuse_move_unheld() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM FROM pg_locks l
    WHERE l.locktype = 'advisory' AND l.pid = pg_backend_pid() AND l.granted AND l.mode = 'ExclusiveLock' AND l.objsubid = 2
      AND l.database = (SELECT d.oid FROM pg_database d WHERE d.datname = current_database())
      AND l.classid = 10 AND l.objid = (hashtext(NEW.registration_id)::bigint & 4294967295)::oid;
  IF NOT FOUND THEN
    RAISE EXCEPTION 'a filing is moved by somebody who does not hold its registration' USING ERRCODE = 'check_violation', CONSTRAINT = TG_NAME;
  END IF;
  RETURN NULL;
END $$;
-- +goose StatementEnd
-- Its name sorts after filings_status_moves: a transition that does not exist is refused as such.
CREATE TRIGGER filings_status_moves_held AFTER UPDATE OF status ON filings FOR EACH ROW
  WHEN (OLD.status <> NEW.status) EXECUTE FUNCTION refuse_move_unheld();

-- Whether the timer approves a return depends on the organization too: when its settings change,
-- the workflows of its filings read them again.
-- +goose StatementBegin
CREATE FUNCTION wake_filings() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE filings SET next_check_at = now() WHERE organization_id = NEW.organization_id AND status = 'UNFILED';
  RETURN NULL;
END $$;
-- +goose StatementEnd
CREATE TRIGGER organization_details_wake_filings AFTER UPDATE OF auto_file ON organization_details FOR EACH ROW
  WHEN (OLD.auto_file IS DISTINCT FROM NEW.auto_file) EXECUTE FUNCTION wake_filings();
CREATE TRIGGER organization_settings_wake_filings AFTER UPDATE OF special_tax_circumstances, filing_lookback_periods
  ON organization_settings FOR EACH ROW
  WHEN (OLD.special_tax_circumstances IS DISTINCT FROM NEW.special_tax_circumstances
        OR OLD.filing_lookback_periods IS DISTINCT FROM NEW.filing_lookback_periods)
  EXECUTE FUNCTION wake_filings();

-- A claim writes a million lines. That each has its transaction and its filing is checked once
-- for all that a statement writes: row by row the check took longer than the writing. The
-- guarantee is that of a foreign key: what is referred to is locked until the lines are
-- committed, and cannot be deleted while there are any.
-- +goose StatementBegin
CREATE FUNCTION check_members() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  members bigint;
  known   bigint;
BEGIN
  SELECT count(*) INTO members FROM added;
  SELECT count(*) INTO known FROM (
    SELECT 1 FROM added a JOIN transactions t ON t.organization_id = a.organization_id AND t.id = a.transaction_id FOR KEY SHARE OF t) k;
  IF known <> members THEN
    RAISE EXCEPTION 'a member of a filing has no transaction' USING ERRCODE = 'foreign_key_violation', TABLE = 'filing_transactions';
  END IF;
  PERFORM 1 FROM filings f JOIN (SELECT DISTINCT organization_id, filing_id FROM added) a
       ON f.organization_id = a.organization_id AND f.id = a.filing_id FOR KEY SHARE OF f;
  IF EXISTS (SELECT 1 FROM (SELECT DISTINCT organization_id, filing_id FROM added) a
              WHERE NOT EXISTS (SELECT 1 FROM filings f WHERE f.organization_id = a.organization_id AND f.id = a.filing_id)) THEN
    RAISE EXCEPTION 'a member has no filing' USING ERRCODE = 'foreign_key_violation', TABLE = 'filing_transactions';
  END IF;
  RETURN NULL;
END $$;
-- +goose StatementEnd
CREATE TRIGGER filing_transactions_added AFTER INSERT ON filing_transactions
  REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION check_members();
CREATE TRIGGER filing_transactions_changed AFTER UPDATE ON filing_transactions
  REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION check_members();

-- +goose StatementBegin
CREATE FUNCTION keep_members() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT 1 FROM filing_transactions m
              WHERE m.organization_id = OLD.organization_id AND CASE TG_TABLE_NAME WHEN 'filings' THEN m.filing_id = OLD.id ELSE m.transaction_id = OLD.id END) THEN
    RAISE EXCEPTION '% is of a filing with members', OLD.id USING ERRCODE = 'foreign_key_violation', TABLE = TG_TABLE_NAME;
  END IF;
  RETURN NULL;
END $$;
-- +goose StatementEnd
CREATE TRIGGER transactions_of_filings_stay AFTER DELETE ON transactions FOR EACH ROW EXECUTE FUNCTION keep_members();
CREATE TRIGGER transactions_of_filings_keep_id AFTER UPDATE OF organization_id, id ON transactions FOR EACH ROW
  WHEN (OLD.organization_id <> NEW.organization_id OR OLD.id <> NEW.id) EXECUTE FUNCTION keep_members();
CREATE TRIGGER filings_with_members_stay AFTER DELETE ON filings FOR EACH ROW EXECUTE FUNCTION keep_members();
CREATE TRIGGER filings_with_members_keep_id AFTER UPDATE OF organization_id, id ON filings FOR EACH ROW
  WHEN (OLD.organization_id <> NEW.organization_id OR OLD.id <> NEW.id) EXECUTE FUNCTION keep_members();

-- Processes keep for some seconds what a key stands for: its organization, what that owes and where it is
-- registered. Whatever changes one of these tells all of them, with the database transaction of the change.
-- +goose StatementBegin
CREATE FUNCTION tell_principals() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('levy_principals', to_jsonb(CASE TG_OP WHEN 'DELETE' THEN OLD ELSE NEW END) ->> TG_ARGV[0]);
  RETURN NULL;
END $$;
-- +goose StatementEnd
CREATE TRIGGER registrations_tell_new AFTER INSERT ON registrations FOR EACH ROW
  WHEN (NEW.status IN ('REGISTERED', 'DEREGISTERING'))
  EXECUTE FUNCTION tell_principals('organization_id');
CREATE TRIGGER registrations_tell AFTER UPDATE ON registrations FOR EACH ROW
  WHEN ((OLD.status, OLD.registration_date, OLD.oss_type, OLD.oss_member_state_of_identification_code)
        IS DISTINCT FROM (NEW.status, NEW.registration_date, NEW.oss_type, NEW.oss_member_state_of_identification_code))
  EXECUTE FUNCTION tell_principals('organization_id');
CREATE TRIGGER nexus_records_tell AFTER UPDATE ON nexus_records FOR EACH ROW
  WHEN ((OLD.enabled, OLD.obliged_from, OLD.obliged_until, OLD.obliged_gaps)
        IS DISTINCT FROM (NEW.enabled, NEW.obliged_from, NEW.obliged_until, NEW.obliged_gaps))
  EXECUTE FUNCTION tell_principals('organization_id');
CREATE TRIGGER organization_settings_tell AFTER UPDATE ON organization_settings FOR EACH ROW
  WHEN ((OLD.rounding_unit, OLD.enable_business_address_fallback)
        IS DISTINCT FROM (NEW.rounding_unit, NEW.enable_business_address_fallback))
  EXECUTE FUNCTION tell_principals('organization_id');
CREATE TRIGGER organization_details_tell_new AFTER INSERT ON organization_details FOR EACH ROW
  WHEN (NEW.place IS NOT NULL)
  EXECUTE FUNCTION tell_principals('organization_id');
CREATE TRIGGER organization_details_tell AFTER UPDATE ON organization_details FOR EACH ROW
  WHEN ((OLD.place, OLD.business_address) IS DISTINCT FROM (NEW.place, NEW.business_address))
  EXECUTE FUNCTION tell_principals('organization_id');
CREATE TRIGGER api_keys_tell AFTER UPDATE OF revoked_at, expires_at ON api_keys FOR EACH ROW
  WHEN ((OLD.revoked_at, OLD.expires_at) IS DISTINCT FROM (NEW.revoked_at, NEW.expires_at))
  EXECUTE FUNCTION tell_principals('organization_id');
CREATE TRIGGER organizations_tell AFTER UPDATE OF status ON organizations FOR EACH ROW
  WHEN (OLD.status <> NEW.status)
  EXECUTE FUNCTION tell_principals('id');
CREATE TRIGGER rate_limits_tell AFTER INSERT OR UPDATE OR DELETE ON rate_limits FOR EACH ROW
  EXECUTE FUNCTION tell_principals('organization_id');
-- Estimates use what the principal of a key says: every process hears that it changed.
CREATE TRIGGER rate_overrides_tell AFTER INSERT OR UPDATE OR DELETE ON rate_overrides FOR EACH ROW
  EXECUTE FUNCTION tell_principals('organization_id');
-- The end of an onboarding changes what the partner's keys may do.
CREATE TRIGGER organizations_tell_onboarded AFTER UPDATE OF onboarding_status ON organizations FOR EACH ROW
  WHEN (OLD.onboarding_status <> NEW.onboarding_status)
  EXECUTE FUNCTION tell_principals('id');
CREATE TRIGGER client_grants_tell AFTER UPDATE ON client_grants FOR EACH ROW
  EXECUTE FUNCTION tell_principals('organization_id');

-- +goose StatementBegin
CREATE FUNCTION refuse_rewriting() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'rows of % are only added', TG_TABLE_NAME USING ERRCODE = 'check_violation', CONSTRAINT = TG_NAME;
END $$;
-- +goose StatementEnd
CREATE TRIGGER filing_history_stays BEFORE UPDATE OR DELETE ON filing_history FOR EACH ROW EXECUTE FUNCTION refuse_rewriting();
CREATE TRIGGER filing_exclusions_stay BEFORE UPDATE OR DELETE ON filing_exclusions FOR EACH ROW EXECUTE FUNCTION refuse_rewriting();
CREATE TRIGGER audit_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON audit
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_rewriting();
CREATE TRIGGER audit_seals_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON audit_seals
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_rewriting();

-- No move without its row. Whoever moves a filing writes who did it and why; for a move without a row,
-- such as the making of planned filings, the row is written here when the database transaction ends.
-- +goose StatementBegin
CREATE FUNCTION keep_filing_history() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  f filings;
BEGIN
  SELECT * INTO f FROM filings WHERE organization_id = NEW.organization_id AND id = NEW.id;
  IF NOT FOUND OR EXISTS (SELECT 1 FROM filing_history h
                           WHERE h.organization_id = f.organization_id AND h.filing_id = f.id AND h.to_status = f.status
                             AND h.written_by = pg_current_xact_id()) THEN
    RETURN NULL;
  END IF;
  INSERT INTO filing_history (organization_id, filing_id, from_status, to_status, action, actor_type, reason, attempt, confirmation_id)
  VALUES (f.organization_id, f.id, CASE WHEN TG_OP = 'UPDATE' THEN OLD.status END, f.status,
          CASE WHEN TG_OP = 'INSERT' THEN 'CREATED'
               WHEN f.status = 'FILING' THEN CASE OLD.status WHEN 'ISSUE' THEN 'RETRIED' ELSE 'APPROVED' END
               WHEN f.status = 'UNFILED' THEN CASE OLD.status WHEN 'ISSUE' THEN 'RELEASED' ELSE 'RESUMED' END
               WHEN f.status = 'ISSUE' THEN 'REJECTED' ELSE f.status END,
          'SYSTEM',
          CASE f.status WHEN 'ISSUE' THEN f.issue_reason WHEN 'SKIPPED' THEN f.skip_reason WHEN 'CANCELLED' THEN f.cancelled_reason END,
          f.attempt, CASE WHEN f.status = 'FILED' THEN f.return_confirmation_id END);
  RETURN NULL;
END $$;
-- +goose StatementEnd
CREATE CONSTRAINT TRIGGER filings_have_a_beginning AFTER INSERT ON filings DEFERRABLE INITIALLY DEFERRED
  FOR EACH ROW EXECUTE FUNCTION keep_filing_history();
CREATE CONSTRAINT TRIGGER filings_moves_are_kept AFTER UPDATE OF status ON filings DEFERRABLE INITIALLY DEFERRED
  FOR EACH ROW WHEN (OLD.status <> NEW.status) EXECUTE FUNCTION keep_filing_history();

-- +goose StatementBegin
CREATE FUNCTION date_refetch() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  SELECT t.tax_date INTO NEW.tax_date FROM transactions t WHERE t.organization_id = NEW.organization_id AND t.id = NEW.transaction_id;
  RETURN NEW;
END $$;
-- +goose StatementEnd
CREATE TRIGGER transaction_refetches_have_a_day BEFORE INSERT ON transaction_refetches FOR EACH ROW
  WHEN (NEW.tax_date IS NULL) EXECUTE FUNCTION date_refetch();

-- +goose StatementBegin
CREATE FUNCTION queue_for_seal() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO audit_unsealed (organization_ids, ids)
  SELECT array_agg(organization_id::text), array_agg(id::text) FROM added HAVING count(*) > 0;
  RETURN NULL;
END $$;
-- +goose StatementEnd
CREATE TRIGGER audit_queued AFTER INSERT ON audit
  REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION queue_for_seal();

-- A return that the timer approves waits while a transaction of its days cannot be processed. When nothing of its days is
-- held any more its workflow reads it again. One that somebody is changing is not waited for: he looks himself, and the
-- workflow does within ten minutes.
-- +goose StatementBegin
CREATE FUNCTION wake_resolved_filings() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NOT EXISTS (SELECT FROM resolved) THEN
    RETURN NULL;
  END IF;
  UPDATE filings w SET next_check_at = now()
    FROM (SELECT f.organization_id, f.id
            FROM filings f JOIN organization_details d ON d.organization_id = f.organization_id AND d.auto_file
           WHERE f.organization_id IN (SELECT r.organization_id FROM resolved r) AND f.status = 'UNFILED'
             AND EXISTS (SELECT FROM resolved r
                          WHERE r.organization_id = f.organization_id AND r.tax_date BETWEEN f.start_date AND f.end_date)
             AND NOT EXISTS (SELECT FROM transaction_refetches h
                              WHERE h.organization_id = f.organization_id AND h.tax_date BETWEEN f.start_date AND f.end_date)
             FOR NO KEY UPDATE OF f SKIP LOCKED) due
   WHERE w.organization_id = due.organization_id AND w.id = due.id;
  RETURN NULL;
END $$;
-- +goose StatementEnd
CREATE TRIGGER transaction_refetches_wake_filings AFTER DELETE ON transaction_refetches
  REFERENCING OLD TABLE AS resolved FOR EACH STATEMENT EXECUTE FUNCTION wake_resolved_filings();

-- Arguments: the kind, columns that events do not have, and columns of which a change alone is no event.
--
-- What a database transaction changes of a record in several statements is one change: the setting levy.last_event, which
-- ends with it, has the record and the number of the event that it wrote last, and a further change goes into that event.
-- +goose StatementBegin
CREATE FUNCTION write_created_events() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS $$
DECLARE
  written text;
  n bigint;
BEGIN
  -- Not RETURNING ... INTO, which is an error for several rows.
  WITH told AS (
    INSERT INTO events (organization_id, type, object_id, record)
    SELECT a.organization_id, TG_ARGV[0] || '.created', a.id, to_jsonb(a) - TG_ARGV[1]::text[] FROM added a ORDER BY a.organization_id, a.id
    RETURNING object_id || ' ' || sequence AS event)
  SELECT count(*), max(t.event) INTO n, written FROM told t;
  IF n = 1 THEN
    PERFORM set_config('levy.last_event', written, true);
  END IF;
  RETURN NULL;
END $$;
-- +goose StatementEnd
CREATE TRIGGER api_keys_write_created AFTER INSERT ON api_keys REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION write_created_events('api_key', '{hash}');
CREATE TRIGGER products_write_created AFTER INSERT ON products REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION write_created_events('product', '{}');
CREATE TRIGGER customers_write_created AFTER INSERT ON customers REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION write_created_events('customer', '{}');
CREATE TRIGGER exemptions_write_created AFTER INSERT ON exemptions REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION write_created_events('exemption', '{}');
CREATE TRIGGER physical_nexus_write_created AFTER INSERT ON physical_nexus REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION write_created_events('physical_nexus', '{}');
CREATE TRIGGER registrations_write_created AFTER INSERT ON registrations REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION write_created_events('registration', '{password,password_metadata}');
CREATE TRIGGER filings_write_created AFTER INSERT ON filings REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION write_created_events('filing', '{}');

-- `levy keys seal` encrypts numbers that a version from before stored in clear text. To nobody is that a change of the
-- record: while the setting levy.sealing is on, which ends with its database transaction, no event is written.
-- +goose StatementBegin
CREATE FUNCTION write_changed_event() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS $$
DECLARE
  was jsonb := to_jsonb(OLD) - TG_ARGV[1]::text[];
  is_now jsonb := to_jsonb(NEW) - TG_ARGV[1]::text[];
  silent text[] := TG_ARGV[2]::text[];
  organization text := coalesce(is_now ->> 'organization_id', is_now ->> 'id');
  last_event text := current_setting('levy.last_event', true);
  changed jsonb;
  written text;
  n bigint;
BEGIN
  IF current_setting('levy.sealing', true) = 'on' THEN
    RETURN NULL;
  END IF;
  SELECT jsonb_object_agg(e.key, e.value) INTO changed FROM jsonb_each(was) e
   WHERE e.value IS DISTINCT FROM is_now -> e.key AND e.key <> ALL (silent);
  IF changed IS NULL THEN
    RETURN NULL;
  END IF;
  IF split_part(last_event, ' ', 1) = is_now ->> 'id' THEN
    UPDATE events e
       SET record = is_now, previous = changed || e.previous, -- of a new record there is none
           type = CASE WHEN e.previous IS NULL THEN e.type
                       ELSE coalesce(TG_ARGV[0] || '.' || (event_types(TG_ARGV[0], is_now || changed || e.previous, is_now))[1], e.type) END
     WHERE e.organization_id = organization AND e.sequence = split_part(last_event, ' ', 2)::bigint AND e.created_at >= now();
    IF FOUND THEN
      RETURN NULL;
    END IF;
  END IF;
  WITH told AS (
    INSERT INTO events (organization_id, type, object_id, record, previous)
    SELECT organization, TG_ARGV[0] || '.' || t, is_now ->> 'id', is_now, changed FROM unnest(event_types(TG_ARGV[0], was, is_now)) t
    RETURNING object_id || ' ' || sequence AS event)
  SELECT count(*), max(t.event) INTO n, written FROM told t;
  IF n = 1 THEN
    PERFORM set_config('levy.last_event', written, true);
  END IF;
  RETURN NULL;
END $$;
-- +goose StatementEnd
CREATE TRIGGER organizations_write_changed AFTER UPDATE ON organizations FOR EACH ROW
  WHEN (OLD.onboarding_status = NEW.onboarding_status) EXECUTE FUNCTION write_changed_event('organization', '{name_key}', '{updated_at}');
CREATE TRIGGER api_keys_write_changed AFTER UPDATE OF rotated_to, revoked_at ON api_keys
  FOR EACH ROW EXECUTE FUNCTION write_changed_event('api_key', '{hash}', '{last_used_at}');
CREATE TRIGGER products_write_changed AFTER UPDATE ON products FOR EACH ROW EXECUTE FUNCTION write_changed_event('product', '{}', '{updated_at}');
CREATE TRIGGER customers_write_changed AFTER UPDATE ON customers FOR EACH ROW EXECUTE FUNCTION write_changed_event('customer', '{}', '{updated_at}');
CREATE TRIGGER exemptions_write_changed AFTER UPDATE ON exemptions FOR EACH ROW EXECUTE FUNCTION write_changed_event('exemption', '{}', '{updated_at}');
CREATE TRIGGER physical_nexus_write_changed AFTER UPDATE ON physical_nexus
  FOR EACH ROW EXECUTE FUNCTION write_changed_event('physical_nexus', '{}', '{updated_at}');
CREATE TRIGGER nexus_records_write_changed AFTER UPDATE ON nexus_records FOR EACH ROW
  WHEN (OLD.status <> NEW.status OR (OLD.disregarded_at IS NULL) <> (NEW.disregarded_at IS NULL))
  EXECUTE FUNCTION write_changed_event('nexus', '{}', '{updated_at}');
CREATE TRIGGER registrations_write_changed AFTER UPDATE ON registrations FOR EACH ROW WHEN (OLD.updated_at <> NEW.updated_at OR OLD.status <> NEW.status)
  EXECUTE FUNCTION write_changed_event('registration', '{password,password_metadata}',
    '{updated_at,next_check_at,changed,attempt,authority,authority_reference}');
-- The events of a filing do not tell how a later one used its credit.
CREATE TRIGGER filings_write_changed AFTER UPDATE ON filings FOR EACH ROW
  WHEN (OLD.updated_at <> NEW.updated_at OR OLD.status <> NEW.status OR OLD.announced_at IS DISTINCT FROM NEW.announced_at
     OR OLD.tax_remitted <> NEW.tax_remitted)
  EXECUTE FUNCTION write_changed_event('filing', '{}',
    '{updated_at,next_check_at,attempt,claimed_at,locked_at,report_hash,reminders,planned,settled,credit_used,credit_claimed,prepaid_share,amount_deferred,amended_totals,on_demand,over_collected_count,under_collected_count,no_obligation_count,no_obligation_sales,uncertain_count,uncertain_tax,form_difference,beyond_rounding_count}');

-- +goose StatementBegin
CREATE FUNCTION write_deleted_event() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS $$
BEGIN
  INSERT INTO events (organization_id, type, object_id, record) VALUES (OLD.organization_id, TG_ARGV[0] || '.deleted', OLD.id, to_jsonb(OLD));
  RETURN NULL;
END $$;
-- +goose StatementEnd
CREATE TRIGGER physical_nexus_write_deleted AFTER DELETE ON physical_nexus FOR EACH ROW EXECUTE FUNCTION write_deleted_event('physical_nexus');

-- A nexus record that begins with a status.
-- +goose StatementBegin
CREATE FUNCTION write_nexus_event() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS $$
BEGIN
  INSERT INTO events (organization_id, type, object_id, record, previous)
  VALUES (NEW.organization_id, 'nexus.status_changed', NEW.id, to_jsonb(NEW), '{"status": "NOT_EXPOSED"}');
  RETURN NULL;
END $$;
-- +goose StatementEnd
CREATE TRIGGER nexus_records_write_created AFTER INSERT ON nexus_records FOR EACH ROW
  WHEN (NEW.status <> 'NOT_EXPOSED') EXECUTE FUNCTION write_nexus_event();

-- The parts of an organization are written one after the other: the event waits for the end of the database transaction.
-- +goose StatementBegin
CREATE FUNCTION write_organization_event() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS $$
BEGIN
  INSERT INTO events (organization_id, type, object_id, record)
  SELECT o.id, 'organization.created', o.id, to_jsonb(o) - 'name_key' || jsonb_build_object('settings', to_jsonb(s))
    FROM organizations o LEFT JOIN organization_settings s ON s.organization_id = o.id WHERE o.id = NEW.id;
  RETURN NULL;
END $$;
-- +goose StatementEnd
CREATE CONSTRAINT TRIGGER organizations_write_created AFTER INSERT ON organizations DEFERRABLE INITIALLY DEFERRED
  FOR EACH ROW EXECUTE FUNCTION write_organization_event();

-- +goose StatementBegin
CREATE FUNCTION write_settings_event() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS $$
BEGIN
  INSERT INTO events (organization_id, type, object_id, record, previous)
  SELECT o.id, 'organization.updated', o.id, to_jsonb(o) - 'name_key' || jsonb_build_object('settings', to_jsonb(NEW)),
         jsonb_build_object('settings', to_jsonb(OLD))
    FROM organizations o WHERE o.id = NEW.organization_id AND to_jsonb(NEW) - 'updated_at' <> to_jsonb(OLD) - 'updated_at';
  RETURN NULL;
END $$;
-- +goose StatementEnd
CREATE TRIGGER organization_settings_write_changed AFTER UPDATE ON organization_settings FOR EACH ROW EXECUTE FUNCTION write_settings_event();

-- After progress the reminders of an onboarding are counted from one again: each of them is an event, also one that is the
-- first for the second time.
-- +goose StatementBegin
CREATE FUNCTION write_onboarding_event() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS $$
DECLARE
  former jsonb := coalesce(nullif(current_setting('levy.former_steps', true), '')::jsonb, '{}');
  changed jsonb;
BEGIN
  IF TG_OP = 'UPDATE' THEN
    SELECT coalesce(jsonb_object_agg(e.key, e.value), '{}') INTO changed FROM jsonb_each(to_jsonb(OLD) - '{version,updated_at,next_check_at}'::text[]) e
     WHERE e.value IS DISTINCT FROM to_jsonb(NEW) -> e.key;
    SELECT changed || jsonb_build_object('steps', jsonb_agg(coalesce(f.step, to_jsonb(p) - 'submission_id') ORDER BY p.number)) INTO changed
      FROM onboarding_steps p CROSS JOIN LATERAL (SELECT former -> (p.organization_id || ' ' || p.number) AS step) f
     WHERE p.organization_id = NEW.organization_id AND f.step IS DISTINCT FROM 'null';
  END IF;
  INSERT INTO events (organization_id, type, object_id, record, previous)
  SELECT b.organization_id, 'onboarding.' || t.type, b.organization_id,
         to_jsonb(b) || jsonb_build_object('name', o.name, 'root', o.parent_organization_id IS NULL, 'unlimited', s.disable_onboarding,
           'progress_at', now(), 'steps', (SELECT jsonb_agg(to_jsonb(p) - 'submission_id' ORDER BY p.number) FROM onboarding_steps p
                                            WHERE p.organization_id = b.organization_id)),
         changed
    FROM onboardings b JOIN organizations o ON o.id = b.organization_id
    JOIN organization_settings s ON s.organization_id = b.organization_id
   CROSS JOIN LATERAL unnest(
     CASE WHEN TG_OP = 'INSERT' THEN '{step_completed}'::text[] ELSE coalesce(nullif(array_remove(ARRAY[
       CASE WHEN OLD.completed < NEW.completed THEN 'step_completed' END,
       CASE WHEN OLD.status <> NEW.status AND NEW.status IN ('COMPLETED', 'CANCELLED', 'EXPIRED', 'FAILED') THEN lower(NEW.status) END,
       CASE WHEN OLD.reminded_at IS DISTINCT FROM NEW.reminded_at THEN 'reminder' END], NULL), '{}'), '{updated}') END) t (type)
   WHERE b.organization_id = NEW.organization_id;
  RETURN NULL;
END $$;
-- +goose StatementEnd
CREATE CONSTRAINT TRIGGER onboardings_write_created AFTER INSERT ON onboardings DEFERRABLE INITIALLY DEFERRED
  FOR EACH ROW WHEN (NEW.completed = 1) EXECUTE FUNCTION write_onboarding_event();
CREATE TRIGGER onboardings_write_changed AFTER UPDATE ON onboardings FOR EACH ROW
  WHEN (OLD.version < NEW.version) EXECUTE FUNCTION write_onboarding_event();

-- +goose StatementBegin
CREATE FUNCTION write_content_events() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS $$
BEGIN
  INSERT INTO events (organization_id, type, object_id, record)
  SELECT o.id, 'content.activated', NEW.version,
         jsonb_build_object('content_version', NEW.version, 'reason', NEW.reason, 'activated_at', NEW.activated_at)
    FROM organizations o WHERE o.status = 'ACTIVE' ORDER BY o.id;
  RETURN NULL;
END $$;
-- +goose StatementEnd
CREATE TRIGGER content_activations_write AFTER INSERT ON content_activations FOR EACH ROW EXECUTE FUNCTION write_content_events();

-- Every sale has these two: they write what processing changes of it without a new version, and leave the rest where it is.
-- +goose StatementBegin
CREATE FUNCTION write_new_transactions() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS $$
BEGIN
  INSERT INTO events (organization_id, type, object_id, record)
  SELECT a.organization_id, CASE WHEN a.type IN ('SALE', 'ARCHIVE') THEN 'transaction' ELSE 'credit_note' END || '.created', a.id,
         jsonb_build_object('revision', a.revision, 'epoch', a.epoch, 'status', a.status, 'processing_status', a.processing_status,
           'exempt', a.exempt, 'address_status', a.address_status, 'updated_at', a.updated_at)
    FROM added a ORDER BY a.organization_id, a.id;
  RETURN NULL;
END $$;
-- +goose StatementEnd
CREATE TRIGGER transactions_write_created AFTER INSERT ON transactions REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION write_new_transactions();

-- +goose StatementBegin
CREATE FUNCTION write_changed_transactions() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS $$
BEGIN
  IF NOT EXISTS (SELECT FROM added a WHERE a.processing_status NOT IN ('ADDRESS_DONE', 'EXEMPT_DONE', 'NEXUS_DONE', 'FILING_STARTED', 'FILING_DONE')
                  OR a.processing_reason IS NOT NULL) THEN
    RETURN NULL; -- on the way
  END IF;
  INSERT INTO events (organization_id, type, object_id, record, previous)
  SELECT c.organization_id, c.type, c.id, c.record, c.previous
    FROM (
      SELECT a.organization_id, a.id, CASE WHEN a.processing_status = 'LOCKED' AND r.processing_status = 'FILING_DONE'
           -- A return may lock very many; what else they show stays as it is from now on.
           THEN jsonb_build_object('revision', a.revision, 'epoch', a.epoch, 'status', a.status, 'processing_status', a.processing_status,
                  'refund_status', a.refund_status, 'updated_at', a.updated_at, 'rest', true)
           ELSE jsonb_strip_nulls(jsonb_build_object('revision', a.revision, 'epoch', a.epoch, 'status', a.status,
           'processing_status', a.processing_status, 'processing_reason', a.processing_reason, 'refund_status', a.refund_status,
           'filing_id', a.filing_id, 'updated_at', a.updated_at, 'address_status', a.address_status, 'exempt', a.exempt,
           'ambiguous', a.ambiguous, 'city', a.city, 'county', a.county, 'state', a.state, 'postal_code', a.postal_code,
           'country', a.country, 'content_version', a.content_version, 'certainty', a.certainty, 'total_tax_amount_calculated', a.total_tax_amount_calculated,
           'tax_rate_calculated', a.tax_rate_calculated, 'total_tax_liability_amount', a.total_tax_liability_amount,
           'tax_liability_source', a.tax_liability_source, 'taxable_amount', a.taxable_amount,
           'destination_currency', a.destination_currency, 'conversion_rate', a.conversion_rate)) END AS record,
             CASE WHEN a.processing_status = 'LOCKED' AND r.processing_status = 'FILING_DONE' THEN jsonb_build_object('processing_status', r.processing_status)
                  WHEN a.revision = r.revision THEN jsonb_build_object('status', r.status, 'processing_status', r.processing_status,
                    'processing_reason', r.processing_reason, 'refund_status', r.refund_status, 'filing_id', r.filing_id)
                  ELSE to_jsonb(r) - '{place,origin,sent}'::text[] END AS previous,
             CASE
               WHEN a.revision <> r.revision THEN CASE WHEN a.type IN ('SALE', 'ARCHIVE') THEN 'transaction' ELSE 'credit_note' END || '.updated'
               WHEN a.status = 'ARCHIVED' AND r.status <> 'ARCHIVED' THEN 'transaction.archived'
               WHEN a.processing_status <> r.processing_status AND (
                      a.processing_status = 'PROCESSED' AND r.processing_status = 'NEXUS_DONE' OR a.processing_status = 'EXCLUDED_IN_CALCULATION')
                 THEN CASE WHEN a.type IN ('SALE', 'ARCHIVE') THEN 'transaction' ELSE 'credit_note' END || '.processed'
               WHEN a.processing_status = 'NEEDS_REFETCH' AND r.processing_status <> 'NEEDS_REFETCH'
                 OR a.processing_reason IS NOT NULL AND r.processing_reason IS NULL AND a.processing_status <> 'NEEDS_REFETCH'
                    AND a.processing_status = r.processing_status THEN 'transaction.needs_attention'
               WHEN a.processing_status = 'LOCKED' AND r.processing_status <> 'LOCKED' THEN 'transaction.locked'
               WHEN a.status <> r.status OR a.refund_status IS DISTINCT FROM r.refund_status
                 THEN CASE WHEN a.type IN ('SALE', 'ARCHIVE') THEN 'transaction' ELSE 'credit_note' END || '.updated'
             END AS type
        FROM added a JOIN removed r ON r.organization_id = a.organization_id AND r.id = a.id) c
   WHERE c.type IS NOT NULL ORDER BY c.organization_id, c.id;
  RETURN NULL;
END $$;
-- +goose StatementEnd
CREATE TRIGGER transactions_write_changed AFTER UPDATE ON transactions REFERENCING OLD TABLE AS removed NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION write_changed_transactions();

-- The steps that a database transaction changes, as they were before; null for one that it begins. The onboarding itself is
-- changed last, and its event takes them along.
-- +goose StatementBegin
CREATE FUNCTION keep_former_step() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  former jsonb := coalesce(nullif(current_setting('levy.former_steps', true), '')::jsonb, '{}');
BEGIN
  PERFORM set_config('levy.former_steps', (jsonb_build_object(NEW.organization_id || ' ' || NEW.number,
    CASE WHEN TG_OP = 'UPDATE' THEN to_jsonb(OLD) - 'submission_id' END) || former)::text, true);
  RETURN NULL;
END $$;
-- +goose StatementEnd
CREATE TRIGGER onboarding_steps_keep_former AFTER INSERT OR UPDATE ON onboarding_steps FOR EACH ROW EXECUTE FUNCTION keep_former_step();

-- +goose StatementBegin
CREATE FUNCTION change_catalog_version() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO catalog_version_changes (organization_id, token)
  VALUES (CASE TG_OP WHEN 'INSERT' THEN NEW.organization_id ELSE OLD.organization_id END, hashtextextended(gen_random_uuid()::text, 0));
  RETURN NULL;
END $$;
-- +goose StatementEnd
CREATE TRIGGER products_change_version AFTER UPDATE ON products FOR EACH ROW
  WHEN ((OLD.external_id, OLD.tax_class, OLD.classification, OLD.tax_exempt)
        IS DISTINCT FROM (NEW.external_id, NEW.tax_class, NEW.classification, NEW.tax_exempt))
  EXECUTE FUNCTION change_catalog_version();
CREATE TRIGGER products_end_version AFTER DELETE ON products FOR EACH ROW EXECUTE FUNCTION change_catalog_version();
CREATE TRIGGER customers_change_version AFTER UPDATE ON customers FOR EACH ROW
  WHEN ((OLD.id, OLD.external_id, OLD.tax_registrations) IS DISTINCT FROM (NEW.id, NEW.external_id, NEW.tax_registrations))
  EXECUTE FUNCTION change_catalog_version();
CREATE TRIGGER customers_end_version AFTER DELETE ON customers FOR EACH ROW EXECUTE FUNCTION change_catalog_version();
-- Exemptions made for one transaction are none of an estimate.
CREATE TRIGGER exemptions_begin_version AFTER INSERT ON exemptions FOR EACH ROW
  WHEN (NEW.customer_id IS NOT NULL AND NEW.transaction_id IS NULL)
  EXECUTE FUNCTION change_catalog_version();
CREATE TRIGGER exemptions_change_version AFTER UPDATE ON exemptions FOR EACH ROW
  WHEN ((OLD.transaction_id IS NULL OR NEW.transaction_id IS NULL) AND
        (OLD.id, OLD.customer_id, OLD.transaction_id, OLD.exemption_type, OLD.start_date, OLD.end_date, OLD.country_code,
         OLD.jurisdiction, OLD.reseller, OLD.status) IS DISTINCT FROM
        (NEW.id, NEW.customer_id, NEW.transaction_id, NEW.exemption_type, NEW.start_date, NEW.end_date, NEW.country_code,
         NEW.jurisdiction, NEW.reseller, NEW.status))
  EXECUTE FUNCTION change_catalog_version();
CREATE TRIGGER exemptions_end_version AFTER DELETE ON exemptions FOR EACH ROW
  WHEN (OLD.transaction_id IS NULL) EXECUTE FUNCTION change_catalog_version();

-- Who changes contributions has changed the counters of their days before, in key order: of two that change the same sums
-- here one waits for the other there.
-- +goose StatementBegin
CREATE FUNCTION count_nexus_refund() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  c nexus_contributions := CASE TG_OP WHEN 'INSERT' THEN NEW ELSE OLD END;
  sign integer := CASE TG_OP WHEN 'INSERT' THEN 1 ELSE -1 END;
BEGIN
  INSERT INTO nexus_refunds AS k (organization_id, country_code, state_code, currency, day, marketplace, sold_on,
         amount, exempt_amount, resale_amount)
  VALUES (c.organization_id, c.country_code, c.state_code, c.currency, c.day, c.marketplace, c.sold_on,
          sign * c.amount, sign * c.exempt_amount, sign * c.resale_amount)
  ON CONFLICT (organization_id, country_code, state_code, currency, day, marketplace, sold_on) DO UPDATE SET
         amount = k.amount + excluded.amount, exempt_amount = k.exempt_amount + excluded.exempt_amount,
         resale_amount = k.resale_amount + excluded.resale_amount;
  RETURN NULL;
END $$;
-- +goose StatementEnd
CREATE TRIGGER nexus_contributions_count_refund AFTER INSERT ON nexus_contributions FOR EACH ROW
  WHEN (NEW.sold_on IS NOT NULL) EXECUTE FUNCTION count_nexus_refund();
CREATE TRIGGER nexus_contributions_uncount_refund AFTER DELETE ON nexus_contributions FOR EACH ROW
  WHEN (OLD.sold_on IS NOT NULL) EXECUTE FUNCTION count_nexus_refund();

-- One plan of an organization writes after the other, whatever its returns are. Plans of several organizations have
-- these in the order of their ids in every release: none wait for each other.
-- +goose StatementBegin
CREATE FUNCTION keep_planned_apart() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_advisory_xact_lock(13, hashtext(NEW.organization_id));
  IF EXISTS (
    SELECT 1 FROM registrations r
      JOIN filings f ON f.organization_id = r.organization_id AND f.registration_id = r.id
     WHERE r.organization_id = NEW.organization_id AND r.country_code = NEW.country_code
       AND r.state_code = NEW.state_code AND r.id <> NEW.registration_id
       AND f.filing_category = NEW.filing_category AND f.status NOT IN ('SKIPPED', 'CANCELLED')
       AND f.start_date <= NEW.end_date AND f.end_date >= NEW.start_date) THEN
    RETURN NULL;
  END IF;
  RETURN NEW;
END $$;
-- +goose StatementEnd
CREATE TRIGGER filings_planned_apart BEFORE INSERT ON filings FOR EACH ROW
  WHEN (NEW.planned) EXECUTE FUNCTION keep_planned_apart();

-- When something leaves a period that was skipped, what remains may owe something. The nearest that remain on either
-- side of its day are noted: one of them is in the period, if anything is, whatever days that has. So it may also be a
-- period of which a return is only just written as skipped, by somebody who holds the registration, or one that was
-- noted already and waits for what is processed. The one-stop shop leaves out what a return of its own covers, such as
-- the sales at home, which are nearer than all others. The API sees no registrations here, unless it names them.
--
-- When something leaves a period of which the return is claimed, it was an amendment's, or is about to be: it is noted
-- itself, and whoever takes the note sees whether that amendment has anything left.
-- +goose StatementBegin
CREATE FUNCTION note_skipped() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS $$
DECLARE
  undecided text[];
BEGIN
  IF NOT EXISTS (SELECT FROM removed) THEN
    RETURN NULL;
  END IF;
  SELECT array_agg(h.id) FILTER (WHERE NOT pg_try_advisory_xact_lock_shared(10, hashtext(h.id)))
    INTO undecided
    FROM (SELECT DISTINCT r.id::text
            FROM (SELECT DISTINCT organization_id, country_code, state_code FROM removed WHERE liability <> 0) x
            JOIN registrations r ON r.organization_id = x.organization_id AND r.country_code = x.country_code
             AND r.state_code = x.state_code) h;
  -- The order lets two statements that note the same transactions wait for each other, but not both.
  INSERT INTO late_transactions (organization_id, registration_id, transaction_id)
  WITH left_of AS MATERIALIZED (
    SELECT x.*, r.id AS registration_id, r.id = ANY (undecided) IS TRUE AS undecided, f.claimed, f.skipped,
           CASE r.oss_type WHEN 'UNION' THEN r.oss_member_state_of_identification_code END AS home
      FROM (SELECT organization_id, country_code, state_code, tax_date, bool_or(liability <> 0) AS owed
              FROM removed GROUP BY 1, 2, 3, 4) x
      JOIN registrations r ON r.organization_id = x.organization_id AND r.country_code = x.country_code
       AND r.state_code = x.state_code
     CROSS JOIN LATERAL (
       SELECT coalesce(bool_or(f.claimed_at IS NOT NULL), false) AS claimed,
              coalesce(bool_or(f.status = 'SKIPPED'), false) AS skipped
         FROM filings f
        WHERE f.organization_id = x.organization_id AND f.registration_id = r.id AND f.filing_category = 'REGULAR'
          AND f.start_date BETWEEN x.tax_date - 366 AND x.tax_date AND f.end_date >= x.tax_date) f)
  SELECT x.organization_id, x.registration_id, o.transaction_id
    FROM left_of x
   CROSS JOIN LATERAL (
     (SELECT t.transaction_id FROM transaction_totals t
       WHERE t.organization_id = x.organization_id AND t.country_code = x.country_code AND t.state_code = x.state_code
         AND t.tax_date BETWEEN x.tax_date - 366 AND x.tax_date AND t.liability <> 0
         AND (t.member_code = x.home) IS NOT TRUE
         AND (t.country_code <> 'ZZ_EU' OR NOT EXISTS (
           SELECT FROM registrations o
            WHERE o.organization_id = t.organization_id AND o.country_code = t.member_code
              AND o.status IN ('REGISTERED', 'DEREGISTERING', 'DEREGISTERED')
              AND t.tax_date BETWEEN o.registration_date AND coalesce(o.deregistration_date, 'infinity')))
       ORDER BY t.tax_date DESC LIMIT 1)
     UNION ALL
     (SELECT t.transaction_id FROM transaction_totals t
       WHERE t.organization_id = x.organization_id AND t.country_code = x.country_code AND t.state_code = x.state_code
         AND t.tax_date BETWEEN x.tax_date + 1 AND x.tax_date + 366 AND t.liability <> 0
         AND (t.member_code = x.home) IS NOT TRUE
         AND (t.country_code <> 'ZZ_EU' OR NOT EXISTS (
           SELECT FROM registrations o
            WHERE o.organization_id = t.organization_id AND o.country_code = t.member_code
              AND o.status IN ('REGISTERED', 'DEREGISTERING', 'DEREGISTERED')
              AND t.tax_date BETWEEN o.registration_date AND coalesce(o.deregistration_date, 'infinity')))
       ORDER BY t.tax_date LIMIT 1)) o -- no period has more days
   WHERE x.owed AND (x.undecided OR x.skipped)
  UNION
  SELECT x.organization_id, x.registration_id, k.transaction_id
    FROM left_of x JOIN removed k USING (organization_id, country_code, state_code, tax_date)
   WHERE x.claimed
   ORDER BY 1, 2, 3
  ON CONFLICT DO NOTHING;
  RETURN NULL;
END $$;
-- +goose StatementEnd
CREATE TRIGGER transaction_totals_note_skipped AFTER DELETE ON transaction_totals
  REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION note_skipped();

-- The row of the credit says how much of it is used, so that its constraint refuses what is used twice. Only what is filed
-- is a credit.
-- +goose StatementBegin
CREATE FUNCTION count_credit() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP <> 'INSERT' THEN
    UPDATE filings SET credit_used = credit_used - OLD.amount
     WHERE organization_id = OLD.organization_id AND id = OLD.credit_of;
  END IF;
  IF TG_OP <> 'DELETE' THEN
    UPDATE filings SET credit_used = credit_used + NEW.amount
     WHERE organization_id = NEW.organization_id AND id = NEW.credit_of AND status = 'FILED';
    IF NOT FOUND THEN
      RAISE EXCEPTION 'a credit is of a return that is not filed' USING ERRCODE = 'check_violation', CONSTRAINT = TG_NAME;
    END IF;
  END IF;
  RETURN NULL;
END $$;
-- +goose StatementEnd
CREATE TRIGGER filing_credits_count AFTER INSERT OR UPDATE OR DELETE ON filing_credits
  FOR EACH ROW EXECUTE FUNCTION count_credit();

-- While workers are replaced, those of an earlier release take imports too. They do not know pass 0, and would import
-- the first rows of an order alone. They lose the race for such an import, and try until a later release takes it.
-- +goose StatementBegin
CREATE FUNCTION refuse_earlier_import() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'this import waits for a worker of a later release' USING ERRCODE = 'serialization_failure';
END $$;
-- +goose StatementEnd
CREATE TRIGGER transaction_imports_refuse_earlier BEFORE UPDATE ON transaction_imports FOR EACH ROW
  WHEN (OLD.pass = 0 AND (NEW.pass <> 0 OR NEW.byte_offset <> OLD.byte_offset)
        AND NEW.arranged_chunks = OLD.arranged_chunks
     OR OLD.arranged AND NEW.transactions > OLD.transactions
        AND NEW.accepted_rows + NEW.present_rows + NEW.conflicting_rows + NEW.rejected_rows
          = OLD.accepted_rows + OLD.present_rows + OLD.conflicting_rows + OLD.rejected_rows)
  EXECUTE FUNCTION refuse_earlier_import();

-- +goose StatementBegin
CREATE FUNCTION name_nexus_returned_day() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO nexus_returned_days (organization_id, country_code, state_code, day)
  VALUES (NEW.organization_id, NEW.country_code, NEW.state_code, NEW.day) ON CONFLICT DO NOTHING;
  RETURN NULL;
END $$;
-- +goose StatementEnd
CREATE TRIGGER nexus_contributions_returned AFTER INSERT OR UPDATE OF collected_tax ON nexus_contributions FOR EACH ROW
  WHEN (NEW.collected_tax < 0 AND NEW.sold_on IS NULL) EXECUTE FUNCTION name_nexus_returned_day();

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

-- ------------------------------------------------------------
-- Who sees which rows, and who executes which functions.

-- A second lock on what must never be seen by another organization, should a statement forget to say whose records it
-- wants: the API's role sees the rows of the organizations that its statement was sent with (see store/pg/security.go).
-- Only tables that are read by key have it: transactions, customers and what belongs to them are searched by indexes of
-- trigrams, which cannot be used behind it.
--
-- It is not forced on the owner. No service acts as the owner: every connection takes on a role that `levy migrate` made,
-- and for which row-level security always counts. The owner is who migrates, makes backups (pg_dump refuses tables that
-- show it a part) and runs the processes of the release before this one, which know nothing of roles.
-- +goose StatementBegin
DO $$
DECLARE t text;
BEGIN
  FOREACH t IN ARRAY ARRAY[
    'personal_data', 'data_keys', 'bank_details', 'organization_details', 'api_keys', 'registrations',
    'registration_frequencies', 'exemption_attachments', 'exemption_attachment_pieces', 'audit', 'audit_seals',
    'events', 'webhook_endpoints', 'webhook_replays', 'webhook_deliveries', 'rate_overrides'] LOOP
    EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', t);
    -- The list is read once for a statement, not once for a row.
    EXECUTE format($policy$CREATE POLICY own_organization ON %I USING (organization_id = ANY (
      (SELECT string_to_array(current_setting('levy.organizations', true), ','))::text[]))$policy$, t);
  END LOOP;
END $$;
-- +goose StatementEnd

-- These act as the owner: the roles of the service see rows of a closed table only where a statement names them. Their search
-- path is the schema of the tables, so nobody puts something else in the place of one.
-- +goose StatementBegin
DO $$
DECLARE f regprocedure;
BEGIN
  FOR f IN SELECT p.oid::regprocedure FROM pg_proc p
            WHERE p.pronamespace = current_schema()::regnamespace AND p.prosecdef LOOP
    EXECUTE format('ALTER FUNCTION %s SET search_path = %I, pg_temp', f, current_schema());
    -- Plans are kept: statements of the service are planned anew each time, and these are the same for every table.
    IF f::text LIKE 'write\_%' THEN
      EXECUTE format('ALTER FUNCTION %s SET plan_cache_mode = force_generic_plan', f);
      EXECUTE format('REVOKE EXECUTE ON FUNCTION %s FROM PUBLIC', f);
    END IF;
  END LOOP;
END $$;
-- +goose StatementEnd
-- A statement that waits for the table holds up all that come after it.
ALTER FUNCTION make_event_days(integer) SET lock_timeout = '1s';
ALTER FUNCTION drop_event_days(integer) SET lock_timeout = '1s';
REVOKE EXECUTE ON FUNCTION make_event_days(integer), drop_event_days(integer), organization_of_key(bytea[]) FROM PUBLIC;
-- The plan of this function is kept by each session, and is that of the first statement that it saw. Where that changed one
-- sale, it compared each row of every later batch with each other: 250,000 pairs for 500 sales, twice in their processing.
ALTER FUNCTION write_changed_transactions() SET enable_nestloop = off;
ALTER FUNCTION write_changed_transactions() SET enable_mergejoin = off;

-- ------------------------------------------------------------
-- First rows.

SELECT make_event_days(30);

-- Whether Temporal hands work to workers is checked of each task queue: 'heartbeat' is that of transactions. 'stuck': do all
-- open runs get their workflow tasks? 'absent': do all records that need a run have one?
INSERT INTO engine_checks (name)
SELECT unnest('{heartbeat,runs,absent,stuck,heartbeat/onboarding,heartbeat/imports,heartbeat/exemptions,heartbeat/registrations,
  heartbeat/filings,heartbeat/nexus,heartbeat/webhooks,heartbeat/transactions-background}'::text[]);

INSERT INTO installation (tax_ids_from_before) VALUES (false);

-- Version 0.3.0 had its schema from these migrations. Its processes refuse a database that lacks one of their numbers.
INSERT INTO goose_db_version (version_id, is_applied)
SELECT unnest('{
  1,2,3,4,5,6,7,8,9,10,11,12,14,15,16,17,18,19,20,21,24,26,27,30,31,32,33,34,35,36,37,38,39,40,41,42,44,45,47,
  50,51,56,57,58,60,61,62,63,64,67,68,69,71,73,76,77,78,79,80,81,84,85,86,87,88,89,91,92,95,96,97,98,100,101,
  102,106,108,110,113,123,124,130,131,140,141,142,143,144,145,146,148,149,150,151,156,157,158,159,160,161,162,
  165,166,169,174,175,178,180,181,182,183,185,198,199,200,203,210,220,225,226,227,230
}'::bigint[]), true;
