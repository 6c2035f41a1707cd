-- +goose Up
-- Explanations are stored packed (internal/packed), in a seventh of their bytes. Those that releases before stored stay
-- as they are, in body. Where a row has both, a process of such a release wrote body later. Packed bytes are not
-- packed again. Rows from before satisfy the constraint, since their body was not null: none has to be read for it.
ALTER TABLE transaction_explanations ALTER COLUMN body DROP NOT NULL, ADD COLUMN packed bytea;
ALTER TABLE transaction_explanations ALTER COLUMN packed SET STORAGE EXTERNAL;
ALTER TABLE transaction_explanations
  ADD CONSTRAINT transaction_explanations_one_form CHECK (body IS NOT NULL OR packed IS NOT NULL) NOT VALID;
