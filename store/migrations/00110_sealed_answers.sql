-- +goose Up
-- An answer with a tax id in it is kept encrypted, in columns that the release before does not know: to it such a key is in
-- use, so that it replays nothing that it cannot read. A sealed status without a body is of an answer that was erased. A
-- process of that release writes over a row whose time is over without clearing these columns: a status or a lease counts
-- before them. Rows from before satisfy the constraint: none has to be read for it.
ALTER TABLE idempotency_keys
  ADD COLUMN sealed_status smallint,
  ADD COLUMN sealed_body   bytea,
  ADD COLUMN sealed_about  text[],               -- ids in the body of whom may be erased: customers, people, organizations
  DROP CONSTRAINT idempotency_keys_check,
  ADD CONSTRAINT idempotency_keys_one_form CHECK (
    num_nonnulls(status, lease) = 1 OR num_nonnulls(status, lease) = 0 AND coalesce(sealed_status BETWEEN 200 AND 299, false)) NOT VALID;
ALTER TABLE idempotency_keys ALTER COLUMN sealed_body SET STORAGE EXTERNAL; -- it cannot be packed
