-- +goose Up
-- The submitted lines after discounts of a document whose prices include tax. The other amounts of such a document are
-- net as soon as its tax is calculated. NULL: its prices are before tax, as those of rows from before.
-- The domain amount has a CHECK: a column of it would write the whole table anew.
ALTER TABLE transactions
  ADD COLUMN gross_amount numeric(12,2),
  ADD CONSTRAINT transactions_gross_amount_check CHECK (gross_amount <> 'NaN') NOT VALID;
