-- +goose Up
-- The unit of rounding of a document. Rows from before have none: they take that of the organization when they are
-- calculated.
ALTER TABLE transactions ADD COLUMN tax_rounding text
  CHECK (tax_rounding IN ('TAX_PER_LINE', 'JURISDICTION_PER_LINE', 'TAX_PER_DOCUMENT'));
