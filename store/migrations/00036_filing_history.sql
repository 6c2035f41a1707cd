-- +goose Up

-- What ever happened to a return: its moves, who made them and why, what it was handed over as, and
-- what the authority said. A row is written in the database transaction of the move, and stays as it
-- is. There is no foreign key: nothing that happens to a filing takes its history along.
CREATE TABLE filing_history (
  organization_id      ident NOT NULL,
  filing_id            ident NOT NULL,
  seq                  bigint GENERATED ALWAYS AS IDENTITY,
  at                   timestamptz NOT NULL DEFAULT now(),
  from_status          text,  -- NULL: the filing was made
  to_status            text NOT NULL,
  action               text NOT NULL CHECK (action IN
                         ('CREATED', 'APPROVED', 'SUBMITTED', 'FILED', 'REJECTED', 'RETRIED', 'PAUSED', 'RESUMED',
                          'RELEASED', 'SKIPPED', 'CANCELLED')),
  actor_type           text NOT NULL CHECK (actor_type IN ('API_KEY', 'USER', 'STAFF', 'SYSTEM')),
  actor_id             text,
  actor_name           text,
  reason               text,
  attempt              integer NOT NULL, -- at filing it; 0 before the first
  authority            text,             -- the adapter
  authority_code       text,
  authority_message    text,
  confirmation_id      text,
  written_by           xid8 NOT NULL DEFAULT pg_current_xact_id(), -- the database transaction
  PRIMARY KEY (organization_id, filing_id, seq)
);
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

-- +goose StatementBegin
CREATE FUNCTION refuse_rewriting() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'rows of % are only added', TG_TABLE_NAME USING ERRCODE = 'check_violation', CONSTRAINT = TG_NAME;
END $$;
-- +goose StatementEnd
CREATE TRIGGER filing_history_stays BEFORE UPDATE OR DELETE ON filing_history FOR EACH ROW EXECUTE FUNCTION refuse_rewriting();
CREATE TRIGGER filing_exclusions_stay BEFORE UPDATE OR DELETE ON filing_exclusions FOR EACH ROW EXECUTE FUNCTION refuse_rewriting();

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

-- A return asks which transactions of its days cannot be processed: they are few, and found by their day.
-- The day is filled in here, so that processes of the release before go on writing rows without it.
ALTER TABLE transaction_refetches ADD COLUMN tax_date date;
-- +goose StatementBegin
CREATE FUNCTION date_refetch() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  SELECT t.tax_date INTO NEW.tax_date FROM transactions t WHERE t.organization_id = NEW.organization_id AND t.id = NEW.transaction_id;
  RETURN NEW;
END $$;
-- +goose StatementEnd
CREATE TRIGGER transaction_refetches_have_a_day BEFORE INSERT ON transaction_refetches FOR EACH ROW
  WHEN (NEW.tax_date IS NULL) EXECUTE FUNCTION date_refetch();
UPDATE transaction_refetches r SET tax_date = t.tax_date
  FROM transactions t WHERE t.organization_id = r.organization_id AND t.id = r.transaction_id;

-- The obligation that the transactions of a nexus record are being queued again for, from before the first of
-- them until all follow it: {"from", "until", "gaps"}. Until then nobody takes the record for decided, also
-- when the obligation has become meanwhile what it was before.
ALTER TABLE nexus_records ADD COLUMN applying jsonb;
