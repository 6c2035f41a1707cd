-- Nexus: what the transactions add to the counters and tax sums of a place, and the record that
-- is evaluated from them.

-- Where organizations can have nexus by the content in force, with the terms for sellers from
-- abroad: the records of a new organization begin with these.
CREATE TABLE nexus_jurisdictions (
  country_code text NOT NULL,
  state_code   text NOT NULL,   -- the country where there are no states; ZZ_EU for the European Union
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
  organization_id                  ident NOT NULL REFERENCES organizations (id),
  id                               ident NOT NULL,
  country_code                     text NOT NULL,
  state_code                       text NOT NULL,
  state_name                       text NOT NULL,
  enabled                          boolean NOT NULL,  -- in enabled_jurisdictions of the organization
  status                           text NOT NULL CHECK (status IN
                                     ('NOT_EXPOSED', 'APPROACHING', 'PENDING_REGISTRATION', 'EXPOSED', 'REGISTERED')),

  nexus_type                       text NOT NULL CHECK (nexus_type IN
                                     ('STATE', 'CANADA_FEDERAL', 'EU_AGGREGATOR', 'EU_MEMBER_STATE', 'COUNTRY')),
  registration_regime              text NOT NULL CHECK (registration_regime IN ('STANDARD', 'SIMPLIFIED')),
  currency                         text NOT NULL,
  treatment_of_exempt_transactions text NOT NULL CHECK (treatment_of_exempt_transactions IN
                                     ('INCLUDED', 'EXCLUDED', 'DEPENDS', 'INCLUDE_IF_PRESENCE',
                                      'YES_SALES_NO_TRANSACTIONS')),
  trigger                          text NOT NULL,
  sales_or_transactions            text NOT NULL CHECK (sales_or_transactions IN
                                     ('SALES', 'TRANSACTIONS', 'EITHER', 'BOTH')),
  threshold_sales                  numeric(20,2) CHECK (threshold_sales <> 'NaN'),
  threshold_transactions           integer,
  start_date                       date NOT NULL,
  period_model                     text NOT NULL,
  marketplace_included             boolean NOT NULL,

  period_start_date                date NOT NULL,
  period_end_date                  date NOT NULL,
  previous_period_start_date       date,
  previous_period_end_date         date,
  transaction_count                integer NOT NULL DEFAULT 0,
  previous_transaction_count       integer NOT NULL DEFAULT 0,
  transactions_amount              numeric(20,2) NOT NULL DEFAULT 0 CHECK (transactions_amount <> 'NaN'),
  previous_transactions_amount     numeric(20,2) NOT NULL DEFAULT 0 CHECK (previous_transactions_amount <> 'NaN'),
  total_transactions               integer NOT NULL DEFAULT 0,
  total_transactions_included      integer NOT NULL DEFAULT 0,
  total_transactions_exempted      integer NOT NULL DEFAULT 0,
  total_transactions_marketplace   integer NOT NULL DEFAULT 0,
  calculated_tax_liability         numeric(20,2) NOT NULL DEFAULT 0 CHECK (calculated_tax_liability <> 'NaN'),
  imported_tax_liability           numeric(20,2) NOT NULL DEFAULT 0 CHECK (imported_tax_liability <> 'NaN'),
  tax_liability                    numeric(20,2) NOT NULL DEFAULT 0 CHECK (tax_liability <> 'NaN'),

  nexus_met                        boolean NOT NULL DEFAULT false,
  economic_nexus_met               boolean NOT NULL DEFAULT false,
  physical_nexus_met               boolean NOT NULL DEFAULT false,
  collected_tax_nexus_met          boolean NOT NULL DEFAULT false,
  nexus_met_date                   date,
  economic_nexus_met_date          date,
  physical_nexus_met_date          date,
  collected_tax_nexus_met_date     date,
  obligation_start_date            date,
  crossing                         jsonb,
  earliest_transaction_date        timestamptz,
  most_recent_transaction_date     timestamptz,
  earliest_collected_date          timestamptz,
  predicted_month_from_today       integer,
  confidence_level                 integer,
  vda_eligible                     boolean NOT NULL DEFAULT false,
  periods                          jsonb NOT NULL DEFAULT '[]',
  last_processed_at                timestamptz,
  last_tax_liability_processed_at  timestamptz,

  -- The days on which an obligation exists, without an end while it continues, and the days by
  -- which the liability of processed transactions was decided.
  obliged_from                     date,
  obliged_until                    date,
  applied_from                     date,
  applied_until                    date,

  disregarded_at                   timestamptz,
  disregarded_by                   ident,
  disregard_reason                 text,
  disregarded_until                date,
  disregarded_nexus_types          jsonb NOT NULL DEFAULT '[]',

  evaluated                        bigint,
  evaluated_on                     date,   -- the day it was evaluated for
  content_version                  ident,  -- by which it was evaluated
  created_at                       timestamptz NOT NULL,
  updated_at                       timestamptz NOT NULL,
  obliged_gaps                     jsonb NOT NULL DEFAULT '[]',
  applied_gaps                     jsonb NOT NULL DEFAULT '[]',
  without_rate                     boolean NOT NULL DEFAULT false,
  PRIMARY KEY (organization_id, id),
  CONSTRAINT nexus_records_jurisdiction UNIQUE (organization_id, country_code, state_code),
  CONSTRAINT nexus_records_disregarded CHECK ((disregarded_at IS NULL) = (disregarded_nexus_types = '[]')),
  CONSTRAINT nexus_records_obliged CHECK (obliged_until IS NULL OR obliged_from <= obliged_until),
  CONSTRAINT nexus_records_periods CHECK (jsonb_array_length(periods) <= 8),
  CONSTRAINT nexus_records_gaps CHECK (obliged_gaps = '[]' OR obliged_from IS NOT NULL)
) WITH (fillfactor = 70);

