-- +goose Up
-- What the authority was asked to pay back of a credit that no return takes off any more.
ALTER TABLE filings
  ADD COLUMN credit_claimed numeric(20,2) NOT NULL DEFAULT 0 CHECK (credit_claimed <> 'NaN' AND credit_claimed >= 0),
  DROP CONSTRAINT filings_credit_used,
  ADD CONSTRAINT filings_credit_used CHECK (credit_used + credit_claimed = 0 OR credit_used + credit_claimed
    <= CASE WHEN filing_category = 'PREPAYMENT' THEN tax_remitted ELSE amount_credit_carried END);

-- Since when nobody has to look after it any more, where the record itself does not tell that.
ALTER TABLE exception_notes ADD COLUMN done_at timestamptz;
