-- +goose Up

-- Where organizations can have nexus by the content in force, with the terms for
-- sellers from abroad: what a new organization starts from.
CREATE TABLE nexus_jurisdictions (
  country_code text NOT NULL,
  state_code   text NOT NULL,   -- the country where there are no states; ZZ_EU for the European Union
  state_name   text NOT NULL,
  terms        jsonb NOT NULL,
  PRIMARY KEY (country_code, state_code)
);

-- One for each organization and jurisdiction. evaluated is the number of changes
-- (nexus_changes) that the last evaluation had seen: what is behind them needs
-- another one, what was never evaluated is not ready. So processing_status is no
-- column and cannot be wrong.
CREATE TABLE nexus_records (
  organization_id                  ident NOT NULL REFERENCES organizations (id),
  id                               ident NOT NULL,
  country_code                     text NOT NULL,
  state_code                       text NOT NULL,
  state_name                       text NOT NULL,
  enabled                          boolean NOT NULL,  -- in enabled_jurisdictions of the organization
  status                           text NOT NULL CHECK (status IN ('NOT_EXPOSED', 'APPROACHING', 'PENDING_REGISTRATION', 'EXPOSED', 'REGISTERED')),

  nexus_type                       text NOT NULL CHECK (nexus_type IN ('STATE', 'CANADA_FEDERAL', 'EU_AGGREGATOR', 'EU_MEMBER_STATE', 'COUNTRY')),
  registration_regime              text NOT NULL CHECK (registration_regime IN ('STANDARD', 'SIMPLIFIED')),
  currency                         text NOT NULL,
  treatment_of_exempt_transactions text NOT NULL CHECK (treatment_of_exempt_transactions IN
                                     ('INCLUDED', 'EXCLUDED', 'DEPENDS', 'INCLUDE_IF_PRESENCE', 'YES_SALES_NO_TRANSACTIONS')),
  trigger                          text NOT NULL,
  sales_or_transactions            text NOT NULL CHECK (sales_or_transactions IN ('SALES', 'TRANSACTIONS', 'EITHER', 'BOTH')),
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

  -- The days on which an obligation exists, without an end where it goes on, and
  -- those that the liability of processed transactions was decided by.
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
  PRIMARY KEY (organization_id, id),
  CONSTRAINT nexus_records_jurisdiction UNIQUE (organization_id, country_code, state_code),
  CONSTRAINT nexus_records_disregarded CHECK ((disregarded_at IS NULL) = (disregarded_nexus_types = '[]')),
  CONSTRAINT nexus_records_obliged CHECK (obliged_until IS NULL OR obliged_from <= obliged_until),
  CONSTRAINT nexus_records_periods CHECK (jsonb_array_length(periods) <= 8)
) WITH (fillfactor = 70);

CREATE TRIGGER nexus_records_status_moves AFTER UPDATE OF status ON nexus_records FOR EACH ROW
  WHEN (OLD.status <> NEW.status AND NOT may_move('nexus_status', OLD.status, NEW.status))
  EXECUTE FUNCTION refuse_move();

-- How often something changed that the nexus of a place depends on. Narrow and hot,
-- apart from the wide records: the nexus stage writes to it in the statement that
-- changes the counters. pending is what no evaluation has seen yet; due_at is when a
-- process may take it up.
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

-- Exempt sales that were sold to be sold on count nowhere in some states.
ALTER TABLE nexus_contributions ADD COLUMN resale_n integer NOT NULL DEFAULT 0;
ALTER TABLE nexus_counters ADD COLUMN resale_n bigint NOT NULL DEFAULT 0;
-- The sales of a day in a jurisdiction: one of them crosses its threshold.
CREATE INDEX nexus_contributions_day ON nexus_contributions (organization_id, country_code, state_code, day);

-- Where an organization is present in person.
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

-- What a recount found to differ, and put right: as it stood and as it must be.
CREATE TABLE nexus_repairs (
  organization_id ident NOT NULL REFERENCES organizations (id),
  id              bigint GENERATED ALWAYS AS IDENTITY,
  at              timestamptz NOT NULL DEFAULT now(),
  workflow_id     text NOT NULL,   -- empty for the command
  run_id          text NOT NULL,
  kind            text NOT NULL CHECK (kind IN ('CONTRIBUTION', 'COUNTER')),
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
