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
  organization_id             ident NOT NULL,
  id                          ident NOT NULL,
  external_id                 ident NOT NULL,
  type                        text NOT NULL CHECK (type IN
                                ('SALE', 'FULL_CREDIT_NOTE', 'PARTIAL_CREDIT_NOTE', 'TAX_REFUND', 'ARCHIVE')),
  status                      text NOT NULL CHECK (status IN
                                ('PENDING', 'COMMITTED', 'CANCELLED', 'FULLY_REFUNDED', 'PARTIALLY_REFUNDED',
                                 'INVALID', 'ARCHIVED')),
  processing_status           text NOT NULL CHECK (processing_status IN
                                ('NEW', 'UPDATED', 'QUEUED', 'ADDRESS_DONE', 'EXEMPT_DONE', 'NEXUS_DONE', 'PROCESSED',
                                 'FILING_STARTED', 'FILING_DONE', 'LOCKED', 'PENDING', 'ARCHIVED', 'NEEDS_REFETCH',
                                 'EXCLUDED_IN_CALCULATION')),
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
  requires_exemption          jsonb, -- as sent
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
  -- What the client sent of the fields that processing later replaces, so that an update without
  -- them leaves them as they were. NULL when none was sent.
  sent                        jsonb,
  PRIMARY KEY (organization_id, id),
  FOREIGN KEY (organization_id, customer_id) REFERENCES customers (organization_id, id),
  FOREIGN KEY (organization_id, related_to) REFERENCES transactions (organization_id, id)
) WITH (fillfactor = 40);
CREATE UNIQUE INDEX transactions_external_id ON transactions (organization_id, external_id);
CREATE INDEX transactions_date ON transactions (organization_id, date DESC, id DESC);
CREATE INDEX transactions_customer ON transactions (organization_id, customer_id, date DESC);
CREATE INDEX transactions_related_to ON transactions (organization_id, related_to) WHERE related_to IS NOT NULL;

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
  body            json NOT NULL,
  PRIMARY KEY (organization_id, transaction_id),
  FOREIGN KEY (organization_id, transaction_id) REFERENCES transactions (organization_id, id)
);

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
DO $$
BEGIN
  ALTER TABLE transaction_explanations ALTER COLUMN body SET COMPRESSION lz4;
  ALTER TABLE transaction_revisions ALTER COLUMN body SET COMPRESSION lz4;
EXCEPTION WHEN feature_not_supported THEN
  RAISE NOTICE 'this server has no lz4';
END $$;

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
  PRIMARY KEY (organization_id, transaction_id),
  FOREIGN KEY (organization_id, transaction_id) REFERENCES transactions (organization_id, id)
);

-- What the credit notes and tax refunds of a sale take from it. Every call that adds, changes
-- or cancels one changes this row in its own database transaction, and whoever calculates one
-- locks it: it is the first lock that all of them take.
CREATE TABLE credit_totals (
  organization_id ident NOT NULL,
  transaction_id  ident NOT NULL,   -- the sale
  creditable      amount NOT NULL,  -- as known when the row was last changed
  reserved        amount NOT NULL CHECK (reserved >= 0),   -- by PENDING notes
  committed       amount NOT NULL CHECK (committed >= 0),  -- by COMMITTED notes
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
  state_code      text NOT NULL,   -- as in registrations: the country where its authority is that of the whole country
  member_code     text NOT NULL,   -- the country that taxes; differs from country_code for the one-stop shop
  tax_date        date NOT NULL,
  marketplace     boolean NOT NULL,
  currency        text NOT NULL,
  sales           amount NOT NULL, -- net, before tax
  taxable         amount NOT NULL,
  tax             amount NOT NULL, -- calculated, of this authority alone
  collected       amount NOT NULL,
  liability       amount NOT NULL,
  PRIMARY KEY (organization_id, transaction_id, epoch, country_code, state_code),
  FOREIGN KEY (organization_id, transaction_id) REFERENCES transactions (organization_id, id)
);
CREATE INDEX transaction_totals_period ON transaction_totals
  (organization_id, country_code, state_code, tax_date, transaction_id);

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
  PRIMARY KEY (organization_id, kind, aggregate_id)
) WITH (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_cost_delay = 0);
CREATE INDEX outbox_next_attempt_at ON outbox (next_attempt_at);
CREATE INDEX outbox_waits_for ON outbox (organization_id, waits_for) WHERE waits_for IS NOT NULL;
