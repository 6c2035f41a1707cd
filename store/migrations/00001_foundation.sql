-- +goose Up

-- Words of the schema. Identifiers compare byte by byte; amounts and rates refuse
-- NaN, which would pass every other check and poison every sum.
CREATE DOMAIN ident    AS text COLLATE "C";
CREATE DOMAIN amount   AS numeric(12,2) CHECK (VALUE <> 'NaN');
CREATE DOMAIN tax_rate AS numeric(12,9) CHECK (VALUE <> 'NaN');
CREATE DOMAIN quantity AS numeric(21,9) CHECK (VALUE <> 'NaN');

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
-- A name is taken only among the living clients of one parent: a global check
-- would tell a partner who else's clients exist.
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
  rounding_unit                     text NOT NULL CHECK (rounding_unit IN ('TAX_PER_LINE', 'JURISDICTION_PER_LINE', 'TAX_PER_DOCUMENT')),
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
-- A key arrives without its organization: the one look-up that cannot lead with it.
CREATE UNIQUE INDEX api_keys_hash ON api_keys (hash);

-- Operator keys belong to the installation, not to an organization.
CREATE TABLE operator_keys (
  id         ident PRIMARY KEY,
  hash       bytea NOT NULL UNIQUE CHECK (octet_length(hash) = 32),
  created_at timestamptz NOT NULL,
  revoked_at timestamptz
);

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
  PRIMARY KEY (organization_id, id)
);
CREATE UNIQUE INDEX products_external_id ON products (organization_id, external_id);
CREATE INDEX products_created_at ON products (organization_id, created_at DESC, id DESC);

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

-- The wide row of a transaction. The stages rewrite it four times within seconds,
-- so its pages keep room for the new versions, and no index mentions
-- processing_status: both keep those updates inside the page (HOT).
-- The organization is checked through the customer: a foreign key of its own would
-- make every insert lock the one row of a busy organization.
CREATE TABLE transactions (
  organization_id             ident NOT NULL,
  id                          ident NOT NULL,
  external_id                 ident NOT NULL,
  type                        text NOT NULL CHECK (type IN ('SALE', 'FULL_CREDIT_NOTE', 'PARTIAL_CREDIT_NOTE', 'TAX_REFUND', 'ARCHIVE')),
  status                      text NOT NULL CHECK (status IN
                                ('PENDING', 'COMMITTED', 'CANCELLED', 'FULLY_REFUNDED', 'PARTIALLY_REFUNDED', 'INVALID', 'ARCHIVED')),
  processing_status           text NOT NULL CHECK (processing_status IN
                                ('NEW', 'UPDATED', 'QUEUED', 'ADDRESS_DONE', 'EXEMPT_DONE', 'NEXUS_DONE', 'PROCESSED', 'FILING_STARTED',
                                 'FILING_DONE', 'LOCKED', 'PENDING', 'ARCHIVED', 'NEEDS_REFETCH', 'EXCLUDED_IN_CALCULATION')),
  processing_reason           text,
  epoch                       integer NOT NULL,
  revision                    integer NOT NULL,
  date                        timestamptz NOT NULL,
  tax_date                    date NOT NULL,
  shop_date                   text,
  shop_date_tz                text,
  description                 text,
  refund_status               text CHECK (refund_status IN ('FULLY_REFUNDED', 'PARTIALLY_REFUNDED')),
  currency                    text NOT NULL,
  total_amount                amount NOT NULL,
  subtotal                    amount NOT NULL,
  total_discount              amount NOT NULL,
  customer_id                 ident NOT NULL,
  marketplace                 boolean NOT NULL,
  exempt_sent                 text NOT NULL,
  exempt                      text NOT NULL,
  related_to                  ident,
  secondary_external_id       text,
  secondary_source            text,
  external_friendly_id        text,
  source                      text NOT NULL,
  connection_id               text,
  filing_id                   ident,
  batch_id                    ident,
  tax_id                      text,
  requires_exemption          jsonb,             -- as sent
  total_tax_amount_imported   amount NOT NULL,
  tax_rate_imported           tax_rate NOT NULL,
  total_tax_amount_calculated amount NOT NULL,
  tax_rate_calculated         tax_rate NOT NULL,
  total_tax_liability_amount  amount NOT NULL,
  tax_liability_source        text CHECK (tax_liability_source IN ('CALCULATED', 'COLLECTED')),
  taxable_amount              amount NOT NULL,
  destination_currency        text,
  conversion_rate             numeric(21,9) CHECK (conversion_rate <> 'NaN'),
  city                        text,
  county                      text,
  state                       text,
  postal_code                 text,
  country                     text,
  address_status              text NOT NULL,
  ambiguous                   boolean NOT NULL,
  place                       jsonb,
  origin                      jsonb,
  content_version             text,
  created_at                  timestamptz NOT NULL,
  updated_at                  timestamptz NOT NULL,
  PRIMARY KEY (organization_id, id),
  FOREIGN KEY (organization_id, customer_id) REFERENCES customers (organization_id, id),
  FOREIGN KEY (organization_id, related_to) REFERENCES transactions (organization_id, id)
) WITH (fillfactor = 60);
CREATE UNIQUE INDEX transactions_external_id ON transactions (organization_id, external_id);
CREATE INDEX transactions_date ON transactions (organization_id, date DESC, id DESC);
CREATE INDEX transactions_customer ON transactions (organization_id, customer_id, date DESC);
CREATE INDEX transactions_related_to ON transactions (organization_id, related_to) WHERE related_to IS NOT NULL;

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
  PRIMARY KEY (organization_id, transaction_id, line_no),
  FOREIGN KEY (organization_id, transaction_id) REFERENCES transactions (organization_id, id),
  FOREIGN KEY (organization_id, product_id) REFERENCES products (organization_id, id)
) WITH (fillfactor = 70);

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
) WITH (fillfactor = 80);

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
  PRIMARY KEY (organization_id, id),
  FOREIGN KEY (organization_id, customer_id) REFERENCES customers (organization_id, id),
  FOREIGN KEY (organization_id, transaction_id) REFERENCES transactions (organization_id, id),
  CHECK (customer_id IS NOT NULL OR transaction_id IS NOT NULL)
);
CREATE INDEX exemptions_customer ON exemptions (organization_id, customer_id) WHERE customer_id IS NOT NULL;
CREATE INDEX exemptions_transaction ON exemptions (organization_id, transaction_id) WHERE transaction_id IS NOT NULL;

