-- +goose Up
-- Returns that were open when the cases of the liability came show what earlier releases decided: their transactions do
-- not say by how much more or less tax was collected, and share what is owed over places in another way. A background
-- run completes them, return by return. It notes the last transaction that it has seen, so that it goes on after an
-- interruption.
CREATE TABLE filing_recomputations (
  organization_id   ident NOT NULL,
  filing_id         ident NOT NULL,
  after_day         date NOT NULL DEFAULT '-infinity',
  after_transaction text NOT NULL DEFAULT '',
  transactions      bigint NOT NULL DEFAULT 0, -- that it has seen
  completed         bigint NOT NULL DEFAULT 0, -- of these, that it changed
  done_at           timestamptz,
  PRIMARY KEY (organization_id, filing_id),
  FOREIGN KEY (organization_id, filing_id) REFERENCES filings (organization_id, id)
);
CREATE INDEX filing_recomputations_open ON filing_recomputations (organization_id, filing_id) WHERE done_at IS NULL;
-- The last day on which earlier releases may have decided something. NULL: nothing is from before.
ALTER TABLE installation ADD COLUMN totals_from_before date;
UPDATE installation SET totals_from_before = (now() AT TIME ZONE 'UTC')::date + 1 WHERE EXISTS (SELECT FROM organizations);
