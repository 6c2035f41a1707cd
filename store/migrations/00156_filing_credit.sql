-- +goose Up
-- How the amount of a return comes about besides its tax and what people enter: prepayments and credit that it takes off,
-- and credit that it leaves. The amount is what is to be paid, and never below zero. A return that was claimed before has
-- its amount as it was: 0 in each column.
ALTER TABLE filings
  ADD COLUMN settled boolean NOT NULL DEFAULT false, -- the columns below were decided with its claim
  ADD COLUMN amount_prepaid numeric(20,2) NOT NULL DEFAULT 0 CHECK (amount_prepaid <> 'NaN' AND amount_prepaid >= 0),
  ADD COLUMN amount_credit_applied numeric(20,2) NOT NULL DEFAULT 0
    CHECK (amount_credit_applied <> 'NaN' AND amount_credit_applied >= 0),
  ADD COLUMN amount_credit_carried numeric(20,2) NOT NULL DEFAULT 0
    CHECK (amount_credit_carried <> 'NaN' AND amount_credit_carried >= 0),
  -- Of a prepayment, what is not to be paid with it but with the return of its period.
  ADD COLUMN amount_deferred numeric(20,2) NOT NULL DEFAULT 0 CHECK (amount_deferred <> 'NaN'),
  -- Of a prepayment, the part of its tax that is to be paid with it. NULL: all.
  ADD COLUMN prepaid_share numeric(12,9) CHECK (prepaid_share > 0 AND prepaid_share <= 1),
  -- What other returns have taken off of the credit that this one left, or of this prepayment.
  ADD COLUMN credit_used numeric(20,2) NOT NULL DEFAULT 0 CHECK (credit_used <> 'NaN' AND credit_used >= 0),
  ADD CONSTRAINT filings_amount CHECK (NOT settled OR
    total_tax_liability + amount_adjusted - amount_discounts + amount_fees + amount_penalties
      - amount_prepaid - amount_credit_applied + amount_credit_carried - amount_deferred >= 0),
  -- A credit is used once, also by returns that are approved at the same time: each updates this row.
  ADD CONSTRAINT filings_credit_used CHECK (
    credit_used <= CASE WHEN filing_category = 'PREPAYMENT' THEN tax_remitted ELSE amount_credit_carried END
    OR credit_used = 0);

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

-- The events of a filing do not tell how a later one used its credit.
CREATE OR REPLACE TRIGGER filings_write_changed AFTER UPDATE ON filings FOR EACH ROW
  WHEN (OLD.updated_at <> NEW.updated_at OR OLD.status <> NEW.status OR OLD.announced_at IS DISTINCT FROM NEW.announced_at
     OR OLD.tax_remitted <> NEW.tax_remitted)
  EXECUTE FUNCTION write_changed_event('filing', '{}',
    '{updated_at,next_check_at,attempt,claimed_at,locked_at,report_hash,reminders,planned,settled,credit_used,prepaid_share,amount_deferred}');
