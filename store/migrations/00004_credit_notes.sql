-- +goose Up

-- What the credit notes and tax refunds of a sale take from it. Every call that
-- adds, changes or cancels one changes this row in its own database transaction,
-- and whoever calculates one holds it: it is the first lock of all of them.
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

-- Which line of the original a line of a credit note refunds.
ALTER TABLE transaction_items ADD COLUMN original_line_no integer;

-- A refund waits until its original is processed. Its row of the outbox says so,
-- and the stage that processes the original makes it due.
ALTER TABLE outbox ADD COLUMN waits_for ident;
CREATE INDEX outbox_waits_for ON outbox (organization_id, waits_for) WHERE waits_for IS NOT NULL;
