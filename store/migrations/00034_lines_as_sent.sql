-- What the client sent of the fields of a line that the service decides too, apart from what was decided, so that an
-- update made from an answer orders nothing that the client did not ask for. NULL when none was sent. Lines that were
-- written before do not say: the default that they keep is in the catalog, no row is written.

-- +goose Up
ALTER TABLE transaction_items ADD COLUMN sent jsonb DEFAULT '{"unknown": true}';
ALTER TABLE transaction_items ALTER COLUMN sent DROP DEFAULT;
