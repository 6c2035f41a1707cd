-- +goose Up
-- Where the liability of a transaction to an authority is owed, by place: [{"type", "name", "code", "amount"}], in the
-- currency of the row; the amounts add up to liability, and no amount is 0. NULL: the liability is shared by the calculated
-- tax lines of the authority, in the order of their levels and names, each place as the difference of two rounded running
-- sums. So an ordinary sale stores nothing: its places are its tax lines. Rows of earlier releases have NULL.
ALTER TABLE transaction_totals ADD COLUMN places jsonb;
