-- +goose Up
-- By which case of the contract a total owes, and by how much the collected tax is above and below the calculated one. Rows
-- of earlier releases have no case. An amount of 0 is NULL.
ALTER TABLE transaction_totals
  ADD COLUMN liability_case  smallint,
  ADD COLUMN over_collected  numeric(20,2),
  ADD COLUMN under_collected numeric(20,2);

-- Refunds of a sale are decided in the order in which they were committed; NULL: in that in which they were made.
ALTER TABLE transactions ADD COLUMN committed_at timestamptz;
