-- +goose Up
-- The unit of rounding of a document. Rows from before have none: they take that of the organization when they are
-- calculated. NOT VALID reads none of them under the lock.
ALTER TABLE transactions
  ADD COLUMN tax_rounding text,
  ADD CONSTRAINT transactions_tax_rounding_check
    CHECK (tax_rounding IN ('TAX_PER_LINE', 'JURISDICTION_PER_LINE', 'TAX_PER_DOCUMENT')) NOT VALID;
