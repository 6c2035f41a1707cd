-- +goose Up

-- What a transaction adds to the return of each authority that it can be reported
-- to: the state, the country, a province beside the federal authority of Canada, and
-- for a member of the European Union the one-stop shop too. Written with PROCESSED.
-- Amounts are in the currency of the destination; refunds are negative.
CREATE TABLE transaction_totals (
  organization_id ident NOT NULL,
  transaction_id  ident NOT NULL,
  epoch           integer NOT NULL,
  country_code    text NOT NULL,
  state_code      text NOT NULL,   -- as of registrations: the country where the authority is that of a whole country
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
CREATE INDEX transaction_totals_period ON transaction_totals (organization_id, country_code, state_code, tax_date, transaction_id);

-- Exclusion of overlapping periods compares texts and ranges in one index.
CREATE EXTENSION IF NOT EXISTS btree_gist;

-- The return of a registration for a period. Its amounts are those of its members
-- once they are claimed; before that they are computed when they are read.
-- While next_check_at is set there is work left that only its workflow does.
CREATE TABLE filings (
  organization_id         ident NOT NULL,
  id                      ident NOT NULL,
  registration_id         ident NOT NULL,
  country_code            text NOT NULL,
  state_code              text NOT NULL,
  state_name              text,
  start_date              date NOT NULL,
  end_date                date NOT NULL,
  status                  text NOT NULL CHECK (status IN ('UNFILED', 'FILING', 'FILED', 'PAUSED', 'ISSUE', 'SKIPPED', 'CANCELLED')),
  filing_category         text NOT NULL CHECK (char_length(filing_category) BETWEEN 1 AND 50),
  -- Regular returns and amendments share their transactions, other categories have theirs besides.
  claims_as               text NOT NULL GENERATED ALWAYS AS (CASE WHEN filing_category IN ('REGULAR', 'AMENDMENT') THEN 'RETURN' ELSE filing_category END) STORED,
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
  transaction_count             bigint NOT NULL DEFAULT 0,
  marketplace_transaction_count bigint NOT NULL DEFAULT 0,
  internal_notes          text,
  return_confirmation_id  text,
  payment_confirmation_id text,
  jira_issue_key          text,
  amends_filing_id        ident,
  planned                 boolean NOT NULL DEFAULT false, -- made by the plan of filings
  attempt                 integer NOT NULL DEFAULT 0,     -- how often it became FILING
  claimed_at              timestamptz,                    -- its members are claimed
  filed_at                timestamptz,
  locked_at               timestamptz,                    -- report and hash are stored, members are LOCKED
  report_hash             text,
  reminders               integer NOT NULL DEFAULT 0,     -- of the due date, that were noted
  next_check_at           timestamptz,
  created_at              timestamptz NOT NULL,
  updated_at              timestamptz NOT NULL,
  PRIMARY KEY (organization_id, id),
  FOREIGN KEY (organization_id, registration_id) REFERENCES registrations (organization_id, id),
  FOREIGN KEY (organization_id, amends_filing_id) REFERENCES filings (organization_id, id),
  CONSTRAINT filings_period CHECK (start_date <= end_date AND end_date - start_date < 366),
  CONSTRAINT filings_claimed CHECK (CASE WHEN status IN ('FILING', 'FILED') THEN claimed_at IS NOT NULL
                                         WHEN status = 'ISSUE' THEN true ELSE claimed_at IS NULL END),
  CONSTRAINT filings_filed CHECK ((status = 'FILED') = (filed_at IS NOT NULL) AND (status <> 'FILED' OR date_filed IS NOT NULL)),
  CONSTRAINT filings_paused CHECK (paused_until_date IS NULL OR status = 'PAUSED'),
  -- One regular return for each registration and day.
  CONSTRAINT filings_regular EXCLUDE USING gist (organization_id WITH =, registration_id WITH =, daterange(start_date, end_date, '[]') WITH &&)
    WHERE (filing_category = 'REGULAR' AND status NOT IN ('CANCELLED', 'SKIPPED'))
);
-- What the plan made once it never makes again, whatever became of it.
CREATE UNIQUE INDEX filings_planned ON filings (organization_id, registration_id, filing_category, start_date, end_date) WHERE planned;
-- The one amendment of a return that collects what came late.
CREATE UNIQUE INDEX filings_open_amendment ON filings (organization_id, amends_filing_id)
  WHERE filing_category = 'AMENDMENT' AND status IN ('UNFILED', 'PAUSED');
CREATE INDEX filings_registration ON filings (organization_id, registration_id, start_date DESC, id DESC);
CREATE INDEX filings_start_date ON filings (organization_id, start_date DESC, id DESC);
CREATE INDEX filings_due_date ON filings (organization_id, due_date, id);
-- Asked across organizations by the sweeper of every process.
CREATE INDEX filings_next_check_at ON filings (next_check_at) WHERE next_check_at IS NOT NULL;

CREATE TRIGGER filings_status_moves AFTER UPDATE OF status ON filings FOR EACH ROW
  WHEN (OLD.status <> NEW.status AND NOT may_move('filing_status', OLD.status, NEW.status))
  EXECUTE FUNCTION refuse_move();

-- The transactions that a filing claimed, with what each adds to it, in the currency
-- of the filing. A transaction has one row for each registration that reports it.
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
  PRIMARY KEY (organization_id, filing_id, transaction_id),
  FOREIGN KEY (organization_id, filing_id) REFERENCES filings (organization_id, id),
  FOREIGN KEY (organization_id, transaction_id) REFERENCES transactions (organization_id, id)
);
-- A transaction is returned once for each registration: an amendment holds what the
-- regular return does not. Other categories, such as payments on account, report it
-- besides, each once.
CREATE UNIQUE INDEX filing_transactions_once ON filing_transactions (organization_id, transaction_id, registration_id, claims_as);

