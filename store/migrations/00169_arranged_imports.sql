-- +goose Up
-- Rows of one order of a file are its lines, also where other rows stand between them. Before the first order is
-- imported, pass 0 reads the file once and notes where each order begins. An import of an earlier release is not
-- arranged: there only adjacent rows are one order.
ALTER TABLE transaction_imports
  ADD COLUMN arranged boolean NOT NULL DEFAULT false, -- pass 0 is complete
  ADD COLUMN arranged_chunks bigint NOT NULL DEFAULT 0, -- of pass 0
  ADD COLUMN split_parts bigint NOT NULL DEFAULT 0,   -- rows of transaction_import_parts
  ADD COLUMN accepted_rows bigint NOT NULL DEFAULT 0,
  ADD COLUMN present_rows bigint NOT NULL DEFAULT 0,
  ADD COLUMN conflicting_rows bigint NOT NULL DEFAULT 0,
  ADD COLUMN rejected_rows bigint NOT NULL DEFAULT 0,
  ADD COLUMN restored_postal_codes bigint NOT NULL DEFAULT 0;

-- +goose StatementBegin
DO $$
DECLARE name text;
BEGIN
  SELECT conname INTO STRICT name FROM pg_constraint
   WHERE conrelid = 'transaction_imports'::regclass AND contype = 'c' AND pg_get_constraintdef(oid) LIKE '%pass >= 1%';
  EXECUTE format('ALTER TABLE transaction_imports DROP CONSTRAINT %I', name);
END $$;
-- +goose StatementEnd
ALTER TABLE transaction_imports
  ADD CONSTRAINT transaction_imports_pass CHECK (pass BETWEEN 0 AND passes),
  -- A file loses no row and counts none twice.
  ADD CONSTRAINT transaction_imports_rows CHECK (status <> 'COMPLETED' OR NOT arranged
    OR rows = accepted_rows + present_rows + conflicting_rows + rejected_rows);

-- Rows that are already present are listed with those that were not accepted.
ALTER TABLE transaction_import_rejections ADD COLUMN present boolean NOT NULL DEFAULT false;

-- The orders of a file: a digest of the external_id, the byte at which the first row begins, and the number of rows.
-- Nothing refers to the import: a check for each row would cost more than the row. They are deleted with the file.
CREATE TABLE transaction_import_orders (
  organization_id ident NOT NULL,
  import_id       ident NOT NULL,
  key             uuid NOT NULL,
  first           bigint NOT NULL,
  rows            bigint NOT NULL,
  PRIMARY KEY (organization_id, import_id, key)
);

-- Where the adjacent rows of orders begin that have others elsewhere in the file. The first ones of an order have no
-- line and size, because the import reads them as it comes to them.
CREATE TABLE transaction_import_parts (
  organization_id ident NOT NULL,
  import_id       ident NOT NULL,
  start           bigint NOT NULL,
  first           bigint NOT NULL, -- start of the first rows of the order
  key             uuid NOT NULL,
  line            bigint NOT NULL DEFAULT 0,
  size            bigint NOT NULL DEFAULT 0,
  rows            bigint NOT NULL DEFAULT 0,
  PRIMARY KEY (organization_id, import_id, start),
  UNIQUE (organization_id, import_id, first, start)
);

-- While workers are replaced, those of an earlier release take imports too. They do not know pass 0, and would import
-- the first rows of an order alone. They lose the race for such an import, and try until a later release takes it.
-- +goose StatementBegin
CREATE FUNCTION refuse_earlier_import() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'this import waits for a worker of a later release' USING ERRCODE = 'serialization_failure';
END $$;
-- +goose StatementEnd
CREATE TRIGGER transaction_imports_refuse_earlier BEFORE UPDATE ON transaction_imports FOR EACH ROW
  WHEN (OLD.pass = 0 AND (NEW.pass <> 0 OR NEW.byte_offset <> OLD.byte_offset)
        AND NEW.arranged_chunks = OLD.arranged_chunks
     OR OLD.arranged AND NEW.transactions > OLD.transactions
        AND NEW.accepted_rows + NEW.present_rows + NEW.conflicting_rows + NEW.rejected_rows
          = OLD.accepted_rows + OLD.present_rows + OLD.conflicting_rows + OLD.rejected_rows)
  EXECUTE FUNCTION refuse_earlier_import();