-- Which exemptions a transaction asked for (linked) or was granted (applied).
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

CREATE TABLE transaction_explanations (
  organization_id ident NOT NULL,
  transaction_id  ident NOT NULL,
  epoch           integer NOT NULL,
  body            json NOT NULL,
  PRIMARY KEY (organization_id, transaction_id),
  FOREIGN KEY (organization_id, transaction_id) REFERENCES transactions (organization_id, id)
);

-- Explanations are the largest thing written for a transaction. LZ4 packs them for
-- a fraction of the work, where the server was built with it.
-- +goose StatementBegin
DO $$
BEGIN
  ALTER TABLE transaction_explanations ALTER COLUMN body SET COMPRESSION lz4;
EXCEPTION WHEN feature_not_supported THEN
  RAISE NOTICE 'this server has no lz4';
END $$;
-- +goose StatementEnd

-- The stage journal: one row for each stage of each version of a transaction.
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

-- What each transaction added to which counter, so that an edit takes back
-- exactly what was added. A day is the finest period any nexus rule looks at.
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
  PRIMARY KEY (organization_id, transaction_id, country_code, state_code),
  FOREIGN KEY (organization_id, transaction_id) REFERENCES transactions (organization_id, id)
);

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
  PRIMARY KEY (organization_id, country_code, state_code, currency, day, marketplace)
) WITH (fillfactor = 50);

-- The outbox: narrow and hot, apart from the wide row. A row stays until the
-- stage that ends the processing deletes it in its own transaction.
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
  PRIMARY KEY (organization_id, kind, aggregate_id)
) WITH (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_cost_delay = 0);
CREATE INDEX outbox_next_attempt_at ON outbox (next_attempt_at);

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
  PRIMARY KEY (organization_id, id)
);
CREATE INDEX audit_entity ON audit (organization_id, entity_id);
