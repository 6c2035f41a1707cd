-- +goose Up
-- The submitted lines after discounts of a document whose prices include tax. The other amounts of such a document are
-- net as soon as its tax is calculated. NULL: its prices are before tax, as those of rows from before.
ALTER TABLE transactions ADD COLUMN gross_amount amount;
