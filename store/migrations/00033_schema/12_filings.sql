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
  transaction_count             bigint NOT NULL DEFAULT 0,
  marketplace_transaction_count bigint NOT NULL DEFAULT 0,
  internal_notes          text,
  return_confirmation_id  text,
  payment_confirmation_id text,
  jira_issue_key          text,
  amends_filing_id        ident,
  planned                 boolean NOT NULL DEFAULT false, -- made by the plan of filings
  attempt                 integer NOT NULL DEFAULT 0,     -- how often it became FILING
  claimed_at              timestamptz,                    -- its lines are claimed
  filed_at                timestamptz,
  locked_at               timestamptz,                    -- report and hash are stored, its transactions are LOCKED
  report_hash             text,
  reminders               integer NOT NULL DEFAULT 0,     -- of the due date, that were recorded
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
  CONSTRAINT filings_regular EXCLUDE USING gist
    (organization_id WITH =, registration_id WITH =, daterange(start_date, end_date, '[]') WITH &&)
    WHERE (filing_category = 'REGULAR' AND status NOT IN ('CANCELLED', 'SKIPPED'))
);
-- A return that the plan has made is never made again, whatever became of it.
CREATE UNIQUE INDEX filings_planned ON filings (organization_id, registration_id, filing_category, start_date, end_date)
  WHERE planned;
-- The one amendment of a return that collects what came late.
CREATE UNIQUE INDEX filings_open_amendment ON filings (organization_id, amends_filing_id)
  WHERE filing_category = 'AMENDMENT' AND status IN ('UNFILED', 'PAUSED');
CREATE INDEX filings_registration ON filings (organization_id, registration_id, start_date DESC, id DESC);
CREATE INDEX filings_start_date ON filings (organization_id, start_date DESC, id DESC);
CREATE INDEX filings_due_date ON filings (organization_id, due_date, id);
-- Read across organizations by the sweeper of every process.
CREATE INDEX filings_next_check_at ON filings (next_check_at) WHERE next_check_at IS NOT NULL;

CREATE TRIGGER filings_status_moves AFTER UPDATE OF status ON filings FOR EACH ROW
  WHEN (OLD.status <> NEW.status AND NOT may_move('filing_status', OLD.status, NEW.status))
  EXECUTE FUNCTION refuse_move();

-- Who changes the status of a filing holds the lock of its registration, from before the filing
-- is read until the commit: otherwise a stage of processing could miss the claim that the
-- transition makes, and its transactions would be in no return. The lock is the advisory one of
-- the store, exclusive and not shared; a transition without it is a defect, and refused.
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

-- Its name sorts after filings_status_moves: a transition that does not exist is refused as such.
CREATE TRIGGER filings_status_moves_held AFTER UPDATE OF status ON filings FOR EACH ROW
  WHEN (OLD.status <> NEW.status) EXECUTE FUNCTION refuse_move_unheld();

-- Whether the timer approves a return depends on the organization too: when its settings change,
-- the workflows of its filings read them again.
CREATE FUNCTION wake_filings() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE filings SET next_check_at = now() WHERE organization_id = NEW.organization_id AND status = 'UNFILED';
  RETURN NULL;
END $$;
CREATE TRIGGER organization_details_wake_filings AFTER UPDATE OF auto_file ON organization_details FOR EACH ROW
  WHEN (OLD.auto_file IS DISTINCT FROM NEW.auto_file) EXECUTE FUNCTION wake_filings();
CREATE TRIGGER organization_settings_wake_filings AFTER UPDATE OF special_tax_circumstances, filing_lookback_periods
  ON organization_settings FOR EACH ROW
  WHEN (OLD.special_tax_circumstances IS DISTINCT FROM NEW.special_tax_circumstances
        OR OLD.filing_lookback_periods IS DISTINCT FROM NEW.filing_lookback_periods)
  EXECUTE FUNCTION wake_filings();

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
  PRIMARY KEY (organization_id, filing_id, transaction_id)
);
-- A transaction is returned once for each registration: an amendment contains what the regular
-- return does not. Other categories, such as payments on account, report it in addition, each
-- once.
CREATE UNIQUE INDEX filing_transactions_once ON filing_transactions
  (organization_id, transaction_id, registration_id, claims_as);

-- A claim writes a million lines. That each has its transaction and its filing is checked once
-- for all that a statement writes: row by row the check took longer than the writing. The
-- guarantee is that of a foreign key: what is referred to is locked until the lines are
-- committed, and cannot be deleted while there are any.
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
CREATE TRIGGER filing_transactions_added AFTER INSERT ON filing_transactions
  REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION check_members();
CREATE TRIGGER filing_transactions_changed AFTER UPDATE ON filing_transactions
  REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION check_members();

CREATE FUNCTION keep_members() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT 1 FROM filing_transactions m
              WHERE m.organization_id = OLD.organization_id AND CASE TG_TABLE_NAME WHEN 'filings' THEN m.filing_id = OLD.id ELSE m.transaction_id = OLD.id END) THEN
    RAISE EXCEPTION '% is of a filing with members', OLD.id USING ERRCODE = 'foreign_key_violation', TABLE = TG_TABLE_NAME;
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER transactions_of_filings_stay AFTER DELETE ON transactions FOR EACH ROW EXECUTE FUNCTION keep_members();
CREATE TRIGGER transactions_of_filings_keep_id AFTER UPDATE OF organization_id, id ON transactions FOR EACH ROW
  WHEN (OLD.organization_id <> NEW.organization_id OR OLD.id <> NEW.id) EXECUTE FUNCTION keep_members();
CREATE TRIGGER filings_with_members_stay AFTER DELETE ON filings FOR EACH ROW EXECUTE FUNCTION keep_members();
CREATE TRIGGER filings_with_members_keep_id AFTER UPDATE OF organization_id, id ON filings FOR EACH ROW
  WHEN (OLD.organization_id <> NEW.organization_id OR OLD.id <> NEW.id) EXECUTE FUNCTION keep_members();
