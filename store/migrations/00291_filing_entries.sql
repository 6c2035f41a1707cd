-- +goose Up
-- levy: quick
-- Entries: amounts of a return that no transaction makes, such as own purchases or interest. The release before knows
-- none; what they add to a filing is in its amounts, which it reads and files.
CREATE TABLE filing_entries (
  organization_id   ident NOT NULL,
  filing_id         ident NOT NULL,
  id                ident NOT NULL,
  kind              text NOT NULL,
  amount            numeric(20,2) NOT NULL CHECK (amount <> 'NaN'),
  taxable           numeric(20,2) NOT NULL CHECK (taxable <> 'NaN'),
  jurisdiction_id   text, -- NULL: the authority of the return
  jurisdiction_type text,
  jurisdiction_name text,
  line              text, -- of the form; NULL: that of the kind
  note              text NOT NULL,
  created_by        text NOT NULL,
  created_at        timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (organization_id, filing_id, id),
  FOREIGN KEY (organization_id, filing_id) REFERENCES filings (organization_id, id)
);
ALTER TABLE filing_entries ENABLE ROW LEVEL SECURITY;
CREATE POLICY own_organization ON filing_entries USING (organization_id = ANY (
  (SELECT string_to_array(current_setting('levy.organizations', true), ','))::text[]));

ALTER TABLE filing_history DROP CONSTRAINT filing_history_action_check;
ALTER TABLE filing_history ADD CONSTRAINT filing_history_action_check CHECK (action IN
  ('CREATED', 'APPROVED', 'SUBMITTED', 'FILED', 'REJECTED', 'RETRIED', 'PAUSED', 'RESUMED', 'RELEASED', 'SKIPPED',
   'CANCELLED', 'SECOND_PERSON_ENDED', 'ENTRY_ADDED', 'ENTRY_DELETED')) NOT VALID;
