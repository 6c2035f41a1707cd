-- +goose Up
-- What a sealed return owes by place is in tax and taxable; what the law computes of all its transactions is here. NULL: of
-- a report that was sealed before, whose tax and taxable are what the law computes.
ALTER TABLE filing_jurisdictions
  ADD COLUMN tax_calculated numeric(20,2) CHECK (tax_calculated <> 'NaN'),
  ADD COLUMN taxable_calculated numeric(20,2) CHECK (taxable_calculated <> 'NaN');
