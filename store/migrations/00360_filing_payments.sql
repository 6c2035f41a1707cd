-- +goose Up
-- levy: quick
-- Payments that people record for a return after it was filed. The release before knows none; tax_remitted of the filing,
-- which it reads, contains them. Record payments when every process is of this release: the one before takes a report of such
-- a return for a changed one.
CREATE TABLE filing_payments (
  organization_id ident NOT NULL,
  filing_id       ident NOT NULL,
  id              ident NOT NULL,
  amount          numeric(20,2) NOT NULL CHECK (amount > 0 AND amount <> 'NaN'),
  paid_on         date NOT NULL,
  method          text NOT NULL CHECK (method IN ('DEBIT', 'CREDIT', 'WIRE', 'PORTAL', 'CARD', 'CHECK', 'OTHER')),
  reference       text NOT NULL,
  created_by      text NOT NULL,
  created_at      timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (organization_id, filing_id, id),
  CONSTRAINT filing_payments_reference UNIQUE (organization_id, filing_id, reference),
  FOREIGN KEY (organization_id, filing_id) REFERENCES filings (organization_id, id)
);
ALTER TABLE filing_payments ENABLE ROW LEVEL SECURITY;
CREATE POLICY own_organization ON filing_payments USING (organization_id = ANY (
  (SELECT string_to_array(current_setting('levy.organizations', true), ','))::text[]));

ALTER TABLE filing_history DROP CONSTRAINT filing_history_action_check;
ALTER TABLE filing_history ADD CONSTRAINT filing_history_action_check CHECK (action IN
  ('CREATED', 'APPROVED', 'SUBMITTED', 'FILED', 'REJECTED', 'RETRIED', 'PAUSED', 'RESUMED', 'RELEASED', 'SKIPPED',
   'CANCELLED', 'SECOND_PERSON_ENDED', 'ENTRY_ADDED', 'ENTRY_DELETED', 'PAYMENT_RECORDED', 'PAYMENT_DELETED')) NOT VALID;