-- The latest reference rate on a day, or of the 7 days before it, by which a return
-- in euro takes a sale in another currency.
CREATE FUNCTION euro_rate(code text, on_day date) RETURNS numeric LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT rate FROM fx_rates WHERE currency = code AND day BETWEEN on_day - 7 AND on_day ORDER BY day DESC LIMIT 1
$$;

-- Members that a filing gave back.
CREATE TABLE filing_releases (
  organization_id ident NOT NULL,
  transaction_id  ident NOT NULL,
  filing_id       ident NOT NULL,
  claimed_at      timestamptz NOT NULL,
  released_at     timestamptz NOT NULL,
  PRIMARY KEY (organization_id, transaction_id, filing_id, claimed_at),
  FOREIGN KEY (organization_id, filing_id) REFERENCES filings (organization_id, id)
);

-- Transactions that were processed when the return of their period was claimed
-- already, or just being claimed. Whoever takes such a row opens or finds the
-- amendment, or sees that there is nothing to amend.
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

-- Totals of what was processed before there were any. Where two authorities share a
-- sale (Canada), each has the tax of its own lines, and what is owed and collected is
-- shared by it.
-- +goose StatementBegin
INSERT INTO transaction_totals (organization_id, transaction_id, epoch, country_code, state_code, member_code, tax_date, marketplace, currency,
       sales, taxable, tax, collected, liability)
WITH processed AS (
  SELECT t.*, t.place ->> 'country' AS in_country, t.place ->> 'state' AS in_state,
         CASE WHEN t.type IN ('FULL_CREDIT_NOTE', 'PARTIAL_CREDIT_NOTE', 'TAX_REFUND') THEN -1 ELSE 1 END AS sign
    FROM transactions t
   WHERE t.processing_status = 'PROCESSED' AND t.conversion_rate IS NOT NULL AND t.destination_currency IS NOT NULL AND t.place ->> 'country' <> ''),
provincial AS (
  SELECT i.organization_id, i.transaction_id, sum((e ->> 'amount')::numeric) AS tax, sum((e ->> 'taxable_amount')::numeric) AS taxable
    FROM processed p
    JOIN transaction_items i ON i.organization_id = p.organization_id AND i.transaction_id = p.id
   CROSS JOIN LATERAL jsonb_array_elements(i.tax_items) e
   WHERE p.in_country = 'CA' AND e ->> 'type' = 'CALCULATED' AND e ->> 'jurisdiction_type' = 'STATE'
   GROUP BY 1, 2),
sums AS (
  SELECT p.organization_id, p.id, p.epoch, p.in_country, p.in_state, p.tax_date, p.marketplace, p.destination_currency, p.conversion_rate AS rate,
         CASE p.type WHEN 'TAX_REFUND' THEN 0 ELSE (CASE p.sign WHEN 1 THEN 1 ELSE -sign(p.subtotal - p.total_discount) END)
              * (round(p.subtotal * p.conversion_rate, 2) - round(p.total_discount * p.conversion_rate, 2)) END AS sales,
         p.taxable_amount, p.total_tax_amount_calculated AS tax, coalesce(v.tax, 0) AS provincial, coalesce(v.taxable, 0) AS provincial_taxable,
         p.sign * abs(p.total_tax_amount_imported) AS collected, p.total_tax_liability_amount AS liability
    FROM processed p LEFT JOIN provincial v ON v.organization_id = p.organization_id AND v.transaction_id = p.id),
authorities AS (
  SELECT s.*, 'US' AS country_code, s.in_state AS state_code, taxable_amount AS own_taxable, s.tax AS own_tax FROM sums s WHERE s.in_country = 'US'
  UNION ALL
  SELECT s.*, s.in_country, s.in_country, taxable_amount, s.tax - s.provincial FROM sums s WHERE s.in_country <> 'US'
  UNION ALL
  SELECT s.*, 'CA', s.in_state, s.provincial_taxable, s.provincial FROM sums s WHERE s.in_country = 'CA'
  UNION ALL
  SELECT s.*, 'ZZ_EU', 'ZZ_EU', taxable_amount, s.tax FROM sums s
   WHERE s.in_country IN ('AT', 'BE', 'BG', 'CY', 'CZ', 'DE', 'DK', 'EE', 'ES', 'FI', 'FR', 'GR', 'HR', 'HU', 'IE', 'IT', 'LT', 'LU', 'LV', 'MT',
                          'NL', 'PL', 'PT', 'RO', 'SE', 'SI', 'SK')),
shares AS (
  SELECT a.*, CASE WHEN a.in_country <> 'CA' THEN 1 WHEN a.tax <> 0 THEN a.own_tax / a.tax WHEN a.state_code = 'CA' THEN 1 ELSE 0 END AS share
    FROM authorities a)
SELECT organization_id, id, epoch, country_code, state_code, in_country, tax_date, marketplace, destination_currency,
       sales, round(own_taxable * rate, 2), round(own_tax * rate, 2),
       CASE WHEN in_country = 'CA' AND state_code <> 'CA' THEN round(collected * rate, 2) - round(collected * (1 - share) * rate, 2) ELSE round(collected * share * rate, 2) END,
       CASE WHEN in_country = 'CA' AND state_code <> 'CA' THEN round(liability * rate, 2) - round(liability * (1 - share) * rate, 2) ELSE round(liability * share * rate, 2) END
  FROM shares;
-- +goose StatementEnd
