-- +goose Up
-- The plan of this function is kept by each session, and is that of the first statement that it saw. Where that changed one
-- sale, it compared each row of every later batch with each other: 250,000 pairs for 500 sales, twice in their processing.
ALTER FUNCTION write_changed_transactions() SET enable_nestloop = off;
ALTER FUNCTION write_changed_transactions() SET enable_mergejoin = off;