CREATE TRIGGER nexus_records_status_moves AFTER UPDATE OF status ON nexus_records FOR EACH ROW
  WHEN (OLD.status <> NEW.status AND NOT may_move('nexus_status', OLD.status, NEW.status))
  EXECUTE FUNCTION refuse_move();

-- How often something changed that the nexus of a place depends on, in narrow rows that change
-- often, apart from the wide records: the nexus stage writes to it in the statement that changes
-- the counters. pending means that no evaluation has seen the change yet; due_at is when a
-- process may evaluate it.
CREATE TABLE nexus_changes (
  organization_id ident NOT NULL REFERENCES organizations (id),
  country_code    text NOT NULL,
  state_code      text NOT NULL,   -- as in nexus_contributions: empty where a country counts as one
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

CREATE FUNCTION add_nexus_taxes() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO nexus_tax_changes (organization_id, country_code, state_code, member_code, currency, day, tax, collected, liability)
  SELECT organization_id, country_code, state_code, member_code, currency, tax_date, sum(tax), sum(collected), sum(liability)
    FROM added GROUP BY 1, 2, 3, 4, 5, 6 HAVING (sum(tax), sum(collected), sum(liability)) <> (0, 0, 0);
  RETURN NULL;
END $$;
CREATE FUNCTION remove_nexus_taxes() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO nexus_tax_changes (organization_id, country_code, state_code, member_code, currency, day, tax, collected, liability)
  SELECT organization_id, country_code, state_code, member_code, currency, tax_date, -sum(tax), -sum(collected), -sum(liability)
    FROM removed GROUP BY 1, 2, 3, 4, 5, 6 HAVING (sum(tax), sum(collected), sum(liability)) <> (0, 0, 0);
  RETURN NULL;
END $$;

CREATE TRIGGER transaction_totals_add_nexus_taxes AFTER INSERT ON transaction_totals
  REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION add_nexus_taxes();
CREATE TRIGGER transaction_totals_remove_nexus_taxes AFTER DELETE ON transaction_totals
  REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION remove_nexus_taxes();

-- Where an organization is physically present.
CREATE TABLE physical_nexus (
  organization_id ident NOT NULL REFERENCES organizations (id),
  id              ident NOT NULL,
  country_code    text NOT NULL,
  state_code      text NOT NULL,   -- the country where there are no states
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
  workflow_id     text NOT NULL,   -- empty when the command recounted
  run_id          text NOT NULL,
  kind            text NOT NULL CHECK (kind IN ('CONTRIBUTION', 'COUNTER', 'TAX')),
  transaction_id  ident,           -- of contributions
  country_code    text NOT NULL,
  state_code      text NOT NULL,
  currency        text NOT NULL,
  day             date NOT NULL,
  marketplace     boolean NOT NULL,
  found           jsonb NOT NULL,
  expected        jsonb NOT NULL,
  PRIMARY KEY (organization_id, id)
);
